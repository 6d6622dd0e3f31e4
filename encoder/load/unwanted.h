/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cache of unused functions without a body.
 *
 * Four of five functions in DWARF are unused: each unit has those that its headers
 * declare, or define inline, and there is no symbol with their name.  A name is cached
 * until another one replaces it.
 */
#ifndef ABTF_LOAD_UNWANTED_H
#define ABTF_LOAD_UNWANTED_H

#include <stdbool.h>
#include <stdint.h>

#define UNWANTED_BITS	14

/** struct unwanted - @keys: see unwanted__key(), at index unwanted__place(); 0 if empty */
struct unwanted {
	uint32_t	keys[1 << UNWANTED_BITS];
};

/* From the 31-bit offset of a name in .debug_str; declarations have separate keys. */
static inline uint32_t unwanted__key(uint32_t offset, bool declared)
{
	return (offset << 1 | declared) + 1;
}

static inline uint32_t unwanted__place(uint32_t key)
{
	return key * 0x9e3779b1U >> (32 - UNWANTED_BITS);
}

static inline bool unwanted__has(const struct unwanted *u, uint32_t offset, bool declared)
{
	uint32_t key = unwanted__key(offset, declared);

	return key && u->keys[unwanted__place(key)] == key;
}

static inline void unwanted__add(struct unwanted *u, uint32_t offset, bool declared)
{
	uint32_t key = unwanted__key(offset, declared);

	u->keys[unwanted__place(key)] = key;
}

#endif /* ABTF_LOAD_UNWANTED_H */
