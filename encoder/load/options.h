/* SPDX-License-Identifier: GPL-2.0-only */
/* What loaders are asked for. */
#ifndef ABTF_LOAD_OPTIONS_H
#define ABTF_LOAD_OPTIONS_H

#include "image/image.h"

/**
 * struct load_options - what to read
 * @percpu:	the per-CPU section, if its variables are wanted
 * @global_vars: variables of all sections
 * @floats:	floating point types as FLOAT (else as INT)
 * @decl_tags:	btf_decl_tag annotations
 * @type_tags:	btf_type_tag annotations
 * @attributes:	from BTF only: tags that stand for any attribute (kind_flag)
 * @kfunc_tags:	from BTF only: tags that say which functions are kfuncs
 * @enum64:	enums of 64 bits as ENUM64 (else as ENUM, cut off)
 * @proven:	prototypes of functions by proof (else as pahole has them)
 * @true_signature: pahole's feature of that name
 * @only:	languages to be read (DW_LANG_*), if @nr_only
 * @excluded:	languages not to be read
 */
struct load_options {
	const struct section	*percpu;
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
