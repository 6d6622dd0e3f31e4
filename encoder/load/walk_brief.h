/* SPDX-License-Identifier: GPL-2.0-only */
/* A fast path for DIEs whose attributes have fixed sizes. */
#ifndef ABTF_LOAD_WALK_BRIEF_H
#define ABTF_LOAD_WALK_BRIEF_H

#include "load/walk.h"

/**
 * walk__brief() - read a type, or several members, enumerators, dimensions or parameters, or
 * skip an unused function
 * @a:		its abbreviation, or that of the first item
 * @start:	of the DIE
 * @c:		after its code; moved past the last DIE that was read
 * @open:	the open DIE; moved to its parent if its end was read, too
 *
 * Return: 1; 0 if the DIE takes the slow path; -ENOMEM.
 */
int walk__brief(struct walk *w, const struct abbrev *a, const uint8_t *start, struct cursor *c,
		struct frame **open);

#endif /* ABTF_LOAD_WALK_BRIEF_H */
