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
 * struct selection - what a selector means
 * @first:	all instances of its NAME, @nr of them, in the order of ids
 * @file:	its FILE without the '/' in front, or NULL
 * @whole:	FILE is the whole of a path
 */
struct selection {
	const struct instance	*first;
	uint32_t		nr;
	const char		*file;
	bool			whole;
};

/**
 * select_instances() - find what a selector means
 * @text:	the selector, whose end is that of @ret->file
 * @subject:	what is searched, for messages
 *
 * Where a file is called exactly FILE, no other is meant.
 *
 * Return: 0; -EINVAL after a message if it is malformed; -ENOENT after a message
 * that tells the functions of that name, if it means none.
 */
int select_instances(const struct instances *insts, const char *text, const char *subject,
		     struct selection *ret);

/** selection__has() - Is an instance, one of @sel->first, meant? */
bool selection__has(const struct selection *sel, const struct instance *inst);

#endif /* ABTF_INSPECT_SELECTOR_H */
