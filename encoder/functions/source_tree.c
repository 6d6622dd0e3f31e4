// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "functions/source_tree.h"
#include "util/memory.h"

char *path__join(const char *dir, const char *name)
{
	size_t dir_len = dir ? strlen(dir) : 0, name_len = strlen(name), len;
	/* a "/" follows each component */
	char *path = xmalloc(dir_len + name_len + 3), *out = path, *floor;
	char *full __cleanup(free_pointer) = xmalloc(dir_len + name_len + 2);

	memcpy(full, dir ?: "", dir_len);
	full[dir_len] = '/';
	memcpy(full + dir_len + !!dir, name, name_len + 1);

	if (*full == '/')
		*out++ = '/';
	floor = out;
	for (const char *in = full; *in; in += len) {
		in += strspn(in, "/");
		len = strcspn(in, "/");
		if (len == 2 && in[0] == '.' && in[1] == '.') {
			if (out > floor) {
				/* take the last component back */
				for (out--; out > floor && out[-1] != '/'; out--)
					;
			} else if (*full != '/') {
				out = mempcpy(out, "../", 3);
				floor = out;
			}
		} else if (len && !(len == 1 && *in == '.')) {
			out = mempcpy(out, in, len);
			*out++ = '/';
		}
	}
	if (out > path + 1 && out[-1] == '/')
		out--;
	*out = '\0';
	return path;
}

/* Strip a directory from a path; return NULL if the path is not below it. */
static const char *strip_dir(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	while (len > 1 && dir[len - 1] == '/')
		len--;
	if (!len || strncmp(path, dir, len))
		return NULL;
	if (dir[len - 1] == '/')
		return path + len;
	return path[len] == '/' ? path + len + 1 : NULL;
}

/* Test whether a path leaves the directory that it is relative to. */
static bool leaves_dir(const char *path)
{
	return *path == '/' || (!strncmp(path, "..", 2) && (path[2] == '/' || !path[2]));
}

/*
 * Return a file's path if its name leads out of the compilation directory, otherwise its
 * name: if prefixes were mapped, the compilation directory may be in another tree than the
 * files that are relative to it.
 */
static char *resolve_path(const char *name, const char *comp_dir)
{
	char *path __cleanup(free_pointer) = path__join(NULL, name);

	if (!comp_dir || *path == '/' || !leaves_dir(path))
		return no_free_ptr(path);
	return path__join(comp_dir, path);
}

/* --- the roots ----------------------------------------------------------------- */

/* Find the common parent of two paths, or of a directory and a path. */
static void make_common(char *dir, const char *path)
{
	/* "/" keeps its slash */
	size_t i = 0, end = *dir == '/' && *path == '/';

	for (; dir[i] && dir[i] == path[i]; i++)
		if (dir[i] == '/' && i)
			end = i;
	if (!dir[i] && path[i] == '/' && i)
		end = i;
	dir[end] = '\0';
}

/**
 * struct root_search - a source_tree__find()
 * @folder:	"/FOLDER/", the directory that a module is built in, or NULL
 * @sure:	how certain @tree->root is, 0 if it is not known
 * @outside:	some name leaves the directory that it is relative to
 */
struct root_search {
	struct source_tree	*tree;
	char			*folder;
	unsigned int		sure;
	bool			outside;
};

/* Set the root from the path of a file that exists in every kernel. */
static void set_root(struct root_search *s, const char *path, const char *file, unsigned int sure)
{
	size_t len = strlen(path), n = strlen(file);

	if (sure <= s->sure || len < n || strcmp(path + len - n, file) ||
	    (len > n && path[len - n - 1] != '/'))
		return;
	s->sure = sure;
	free(s->tree->root);
	/* a relative name is in the tree already */
	s->tree->root = len > n ? xstrndup(path, len - n - 1 ?: 1) : NULL;
}

static void look_for_root(struct root_search *s, const char *path, const char *comp_dir)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');

	set_root(s, path, "init/main.c", 2);
	set_root(s, path, "scripts/module-common.c", 1);
	s->outside |= leaves_dir(path);
	if (!s->folder && !leaves_dir(path) && slash && dot && dot >= path + 4 &&
	    !strcmp(dot - 4, ".mod.c"))
		s->folder = xasprintf("/%.*s", (int)(slash + 1 - path), path);
}

