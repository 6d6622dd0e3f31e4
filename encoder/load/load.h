/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The DWARF loader: reads units into nodes and observations.
 *
 * Each thread has a loader.  It reads one group of units after another, adds types to
 * its own store, functions and variables to its own lists, and keeps nothing else.
 */
#ifndef ABTF_LOAD_LOAD_H
#define ABTF_LOAD_LOAD_H

#include "image/symbols.h"
#include "load/recs.h"
#include "types/conflict.h"
#include "types/store.h"

/*
 * Maximum nesting of types without a name: chains of typedefs and pointers, anonymous
 * structs.  Real code has less than twenty levels.  The kernel follows 32, and libbpf,
 * like this encoder, compares nested types recursively.
 */
#define MAX_CHAIN	250

#define MAX_LANGUAGES	64

/** struct languages - a list of DW_LANG_* */
struct languages {
	uint32_t	nr;
	uint32_t	numbers[MAX_LANGUAGES];
};

/**
 * struct load_options - what to read
 * @percpu:	read per-CPU variables
 * @global_vars: read variables of all sections
 * @floats:	read floating-point types as FLOAT (otherwise as INT)
 * @decl_tags:	btf_decl_tag annotations
 * @type_tags:	btf_type_tag annotations
 * @attributes:	arena attributes of kfuncs' types; from BTF also tags for any attribute
 *		(kind_flag)
 * @kfuncs:	with @decl_tags: tag kfuncs
 * @enum64:	read 64-bit enums as ENUM64 (otherwise as ENUM, truncated), and all enums with a
 *		sign, which kernels before 6.0 reject
 * @prove:	prove the prototypes of functions (otherwise determine them as pahole does)
 * @of_source:	with @prove: unless another prototype is proven, a clone has its source's
 *		prototype
 * @true_signature: pahole's feature with this name
 * @only:	languages to read, if there are any
 * @excluded:	languages to skip
 */
struct load_options {
	bool			percpu;
	bool			global_vars;
	bool			floats;
	bool			decl_tags;
	bool			type_tags;
	bool			attributes;
	bool			kfuncs;
	bool			enum64;
	bool			prove;
	bool			of_source;
	bool			true_signature;
	struct languages	only;
	struct languages	excluded;
};

/*
 * A set of names of functions: hashes, 32 bits of each.
 *
 * It shows which functions in DWARF to remember.  It is built once, and shared by all threads.
 * If two names have the same hash, an unused function is remembered.
 */

/** name_set__add() - Add a name to a set, which may be zeroed; @hash: hash_bytes() of it. */
void name_set__add(struct hash_table *names, uint32_t hash);

/** name_set__has() - test whether a name is in the set */
bool name_set__has(const struct hash_table *names, uint32_t hash);

/**
 * struct loader - one thread's reader
 * @stems:	of all function symbols
 * @assembler:	names of functions that an assembler described, without prototypes
 * @abbrevs:	abbreviations of the current unit
 * @others:	abbreviations of another unit
 * @by_offset:	use NAME_OFFSET: each string has one offset
 * @frames:	of open DIEs, see load/walk.c
 * @odd_int:	the name of INTs that replace those that BTF cannot represent; 0: there are none
 * @err:	of the group that is being read, after a message
 * @unneeded:	two bits per byte of .debug_str, see is_unneeded() in load/walk.c
 * @store:	the types read so far
 * @observed:	functions, variables and tags read so far
 */
struct loader {
	struct dwarf		*dw;
	const struct hash_table	*stems;
	const struct hash_table	*assembler;
	const struct load_options *opts;
	struct abbrevs		abbrevs;
	struct abbrevs		others;
	struct recs		recs;
	struct frame		*frames;
	bool			by_offset;
	uint32_t		odd_int;
	int			err;
	uint8_t			*unneeded;
	struct store		store;
	struct observed		observed;
};

void loader__init(struct loader *l, struct dwarf *dw, const struct hash_table *stems,
		  const struct hash_table *assembler, const struct load_options *opts);
void loader__destroy(struct loader *l);

/** loader__trim() - Free memory that is only used to read; reading is still possible. */
void loader__trim(struct loader *l);

/**
 * loader__read() - read the recs of a group
 * @first:	first unit
 * @nr:		number of own units of its group (dwarf__group_size())
 *
 * Leaves the recs in @l->recs.
 *
 * Return: 0, or a negative errno after a message.
 */
int loader__read(struct loader *l, uint32_t first, uint32_t nr);

/**
 * loader__intern() - add the recs of a group to the store and the lists
 * @conflicts:	NULL; or the names with conflicting definitions, when units that
 *		have them are read again.  Types that reach such a definition
 *		then become variants, and are no longer counted as the types
 *		that they were when first read.
 *
 * Return: 0, or a negative errno after a message.
 */
int loader__intern(struct loader *l, const struct conflicts *conflicts);

/**
 * loader__add_prototypes() - add recs for the prototypes of functions
 *
 * Called after loader__read(), before hashing; see load/signature.c.
 *
 * Return: 0, or a negative errno after a message; see loader__name_id().
 */
int loader__add_prototypes(struct loader *l);

/** loader__make_variants() - Move recs that reach conflicting definitions to other nodes. */
int loader__make_variants(struct loader *l, const struct conflicts *conflicts);

/** loader__add_fresh() - Record that a rec is the first one with its content, which its node gets. */
void loader__add_fresh(struct loader *l, uint32_t i);

/**
 * loader__drop_excluded() - remove types that only units with excluded languages have
 *
 * Called after loader__read(), before hashing.  Nothing that remains refers to what is removed.
 */
void loader__drop_excluded(struct loader *l);

/** loader__report_type() - Print an error about a type. Return: -EINVAL. */
int loader__report_type(struct loader *l, uint32_t die, const char *what);

/**
 * loader__find_target() - find the rec of a reference, skipping aliases
 *
 * Return: its index, 0 for void, or REC_ODD.
 */
uint32_t loader__find_target(struct loader *l, uint32_t ref);

/** loader__node_of() - Return: the node of a reference that has been hashed. */
static inline uint32_t loader__node_of(struct loader *l, uint32_t ref)
{
	return l->recs.array[loader__find_target(l, ref)].node;
}

/** loader__resolve() - Return: the type without typedefs and qualifiers. */
struct rec *loader__resolve(struct loader *l, uint32_t ref);

/** loader__size_of() - Return: the size of a type in bytes, 0 if unknown. */
uint64_t loader__size_of(struct loader *l, uint32_t ref);

/**
 * loader__name_id() - get the string of a type's or an item's name
 *
 * Return: its id, or a negative errno after a message.  -EAGAIN, without a message, if the name
 * is an offset of a string that is not a name: everything must be read again (@odd_names).
 */
int64_t loader__name_id(struct loader *l, uint32_t die, uint32_t name);

/**
 * loader__add_strp() - add a string of .debug_str
 *
 * Return: its id; -ENOENT, without a message, if there is no string of text; -EINVAL after a
 * message.
 */
int64_t loader__add_strp(struct loader *l, uint32_t offset);

/** name__hash() - Return: the hash of a name. */
static inline uint64_t name__hash(const struct loader *l, uint32_t name)
{
	/* ids are rare, and 0 is hashed like a name */
	return likely(name - 1 >= NAME_BRIEF - 1) ? name * HASH_K0 :
	       l->store.strings.array[name].hash;
}

#endif /* ABTF_LOAD_LOAD_H */
