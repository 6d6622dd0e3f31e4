/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The DWARF loader: reads units into nodes and observations.
 *
 * Each thread has a loader.  It reads one group of units after another, adds types to
 * its own store, functions and variables to its own lists, and keeps nothing else.
 */
#ifndef ABTF_LOAD_LOAD_H
#define ABTF_LOAD_LOAD_H

#include "load/names.h"
#include "load/observe.h"
#include "load/options.h"
#include "load/records.h"
#include "load/unwanted.h"
#include "types/conflict.h"
#include "types/store.h"

/*
 * Maximum nesting of types without a name: chains of typedefs and pointers, anonymous
 * structs.  Real code has less than twenty levels.  The kernel follows 32, and libbpf,
 * like this encoder, compares nested types recursively.
 */
#define MAX_CHAIN	250

struct frame;

/**
 * struct loader - one thread's reader
 * @names:	base names of all function symbols
 * @assembler:	names of functions that an assembler described, without prototypes
 * @abbrevs:	of the current unit
 * @others:	of another unit
 * @by_offset:	use NAME_OFFSET: each string has one offset
 * @unwanted:	unused functions without a body, by offset
 * @store:	the types read so far
 * @observed:	functions, variables and tags read so far
 */
struct loader {
	struct dwarf		*dw;
	const struct names	*names;
	const struct names	*assembler;
	const struct load_options *opts;
	struct abbrevs		abbrevs;
	struct abbrevs		others;
	struct records		records;
	struct frame		*frames;
	bool			by_offset;
	struct unwanted		unwanted;
	struct store		store;
	struct observed		observed;
};

int loader__init(struct loader *l, struct dwarf *dw, const struct names *names,
		 const struct names *assembler, const struct load_options *opts);
/* Allocate tables for many units.  Return: 0 or -ENOMEM. */
int loader__expect(struct loader *l);
void loader__destroy(struct loader *l);

/** loader__rest() - Free memory that is only used to read; reading is still possible. */
void loader__rest(struct loader *l);

/**
 * loader__read() - read the records of a group
 * @first:	first unit
 * @nr:		number of own units of its group (dwarf__group_size())
 *
 * Leaves the records in @l->records.
 *
 * Return: 0, or a negative errno after a message.
 */
int loader__read(struct loader *l, uint32_t first, uint32_t nr);

/**
 * loader__intern() - add the records of a group to the store and the lists
 * @first:	the group's first unit
 * @conflicts:	NULL; or the names with conflicting definitions, when units that
 *		have them are read again.  Types that reach such a definition
 *		then become variants, and are no longer counted as the types
 *		that they were when first read.
 *
 * Return: 0, or a negative errno after a message.
 */
int loader__intern(struct loader *l, uint32_t first, const struct conflicts *conflicts);

/* loader__intern() for a unit that is read again; see load/variants.c. */
int loader__make_variants(struct loader *l, uint32_t unit, const struct conflicts *conflicts);

/**
 * loader__add_prototypes() - add records for the prototypes of functions
 *
 * Called after loader__read(), before hashing; see load/signature.c.
 *
 * Return: 0 or -ENOMEM.
 */
int loader__add_prototypes(struct loader *l);

/* Fill a new node from its record. */
int loader__fill_node(struct loader *l, const struct rec *rec);
/* Test whether members are sorted by offset.  In Rust structs, they may not be. */
bool loader__is_ordered(const struct loader *l, const struct rec *rec);

#ifdef CHECK_HITS
#define CHECKS_HITS	1
/* Abort if a record differs from the node that was found by its hash. */
int loader__check_hit(struct loader *l, const struct rec *rec);
#else
#define CHECKS_HITS	0
#define loader__check_hit(l, rec) 0
#endif

#endif /* ABTF_LOAD_LOAD_H */
