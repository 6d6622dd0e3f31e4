// SPDX-License-Identifier: GPL-2.0-only
#include "btf/layout.h"

const struct kind_layout kind_layouts[BTF_KIND_ENUM64 + 1] = {
	[BTF_KIND_INT]		= { .info_sz = sizeof(__u32) },
	[BTF_KIND_ARRAY]	= { .info_sz = sizeof(struct btf_array) },
	[BTF_KIND_STRUCT]	= { .elem_sz = sizeof(struct btf_member) },
	[BTF_KIND_UNION]	= { .elem_sz = sizeof(struct btf_member) },
	[BTF_KIND_ENUM]		= { .elem_sz = sizeof(struct btf_enum) },
	[BTF_KIND_FUNC_PROTO]	= { .elem_sz = sizeof(struct btf_param) },
	[BTF_KIND_VAR]		= { .info_sz = sizeof(struct btf_var) },
	[BTF_KIND_DATASEC]	= { .elem_sz = sizeof(struct btf_var_secinfo) },
	[BTF_KIND_DECL_TAG]	= { .info_sz = sizeof(struct btf_decl_tag) },
	[BTF_KIND_ENUM64]	= { .elem_sz = sizeof(struct btf_enum64) },
};
