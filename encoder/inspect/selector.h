/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selectors: how a user names instances.
 *
 *	NAME		every function of that name
 *	NAME@FILE	the one of that file, or those whose file ends in "/FILE"
 *	NAME@/FILE	the one of that file: no other whose path ends so
 */
#ifndef ABTF_INSPECT_SELECTOR_H
#define ABTF_INSPECT_SELECTOR_H

#include "inspect/instances.h"

/**
 * struct selector - one, and what it means
 * @text:	as the user wrote it
 * @name_len:	length of NAME, with which it begins
 * @file:	its FILE without the '/' in front, or NULL
 * @whole:	FILE is the whole of a path
 * @first:	all instances of NAME, @nr of them, in the order of ids
 */
struct selector {
	const char		*text;
	const char		*file;
	size_t			name_len;
	bool			whole;
	const struct instance	*first;
	uint32_t		nr;
};

/** selector__parse() - Return: 0, or -EINVAL after a message; @text is not copied. */
int selector__parse(const char *text, struct selector *ret);

/**
 * selector__find() - find what a selector means
 * @subject:	what is searched, for messages
 *
 * Where a file is called exactly FILE, no other is meant.
 *
 * Return: 0; or -ENOENT after a message that tells the functions of that name, if
 * it means none.
 */
int selector__find(struct selector *sel, const struct instances *insts, const char *subject);

/** selector__fits() - Is a function of that name, in @file (NULL: unknown), meant? */
bool selector__fits(const struct selector *sel, const char *file);

/** selector__matches() - Is an instance, one of @sel->first, meant? */
bool selector__matches(const struct selector *sel, const struct instance *inst);

#endif /* ABTF_INSPECT_SELECTOR_H */
