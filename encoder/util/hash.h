/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The 128-bit content hash that types are interned by.
 *
 * Two lanes of multiply-and-fold, fed with two 64-bit words at a time.  It must be
 * fast, and wide enough to make accidental collisions unlikely.  A name contributes 64
 * bits: of a kernel's 200,000 names, two share them once in 900 million kernels.  The
 * hash does not resist deliberate collisions, but these only put a wrong type into the
 * BTF of the image that contains them.  Built with sanitizers, contents are
 * compared whenever hashes are equal (store__check_hit()).
 */
#ifndef ABTF_UTIL_HASH_H
#define ABTF_UTIL_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hash {
	uint64_t	lo;
	uint64_t	hi;
};

static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
	unsigned __int128 m = (unsigned __int128)a * b;

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* odd constants with no structure: digits of sqrt(2), sqrt(3), sqrt(5), sqrt(7) */
#define HASH_K0	0x6a09e667f3bcc909ULL
#define HASH_K1	0xbb67ae8584caa73bULL
#define HASH_K2	0x3c6ef372fe94f82bULL
#define HASH_K3	0xa54ff53a5f1d36f1ULL

static inline struct hash hash__new(uint64_t seed)
{
	return (struct hash){ .lo = seed ^ HASH_K0, .hi = seed ^ HASH_K2 };
}

static inline void hash__add(struct hash *h, uint64_t x, uint64_t y)
{
	uint64_t lo = hash_fold(h->lo ^ x, HASH_K1 ^ y);
	uint64_t hi = hash_fold(h->hi ^ y, HASH_K3 ^ x);

	/* the sums keep the old state alive should a product be zero */
	h->lo = lo + (h->hi << 1 | h->hi >> 63);
	h->hi = hi + h->lo;
}

static inline bool hash__equal(struct hash a, struct hash b)
{
	return a.lo == b.lo && a.hi == b.hi;
}

/** hash_bytes() - Return: a 64-bit hash of a string's bytes. */
static inline uint64_t hash_bytes(const char *s, size_t len)
{
	uint64_t h = HASH_K0 ^ len, word;
	const char *end = s + len;
	uint32_t head, tail;

	if (len >= 8) {
		for (; len > 8; len -= 8, s += 8) {
			memcpy(&word, s, 8);
			h = hash_fold(h ^ word, HASH_K1);
		}
		/* some of the last eight may have been there already */
		memcpy(&word, end - 8, 8);
	} else if (len >= 4) {
		memcpy(&head, s, 4);
		memcpy(&tail, end - 4, 4);
		word = (uint64_t)tail << 32 | head;
	} else {
		word = len ? (uint8_t)s[0] | (uint8_t)s[len / 2] << 8 | (uint8_t)s[len - 1] << 16 : 0;
	}
	h = hash_fold(h ^ word, HASH_K3);
	return hash_fold(h ^ HASH_K2, HASH_K1);
}

#endif /* ABTF_UTIL_HASH_H */
