/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find the root of the source tree, and the paths of files relative to it.
 *
 * A CU's name in DWARF is the path that the compiler was called with: relative to the
 * tree, or absolute on the build machine.  File names in BTF must not depend on the
 * build directory, so the root is derived from the names themselves.
 */
#ifndef ABTF_FUNCTIONS_SOURCE_TREE_H
#define ABTF_FUNCTIONS_SOURCE_TREE_H

#include "dwarf/unit.h"

/**
 * struct source_tree - the prefixes to strip from paths
 * @prefixes:	directories given by the user; the first match is used
 * @nr_prefixes: their number
 * @root:	the kernel's source; NULL if it is not known, or not part of the names
 * @other:	the root of all other files, or NULL
 */
struct source_tree {
	const char	**prefixes;
	uint32_t	nr_prefixes;
	char		*root;
	char		*other;
};

/**
 * source_tree__find() - find the roots
 * @dw:		its units have been read
 * @ret:	its prefixes are set; must be destroyed
 *
 * A relative name is in the source tree, or in the object tree, which has the same
 * directories.  Other names, from a build in a separate directory (make O=), leave the
 * directory where they were compiled.  Then the root is the directory above
 * init/main.c, which every kernel has; for a module, the one above
 * scripts/module-common.c, which modules contain since Linux 6.12.
 *
 * Without these files, and for files in neither tree, such as an out-of-tree module's,
 * the root is above the module's directory, if kbuild's NAME.mod.c has a relative name;
 * otherwise, it is the common parent of all these files.
 */
void source_tree__find(struct source_tree *ret, const struct dwarf *dw);

/**
 * source_tree__path() - make a file's path relative to the tree
 * @name:	as in DWARF
 * @comp_dir:	DW_AT_comp_dir, or NULL
 *
 * ".", ".." and doubled slashes are resolved.  The root or the compilation directory,
 * which is the object tree, is cut off, whichever is nearer.
 *
 * Return: a malloc()ed path, which does not begin with a '/'; "" if the file is below
 * neither directory, or if the name does not denote a file.
 */
char *source_tree__path(const struct source_tree *tree, const char *name, const char *comp_dir);

/**
 * source_tree__file() - like source_tree__path(), for a file of which users need some path
 * @path:	malloc()ed, or NULL; freed unless it is returned
 *
 * Return: the path in the tree; @path if it is not in the tree.
 */
char *source_tree__file(const struct source_tree *tree, char *path, const char *comp_dir);

void source_tree__destroy(struct source_tree *tree);

/**
 * path__join() - join two paths, and resolve ".", ".." and "//"
 * @dir:	NULL: only @name
 *
 * A ".." that leads out of a relative path is kept, at the root it is dropped.
 *
 * Return: a malloc()ed path.
 */
char *path__join(const char *dir, const char *name);

#endif /* ABTF_FUNCTIONS_SOURCE_TREE_H */
