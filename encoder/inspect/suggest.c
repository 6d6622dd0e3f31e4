// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "inspect/suggest.h"

/* Longer names and paths are not compared. */
#define MAX_LEN	128

/* "kernel/sched/core.c" ends in "sched/core.c" and "core.c", not in "ore.c". */
bool path__ends_in(const char *path, const char *file)
{
	size_t path_len = strlen(path), len = strlen(file);

	if (len > path_len || strcmp(path + path_len - len, file))
		return false;
	return len == path_len || path[path_len - len - 1] == '/';
}

static uint32_t min_of(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/*
 * The number of characters to insert, remove or replace, and of neighbours to swap, that
 * turns one string into the other; more than @limit is not counted.
 */
static uint32_t count_edits(const char *a, size_t a_len, const char *b, size_t b_len,
			    uint32_t limit)
{
	uint32_t rows[3][MAX_LEN + 1], *before = rows[0], *last = rows[1], *row = rows[2], *free;

	if (a_len > MAX_LEN || b_len > MAX_LEN || labs((long)a_len - (long)b_len) > limit)
		return limit + 1;
	for (size_t k = 0; k <= b_len; k++)
		last[k] = k;
	for (size_t i = 1; i <= a_len; i++) {
		uint32_t best = row[0] = i;

		for (size_t k = 1; k <= b_len; k++) {
			row[k] = min_of(min_of(last[k], row[k - 1]) + 1,
					last[k - 1] + (a[i - 1] != b[k - 1]));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				row[k] = min_of(row[k], before[k - 2] + 1);
			best = min_of(best, row[k]);
		}
		if (best > limit)
			return limit + 1;
		free = before;
		before = last;
		last = row;
		row = free;
	}
	return last[b_len];
}

/* A third of it may be wrong, but no more than a typist gets wrong. */
static uint32_t max_edits(size_t len)
{
	return len < 6 ? 1 : len < 12 ? 2 : 3;
}

static void add_suggestion(struct suggestions *s, const struct func *func, uint32_t distance)
{
	if (distance > s->distance)
		return;
	if (distance < s->distance)
		s->nr = 0;
	s->distance = distance;
	if (s->nr < MAX_SUGGESTIONS)
		s->all[s->nr++] = func;
}

void suggest_names(const struct funcs *funcs, const char *name, const char *file,
		   struct suggestions *ret)
{
	size_t len = strlen(name);
	uint32_t distance;

	*ret = (struct suggestions){ .distance = max_edits(len) };
	for (uint32_t i = 0; i < funcs->nr; i++) {
		const struct func *func = &funcs->all[i];

		if (file ? !func->file || !path__ends_in(func->file, file) :
			   i && !compare_names(func - 1, func))
			continue;
		if (func->name_len > len && !strncmp(func->full, name, len) &&
		    func->full[len] == '.')
			distance = 1;
		else
			distance = count_edits(name, len, func->full, func->name_len,
					       ret->distance);
		add_suggestion(ret, func, distance);
	}
}

/* The end of the path that has as many directories as what the user wrote */
static const char *cut_path(const char *path, const char *file)
{
	const char *tail = path + strlen(path);
	size_t slashes = 0;

	for (; *file; file++)
		slashes += *file == '/';
	for (; tail > path && (tail[-1] != '/' || slashes--); tail--)
		;
	return tail;
}

void suggest_files(const struct func *first, uint32_t nr, const char *file,
		   struct suggestions *ret)
{
	*ret = (struct suggestions){ .distance = max_edits(strlen(file)) };
	for (uint32_t i = 0; i < nr; i++) {
		const char *tail = first[i].file ? cut_path(first[i].file, file) : NULL;

		if (tail)
			add_suggestion(ret, &first[i],
				       count_edits(file, strlen(file), tail, strlen(tail),
						   ret->distance));
	}
}
