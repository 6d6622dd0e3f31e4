/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the source tree is, and what a file is called in it.
 *
 * A unit's name in DWARF is what the compiler was told: a path in the tree, or
 * one of the machine that built it.  What users see must not depend on who
 * built it where, so the tree's root is looked for in the names themselves.
 */
#ifndef ABTF_FUNCTIONS_SOURCE_TREE_H
#define ABTF_FUNCTIONS_SOURCE_TREE_H

#include "load/unit.h"

/**
 * struct source_tree - what to cut off paths
 * @prefixes:	directories that a user names; the first that fits counts
 * @nr_prefixes: their number
 * @root:	the tree's root; NULL if no unit's name leads out of where it was
 *		compiled
 */
struct source_tree {
	const char	**prefixes;
	uint32_t	nr_prefixes;
	char		*root;
};

/**
 * source_tree__find() - look for the root
 * @dw:		whose units have been read
 * @ret:	its prefixes are filled in
 *
 * Names that are relative lie in the tree, or in that of the objects, which has
 * the same folders.  Of the others (as a build in a folder of its own, make O=,
 * has them) the root is the directory above
 *
 * - init/main.c, which every kernel has;
 * - the folder of a module, as kbuild's NAME.mod.c says it, which is compiled in
 *   the tree of the objects and so has a relative name;
 * - or else all of them.
 *
 * Return: 0 or -ENOMEM.
 */
int source_tree__find(struct source_tree *ret, const struct dwarf *dw);

/**
 * source_tree__path() - what is a file called in the tree?
 * @name:	as DWARF says it
 * @comp_dir:	DW_AT_comp_dir, or NULL
 *
 * ".", ".." and doubled slashes are resolved.  Of the root and the compilation
 * directory, which is the tree of the objects, the nearer one is cut off.
 *
 * Return: a malloc()ed path, which never begins with a '/'; "" if the file is
 * in neither tree; NULL without memory.
 */
char *source_tree__path(const struct source_tree *tree, const char *name, const char *comp_dir);

void source_tree__destroy(struct source_tree *tree);

#endif /* ABTF_FUNCTIONS_SOURCE_TREE_H */
