/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a type of BTF the one that DWARF describes?
 *
 * For who judges the encoder: kinds, names and sizes along chains of pointers,
 * up to the first named struct, union or enum.  What BTF has no word for is
 * taken for the same.
 */
#ifndef ABTF_INSPECT_SAME_TYPE_H
#define ABTF_INSPECT_SAME_TYPE_H

#include <elfutils/libdw.h>

#include "btf/read.h"

/**
 * same_type() - compare two types
 * @id:		a type of @btf
 * @type:	NULL for void
 */
bool same_type(const struct btf_data *btf, uint32_t id, Dwarf_Die *type);

/**
 * same_prototype() - compare what is declared, names aside
 * @id:		a FUNC_PROTO of @btf
 * @func:	a subprogram or subroutine type
 */
bool same_prototype(const struct btf_data *btf, uint32_t id, Dwarf_Die *func);

#endif /* ABTF_INSPECT_SAME_TYPE_H */
