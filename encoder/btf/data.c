// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "btf/data.h"
#include "btf/layout.h"
#include "util/macros.h"

static const char * const kind_names[] = {
	[BTF_KIND_UNKN]		= "void",
	[BTF_KIND_INT]		= "INT",
	[BTF_KIND_PTR]		= "PTR",
	[BTF_KIND_ARRAY]	= "ARRAY",
	[BTF_KIND_STRUCT]	= "STRUCT",
	[BTF_KIND_UNION]	= "UNION",
	[BTF_KIND_ENUM]		= "ENUM",
	[BTF_KIND_FWD]		= "FWD",
	[BTF_KIND_TYPEDEF]	= "TYPEDEF",
	[BTF_KIND_VOLATILE]	= "VOLATILE",
	[BTF_KIND_CONST]	= "CONST",
	[BTF_KIND_RESTRICT]	= "RESTRICT",
	[BTF_KIND_FUNC]		= "FUNC",
	[BTF_KIND_FUNC_PROTO]	= "FUNC_PROTO",
	[BTF_KIND_VAR]		= "VAR",
	[BTF_KIND_DATASEC]	= "DATASEC",
	[BTF_KIND_FLOAT]	= "FLOAT",
	[BTF_KIND_DECL_TAG]	= "DECL_TAG",
	[BTF_KIND_TYPE_TAG]	= "TYPE_TAG",
	[BTF_KIND_ENUM64]	= "ENUM64",
};

const char *btf_kind__name(unsigned int kind)
{
	return kind < ARRAY_SIZE(kind_names) ? kind_names[kind] : "?";
}

int btf_data__type_size(const struct btf_type *t)
{
	uint32_t kind = BTF_INFO_KIND(t->info);
	int size;

	if (!kind || kind >= ARRAY_SIZE(kind_layouts))
		return -EINVAL;
	size = sizeof(*t) + kind_layouts[kind].info_sz +
	       BTF_INFO_VLEN(t->info) * kind_layouts[kind].elem_sz;
	if (kind == BTF_KIND_FUNC && BTF_INFO_KFLAG(t->info))
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
