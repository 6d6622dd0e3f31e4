/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The function map: which functions does an image have, and where?
 *
 * BTF has a FUNC only where a prototype can be promised.  A probe needs an address, so the
 * commands that find functions use this map instead: every function symbol in the image's
 * code, with its file and prototype if they are known.  Without symbols, it consists of the
 * FUNCs of BTF.
 *
 * A source function may have several bodies: in several files, and clones, which have the
 * symbols NAME.isra.0, NAME.constprop.0 and the like.  NAME means all of them.
 */
#ifndef ABTF_INSPECT_FUNCTION_MAP_H
#define ABTF_INSPECT_FUNCTION_MAP_H

#include <jansson.h>
#include <string.h>

#include "functions/decide.h"
#include "inspect/input.h"
#include "inspect/instructions.h"
#include "inspect/kprobes.h"
#include "locate/build_id.h"

/**
 * enum code_kind - what a function symbol names
 * @CODE_BODY:	a body of a function
 * @CODE_PART:	code that was split off one (NAME.part.0, NAME.cold)
 * @CODE_PADDING: bytes before functions, and trampolines (__pfx_NAME, __cfi_NAME, __SCT__NAME)
 */
enum code_kind { CODE_BODY, CODE_PART, CODE_PADDING, NR_CODE_KINDS };

/* In @patched: ftrace cannot patch the function, or it is not known where. */
#define NOT_PATCHED	UINT16_MAX

/**
 * struct function - one function symbol, or one FUNC of BTF without an image
 * @name:	unique in the image: as in BTF (NAME, NAME@FILE), the symbol's name, or, for a shared
 *		name in an unknown file, NAME@_text+OFFSET (in a module: NAME@SECTION+OFFSET; before
 *		_text: NAME@ADDRESS)
 * @symbol:	name of the symbol; of a FUNC without one: NAME
 * @source_len:	length of the source function's name, which @symbol and @name start with
 * @file:	of its unit; NULL: unknown
 * @decl_file:	the file that declares it, without control characters; NULL: unknown
 * @decl_line:	1-based, 0 if unknown
 * @offset:	of its entry from _text; in a module, in @section
 * @size:	in bytes, 0 if unknown, UINT32_MAX if it has more
 * @section:	of a module; otherwise 0
 * @has_offset:	@offset is not before _text; otherwise it is only compared, and not shown
 * @btf, @func_id: a FUNC with its prototype; 0: unknown
 * @id:		of its FUNC in the input's BTF; 0: none
 * @patched:	where ftrace patches it, from its entry
 * @verdict:	whether the kernel accepts a kprobe at its entry; @inside: at other instructions, if
 *		they are not reserved
 * @reason:	FUNC_ENCODED, or why the encoder gives it no FUNC
 * @linkage:	BTF_FUNC_STATIC, _GLOBAL or _EXTERN
 * @is_unproven:	the prototype is the source's, and not proven for this code
 * @is_only_func: a FUNC without a symbol
 * @is_shared:	the source function's name has several bodies
 *
 * The cache stores these bytes, so there is no padding, and with a new member, kept.c needs a
 * new VERSION.  listing.c and docs/schema/functions.json have what users see.
 */
struct function {
	const char		*name;
	const char		*symbol;
	const char		*file;
	const char		*decl_file;
	const struct btf_data	*btf;
	uint64_t		offset;
	uint32_t		size;
	uint32_t		section;
	uint32_t		source_len;
	uint32_t		decl_line;
	uint32_t		func_id;
	uint32_t		id;
	uint16_t		patched;
	uint8_t			kind;
	uint8_t			verdict;
	uint8_t			inside;
	uint8_t			reason;
	uint8_t			linkage;
	uint8_t			has_offset : 1, is_unproven : 1, is_only_func : 1, is_shared : 1, zero : 4;
};

/** struct inlined_calls - number of inlined calls of functions called @name in unit @home */
struct inlined_calls {
	const char	*name;
	const char	*home;
	uint64_t	nr;
};

