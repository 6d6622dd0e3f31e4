/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selectors: how a user names one instance.
 *
 *	NAME		every function of that name
 *	NAME@FILE	those whose unit's path is FILE or ends in "/FILE"
 *	NAME@N		the N-th of that name, 1-based, in the order of ids
 *	MODULE:...	any of these, of a module; vmlinux: of the kernel itself
 */
#ifndef ABTF_INSPECT_SELECTOR_H
#define ABTF_INSPECT_SELECTOR_H

#include "inspect/instances.h"

/**
 * struct selector - a parsed one
 * @text:	as the user wrote it
 * @module:	MODULE, or NULL
 * @name:	NAME
 * @file:	FILE, or NULL
 * @rank:	N, or 0
 */
struct selector {
	const char	*text;
	char		*module;
	char		*name;
	const char	*file;
	uint32_t	rank;
};

/**
 * selector__parse() - take a selector apart
 * @text:	kept, not copied
 *
 * Digits behind the '@' are an N, everything else a FILE.  A ':' counts only
 * before the '@'.
 *
 * Return: 0, -EINVAL after a message if it is malformed, or -ENOMEM.
 */
int selector__parse(const char *text, struct selector *ret);

void selector__release(struct selector *sel);

/**
 * selector__is_for() - does a selector mean functions of this file?
 * @path:	a module is called as its file up to the first '.'; as the kernel
 *		does, '-' and '_' are taken for the same
 * @is_split:	its BTF stands on a base: it is not vmlinux
 *
 * Return: true; or false after a message that says what the file is.
 */
bool selector__is_for(const struct selector *sel, const char *path, bool is_split);

/** selector__matches() - Return: true if an instance is (one of those) meant. */
bool selector__matches(const struct selector *sel, const struct instance *inst);

/**
 * selector__explain() - say why nothing was found
 * @subject:	what was searched, for the message
 */
void selector__explain(const struct selector *sel, const struct instances *insts,
		       const char *subject);

/**
 * module_of_file() - the name that the kernel has for a file's module
 *
 * Return: a malloc()ed string; an empty one if the file's name cannot stand in a
 * selector; NULL without memory.
 */
char *module_of_file(const char *path);

/**
 * instance__selector() - the selector that picks exactly this instance
 * @module:	put before it, or NULL
 *
 * NAME if the name is enough, NAME@UNIT if the unit tells it apart, for that
 * survives a rebuild, else NAME@N.
 *
 * Return: a malloc()ed string, or NULL without memory.
 */
char *instance__selector(const struct instance *inst, const char *module);

#endif /* ABTF_INSPECT_SELECTOR_H */
