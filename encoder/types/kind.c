// SPDX-License-Identifier: GPL-2.0-only
#include "types/kind.h"

#define WORDS(type)	(sizeof(type) / sizeof(uint32_t))

/* struct btf_type contains a reference */
#define REFERENCE	.ids = 1, .id_word = 2

/* a type with elements that have a type */
#define ELEMENTS(type)	.element_words = WORDS(type), .vlen = true

/* a type whose name refers */
#define TAGGED		.naming = NAME_OPTIONAL, .names = true, .flag = true

const struct btf_kind btf_kinds[32] = {
	[BTF_KIND_UNKN]		= { "void" },
	[BTF_KIND_INT]		= { "INT", WORDS(__u32), .naming = NAME_TEXT },
	[BTF_KIND_PTR]		= { "PTR", REFERENCE },
	[BTF_KIND_ARRAY]	= { "ARRAY", WORDS(struct btf_array), .ids = 2, .id_word = 3 },
	[BTF_KIND_STRUCT]	= { "STRUCT", TAGGED, ELEMENTS(struct btf_member), .types = true },
	[BTF_KIND_UNION]	= { "UNION", TAGGED, ELEMENTS(struct btf_member), .types = true },
	[BTF_KIND_ENUM]		= { "ENUM", TAGGED, ELEMENTS(struct btf_enum) },
	[BTF_KIND_FWD]		= { "FWD", .naming = NAME_REQUIRED, .flag = true },
	[BTF_KIND_TYPEDEF]	= { "TYPEDEF", REFERENCE, .naming = NAME_REQUIRED },
	[BTF_KIND_VOLATILE]	= { "VOLATILE", REFERENCE },
	[BTF_KIND_CONST]	= { "CONST", REFERENCE },
	[BTF_KIND_RESTRICT]	= { "RESTRICT", REFERENCE },
	[BTF_KIND_FUNC]		= { "FUNC", REFERENCE, .naming = NAME_FUNC,
				    .vlen = true, .flag = true },
	[BTF_KIND_FUNC_PROTO]	= { "FUNC_PROTO", REFERENCE, ELEMENTS(struct btf_param),
				    .names = true, .types = true },
	[BTF_KIND_VAR]		= { "VAR", WORDS(struct btf_var), REFERENCE,
				    .naming = NAME_REQUIRED },
	[BTF_KIND_DATASEC]	= { "DATASEC", ELEMENTS(struct btf_var_secinfo),
				    .naming = NAME_TEXT, .types = true },
	[BTF_KIND_FLOAT]	= { "FLOAT", .naming = NAME_TEXT },
	[BTF_KIND_DECL_TAG]	= { "DECL_TAG", WORDS(struct btf_decl_tag), REFERENCE,
				    .naming = NAME_VALUE, .flag = true },
	[BTF_KIND_TYPE_TAG]	= { "TYPE_TAG", REFERENCE, .naming = NAME_VALUE, .flag = true },
	[BTF_KIND_ENUM64]	= { "ENUM64", TAGGED, ELEMENTS(struct btf_enum64) },
};

const bool btf_name_chars[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true,
	['_'] = true, ['.'] = true,
};
