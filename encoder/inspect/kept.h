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
 * struct kept_decl - where a function is declared
 * @file:	offset of a string; 0: unknown
 */
struct kept_decl {
	uint32_t	file;
	uint32_t	line;
};

/** struct kept_inlined - a function that has a body, and was inlined @calls times */
struct kept_inlined {
	uint32_t	name;
	uint32_t	file;
	uint32_t	line;
	uint32_t	calls;
};

/**
 * struct kept_symbol - the code of a function symbol
 * @start:	from _text; @size: in bytes
 * @name:	offset of a string, 0 if there is a FUNC
 * @func:	id of that FUNC, or 0
 */
struct kept_symbol {
	uint32_t	start;
	uint32_t	size;
	uint32_t	name;
	uint32_t	func;
};

/**
 * struct kept - an opened block
 * @decls:	by id, counted from the BTF's first
 * @inlined:	ordered by name
 * @symbols:	function symbols, starting at _text
 * @verdicts:	enum kprobe_verdict by id, as @decls
 * @left_out:	the numbers of listed and omitted functions, as text, or NULL
 * @block:	all of it, @size bytes
 */
struct kept {
	struct btf_data			*btf;
	const struct kept_decl		*decls;
	const struct kept_inlined	*inlined;
	const struct kept_symbol	*symbols;
	const uint8_t			*verdicts;
	uint32_t			nr_decls;
	uint32_t			nr_inlined;
	uint32_t			nr_symbols;
	const char			*strs;
	uint64_t			strs_size;
	const char			*left_out;
	void				*block;
	size_t				size;
};

/**
 * kept__read() - Return: the cache entry of a kernel; NULL, without a message, if none is
 * valid.
 */
struct kept *kept__read(const struct build_id *id);

/**
 * kept__make() - create the block of an opened image, and cache it if possible
 * @ret:	set to the block; NULL unless @in is a linked image with DWARF
 *
 * Return: 0, or a negative errno after a message.
 */
int kept__make(const struct build_id *id, const struct input *in, struct kept **ret);

/** kept__verdict() - Return: the verdict on the function with that id. */
enum kprobe_verdict kept__verdict(const struct kept *kept, uint32_t id);

/** kept__string() - Return: the string at an offset, NULL for 0 or one out of range. */
static inline const char *kept__string(const struct kept *kept, uint32_t offset)
{
	return offset && offset < kept->strs_size ? kept->strs + offset : NULL;
}

void kept__free(struct kept *kept);

#endif /* ABTF_INSPECT_KEPT_H */
