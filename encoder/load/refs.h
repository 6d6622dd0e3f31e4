/* SPDX-License-Identifier: GPL-2.0-only */
/* Resolve references and names in the records of a group. */
#ifndef ABTF_LOAD_REFS_H
#define ABTF_LOAD_REFS_H

#include "load/load.h"

/** loader__report_type() - Print an error about a type. Return: -EINVAL. */
int loader__report_type(struct loader *l, uint32_t die, const char *what);

/**
 * loader__find_target() - find the record of a reference, skipping aliases
 * @die:	the DIE with the reference
 *
 * Return: its index, 0 for void, or -EINVAL after a message.
 */
int64_t loader__find_target(struct loader *l, uint32_t die, uint32_t ref);

/** loader__target() - Like loader__find_target(), for a reference that was hashed before. */
uint32_t loader__target(struct loader *l, uint32_t ref);

/** loader__resolve() - Return: the type without typedefs and qualifiers. */
struct rec *loader__resolve(struct loader *l, uint32_t ref);

/** loader__size_of() - Return: the size of a type in bytes, 0 if unknown. */
uint64_t loader__size_of(struct loader *l, uint32_t ref);

/**
 * loader__name_id() - get the string of a type's or an item's name
 *
 * Return: its id, or a negative errno after a message.  -EAGAIN, without a message, if the name
 * is an offset of an empty string: everything must be read again (@empty_names).
 */
int64_t loader__name_id(struct loader *l, uint32_t die, uint32_t name);

#endif /* ABTF_LOAD_REFS_H */
