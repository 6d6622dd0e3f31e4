/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read all units of an image: by one loader per thread, whose stores and lists are then merged.
 * Units with conflicting definitions of a name are read again, when all names are known.
 */
#ifndef ABTF_LOAD_UNITS_H
#define ABTF_LOAD_UNITS_H

#include "load/load.h"

/**
 * struct units - an image's units, while they are read
 * @dw:		the image's DWARF
 * @stems:	of all function symbols
 * @assembler:	names of functions in assembly, see units__find_assembler()
 * @threads:	number of threads, at least 1
 * @progress:	show how many units are read
 * @loader:	has the types, functions, variables and tags of all units, once they are read
 * @walk:	nanoseconds for reading DIEs, the sum of all threads
 * @hash:	the same, for adding them to stores
 * @merge:	nanoseconds for merging
 * @conflicts:	names with conflicting definitions
 * @reread:	units read again for them
 */
struct units {
	struct dwarf			*dw;
	const struct hash_table		*stems;
	const struct hash_table		*assembler;
	const struct load_options	*opts;
	unsigned int			threads;
	bool				progress;
	struct loader			loader;
	uint64_t			walk, hash, merge;
	uint32_t			conflicts;
	uint32_t			reread;
};

/**
 * units__find_assembler() - find the names of functions in assembly
 * @assembler:	a set, which may be zeroed
 *
 * Assemblers describe functions without prototypes, so only the declarations of these functions
 * in other units are needed.
 *
 * Return: 0, or a negative errno after a message.
 */
int units__find_assembler(struct units *u, struct hash_table *assembler);

/**
 * units__read() - read all units, and merge what the threads have read into @u->loader
 *
 * Return: 0, or a negative errno after a message.  @u must be destroyed in both cases.
 */
int units__read(struct units *u);

/**
 * units__resolve_conflicts() - read units again whose types have conflicting definitions
 *
 * Return: 0, or a negative errno after a message.
 */
int units__resolve_conflicts(struct units *u);

/** units__take() - Move what has been read to the caller. */
void units__take(struct units *u, struct store *store, struct observed *observed);

void units__destroy(struct units *u);

#endif /* ABTF_LOAD_UNITS_H */
