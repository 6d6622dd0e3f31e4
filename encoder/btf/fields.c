// SPDX-License-Identifier: GPL-2.0-only
#include "btf/fields.h"

static void visit_name(const struct btf_fields *fields, void *arg, uint32_t *offset)
{
	if (fields->name)
		fields->name(arg, offset);
}

static void visit_id(const struct btf_fields *fields, void *arg, uint32_t *id)
{
	if (fields->id)
		fields->id(arg, id);
}

void btf_type__visit(struct btf_type *t, const struct btf_fields *fields, void *arg)
{
	uint32_t i, nr = BTF_INFO_VLEN(t->info);
	struct btf_var_secinfo *info = (void *)(t + 1);
	struct btf_enum64 *e64 = (void *)(t + 1);
	struct btf_array *array = (void *)(t + 1);
	struct btf_member *m = (void *)(t + 1);
	struct btf_param *p = (void *)(t + 1);
	struct btf_enum *e = (void *)(t + 1);

	visit_name(fields, arg, &t->name_off);
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_FWD:
		break;
	case BTF_KIND_ARRAY:
		visit_id(fields, arg, &array->type);
		visit_id(fields, arg, &array->index_type);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		for (i = 0; i < nr; i++) {
			visit_name(fields, arg, &m[i].name_off);
			visit_id(fields, arg, &m[i].type);
		}
		break;
	case BTF_KIND_ENUM:
		for (i = 0; i < nr; i++)
			visit_name(fields, arg, &e[i].name_off);
		break;
	case BTF_KIND_ENUM64:
		for (i = 0; i < nr; i++)
			visit_name(fields, arg, &e64[i].name_off);
		break;
	case BTF_KIND_FUNC_PROTO:
		visit_id(fields, arg, &t->type);
		for (i = 0; i < nr; i++) {
			visit_name(fields, arg, &p[i].name_off);
			visit_id(fields, arg, &p[i].type);
		}
		break;
	case BTF_KIND_DATASEC:
		for (i = 0; i < nr; i++)
			visit_id(fields, arg, &info[i].type);
		break;
	default: /* PTR, TYPEDEF, CONST, VOLATILE, RESTRICT, TYPE_TAG, FUNC, VAR, DECL_TAG */
		visit_id(fields, arg, &t->type);
	}
}
