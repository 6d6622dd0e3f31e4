/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions without a body that nobody asks for.
 *
 * Four of five functions in DWARF are such: headers declare them, or have them inline, in
 * unit after unit, and no symbol has their name.  What was found out of a name is kept
 * until another one comes to its place.
 */
#ifndef ABTF_LOAD_UNWANTED_H
#define ABTF_LOAD_UNWANTED_H

#include <stdbool.h>
#include <stdint.h>

#define UNWANTED_BITS	14

/** struct unwanted - @keys: see unwanted__key(), each at its place; 0 for none */
struct unwanted {
	uint32_t	keys[1 << UNWANTED_BITS];
};

/* Of the offset of a name in .debug_str, of 31 bits; a declaration is another function. */
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
