/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the types of a module that the base already has.
 *
 * Types are compared as graphs: two types are equal if their shapes are equal, and so
 * are all types that they refer to, through cycles (types/graph.h).  libbpf's
 * deduplication of split BTF scans the whole base for every module, and some versions
 * do not find typedefs.
 *
 * Within a larger type that is otherwise equal, a forward declaration on either side
 * equals a full type with the same name: the base's super_block, which only has a
 * forward of mtd_info, equals the super_block of a module that defines mtd_info.  By
 * itself, a module's forward is resolved to the full type if the base has exactly one
 * with that name, or to the one that a struct of the base refers to.  A full type is
 * never replaced by the base's forward.
 */
#ifndef ABTF_BTF_MATCH_H
#define ABTF_BTF_MATCH_H

#include "btf/base.h"
#include "types/store.h"

/**
 * match_base() - find a module's types in the base
 * @store:	of the module, its references resolved; @keys: from store__keys()
 * @ret: by node: the base's id, 0 if it has no such type; malloc()ed
 *
 * Return: 0, or -ETIME after a message if malformed types would take too long.
 */
int match_base(const struct base *base, const struct store *store, struct hash *keys,
	       uint32_t **ret);

#endif /* ABTF_BTF_MATCH_H */
