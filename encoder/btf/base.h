/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The base of split BTF, with an index of its types and strings.
 *
 * Built once for any number of modules, then shared by threads without locks: only shapes are
 * added, by atomic stores.
 * A type is found by its *key* (types/shape.h), which represents it in the hash of types
 * that refer to it: for a named struct, union or enum, a hash of its name, for all others
 * their shape.  btf/match.h decides whether a type that is found is equal.
 *
 * The base is not a store of nodes: copying the types of Debian's 6.12 to one would double
 * the memory (from 13 to 30 MB) and the CPU time of encoding a small module, and kbuild
 * encodes each module in a process of its own.
 */
#ifndef ABTF_BTF_BASE_H
#define ABTF_BTF_BASE_H

#include "btf/file.h"
#include "util/hash.h"
#include "util/table.h"

/**
 * struct base - a base and its index
 * @btf:	the base itself; split BTF refers to its ids and strings
 * @keys:	by id; zeroes for FUNCs and other kinds that types cannot refer to
 * @shapes:	by id: base__shape() if it was called, otherwise zeroes; NULL: they are not kept
 * @types:	ids by key
 * @strings:	string offsets by hash_bytes()
 * @int_type:	id of "int", which arrays are indexed by; 0 for none
 */
struct base {
	struct btf_data		*btf;
	struct hash		*keys;
	struct hash		*shapes;
	struct hash_table	types;
	struct hash_table	strings;
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

/** base__is_forward() - Test for a forward declaration of a struct, union or enum. */
bool base__is_forward(const struct base *b, uint32_t id);

/** base__keep_shapes() - Compute each shape only once; worth its memory for several modules. */
void base__keep_shapes(struct base *b);

/** base__shape() - Return: the shape of a type, not a forward. */
struct hash base__shape(const struct base *b, uint32_t id);

/** base__string() - Return: the offset of a string, 0 if it is not in the base; @hash: of it. */
uint32_t base__string(const struct base *b, const char *s, size_t len, uint32_t hash);

#endif /* ABTF_BTF_BASE_H */
