// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/base.h"
#include "types/shape.h"
#include "util/memory.h"
#include "util/msg.h"

bool base__is_forward(const struct base *b, uint32_t id)
{
	const struct btf_type *t = btf_data__type(b->btf, id);
	uint8_t kind = BTF_INFO_KIND(t->info);

	return kind == BTF_KIND_FWD || (kind == BTF_KIND_ENUM && !BTF_INFO_VLEN(t->info));
}

/* --- keys ------------------------------------------------------------------------ */

static const struct node *decode_node(const void *base, uint32_t id, struct node *buf)
{
	/* a store has no INT with padding */
	return btf_type__decode(btf_data__type(((const struct base *)base)->btf, id), buf) ?
	       buf : NULL;
}

static struct child child_of(const void *base, const struct node *n, uint32_t id, uint32_t k)
{
	return btf_type__child(btf_data__type(((const struct base *)base)->btf, id), k);
}

static uint64_t name_hash(const void *base, uint32_t name)
{
	const char *s = name ? btf_data__string(((const struct base *)base)->btf, name) : "";

	return hash_bytes(s, strlen(s));
}

static struct hash find_key(const void *base, uint32_t id, unsigned int depth);

static const struct shape_ops ops = { 0, decode_node, child_of, name_hash, find_key };

static struct hash find_key(const void *base, uint32_t id, unsigned int depth)
{
	return shape__key(((const struct base *)base)->keys, id, depth, &ops, base);
}

static struct hash find_shape(const struct base *b, uint32_t id)
{
	struct node buf;

	return shape__of_any(decode_node(b, id, &buf), b->keys, id, &ops, b);
}

struct hash base__shape(const struct base *b, uint32_t id)
{
	struct hash *known = b->shapes ? &b->shapes[id] : NULL, shape;

	if (!known)
		return find_shape(b, id);
	shape.lo = __atomic_load_n(&known->lo, __ATOMIC_RELAXED);
	shape.hi = __atomic_load_n(&known->hi, __ATOMIC_RELAXED);
	if (shape.lo && shape.hi)
		return shape;
	/* threads that find it at the same time store the same */
	shape = find_shape(b, id);
	__atomic_store_n(&known->lo, shape.lo, __ATOMIC_RELAXED);
	__atomic_store_n(&known->hi, shape.hi, __ATOMIC_RELAXED);
	return shape;
}

void base__keep_shapes(struct base *b)
{
	b->shapes = xcalloc(btf_data__end_id(b->btf), sizeof(*b->shapes));
}

/* --- the index ------------------------------------------------------------------ */

/* Otherwise, no other type is equal to it, and no type with a key refers to it. */
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

/* Minimum of the average length of strings; in Debian's 6.12, it is 18. */
#define BYTES_PER_STRING 16

/* Prefetch distance: the tables are larger than caches. */
#define AHEAD	16U

/*
 * Numbers added last are found last.  If too many numbers share a hash, which only
 * malformed bases have, some are not found.
 */
static void add_number(struct hash_table *t, uint32_t hash, uint32_t id)
{
	struct hash_slot *slot;

	table__for_each(slot, t, hash)
		;
	if (slot)
		table__add(t, slot, hash, id);
}

static void index_types(struct base *b)
{
	uint32_t end = btf_data__end_id(b->btf), nr = 0, id;
	const struct btf_type *t;

	/* FUNCs come last, and there are as many as types */
	while (end > 1 && !has_key(btf_data__type(b->btf, end - 1)))
		end--;
	b->keys = xcalloc(end, sizeof(*b->keys));
	for (id = 1; id < end; id++) {
		t = btf_data__type(b->btf, id);
		if (!has_key(t))
			continue;
		find_key(b, id, 0);
		nr++;
		if (!b->int_type && is_plain_int(b->btf, t))
			b->int_type = id;
	}
	table__expect(&b->types, nr);
	for (id = 1; id < end; id++) {
		if (id + AHEAD < end)
			table__prefetch(&b->types, b->keys[id + AHEAD].lo);
		if (b->keys[id].lo || b->keys[id].hi)
			add_number(&b->types, b->keys[id].lo, id);
	}
}

static void index_strings(struct base *b)
{
	const char *s = b->btf->strs, *end = s + b->btf->strs_len;
	struct { uint32_t offset, hash; } waiting[AHEAD], *w;
	uint32_t nr = 0, i;
	size_t len;

	table__expect(&b->strings, b->btf->strs_len / BYTES_PER_STRING);
	for (; s < end; s += len + 1) {
		len = strlen(s);
		if (!len)
			continue;
		w = &waiting[nr % AHEAD];
		if (nr++ >= AHEAD)
			add_number(&b->strings, w->hash, w->offset);
		w->offset = s - b->btf->strs;
		w->hash = hash_bytes(s, len);
		table__prefetch(&b->strings, w->hash);
	}
	for (i = nr > AHEAD ? nr - AHEAD : 0; i < nr; i++)
		add_number(&b->strings, waiting[i % AHEAD].hash, waiting[i % AHEAD].offset);
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

int base__open(const char *path, struct base **ret)
{
	struct base *b = xcalloc(1, sizeof(*b));
	int err = btf_data__open(path, NULL, &b->btf);

	if (!err && b->btf->base)
		err = msg_fail(-EINVAL, "%s: is split BTF, which cannot be a base", path);
	*ret = err ? NULL : b;
	if (err) {
		base__free(b);
		return err;
	}
	index_types(b);
	index_strings(b);
	return 0;
}

void base__free(struct base *b)
{
	if (!b)
		return;
	btf_data__free(b->btf);
	free(b->keys);
	free(b->shapes);
	table__destroy(&b->types);
	table__destroy(&b->strings);
	free(b);
}
