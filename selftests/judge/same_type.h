/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compare a type of BTF with a type of DWARF.
 *
 * Compares kinds, names and sizes along chains of pointers, up to the first named
 * struct, union or enum.  DWARF that BTF cannot represent is equal to anything.
 */
#ifndef JUDGE_SAME_TYPE_H
#define JUDGE_SAME_TYPE_H

#include <elfutils/libdw.h>

#include "../compare/raw.h"

/**
 * same_type() - compare two types
 * @id:		a type of @btf
 * @type:	NULL for void
 */
bool same_type(const struct btf *btf, uint32_t id, Dwarf_Die *type);

/**
 * same_prototype() - compare two prototypes, without names
 * @id:		a FUNC_PROTO of @btf
 * @func:	a subprogram or subroutine type
 */
bool same_prototype(const struct btf *btf, uint32_t id, Dwarf_Die *func);

#endif /* JUDGE_SAME_TYPE_H */
