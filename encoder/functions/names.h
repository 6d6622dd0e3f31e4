/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ABTF_FUNCTIONS_NAMES_H
#define ABTF_FUNCTIONS_NAMES_H

#include <ctype.h>
#include <stdbool.h>

/**
 * name__is_valid() - would the kernel take this name of a function or variable?
 *
 * kernel/bpf/btf.c, __btf_name_valid(): letters, digits, '_' and '.', not a
 * digit first, and shorter than KSYM_NAME_LEN (512).
 */
static inline bool name__is_valid(const char *name)
{
	const char *p = name;

	if (isdigit((unsigned char)*p))
		return false;
	for (; isalnum((unsigned char)*p) || *p == '_' || *p == '.'; p++)
		;
	return p > name && !*p && p - name < 512;
}

#endif /* ABTF_FUNCTIONS_NAMES_H */
