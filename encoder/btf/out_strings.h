/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The strings of BTF that is written: each once, without strings of the base.
 */
#ifndef ABTF_BTF_OUT_STRINGS_H
#define ABTF_BTF_OUT_STRINGS_H

#include "btf/base.h"
#include "util/grow.h"
#include "util/table.h"

/**
 * struct out_strings - the strings to write
 * @base:	the base of the BTF, or NULL
 * @text:	strings that the base does not have
 * @by_content:	offsets in @text, counted from 1
 * @err:	a string could not be added: a negative errno, after a message
 */
struct out_strings {
	const struct base	*base;
	VECTOR(char)		text;
	struct hash_table	by_content;
	int			err;
};

/** out_strings__init() - Start without strings.  @nr is an estimate, not a limit. */
void out_strings__init(struct out_strings *sp, const struct base *base, uint32_t nr);
void out_strings__destroy(struct out_strings *sp);

/** out_strings__add() - Find or add a string. Return: its offset, the base's or a new one. */
uint32_t out_strings__add(struct out_strings *sp, const char *s);

/** out_strings__add_hashed() - The same; @hash: hash_bytes() of its @len bytes. */
uint32_t out_strings__add_hashed(struct out_strings *sp, const char *s, size_t len, uint32_t hash);

/** out_strings__has() - Test for a string that the base does not have. */
bool out_strings__has(const struct out_strings *sp, const char *s);

#endif /* ABTF_BTF_OUT_STRINGS_H */
