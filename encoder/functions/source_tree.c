// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions/source_tree.h"

/*
 * Resolve ".", ".." and "//" in place.  A ".." that leads out of a relative
 * path stays; one that leads out of the root is dropped.
 */
static void clean_path(char *path)
{
	bool absolute = *path == '/';
	char *out = path + absolute, *in = path, *floor = out;

	while (*in) {
		char *end;
		size_t len;

		while (*in == '/')
			in++;
		end = strchrnul(in, '/');
		len = end - in;
		if (len == 2 && in[0] == '.' && in[1] == '.') {
			if (out > floor) {
				/* take the last component back */
				out--;
				while (out > floor && out[-1] != '/')
					out--;
			} else if (!absolute) {
				memmove(out, "../", 3);
				out += 3;
				floor = out;
			}
		} else if (len && !(len == 1 && *in == '.')) {
			memmove(out, in, len);
			out += len;
			*out++ = '/';
		}
		in = end;
	}
	if (out > path + 1 && out[-1] == '/')
		out--;
	*out = '\0';
}

/* What is left of a path behind a directory, NULL if it is not below it. */
static const char *behind(const char *path, const char *dir)
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

/* A cleaned copy of DIR/NAME, or of NAME where DIR is NULL. */
static char *make_path(const char *dir, const char *name)
{
	char *path;

	/* one byte more: cleaning puts a "/" behind every component */
	if (asprintf(&path, "%s%s%s ", dir ?: "", dir ? "/" : "", name) < 0)
		return NULL;
	path[strlen(path) - 1] = '\0';
	clean_path(path);
	return path;
}

/* Does a path lead out of where it counts from? */
static bool leads_out(const char *path)
{
	return *path == '/' || (!strncmp(path, "..", 2) && (path[2] == '/' || !path[2]));
}

/*
 * A file's path if its name leads out of where it was compiled, else its name:
 * the compilation directory may be of another tree than what is relative to it,
 * if prefixes were mapped.
 */
static char *resolve(const char *name, const char *comp_dir)
{
	char *path = make_path(NULL, name), *full;

	if (!path || !comp_dir || *path == '/' || !leads_out(path))
		return path;
	full = make_path(comp_dir, path);
	free(path);
	return full;
}

/* --- the root ------------------------------------------------------------------ */

static const char kernel_place[] = "/init/main.c";

static bool ends_in(const char *s, const char *end)
{
	size_t len = strlen(s), n = strlen(end);

	return len >= n && !strcmp(s + len - n, end);
}

/* Cut a path at its last '/', or to nothing. */
static void cut_last(char *path)
{
	char *slash = strrchr(path, '/');

	*(slash ?: path) = '\0';
}

/* The directory that two paths, or a path and a directory, are both below. */
static void make_common(char *dir, const char *path)
{
	size_t i = 0, end = 0;

	for (; dir[i] && dir[i] == path[i]; i++)
		if (dir[i] == '/')
			end = i;
	if (!dir[i] && path[i] == '/')
		end = i;
	dir[end] = '\0';
}

/**
 * struct search - a source_tree__find()
 * @folder:	"/FOLDER/" that a module is built in, or NULL
 * @common:	what all names that lead out are below, NULL before the first
 * @found:	it is the root, and no more is asked
 */
struct search {
	char	*folder;
	char	*common;
	bool	found;
};

static int take_name(struct search *s, const struct unit *u)
{
	char *path = resolve(u->name ?: "", u->comp_dir);

	if (!path)
		return -ENOMEM;
	if (leads_out(path) && ends_in(path, kernel_place)) {
		path[strlen(path) - strlen(kernel_place)] = '\0';
		free(s->common);
		s->common = path;
		s->found = true;
		return 0;
	}
	if (leads_out(path) && s->common) {
		make_common(s->common, path);
	} else if (leads_out(path)) {
		cut_last(path);
		s->common = path;
		return 0;
	} else if (!s->folder && ends_in(path, ".mod.c") && strchr(path, '/')) {
		cut_last(path);
		if (asprintf(&s->folder, "/%s/", path) < 0) {
			s->folder = NULL;
			free(path);
			return -ENOMEM;
		}
	}
	free(path);
	return 0;
}

/* The root is what stands before a module's folder, if the name has that in it. */
static int take_folder(struct search *s, const struct unit *u)
{
	char *path = resolve(u->name ?: "", u->comp_dir), *at;

	if (!path)
		return -ENOMEM;
	at = leads_out(path) ? strstr(path, s->folder) : NULL;
	if (!at) {
		free(path);
		return 0;
	}
	*at = '\0';
	free(s->common);
	s->common = path;
	s->found = true;
	return 0;
}

int source_tree__find(struct source_tree *ret, const struct dwarf *dw)
{
	struct search s = {};
	int err = 0;
	uint32_t i;

	for (i = 0; !err && !s.found && i < dw->nr_units; i++)
		err = take_name(&s, &dw->units[i]);
	for (i = 0; !err && !s.found && s.common && s.folder && i < dw->nr_units; i++)
		err = take_folder(&s, &dw->units[i]);
	free(s.folder);
	if (err) {
		free(s.common);
		return err;
	}
	ret->root = s.common;
	return 0;
}

/* --- paths --------------------------------------------------------------------- */

/* What a user's prefixes leave of a path, NULL if none fits. */
static const char *behind_prefix(const struct source_tree *tree, const char *full)
{
	const char *rest = NULL;
	uint32_t i;

	for (i = 0; i < tree->nr_prefixes && !rest; i++)
		rest = behind(full, tree->prefixes[i]);
	return rest;
}

/* The shorter one of what root and compilation directory leave, "" if neither fits. */
static const char *behind_nearer(const struct source_tree *tree, const char *path,
				 const char *comp_dir)
{
	const char *a = tree->root ? behind(path, *tree->root ? tree->root : "/") : NULL;
	const char *b = comp_dir ? behind(path, comp_dir) : NULL;

	if (a && b)
		return a > b ? a : b;
	return a ?: b ?: "";
}

char *source_tree__path(const struct source_tree *tree, const char *name, const char *comp_dir)
{
	char *full = make_path(*name != '/' ? comp_dir : NULL, name);
	char *path = resolve(name, comp_dir);
	char *dir = make_path(NULL, comp_dir ?: "");
	const char *rest = NULL;
	char *ret = NULL;

	if (full && path && dir) {
		rest = behind_prefix(tree, full);
		if (!rest)
			rest = leads_out(path) ? behind_nearer(tree, path, dir) : path;
		ret = strdup(leads_out(rest) ? "" : rest);
	}
	free(full);
	free(path);
	free(dir);
	return ret;
}

void source_tree__destroy(struct source_tree *tree)
{
	free(tree->root);
	tree->root = NULL;
}
