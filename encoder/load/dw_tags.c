// SPDX-License-Identifier: GPL-2.0-only
#include <linux/btf.h>

#include "load/dw_tags.h"
#include "types/kind.h"

#define SLOT(slot)	(1ULL << (slot))

/* Kinds with parameters, members and enumerators */
#define FUNCTIONS	(KIND_BIT(FUNC) | KIND_BIT(FUNC_PROTO))
#define STRUCTS		(KIND_BIT(STRUCT) | KIND_BIT(UNION))
#define ENUMS		(KIND_BIT(ENUM) | KIND_BIT(ENUM64))

/**
 * struct dw_tag_row - properties of the DIEs with a tag that indexes rows[]; see abbrev__classify() for
 *		vendors' tags, which are too large for that
 * @kind:	of a type, BTF_KIND_* or REC_ALIAS; 0 for all others
 * @way:	how a brief DIE is read
 * @parents:	bit per kind that it can be a part of
 * @may, @must:	used attributes that a brief DIE may or must have; see find_way()
 */
static const struct dw_tag_row {
	uint8_t		kind;
	uint8_t		way;
	uint32_t	parents;
	uint64_t	may;
	uint64_t	must;
} rows[] = {
	[DW_TAG_base_type]	= { .kind = BTF_KIND_INT },
	/* its size is implied, but gcc records it */
	[DW_TAG_pointer_type]	= { BTF_KIND_PTR, BRIEF_TYPE,
				    .may = SLOT(AT_TYPE) | SLOT(AT_BYTE_SIZE) },
	[DW_TAG_reference_type]	= { .kind = BTF_KIND_PTR },
	[DW_TAG_rvalue_reference_type] = { .kind = BTF_KIND_PTR },
	[DW_TAG_array_type]	= { BTF_KIND_ARRAY, BRIEF_TYPE, .may = SLOT(AT_TYPE) },
	[DW_TAG_structure_type]	= { BTF_KIND_STRUCT, BRIEF_TYPE, .may = SLOT(AT_NAME) },
	[DW_TAG_class_type]	= { .kind = BTF_KIND_STRUCT },
	[DW_TAG_union_type]	= { BTF_KIND_UNION, BRIEF_TYPE, .may = SLOT(AT_NAME) },
	[DW_TAG_enumeration_type] = { BTF_KIND_ENUM, BRIEF_TYPE, KIND_BIT(ARRAY),
				      .must = SLOT(AT_BYTE_SIZE),
				      .may = SLOT(AT_NAME) | SLOT(AT_TYPE) | SLOT(AT_ENCODING) },
	[DW_TAG_typedef]	= { BTF_KIND_TYPEDEF, BRIEF_TYPE,
				    .must = SLOT(AT_NAME) | SLOT(AT_TYPE) },
	[DW_TAG_volatile_type]	= { BTF_KIND_VOLATILE, BRIEF_TYPE, .may = SLOT(AT_TYPE) },
	[DW_TAG_const_type]	= { BTF_KIND_CONST, BRIEF_TYPE, .may = SLOT(AT_TYPE) },
	[DW_TAG_restrict_type]	= { BTF_KIND_RESTRICT, BRIEF_TYPE, .may = SLOT(AT_TYPE) },
	[DW_TAG_subroutine_type] = { BTF_KIND_FUNC_PROTO, BRIEF_TYPE, .may = SLOT(AT_TYPE) },
	/*
	 * BTF cannot represent these.  Atomic, packed, shared and immutable types, and subranges, are
	 * read as their underlying type, the others as void (walk_type()).
	 */
	[DW_TAG_atomic_type]	= { .kind = REC_ALIAS },
	[DW_TAG_unspecified_type] = { .kind = REC_ALIAS },
	[DW_TAG_ptr_to_member_type] = { .kind = REC_ALIAS },
	[DW_TAG_string_type]	= { .kind = REC_ALIAS },
	[DW_TAG_set_type]	= { .kind = REC_ALIAS },
	[DW_TAG_file_type]	= { .kind = REC_ALIAS },
	[DW_TAG_interface_type]	= { .kind = REC_ALIAS },
	[DW_TAG_packed_type]	= { .kind = REC_ALIAS },
	[DW_TAG_shared_type]	= { .kind = REC_ALIAS },
	[DW_TAG_immutable_type]	= { .kind = REC_ALIAS },
	[DW_TAG_coarray_type]	= { .kind = REC_ALIAS },
	[DW_TAG_dynamic_type]	= { .kind = REC_ALIAS },
	[DW_TAG_template_alias]	= { .kind = REC_ALIAS },
	[DW_TAG_subrange_type]	= { .kind = REC_ALIAS, .parents = KIND_BIT(ARRAY) },
	/* parts of types and functions */
	[DW_TAG_member]		= { 0, BRIEF_MEMBER, STRUCTS,
				    .may = SLOT(AT_NAME), .must = SLOT(AT_TYPE) },
	[DW_TAG_enumerator]	= { 0, BRIEF_ENUMERATOR, ENUMS,
				    .must = SLOT(AT_NAME) | SLOT(AT_CONST_VALUE) },
	[DW_TAG_formal_parameter] = { 0, BRIEF_PARAMETER, FUNCTIONS,
				      .may = SLOT(AT_NAME) | SLOT(AT_TYPE) },
	[DW_TAG_unspecified_parameters] = { .parents = FUNCTIONS },
};

static const struct dw_tag_row *find_row(enum dw_tag tag)
{
	static const struct dw_tag_row other;

	return tag < ARRAY_SIZE(rows) ? &rows[tag] : &other;
}

