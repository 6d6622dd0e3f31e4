/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading BTF, plain or with addresses, in either byte order.
 *
 * Checks all bytes of possibly malformed BTF (see btf_data__validate()), and returns an
 * immutable object in native byte order, indexed by id.  libbpf cannot be used, because it
 * does not support the record.
 */
#ifndef ABTF_BTF_READ_H
#define ABTF_BTF_READ_H

#include "btf/data.h"
#include "image/image.h"

/* A likely reason for errors without a base, and for --base=SPLIT */
#define NEEDS_BASE	"split BTF needs its base: specify vmlinux with --base"

/**
 * btf_data__parse() - check and index raw BTF
 * @bytes:	header, types and strings, as in .BTF; must outlive @ret; copied only if of the
 *		other byte order, or not aligned
 * @size:	their number
 * @subject:	its name in messages (a path)
 * @base:	the base of split BTF, or NULL; must outlive @ret
 * @ret:	the result
 * @len:	NULL; or set to the size of this object, the first of several that a linker has
 *		concatenated
 *
 * Zeroes after the strings are ignored: .BTF in a final image may be padded.
 *
 * With @len, all bytes are copied, an object whose strings start with an empty one is not split
 * BTF, and one quirk is accepted: gcc 12 encodes a plain char as both signed and a character,
 * but the kernel accepts only one of these flags.  It becomes signed, as it is in DWARF.
 *
 * Return: 0; -EINVAL after a message that names id, offset, what was found and
 * what was expected.
 */
int btf_data__parse(const void *bytes, size_t size, const char *subject,
		    const struct btf_data *base, struct btf_data **ret, size_t *len);

void btf_data__free(struct btf_data *btf);

/**
 * btf_data__validate() - check all types of an indexed object
 * @btf:	every type is within @btf->types, and has a known kind
 * @subject:	what messages call it
 *
 * Afterwards: ids and string offsets are in range and refer to allowed types and names, and
 * every cycle of references contains a struct or union.  Takes time linear in the size of
 * the BTF, and no recursion.
 *
 * Return: 0, or -EINVAL after a message about the first violation.
 */
int btf_data__validate(const struct btf_data *btf, const char *subject);

/**
 * btf_data__check_values() - check what only the kernel rejects (kernel/bpf/btf.c)
 *
 * These are structs and unions that contain themselves as values (btf_resolve()), more than MAX_MODIFIERS
 * modifiers in a row, and TYPE_TAGs after other modifiers (btf_check_type_tags()).
 * btf_data__validate() accepts them: abtf follows members only as far as a user names them.
 *
 * Return: 0, or -EINVAL after a message about the first one.
 */
int btf_data__check_values(const struct btf_data *btf, const char *subject);

#endif /* ABTF_BTF_READ_H */
