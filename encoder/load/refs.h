/* SPDX-License-Identifier: GPL-2.0-only */
/* What the references and names in a group's records lead to. */
#ifndef ABTF_LOAD_REFS_H
#define ABTF_LOAD_REFS_H

#include "load/load.h"

/** loader__report_type() - Say what is wrong with a type. Return: -EINVAL. */
int loader__report_type(struct loader *l, uint32_t die, const char *what);

/**
 * loader__find_target() - the record that a reference means, seen through aliases
 * @die:	who refers to it
 *
 * Return: its index, 0 for void, or -EINVAL after a message.
 */
int64_t loader__find_target(struct loader *l, uint32_t die, uint32_t ref);

/** loader__target() - The same of a reference that was hashed before. */
uint32_t loader__target(struct loader *l, uint32_t ref);

/** loader__resolve() - Return: what stands behind typedefs and qualifiers. */
struct rec *loader__resolve(struct loader *l, uint32_t ref);

/** loader__size_of() - Return: the size of a type in bytes, 0 if it has none. */
uint64_t loader__size_of(struct loader *l, uint32_t ref);

/**
 * loader__name_id() - the string of a type's or an item's name
 *
 * Return: its id, or a negative errno after a message.  -EAGAIN, without one: it is empty and
 * went by its offset; all is to be read again (@empty_names).
 */
int64_t loader__name_id(struct loader *l, uint32_t die, uint32_t name);

#endif /* ABTF_LOAD_REFS_H */
