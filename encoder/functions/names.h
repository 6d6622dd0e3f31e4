/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of FUNCs: NAME, or NAME@FILE where that does not say which function.
 *
 * Given the instances and the files of their units; the last to judge which of
 * them are encoded, for who shares a name needs a file that tells it apart.
 */
#ifndef ABTF_FUNCTIONS_NAMES_H
#define ABTF_FUNCTIONS_NAMES_H

#include "functions/decide.h"
#include "image/ftrace.h"

/**
 * instances__name() - give FUNCs their names, and put them in order
 * @in:		what was decided; those that are encoded go by their symbol's name
 * @files:	by unit: its path in the source tree, "" if that is not known
 * @ftrace:	what ftrace can patch
 *
 * With addresses and @opts->files, the FUNC of a function that shares its name
 * with others of the image is called NAME@FILE.  Several of one file are
 * NAME@FILE#1, #2 and so on, in the order of addresses, whether they are all
 * encoded or not.  So FUNC names are unique.  Without @opts->files they are
 * not.  Functions that share a name are skipped if they have no record or, unless
 * @opts->untraceable is set, if ftrace cannot patch them: nothing could be attached there.
 *
 * @in->order is by the name of the function, then by address.
 *
 * Return: 0 or -ENOMEM.
 */
int instances__name(struct instances *in, const struct symbols *syms, char *const *files,
		    const struct code_table *ftrace, const struct func_options *opts);

/**
 * name__is_valid() - would the kernel take this name of a function or variable?
 *
 * kernel/bpf/btf.c, __btf_name_valid(): letters, digits, '_' and '.', not a
 * digit first, and shorter than KSYM_NAME_LEN (512).
 */
bool name__is_valid(const char *name);

#endif /* ABTF_FUNCTIONS_NAMES_H */
