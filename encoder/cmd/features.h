/* SPDX-License-Identifier: GPL-2.0-only */
/* --features=LIST and pahole's --btf_features=LIST: one table, one grammar. */
#ifndef ABTF_CMD_FEATURES_H
#define ABTF_CMD_FEATURES_H

#include <stdbool.h>
#include <stdio.h>

#include "encode.h"

/**
 * struct features - what is switched on
 *
 * In pahole's words, but for @func_addr and @func_unit, which are ours.
 */
struct features {
	bool		encode_force;
	bool		var;
	bool		float_;
	bool		decl_tag;
	bool		type_tag;
	bool		enum64;
	bool		optimized_func;
	bool		consistent_func;
	bool		decl_tag_kfuncs;
	bool		reproducible_build;
	bool		distilled_base;
	bool		global_var;
	bool		attributes;
	bool		true_signature;
	bool		layout;
	bool		force_cu_merging;
	bool		func_addr;
	bool		func_unit;
	bool		func_addr_asked;
};

/** features__default() - What kbuild asks for; with @ours, func_addr and func_unit too. */
void features__default(struct features *f, bool ours);

/**
 * features__parse() - switch a list of features on
 * @list:	"a,b": these; "default": the defaults; "+a,b": the defaults and
 *		these.  Several lists add up.
 * @ours:	what "default" means, as with features__default()
 * @unknown:	where the first unknown name goes, NULL if there is none
 */
void features__parse(struct features *f, const char *list, bool ours, const char **unknown);

/** features__print() - Print all names in one line, separated by commas. */
void features__print(FILE *out);

/** features__apply() - Turn features into the encoder's options. */
void features__apply(const struct features *f, struct encode_options *opts);

/**
 * languages__parse() - turn "rust,c++" into DW_LANG_* numbers
 * @ret:	room for 64 numbers
 * @unknown:	where the first unknown name goes, NULL if there is none
 *
 * Return: their number.
 */
uint32_t languages__parse(const char *list, uint32_t *ret, const char **unknown);

#define MAX_LANGUAGES	64

#endif /* ABTF_CMD_FEATURES_H */
