// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "btf/data.h"
int btf_data__type_size(const struct btf_type *t)
{
	const struct btf_kind *kind = btf_type__kind(t);
	int size;

	if (!kind->name || kind == btf_kinds)
		return -EINVAL;
	size = sizeof(*t) + 4 * (kind->words + BTF_INFO_VLEN(t->info) * kind->element_words);
	if (kind == &btf_kinds[BTF_KIND_FUNC] && BTF_INFO_KFLAG(t->info))
		size += sizeof(struct btf_func);
	return size;
}

const struct btf_type *btf_data__other_type(const struct btf_data *btf, uint32_t id)
{
	static const struct btf_type void_type;

	if (!id)
		return &void_type;
	while (btf && id < btf->first_id)
		btf = btf->base;
	if (!btf || id - btf->first_id >= btf->nr_types)
		return NULL;
	return btf->index[id - btf->first_id];
}

const char *btf_data__string(const struct btf_data *btf, uint32_t offset)
{
	while (btf && offset < btf->strs_start)
		btf = btf->base;
	if (!btf || offset - btf->strs_start >= btf->strs_len)
		return "";
	return btf->strs + (offset - btf->strs_start);
}

const char *btf_data__name(const struct btf_data *btf, uint32_t id)
{
	const struct btf_type *t = btf_data__type(btf, id);

	return t ? btf_data__string(btf, t->name_off) : "";
}

const struct btf_func *btf_data__func(const struct btf_data *btf, uint32_t id)
{
	const struct btf_type *t = btf_data__type(btf, id);

	if (!t || BTF_INFO_KIND(t->info) != BTF_KIND_FUNC || !BTF_INFO_KFLAG(t->info))
		return NULL;
	return (const struct btf_func *)(t + 1);
}
