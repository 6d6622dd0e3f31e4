/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kinds of BTF, one row each: how a type of the kind is laid out, which of its words
 * are names and which are types (btf.rst, "Type Encoding").
 *
 * A new kind raises NR_BTF_KINDS, which also lengthens the layout section.  These functions may need
 * a case for a new type of C, as their default is for other kinds; for most of them, it fits a kind
 * that has no elements and refers to one type.  A qualifier is also one of MODIFIERS and PRINTED.
 *
 *	read from BTF	btf_type__decode(), btf_type__child()		btf/data.[ch]
 *	and from DWARF	walk_type(), brief_type() and what they call	load/walk.c
 *			its tag, and how that is read			dwarf/constants.h, load/dw_tags.c
 *			is_type(), for a tag with children		dwarf/abbrevs.c
 *	interned	loader__resolve(), loader__size_of()		load/recs.c
 *			index_values(), hash_content(), fill_node()	load/intern.c
 *			fill_node(), of --from-btf			load/from_btf.c
 *	if it is new	a feature of pahole's, such as "float"		encode_features.c, load/load.h
 *	passed		registers_of(), taken_by_unknown(),		load/signature.c
 *			natural_alignment(), returns_aggregate(),
 *			has_field(), is_struct()
 *	fitted		result_of()					types/fit.c
 *	in variables	size_of(), skip_qualifiers()			functions/variables.c
 *	compared	shape__of(), same_outside(), node__flag()	types/shape.[ch], types/store.c
 *			types_match(): do two prototypes agree?		functions/proto.c
 *	checked		check_one()					btf/validate.c
 *	written		write_type(), write_children()			btf/write.c
 *	distilled	destination_of()				btf/distill.c
 *	printed		keywords[], emit_specifier(), emit_left()	inspect/print.c
 *	as an argument	arg_type__size(), arg_type__is_scalar(),	probe/type.c
 *			arg_type__is_signed(), add_type(), SKIPPED, TAGGED
 *			kind_of_tag(), type_at()			probe/dwarf_args.c
 *	tested		readers of their own				selftests/compare/raw.[ch], judge/
 *			the size of the layout, the number of kinds	selftests/encoder/{layout,invalid-btf}.sh
 *
 * Such a kind has a size or refers to a type.  For another number, change struct rec, which fills a
 * cache line, struct node, and what fills, hashes, compares, reads and writes nodes.
 *
 * A kind that is not a type of C, such as DECL_TAG, is not in BTF_TYPE_KINDS, and has no nodes:
 *
 *	observed in DWARF	struct observed, observe_group()	load/observe.h, load/intern.c
 *	read from BTF		read_kind()				load/from_btf.c
 *	collected		collect_tags()				functions/collect.c
 *	checked			check_one()				btf/validate.c
 *	written			struct btf_out, write_tags()		btf/write.[ch]
 *	distilled, stripped	destination_of(), abtf strip		btf/distill.c, inspect/plain.c
 *
 * A type is a run of 32-bit words in native byte order: the three of struct btf_type, those
 * that every type of the kind has, and those of each of its elements.  A FUNC with a record
 * is longer, see btf/format.h.
 */
#ifndef ABTF_TYPES_KIND_H
#define ABTF_TYPES_KIND_H

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the kernel accepts as the name of a type of a kind. */
enum btf_naming {
	NAME_NONE,	/* there is none */
	NAME_REQUIRED,	/* an identifier */
	NAME_OPTIONAL,	/* an identifier, or none */
	NAME_FUNC,	/* an identifier, which may be followed by "@" and a file */
	NAME_TEXT,	/* any printable characters, such as "long int" */
	NAME_VALUE,	/* the value of a tag */
};

/**
 * struct btf_kind - one row
 * @name:	as BTF_KIND_* is called
 * @words:	that follow struct btf_type
 * @element_words: that each of vlen elements takes
 * @ids:	types that it refers to without its elements
 * @id_word:	the first of them: 2 for the one in struct btf_type
 * @naming:	of the type itself
 * @names:	each element has a name, which is its first word
 * @types:	each element has a type, which comes next
 * @vlen:	vlen may be set: to the number of elements, or to a FUNC's linkage
 * @flag:	kind_flag may be set
 */
struct btf_kind {
	const char	*name;
	uint8_t		words;
	uint8_t		element_words;
	uint8_t		ids;
	uint8_t		id_word;
	uint8_t		naming;
	bool		names;
	bool		types;
	bool		vlen : 1;
	bool		flag : 1;
};

/* Not that of linux/btf.h, which may know other kinds. */
#define NR_BTF_KINDS	(BTF_KIND_ENUM64 + 1)

