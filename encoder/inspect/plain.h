/* SPDX-License-Identifier: GPL-2.0-only */
/* Convert BTF for readers that do not know the record. */
#ifndef ABTF_INSPECT_PLAIN_H
#define ABTF_INSPECT_PLAIN_H

#include "btf/data.h"

/**
 * btf_data__plain() - remove records from BTF
 * @loadable:	also omit FUNCs whose names contain a file, which the kernel accepts only
 *		with a record, and tags on them; later ids move up
 * @bytes:	set to a malloc()ed buffer of @size bytes
 *
 * FUNCs lose kind_flag and record.  Ids do not change, unless @loadable omits some;
 * everything else is copied unchanged, including string offsets and the byte order.
 *
 * Return: the number of omitted types.
 */
uint32_t btf_data__plain(const struct btf_data *btf, bool loadable, void **bytes, size_t *size);

#endif /* ABTF_INSPECT_PLAIN_H */
