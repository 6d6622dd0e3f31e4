/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `abtf list --inlined` shows: functions and how often they were inlined, or
 * the places of one name.
 */
#ifndef ABTF_INSPECT_SHOW_INLINED_H
#define ABTF_INSPECT_SHOW_INLINED_H

#include <stdio.h>

#include "inlined/inlined.h"
#include "inspect/selector.h"

/**
 * struct inlined_view - what to show of it
 * @sel:	places of these; NULL: functions
 * @all:	without @sel: also functions without a body
 * @text:	the address that offsets are relative to; 0 in a module
 */
struct inlined_view {
	const struct inlined	*in;
	const struct selection	*sel;
	bool			all;
	uint64_t		text;
};

/** inlined_view__shows() - Is a site one that the selector means? */
bool inlined_view__shows(const struct inlined_view *view, const struct inlined_site *site);

/** inlined_view__count() - Return: the number of sites that it means. */
uint32_t inlined_view__count(const struct inlined_view *view);

/** inlined_view__print() - Print a table for people. */
void inlined_view__print(const struct inlined_view *view, FILE *f);

/** inlined_view__print_json() - Print an array of objects; return 0 or -ENOMEM. */
int inlined_view__print_json(const struct inlined_view *view, FILE *f);

/** inlined_site__name() - Return: "NAME in CALLER at FILE:LINE", malloc()ed; or NULL. */
char *inlined_site__name(const struct inlined *in, const struct inlined_site *site);

#endif /* ABTF_INSPECT_SHOW_INLINED_H */
