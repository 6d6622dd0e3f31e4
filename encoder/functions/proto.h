/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ABTF_FUNCTIONS_PROTO_H
#define ABTF_FUNCTIONS_PROTO_H

#include "types/store.h"

/**
 * proto__matches() - test whether two prototypes mean the same to a caller
 *
 * They have the same number of parameters, and types that are the same except for const.
 * Named types are compared by name, and names of parameters are ignored, because
 * declarations of one function may differ in these ways.
 */
bool proto__matches(const struct store *s, uint32_t a, uint32_t b);

/** proto__returning_void() - Return: the node id of a prototype without return value; -EINVAL. */
int64_t proto__returning_void(struct store *s, uint32_t proto);

/**
 * proto__with_names() - name the parameters of a prototype
 *
 * The kernel requires names in a FUNC's prototype.  Parameters without a name get their
 * position as in tracefs: arg1, arg2 and so on.
 *
 * Return: the node id of the changed copy, or -EINVAL after a message.
 */
int64_t proto__with_names(struct store *s, uint32_t proto);

/**
 * proto__with_arena() - give a kfunc's prototype its arena pointers
 * @flags:	KF_ARENA_RET, KF_ARENA_ARG1, KF_ARENA_ARG2
 *
 * A pointer into an arena points to a TYPE_TAG "address_space(1)" with kind_flag set, as
 * pahole's feature "attributes" writes it.  Types that are not pointers are not changed.
 *
 * Return: the node id of the changed copy, or a negative errno.
 */
int64_t proto__with_arena(struct store *s, uint32_t proto, uint32_t flags);

#endif /* ABTF_FUNCTIONS_PROTO_H */
