// SPDX-License-Identifier: GPL-2.0-only
/* Which abbreviations are brief: see struct brief. */

#include "load/abbrev.h"
#include "util/dwarf.h"

#define SLOT(slot)	(1ULL << (slot))

/* What a function has that has a body, or another name, or one elsewhere. */
#define OF_BODIES \
	(SLOT(AT_LOW_PC) | SLOT(AT_RANGES) | SLOT(AT_ORIGIN) | SLOT(AT_SPECIFICATION) | \
	 SLOT(AT_LINKAGE_NAME))

/*
 * How to read a DIE with this tag if it has no other attributes than usual, as far as they are
 * used; otherwise BRIEF_NOT.
 */
static enum brief_way find_way(const struct abbrev *a)
{
	enum brief_way way = BRIEF_TYPE;
	uint64_t may, must = 0;

	switch (a->tag) {
	case DW_TAG_member:
		way = BRIEF_MEMBER;
		may = SLOT(AT_NAME) | SLOT(AT_TYPE);
		must = SLOT(AT_TYPE);
		if (abbrev__has(a, AT_BIT_SIZE))
			must |= SLOT(AT_BIT_SIZE) | SLOT(AT_DATA_BIT_OFFSET);
		else
			may |= SLOT(AT_MEMBER_LOCATION);
		break;
	case DW_TAG_enumerator:
		way = BRIEF_ENUMERATOR;
		may = must = SLOT(AT_NAME) | SLOT(AT_CONST_VALUE);
		break;
	case DW_TAG_formal_parameter:
		way = BRIEF_PARAMETER;
		may = SLOT(AT_NAME) | SLOT(AT_TYPE);
		break;
	case DW_TAG_subrange_type:
		way = BRIEF_DIMENSION;
		may = SLOT(AT_TYPE);
		/* one of both, or none */
		if (abbrev__has(a, AT_COUNT))
			must = SLOT(AT_COUNT);
		else
			may |= SLOT(AT_UPPER_BOUND);
		break;
	case DW_TAG_typedef:
		may = must = SLOT(AT_NAME) | SLOT(AT_TYPE);
		break;
	case DW_TAG_pointer_type:
		/* its size is known without being said, and gcc says it */
		may = SLOT(AT_TYPE) | SLOT(AT_BYTE_SIZE);
		break;
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
		may = SLOT(AT_TYPE);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		may = SLOT(AT_NAME);
		must = abbrev__has(a, AT_DECLARATION) ? SLOT(AT_DECLARATION) : SLOT(AT_BYTE_SIZE);
		break;
	case DW_TAG_enumeration_type:
		may = SLOT(AT_NAME) | SLOT(AT_TYPE) | SLOT(AT_ENCODING);
		must = SLOT(AT_BYTE_SIZE);
		break;
	case DW_TAG_subprogram:
		return a->simple && abbrev__has(a, AT_NAME) && !(a->slots & OF_BODIES) ?
		       BRIEF_FUNC : BRIEF_NOT;
	default:
		return BRIEF_NOT;
	}
	return !(a->slots & ~(may | must)) && (a->slots & must) == must ? way : BRIEF_NOT;
}

/* Take up one attribute. Return: whether it has one of the usual forms. */
static bool add_to_brief(struct brief *b, const struct abbrev *a, const struct step *step)
{
	uint8_t class = a->class[step->slot];
	bool number = class == VALUE_UINT || class == VALUE_SINT;

	switch (step->slot) {
	case AT_NAME:
		/* twice, it is a lie */
		if (b->inline_name || b->name != BRIEF_NONE)
			return false;
		b->inline_name = class == VALUE_STRING && !step->offset;
		b->name = b->inline_name ? BRIEF_NONE : step->offset;
		return b->inline_name || (class == VALUE_STRP && step->op == OP_U32);
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
	b->bias = step->slot == AT_UPPER_BOUND;
	b->value = step->offset;
	b->mask = step->op == OP_U8 ? UINT8_MAX : step->op == OP_U16 ? UINT16_MAX :
		  step->op == OP_U32 ? UINT32_MAX : 0;
	b->constant = step->op == OP_CONSTANT ? step->constant : 0;
	/* sizes have 32 bits */
	if (step->slot == AT_BYTE_SIZE && b->constant != (uint32_t)b->constant)
		return false;
	return number && (b->mask || step->op == OP_CONSTANT);
}

/*
 * Is this one of the tags that make up most of a unit, with no attributes but
 * those that it nearly always has, in the usual forms?
 */
void abbrev__find_brief(struct abbrev *a, const struct step *steps)
{
	struct brief *b = &a->brief;
	enum brief_way way = find_way(a);
	const struct step *step;

	a->way = BRIEF_NOT;
	*b = (struct brief){ .name = BRIEF_NONE, .type = BRIEF_NONE, .bits = BRIEF_NONE };
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || way == BRIEF_NOT ||
	    (a->children && a->use == USE_ITEM))
		return;
	for (step = steps; step->op != OP_END; step++) {
		/* of a function only what it is known by */
		if (way == BRIEF_FUNC && step->slot != AT_NAME &&
		    step->slot != AT_DECLARATION)
			continue;
		if (step->offset >= BRIEF_NONE || !add_to_brief(b, a, step))
			return;
	}
	if (step->offset >= BRIEF_NONE)
		return;
	b->size = step->offset;
	a->way = way;
}
