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

#endif /* ABTF_FUNCTIONS_PROTO_H */
