/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The whole way from an image to BTF.  Only encode.c knows its order:
 *
 *	symbols, units -> loaders (one per thread) -> one store -> conflicts -> misfits
 *	-> functions and their names, variables, tags -> writer
 *
 * or, where the input is the image's own .BTF,
 *
 *	symbols, .BTF -> the BTF loader -> the store -> FUNCs joined with symbols
 *	-> functions, variables, tags -> writer
 *
 * Commands give options and take the bytes; the decision about every function is available
 * until encoding__free().
 */
#ifndef ABTF_ENCODE_H
#define ABTF_ENCODE_H

#include "btf/elf_edit.h"
#include "btf/write.h"
#include "functions/decide.h"
#include "functions/funcs_read.h"
#include "functions/kfuncs.h"
#include "functions/variables.h"
#include "load/from_btf.h"
#include "load/load.h"

/**
 * struct encode_options - what to encode, and how
 * @load:	what the loader reads
 * @func:	rules for functions
 * @addresses:	give FUNCs addresses, if the image can have them
 * @address_required: fail if it cannot
 * @layout:	a layout section
 * @force:	omit invalid variables instead of failing
 * @base:	the base of split BTF, or NULL
 * @from_btf:	read the image's .BTF instead of its DWARF
 * @distill:	write a distilled base, and split BTF on that
 * @threads:	number of threads, at least 1
 * @progress:	show how many units are read
 * @prefixes:	source prefixes to strip from the files of units
 */
struct encode_options {
	struct load_options	load;
	struct func_options	func;
	bool			addresses;
	bool			address_required;
	bool			layout;
	bool			force;
	const struct base	*base;
	bool			from_btf;
	bool			distill;
	unsigned int		threads;
	bool			progress;
	VECTOR(const char *)	prefixes;
};

/* Steps whose times -v prints. */
enum encode_step {
	STEP_OPEN, STEP_WALK, STEP_HASH, STEP_MERGE, STEP_CONFLICTS,
	STEP_FUNCTIONS, STEP_WRITE, STEP_VERIFY, NR_STEPS,
};

/**
 * struct encoding - the state of encoding one image, and its result
 * @opts:	the options, adapted to the image
 * @dw:		the DWARF, NULL if BTF is read
 * @stems:	of all functions
 * @assembler:	names of functions in assembly
 * @input:	the BTF that was read
 * @ftrace:	what ftrace can patch; only read for FUNCs with addresses and files
 * @btf:	the result, @written: the same, as readers see it
 * @files:	by unit: its path in the source tree, "" if that is not known
 * @step_start:	when the current step started
 * @nanoseconds: by step; for STEP_WALK and STEP_HASH, the sum of all threads
 * @conflicts:	names with conflicting definitions
 * @reread:	units read again for them
 */
struct encoding {
	const struct image	*img;
	struct encode_options	opts;
	struct symbols		*syms;
	struct hash_table	stems;
	struct hash_table	assembler;
	struct dwarf		*dw;
	struct from_btf		input;
	struct store		store;
	struct observed		observed;
	struct kfuncs		kfuncs;
	struct code_table	ftrace;
	struct instances	instances;
	struct decided_vars	variables;
	struct btf_bytes	btf;
	struct btf_data		*written;
	char			**files;
	uint32_t		nr_units;
	uint64_t		step_start;
	uint64_t		nanoseconds[NR_STEPS];
	uint32_t		conflicts;
	uint32_t		reread;
};

/**
 * encode__open() - read an image's symbols, and where its units are
 * @opts:	copied to @ret->opts.  Of these, @func.address is set if @addresses is, and a linked
 *		image has the symbol _text, or a relocatable one a known relocation for addresses;
 *		@load gets @prove, @of_source and @true_signature
 *
 * Return: 0, or a negative errno after a message.  @ret must be freed in both cases.
 */
int encode__open(const struct image *img, const struct encode_options *opts, struct encoding *ret);

/**
 * encode__load() - read an image's DWARF or BTF and decide about its functions
 * @e:		opened by encode__open()
 *
 * `abtf list` needs this step, but not the next one.
 *
 * Return: 0, or a negative errno after a message: also if the image has no units.
 */
int encode__load(struct encoding *e);

/**
 * encode__write() - write the loaded types and functions as BTF to @e->btf
 *
 * Return: 0, or a negative errno after a message.
 */
int encode__write(struct encoding *e);

/** encoding__file() - Return: the file of a unit, "" for NO_UNIT. */
const char *encoding__file(const struct encoding *e, uint32_t unit);

void encoding__free(struct encoding *e);

#endif /* ABTF_ENCODE_H */
