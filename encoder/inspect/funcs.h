/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The FUNCs of a BTF object: instances of names, distinguished by files.
 *
 * One table of checked BTF, sorted by (name, id), for selectors, listings and comparisons.
 * It points into the BTF, which must outlive it.
 */
#ifndef ABTF_INSPECT_FUNCS_H
#define ABTF_INSPECT_FUNCS_H

#include "btf/read.h"
#include "inspect/kprobes.h"

/**
 * struct func - one FUNC
 * @full:	its name, NAME or NAME@FILE
 * @name_len:	length of NAME
 * @file:	FILE, or NULL
 * @declared:	without FILE: the file that declares it, if it was looked up; or NULL
 * @record:	its address, or NULL
 * @id:		BTF id
 * @nr_named:	instances of NAME
 * @linkage:	BTF_FUNC_STATIC, _GLOBAL or _EXTERN
 */
struct func {
	const char		*full;
	const char		*file;
	const char		*declared;
	const struct btf_func	*record;
	uint32_t		name_len;
	uint32_t		id;
	uint32_t		nr_named;
	uint8_t			linkage;
};

/**
 * struct funcs - the FUNCs of an object, without its base
 * @all:	ordered by (NAME, id)
 * @nr:		their number
 */
struct funcs {
	const struct btf_data	*btf;
	struct func		*all;
	uint32_t		nr;
};

struct funcs *funcs__new(const struct btf_data *btf);

void funcs__free(struct funcs *insts);

/**
 * funcs__named() - find all instances of a NAME
 * @name:	@len characters
 * @nr:		their number, 0 if there is none
 *
 * Return: the first of them in @insts->all, where they are sorted by id.
 */
const struct func *funcs__named(const struct funcs *insts, const char *name,
					size_t len, uint32_t *nr);

/**
 * funcs__have_files() - test whether a name has a file
 *
 * In BTF without files, functions that share a name are sorted by address.
 */
bool funcs__have_files(const struct funcs *insts);

/** compare_names() - Return: as strcmp(), of the NAMEs of two instances. */
int compare_names(const struct func *a, const struct func *b);

/**
 * func__verdict() - determine whether the kernel accepts a kprobe in a FUNC
 * @name:	NAME or NAME@FILE
 * @record:	its address, or NULL
 *
 * A FUNC without an address is looked up by its name, which no other function has.
 */
enum kprobe_verdict func__verdict(const struct kprobes *k, const char *name,
				  const struct btf_func *record);

/** btf_linkage__name() - Return: "static", "global" or "extern". */
const char *btf_linkage__name(uint8_t linkage);

#endif /* ABTF_INSPECT_FUNCS_H */
