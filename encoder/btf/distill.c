// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/distill.h"
#include "btf/parts.h"
#include "btf/split.h"
#include "util/grow.h"
#include "util/memory.h"
#include "util/msg.h"

/* Where a type goes that split BTF needs from the base. */
enum base_fate {
	TO_BASE,	/* unmodified, into the distilled base */
	TO_BASE_EMPTY,	/* kind, name and size, without members or enumerators */
	TO_SPLIT,	/* unmodified, into the split types */
};

/**
 * struct side - the types of the distilled base, or the split ones, @nr bytes
 * @first_id:	of its first type
 */
struct side {
	VECTOR(uint8_t);
	uint32_t	first_id, nr_types;
};

/**
 * struct distiller - the work of one distill__base()
 * @old:	the split BTF before the change
 * @first_func:	first id in it that is not a C type
 * @added:	types of the base that now precede the split types
 * @needed:	by id of the base: something refers to it
 * @work:	ids of the base whose references must be followed
 * @id:		by id of the base, if @needed: its new id
 * @on_base:	the types of the distilled base
 * @on_split:	the new split types
 * @to:		the one of the two that is being filled
 * @strings:	the base's, then those that only the split types have: offsets of
 *		the latter go on from the former
 */
struct distiller {
	const struct btf_data	*base;
	struct btf_data		*old;
	uint32_t		first_func;
	uint32_t		added;
	bool			*needed;
	uint32_t		*work;
	uint32_t		nr_work;
	uint32_t		*id;
	struct side		on_base, on_split;
	struct side		*to;
	struct split		strings;
};

static enum base_fate fate_of(const struct btf_type *t)
{
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_FWD:
		return TO_BASE;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return t->name_off ? TO_BASE_EMPTY : TO_SPLIT;
	default:
		return TO_SPLIT;
	}
}

/* --- what is needed ------------------------------------------------------------ */

static void need_type(struct distiller *d, uint32_t id)
{
	if (!id || id >= d->old->first_id || d->needed[id])
		return;
	d->needed[id] = true;
	d->work[d->nr_work++] = id;
}

static void need_references(struct distiller *d, const struct btf_type *t)
{
	const uint32_t *id;

	for_each_id(id, t)
		need_type(d, *id);
}

/*
 * Everything that is copied brings what it refers to, except that a struct or
 * union of the base with a name is written without its members.
 */
static int find_needed(struct distiller *d, uint32_t fallback)
{
	for (uint32_t i = 0; i < d->old->nr_types; i++)
		need_references(d, d->old->index[i]);
	/* the kernel rejects a .BTF.base without types (btf_parse_type_sec()) */
	if (!d->nr_work && fallback)
		need_type(d, fallback);
	while (d->nr_work) {
		uint32_t id = d->work[--d->nr_work];
		const struct btf_type *t = btf_data__type(d->base, id);

		if (!btf_kind__is_type(BTF_INFO_KIND(t->info)))
			return msg_fail(-EINVAL, "type %u of the base is a %s, which a distilled base cannot have",
					id, btf_kind__name(BTF_INFO_KIND(t->info)));
		if (fate_of(t) == TO_SPLIT)
			need_references(d, t);
	}
	return 0;
}

/* --- copying --------------------------------------------------------------------- */

static int copy_type(struct distiller *d, const struct btf_type *t, bool empty)
{
	uint32_t size = empty ? sizeof(*t) : (uint32_t)btf_data__type_size(t), *name;
	struct side *to = d->to;
	struct btf_type *copy;
	int64_t offset;

	if (grow(&to->array, &to->cap, (uint64_t)to->nr + size, 1))
		return -ENOMEM;
	copy = memcpy(to->array + to->nr, t, size);
	if (empty)
		copy->info = kind__of_name(BTF_INFO_KIND(t->info)) << 24;
	for_each_name(name, copy) {
		offset = split__string(&d->strings, btf_data__string(d->old, *name));
		if (offset < 0)
			return offset;
		*name = offset;
	}
	to->nr += size;
	to->nr_types++;
	return 0;
}

/* The needed types of the base that go to the one side or the other, by their ids. */
static int copy_needed(struct distiller *d, bool to_split)
{
	int err = 0;

	for (uint32_t id = 1; !err && id < d->old->first_id; id++) {
		const struct btf_type *t = btf_data__type(d->base, id);

		if (!d->needed[id] || (fate_of(t) == TO_SPLIT) != to_split)
			continue;
		d->id[id] = d->to->first_id + d->to->nr_types;
		err = copy_type(d, t, fate_of(t) == TO_BASE_EMPTY);
	}
	return err;
}

