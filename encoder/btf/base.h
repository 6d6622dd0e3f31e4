/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The base of split BTF, indexed: is this type there, is this string?
 *
 * Built once for any number of modules, then immutable and shared by threads
 * without locks.  A type is found by its *shape*, a hash of its content in which
 * a named struct, union or enum that it refers to counts by its name, and
 * anything else by its own shape (types/shape.h); see btf/match.h for what names hide.
 */
#ifndef ABTF_BTF_BASE_H
#define ABTF_BTF_BASE_H

#include "btf/base_index.h"
#include "btf/file.h"
#include "types/shape.h"
#include "types/strings.h"

/**
 * struct base - a base and its index
 * @btf:	the base itself; what is in split BTF refers to its ids and strings
 * @index:	where its types and strings are
 * @file:	what @btf is the bytes of, if @cached
 * @cached:	@index is a file's: what it finds has to be compared, and @btf was
 *		not checked again
 * @int_type:	id of "int", which arrays are indexed by; 0 for none
 */
struct base {
	struct btf_data		*btf;
	struct base_index	index;
	struct btf_file		file;
	bool			cached;
	uint32_t		int_type;
};

/**
 * base__open() - read and index a base
 * @path:	an image with .BTF, or raw BTF, with addresses or without
 * @cache:	folder where indexes are kept between calls, or NULL
 *
 * Return: 0, or a negative errno after a message.
 */
int base__open(const char *path, const char *cache, struct base **ret);

void base__free(struct base *b);

/** base__is_forward() - Is this a declaration only, of a struct, union or enum? */
bool base__is_forward(const struct base *b, uint32_t id);

/** base__has_key() - Is the type known by that name (store__key())? */
bool base__has_key(const struct base *b, uint32_t id, struct hash key);

/** base__with_shape() - Return: the ids of that shape, from the lowest. */
static inline struct base_candidates base__with_shape(const struct base *b, struct hash shape)
{
	return base_index__find_shape(&b->index, shape);
}

/** base__with_key() - Return: the ids of that name (store__key()), from the lowest. */
static inline struct base_candidates base__with_key(const struct base *b, struct hash key)
{
	return base_index__find_name(&b->index, key);
}

static inline void base__next_shape(const struct base *b, struct base_candidates *c)
{
	base_candidates__next(&b->index, c, b->index.next_shape);
}

static inline void base__next_key(const struct base *b, struct base_candidates *c)
{
	base_candidates__next(&b->index, c, b->index.next_name);
}

/** base__string() - Return: the offset of a string, 0 if it is not in the base. */
static inline uint32_t base__string(const struct base *b, const char *s, size_t len)
{
	return base_index__find_string(&b->index, b->btf, s, len);
}

#endif /* ABTF_BTF_BASE_H */
