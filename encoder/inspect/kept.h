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
#include "image/kprobes.h"
#include "inspect/input.h"
#include "locate/build_id.h"

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
 * struct kept - a block, opened
 * @decls:	by id, counted from the BTF's first
 * @inlined:	ordered by name
 * @symbols:	function symbols from _text on
 * @verdicts:	enum kprobe_verdict by id, as @decls
 * @left_out:	how many functions are listed and omitted, as text, or NULL
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
 * kept__read() - read what is kept of a kernel
 *
 * Return: 0; -ENOENT without a message if nothing good is; -ENOMEM.
 */
int kept__read(const struct build_id *id, struct kept **ret);

/**
 * kept__make() - make a block of an opened image, and keep it if there is a place
 * @in:		a linked image with DWARF
 *
 * Return: 0; -ENOTSUP if it is a module or has no DWARF, of which nothing is kept;
 * or another negative errno after a message.
 */
int kept__make(const struct build_id *id, const struct input *in, struct kept **ret);

/** kept__open() - Take a malloc()ed block, if it is good. Return: as kept__read(). */
int kept__open(void *block, size_t size, const struct build_id *id, struct kept **ret);

/** kept__verdict() - Return: what is kept of the function with that id. */
enum kprobe_verdict kept__verdict(const struct kept *kept, uint32_t id);

/** kept__string() - Return: the string at an offset, NULL for 0 or one out of range. */
const char *kept__string(const struct kept *kept, uint32_t offset);

void kept__free(struct kept *kept);

/* The header of the block.  The parts follow in this order. */
struct kept_header {
	char		magic[8];
	uint32_t	version;
	uint32_t	byte_order;
	char		program[16];
	uint8_t		id[BUILD_ID_MAX];
	uint32_t	id_size;
	uint32_t	zero;
	uint64_t	check;		/* of all that follows */
	uint64_t	btf_size;	/* a multiple of 4 */
	uint64_t	strs_size;
	uint32_t	left_out;
	uint32_t	nr_decls;
	uint32_t	nr_inlined;
	uint32_t	nr_symbols;
};

/** kept_header__init() - Fill all but the sizes and @check. */
void kept_header__init(struct kept_header *h, const struct build_id *id);

/** kept_header__check() - Return: what @check has to be, of a block of @size bytes. */
uint64_t kept_header__check(const struct kept_header *h, size_t size);

/** kept__path() - Return: where a block of that kernel is kept, malloc()ed; or NULL. */
char *kept__path(const struct build_id *id);

#endif /* ABTF_INSPECT_KEPT_H */