static uint32_t new_id(const struct distiller *d, uint32_t id)
{
	if (id < d->old->first_id)
		return id ? d->id[id] : 0;
	return id + d->on_split.first_id - d->old->first_id + (id >= d->first_func ? d->added : 0);
}

static void move_ids(struct distiller *d, struct side *side)
{
	uint32_t at = 0, *id;

	while (at < side->nr) {
		struct btf_type *t = (void *)(side->array + at);

		for_each_id(id, t)
			*id = new_id(d, *id);
		at += btf_data__type_size(t);
	}
}

static int copy_split(struct distiller *d, uint32_t from, uint32_t to)
{
	int err = 0;

	for (uint32_t id = from; !err && id < to; id++)
		err = copy_type(d, btf_data__type(d->old, id), false);
	return err;
}

/*
 * libbpf adds the base's types at the end; in ours, all types come before the
 * FUNCs.  @shift: by how many bytes those move.
 */
static int split_types(struct distiller *d, uint32_t fallback, uint32_t *base_strings,
		       uint32_t *shift)
{
	const struct btf_data *old = d->old;
	struct side *split = &d->on_split;
	int err;

	err = find_needed(d, fallback);
	d->to = &d->on_base;
	d->to->first_id = 1;
	err = err ?: copy_needed(d, false);
	*base_strings = d->strings.text.nr;
	d->to = split;
	split->first_id = d->on_base.first_id + d->on_base.nr_types;
	err = err ?: copy_split(d, old->first_id, d->first_func);
	d->added = split->nr_types;
	*shift = split->nr;
	err = err ?: copy_needed(d, true);
	d->added = split->nr_types - d->added;
	*shift = split->nr - *shift;
	err = err ?: copy_split(d, d->first_func, btf_data__end_id(old));
	if (!err)
		move_ids(d, split);
	return err;
}

/* Write the new split BTF: the split types, then the strings that the base does not have. */
static int write_split(const struct distiller *d, uint32_t base_strings, bool big_endian,
		       struct btf_bytes *btf)
{
	struct btf_parts parts = {
		.types = d->on_split.array, .types_len = d->on_split.nr,
		.strs = d->strings.text.array + base_strings,
		.strs_len = d->strings.text.nr - base_strings,
	};
	void *bytes;
	size_t size;
	int err;

	err = btf_parts__join(&parts, big_endian, &bytes, &size);
	if (err)
		return err;
	free(btf->bytes);
	btf->bytes = bytes;
	btf->size = size;
	btf->nr_types += d->added;
	btf->first_func = d->on_split.first_id + btf->nr_types;
	return 0;
}

static void distiller__destroy(struct distiller *d)
{
	free(d->needed);
	free(d->work);
	free(d->id);
	free(d->on_base.array);
	free(d->on_split.array);
	split__destroy(&d->strings);
	btf_data__free(d->old);
}

int distill__base(const struct base *base, struct btf_bytes *btf, uint32_t nr_funcs,
		  bool big_endian, void **bytes, size_t *size)
{
	uint32_t nr = btf_data__end_id(base->btf), base_strings = 0, shift = 0;
	struct distiller d __cleanup(distiller__destroy) = { .base = base->btf };
	int err;

	*bytes = NULL;
	err = btf_data__parse(btf->bytes, btf->size, "split BTF", base->btf, &d.old);
	if (err)
		return err;
	d.first_func = btf->first_func;
	d.needed = xcalloc(nr, sizeof(*d.needed));
	d.work = xcalloc(nr, sizeof(*d.work));
	d.id = xcalloc(nr, sizeof(*d.id));
	err = d.needed && d.work && d.id ? split__init(&d.strings, NULL, 0) : -ENOMEM;
	err = err ?: split_types(&d, base->int_type, &base_strings, &shift);
	err = err ?: btf_parts__join(&(struct btf_parts){
			.types = d.on_base.array, .types_len = d.on_base.nr,
			.strs = d.strings.text.array, .strs_len = base_strings },
			big_endian, bytes, size);
	err = err ?: write_split(&d, base_strings, big_endian, btf);
	for (uint32_t i = 0; !err && i < nr_funcs; i++)
		if (btf->record_at[i])
			btf->record_at[i] += shift;
	if (err) {
		free(*bytes);
		*bytes = NULL;
	}
	return err;
}
