/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of units as users see them: paths relative to the source tree. */
#ifndef ABTF_FUNCTIONS_UNIT_NAME_H
#define ABTF_FUNCTIONS_UNIT_NAME_H

#include <stdint.h>

/**
 * unit_name__tag() - make a unit's path relative, and a tag of it
 * @name:	DW_AT_name
 * @comp_dir:	DW_AT_comp_dir, or NULL
 * @prefixes:	source directories to cut off, the first that fits
 * @nr:		their number
 *
 * Without a prefix that fits, the compilation directory is cut off.  ".", ".."
 * and doubled slashes are resolved: a build in a folder of its own compiles
 * "../kernel/fork.c".
 *
 * Return: "unit:PATH", malloc()ed, or NULL without memory.
 */
char *unit_name__tag(const char *name, const char *comp_dir, const char **prefixes, uint32_t nr);

#endif /* ABTF_FUNCTIONS_UNIT_NAME_H */
