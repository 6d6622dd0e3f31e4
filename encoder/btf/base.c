// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/base.h"
#include "types/shape.h"
#include "util/msg.h"

/* What nests deeper than any source is taken for equal to nothing. */
#define MAX_NESTING	1000

/**
 * struct indexer - what is known of the base's types while it is indexed
 * @keys:	by id; zeroes where it is not known yet, or where there is none
 */
struct indexer {
	const struct btf_data	*btf;
	struct hash		*keys;
};

static struct string name_of(const struct btf_data *btf, uint32_t offset)
{
	const char *s = btf_data__string(btf, offset);
	size_t len = strlen(s);

	return (struct string){ .s = s, .hash = hash_bytes(s, len), .len = len };
}

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

static struct hash find_key(struct indexer *ix, uint32_t id, unsigned int depth);

/* What a reference counts as. */
static struct hash ref_key(struct indexer *ix, uint32_t id, unsigned int depth)
{
	return id ? find_key(ix, id, depth + 1) : (struct hash){};
}

static void add_members(struct indexer *ix, struct hash *h, const struct btf_type *t,
			unsigned int depth)
{
	const struct btf_member *m = (const void *)(t + 1), *end = m + BTF_INFO_VLEN(t->info);
	bool bits = BTF_INFO_KFLAG(t->info);

	for (; m < end; m++) {
		shape__add_child(h, name_of(ix->btf, m->name_off).hash,
				 bits ? m->offset & 0xffffff : m->offset,
				 bits ? m->offset >> 24 : 0);
		shape__add_ref(h, ref_key(ix, m->type, depth));
	}
}

static void add_values(struct indexer *ix, struct hash *h, const struct btf_type *t)
{
	const struct btf_enum64 *e64 = (const void *)(t + 1);
	const struct btf_enum *e = (const void *)(t + 1);
	uint32_t i, nr = BTF_INFO_VLEN(t->info);

	for (i = 0; i < nr; i++) {
		if (BTF_INFO_KIND(t->info) == BTF_KIND_ENUM)
			shape__add_child(h, name_of(ix->btf, e[i].name_off).hash,
					 (uint32_t)e[i].val, 0);
		else
			shape__add_child(h, name_of(ix->btf, e64[i].name_off).hash,
					 (uint64_t)e64[i].val_hi32 << 32 | e64[i].val_lo32, 0);
	}
}

static struct hash proto_shape(struct indexer *ix, const struct btf_type *t, struct shape *s,
			       unsigned int depth)
{
	const struct btf_param *p = (const void *)(t + 1);
	uint32_t i;
	struct hash h;

	s->nr = BTF_INFO_VLEN(t->info);
	s->flag = s->nr && !p[s->nr - 1].type && !p[s->nr - 1].name_off;
	s->nr -= s->flag;
	h = shape__begin(s);
	shape__add_ref(&h, ref_key(ix, t->type, depth));
	for (i = 0; i < s->nr; i++) {
		shape__add_child(&h, name_of(ix->btf, p[i].name_off).hash, 0, 0);
		shape__add_ref(&h, ref_key(ix, p[i].type, depth));
	}
	return h;
}

/* Of what no name refers to. */
static struct hash make_shape(struct indexer *ix, uint32_t id, unsigned int depth)
{
	const struct btf_type *t = btf_data__type(ix->btf, id);
	const struct btf_array *array = (const void *)(t + 1);
	struct shape s = { .kind = BTF_INFO_KIND(t->info), .flag = BTF_INFO_KFLAG(t->info) };
	struct hash h;
	uint32_t data;

	if (is_forward(t) || depth > MAX_NESTING)
		return shape__unique(0, id);
	s.name = name_of(ix->btf, t->name_off).hash;
	switch (s.kind) {
	case BTF_KIND_INT:
		data = *(const uint32_t *)(t + 1);
		/* we write no others */
		if (BTF_INT_OFFSET(data) || BTF_INT_BITS(data) != t->size * 8)
			return shape__unique(0, id);
		s.encoding = BTF_INT_ENCODING(data);
		s.size = t->size;
		return shape__begin(&s);
	case BTF_KIND_FLOAT:
		s.size = t->size;
		return shape__begin(&s);
	case BTF_KIND_ARRAY:
		s.size = array->nelems;
		h = shape__begin(&s);
		shape__add_ref(&h, ref_key(ix, array->type, depth));
		return h;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		s.size = t->size;
		s.nr = BTF_INFO_VLEN(t->info);
		h = shape__begin(&s);
		if (s.kind == BTF_KIND_STRUCT || s.kind == BTF_KIND_UNION)
			add_members(ix, &h, t, depth);
		else
			add_values(ix, &h, t);
		return h;
	case BTF_KIND_FUNC_PROTO:
		return proto_shape(ix, t, &s, depth);
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		h = shape__begin(&s);
		shape__add_ref(&h, ref_key(ix, t->type, depth));
		return h;
	default: /* nothing that refers to it is a type */
		return shape__unique(0, id);
	}
}

static struct hash find_key(struct indexer *ix, uint32_t id, unsigned int depth)
{
	const struct btf_type *t = btf_data__type(ix->btf, id);
	uint8_t tagged = base__tagged_kind(t);
	struct hash *key = &ix->keys[id];
	struct string name;

	if (key->lo || key->hi)
		return *key;
	if (tagged) {
		name = name_of(ix->btf, t->name_off);
		*key = store__key(tagged, &name);
	} else {
		/* for who comes back here, in a cycle without a name */
		*key = shape__unique(0, id);
		*key = make_shape(ix, id, depth);
	}
	return *key;
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
	uint32_t steps;

	for (slot = table__find(t, hash, &steps); slot && slot->id;
	     slot = table__next(t, slot, &steps))
		;
	return slot ? table__add(t, slot, hash, id) : 0;
}

static int index_types(struct base *b)
{
	struct indexer ix = { .btf = b->btf };
	uint32_t end = btf_data__end_id(b->btf), nr = 0, id;
	const struct btf_type *t;
	int err = 0;

	/* FUNCs come last, and are as many as the types */
	while (end > 1 && !has_key(btf_data__type(b->btf, end - 1)))
		end--;
	ix.keys = calloc(end, sizeof(*ix.keys));
	if (!ix.keys)
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
			table__prefetch(&b->types, ix.keys[id + AHEAD].lo);
		if (ix.keys[id].lo || ix.keys[id].hi)
			err = add_number(&b->types, ix.keys[id].lo, id);
	}
	free(ix.keys);
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
	const char *other;
	uint32_t steps;

	if (!len)
		return 0;
	for (slot = table__find(&b->strings, hash, &steps); slot && slot->id;
	     slot = table__next(&b->strings, slot, &steps)) {
		other = b->btf->strs + slot->id;
		if (!strncmp(other, s, len) && !other[len])
			return slot->id;
	}
	return 0;
}

static int read_and_index(struct base *b)
{
	int err;

	if (btf_file__has_base(&b->file)) {
		msg_error("%s: is split BTF itself, which cannot be a base", b->file.path);
		return -EINVAL;
	}
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
	struct base *b = calloc(1, sizeof(*b));
	int err;

	*ret = NULL;
	if (!b) {
		msg_error("%s: no memory to index its BTF", path);
		return -ENOMEM;
	}
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
