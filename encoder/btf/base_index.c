// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/base_index.h"

/*
 * The tables are not util/table.h's: a block has no pointers, never grows, and may lie.
 *
 * What shares a place in a table are neighbours.  Only a base that was made for
 * it has so many of them, and what is not found is merely repeated.
 */
#define MAX_PROBES	256

static uint32_t slots_for(uint32_t nr)
{
	uint32_t slots = 1024;

	while (slots / 2 < nr)
		slots *= 2;
	return slots;
}

uint64_t base_index__size(const struct base_header *h)
{
	return sizeof(*h) + ((uint64_t)h->nr_shapes + h->nr_names) * sizeof(struct base_slot) +
	       (3ULL * h->end_id + h->nr_strings) * sizeof(uint32_t);
}

void base_index__at(struct base_index *ix, void *block)
{
	struct base_header *h = block;

	ix->header = h;
	ix->shapes = (struct base_slot *)(h + 1);
	ix->names = ix->shapes + h->nr_shapes;
	ix->offsets = (uint32_t *)(ix->names + h->nr_names);
	ix->next_shape = ix->offsets + h->end_id;
	ix->next_name = ix->next_shape + h->end_id;
	ix->strings = ix->next_name + h->end_id;
}

/* --- building -------------------------------------------------------------------- */

static uint32_t *find_string(const struct base_index *ix, const struct btf_data *btf,
			     const char *s, size_t len)
{
	uint32_t mask = ix->header->nr_strings - 1, i = hash_bytes(s, len) & mask, n;

	for (n = 0; n < MAX_PROBES; n++, i = (i + 1) & mask) {
		uint32_t offset = ix->strings[i];
		const char *other = btf_data__string(btf, offset);

		if (!offset || (!strncmp(other, s, len) && !other[len]))
			return &ix->strings[i];
	}
	return NULL;
}

static void index_strings(struct base_index *ix, const struct btf_data *btf)
{
	size_t i, len;

	for (i = 0; i < btf->strs_len; i += len + 1) {
		uint32_t *slot;

		len = strlen(btf->strs + i);
		slot = len ? find_string(ix, btf, btf->strs + i, len) : NULL;
		if (slot && !*slot)
			*slot = i;
	}
}

static uint32_t count_strings(const struct btf_data *btf)
{
	uint32_t nr = 0;
	size_t i;

	for (i = 0; i < btf->strs_len; i += strlen(btf->strs + i) + 1)
		nr++;
	return nr;
}

int base_index__new(struct base_index *ix, const struct btf_data *btf, uint32_t nr_shapes,
		    uint32_t nr_names)
{
	struct base_header h = {
		.end_id = btf_data__end_id(btf), .nr_shapes = slots_for(nr_shapes),
		.nr_names = slots_for(nr_names), .nr_strings = slots_for(count_strings(btf)),
	};
	struct base_header *block;
	uint32_t id;

	h.size = base_index__size(&h);
	block = calloc(1, h.size);
	if (!block)
		return -ENOMEM;
	*block = h;
	base_index__at(ix, block);
	for (id = 1; id < h.end_id; id++)
		ix->offsets[id] = (const uint8_t *)btf_data__type(btf, id) - btf->types;
	index_strings(ix, btf);
	return 0;
}

/* The slot of a hash, or the free one where it would go; NULL if that is too far. */
static struct base_slot *find_base_slot(struct base_slot *slots, uint32_t nr, struct hash h)
{
	uint32_t mask = nr - 1, i = h.lo & mask, n;

	for (n = 0; n < MAX_PROBES; n++, i = (i + 1) & mask)
		if (!slots[i].id || slots[i].tag == h.hi)
			return &slots[i];
	return NULL;
}

static void add_slot(struct base_slot *slots, uint32_t nr, uint32_t *next, uint32_t id,
		     struct hash h)
{
	struct base_slot *slot = find_base_slot(slots, nr, h);

	if (!slot)
		return;
	next[id] = slot->id;
	*slot = (struct base_slot){ .tag = h.hi, .id = id, .next = slot->id };
}

void base_index__add_shape(struct base_index *ix, uint32_t id, struct hash shape)
{
	add_slot(ix->shapes, ix->header->nr_shapes, ix->next_shape, id, shape);
}

void base_index__add_name(struct base_index *ix, uint32_t id, struct hash key)
{
	add_slot(ix->names, ix->header->nr_names, ix->next_name, id, key);
}

/* --- looking up ------------------------------------------------------------------ */

static struct base_candidates find_candidates(const struct base_index *ix, struct base_slot *slots,
					      uint32_t nr, struct hash h)
{
	const struct base_slot *slot = find_base_slot(slots, nr, h);

	if (!slot || slot->id >= ix->header->end_id)
		return (struct base_candidates){};
	return (struct base_candidates){ .id = slot->id, .next = slot->next };
}

struct base_candidates base_index__find_shape(const struct base_index *ix, struct hash shape)
{
	return find_candidates(ix, ix->shapes, ix->header->nr_shapes, shape);
}

struct base_candidates base_index__find_name(const struct base_index *ix, struct hash key)
{
	return find_candidates(ix, ix->names, ix->header->nr_names, key);
}

void base_index__prefetch_shape(const struct base_index *ix, struct hash shape)
{
	__builtin_prefetch(&ix->shapes[shape.lo & (ix->header->nr_shapes - 1)]);
}

uint32_t base_index__find_string(const struct base_index *ix, const struct btf_data *btf,
				 const char *s, size_t len)
{
	const uint32_t *slot = len ? find_string(ix, btf, s, len) : NULL;

	return slot && *slot < btf->strs_len ? *slot : 0;
}

/* --- many bytes -------------------------------------------------------------------- */

#define LANES	4

/* Lanes that do not wait for each other; each takes two words at a time. */
static void mix_block(uint64_t *lanes, const uint8_t *p)
{
	uint64_t words[2 * LANES];
	int i;

	memcpy(words, p, sizeof(words));
	/* the sum keeps the old state alive should a product be zero */
	for (i = 0; i < LANES; i++)
		lanes[i] = hash_fold(lanes[i] ^ words[2 * i], HASH_K1 ^ words[2 * i + 1]) +
			   (lanes[i] << 1 | lanes[i] >> 63);
}

struct hash hash_block(const void *bytes, size_t size)
{
	uint64_t lanes[LANES] = { HASH_K0, HASH_K1, HASH_K2, HASH_K3 };
	const size_t step = 2 * LANES * sizeof(uint64_t);
	uint8_t rest[2 * LANES * sizeof(uint64_t)] = {};
	struct hash h = hash__new(size);
	const uint8_t *p = bytes;
	int i;

	for (; size >= step; size -= step, p += step)
		mix_block(lanes, p);
	if (size)
		memcpy(rest, p, size);
	mix_block(lanes, rest);
	for (i = 0; i < LANES; i += 2)
		hash__add(&h, lanes[i], lanes[i + 1]);
	return h;
}
