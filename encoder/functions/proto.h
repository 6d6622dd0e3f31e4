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

#endif /* ABTF_FUNCTIONS_PROTO_H */