/* Strip the nearer of two directories from a path; return NULL if it is below neither. */
static const char *strip_nearest(const char *path, const char *a, const char *b)
{
	const char *rest_a = a ? strip_dir(path, a) : NULL;
	const char *rest_b = b ? strip_dir(path, b) : NULL;

	return rest_a > rest_b ? rest_a : rest_b;
}

/*
 * If the kernel's root is not known, or a file is outside of it, the root is the part of
 * the path before the module's directory.  Several directories may have that name, but
 * all of them are below the root.
 */
static void look_for_folder(struct root_search *s, const char *path, const char *comp_dir)
{
	char **root = s->sure ? &s->tree->other : &s->tree->root;
	const char *at = NULL, *next = path;

	if (!s->folder || !leaves_dir(path) ||
	    (s->sure && strip_nearest(path, s->tree->root, comp_dir)))
		return;
	while ((next = strstr(next, s->folder)))
		at = next++;
	if (!at || (*root && strlen(*root) <= (size_t)(at - path)))
		return;
	free(*root);
	*root = xstrndup(path, at - path ?: 1);
}

static void look_for_common(struct root_search *s, const char *path, const char *comp_dir)
{
	struct source_tree *tree = s->tree;

	if (!leaves_dir(path) || strip_nearest(path, tree->root, comp_dir))
		return;
	tree->other = tree->other ?: xstrdup(path);
	make_common(tree->other, path);
}

static void for_each_name(struct root_search *s, const struct dwarf *dw,
			  void (*look)(struct root_search *s, const char *path,
				       const char *comp_dir))
{
	for (uint32_t i = 0; i < dw->nr_units; i++) {
		const struct unit *u = &dw->units[i];
		char *path __cleanup(free_pointer) = resolve_path(u->name ?: "", u->comp_dir);
		char *dir __cleanup(free_pointer) = path__join(NULL, u->comp_dir ?: "");

		look(s, path, dir);
	}
}

void source_tree__find(struct source_tree *ret, const struct dwarf *dw)
{
	struct root_search s = { .tree = ret };

	for_each_name(&s, dw, look_for_root);
	/* names that stay below are in the tree already */
	if (s.outside && s.folder)
		for_each_name(&s, dw, look_for_folder);
	if (s.outside)
		for_each_name(&s, dw, look_for_common);
	free(s.folder);
}

/* --- paths --------------------------------------------------------------------- */

/* Strip one of the user's prefixes from a path; return NULL if none matches. */
static const char *strip_user_prefix(const struct source_tree *tree, const char *full)
{
	const char *rest = NULL;

	for (uint32_t i = 0; i < tree->nr_prefixes && !rest; i++)
		rest = strip_dir(full, tree->prefixes[i]);
	return rest;
}

static const char *in_tree(const struct source_tree *tree, const char *path, const char *comp_dir)
{
	char *dir __cleanup(free_pointer) = NULL;
	const char *rest;

	if (!leaves_dir(path))
		return strip_nearest(path, tree->root, NULL) ?: path;
	dir = path__join(NULL, comp_dir ?: "");
	rest = strip_nearest(path, tree->root, dir) ?: strip_nearest(path, tree->other, NULL);
	/* still: out of several ".." */
	return rest && !leaves_dir(rest) ? rest : "";
}

char *source_tree__path(const struct source_tree *tree, const char *name, const char *comp_dir)
{
	char *full __cleanup(free_pointer) = NULL;
	char *path __cleanup(free_pointer) = NULL;
	const char *rest = NULL;

	/* "<stdin>", "<artificial>" */
	if (*name == '<')
		return xstrdup("");
	if (tree->nr_prefixes) {
		full = path__join(*name != '/' ? comp_dir : NULL, name);
		rest = strip_user_prefix(tree, full);
	}
	if (!rest) {
		path = resolve_path(name, comp_dir);
		rest = in_tree(tree, path, comp_dir);
	}
	return xstrdup(rest);
}

char *source_tree__file(const struct source_tree *tree, char *path, const char *comp_dir)
{
	char *found = path ? source_tree__path(tree, path, comp_dir) : NULL;

	if (path && !*found) {
		free(found);
		return path;
	}
	free(path);
	return found;
}

void source_tree__destroy(struct source_tree *tree)
{
	free(tree->root);
	free(tree->other);
	tree->root = tree->other = NULL;
}
