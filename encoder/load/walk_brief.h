/* SPDX-License-Identifier: GPL-2.0-only */
/* A fast path for DIEs whose attributes have fixed sizes. */
#ifndef ABTF_LOAD_WALK_BRIEF_H
#define ABTF_LOAD_WALK_BRIEF_H

#include "load/walk.h"

/**
 * walk__brief_items() - read members, enumerators, dimensions or parameters
 * @c:		after the first one's code; moved past the last one that was read
 * @parent:	the type or function they belong to
 *
 * Return: 1; 0 if not even the first one is brief; -ENOMEM.
 */
int walk__brief_items(struct walk *w, const struct abbrev *a, struct cursor *c,
		      const struct frame *parent);

/**
 * walk__brief_type() - read a type
 * @frame:	for its children
 */
int walk__brief_type(struct walk *w, const struct abbrev *a, struct cursor *c,
		     struct frame *frame);

/** walk__brief_func() - skip an unused function without a body */
int walk__brief_func(struct walk *w, const struct abbrev *a, struct cursor *c);

#endif /* ABTF_LOAD_WALK_BRIEF_H */
