/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is encoded: the defaults, and the names of features and languages.
 *
 * --features=LIST and --btf_features=LIST of pahole have one table and one grammar.
 */
#ifndef ABTF_ENCODE_FEATURES_H
#define ABTF_ENCODE_FEATURES_H

#include <stdbool.h>
#include <stdio.h>

#include "encode.h"

/** encode_options__default() - Set the defaults of `abtf encode`. */
void encode_options__default(struct encode_options *opts);

/** features__clear() - Switch all features off. */
void features__clear(struct encode_options *opts);

/** features__default() - Switch on kbuild's features; with @ours, also func_addr and func_unit. */
void features__default(struct encode_options *opts, bool ours);

/** features__all() - Switch on what pahole's "all" does: also variables of all sections. */
void features__all(struct encode_options *opts);

/**
 * features__parse() - switch a list of features on
 * @list:	"a,b": these; "default": the defaults; "+a,b": the defaults and
 *		these.  Several lists add up.
 * @ours:	what "default" means, as with features__default()
 *
 * Return: the first unknown name in @list, or NULL.
 */
const char *features__parse(struct encode_options *opts, const char *list, bool ours);

/** features__print() - Print all names in one line, separated by commas. */
void features__print(FILE *out);

/** features__print_help() - Print a paragraph for --help. */
void features__print_help(void);

/**
 * languages__parse() - turn "rust,c++" into DW_LANG_* numbers
 *
 * Return: the first unknown name in @list, or NULL.
 */
const char *languages__parse(struct languages *ret, const char *list);

/** languages__print() - Print all names in one line, separated by commas. */
void languages__print(FILE *out);

#endif /* ABTF_ENCODE_FEATURES_H */
