/* SPDX-License-Identifier: GPL-2.0-only */
/* From a FUNC of BTF to what the kernel does with a kprobe there. */
#ifndef ABTF_INSPECT_VERDICT_H
#define ABTF_INSPECT_VERDICT_H

#include "btf/format.h"
#include "image/kprobes.h"

/**
 * func__verdict() - decide for a FUNC of an image
 * @name:	NAME or NAME@FILE
 * @record:	its address, or NULL
 *
 * A FUNC without an address is looked up by its name, which no other function has.
 */
enum kprobe_verdict func__verdict(const struct kprobes *k, const char *name,
				  const struct btf_func *record);

#endif /* ABTF_INSPECT_VERDICT_H */
