/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types that BTF cannot hold.
 *
 * A loader marks them where it meets them, each with its reason.  When all is
 * read, store__fit() takes them out: a struct that BTF cannot describe is only
 * declared, any other type becomes void, and what holds a value of such a type
 * goes without it, or goes as well.  So a type costs itself and never the image;
 * in a kernel written in C there is none.
 */
#ifndef ABTF_TYPES_FIT_H
#define ABTF_TYPES_FIT_H

#include "types/store.h"

/* Values of @encoding in struct node and struct rec, except those of an INT: BTF_INT_*. */
enum misfit {
	FITS,
	MISFIT_FLOAT,	/* btf.rst: a FLOAT has 2, 4, 8, 12 or 16 bytes */
	MISFIT_ENUM,	/* an ENUM or ENUM64 has 1, 2, 4 or 8 */
	MISFIT_SIZE,	/* more than 4 GiB */
	MISFIT_NUMBER,	/* vlen has 16 bits */
	MISFIT_PLACE,	/* a member that is not where BTF, or the kernel, lets it be */
	MISFIT_DEPTH,	/* nested deeper than readers follow */
	MISFIT_NAME,	/* declared without a name */
	MISFIT_VALUE,	/* holds a value whose type BTF cannot represent */
	NR_MISFITS
};

/** misfit__text() - Return: which types these are, in the plural. */
const char *misfit__text(enum misfit reason);

/* What became of a node. */
enum fate {
	FATE_KEPT,
	FATE_SHRUNK,	/* some members, or all values, are left out */
	FATE_DECLARED,	/* it is a forward declaration now */
	FATE_GONE,	/* it is void now */
};

/**
 * struct fit - what was done about them
 * @fates:	by node, enum fate
 * @nr:		distinct types by reason, but for prototypes of functions
 */
struct fit {
	uint8_t		*fates;
	uint32_t	nr[NR_MISFITS];
};

/**
 * store__fit() - reduce a store to types that BTF can represent
 *
 * Must be called after everything has been read.  The caller must update whatever else
 * refers to types (prototypes of functions, types of variables, tags).
 */
void store__fit(struct store *s, struct fit *ret);

void fit__destroy(struct fit *fit);

#endif /* ABTF_TYPES_FIT_H */
