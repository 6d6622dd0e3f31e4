// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <string.h>

#include "arrival.h"
#include "same_type.h"

/* The maximum depth of types within types: pointers to functions that take such pointers... */
#define MAX_DEPTH	32
#define MAX_STEPS	1000

struct comparison {
	const struct btf	*btf;
	unsigned int		steps;
};

static bool compare_type(struct comparison *c, uint32_t id, Dwarf_Die *type, unsigned int depth);

static bool same_name(const struct comparison *c, uint32_t id, Dwarf_Die *type)
{
	const char *name = dwarf_diename(type) ?: "";

	return !strcmp(string_at(c->btf, type_of(c->btf, id)[0]), name);
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
	const uint32_t *t = type_of(c->btf, id);
	enum kind kind = kind_of(t);
	int tag = dwarf_tag(type);
	bool fits;

	if (tag == DW_TAG_enumeration_type)
		fits = kind == ENUM || kind == ENUM64;
	else
		fits = kind == (tag == DW_TAG_union_type ? UNION : STRUCT);
	if (kind == FWD)
		fits = tag == DW_TAG_enumeration_type || flag_of(t) == (tag == DW_TAG_union_type);
	if (!fits || !same_name(c, id, type))
		return false;
	return kind == FWD || dwarf_hasattr(type, DW_AT_declaration) || same_size(t[2], type);
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
 * Several dimensions may be one type or several, in BTF and in DWARF: compare the number of
 * elements in all of them.
 */
static bool same_array(struct comparison *c, uint32_t id, Dwarf_Die *type, unsigned int depth)
{
	const uint32_t *t = type_of(c->btf, id);
	uint64_t wanted = 1, elements = 1;
	Dwarf_Die at = *type, inner;
	Dwarf_Die *element = &at;

	for (; kind_of(t) == ARRAY && depth < MAX_DEPTH; depth++) {
		elements *= t[5];
		id = t[3];
		t = type_of(c->btf, id);
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
	const uint32_t *t = type_of(c->btf, id);
	const uint32_t *param = t + 3;
	unsigned int nr = vlen_of(t), i = 0;
	Dwarf_Die child, inner;
	int err;

	if (!compare_type(c, t[2], entry_type(type, &inner), depth + 1))
		return false;
	for (err = dwarf_child(type, &child); !err; err = dwarf_siblingof(&child, &child)) {
		bool dots = dwarf_tag(&child) == DW_TAG_unspecified_parameters;

		if (c->steps++ > MAX_STEPS)
			return true;
		if (!dots && dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (i == nr || (dots && param[1]) ||
		    (!dots && !compare_type(c, param[1], entry_type(&child, &inner), depth + 1)))
			return false;
		i++;
		param += 2;
	}
	return i == nr;
}

static bool same_modifier(struct comparison *c, uint32_t id, Dwarf_Die *type, enum kind kind,
			  unsigned int depth)
{
	const uint32_t *t = type_of(c->btf, id);
	Dwarf_Die inner;

	return kind_of(t) == kind &&
	       compare_type(c, t[2], entry_type(type, &inner), depth + 1);
}

static bool compare_type(struct comparison *c, uint32_t id, Dwarf_Die *type, unsigned int depth)
{
	const uint32_t *t = type_of(c->btf, id);
	Dwarf_Die inner;

	/* not seen to differ, so far */
	if (depth > MAX_DEPTH || c->steps++ > MAX_STEPS)
		return true;
	while (kind_of(t) == TYPE_TAG && depth++ < MAX_DEPTH) {
		id = t[2];
		t = type_of(c->btf, id);
	}
	if (!type)
		return !id;
	switch (dwarf_tag(type)) {
	case DW_TAG_base_type:
		return (kind_of(t) == INT ||
			kind_of(t) == FLOAT) &&
		       same_name(c, id, type) && same_size(t[2], type);
	case DW_TAG_pointer_type:
		return same_modifier(c, id, type, PTR, depth);
	case DW_TAG_const_type:
		return same_modifier(c, id, type, CONST, depth);
	case DW_TAG_volatile_type:
		return same_modifier(c, id, type, VOLATILE, depth);
	case DW_TAG_restrict_type:
		return same_modifier(c, id, type, RESTRICT, depth);
	case DW_TAG_typedef:
		return same_name(c, id, type) &&
		       same_modifier(c, id, type, TYPEDEF, depth);
	case DW_TAG_atomic_type:
		return compare_type(c, id, entry_type(type, &inner), depth + 1);
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return same_tagged(c, id, type);
	case DW_TAG_array_type:
		return kind_of(t) == ARRAY && same_array(c, id, type, depth);
	case DW_TAG_subroutine_type:
		return kind_of(t) == FUNC_PROTO &&
		       compare_prototypes(c, id, type, depth);
	case DW_TAG_unspecified_type:
		return !id;
	default:
		/* C++ and Rust have more than BTF */
		return true;
	}
}

bool same_type(const struct btf *btf, uint32_t id, Dwarf_Die *type)
{
	struct comparison c = { .btf = btf };

	return compare_type(&c, id, type, 0);
}

bool same_prototype(const struct btf *btf, uint32_t id, Dwarf_Die *func)
{
	struct comparison c = { .btf = btf };

	return compare_prototypes(&c, id, func, 0);
}
