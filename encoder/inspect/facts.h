/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an image shows about the functions in its BTF: where they are declared, whether the
 * kernel accepts kprobes in them, and how often they were inlined.
 */
#ifndef ABTF_INSPECT_FACTS_H
#define ABTF_INSPECT_FACTS_H

#include "inspect/input.h"

/**
 * facts__find() - find declarations and verdicts of all functions
 *
 * Without an image, for a cached kernel, and if they are known already, this does nothing.
 *
 * Return: 0, or a negative errno after a message.
 */
int facts__find(struct input *in);

/** facts__find_inlined() - Count inlined calls, after facts__find(); return the same. */
int facts__find_inlined(struct input *in);

/** facts__symbols() - Read the symbols of an image, unless @in->syms has them; return the same. */
int facts__symbols(struct input *in);

#endif /* ABTF_INSPECT_FACTS_H */
