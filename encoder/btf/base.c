// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/base.h"
#include "types/store.h"
#include "util/bytes.h"
#include "util/msg.h"

/* What nests deeper than any source is taken for equal to nothing. */
#define MAX_NESTING	1000

enum state { NEW, BUSY, DONE };

struct indexer {
	struct base		*b;
	const struct btf_data	*btf;
	uint8_t			*state;	/* by id */
};

static struct string name_of(const struct btf_data *btf, uint32_t offset)
{
	const char *s = btf_data__string(btf, offset);
	size_t len = strlen(s);

	return (struct string){ .s = s, .hash = hash_bytes(s, len), .len = len };
}

/* The kind that a name is said with, 0 if the type is not known by a name. */
static uint8_t tagged_kind(const struct btf_type *t)
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

static void find_shape(struct indexer *ix, uint32_t id, unsigned int depth);

/* What a reference counts as. */
static struct hash ref_key(struct indexer *ix, uint32_t id, unsigned int depth)
{
	const struct btf_type *t = btf_data__type(ix->btf, id);

	if (!id)
		return (struct hash){};
	if (tagged_kind(t))
		return ix->b->keys[id];
	if (ix->state[id] == NEW)
		find_shape(ix, id, depth + 1);
	/* a cycle without a name */
	if (ix->state[id] != DONE)
		return shape__unique(0, id);
	return ix->b->shapes[id];
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

static struct hash make_shape(struct indexer *ix, uint32_t id, unsigned int depth)
{
	const struct btf_type *t = btf_data__type(ix->btf, id);
	const struct btf_array *array = (const void *)(t + 1);
	struct shape s = { .kind = BTF_INFO_KIND(t->info), .flag = BTF_INFO_KFLAG(t->info) };
	struct hash h;
	uint32_t data;

	if (s.kind == BTF_KIND_FUNC || is_forward(t) || depth > MAX_NESTING)
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
	default: /* VAR, DATASEC, DECL_TAG: never shared, no more than FUNC */
		return shape__unique(0, id);
	}
}

static void find_shape(struct indexer *ix, uint32_t id, unsigned int depth)
{
	ix->state[id] = BUSY;
	ix->b->shapes[id] = make_shape(ix, id, depth);
	ix->state[id] = DONE;
}

/* --- tables ------------------------------------------------------------------ */

static uint32_t *find_slot(uint32_t *slots, uint32_t nr_slots, const struct hash *hashes,
			   struct hash h)
{
	uint32_t mask = nr_slots - 1, i;

	for (i = h.lo & mask; slots[i]; i = (i + 1) & mask)
		if (hash__equal(hashes[slots[i]], h))
			break;
	return &slots[i];
}

uint32_t base__with_shape(const struct base *b, struct hash shape)
{
	return *find_slot(b->shape_slots, b->nr_slots, b->shapes, shape);
}

uint32_t base__with_key(const struct base *b, struct hash key)
{
	return *find_slot(b->name_slots, b->nr_slots, b->keys, key);
}

static bool is_plain_int(const struct btf_data *btf, const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info) == BTF_KIND_INT && t->size == 4 &&
	       *(const uint32_t *)(t + 1) == (BTF_INT_SIGNED << 24 | 32) &&
	       !strcmp(btf_data__string(btf, t->name_off), "int");
}

/*
 * A module's types can only be found in the base if they are written as there.
 * One array of arrays that is flat there would repeat all that leads to it.
 */
static void find_habits(struct base *b)
{
	uint32_t end = btf_data__end_id(b->btf), id;

	b->flat_arrays = b->plain_enum64 = !b->btf->addressed;
	for (id = 1; id < end; id++) {
		const struct btf_type *t = btf_data__type(b->btf, id);
		const struct btf_array *array = (const void *)(t + 1);
		uint8_t kind = BTF_INFO_KIND(t->info);

		if (kind == BTF_KIND_ENUM64 && BTF_INFO_KFLAG(t->info))
			b->plain_enum64 = false;
		if (kind != BTF_KIND_ARRAY)
			continue;
		t = btf_data__type(b->btf, array->type);
		if (BTF_INFO_KIND(t->info) == BTF_KIND_ARRAY)
			b->flat_arrays = false;
	}
}

