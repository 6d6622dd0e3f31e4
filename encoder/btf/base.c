// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/base.h"
#include "btf/decode.h"
#include "types/shape.h"
#include "util/memory.h"
#include "util/msg.h"

/**
 * struct indexer - state while the base's types are indexed
 * @keys:	by id; zeroes if the type has no key, or none yet
 */
struct indexer {
	const struct btf_data	*btf;
	struct hash		*keys;
};

uint8_t base__tagged_kind(const struct btf_type *t)
{
	uint8_t kind = BTF_INFO_KIND(t->info);

	if (!t->name_off)
		return 0;
	if (kind == BTF_KIND_FWD)
		return BTF_INFO_KFLAG(t->info) ? BTF_KIND_UNION : BTF_KIND_STRUCT;
	return kind__is_tagged(kind) ? kind : 0;
}

static bool is_forward(const struct btf_type *t)
{
	uint8_t kind = BTF_INFO_KIND(t->info);

	return kind == BTF_KIND_FWD || (kind == BTF_KIND_ENUM && !BTF_INFO_VLEN(t->info));
}

bool base__is_forward(const struct base *b, uint32_t id)
{
	return is_forward(btf_data__type(b->btf, id));
}

/* --- keys ------------------------------------------------------------------------ */

static const struct node *decode_node(const void *arg, uint32_t id, struct node *buf)
{
	/* a store has no INT with padding */
	return btf_type__decode(btf_data__type(((const struct indexer *)arg)->btf, id), buf) ?
	       buf : NULL;
}

static struct child child_of(const void *arg, const struct node *n, uint32_t id, uint32_t k)
{
	return btf_type__child(btf_data__type(((const struct indexer *)arg)->btf, id), k);
}

static uint64_t name_hash(const void *arg, uint32_t name)
{
	const char *s = name ? btf_data__string(((const struct indexer *)arg)->btf, name) : "";

	return hash_bytes(s, strlen(s));
}

static struct hash find_key(const void *arg, uint32_t id, unsigned int depth);

static const struct shape_ops ops = { 0, decode_node, child_of, name_hash, find_key };

static struct hash find_key(const void *arg, uint32_t id, unsigned int depth)
{
	return shape__key(((const struct indexer *)arg)->keys, id, depth, &ops, arg);
}

/* --- the index ------------------------------------------------------------------ */

/* Else no other is the same, and nothing that has a key refers to it. */
static bool has_key(const struct btf_type *t)
{
	return btf_kind__is_type(BTF_INFO_KIND(t->info));
}

static bool is_plain_int(const struct btf_data *btf, const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info) == BTF_KIND_INT && t->size == 4 &&
	       *(const uint32_t *)(t + 1) == (BTF_INT_SIGNED << 24 | 32) &&
	       !strcmp(btf_data__string(btf, t->name_off), "int");
}

/* What a string takes at least, on average; in Debian's 6.12 it is 18. */
#define BYTES_PER_STRING 16

/* So far ahead a place is said to be needed, as the tables are bigger than caches. */
#define AHEAD	16U

/*
 * What is added last is found last.  A number too many of one hash, which only a base
 * made for that has, is not found.
 */
static int add_number(struct hash_table *t, uint32_t hash, uint32_t id)
{
	struct hash_slot *slot;

	table__for_each(slot, t, hash)
		;
	return slot ? table__add(t, slot, hash, id) : 0;
}

static int index_types(struct base *b)
{
	uint32_t end = btf_data__end_id(b->btf), nr = 0, id;
	struct hash *keys __cleanup(free_pointer) = NULL;
	struct indexer ix = { .btf = b->btf };
	const struct btf_type *t;
	int err;

	/* FUNCs come last, and are as many as the types */
	while (end > 1 && !has_key(btf_data__type(b->btf, end - 1)))
		end--;
	ix.keys = keys = xcalloc(end, sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	for (id = 1; id < end; id++) {
		t = btf_data__type(b->btf, id);
		if (!has_key(t))
			continue;
		find_key(&ix, id, 0);
		nr++;
		if (!b->int_type && is_plain_int(b->btf, t))
			b->int_type = id;
	}
	err = table__expect(&b->types, nr);
	for (id = 1; !err && id < end; id++) {
		if (id + AHEAD < end)
			table__prefetch(&b->types, keys[id + AHEAD].lo);
		if (keys[id].lo || keys[id].hi)
			err = add_number(&b->types, keys[id].lo, id);
	}
	return err;
}

static int index_strings(struct base *b)
{
	const char *s = b->btf->strs, *end = s + b->btf->strs_len;
	struct { uint32_t offset, hash; } waiting[AHEAD], *w;
	uint32_t nr = 0, i;
	size_t len;
	int err;

	err = table__expect(&b->strings, b->btf->strs_len / BYTES_PER_STRING);
	for (; !err && s < end; s += len + 1) {
		len = strlen(s);
		if (!len)
			continue;
		w = &waiting[nr % AHEAD];
		if (nr++ >= AHEAD)
			err = add_number(&b->strings, w->hash, w->offset);
		w->offset = s - b->btf->strs;
		w->hash = hash_bytes(s, len);
		table__prefetch(&b->strings, w->hash);
	}
	for (i = nr > AHEAD ? nr - AHEAD : 0; !err && i < nr; i++)
		err = add_number(&b->strings, waiting[i % AHEAD].hash, waiting[i % AHEAD].offset);
	return err;
}

uint32_t base__string(const struct base *b, const char *s, size_t len, uint32_t hash)
{
	const struct hash_slot *slot;

	if (!len)
		return 0;
	table__for_each(slot, &b->strings, hash) {
		const char *other = b->btf->strs + slot->id;

		if (!strncmp(other, s, len) && !other[len])
			return slot->id;
	}
	return 0;
}

static int read_and_index(struct base *b)
{
	int err;

	if (btf_file__has_base(&b->file))
		return msg_fail(-EINVAL, "%s: is split BTF, which cannot be a base",
				b->file.path);
	err = btf_data__parse_in_place(b->file.bytes, b->file.size, b->file.path, NULL, &b->btf);
	if (err)
		return err;
	err = index_types(b) ?: index_strings(b);
	if (err)
		msg_error("%s: no memory to index its BTF", b->file.path);
	return err;
}

int base__open(const char *path, struct base **ret)
{
	struct base *b = xcalloc(1, sizeof(*b));
	int err;

	*ret = NULL;
	if (!b)
		return msg_fail(-ENOMEM, "%s: no memory to index its BTF", path);
	err = btf_file__open(&b->file, path) ?: read_and_index(b);
	if (err)
		base__free(b);
	else
		*ret = b;
	return err;
}

void base__free(struct base *b)
{
	if (!b)
		return;
	btf_data__free(b->btf);
	table__destroy(&b->types);
	table__destroy(&b->strings);
	btf_file__close(&b->file);
	free(b);
}
