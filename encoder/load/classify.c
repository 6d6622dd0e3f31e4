// SPDX-License-Identifier: GPL-2.0-only
/* What an entry is, by its abbreviation: which types, and whose parts, and what to jump over. */
#include <linux/btf.h>

#include "load/abbrev.h"
#include "load/records.h"
#include "util/dwarf.h"

/* The BTF kind of a tag that is a type; 0 for all others. */
static uint8_t kind_of(uint32_t tag)
{
	switch (tag) {
	case DW_TAG_base_type:
		return BTF_KIND_INT;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return BTF_KIND_PTR;
	case DW_TAG_array_type:
		return BTF_KIND_ARRAY;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return BTF_KIND_STRUCT;
	case DW_TAG_union_type:
		return BTF_KIND_UNION;
	case DW_TAG_enumeration_type:
		return BTF_KIND_ENUM;
	case DW_TAG_typedef:
		return BTF_KIND_TYPEDEF;
	case DW_TAG_volatile_type:
		return BTF_KIND_VOLATILE;
	case DW_TAG_const_type:
		return BTF_KIND_CONST;
	case DW_TAG_restrict_type:
		return BTF_KIND_RESTRICT;
	case DW_TAG_subroutine_type:
		return BTF_KIND_FUNC_PROTO;
	/*
	 * BTF has no words for these.  An atomic type is read as what it is
	 * made of, the others as void.
	 */
	case DW_TAG_atomic_type:
	case DW_TAG_unspecified_type:
	case DW_TAG_ptr_to_member_type:
	case DW_TAG_string_type:
	case DW_TAG_set_type:
	case DW_TAG_file_type:
	case DW_TAG_interface_type:
	case DW_TAG_packed_type:
	case DW_TAG_shared_type:
	case DW_TAG_immutable_type:
	case DW_TAG_coarray_type:
	case DW_TAG_dynamic_type:
	case DW_TAG_template_alias:
		return REC_ALIAS;
	default:
		return 0;
	}
}

void abbrev__classify(struct abbrev *a)
{
	a->kind = kind_of(a->tag);
	a->parents = 0;
	a->use = USE_ITEM;
	switch (a->tag) {
	case DW_TAG_member:
		a->parents = KIND(BTF_KIND_STRUCT) | KIND(BTF_KIND_UNION);
		break;
	case DW_TAG_enumerator:
		a->parents = KIND(BTF_KIND_ENUM) | KIND(BTF_KIND_ENUM64);
		break;
	case DW_TAG_subrange_type:
		a->parents = KIND(BTF_KIND_ARRAY);
		break;
	case DW_TAG_formal_parameter:
	case DW_TAG_unspecified_parameters:
		a->parents = KIND(BTF_KIND_FUNC) | KIND(BTF_KIND_FUNC_PROTO);
		break;
	case DW_TAG_LLVM_annotation:
		a->parents = TAKES_ANNOTATIONS;
		break;
	case DW_TAG_subprogram:
		a->use = abbrev__has(a, AT_DECLARATION) ? USE_DECLARATION : USE_FUNC;
		break;
	case DW_TAG_variable:
		a->use = abbrev__has(a, AT_LOCATION) ? USE_VAR : USE_NEVER;
		break;
	case DW_TAG_inlined_subroutine:
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
		a->use = USE_NEVER;
		if (a->children && abbrev__has(a, AT_SIBLING))
			a->use = USE_TREE;
		else if (a->tag != DW_TAG_inlined_subroutine && abbrev__has(a, AT_ORIGIN))
			a->use = USE_CALL;
		break;
	default:
		a->use = a->kind ? USE_TYPE : USE_NEVER;
	}
}
