/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types that BTF cannot represent.
 *
 * The loader marks each of them with a reason.  When everything has been read, store__fit()
 * removes them: a struct that BTF cannot represent becomes a forward declaration, any other
 * type becomes void.  Members with values of these types are removed; prototypes with such
 * parameters become void, too.  The rest of the image is encoded.  Kernels written in C
 * have no such types.
 */
#ifndef ABTF_TYPES_FIT_H
#define ABTF_TYPES_FIT_H

#include "types/store.h"

/* Values of @misfit in struct node and struct rec */
enum misfit {
	FITS,
	MISFIT_FLOAT,	/* btf.rst: a FLOAT has 2, 4, 8, 12 or 16 bytes */
	MISFIT_ENUM,	/* an ENUM or ENUM64 has 1, 2, 4 or 8 */
	MISFIT_SIZE,	/* more than 4 GiB */
	MISFIT_NUMBER,	/* vlen has 16 bits */
	MISFIT_OFFSET,	/* a member at an offset that BTF or the kernel does not allow */
	MISFIT_DEPTH,	/* nested too deeply for readers */
	MISFIT_CYCLE,	/* contains itself, as a value or without a named struct, union or enum in between */
	MISFIT_NAME,	/* declared without a name */
	MISFIT_COUNT,	/* an array of 2^32 elements or more, or of an unknown number */
	MISFIT_STRIDE,	/* an array whose elements are elsewhere, or may not be adjacent */
	MISFIT_ENUM_VALUE,	/* an enumerator that is too large for its type, or for 64 bits */
	MISFIT_UNKNOWN_SIZE,	/* not a constant */
	MISFIT_UNKNOWN_OFFSET,	/* a member's offset is not a constant */
	MISFIT_REFERENCE,	/* of a reference to a DIE that is not what it must be */
	MISFIT_VALUE,	/* contains a value whose type BTF cannot represent */
	NR_MISFITS
};

/** misfit__text() - Return: which types these are, in the plural. */
const char *misfit__text(enum misfit reason);

/* What became of a node. */
enum fit_result {
	FIT_UNCHANGED,
	FIT_SHRUNK,	/* some members, or all values, are omitted */
	FIT_DECLARED,	/* it is a forward declaration now */
	FIT_GONE,	/* it is void now */
};

/**
 * struct fit - the result
 * @results:	by node, enum fit_result
 * @nr:		distinct types by reason, except for prototypes of functions; for MISFIT_REFERENCE, groups
 *		of units
 */
struct fit {
	uint8_t		*results;
	uint32_t	nr[NR_MISFITS];
};

/**
 * store__fit() - reduce a store to types that BTF can represent
 *
 * Must be called after everything has been read.  The caller must update all other
 * references to types (prototypes of functions, types of variables, tags).
 */
void store__fit(struct store *s, struct fit *ret);

void fit__destroy(struct fit *fit);

#endif /* ABTF_TYPES_FIT_H */
