// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/format.h"
#include "functions/unit_name.h"

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

char *unit_name__tag(const char *name, const char *comp_dir, const char **prefixes, uint32_t nr)
{
	char *dir = make_path(NULL, comp_dir ?: "");
	char *given = make_path(NULL, name);
	char *full = make_path(*name != '/' ? comp_dir : NULL, name);
	const char *rest = NULL;
	char *tag = NULL;
	uint32_t i;

	if (dir && given && full) {
		for (i = 0; i < nr && !rest; i++)
			rest = behind(full, prefixes[i]);
		if (!rest)
			rest = behind(full, dir);
		/* outside of where it was compiled: as the compiler was told */
		if (asprintf(&tag, BTF_FUNC_UNIT_PREFIX "%s", rest ?: given) < 0)
			tag = NULL;
	}
	free(dir);
	free(given);
	free(full);
	return tag;
}
