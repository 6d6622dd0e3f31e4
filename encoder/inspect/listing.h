/* SPDX-License-Identifier: GPL-2.0-only */
/* The output of `abtf list`: functions, with their declarations and prototypes. */
#ifndef ABTF_INSPECT_LISTING_H
#define ABTF_INSPECT_LISTING_H

#include <jansson.h>
#include <stdio.h>

#include "inspect/selector.h"

/**
 * listing_args - get the arguments of a function, for the table and for JSON
 *
 * Return: an array, of strings for the table.
 */
typedef json_t *listing_args(const struct function *f, bool json, void *data);

/**
 * print_listing() - print an array of objects, or a table for people
 * @width:	of the terminal, 0 if @f is not a terminal
 * @args:	called with @data; NULL: do not show arguments
 *
 * The table has one line per function.  On a terminal, no path is shown twice; if it is too
 * narrow, functions are grouped below the prototype that they share.  Scripts, which read a
 * pipe, get all columns.
 */
void print_listing(const struct function_map *map, const struct selection *sel, bool json,
		   unsigned int width, listing_args *args, void *data, FILE *f);

#endif /* ABTF_INSPECT_LISTING_H */
