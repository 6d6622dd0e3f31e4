/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The base of split BTF, indexed: is this type there, is this string?
 *
 * Built once for any number of modules, then immutable and shared by threads
 * without locks.  A type is found by its *key*, which is what a reference to it counts as
 * (types/shape.h): a named struct, union or enum by its name, anything else by its
 * shape.  What is found may be the type that was looked for; btf/match.h says whether it is.
 */
#ifndef ABTF_BTF_BASE_H
#define ABTF_BTF_BASE_H

#include "btf/file.h"
#include "types/hash.h"
#include "util/table.h"

/**
 * struct base - a base and its index
 * @btf:	the base itself; split BTF refers to its ids and strings
 * @types:	ids by key; omits FUNCs and other kinds that types cannot refer to
 * @strings:	string offsets by hash_bytes()
 * @file:	the file whose bytes @btf uses
 * @int_type:	id of "int", which arrays are indexed by; 0 for none
 */
struct base {
	struct btf_data		*btf;
	struct hash_table	types;
	struct hash_table	strings;
	struct btf_file		file;
	uint32_t		int_type;
};

/**
 * base__open() - read and index a base
 * @path:	an image with .BTF, or raw BTF, with addresses or without
 *
 * Return: 0, or a negative errno after a message.
 */
int base__open(const char *path, struct base **ret);

void base__free(struct base *b);

/** base__is_forward() - Is this a declaration only, of a struct, union or enum? */
bool base__is_forward(const struct base *b, uint32_t id);

/** base__tagged_kind() - Return: the kind that a type is named with, 0 if no name refers to it. */
uint8_t base__tagged_kind(const struct btf_type *t);

/** struct base_candidates - types whose keys have the same 32 bits */
struct base_candidates {
	const struct hash_slot	*slot;
	uint32_t		steps;
};

/** base__find() - Return: the lowest id that may have that key, 0 if there is none. */
static inline uint32_t base__find(const struct base *b, struct hash key,
				  struct base_candidates *c)
{
	c->slot = table__find(&b->types, key.lo, &c->steps);
	return c->slot ? c->slot->id : 0;
}

/** base__find_next() - Return: the next higher one. */
static inline uint32_t base__find_next(const struct base *b, struct base_candidates *c)
{
	c->slot = table__next(&b->types, c->slot, &c->steps);
	return c->slot ? c->slot->id : 0;
}

/** base__string() - Return: the offset of a string, 0 if it is not in the base; @hash: of it. */
uint32_t base__string(const struct base *b, const char *s, size_t len, uint32_t hash);

#endif /* ABTF_BTF_BASE_H */
