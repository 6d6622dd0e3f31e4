/* SPDX-License-Identifier: GPL-2.0-only */
/* The short way through DIEs whose attributes have fixed sizes. */
#ifndef ABTF_LOAD_WALK_BRIEF_H
#define ABTF_LOAD_WALK_BRIEF_H

#include "load/walk.h"

/**
 * walk__brief_items() - take members, enumerators, dimensions or parameters the short way
 * @c:		behind the first one's code; left behind the last one taken
 * @parent:	the type or function they belong to
 *
 * Return: 1; 0 if even the first takes the long way; -ENOMEM.
 */
int walk__brief_items(struct walk *w, const struct abbrev *a, struct cursor *c,
		      const struct frame *parent);

/**
 * walk__brief_type() - the same for a type
 * @frame:	for its children
 */
int walk__brief_type(struct walk *w, const struct abbrev *a, struct cursor *c,
		     struct frame *frame);

/** walk__brief_func() - the same for a function without a body that is of no interest */
int walk__brief_func(struct walk *w, const struct abbrev *a, struct cursor *c);

#endif /* ABTF_LOAD_WALK_BRIEF_H */
