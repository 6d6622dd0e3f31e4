/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf__dedup() for types that come from anybody.
 *
 * libbpf compares by recursion, as deep as types refer to each other, and
 * compares what looks alike in pairs.  Types that were made for it so take any
 * stack, and time without end.
 */
#ifndef ABTF_BTF_DEDUP_H
#define ABTF_BTF_DEDUP_H

#include <stdint.h>

struct btf;

/**
 * btf_dedup() - deduplicate, on a stack that is deep enough, within bounds
 * @btf:	changed in place; NULL afterwards if it is still in use, because
 *		it took too long
 * @nr_types:	its number of types
 *
 * Return: 0, or a negative errno after a message: -ETIME if it took too long.
 */
int btf_dedup(struct btf **btf, uint32_t nr_types);

#endif /* ABTF_BTF_DEDUP_H */
