/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The base of split BTF, indexed: is this type there, is this string?
 *
 * Built once for any number of modules, then immutable and shared by threads
 * without locks.  A type is found by its *shape*, a hash of its content in which
 * a named struct, union or enum that it refers to counts by its name, and
 * anything else by its own shape; see btf/match.h for what names hide.
 */
#ifndef ABTF_BTF_BASE_H
#define ABTF_BTF_BASE_H

#include "btf/read.h"
#include "types/hash.h"
#include "types/strings.h"

/**
 * struct base - a base and its indexes
 * @btf:	the base itself; what is in split BTF refers to its ids and strings
 * @shapes:	by id; a type that no other can be equal to has one of its own
 * @shape_slots: open addressing by shape: the lowest id of each
 * @next_shape:	by id: the next id of the same shape, 0 for none
 * @name_slots:	open addressing by key (store__key()): the lowest id of each
 *		named struct, union, enum or forward
 * @next_name:	by id: the next id of the same key
 * @string_slots: open addressing by hash_bytes(): offsets, 0 is free
 * @int_type:	id of "int", which arrays are indexed by; 0 for none
 * @flat_arrays: it has pahole's habit to multiply dimensions out, or so it
 *		seems: no addresses, and no array of arrays
 * @plain_enum64: and that of 64-bit enums without sign
 */
struct base {
	struct btf_data	*btf;
	struct hash	*shapes;
	uint32_t	*shape_slots;
	uint32_t	*next_shape;
	uint32_t	nr_slots;
	struct hash	*keys;
	uint32_t	*name_slots;
	uint32_t	*next_name;
	uint32_t	*string_slots;
	uint32_t	nr_string_slots;
	uint32_t	int_type;
	bool		flat_arrays;
	bool		plain_enum64;
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

/** base__with_shape() - Return: the lowest id of that shape, 0 for none. */
uint32_t base__with_shape(const struct base *b, struct hash shape);

/** base__with_key() - Return: the lowest id of that name (store__key()), 0 for none. */
uint32_t base__with_key(const struct base *b, struct hash key);

/** base__string() - Return: the offset of a string, 0 if it is not in the base. */
uint32_t base__string(const struct base *b, const char *s, size_t len);

/**
 * struct shape - what goes into a shape, from a base or from a store
 * @flag:	what kind_flag says; of a prototype: it ends in "..."
 * @size:	where the kind has one; of an array its number of elements
 * @nr:		members, enumerators or parameters
 */
struct shape {
	uint8_t		kind;
	bool		flag;
	uint8_t		encoding;
	uint32_t	size;
	uint32_t	nr;
	uint64_t	name;
};

static inline struct hash shape__begin(const struct shape *s)
{
	struct hash h = hash__new((uint64_t)s->kind << 1 | s->flag);

	hash__add(&h, (uint64_t)s->size << 32 | s->nr, s->name ^ s->encoding);
	return h;
}

/** shape__add_child() - Add a member, enumerator or parameter, but for its type. */
static inline void shape__add_child(struct hash *h, uint64_t name, uint64_t value, uint32_t bits)
{
	hash__add(h, name, value + ((uint64_t)bits << 56));
}

/** shape__add_ref() - Add what a reference counts as; zeroes for void. */
static inline void shape__add_ref(struct hash *h, struct hash ref)
{
	hash__add(h, ref.lo, ref.hi);
}

/** shape__unique() - Return: the shape of a type that shall equal no other. */
static inline struct hash shape__unique(uint64_t side, uint32_t id)
{
	struct hash h = hash__new(HASH_K2);

	hash__add(&h, side, id);
	return h;
}

#endif /* ABTF_BTF_BASE_H */
