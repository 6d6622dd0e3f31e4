// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/parts.h"
#include "btf/plain.h"
#include "util/memory.h"

/**
 * struct plain - one btf_data__plain()
 * @ids:	by type: its id in the copy, 0 if it is left out
 * @nr:		types of the copy
 */
struct plain {
	const struct btf_data	*btf;
	uint32_t		*ids;
	uint32_t		nr;
};

static bool says_file(const struct btf_data *btf, const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info) == BTF_KIND_FUNC &&
	       strchr(btf_data__string(btf, t->name_off), '@');
}

/* Only tags and sections refer to FUNCs, and nothing refers to these. */
static bool refers_to_missing(const struct plain *p, const struct btf_type *t)
{
	const uint32_t *id;

	for_each_id(id, t)
		if (*id >= p->btf->first_id && !p->ids[*id - p->btf->first_id])
			return true;
	return false;
}

static void number_types(struct plain *p, bool loadable)
{
	const struct btf_data *btf = p->btf;

	for (uint32_t i = 0; i < btf->nr_types; i++)
		p->ids[i] = !loadable || !says_file(btf, btf->index[i]);
	for (uint32_t i = 0; i < btf->nr_types; i++) {
		if (loadable && refers_to_missing(p, btf->index[i]))
			p->ids[i] = 0;
	}
	for (uint32_t i = 0; i < btf->nr_types; i++) {
		if (p->ids[i])
			p->ids[i] = btf->first_id + p->nr++;
	}
}

/* Copy a type without its record.  Return: one past the end of the copy. */
static uint8_t *copy_type(struct plain *p, const struct btf_type *t, uint8_t *to)
{
	bool is_func = BTF_INFO_KIND(t->info) == BTF_KIND_FUNC;
	size_t size = is_func ? sizeof(*t) : (size_t)btf_data__type_size(t);
	struct btf_type *copy = (void *)to;
	uint32_t *id;

	memcpy(to, t, size);
	if (is_func)
		copy->info &= ~(1U << 31);
	for_each_id(id, copy)
		if (*id >= p->btf->first_id)
			*id = p->ids[*id - p->btf->first_id];
	return to + size;
}

int64_t btf_data__plain(const struct btf_data *btf, bool loadable, bool big_endian, void **bytes,
			size_t *size)
{
	uint8_t *types = xmalloc(btf->types_len + 1), *end = types;
	struct plain p = { .btf = btf, .ids = xcalloc(btf->nr_types + 1UL, sizeof(*p.ids)) };
	struct btf_parts parts = {
		.types = types, .layout = btf->layout, .layout_len = btf->layout_len,
		.strs = btf->strs, .strs_len = btf->strs_len,
	};
	int err = -ENOMEM;

	if (types && p.ids) {
		number_types(&p, loadable);
		for (uint32_t i = 0; i < btf->nr_types; i++) {
			if (p.ids[i])
				end = copy_type(&p, btf->index[i], end);
		}
		parts.types_len = end - types;
		err = btf_parts__join(&parts, big_endian, bytes, size);
	}
	free(types);
	free(p.ids);
	return err ?: (int64_t)btf->nr_types - p.nr;
}
