/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BTF loader: reads an image's .BTF into nodes, FUNCs, variables and tags.
 *
 * .BTF is one object, or several, concatenated by a linker, if the compiler wrote BTF
 * to each object file (gcc -gbtf).  Each part then has its own ids and strings, and is
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
#include "load/funcs_read.h"
#include "load/load.h"

/**
 * struct btf_part - one BTF object of the image
 * @btf:	the validated bytes
 * @nodes:	by id - first id: the node of a type; the number of a FUNC or VAR
 */
struct btf_part {
	struct btf_data	*btf;
	uint32_t	*nodes;
};

/**
 * struct base_node - a node for a type of the base
 * @id:		the type's id
 */
struct base_node {
	uint32_t	node;
	uint32_t	id;
};

/**
 * struct from_btf - data read in addition to nodes and observations
 * @parts:	all parts; strings of the store point into them
 * @is_split:	the only part is split BTF
 * @funcs:	the FUNCs, for funcs_read__join()
 * @units:	files from the names of FUNCs, by number; [0] is "": none
 * @base_nodes:	nodes for types of the base, sorted by node
 * @nr_vars:	number of variables so far; like FUNCs, they are numbered from 1
 */
struct from_btf {
	VECTOR(struct btf_part)	parts;
	bool			is_split;
	struct funcs_read	funcs;
	VECTOR(const char *)	units;
	VECTOR(struct base_node) base_nodes;
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
 * from_btf__base_ids() - map nodes to ids of the base
 * @nr_nodes:	current number of nodes in the store
 *
 * Return: the base's id by node, or 0; malloc()ed.  NULL if out of memory.
 */
uint32_t *from_btf__base_ids(const struct from_btf *in, uint32_t nr_nodes);

void from_btf__destroy(struct from_btf *in);

/* --- load/btf_types.c: a part's types become nodes ---------------------------- */

/**
 * struct btf_reader - one from_btf__read()
 * @part:	the current part, number @nr
 * @base_map:	the node by id of the base, 0 if there is none yet
 */
struct btf_reader {
	const struct image	*img;
	const struct load_options *opts;
	struct from_btf		*in;
	struct store		*store;
	struct observed		*observed;
	struct btf_part		*part;
	uint32_t		nr;
	uint32_t		*base_map;
};

/** btf_reader__types() - Make nodes for all types of a part, and fill its @nodes. */
int btf_reader__types(struct btf_reader *r);

/** btf_reader__node() - Return: the node of a type by its id, or -ENOMEM. */
int64_t btf_reader__node(struct btf_reader *r, uint32_t id);

/** btf_reader__string() - Return: the id of a string in the store, by its offset; or -ENOMEM. */
int64_t btf_reader__string(struct btf_reader *r, uint32_t offset);

#endif /* ABTF_LOAD_FROM_BTF_H */
