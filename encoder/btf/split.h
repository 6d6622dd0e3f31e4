/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Split BTF, after deduplication.
 *
 * While libbpf compares a module's types with each other, each type of the base
 * that they refer to is stood in for by an INT with a name that nothing else
 * has: the base itself need not be looked at.  Here references are made to lead
 * to the base again, ids and string offsets to continue the base's.
 */
#ifndef ABTF_BTF_SPLIT_H
#define ABTF_BTF_SPLIT_H

#include "btf/base.h"

struct btf;

/**
 * struct split - split BTF in the making
 * @base:	what it stands on; NULL for BTF of its own
 * @text:	strings that the base does not have
 * @slots:	open addressing by string: offsets in @text + 1, 0 is free
 */
struct split {
	const struct base	*base;
	char			*text;
	uint32_t		text_len, text_cap;
	uint32_t		*slots;
	uint32_t		nr_slots, nr_strings;
};

int split__init(struct split *sp, const struct base *base);
void split__destroy(struct split *sp);

/** split__string() - Return: the offset of a string, the base's or a new one; negative errno. */
int64_t split__string(struct split *sp, const char *s);

/**
 * split__rewrite() - make types refer to what they are to refer to
 * @types:	types in native byte order, as libbpf has them; changed
 * @len:	their bytes
 * @from:	where their strings are
 * @ids:	by id in @from: the id to write
 *
 * Return: 0, or a negative errno after a message.
 */
int split__rewrite(struct split *sp, void *types, size_t len, const struct btf *from,
		   const uint32_t *ids);

#endif /* ABTF_BTF_SPLIT_H */
