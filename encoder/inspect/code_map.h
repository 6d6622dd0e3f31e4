/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A map from addresses to functions.
 *
 * Contains the extent of every function symbol, with the name of its FUNC.  Functions
 * without a FUNC have the name of the symbol, so that their code is not attributed to the
 * FUNC before it.
 */
#ifndef ABTF_INSPECT_CODE_MAP_H
#define ABTF_INSPECT_CODE_MAP_H

#include "inspect/input.h"

/**
 * struct extent - the code of one function symbol
 * @address:	from _text; in a module, in its section
 * @size:	in bytes
 * @section:	of a module, otherwise 0
 * @func:	the FUNC, or NULL
 * @name:	NAME or NAME@FILE, or the symbol's name
 */
struct extent {
	uint64_t	address;
	uint64_t	size;
	uint32_t	section;
	const struct func *func;
	const char	*name;
};

/**
 * struct code_map - the extents of an image, by (section, address)
 * @text:	the link-time address of _text; 0 in a module, or if it is not known
 */
struct code_map {
	VECTOR(struct extent);
	uint64_t	text;
};

/**
 * code_map__init() - create the map
 * @in:		an image, or a cached kernel; must outlive the map
 *
 * Return: 0, or a negative errno after a message.  Must be destroyed in both cases.
 */
int code_map__init(struct code_map *map, struct input *in);

void code_map__destroy(struct code_map *map);

/** code_map__find() - Return: the function whose code is at an offset, or NULL. */
const struct extent *code_map__find(const struct code_map *map, uint32_t section,
				    uint64_t offset);

/** code_map__named() - Return: the first of @nr extents with that name, without or with FILE. */
const struct extent *code_map__named(const struct code_map *map, const char *name, size_t len,
				     uint32_t *nr);

#endif /* ABTF_INSPECT_CODE_MAP_H */
