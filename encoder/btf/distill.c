// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/distill.h"
#include "btf/sections.h"
#include "btf/out_strings.h"
#include "util/memory.h"
#include "util/msg.h"

/* The destination of a type of the base that split BTF needs. */
enum destination {
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
 * @needed:	by id of the base: something refers to it
 * @work:	ids of the base whose references must be followed
 * @id:		by id of either: its new id, 0 for a type of the base that is not needed
 * @on_base:	the types of the distilled base
 * @on_split:	the new split types
 * @strings:	the base's, then those that only the split types have: offsets of
 *		the latter go on from the former
 */
struct distiller {
	const struct btf_data	*base;
	struct btf_data		*old;
	bool			*needed;
	uint32_t		*work;
	uint32_t		nr_work;
	uint32_t		*id;
	struct side		on_base, on_split;
	struct out_strings		strings;
};

static enum destination destination_of(const struct btf_type *t)
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
 * Copied types need the types that they refer to, except that a named struct or union of
 * the base is written without its members.
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
		if (destination_of(t) == TO_SPLIT)
			need_references(d, t);
	}
	return 0;
}

/* --- copying --------------------------------------------------------------------- */

static void copy_type(struct distiller *d, struct side *to, uint32_t id, bool empty)
{
	const struct btf_type *t = btf_data__type(d->old, id);
	uint32_t size = empty ? sizeof(*t) : (uint32_t)btf_data__type_size(t), *name;
	struct btf_type *copy;

	grow(&to->array, &to->cap, (uint64_t)to->nr + size, 1);
	copy = memcpy(to->array + to->nr, t, size);
	if (empty)
		copy->info = kind__of_name(BTF_INFO_KIND(t->info)) << 24;
	for_each_name(name, copy)
		*name = out_strings__add(&d->strings, btf_data__string(d->old, *name));
	to->nr += size;
	d->id[id] = to->first_id + to->nr_types++;
}

/* Copy the needed types of the base to one side, sorted by id. */
static void copy_needed(struct distiller *d, struct side *to)
{
	for (uint32_t id = 1; id < d->old->first_id; id++) {
		enum destination destination = destination_of(btf_data__type(d->base, id));

		if (d->needed[id] && (destination == TO_SPLIT) == (to == &d->on_split))
			copy_type(d, to, id, destination == TO_BASE_EMPTY);
	}
}

static void copy_split(struct distiller *d, uint32_t from, uint32_t to)
{
	for (uint32_t id = from; id < to; id++)
		copy_type(d, &d->on_split, id, false);
}

static void move_ids(struct distiller *d, struct side *side)
{
	uint32_t at = 0, *id;

	while (at < side->nr) {
		struct btf_type *t = (void *)(side->array + at);

		for_each_id(id, t)
			*id = d->id[*id];
		at += btf_data__type_size(t);
	}
}

static void join_side(const struct distiller *d, struct side *side, uint32_t strs_start,
		      uint32_t strs_end, void **bytes, size_t *size)
{
	struct btf_sections sections = {
		.types = side->array, .types_len = side->nr,
		.strs = d->strings.text.array + strs_start, .strs_len = strs_end - strs_start,
	};

	btf_sections__join(&sections, d->old->big_endian, bytes, size);
	side->array = NULL;
}

static void distiller__destroy(struct distiller *d)
{
	free(d->needed);
	free(d->work);
	free(d->id);
	free(d->on_base.array);
	free(d->on_split.array);
	out_strings__destroy(&d->strings);
	btf_data__free(d->old);
}

int distill__base(const struct base *base, struct btf_bytes *btf)
{
	uint32_t nr = btf_data__end_id(base->btf), base_strings, shift;
	struct distiller d __cleanup(distiller__destroy) = { .base = base->btf };
	int err;

	err = btf_data__parse(btf->bytes, btf->size, "split BTF", base->btf, &d.old, NULL);
	if (err)
		return err;
	d.needed = xcalloc(nr, sizeof(*d.needed));
	d.work = xcalloc(nr, sizeof(*d.work));
	d.id = xcalloc(btf_data__end_id(d.old), sizeof(*d.id));
	err = find_needed(&d, base->int_type);
	if (err)
		return err;
	out_strings__init(&d.strings, NULL, 0);
	d.on_base.first_id = 1;
	copy_needed(&d, &d.on_base);
	base_strings = d.strings.text.nr;
	d.on_split.first_id = d.on_base.first_id + d.on_base.nr_types;
	/* libbpf adds the base's types at the end; here, all types precede the FUNCs */
	copy_split(&d, d.old->first_id, btf->first_func);
	shift = d.on_split.nr;
	copy_needed(&d, &d.on_split);
	shift = d.on_split.nr - shift;
	btf->nr_types = d.on_split.nr_types;
	copy_split(&d, btf->first_func, btf_data__end_id(d.old));
	if (d.strings.err)
		return d.strings.err;
	move_ids(&d, &d.on_split);
	btf->first_func = d.on_split.first_id + btf->nr_types;
	for_each(reloc, &btf->relocs)
		reloc->offset += shift;
	join_side(&d, &d.on_base, 0, base_strings, &btf->base, &btf->base_size);
	free(btf->bytes);
	join_side(&d, &d.on_split, base_strings, d.strings.text.nr, &btf->bytes, &btf->size);
	return 0;
}
