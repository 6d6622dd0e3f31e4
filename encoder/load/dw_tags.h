/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How each tag of DWARF is read: the kind of BTF that it becomes, what it can be a part of, and
 * which of its DIEs are brief.
 */
#ifndef ABTF_LOAD_DW_TAGS_H
#define ABTF_LOAD_DW_TAGS_H

#include "dwarf/abbrevs.h"

/* How the walk over DIEs uses a tag. */
enum die_use {
	USE_NEVER,
	USE_TREE,	/* nor its descendants: jump to the sibling if known */
	USE_TYPE,	/* anywhere */
	USE_ITEM,	/* below the type or function that it is a part of */
	USE_FUNC,
	USE_DECLARATION,	/* of a function, if declarations are used */
	USE_CALL,		/* of a function, in units whose calls are recorded */
	USE_VAR,
};

/* In addition to BTF_KIND_*: a DIE that is replaced by its target, or by void. */
#define REC_ALIAS	0x40

/* A bit in @parents that is not the KIND_BIT() of a kind */
#define TAKES_ANNOTATIONS	(1U << 31)

/* How walk_brief() reads a DIE. */
enum brief_way {
	BRIEF_NOT,
	BRIEF_TYPE,
	BRIEF_MEMBER,
	BRIEF_ENUMERATOR,
	BRIEF_PARAMETER,
};

/**
 * abbrev__classify() - Fill in what the walk over DIEs needs to know: @classify of struct abbrevs
 *
 * @use is an enum die_use.  @kind of a type is BTF_KIND_* or REC_ALIAS, otherwise 0; @parents of an
 * item has a bit per kind that it can be a part of.  @way is an enum brief_way, BRIEF_NOT unless
 * @brief covers all of the DIE; in the other byte order, or with a name that is an index,
 * @other_way is.
 */
void abbrev__classify(struct abbrev *a, const struct step *steps, bool swap);

#endif /* ABTF_LOAD_DW_TAGS_H */
