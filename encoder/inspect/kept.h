/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cache of `abtf list`, below $XDG_CACHE_HOME/abtf: finding and reading a debug
 * image takes seconds, and its build id shows that the image is unchanged.
 *
 * One block per kernel: BTF with addresses, where functions are declared, whether
 * they can be probed, and which of them were inlined.  An earlier call wrote the file
 * and renamed it into place, but it may still be truncated or malformed.  A checksum
 * catches truncation, every value is checked against its bounds, and the BTF is
 * checked like any other BTF.  A bad file is regenerated.
 */
#ifndef ABTF_INSPECT_KEPT_H
#define ABTF_INSPECT_KEPT_H

#include "btf/read.h"
#include "inspect/kprobes.h"
#include "locate/build_id.h"

struct input;

/**
 * struct kept_func - the facts about a function, as in struct func
 * @decl_file:	offset of a string; 0: unknown
 * @verdict:	enum kprobe_verdict
 */
struct kept_func {
	uint32_t	decl_file;
	uint32_t	decl_line;
	uint32_t	inlined;
	uint32_t	verdict;
};

/**
 * struct kept_symbol - the code of a function symbol
 * @start:	from _text; @size: in bytes
 * @name:	offset of a string, 0 if there is a FUNC
 * @func:	1 + the index of that FUNC among all, or 0
 */
struct kept_symbol {
	uint32_t	start;
	uint32_t	size;
	uint32_t	name;
	uint32_t	func;
};

/**
 * struct kept - an opened block
 * @funcs:	ordered as in struct funcs, @btf->nr_funcs
 * @calls:	numbers of inlined calls, @nr_calls
 * @symbols:	function symbols, starting at _text
 * @left_out:	the numbers of listed and omitted functions, as text, or NULL
 * @block:	all of it, @size bytes
 */
struct kept {
	struct btf_data			*btf;
	const struct kept_func		*funcs;
	uint32_t			*calls;
	const struct kept_symbol	*symbols;
	uint32_t			nr_calls;
	uint32_t			nr_symbols;
	char				*strs;
	uint64_t			strs_size;
	char				*left_out;
	uint8_t				*block;
	size_t				size;
};

/**
 * kept__read() - Return: the cache entry of a kernel; NULL, without a message, if none is
 * valid.
 */
struct kept *kept__read(const struct build_id *id);

/**
 * kept__make() - cache an opened image if possible
 * @in:		its facts are found, and its ids hidden, if it is a linked image with DWARF
 *
 * Return: 0, or a negative errno after a message.
 */
int kept__make(const struct build_id *id, struct input *in);

/** kept__restore() - Use a cache entry, which is freed with the input. */
void kept__restore(struct kept *kept, struct input *in);

/** kept__string() - Return: the string at an offset, NULL for 0 or one out of range. */
static inline char *kept__string(const struct kept *kept, uint32_t offset)
{
	return offset && offset < kept->strs_size ? kept->strs + offset : NULL;
}

void kept__free(struct kept *kept);

#endif /* ABTF_INSPECT_KEPT_H */
