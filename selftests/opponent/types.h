/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of parameters, for the generator and the harness. */
#ifndef OPPONENT_TYPES_H
#define OPPONENT_TYPES_H

#include <string.h>

/* Results are of a type before TYPE_ONE. */
enum type {
	TYPE_VOID,
	TYPE_LONG,
	TYPE_INT,
	TYPE_SHORT,
	TYPE_CHAR,
	TYPE_ONE,
	TYPE_TWO,
	TYPE_THREE,
	TYPE_POINTER,
	NR_TYPES
};

/**
 * struct type_info - a type
 * @text:	in C
 * @words:	how to get to each word of a value: "" for the value itself
 */
struct type_info {
	const char *text;
	const char *words[3];
};

static const struct type_info types[NR_TYPES] = {
	[TYPE_VOID] = { "void" },
	[TYPE_LONG] = { "long", { "" } },
	[TYPE_INT] = { "int", { "" } },
	[TYPE_SHORT] = { "short", { "" } },
	[TYPE_CHAR] = { "unsigned char", { "" } },
	[TYPE_ONE] = { "struct one", { ".a" } },
	[TYPE_TWO] = { "struct two", { ".a", ".b" } },
	[TYPE_THREE] = { "struct three", { ".a", ".b", ".c" } },
	[TYPE_POINTER] = { "struct pair *", { "->first", "->second" } },
};

static inline int type__nr_words(enum type type)
{
	int nr = 0;

	while (nr < 3 && types[type].words[nr])
		nr++;
	return nr;
}

#endif
