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
#include "util/grow.h"

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

/** running_offset - a callback: find the offset from _text of the only function with a name, and of "_text" */
typedef bool running_offset(const void *arg, const char *name, uint64_t *ret);

/**
 * running__text() - find the address of _text in /proc/kallsyms
 *
 * arm64 without CONFIG_KALLSYMS_ALL lists functions, but not _text.
 * Return: 0; -EPERM if the kernel hides addresses; or another negative errno.
 */
int running__text(const char *root, running_offset *offset_of, const void *arg, uint64_t *ret);

/**
 * running__section() - find where a section of a module was loaded
 * @module:	its name
 * @section:	name of the section
 *
 * Return: its address; 0 if the kernel hides it, or the module is not loaded.
 */
uint64_t running__section(const char *root, const char *module, const char *section);

/** struct loaded_function - a symbol of a module's code, in /proc/kallsyms */
struct loaded_function {
	const char	*name, *module;
};

/**
 * struct loaded_functions - functions of all loaded modules
 * @list: has the names
 */
struct loaded_functions {
	char	*list;
	VECTOR(struct loaded_function);
};

/** running__read_modules() - read /proc/kallsyms. @ret is empty if it cannot be read. */
void running__read_modules(const char *root, struct loaded_functions *ret);
void loaded_functions__destroy(struct loaded_functions *l);

/** loaded_functions__sort() - Prepare for loaded_functions__modules(), which takes 10 ms. */
void loaded_functions__sort(struct loaded_functions *l);

/**
 * loaded_functions__modules() - find the modules that have a function with a name
 * @len: of the name
 *
 * Return: the modules, with @separator between them, which the caller frees; NULL if there is none.
 */
char *loaded_functions__modules(const struct loaded_functions *l, const char *name, size_t len,
				const char *separator);

#endif /* ABTF_LOCATE_RUNNING_H */
