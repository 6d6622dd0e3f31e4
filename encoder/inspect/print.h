/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Print prototypes in C, as in a header.
 *
 * libbpf's btf_dump cannot be used: it numbers repeated names ("struct foo___2"), so the
 * text of a type depends on types printed earlier, and the texts of two objects could not
 * be compared.
 */
#ifndef ABTF_INSPECT_PRINT_H
#define ABTF_INSPECT_PRINT_H

#include "btf/data.h"

/**
 * btf_data__prototype() - a function in C: "int cpumask_weight(const struct cpumask *srcp)"
 * @btf:	a checked object
 * @id:		id of a FUNC
 *
 * The file in its name is omitted.  Types are printed by name; an unnamed one is "struct
 * {...}".  An unprototyped "int f()" (a lone "..." in BTF) stays "int f()".  A prototype
 * that is nested too deeply, or has several thousand characters, is "?".
 *
 * Return: a malloc()ed string.
 */
char *btf_data__prototype(const struct btf_data *btf, uint32_t id);

/** btf_data__declaration() - like btf_data__prototype(), for a FUNC_PROTO and any name */
char *btf_data__declaration(const struct btf_data *btf, uint32_t id, const char *name);

#endif /* ABTF_INSPECT_PRINT_H */
