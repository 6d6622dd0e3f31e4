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

bool btf_type__decode(const struct btf_type *t, struct node *n)
{
	const struct btf_param *params = (const void *)(t + 1);
	const uint32_t *data = (const void *)(t + 1);
	bool flag = BTF_INFO_KFLAG(t->info);

	*n = (struct node){ .kind = BTF_INFO_KIND(t->info), .name = t->name_off };
	if (kind__has_ref(n->kind))
		n->ref = *btf_type__id(t, 0);
	else
		n->size = t->size;
	if (btf_type__kind(t)->names)
		n->nr_children = BTF_INFO_VLEN(t->info);
	switch (n->kind) {
	case BTF_KIND_INT:
		n->encoding = BTF_INT_ENCODING(*data);
		return !BTF_INT_OFFSET(*data) && BTF_INT_BITS(*data) == t->size * 8;
	case BTF_KIND_ARRAY:
		n->size = ((const struct btf_array *)data)->nelems;
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		n->flags = flag ? TYPE_BITFIELDS : 0;
		break;
	case BTF_KIND_FWD:
		n->kind = flag ? BTF_KIND_UNION : BTF_KIND_STRUCT;
		n->flags = TYPE_FORWARD;
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		n->flags = flag ? TYPE_SIGNED : 0;
		if (n->kind == BTF_KIND_ENUM && !n->nr_children)
			n->flags |= TYPE_FORWARD;
		break;
	case BTF_KIND_FUNC_PROTO:
		/* btf.rst: "..." is a last parameter without name and type */
		if (n->nr_children && !params[n->nr_children - 1].type) {
			n->flags = TYPE_VARARGS;
			n->nr_children--;
		}
		break;
	default: /* only a TYPE_TAG may have the flag */
		n->flags = flag ? TYPE_ATTRIBUTE : 0;
	}
	return true;
}