/* --- finding brief abbreviations --------------------------------------------------------- */

/*
 * Return: how to read a DIE with this tag if its used attributes are the usual ones, otherwise
 * BRIEF_NOT.
 */
static enum brief_way find_way(const struct abbrev *a)
{
	const struct dw_tag_row *row = find_row(a->tag);
	uint64_t may = row->may, must = row->must;

	switch (a->tag) {
	case DW_TAG_member:
		if (abbrev__has(a, AT_BIT_SIZE))
			must |= SLOT(AT_BIT_SIZE) | SLOT(AT_DATA_BIT_OFFSET);
		else
			may |= SLOT(AT_MEMBER_LOCATION);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		must = abbrev__has(a, AT_DECLARATION) ? SLOT(AT_DECLARATION) : SLOT(AT_BYTE_SIZE);
		break;
	default:
		break;
	}
	return !(a->slots & ~(may | must)) && (a->slots & must) == must ? row->way : BRIEF_NOT;
}

/* Return: the bytes of a number that is read as four bytes, 0 if it does not have a fixed size. */
static uint32_t mask_of(uint8_t op)
{
	return op == OP_U8 ? 0xff : op == OP_U16 ? 0xffff : op == OP_U24 ? 0xffffff :
	       op == OP_U32 ? UINT32_MAX : 0;
}

/* Add one attribute. Return: whether it has one of the usual forms. */
static bool add_to_brief(struct brief *b, const struct abbrev *a, const struct step *step)
{
	uint8_t class = a->class[step->slot];
	bool number = class == VALUE_UINT || class == VALUE_SINT;

	switch (step->slot) {
	case AT_NAME:
		/* a second name is malformed */
		if (b->inline_name || b->name != BRIEF_NONE)
			return false;
		b->inline_name = class == VALUE_STRING && !step->offset;
		b->name = b->inline_name ? BRIEF_NONE : step->offset;
		b->name_mask = class == VALUE_STRX ? mask_of(step->op) : 0;
		return b->inline_name || b->name_mask ||
		       (class == VALUE_STRP && step->op == OP_U32);
	case AT_TYPE:
		b->type = step->offset;
		return class == VALUE_REF && step->op == OP_U32;
	case AT_BIT_SIZE:
		b->bits = step->offset;
		return number && step->op == OP_U8;
	case AT_DECLARATION:
		b->forward = true;
		return step->op == OP_CONSTANT && step->constant;
	case AT_ENCODING:
		return step->op == OP_U8 || step->op == OP_CONSTANT;
	case AT_NONE:
		return false;
	}
	b->value = step->offset;
	b->mask = step->op == OP_U24 ? 0 : mask_of(step->op);
	b->shift = step->op == OP_U8 ? 24 : step->op == OP_U16 ? 16 : 0;
	b->constant = step->op == OP_CONSTANT ? step->constant : 0;
	/* other constants may be too large */
	if (b->constant != (uint32_t)b->constant && b->constant != (int32_t)b->constant)
		return false;
	if (step->slot == AT_BYTE_SIZE && b->constant < 0)
		return false;
	return number && (b->mask || step->op == OP_CONSTANT);
}

/*
 * Test whether a DIE has one of the tags that make up most of a unit, and only the
 * attributes that such DIEs nearly always have, in the usual forms.
 */
static void find_brief(struct abbrev *a, const struct step *steps, bool swap)
{
	struct brief *b = &a->brief;
	enum brief_way way = find_way(a);
	const struct step *step;

	a->way = a->other_way = BRIEF_NOT;
	*b = (struct brief){ .name = BRIEF_NONE, .type = BRIEF_NONE, .bits = BRIEF_NONE };
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || way == BRIEF_NOT ||
	    (a->children && a->use == USE_ITEM))
		return;
	for (step = steps; step->op != OP_END; step++)
		if (step->offset >= BRIEF_NONE || !add_to_brief(b, a, step))
			return;
	/* no kernel has both */
	if (step->offset >= BRIEF_NONE || (swap && b->name_mask))
		return;
	b->size = step->offset;
	*(swap || b->name_mask ? &a->other_way : &a->way) = way;
}

/* Test for DW_AT_declaration in the usual form: in others, it may be false. */
static bool is_declaration(const struct abbrev *a, const struct step *step)
{
	if (!abbrev__has(a, AT_DECLARATION))
		return false;
	while (step->slot != AT_DECLARATION)
		step++;
	return step->op == OP_CONSTANT;
}

void abbrev__classify(struct abbrev *a, const struct step *steps, bool swap)
{
	const struct dw_tag_row *row = find_row(a->tag);

	a->kind = row->kind;
	a->parents = a->tag == DW_TAG_LLVM_annotation ? TAKES_ANNOTATIONS : row->parents;
	a->use = a->kind ? USE_TYPE : a->parents ? USE_ITEM : USE_NEVER;
	switch (a->tag) {
	case DW_TAG_subprogram:
		a->use = is_declaration(a, steps) ? USE_DECLARATION : USE_FUNC;
		break;
	case DW_TAG_variable:
		a->use = abbrev__has(a, AT_LOCATION) ? USE_VAR : USE_NEVER;
		break;
	case DW_TAG_inlined_subroutine:
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
		if (a->children && abbrev__has(a, AT_SIBLING))
			a->use = USE_TREE;
		else if (a->tag != DW_TAG_inlined_subroutine && abbrev__has(a, AT_ORIGIN))
			a->use = USE_CALL;
		break;
	default:
		break;
	}
	find_brief(a, steps, swap);
}
