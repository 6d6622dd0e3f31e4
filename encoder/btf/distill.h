/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A distilled base: what split BTF needs to know of its base to find it again in
 * another build of the same kernel.
 *
 * A module built outside of the kernel's tree cannot rely on the ids and string
 * offsets of the vmlinux it was built for.  It brings .BTF.base, in which the
 * named types that it refers to stand with kind, name and size alone; whoever
 * loads it looks these up in the base at hand.  The rules are those of libbpf's
 * btf__distill_base() (v1.5 on), and so is the distilled base, byte for byte.
 */
#ifndef ABTF_BTF_DISTILL_H
#define ABTF_BTF_DISTILL_H

#include "btf/base.h"
#include "btf/write.h"

/**
 * distill__base() - put split BTF on a base of its own
 * @base:	what @btf stands on
 * @btf:	changed to stand on the distilled base: other types, ids and bytes,
 *		and other places of the records
 * @nr_funcs:	number of its FUNCs
 * @big_endian:	byte order of @btf and of the distilled base
 * @bytes:	where the distilled base goes, malloc()ed: no FUNC, no address
 * @size:	its bytes
 *
 * Return: 0, or a negative errno after a message (but for -ENOMEM).
 */
int distill__base(const struct base *base, struct btf_bytes *btf, uint32_t nr_funcs,
		  bool big_endian, void **bytes, size_t *size);

#endif /* ABTF_BTF_DISTILL_H */
