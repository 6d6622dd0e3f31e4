/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of a module's types does the base have already?
 *
 * Types are compared as graphs: two are the same if their shapes are, and so is
 * whatever they refer to, through cycles (types/pairs.h).  libbpf's own deduplication of split
 * BTF, of which some versions do not find typedefs, looks at the whole base for
 * every module.
 *
 * A forward declaration, on either side, is the same as a full type of its name
 * within a larger type that is the same otherwise: the base's super_block says
 * no more of mtd_info than that it exists, and is the super_block of a module
 * that knows mtd_info all the same.  By itself a module's forward stands for the
 * full type if the base has exactly one of that name, or the one that it is within
 * a struct that the base has.  A full type is never replaced by the base's
 * forward.
 */
#ifndef ABTF_BTF_MATCH_H
#define ABTF_BTF_MATCH_H

#include "btf/base.h"
#include "types/store.h"

/**
 * match_base() - find a module's types in the base
 * @store:	of the module, its references resolved
 * @ret:	by node: the base's id, 0 if it has no such type; malloc()ed
 *
 * Return: 0, -ENOMEM, or -ETIME after a message if the types were made to take
 * too long.
 */
int match_base(const struct base *base, const struct store *store, uint32_t **ret);

#endif /* ABTF_BTF_MATCH_H */
