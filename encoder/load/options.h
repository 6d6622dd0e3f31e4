/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of the loaders. */
#ifndef ABTF_LOAD_OPTIONS_H
#define ABTF_LOAD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct load_options - what to read
 * @percpu:	read per-CPU variables
 * @global_vars: read variables of all sections
 * @floats:	floating-point types as FLOAT (otherwise as INT)
 * @decl_tags:	btf_decl_tag annotations
 * @type_tags:	btf_type_tag annotations
 * @attributes:	from BTF only: tags for arbitrary attributes (kind_flag)
 * @kfunc_tags:	from BTF only: tags that mark kfuncs
 * @enum64:	64-bit enums as ENUM64 (otherwise as ENUM, truncated), and a sign for all enums,
 *		which kernels before 6.0 reject
 * @proven:	prove the prototypes of functions (otherwise determine them as pahole does)
 * @true_signature: pahole's feature with this name
 * @only:	languages to read (DW_LANG_*), if @nr_only is not 0
 * @excluded:	languages to skip
 */
struct load_options {
	bool			percpu;
	bool			global_vars;
	bool			floats;
	bool			decl_tags;
	bool			type_tags;
	bool			attributes;
	bool			kfunc_tags;
	bool			enum64;
	bool			proven;
	bool			true_signature;
	const uint32_t		*only;
	uint32_t		nr_only;
	const uint32_t		*excluded;
	uint32_t		nr_excluded;
};

#endif /* ABTF_LOAD_OPTIONS_H */