static int index_types(struct base *b)
{
	struct indexer ix = { .b = b, .btf = b->btf };
	uint32_t end = btf_data__end_id(b->btf), id;

	for (b->nr_slots = 1024; b->nr_slots / 2 < end; b->nr_slots *= 2)
		;
	ix.state = calloc(end, sizeof(*ix.state));
	b->shapes = calloc(end, sizeof(*b->shapes));
	b->keys = calloc(end, sizeof(*b->keys));
	b->next_shape = calloc(end, sizeof(*b->next_shape));
	b->next_name = calloc(end, sizeof(*b->next_name));
	b->shape_slots = calloc(b->nr_slots, sizeof(*b->shape_slots));
	b->name_slots = calloc(b->nr_slots, sizeof(*b->name_slots));
	if (!ix.state || !b->shapes || !b->keys || !b->next_shape || !b->next_name ||
	    !b->shape_slots || !b->name_slots) {
		free(ix.state);
		return -ENOMEM;
	}
	for (id = 1; id < end; id++) {
		const struct btf_type *t = btf_data__type(b->btf, id);
		struct string name;

		if (!tagged_kind(t))
			continue;
		name = name_of(b->btf, t->name_off);
		b->keys[id] = store__key(tagged_kind(t), &name);
	}
	/* from the back, so that the lowest id comes first in each chain */
	for (id = end; id-- > 1; ) {
		const struct btf_type *t = btf_data__type(b->btf, id);
		uint32_t *slot;

		if (ix.state[id] == NEW)
			find_shape(&ix, id, 0);
		slot = find_slot(b->shape_slots, b->nr_slots, b->shapes, b->shapes[id]);
		b->next_shape[id] = *slot;
		*slot = id;
		if (is_plain_int(b->btf, t))
			b->int_type = id;
		if (!tagged_kind(t))
			continue;
		slot = find_slot(b->name_slots, b->nr_slots, b->keys, b->keys[id]);
		b->next_name[id] = *slot;
		*slot = id;
	}
	free(ix.state);
	return 0;
}

/*
 * Strings that share a place in the table are neighbours.  Only a base that was
 * made for it has so many of them, and what is not found is merely repeated.
 */
#define MAX_PROBES	256

/* The slot of a string, or the free one where it would go; NULL if that is too far. */
static uint32_t *string_slot(const struct base *b, const char *s, size_t len)
{
	uint32_t mask = b->nr_string_slots - 1, i = hash_bytes(s, len) & mask, n;

	for (n = 0; n < MAX_PROBES; n++, i = (i + 1) & mask) {
		const char *other = b->btf->strs + b->string_slots[i];

		if (!b->string_slots[i] || (!strncmp(other, s, len) && !other[len]))
			return &b->string_slots[i];
	}
	return NULL;
}

uint32_t base__string(const struct base *b, const char *s, size_t len)
{
	const uint32_t *slot = len ? string_slot(b, s, len) : NULL;

	return slot ? *slot : 0;
}

static int index_strings(struct base *b)
{
	const struct btf_data *btf = b->btf;
	uint32_t nr = 0;
	size_t i, len;

	for (i = 0; i < btf->strs_len; i++)
		nr += !btf->strs[i];
	for (b->nr_string_slots = 1024; b->nr_string_slots / 2 < nr; b->nr_string_slots *= 2)
		;
	b->string_slots = calloc(b->nr_string_slots, sizeof(*b->string_slots));
	if (!b->string_slots)
		return -ENOMEM;
	for (i = 0; i < btf->strs_len; i += len + 1) {
		len = strlen(btf->strs + i);
		if (len) {
			uint32_t *slot = string_slot(b, btf->strs + i, len);

			if (slot && !*slot)
				*slot = i;
		}
	}
	return 0;
}

int base__open(const char *path, struct base **ret)
{
	struct base *b = calloc(1, sizeof(*b));
	int err = b ? 0 : -ENOMEM;

	*ret = NULL;
	if (!err) {
		err = btf_data__open(path, NULL, &b->btf);
		if (err) {
			free(b);
			return err;
		}
	}
	err = err ?: index_types(b);
	err = err ?: index_strings(b);
	if (!err)
		find_habits(b);
	if (err) {
		msg_error("%s: no memory to index its BTF", path);
		base__free(b);
	} else {
		*ret = b;
	}
	return err;
}

void base__free(struct base *b)
{
	if (!b)
		return;
	btf_data__free(b->btf);
	free(b->shapes);
	free(b->keys);
	free(b->shape_slots);
	free(b->name_slots);
	free(b->next_shape);
	free(b->next_name);
	free(b->string_slots);
	free(b);
}
