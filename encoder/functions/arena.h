/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ABTF_FUNCTIONS_ARENA_H
#define ABTF_FUNCTIONS_ARENA_H

#include "types/store.h"

/**
 * arena__attribute() - give a kfunc's prototype its arena pointers
 * @proto:	node id of the prototype; replaced by that of a changed copy
 * @flags:	KF_ARENA_RET, KF_ARENA_ARG1, KF_ARENA_ARG2
 *
 * A pointer into an arena points to a TYPE_TAG "address_space(1)" with
 * kind_flag set, as pahole's feature "attributes" writes it.  What is no
 * pointer stays as it is.
 *
 * Return: 0 or -ENOMEM.
 */
int arena__attribute(struct store *s, uint32_t *proto, uint32_t flags);

#endif /* ABTF_FUNCTIONS_ARENA_H */
