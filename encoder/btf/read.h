/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading BTF, plain or with addresses, in either byte order.
 *
 * Takes bytes that may lie, checks every one of them (see btf_data__validate()), and
 * hands out an immutable object in native byte order, indexed by id.  libbpf
 * cannot be asked: it does not know the record.  For readers that do not,
 * btf_data__plain() gives bytes that they take.
 */
#ifndef ABTF_BTF_READ_H
#define ABTF_BTF_READ_H

#include "btf/data.h"
#include "image/image.h"

/**
 * btf_data__parse() - check and index raw BTF
 * @bytes:	header, types and strings, as in .BTF; copied
 * @size:	their number
 * @subject:	what messages call it (a path)
 * @base:	the base of split BTF, or NULL; must outlive @ret
 * @ret:	where the object goes
 *
 * Zeroes after the strings are ignored: .BTF in a final image may be padded.
 *
 * Return: 0; -EINVAL after a message that names id, offset, what was found and
 * what was expected.
 */
int btf_data__parse(const void *bytes, size_t size, const char *subject,
		    const struct btf_data *base, struct btf_data **ret);

/**
 * btf_data__parse_part() - check and index the first of several objects
 * @bytes:	several objects, concatenated by a linker
 * @size:	bytes of all of them
 * @base:	the base, in case the object is split BTF; an object whose strings start
 *		with an empty one is not
 * @len:	set to the size of this object
 *
 * Like btf_data__parse(), except that other objects may follow, and that one quirk is
 * accepted: gcc 12 encodes a plain char as both signed and a character, but the kernel
 * accepts only one of these flags.  It becomes signed, as it is in DWARF.
 */
int btf_data__parse_part(const void *bytes, size_t size, const char *subject,
			 const struct btf_data *base, struct btf_data **ret, size_t *len);

/**
 * btf_data__parse_in_place() - check and index raw BTF where it is
 * @bytes:	must outlive @ret; copied only if of the other byte order, or not aligned
 *
 * As btf_data__parse(), without the time and memory of a copy.
 */
int btf_data__parse_in_place(const void *bytes, size_t size, const char *subject,
			     const struct btf_data *base, struct btf_data **ret);

void btf_data__free(struct btf_data *btf);

/**
 * btf_data__plain() - the same BTF without records
 * @loadable:	also omit FUNCs whose names contain a file, which the kernel accepts only
 *		with a record, and tags on them; later ids move up
 * @bytes:	where a malloc()ed buffer goes, @size bytes
 *
 * FUNCs lose kind_flag and record.  Ids do not change, unless @loadable omits some;
 * everything else is copied unchanged, including string offsets and the byte order.
 *
 * Return: the number of omitted types.
 */
uint32_t btf_data__plain(const struct btf_data *btf, bool loadable, void **bytes, size_t *size);

/**
 * btf_data__validate() - check all types of an indexed object
 * @btf:	every record lies within @btf->types and has a known kind
 * @subject:	what messages call it
 *
 * Afterwards: ids and string offsets are in range and name what they may name,
 * and every cycle of references leads through a struct or union.  Takes time
 * linear in the size of the BTF, and no recursion.
 *
 * Return: 0, or -EINVAL after a message about the first violation.
 */
int btf_data__validate(const struct btf_data *btf, const char *subject);

#endif /* ABTF_BTF_READ_H */
