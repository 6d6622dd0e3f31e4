// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "btf/sections.h"
#include "inspect/plain.h"
#include "util/macros.h"
#include "util/memory.h"

static bool names_file(const struct btf_data *btf, const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info) == BTF_KIND_FUNC &&
	       strchr(btf_data__string(btf, t->name_off), '@');
}

/* Only tags and sections refer to FUNCs, and nothing refers to tags and sections. */
static bool refers_to_missing(const uint32_t *ids, const struct btf_type *t)
{
	const uint32_t *id;

	for_each_id(id, t)
		if (*id && !ids[*id])
			return true;
	return false;
}

/* Assign an id in the copy to each type, 0 if it is omitted. Return: the number of ids. */
static uint32_t number_types(const struct btf_data *btf, bool loadable, uint32_t *ids)
{
	uint32_t end = btf_data__end_id(btf), next = btf->first_id, id;

	for (id = 1; id < end; id++)
		ids[id] = id;
	for (id = btf->first_id; loadable && id < end; id++)
		if (names_file(btf, btf_data__type(btf, id)))
			ids[id] = 0;
	for (id = btf->first_id; loadable && id < end; id++)
		if (refers_to_missing(ids, btf_data__type(btf, id)))
			ids[id] = 0;
	for (id = btf->first_id; id < end; id++)
		if (ids[id])
			ids[id] = next++;
	return next - btf->first_id;
}

/* Copy a type without its record.  Return: one past the end of the copy. */
static uint8_t *copy_type(const struct btf_type *t, const uint32_t *ids, uint8_t *to)
{
	bool is_func = BTF_INFO_KIND(t->info) == BTF_KIND_FUNC;
	size_t size = is_func ? sizeof(*t) : (size_t)btf_data__type_size(t);
	struct btf_type *copy = memcpy(to, t, size);
	uint32_t *id;

	if (is_func)
		copy->info &= ~(1U << 31);
	for_each_id(id, copy)
		*id = ids[*id];
	return to + size;
}

uint32_t btf_data__plain(const struct btf_data *btf, bool loadable, void **bytes, size_t *size)
{
	uint8_t *types = xmalloc(btf->types_len), *end = types;
	uint32_t *ids __cleanup(free_pointer) = xcalloc(btf_data__end_id(btf), sizeof(*ids));
	uint32_t nr = number_types(btf, loadable, ids);

	for (uint32_t i = 0; i < btf->nr_types; i++)
		if (ids[btf->first_id + i])
			end = copy_type(btf->index[i], ids, end);
	btf_sections__join(&(struct btf_sections){
			   .types = types, .types_len = end - types,
			   .layout = btf->layout, .layout_len = btf->layout_len,
			   .strs = btf->strs, .strs_len = btf->strs_len },
			   btf->big_endian, bytes, size);
	return btf->nr_types - nr;
}
