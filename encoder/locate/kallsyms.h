/* SPDX-License-Identifier: GPL-2.0-only */
/* The running kernel's symbols: where it was loaded. */
#ifndef ABTF_LOCATE_KALLSYMS_H
#define ABTF_LOCATE_KALLSYMS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * kallsyms__text() - find the address of _text
 * @path:	/proc/kallsyms, or a copy
 * @offset_of:	gives the offset from _text of a function with that name if the kernel has
 *		only one: arm64 without CONFIG_KALLSYMS_ALL does not list _text itself
 *
 * Return: 0; without a message -EPERM if the file hides addresses, -ENOENT if it lists no such
 * symbol, or another negative errno.
 */
int kallsyms__text(const char *path, bool (*offset_of)(const char *name, void *arg, uint64_t *ret),
		   void *arg, uint64_t *ret);

#endif /* ABTF_LOCATE_KALLSYMS_H */
