/* SPDX-License-Identifier: GPL-2.0-only */
/* What was decided about functions and variables becomes the writer's input. */
#ifndef ABTF_FUNCTIONS_COLLECT_H
#define ABTF_FUNCTIONS_COLLECT_H

#include "btf/write.h"
#include "functions/decide.h"
#include "functions/kfuncs.h"
#include "functions/variables.h"
#include "load/observe.h"

/**
 * collect_kfuncs() - add the tags of kfuncs that have a FUNC
 * @attributes:	also add attributes to their prototypes, before the FUNCs refer to these
 *
 * Return: 0, or a negative errno after a message.
 */
int collect_kfuncs(struct btf_out *out, const struct kfuncs *kfuncs, const struct symbols *syms,
		   struct instances *in, struct store *store, bool attributes);

/** collect_vars() - add the variables that are encoded */
void collect_vars(struct btf_out *out, const struct decided_vars *vars);

/** collect_tags() - add the tags of types, and of the functions and variables in @out */
void collect_tags(struct btf_out *out, const struct observed *observed,
		  const struct instances *in, const struct decided_vars *vars,
		  const struct store *store);

#endif /* ABTF_FUNCTIONS_COLLECT_H */
