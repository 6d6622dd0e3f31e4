/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types in BTF as the store has them: what each kind makes of info, size and elements.
 *
 * Names are string offsets then, and references type ids.
 */
#ifndef ABTF_BTF_DECODE_H
#define ABTF_BTF_DECODE_H

#include "types/node.h"

/**
 * btf_type__decode() - a type as a node
 * @t:	a valid type in native byte order
 * @n:	where it goes; it has no hash, place and counts, and no children yet
 *
 * An ENUM without values is a forward declaration, as btf.rst knows no other way.
 *
 * Return: false if it is an INT with a bit offset or padding, which a node cannot express.
 */
bool btf_type__decode(const struct btf_type *t, struct node *n);

/** btf_type__child() - Return: the @k-th member, enumerator or parameter. */
static inline struct child btf_type__child(const struct btf_type *t, uint32_t k)
{
	const uint32_t *e = btf_type__element(t, k);
	struct child c = { .name = e[0] };

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_ENUM:
		c.value = (int32_t)e[1];
		break;
	case BTF_KIND_ENUM64:
		c.value = (uint64_t)e[2] << 32 | e[1];
		break;
	case BTF_KIND_FUNC_PROTO:
		c.ref = e[1];
		break;
	default: /* STRUCT, UNION */
		c.ref = e[1];
		c.value = BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BIT_OFFSET(e[2]) : e[2];
		c.bits = BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BITFIELD_SIZE(e[2]) : 0;
	}
	return c;
}

#endif /* ABTF_BTF_DECODE_H */
