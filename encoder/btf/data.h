/* SPDX-License-Identifier: GPL-2.0-only */
/* BTF that was read (btf/read.h): look-up by id and by string offset. */
#ifndef ABTF_BTF_DATA_H
#define ABTF_BTF_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "btf/format.h"
#include "image/image.h"
#include "types/kind.h"
#include "types/node.h"

/**
 * struct btf_data - one parsed BTF object
 * @base:	the base of split BTF, or NULL
 * @owned_base:	the same, if it comes from .BTF.base and is freed with this object
 * @owned:	what @types, @layout and @strs are in, if it is freed with this object
 * @img:	the same, if it is closed with this object
 * @types:	type sections' bytes in native byte order
 * @types_len:	their number
 * @types_start: their offset in the input
 * @strs:	string section
 * @strs_len:	bytes in it
 * @strs_start:	offset of the first of our strings: 0, or the end of the base's
 * @layout:	layout section in native byte order, @layout_len bytes; NULL if
 *		there is none
 * @index:	pointers into @types; [id - first_id]
 * @first_id:	1, or the base's number of ids + 1 (ids count on)
 * @nr_types:	types in this object (without void and the base)
 * @nr_funcs:	FUNCs
 * @nr_records:	FUNCs with an address
 * @big_endian:	byte order of the bytes it was read from
 */
struct btf_data {
	const struct btf_data	*base;
	struct btf_data		*owned_base;
	void			*owned;
	struct image		*img;
	uint8_t			*types;
	size_t			types_len;
	size_t			types_start;
	const char		*strs;
	size_t			strs_len;
	size_t			strs_start;
	void			*layout;
	size_t			layout_len;
	const struct btf_type	**index;
	uint32_t		first_id;
	uint32_t		nr_types;
	uint32_t		nr_funcs;
	uint32_t		nr_records;
	bool			big_endian;
};

/** btf_data__end_id() - Return: one past the last id. */
static inline uint32_t btf_data__end_id(const struct btf_data *btf)
{
	return btf->first_id + btf->nr_types;
}

/* The slow path of btf_data__type(): void, types of the base, and ids out of range. */
const struct btf_type *btf_data__other_type(const struct btf_data *btf, uint32_t id);

/** btf_data__type() - Return: the type of an id, NULL if there is no such id; void for 0. */
static inline const struct btf_type *btf_data__type(const struct btf_data *btf, uint32_t id)
{
	return id - btf->first_id < btf->nr_types ? btf->index[id - btf->first_id] :
						    btf_data__other_type(btf, id);
}

/** btf_data__string() - Return: the string at an offset, "" if out of range. */
const char *btf_data__string(const struct btf_data *btf, uint32_t offset);

/** btf_data__name() - Return: the name of an id, "" for none. */
const char *btf_data__name(const struct btf_data *btf, uint32_t id);

/** btf_data__func() - Return: a FUNC's record, NULL if @id has no record or is not a FUNC. */
const struct btf_func *btf_data__func(const struct btf_data *btf, uint32_t id);

/** btf_data__type_size() - Return: bytes a type takes, its record included; -EINVAL. */
int btf_data__type_size(const struct btf_type *t);

/* --- types as the store has them: names are string offsets, references type ids --- */

/**
 * btf_type__decode() - convert a type to a node
 * @t:	a valid type in native byte order
 * @n:	the result, without hash, @first_seen, uses and children
 *
 * An ENUM without values is a forward declaration: btf.rst has no other way.
 *
 * Return: false if it is an INT with a bit offset or padding, which a node cannot express.
 */
bool btf_type__decode(const struct btf_type *t, struct node *n);

/** btf_type__child() - Return: the @k-th member, enumerator or parameter. */
static inline struct child btf_type__child(const struct btf_type *t, uint32_t k)
{
	const uint32_t *e = btf_type__element(t, k);
	struct child c = { .name = e[0] };

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_ENUM:
		c.value = (int32_t)e[1];
		break;
	case BTF_KIND_ENUM64:
		c.value = (uint64_t)e[2] << 32 | e[1];
		break;
	case BTF_KIND_FUNC_PROTO:
		c.ref = e[1];
		break;
	default: /* STRUCT, UNION */
		c.ref = e[1];
		c.value = BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BIT_OFFSET(e[2]) : e[2];
		c.bits = BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BITFIELD_SIZE(e[2]) : 0;
	}
	return c;
}

#endif /* ABTF_BTF_DATA_H */