/**
 * struct function_map - all functions, sorted by name of the source function, symbol and place
 * @subject:	the input's path, for messages
 * @id:		build id of the image; its size is 0 if there is none
 * @by_place:	indices of functions with a known place, sorted by (section, offset); at one
 *		place, functions that BTF has come first, then the largest
 * @calls:	inlined calls of functions whose names also have a body, by name and file
 * @reserved:	instructions that the kernel patches itself, or knows by their address
 * @syms:	of the image; NULL if it is cached, or there is only BTF
 * @text:	the link-time address of _text
 * @machine:	EM_*, 0 if there is only BTF
 * @is_module:	offsets are relative to sections
 * @has_image:	verdicts were read from an image; otherwise, there is only BTF
 * @has_offsets: some function has an offset
 * @has_all:	functions with shared names are included: there are symbols, or BTF that has them
 */
struct function_map {
	VECTOR(struct function);
	VECTOR(uint32_t)	by_place;
	struct code_table	reserved;
	VECTOR(struct inlined_calls) calls;
	const char		*subject;
	struct build_id		id;
	const struct symbols	*syms;
	uint64_t		text;
	uint16_t		machine;
	bool			is_module;
	bool			has_image;
	bool			has_offsets;
	bool			has_all;

	/* owned; @block: of the cache, with the other vectors; NULL if an image was read */
	struct symbols		*own_syms;
	struct decl		*decls;
	uint32_t		nr_decls;
	VECTOR(char *)		names;
	struct btf_data		*own_btf;
	void			*block;
};

/**
 * function_map__read() - read an input's functions
 * @in:		must outlive the map
 *
 * If it has DWARF, it is encoded in memory, without a base and without changing it.
 *
 * Return: 0, or a negative errno after a message.  @map must be destroyed in both cases.
 */
int function_map__read(struct function_map *map, struct input *in);

/** function_map__read_inlined() - Count inlined calls; return as function_map__read(). */
int function_map__read_inlined(struct function_map *map, const struct input *in);

void function_map__destroy(struct function_map *map);

/** struct named_functions - the functions of a map that have the same source function's name */
struct named_functions {
	const struct function	*array;
	uint32_t		nr;
};

/**
 * function_map__named() - find all symbols of a source function
 * @name:	@len characters; a suffix is ignored
 *
 * Return: them, including parts.
 */
struct named_functions function_map__named(const struct function_map *map, const char *name,
					   size_t len);

/** named_functions__have() - Test whether one of them is of a kind. */
bool named_functions__have(const struct named_functions *named, enum code_kind kind);

/** same_source() - Test whether two symbols are of source functions with the same name. */
static inline bool same_source(const struct function *a, const struct function *b)
{
	return a->source_len == b->source_len && !memcmp(a->name, b->name, a->source_len);
}

/** function__source_len() - Return: the length of the source function's name in a symbol's. */
size_t function__source_len(const char *symbol, size_t len);

/**
 * function_map__find() - find the function that contains a place
 * @section:	of a module, otherwise 0
 * @offset:	from _text, or in the section
 *
 * Return: the function, or NULL.
 */
const struct function *function_map__find(const struct function_map *map, uint32_t section,
					  uint64_t offset);

/**
 * function_map__extent() - Return: the distance from a function to the next one, UINT64_MAX if
 *	none follows.
 *
 * This is the size in stack traces, because /proc/kallsyms has no sizes.
 */
uint64_t function_map__extent(const struct function_map *map, const struct function *func);

/** function_map__head() - Return: an object with the build id and the module, null if unknown. */
json_t *function_map__head(const struct function_map *map);

/** function_map__section() - Return: the section that offsets are relative to; NULL: _text. */
const char *function_map__section(const struct function_map *map, uint32_t section);

/**
 * struct kprobe_answer - whether the kernel accepts a kprobe at a place, and why not
 * @why:	a phrase, NULL if @verdict is the reason; @what: continues it, or NULL
 */
struct kprobe_answer {
	enum kprobe_verdict	verdict;
	const char		*why, *what;
};

/**
 * function_map__verdict() - determine whether the kernel accepts a kprobe in a function
 * @into:	offset of an instruction from the function's entry
 * @ins:	instructions of the image, for an instruction after the first; NULL: not known
 */
struct kprobe_answer function_map__verdict(const struct function_map *map,
					   const struct function *func, uint64_t into,
					   const struct instructions *ins);

/** function_map__counts() - Return: sentences with the numbers of functions; malloc()ed. */
char *function_map__counts(const struct function_map *map);

/** function__flags_json() - Return: an array of its flags. */
json_t *function__flags_json(const struct function *func);

#endif /* ABTF_INSPECT_FUNCTION_MAP_H */
