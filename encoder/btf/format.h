/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The format: BTF_KIND_FUNC with a function's address.
 *
 * A FUNC whose info.kind_flag is set is followed by one struct btf_func.  Only this header
 * knows the bits of the record; the encoder and its readers use it.
 *
 * The record is one 64-bit word, stored low half first in either byte order
 * (each half in the byte order of the BTF):
 *
 *	bits  0..47	offset of the function's entry from the text base
 *	bits 48..55	reserved, 0
 *	bits 56..63	guard, all ones
 *
 * The offset is less than 4 GB, so the second half is always the same.  The kernel rejects
 * BTF with other records.
 *
 * It is not a __u64, because type data is only 4-byte aligned (ENUM64 splits its values for
 * the same reason).  The guard is for readers that do not know the record.  They read the
 * second half as the info word of a type, find the unknown kind 31, and stop.  Without it,
 * they would find kind 0, and might silently shift every later id.
 */
#ifndef ABTF_BTF_FORMAT_H
#define ABTF_BTF_FORMAT_H

#include <stdbool.h>
#include <linux/btf.h>
#include <linux/types.h>

/**
 * struct btf_func - what follows a BTF_KIND_FUNC with kind_flag set
 * @addr_lo:	bits 0..31 of the word
 * @addr_hi:	bits 32..63 of the word
 */
struct btf_func {
	__u32	addr_lo;
	__u32	addr_hi;
};

_Static_assert(sizeof(struct btf_func) == 8, "the record is 8 bytes");

#define BTF_FUNC_OFFSET_MAX	0xffffffffU
#define BTF_FUNC_GUARD		0xffU
#define BTF_FUNC_ADDR_HI	(BTF_FUNC_GUARD << 24)

/**
 * btf_func__make() - build a record
 * @offset:	bytes from the text base, at most BTF_FUNC_OFFSET_MAX
 *
 * Return: the record in native byte order.
 */
static inline struct btf_func btf_func__make(__u64 offset)
{
	return (struct btf_func){
		.addr_lo = (__u32)offset,
		.addr_hi = BTF_FUNC_ADDR_HI,
	};
}

/** btf_func__offset() - Return: bytes from the text base to the entry. */
static inline __u64 btf_func__offset(const struct btf_func *func)
{
	return func->addr_lo;
}

/** btf_func__valid() - Check the guard, the reserved bits, and that the offset is not too large. */
static inline bool btf_func__valid(const struct btf_func *func)
{
	return func->addr_hi == BTF_FUNC_ADDR_HI;
}

#endif /* ABTF_BTF_FORMAT_H */