/* By kind; rows of kinds that do not exist are empty, so that any info word may be looked up. */
extern const struct btf_kind btf_kinds[32];

/* By character: __btf_name_valid() of the kernel takes it; digits not in the first place. */
extern const bool btf_name_chars[256];

static inline const struct btf_kind *btf_type__kind(const struct btf_type *t)
{
	return &btf_kinds[BTF_INFO_KIND(t->info)];
}

/** btf_kind__name() - Return: "STRUCT" for BTF_KIND_STRUCT, "?" for no kind. */
static inline const char *btf_kind__name(unsigned int kind)
{
	return kind < NR_BTF_KINDS ? btf_kinds[kind].name : "?";
}

#define KIND_BIT(kind)	(1U << BTF_KIND_##kind)

/* The types of C, with void: not functions, variables, sections and tags. */
#define BTF_TYPE_KINDS	~(KIND_BIT(FUNC) | KIND_BIT(VAR) | KIND_BIT(DATASEC) | KIND_BIT(DECL_TAG))

/* btf_type_is_modifier() of the kernel, which accepts this many in a row (btf_check_type_tags()) */
#define MODIFIERS	(KIND_BIT(TYPEDEF) | KIND_BIT(CONST) | KIND_BIT(VOLATILE) | \
			 KIND_BIT(RESTRICT) | KIND_BIT(TYPE_TAG))
#define MAX_MODIFIERS	32

/* A value of one of these contains what it refers to. */
#define VALUE_OF	(MODIFIERS | KIND_BIT(ARRAY))

/** btf_kind__is_type() - Test for a type in C. */
static inline bool btf_kind__is_type(unsigned int kind)
{
	return BTF_TYPE_KINDS >> kind & 1;
}

/** kind__is_struct() - test for a struct or union */
static inline bool kind__is_struct(uint8_t kind)
{
	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
}

/** kind__is_by_name() - test for a struct, union or enum: others refer to it by kind and name */
static inline bool kind__is_by_name(uint8_t kind)
{
	return kind__is_struct(kind) || kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64;
}

/** kind__has_ref() - test whether a node of this kind has a @ref */
static inline bool kind__has_ref(uint8_t kind)
{
	return btf_kinds[kind].ids && btf_kind__is_type(kind);
}

/** kind__of_name() - Return: the kind that is hashed with a name: "enum e" may be an ENUM64. */
static inline uint8_t kind__of_name(uint8_t kind)
{
	return kind == BTF_KIND_ENUM64 ? BTF_KIND_ENUM : kind;
}

/* --- fields: names and types, by number or in a loop ------------------------- */

static inline uint32_t *btf_type__element(const struct btf_type *t, unsigned int i)
{
	const struct btf_kind *kind = btf_type__kind(t);

	return (uint32_t *)(t + 1) + kind->words + i * kind->element_words;
}

/** btf_type__nr_ids() - Return: the number of references of a type, including void. */
static inline unsigned int btf_type__nr_ids(const struct btf_type *t)
{
	const struct btf_kind *kind = btf_type__kind(t);

	return kind->ids + (kind->types ? BTF_INFO_VLEN(t->info) : 0);
}

/** btf_type__id() - Return: the @k-th of them: its own first, then its elements'. */
static inline uint32_t *btf_type__id(const struct btf_type *t, unsigned int k)
{
	const struct btf_kind *kind = btf_type__kind(t);

	return k < kind->ids ? (uint32_t *)t + kind->id_word + k :
	       btf_type__element(t, k - kind->ids) + kind->names;
}

/** btf_type__nr_names() - Return: the number of names of a type, including "". */
static inline unsigned int btf_type__nr_names(const struct btf_type *t)
{
	return 1 + (btf_type__kind(t)->names ? BTF_INFO_VLEN(t->info) : 0);
}

/** btf_type__name() - Return: the @k-th of them: its own first, then its elements'. */
static inline uint32_t *btf_type__name(const struct btf_type *t, unsigned int k)
{
	return k ? btf_type__element(t, k - 1) : (uint32_t *)&t->name_off;
}

#define for_each_field(p, t, field)						\
	for (unsigned int _k = 0, _nr = btf_type__nr_##field##s(t);		\
	     _k < _nr && ((p) = btf_type__##field(t, _k)); _k++)

/* Let @p, a uint32_t *, point to each type id, or string offset, of @t in turn */
#define for_each_id(p, t)	for_each_field(p, t, id)
#define for_each_name(p, t)	for_each_field(p, t, name)

#endif /* ABTF_TYPES_KIND_H */
