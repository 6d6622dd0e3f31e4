// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "locate/root.h"
#include "util/macros.h"
#include "util/memory.h"

/* As MAXSYMLINKS of the kernel. */
#define MAX_LINKS	40

/* Return: the target of a link; NULL with errno, which is EINVAL for anything else. */
static char *read_link(const char *path)
{
	char target[PATH_MAX];
	ssize_t len = readlink(path, target, sizeof(target));

	return len < 0 ? NULL : xstrndup(target, len);
}

char *root__resolve(const char *root, const char *path)
{
	char *rest __cleanup(free_pointer) = xstrdup(path), *next = rest;
	char *done __cleanup(free_pointer) = xstrdup(root);
	char *elsewhere __cleanup(free_pointer) = NULL;
	unsigned int links = 0;
	bool is_last = false;

	for (;;) {
		char *link __cleanup(free_pointer) = NULL, *component, *longer;
		size_t len;

		next += strspn(next, "/");
		len = strcspn(next, "/");
		component = next;
		next += len;
		if (!len)
			return no_free_ptr(done);
		if (len == 1 && *component == '.')
			continue;
		if (len == 2 && !strncmp(component, "..", 2)) {
			char *slash = strrchr(done + strlen(root), '/');

			if (slash)
				*slash = 0;
			continue;
		}
		longer = xasprintf("%s/%.*s", done, (int)len, component);
		link = read_link(longer);
		if (!link && errno == EINVAL) {
			free(done);
			done = longer;
			continue;
		}
		free(longer);
		if (!link && errno == ENOENT && elsewhere && !access(elsewhere, F_OK))
			return no_free_ptr(elsewhere);
		if (!link && errno == ENOENT && is_last)
			errno = ENOLINK;
		if (link && ++links > MAX_LINKS)
			errno = ELOOP;
		if (!link || links > MAX_LINKS)
			return NULL;
		is_last |= !next[strspn(next, "/")];
		if (*link == '/') {
			done[strlen(root)] = 0;
			free(elsewhere);
			elsewhere = next[strspn(next, "/")] ? NULL : xstrdup(link);
		}
		next = xasprintf("%s%s", link, next);
		free(rest);
		rest = next;
	}
}

/* The components up to @start have no *, or are the names of files. */
static void match_from(const char *root, const char *pattern, size_t start,
		       void (*fn)(const char *path, void *arg), void *arg)
{
	const char *star = strchr(pattern + start, '*'), *component = star, *rest;
	char *dir __cleanup(free_pointer) = NULL, *wanted __cleanup(free_pointer) = NULL;
	char *real __cleanup(free_pointer) = NULL;
	struct dirent *entry;
	DIR *entries;

	if (!star) {
		fn(pattern, arg);
		return;
	}
	while (component > pattern && component[-1] != '/')
		component--;
	rest = star + strcspn(star, "/");
	dir = xstrndup(pattern, component - pattern);
	wanted = xstrndup(component, rest - component);
	real = root__resolve(root, dir);
	entries = real ? opendir(real) : NULL;
	if (real && !entries && errno == EACCES)
		fn(dir, arg);
	while (entries && (entry = readdir(entries))) {
		char *path __cleanup(free_pointer) = NULL;

		if (fnmatch(wanted, entry->d_name, FNM_PERIOD))
			continue;
		path = xasprintf("%s%s%s", dir, entry->d_name, rest);
		match_from(root, path, strlen(path) - strlen(rest), fn, arg);
	}
	if (entries)
		closedir(entries);
}

void root__match(const char *root, const char *pattern, void (*fn)(const char *path, void *arg),
		 void *arg)
{
	match_from(root, pattern, 0, fn, arg);
}
