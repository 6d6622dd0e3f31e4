/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the writer's files share: write.c writes the types and what libbpf is to make of
 * them, write_tail.c what comes behind: functions, variables and tags.
 */
#ifndef ABTF_BTF_WRITER_H
#define ABTF_BTF_WRITER_H

#include <string.h>

#include "btf/split.h"
#include "btf/write.h"
#include "types/conflict.h"
#include "util/bytes.h"
#include "util/grow.h"

/* A buffer of 32-bit words, which is all that type data is made of. */
struct words {
	uint32_t	*array;
	uint32_t	nr, cap;
};

static inline int add_words(struct words *w, uint32_t nr, const uint32_t *words)
{
	if (grow(&w->array, &w->cap, (uint64_t)w->nr + nr, sizeof(*w->array)))
		return -ENOMEM;
	memcpy(w->array + w->nr, words, nr * sizeof(*words));
	w->nr += nr;
	return 0;
}

#define ADD(w, ...) ({						\
	const uint32_t _words[] = { __VA_ARGS__ };		\
	add_words(w, ARRAY_SIZE(_words), _words);		\
})

static inline uint32_t make_info(uint32_t kind, uint32_t vlen, bool kind_flag)
{
	return (uint32_t)kind_flag << 31 | kind << 24 | vlen;
}

/**
 * struct writer - numbering and text of one btf_out__write()
 * @ids:	by node: its id in what libbpf is given, then its final id
 * @order:	nodes in the order of their first ids
 * @nr_types:	their number
 * @holders:	ids of the base that are stood in for, in the order of their
 *		placeholders' ids in what libbpf is given, the first of which is
 *		@first_holder; see split.h
 * @first_id:	id that the first type gets in the end
 * @final:	the types as they are written, @final_len bytes
 * @offsets:	by string id: offset of its identifier in @text, 0 if it is not
 *		there yet
 * @nr_renamed:	strings that were none
 * @index:	id of the INT that arrays are indexed by, 0 for none
 */
struct writer {
	const struct btf_out	*out;
	const struct store	*store;
	struct primaries	primaries;
	uint32_t		*ids;
	uint32_t		*order;
	uint32_t		nr_types;
	uint32_t		index;
	uint32_t		*holders;
	uint32_t		nr_holders, cap_holders;
	uint32_t		first_holder;
	uint32_t		first_id;
	bool			no_memory;
	struct split		split;
	void			*final;
	size_t			final_len;
	uint32_t		*offsets;
	uint32_t		nr_renamed;
	char			*text;
	uint32_t		text_len, text_cap;
	struct words		types;
	struct btf		*btf;
};

/**
 * writer__check_offset() - may a string stand so far from the first?
 *
 * The kernel takes none farther away; nor does any image have so many.
 *
 * Return: 0, or -E2BIG after a message.
 */
int writer__check_offset(uint64_t offset);

/** writer__ref() - Return: the id of what a node refers to, 0 for void. */
uint32_t writer__ref(struct writer *w, const struct node *from, uint32_t ref);

/**
 * writer__tail() - write FUNCs, VARs, DATASECs and DECL_TAGs
 * @tail:	gets them; the types before them are final
 * @ret:	gets figures, and where the records are
 *
 * Return: 0, or a negative errno after a message.
 */
int writer__tail(struct writer *w, struct words *tail, struct btf_bytes *ret);

#endif /* ABTF_BTF_WRITER_H */
