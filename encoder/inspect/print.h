/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prototypes in C, as a header would declare them.
 *
 * Not libbpf's btf_dump: that one numbers names it has seen twice
 * ("struct foo___2"), so that the text of a type depends on what was printed
 * before it, and two objects could not be compared by what they print.
 */
#ifndef ABTF_INSPECT_PRINT_H
#define ABTF_INSPECT_PRINT_H

#include "btf/data.h"

/**
 * btf_data__prototype() - a function in C: "int cpumask_weight(const struct cpumask *srcp)"
 * @btf:	a checked object
 * @id:		id of a FUNC
 *
 * Without the file in its name.  Types are named, not spelled out; an anonymous one is "struct {...}".  An
 * unprototyped "int f()" (a lone "..." in BTF) stays "int f()".  A prototype
 * that no C programmer would write (nested too deep, or of several thousand
 * characters) is "?".
 *
 * Return: a malloc()ed string.
 */
char *btf_data__prototype(const struct btf_data *btf, uint32_t id);

#endif /* ABTF_INSPECT_PRINT_H */
