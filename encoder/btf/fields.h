/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fields of a type that lead elsewhere: string offsets and type ids.
 *
 * One place knows which these are; what copies types into another object
 * changes them by it.
 */
#ifndef ABTF_BTF_FIELDS_H
#define ABTF_BTF_FIELDS_H

#include <stdint.h>

#include "btf/format.h"

/**
 * struct btf_fields - what is done with each field
 * @name:	string offset, 0 for no name; NULL: nothing
 * @id:		type id, 0 for void; NULL: nothing
 *
 * Names come in the order in which they stand in the type.
 */
struct btf_fields {
	void	(*name)(void *arg, uint32_t *offset);
	void	(*id)(void *arg, uint32_t *id);
};

/**
 * btf_type__visit() - call @fields for each field of a type
 * @t:		a whole type in native byte order, of a known kind
 */
void btf_type__visit(struct btf_type *t, const struct btf_fields *fields, void *arg);

#endif /* ABTF_BTF_FIELDS_H */
