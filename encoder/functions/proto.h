/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ABTF_FUNCTIONS_PROTO_H
#define ABTF_FUNCTIONS_PROTO_H

#include "types/store.h"

/**
 * proto__matches() - do two prototypes mean the same to a caller?
 *
 * The same number of parameters, and types that are the same but for const.
 * Named types are compared by name, and names of parameters do not count: two
 * declarations of one function differ that far without harm.
 */
bool proto__matches(const struct store *s, uint32_t a, uint32_t b);

/**
 * proto__returning_void() - the same prototype without what it returns
 *
 * Return: its node id, or -ENOMEM.
 */
int64_t proto__returning_void(struct store *s, uint32_t proto);

/**
 * proto__with_names() - the same prototype with a name for each parameter
 *
 * The kernel wants them of a FUNC.  Those that have none are called by their place,
 * arg1, arg2 and so on, as tracefs counts arguments.
 *
 * Return: its node id, or -ENOMEM.
 */
int64_t proto__with_names(struct store *s, uint32_t proto);

#endif /* ABTF_FUNCTIONS_PROTO_H */
