/* SPDX-License-Identifier: GPL-2.0-only */
/* What was decided about functions and variables becomes the writer's input. */
#ifndef ABTF_FUNCTIONS_OUTPUT_H
#define ABTF_FUNCTIONS_OUTPUT_H

#include "btf/write.h"
#include "functions/decide.h"
#include "functions/kfuncs.h"
#include "functions/variables.h"
#include "load/observe.h"

/**
 * output__add_kfuncs() - add the tags of kfuncs that have a FUNC
 * @attributes:	also add attributes to their prototypes
 *
 * Return: 0, or a negative errno after a message.
 */
int output__add_kfuncs(struct btf_out *out, const struct kfuncs *kfuncs, const struct symbols *syms,
		       const struct instances *in, struct store *store, bool attributes);

/** output__add_vars() - add the variables that are encoded */
void output__add_vars(struct btf_out *out, const struct decided_vars *vars);

/**
 * output__add_funcs() - add the functions that are encoded
 * @has_relocs:	their addresses are relocated
 */
void output__add_funcs(struct btf_out *out, const struct instances *in,
		       const struct func_options *opts, bool has_relocs);

/** output__add_tags() - add the tags of types, and of the functions and variables in @out */
void output__add_tags(struct btf_out *out, const struct observed *observed,
		      const struct instances *in, const struct store *store);

#endif /* ABTF_FUNCTIONS_OUTPUT_H */
