/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The strings of BTF that is written: each once, without strings of the base.
 */
#ifndef ABTF_BTF_SPLIT_H
#define ABTF_BTF_SPLIT_H

#include "btf/base.h"
#include "util/grow.h"
#include "util/table.h"

/**
 * struct split - the strings to write
 * @base:	the base of the BTF, or NULL
 * @text:	strings that the base does not have
 * @by_content:	offsets in @text, counted from 1
 * @err:	a string could not be added: a negative errno, after a message
 */
struct split {
	const struct base	*base;
	VECTOR(char)		text;
	struct hash_table	by_content;
	int			err;
};

/** split__init() - Start without strings.  @nr is an estimate, not a limit. */
void split__init(struct split *sp, const struct base *base, uint32_t nr);
void split__destroy(struct split *sp);

/** split__string() - Find or add a string. Return: its offset, the base's or a new one. */
uint32_t split__string(struct split *sp, const char *s);

/** split__hashed() - The same; @hash: hash_bytes() of its @len bytes. */
uint32_t split__hashed(struct split *sp, const char *s, size_t len, uint32_t hash);

/** split__has() - Test for a string that the base does not have. */
bool split__has(const struct split *sp, const char *s);

#endif /* ABTF_BTF_SPLIT_H */
