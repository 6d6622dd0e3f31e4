/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A reader of BTF for tests, plain or with addresses, in either byte order.
 *
 * Deliberately shares nothing with the encoder, not even the header of the format: its
 * rules were written separately, from Documentation/bpf/btf.rst and the format's
 * description.
 */
#ifndef COMPARE_RAW_H
#define COMPARE_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum kind {
	VOID, INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST,
	RESTRICT, FUNC, FUNC_PROTO, VAR, DATASEC, FLOAT, DECL_TAG, TYPE_TAG, ENUM64,
	NR_KINDS
};

extern const char *const kind_names[NR_KINDS];

/**
 * struct btf - one BTF object
 * @path:	where it came from, for messages
 * @word:	the types, as words in native byte order; [at[id]] is a type's first
 * @at:		by id; at[0] is a void made up for the purpose
 * @nr:		number of ids, void included
 * @first:	1; of split BTF, the first id that is not the base's
 * @types_at:	offset of the type section that was read (not the one of the base)
 * @strs:	string section
 * @strs_len:	its bytes
 * @swapped:	it was in the other byte order
 */
struct btf {
	const char	*path;
	uint32_t	*word;
	uint32_t	*at;
	uint32_t	nr;
	uint32_t	first;
	uint32_t	types_at;
	char		*strs;
	uint32_t	strs_len;
	bool		swapped;
};

/* Reads raw BTF or an ELF file's .BTF.  Ends the program on anything malformed. */
struct btf *btf_read(const char *path);

/* Reads split BTF: the object holds the base's types and strings as well. */
struct btf *btf_read_split(const char *path, const struct btf *base);

void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void *alloc(size_t nr, size_t size);

/* All of a file. */
uint8_t *read_file(const char *path, size_t *size);

static inline uint32_t *type_of(const struct btf *btf, uint32_t id)
{
	return btf->word + btf->at[id];
}

static inline enum kind kind_of(const uint32_t *t)
{
	return t[1] >> 24 & 0x1f;
}

static inline uint32_t vlen_of(const uint32_t *t)
{
	return t[1] & 0xffff;
}

static inline bool flag_of(const uint32_t *t)
{
	return t[1] >> 31;
}

/* Number of words of a type, record included; 0 for a kind there is not. */
uint32_t type_words(const uint32_t *t);

/* The meaning of a word of a type. */
enum role { NUMBER, NAME, EDGE };
enum role word_role(const uint32_t *t, uint32_t i);

const char *string_at(const struct btf *btf, uint32_t offset);

/* The address record of a FUNC with kind_flag, as one number. */
static inline uint64_t func_record(const uint32_t *t)
{
	return (uint64_t)t[4] << 32 | t[3];
}

/* A type as C would write it, in a buffer that the caller frees. */
char *type_in_c(const struct btf *btf, uint32_t id, const char *declarator);

/* Writes raw BTF in native byte order, string section as it was. */
void btf_write(const struct btf *btf, const char *path);

#endif /* COMPARE_RAW_H */
