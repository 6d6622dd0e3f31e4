/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables by which types and strings of a base are found.
 *
 * One block of memory without a pointer in it, so that it can be kept in a file
 * and used where that is mapped (see btf/base_cache.h).  A block may come from
 * such a file and lie: a look-up stays within it, and never gives an id or a
 * string offset that the base does not have.  That what it finds is what was
 * looked for is then for the caller to compare.
 */
#ifndef ABTF_BTF_BASE_INDEX_H
#define ABTF_BTF_BASE_INDEX_H

#include "btf/read.h"
#include "types/hash.h"

/**
 * struct base_slot - of a table by hash, with open addressing
 * @tag:	the half of the hash that does not say the place
 * @id:		lowest id of that hash, 0 is free
 * @next:	the next id of that hash, 0 for none
 */
struct base_slot {
	uint64_t	tag;
	uint32_t	id;
	uint32_t	next;
};

/* What is at the start of a block. */
struct base_header {
	char		magic[8];
	uint32_t	version;
	uint32_t	byte_order;
	uint64_t	size;		/* of the block, in bytes */
	struct hash	check;		/* of all that follows this field */
	struct hash	content;	/* of the BTF that is indexed */
	uint32_t	end_id;		/* one past its last id */
	uint32_t	nr_shapes;	/* slots of each table */
	uint32_t	nr_names;
	uint32_t	nr_strings;
	uint32_t	int_type;
};

/**
 * struct base_index - a block and where its tables are
 * @header:	where it starts
 * @shapes:	by shape: types that can be equal to others
 * @names:	by key (store__key()): named structs, unions, enums and forwards
 * @offsets:	by id: where the type is in the type section
 * @next_shape:	by id: the next id of the same shape, 0 for none
 * @next_name:	by id: the next id of the same key
 * @strings:	by hash_bytes(): string offsets, 0 is free
 */
struct base_index {
	struct base_header	*header;
	struct base_slot	*shapes;
	struct base_slot	*names;
	uint32_t		*offsets;
	uint32_t		*next_shape;
	uint32_t		*next_name;
	uint32_t		*strings;
};

/**
 * base_index__new() - make a block with empty tables
 * @btf:	what will be indexed
 * @nr_shapes:	types that base_index__add_shape() will be called for
 * @nr_names:	and base_index__add_name()
 *
 * Return: 0 or -ENOMEM.
 */
int base_index__new(struct base_index *ix, const struct btf_data *btf, uint32_t nr_shapes,
		    uint32_t nr_names);

/* Ids are added from the highest to the lowest, so that the lowest is found first. */
void base_index__add_shape(struct base_index *ix, uint32_t id, struct hash shape);
void base_index__add_name(struct base_index *ix, uint32_t id, struct hash key);

/** base_index__at() - Find the tables of a block whose header is as it was made. */
void base_index__at(struct base_index *ix, void *block);

/** base_index__size() - Return: the bytes of a block with that header. */
uint64_t base_index__size(const struct base_header *h);

/** struct base_candidates - ids of one hash: @id, 0 for none (any more) */
struct base_candidates {
	uint32_t	id;
	uint32_t	next;
};

struct base_candidates base_index__find_shape(const struct base_index *ix, struct hash shape);
struct base_candidates base_index__find_name(const struct base_index *ix, struct hash key);

/** base_index__prefetch_shape() - Say that a shape will be looked for soon. */
void base_index__prefetch_shape(const struct base_index *ix, struct hash shape);

static inline void base_candidates__next(const struct base_index *ix,
					 struct base_candidates *c, const uint32_t *next)
{
	c->id = c->next < ix->header->end_id ? c->next : 0;
	c->next = next[c->id];
}

/** base_index__find_string() - Return: the offset of a string, 0 if there is none. */
uint32_t base_index__find_string(const struct base_index *ix, const struct btf_data *btf,
				 const char *s, size_t len);

/** hash_block() - Return: a hash of many bytes, fast. */
struct hash hash_block(const void *bytes, size_t size);

#endif /* ABTF_BTF_BASE_INDEX_H */
