/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The FUNCs of a BTF object: instances of names, distinguished by files.
 *
 * One table of checked BTF, sorted by (name, file, id), to compare and check it.  It points into
 * the BTF, which must outlive it.
 */
#ifndef ABTF_INSPECT_FUNCS_H
#define ABTF_INSPECT_FUNCS_H

#include "btf/read.h"
#include "util/grow.h"

/**
 * struct func - one FUNC
 * @full:	its name, NAME or NAME@FILE
 * @name_len:	length of NAME
 * @file:	FILE, or NULL
 * @record:	its address, or NULL
 * @section:	of a relocatable file, from whose start the address is, or NULL
 * @id:		BTF id
 * @linkage:	BTF_FUNC_STATIC, _GLOBAL or _EXTERN
 */
struct func {
	const char		*full;
	const char		*file;
	const struct btf_func	*record;
	const char		*section;
	uint32_t		name_len;
	uint32_t		id;
	uint8_t			linkage;
};

/**
 * struct funcs - the FUNCs of an object, without its base, ordered by (NAME, FILE, id)
 * @nr_with_file: number of FUNCs called NAME@FILE; in BTF without any, functions that share a
 *		name are sorted by address
 */
struct funcs {
	const struct btf_data	*btf;
	VECTOR(struct func);
	uint32_t		nr_with_file;
};

struct funcs *funcs__new(const struct btf_data *btf);

void funcs__free(struct funcs *funcs);

/** compare_names() - Return: as strcmp(), of the NAMEs of two instances. */
int compare_names(const struct func *a, const struct func *b);

#endif /* ABTF_INSPECT_FUNCS_H */
