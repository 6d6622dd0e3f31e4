/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The writer: nodes, functions and variables become BTF.
 *
 * It assigns ids to the types, one for all equal ones (types/unify.h), and adds FUNCs,
 * VARs, DATASECs and DECL_TAGs, in this order.  It reads neither ELF nor DWARF: which
 * functions and variables are written is decided before.
 */
#ifndef ABTF_BTF_WRITE_H
#define ABTF_BTF_WRITE_H

#include <stddef.h>

#include "btf/base.h"
#include "btf/format.h"
#include "types/store.h"
#include "util/grow.h"

/**
 * struct out_func - a FUNC to write
 * @name:	its name
 * @proto:	its prototype, as node id
 * @linkage:	BTF_FUNC_STATIC or BTF_FUNC_GLOBAL
 * @offset:	from the text base, or in its section of a module, for its record
 * @record:	it has one: struct btf_func with @offset and a guard (btf/format.h)
 * @symbol:	index in .symtab of the function's own symbol, against which the record is
 *		relocated; 0: it is not
 */
struct out_func {
	const char	*name;
	uint64_t	offset;
	uint32_t	proto;
	uint32_t	linkage;
	bool		record;
	uint32_t	symbol;
};

/**
 * struct out_var - a VAR to write
 * @section:	number of its DATASEC, @section_name: its name
 * @offset:	in the section, @size: both in bytes
 */
struct out_var {
	const char	*name;
	const char	*section_name;
	uint32_t	type;
	uint32_t	linkage;
	uint32_t	section;
	uint32_t	offset;
	uint32_t	size;
};

/**
 * struct out_tag - a DECL_TAG to write
 * @on:		whether @target is a node id, or an index of a FUNC or VAR
 * @component:	number of a member or parameter, or -1
 * @attribute:	with kind_flag
 */
struct out_tag {
	const char	*value;
	enum tag_on	on;
	uint32_t	target;
	int32_t		component;
	bool		attribute;
};

/**
 * struct btf_out - what to write
 * @store:	its references are resolved
 * @base:	the base of split BTF, or NULL
 * @base_ids:	by node: the base's id of a type that the base has (see match.h)
 * @keys:	by node: from store__keys()
 * @funcs:	sorted by their ids
 * @vars:	sorted by (section, offset)
 * @tags:	in any order
 * @like:	an object on the same base: its strings come first, in the same order, so
 *		that BTF that is read and written without changes remains the same byte for
 *		byte; NULL: strings are sorted by their first use
 * @layout:	write a layout section, unless there is a base, or records
 * @big_endian:	byte order to write
 */
struct btf_out {
	const struct store	*store;
	const struct base	*base;
	uint32_t		*base_ids;
	struct hash		*keys;
	VECTOR(struct out_func)	funcs;
	VECTOR(struct out_var)	vars;
	VECTOR(struct out_tag)	tags;
	const struct btf_data	*like;
	bool			layout;
	bool			big_endian;
};

/** btf_out__destroy() - Free @base_ids, @keys, @funcs, @vars and @tags. */
void btf_out__destroy(struct btf_out *out);

/**
 * struct btf_reloc - a relocation for a function's address
 * @offset:	bytes from the start of the BTF to the record
 * @symbol:	the function's index in .symtab
 */
struct btf_reloc {
	uint32_t	offset;
	uint32_t	symbol;
};

/**
 * struct btf_bytes - the result, with statistics
 * @bytes:	.BTF, @size bytes: header, types and strings
 * @base:	.BTF.base, @base_size bytes, from distill__base(); NULL for none
 * @relocs:	entries of .rela.BTF, each with addend 0; without entries, there is no such
 *		section
 * @first_func:	id of the first FUNC
 * @nr_types:	number of types and prototypes, which come before the FUNCs
 * @records:	bytes that records take
 * @tags:	bytes that DECL_TAGs take
 * @nr_renamed:	number of names of types and members that are not identifiers
 * @nr_cut:	and of those that are too long
 */
struct btf_bytes {
	void		*bytes;
	size_t		size;
	void		*base;
	size_t		base_size;
	VECTOR(struct btf_reloc) relocs;
	uint32_t	first_func;
	uint32_t	nr_types;
	size_t		records;
	size_t		tags;
	uint32_t	nr_renamed, nr_cut;
};

/** btf_out__write() - Write BTF. Return: 0, or a negative errno after a message. */
int btf_out__write(const struct btf_out *out, struct btf_bytes *ret);

void btf_bytes__destroy(struct btf_bytes *btf);

#endif /* ABTF_BTF_WRITE_H */
