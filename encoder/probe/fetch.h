/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values in the syntax of tools: expressions that read a value at a probe.
 *
 * Each function returns a malloc()ed string, or NULL and the reason.
 */
#ifndef ABTF_PROBE_FETCH_H
#define ABTF_PROBE_FETCH_H

#include <jansson.h>

#include "probe/args.h"

/** arg__unavailable() - Return: why a value cannot be read, NULL if it can. */
const char *arg__unavailable(const struct arg *arg);

/** fetch__reason() - Return: why no tool can print a value, NULL if some tool can. */
const char *fetch__reason(const struct arg *arg);

/** arg__is_string() - Test for a value that is printed as text. */
bool arg__is_string(const struct arg *arg);

/** arg__is_array() - Test for an array. */
bool arg__is_array(const struct arg *arg);

/** arg__is_pointer() - Test for a pointer. */
bool arg__is_pointer(const struct arg *arg);

/** arg__is_part() - Test for some of the bits of a register or integer. */
bool arg__is_part(const struct arg *arg);

/**
 * fetch__tracefs() - a fetch argument of tracefs and perf: "+0(+0(%di)):string"
 *
 * The syntax is in Documentation/trace/kprobetrace.rst.
 */
char *fetch__tracefs(const struct arg_list *list, const struct arg *arg, const char **reason);

/** fetch__bpftrace() - an expression for printf(); @format: of it, such as "%d" */
char *fetch__bpftrace(const struct arg_list *list, const struct arg *arg, const char **format,
		      const char **reason);

/**
 * fetch__bpftrace_root() - an expression for the parameter that a value's path starts at
 *
 * Return: NULL if the path does not need it: "$kobj" is the pointer with the kernel's type.
 */
char *fetch__bpftrace_root(const struct arg_list *list, const struct arg *arg);

/**
 * fetch__json() - a value as an object for programs
 *
 * The value is at the last of "offsets": the first one is relative to the register, the others to
 * the pointer that is at the previous one.  Without "offsets", it is the value of the registers
 * plus "add", and without registers, it is "add".
 */
json_t *fetch__json(const struct arg_list *list, const struct arg *arg);

#endif /* ABTF_PROBE_FETCH_H */
