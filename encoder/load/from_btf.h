/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BTF loader: reads an image's .BTF into nodes, FUNCs, variables and tags.
 *
 * .BTF is one object, or several, concatenated by a linker, if the compiler wrote BTF
 * to each object file (gcc -gbtf).  Each object then has its own ids and strings, and is
 * treated like a unit in the DWARF loader.
 *
 * BTF refers to types by id, not by name.  Therefore each type becomes a separate node,
 * sorted by id.  All are *variants* as in types/conflict.h, that is, references
 * lead to exactly the node that was read, except for forwards, which are merged by name.
 * Equal types are folded later.
 *
 * Disabled features are removed here: see struct load_options.
 */
#ifndef ABTF_LOAD_FROM_BTF_H
#define ABTF_LOAD_FROM_BTF_H

#include "btf/base.h"
#include "load/load.h"

/**
 * struct btf_object - one BTF object of the image
 * @btf:	the validated bytes
 * @nodes:	by id - first id: the node of a type
 * @numbers:	by id - first id: the number of a FUNC or VAR, starting at 1; 0 if it is omitted
 */
struct btf_object {
	struct btf_data	*btf;
	uint32_t	*nodes;
	uint32_t	*numbers;
};

/* The result for a FUNC; the numbers add up. */
enum read_outcome {
	READ_ENCODED,		/* it is the FUNC of a function symbol */
	READ_MERGED,		/* another FUNC of the same function is encoded */
	READ_SKIPPED,		/* the function is skipped, its instance has the reason */
	READ_AMBIGUOUS,		/* omitted: several functions have its name */
	READ_NO_SYMBOL,		/* omitted: no function has its name */
	READ_AS_IS,		/* kept: no function has its name, and no addresses are written */
	READ_UNNAMED,		/* omitted: not a single function, and a parameter has no name */
	READ_EXTERN,		/* omitted: only declared */
	NR_READ_OUTCOMES,
};

/**
 * struct func_read - one FUNC
 * @facts:	@facts.desc is its number as read, starting at 1; @facts.unit the number of
 *		the file in its name
 * @linkage:	BTF_FUNC_*
 * @has_place:	@section and @address are valid
 * @section:	in a relocatable file, the section that a relocation identifies
 * @address:	like in symbols
 * @outcome:	the result; READ_ENCODED if it has a symbol, until funcs_read__finish()
 * @sym:	the matching symbol, or NULL
 */
struct func_read {
	struct func_facts	facts;
	uint32_t		section;
	uint64_t		address;
	uint8_t			linkage;
	bool			has_place;
	enum read_outcome	outcome;
	const struct symbol	*sym;
};

/**
 * struct funcs_read - all FUNCs, sorted by number; functions/funcs_read.h finds their functions
 * @by_outcome:	number of FUNCs by outcome
 * @moved:	number of FUNCs without a matching function at their address
 * @ambiguous:	by function symbol: a FUNC may belong to another function with this name
 */
struct funcs_read {
	VECTOR(struct func_read);
	uint32_t		by_outcome[NR_READ_OUTCOMES];
	uint32_t		moved;
	bool			*ambiguous;
};

/**
 * struct from_btf - data read in addition to nodes and observations
 * @objects:	all objects; strings of the store point into them
 * @is_split:	the only part is split BTF
 * @funcs:	the FUNCs, for funcs_read__join()
 * @files:	from the names of FUNCs, by unit; [0] is "" for no file
 * @base_nodes:	for split BTF, by id in the base: the node of the type, 0 if it is not used
 * @nr_vars:	number of variables so far; like FUNCs, they are numbered from 1
 */
struct from_btf {
	VECTOR(struct btf_object)	objects;
	bool			is_split;
	struct funcs_read	funcs;
	VECTOR(const char *)	files;
	uint32_t		*base_nodes;
	uint32_t		nr_vars;
};

/**
 * from_btf__read() - read the .BTF of an image
 * @syms:	the image's functions, to resolve relocations of records
 * @base:	the base of split BTF, or NULL
 * @ret:	must be released, also after an error
 * @store:	empty
 * @observed:	gets variables and tags; bodies come with funcs_read__join()
 *
 * Return: 0, or a negative errno after a message.
 */
int from_btf__read(const struct image *img, const struct symbols *syms, const struct base *base,
		   const struct load_options *opts, struct from_btf *ret, struct store *store,
		   struct observed *observed);

/**
 * from_btf__base_ids() - map nodes of split BTF to ids of the base
 * @nr_nodes:	current number of nodes in the store
 *
 * Return: the base's id by node, or 0; malloc()ed.
 */
uint32_t *from_btf__base_ids(const struct from_btf *in, uint32_t nr_nodes);

void from_btf__destroy(struct from_btf *in);

#endif /* ABTF_LOAD_FROM_BTF_H */
