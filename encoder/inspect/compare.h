/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Implementation of `abtf diff`: match the functions of two BTF objects and report
 * how they differ.
 *
 * Ids are not comparable between objects.  Instances with the same name are matched
 * by file.  If one side does not record files, instances with equal prototypes are
 * paired first, and the rest are paired by ascending id.
 */
#ifndef ABTF_INSPECT_COMPARE_H
#define ABTF_INSPECT_COMPARE_H

#include <stdio.h>

#include "inspect/funcs.h"

/**
 * struct compare_options - options
 * @addresses:	compare addresses as well
 * @json:	print an array of objects, one for each difference
 * @quiet:	print nothing
 */
struct compare_options {
	bool	addresses;
	bool	json;
	bool	quiet;
};

/**
 * struct compare_counts - the result
 * @matched:	pairs
 * @added:	only in the second object
 * @removed:	only in the first
 * @prototypes:	pairs with different prototypes
 * @addressed:	pairs with an address on both sides
 * @addresses:	of these, pairs with different addresses
 */
struct compare_counts {
	uint32_t	matched;
	uint32_t	added;
	uint32_t	removed;
	uint32_t	prototypes;
	uint32_t	addressed;
	uint32_t	addresses;
};

/**
 * compare_instances() - compare two objects and print the differences
 * @f:		gets the differences, sorted by name
 *
 * Prototypes are equal if they read the same in C, including names of parameters, which
 * tools show with arguments.
 *
 * Return: the counts.
 */
struct compare_counts compare_instances(const struct funcs *a, const struct funcs *b,
					const struct compare_options *opts, FILE *f);

static inline bool compare_counts__differ(const struct compare_counts *counts)
{
	return counts->added || counts->removed || counts->prototypes || counts->addresses;
}

#endif /* ABTF_INSPECT_COMPARE_H */
