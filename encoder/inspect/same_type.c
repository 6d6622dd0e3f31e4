// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <string.h>

#include "inspect/arrival.h"
#include "inspect/same_type.h"

/* Types within types that are looked at: pointers to functions that take such pointers... */
#define MAX_DEPTH	32
#define MAX_STEPS	1000

struct comparison {
	const struct btf_data	*btf;
	unsigned int		steps;
};

static bool compare_type(struct comparison *c, uint32_t id, Dwarf_Die *type, unsigned int depth);

static bool same_name(const struct comparison *c, uint32_t id, Dwarf_Die *type)
{
	const char *name = dwarf_diename(type) ?: "";

	return !strcmp(btf_data__name(c->btf, id), name);
}

static bool same_size(uint32_t size, Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	return dwarf_formudata(dwarf_attr(type, DW_AT_byte_size, &attr), &word) || word == size;
}

/* A struct, union or enum: one that is only declared may be any of that name. */
static bool same_tagged(const struct comparison *c, uint32_t id, Dwarf_Die *type)
{
	const struct btf_type *t = btf_data__type(c->btf, id);
	unsigned int kind = BTF_INFO_KIND(t->info), tag = dwarf_tag(type);
	bool fits;

	if (tag == DW_TAG_enumeration_type)
		fits = kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64;
	else
		fits = kind == (tag == DW_TAG_union_type ? BTF_KIND_UNION : BTF_KIND_STRUCT);
	if (kind == BTF_KIND_FWD)
		fits = tag == DW_TAG_enumeration_type ||
		       !!BTF_INFO_KFLAG(t->info) == (tag == DW_TAG_union_type);
	if (!fits || !same_name(c, id, type))
		return false;
	return kind == BTF_KIND_FWD || dwarf_hasattr(type, DW_AT_declaration) ||
	       same_size(t->size, type);
}

/* Elements of all dimensions of one entry, 0 if one is not known. */
static uint64_t count_elements(struct comparison *c, Dwarf_Die *type)
{
	uint64_t elements = 1;
	Dwarf_Attribute attr;
	Dwarf_Die child;
	Dwarf_Word word;

	if (dwarf_child(type, &child))
		return 0;
	do {
		if (!dwarf_formudata(dwarf_attr(&child, DW_AT_count, &attr), &word))
			elements *= word;
		else if (!dwarf_formudata(dwarf_attr(&child, DW_AT_upper_bound, &attr), &word))
			elements *= word + 1;
		else
			return 0;
		if (c->steps++ > MAX_STEPS)
			return 0;
	} while (!dwarf_siblingof(&child, &child));
	return elements;
}

/*
 * An array of several dimensions may be one type, or several, here and there:
 * counted are the elements of all.
 */
static bool same_array(struct comparison *c, uint32_t id, Dwarf_Die *type, unsigned int depth)
{
	const struct btf_type *t = btf_data__type(c->btf, id);
	uint64_t wanted = 1, elements = 1;
	Dwarf_Die at = *type, inner;
	Dwarf_Die *element = &at;

	for (; t && BTF_INFO_KIND(t->info) == BTF_KIND_ARRAY && depth < MAX_DEPTH; depth++) {
		const struct btf_array *array = (const struct btf_array *)(t + 1);

		elements *= array->nelems;
		id = array->type;
		t = btf_data__type(c->btf, id);
	}
	for (; element && dwarf_tag(element) == DW_TAG_array_type && depth < MAX_DEPTH; depth++) {
		wanted *= count_elements(c, element);
		element = entry_type(element, &inner);
		if (element)
			at = inner;
	}
	return (!wanted || elements == wanted) &&
	       compare_type(c, id, element ? &at : NULL, depth + 1);
}

static bool compare_prototypes(struct comparison *c, uint32_t id, Dwarf_Die *type,
			       unsigned int depth)
{
	const struct btf_type *t = btf_data__type(c->btf, id);
	const struct btf_param *params = (const struct btf_param *)(t + 1);
	unsigned int nr = BTF_INFO_VLEN(t->info), i = 0;
	Dwarf_Die child, inner;
	int err;

	if (!compare_type(c, t->type, entry_type(type, &inner), depth + 1))
		return false;
	for (err = dwarf_child(type, &child); !err; err = dwarf_siblingof(&child, &child)) {
		bool dots = dwarf_tag(&child) == DW_TAG_unspecified_parameters;

		if (c->steps++ > MAX_STEPS)
			return true;
		if (!dots && dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (i == nr || (dots && params[i].type) ||
		    (!dots && !compare_type(c, params[i].type, entry_type(&child, &inner),
					    depth + 1)))
			return false;
		i++;
	}
	return i == nr;
}

static bool same_modifier(struct comparison *c, uint32_t id, Dwarf_Die *type, unsigned int kind,
			  unsigned int depth)
{
	const struct btf_type *t = btf_data__type(c->btf, id);
	Dwarf_Die inner;

	return BTF_INFO_KIND(t->info) == kind &&
	       compare_type(c, t->type, entry_type(type, &inner), depth + 1);
}

static bool compare_type(struct comparison *c, uint32_t id, Dwarf_Die *type, unsigned int depth)
{
	const struct btf_type *t = btf_data__type(c->btf, id);
	Dwarf_Die inner;

	/* not seen to differ, so far */
	if (depth > MAX_DEPTH || c->steps++ > MAX_STEPS)
		return true;
	while (t && BTF_INFO_KIND(t->info) == BTF_KIND_TYPE_TAG && depth++ < MAX_DEPTH) {
		id = t->type;
		t = btf_data__type(c->btf, id);
	}
	if (!t)
		return false;
	if (!type)
		return !id;
	switch (dwarf_tag(type)) {
	case DW_TAG_base_type:
		return (BTF_INFO_KIND(t->info) == BTF_KIND_INT ||
			BTF_INFO_KIND(t->info) == BTF_KIND_FLOAT) &&
		       same_name(c, id, type) && same_size(t->size, type);
	case DW_TAG_pointer_type:
		return same_modifier(c, id, type, BTF_KIND_PTR, depth);
	case DW_TAG_const_type:
		return same_modifier(c, id, type, BTF_KIND_CONST, depth);
	case DW_TAG_volatile_type:
		return same_modifier(c, id, type, BTF_KIND_VOLATILE, depth);
	case DW_TAG_restrict_type:
		return same_modifier(c, id, type, BTF_KIND_RESTRICT, depth);
	case DW_TAG_typedef:
		return same_name(c, id, type) &&
		       same_modifier(c, id, type, BTF_KIND_TYPEDEF, depth);
	case DW_TAG_atomic_type:
		return compare_type(c, id, entry_type(type, &inner), depth + 1);
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return same_tagged(c, id, type);
	case DW_TAG_array_type:
		return BTF_INFO_KIND(t->info) == BTF_KIND_ARRAY && same_array(c, id, type, depth);
	case DW_TAG_subroutine_type:
		return BTF_INFO_KIND(t->info) == BTF_KIND_FUNC_PROTO &&
		       compare_prototypes(c, id, type, depth);
	case DW_TAG_unspecified_type:
		return !id;
	default:
		/* C++ and Rust have more than BTF */
		return true;
	}
}

bool same_type(const struct btf_data *btf, uint32_t id, Dwarf_Die *type)
{
	struct comparison c = { .btf = btf };

	return compare_type(&c, id, type, 0);
}

bool same_prototype(const struct btf_data *btf, uint32_t id, Dwarf_Die *func)
{
	struct comparison c = { .btf = btf };

	return compare_prototypes(&c, id, func, 0);
}
