/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selectors: how a user names one instance.
 *
 *	NAME		every function of that name
 *	NAME@FILE	those whose unit's path is FILE or ends in "/FILE"
 *	NAME@N		the N-th of that name, 1-based, in the order of ids
 */
#ifndef ABTF_INSPECT_SELECTOR_H
#define ABTF_INSPECT_SELECTOR_H

#include "inspect/instances.h"

/**
 * struct selector - a parsed one
 * @text:	as the user wrote it
 * @name:	NAME
 * @file:	FILE, or NULL
 * @rank:	N, or 0
 */
struct selector {
	const char	*text;
	char		*name;
	const char	*file;
	uint32_t	rank;
};

/**
 * selector__parse() - take a selector apart
 * @text:	kept, not copied
 *
 * Digits behind the '@' are an N, everything else a FILE.
 *
 * Return: 0, -EINVAL after a message if it is malformed, or -ENOMEM.
 */
int selector__parse(const char *text, struct selector *ret);

void selector__release(struct selector *sel);

/** selector__matches() - Return: true if an instance is (one of those) meant. */
bool selector__matches(const struct selector *sel, const struct instance *inst);

/**
 * selector__explain() - say why nothing was found
 * @subject:	what was searched, for the message
 */
void selector__explain(const struct selector *sel, const struct instances *insts,
		       const char *subject);

/**
 * instance__selector() - the selector that picks exactly this instance
 *
 * NAME if the name is enough, NAME@UNIT if the unit tells it apart, for that
 * survives a rebuild, else NAME@N.
 *
 * Return: a malloc()ed string, or NULL without memory.
 */
char *instance__selector(const struct instance *inst);

#endif /* ABTF_INSPECT_SELECTOR_H */
