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
 * @root:	the kernel's source; NULL if it is not known, or names do not say it
 * @other:	what is above all files that are elsewhere, or NULL
 */
struct source_tree {
	const char	**prefixes;
	uint32_t	nr_prefixes;
	char		*root;
	char		*other;
};

/**
 * source_tree__find() - look for the roots
 * @dw:		whose units have been read
 * @ret:	its prefixes are filled in; to be destroyed, also after an error
 *
 * A relative name lies in the tree, or in that of the objects, which has the same
 * folders.  Others, as a build in a folder of its own (make O=) has them, lead out
 * of where they were compiled.  Then the root is the directory above init/main.c,
 * which every kernel has; of a module, above scripts/module-common.c, which modules
 * have since Linux 6.12.
 *
 * Without these, and for what is in neither tree, as files of a module that is built
 * outside of the kernel's: the root is above the folder of the module, if kbuild's
 * NAME.mod.c says it with a relative name; or else above all these files.
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
 * Return: a malloc()ed path, which does not begin with a '/'; "" if the file is
 * nowhere below these, or if the name is that of no file; NULL without memory.
 */
char *source_tree__path(const struct source_tree *tree, const char *name, const char *comp_dir);

void source_tree__destroy(struct source_tree *tree);

#endif /* ABTF_FUNCTIONS_SOURCE_TREE_H */
