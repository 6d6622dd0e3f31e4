/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A distilled base: the minimum that split BTF needs to find its base types in
 * another build of the same kernel.
 *
 * An out-of-tree module cannot rely on the ids and string offsets of the vmlinux that
 * it was built for.  It comes with .BTF.base, which contains only kind, name and size
 * of the named types that the module refers to; the kernel looks these up in its own
 * BTF when it loads the module.  The result is byte for byte the same as from libbpf's
 * btf__distill_base() (v1.5 and later), whose rules are used here.
 */
#ifndef ABTF_BTF_DISTILL_H
#define ABTF_BTF_DISTILL_H

#include "btf/base.h"
#include "btf/write.h"

/**
 * distill__base() - rebase split BTF on a distilled base
 * @base:	the base of @btf
 * @btf:	gets the distilled base, which has no FUNC and no address, and is changed to use
 *		it: types, ids, bytes and places of the records change
 *
 * Return: 0, or a negative errno after a message.
 */
int distill__base(const struct base *base, struct btf_bytes *btf);

#endif /* ABTF_BTF_DISTILL_H */
