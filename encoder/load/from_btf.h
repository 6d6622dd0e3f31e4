/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BTF loader: an image's .BTF in; nodes, FUNCs, variables and tags out.
 *
 * .BTF is one object, or what a linker has put behind each other from object
 * files that a compiler wrote BTF into (gcc -gbtf): then ids and strings begin
 * anew with each part, and the parts are as units are to the DWARF loader.
 *
 * BTF refers by id, not by name.  So every type becomes a node of its own, in
 * the order of ids, and all are *variants* in the sense of types/conflict.h:
 * a reference leads to the very node it was read with.  (Forwards are not, so
 * that all of one name become one.)  What is equal is left to the writer.
 *
 * Features that are switched off are removed here: see struct load_options.
 */
#ifndef ABTF_LOAD_FROM_BTF_H
#define ABTF_LOAD_FROM_BTF_H

#include "btf/base.h"
#include "load/funcs_read.h"
#include "load/load.h"

/**
 * struct btf_part - one BTF object of the image
 * @btf:	its bytes, checked
 * @nodes:	by id - first id: the type's node; a FUNC's or VAR's number
 */
struct btf_part {
	struct btf_data	*btf;
	uint32_t	*nodes;
};

/**
 * struct base_node - a node that stands for a type of the base
 * @id:		the type's id
 */
struct base_node {
	uint32_t	node;
	uint32_t	id;
};

/**
 * struct from_btf - what was read beside nodes and observations
 * @parts:	all objects; strings of the store point into them
 * @is_split:	the one object is split BTF, on top of the base
 * @funcs:	the FUNCs, to be joined with symbols
 * @units:	files by number, as names of FUNCs have them; [0] is "", for none
 * @base_nodes:	nodes for types of the base, in the order of nodes
 * @nr_vars:	variables so far, whose numbers count from 1 as FUNCs' do
 */
struct from_btf {
	struct btf_part		*parts;
	uint32_t		nr_parts, cap_parts;
	bool			is_split;
	struct funcs_read	funcs;
	const char		**units;
	uint32_t		nr_units, cap_units;
	struct base_node	*base_nodes;
	uint32_t		nr_base_nodes, cap_base_nodes;
	uint32_t		nr_vars;
};

/**
 * from_btf__read() - read the .BTF of an image
 * @syms:	the image's functions, which relocations of records name
 * @base:	what split BTF stands on, or NULL
 * @ret:	to be released, also after an error
 * @store:	empty
 * @observed:	gets variables and tags; bodies come with funcs_read__join()
 *
 * Return: 0, or a negative errno after a message.
 */
int from_btf__read(const struct image *img, const struct symbols *syms, const struct base *base,
		   const struct load_options *opts, struct from_btf *ret, struct store *store,
		   struct observed *observed);

/**
 * from_btf__base_ids() - which nodes the base has
 * @nr_nodes:	number of nodes in the store by now
 *
 * Return: by node: the base's id, or 0; malloc()ed.  NULL without memory.
 */
uint32_t *from_btf__base_ids(const struct from_btf *in, uint32_t nr_nodes);

void from_btf__destroy(struct from_btf *in);

/* --- load/btf_types.c: a part's types become nodes ---------------------------- */

/**
 * struct btf_reader - one from_btf__read()
 * @part:	the part that is read, number @nr
 * @base_map:	by id of the base: the node that stands for it, 0 for none yet
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

/** btf_reader__types() - Make nodes of all types of a part, and fill its @nodes. */
int btf_reader__types(struct btf_reader *r);

/** btf_reader__node() - Return: the node of a type by its id, or -ENOMEM. */
int64_t btf_reader__node(struct btf_reader *r, uint32_t id);

/** btf_reader__string() - Return: the id of a string in the store, by its offset; or -ENOMEM. */
int64_t btf_reader__string(struct btf_reader *r, uint32_t offset);

#endif /* ABTF_LOAD_FROM_BTF_H */
