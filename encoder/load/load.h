/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The DWARF loader: units in, nodes and observations out.
 *
 * One loader per thread.  It is given groups of units one after another, adds types to its
 * own store, functions and variables to its own lists, and keeps nothing else of a unit.
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
 * How deep types without a name may nest in each other: chains of typedefs and
 * pointers, anonymous structs.  Real ones are below twenty; the kernel follows
 * 32, and libbpf, like us, compares what is nested by recursion.
 */
#define MAX_CHAIN	250

struct frame;

/**
 * struct loader - one thread's reader
 * @names:	base names of all functions
 * @assembler:	names of those that an assembler described, without a prototype
 * @abbrevs:	of the unit at hand
 * @others:	of a unit that it looks into
 * @by_offset:	NAME_OFFSET is of use: each string has one offset
 * @unwanted:	functions without a body, by offset, that are not asked for
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
	uint32_t		nested;	/* depth of what is being hashed */
	struct store		store;
	struct observed		observed;
};

int loader__init(struct loader *l, struct dwarf *dw, const struct names *names,
		 const struct names *assembler, const struct load_options *opts);
/* Make room for what many units say.  Return: 0 or -ENOMEM. */
int loader__expect(struct loader *l);
void loader__destroy(struct loader *l);

/** loader__rest() - Free what only reading takes; more can be read all the same. */
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
 * @conflicts:	NULL; or, when units with a name that has several contents are
 *		read again, what those names are.  Types that reach such a
 *		content then become variants, and no longer count as what they
 *		were the first time.
 *
 * Return: 0, or a negative errno after a message.
 */
int loader__intern(struct loader *l, uint32_t first, const struct conflicts *conflicts);

/* loader__intern()'s second reading of a unit; see load/variants.c. */
int loader__make_variants(struct loader *l, uint32_t unit, const struct conflicts *conflicts);

/**
 * loader__add_prototypes() - make records of the functions' prototypes
 *
 * Between loader__read() and hashing; see load/signature.c.
 *
 * Return: 0 or -ENOMEM.
 */
int loader__add_prototypes(struct loader *l);

/* Make a node of a record: its own, which nobody had seen before. */
int loader__fill_node(struct loader *l, const struct rec *rec);
/* Are members in the order of their places?  Rust gives its structs another than its source. */
bool loader__is_ordered(const struct loader *l, const struct rec *rec);

#ifdef CHECK_HITS
#define CHECKS_HITS	1
/* Abort if a record is not what the node that its hash led to is. */
int loader__check_hit(struct loader *l, const struct rec *rec);
#else
#define CHECKS_HITS	0
#define loader__check_hit(l, rec) 0
#endif

#endif /* ABTF_LOAD_LOAD_H */
