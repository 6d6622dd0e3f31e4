// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/base.h"
#include "btf/base_cache.h"
#include "types/store.h"
#include "util/msg.h"

/* What nests deeper than any source is taken for equal to nothing. */
#define MAX_NESTING	1000

enum state { NEW, BUSY, DONE };

/**
 * struct indexer - what is known of the base's types while it is indexed
 * @state:	by id
 * @shapes:	by id; a type that no other can be equal to has one of its own
 * @keys:	by id: of a named struct, union, enum or forward
 */
struct indexer {
	const struct btf_data	*btf;
	uint8_t			*state;
	struct hash		*shapes;
	struct hash		*keys;
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

/* By what name a type is known; only for those that have a tagged_kind(). */
static struct hash key_of(const struct btf_data *btf, const struct btf_type *t)
{
	struct string name = name_of(btf, t->name_off);

	return store__key(tagged_kind(t), &name);
}

bool base__has_key(const struct base *b, uint32_t id, struct hash key)
{
	const struct btf_type *t = btf_data__type(b->btf, id);

	return tagged_kind(t) && hash__equal(key_of(b->btf, t), key);
}

static void find_shape(struct indexer *ix, uint32_t id, unsigned int depth);

/* What a reference counts as. */
static struct hash ref_key(struct indexer *ix, uint32_t id, unsigned int depth)
{
	const struct btf_type *t = btf_data__type(ix->btf, id);

	if (!id)
		return (struct hash){};
	if (tagged_kind(t))
		return ix->keys[id];
	if (ix->state[id] == NEW)
		find_shape(ix, id, depth + 1);
	/* a cycle without a name */
	if (ix->state[id] != DONE)
		return shape__unique(0, id);
	return ix->shapes[id];
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
	ix->shapes[id] = make_shape(ix, id, depth);
	ix->state[id] = DONE;
}

/* --- the index ------------------------------------------------------------------ */

static bool is_plain_int(const struct btf_data *btf, const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info) == BTF_KIND_INT && t->size == 4 &&
	       *(const uint32_t *)(t + 1) == (BTF_INT_SIGNED << 24 | 32) &&
	       !strcmp(btf_data__string(btf, t->name_off), "int");
}

/* Find keys and shapes.  Return: how many types have a shape that others can have. */
static uint32_t find_shapes(struct indexer *ix, uint32_t *nr_names)
{
	uint32_t end = btf_data__end_id(ix->btf), id, nr = 0;

	*nr_names = 0;
	for (id = 1; id < end; id++) {
		const struct btf_type *t = btf_data__type(ix->btf, id);

		if (!tagged_kind(t))
			continue;
		ix->keys[id] = key_of(ix->btf, t);
		(*nr_names)++;
	}
	for (id = 1; id < end; id++) {
		if (ix->state[id] == NEW)
			find_shape(ix, id, 0);
		nr += !hash__equal(ix->shapes[id], shape__unique(0, id));
	}
	return nr;
}

/* So far ahead the place of a shape is said to be needed. */
#define AHEAD	16U

static int make_index(const struct btf_data *btf, struct base_index *ret)
{
	uint32_t end = btf_data__end_id(btf), nr_shapes, nr_names, id;
	struct indexer ix = {
		.btf = btf, .state = calloc(end, sizeof(*ix.state)),
		.shapes = calloc(end, sizeof(*ix.shapes)), .keys = calloc(end, sizeof(*ix.keys)),
	};
	int err = -ENOMEM;

	if (ix.state && ix.shapes && ix.keys) {
		nr_shapes = find_shapes(&ix, &nr_names);
		err = base_index__new(ret, btf, nr_shapes, nr_names);
	}
	for (id = end; !err && id-- > 1; ) {
		const struct btf_type *t = btf_data__type(btf, id);

		if (id > AHEAD)
			base_index__prefetch_shape(ret, ix.shapes[id - AHEAD]);
		if (!hash__equal(ix.shapes[id], shape__unique(0, id)))
			base_index__add_shape(ret, id, ix.shapes[id]);
		if (tagged_kind(t))
			base_index__add_name(ret, id, ix.keys[id]);
		if (is_plain_int(btf, t))
			ret->header->int_type = id;
	}
	free(ix.state);
	free(ix.shapes);
	free(ix.keys);
	return err;
}

/* What the file says where it stands is not believed of an index that may lie. */
static int take_index(struct base *b)
{
	const struct base_header *h = b->index.header;
	const struct btf_type *t = btf_data__type(b->btf, h->int_type);

	b->int_type = h->int_type;
	return !h->int_type || (t && btf_data__holds(b->btf, t) && is_plain_int(b->btf, t)) ?
	       0 : -EINVAL;
}

static int read_and_index(struct base *b, const char *cache)
{
	int err = btf_data__parse(b->file.bytes, b->file.size, b->file.path, NULL, &b->btf);

	if (err)
		return err;
	err = make_index(b->btf, &b->index);
	if (err) {
		msg_error("%s: no memory to index its BTF", b->file.path);
		return err;
	}
	if (cache)
		base_cache__write(cache, &b->file, &b->index);
	/* the parsed object is a copy */
	btf_file__close(&b->file);
	return 0;
}

int base__open(const char *path, const char *cache, struct base **ret)
{
	struct base *b = calloc(1, sizeof(*b));
	int err;

	*ret = NULL;
	if (!b) {
		msg_error("%s: no memory to index its BTF", path);
		return -ENOMEM;
	}
	err = btf_file__open(&b->file, path);
	if (!err && btf_file__has_base(&b->file)) {
		msg_error("%s: is split BTF itself, which cannot be a base", path);
		err = -EINVAL;
	}
	if (!err && cache && !base_cache__read(cache, &b->file, &b->btf, &b->index)) {
		b->cached = true;
		if (take_index(b)) {
			btf_data__free(b->btf);
			base_cache__close(&b->index);
			b->cached = false;
		}
	}
	if (!err && !b->cached)
		err = read_and_index(b, cache) ?: take_index(b);
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
	if (b->cached)
		base_cache__close(&b->index);
	else
		free(b->index.header);
	btf_file__close(&b->file);
	free(b);
}
