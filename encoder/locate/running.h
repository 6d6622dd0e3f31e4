/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the running kernel shows about its code, for an image without code: the functions that
 * ftrace can patch, and the blacklist of kprobes.
 *
 * Root can read both below /sys/kernel.  Since Linux 6.5, the list of ftrace also has addresses,
 * if kptr_restrict allows it.  Otherwise it has names, which several functions may share.
 */
#ifndef ABTF_LOCATE_RUNNING_H
#define ABTF_LOCATE_RUNNING_H

#include "image/code_table.h"

/**
 * running__read_ftrace() - read the list of functions in vmlinux that ftrace can patch
 * @root:	"" for this machine, or the directory with a copy of its files
 * @syms:	of the image of the running kernel
 * @ret:	places in the image, not those at run time; @known if the list was read
 * @unsure:	functions that share a name, of which the list has some, and does not show which
 *
 * Both tables must be destroyed.
 */
void running__read_ftrace(const char *root, const struct symbols *syms, struct code_table *ret,
			  struct code_table *unsure);

/**
 * running__read_blacklist() - read the functions in vmlinux in which kprobes are rejected
 * @root, @syms, @ret: as for running__read_ftrace()
 *
 * The list has addresses, so the table is not @known if the kernel hides them.
 */
void running__read_blacklist(const char *root, const struct symbols *syms, struct code_table *ret);

/**
 * running__section() - find where a section of a module was loaded
 * @module:	its name
 * @section:	name of the section
 *
 * Return: its address; 0 if the kernel hides it, or the module is not loaded.
 */
uint64_t running__section(const char *root, const char *module, const char *section);

#endif /* ABTF_LOCATE_RUNNING_H */
