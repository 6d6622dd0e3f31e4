// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables for a fleet: one file per build id, DIR/ab/cdef.table, as in .build-id.
 *
 * Each file is complete, because it is renamed into place; so a later run only reads the images
 * whose tables are missing.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "btf/output.h"
#include "cmd/list.h"
#include "util/file.h"
#include "util/jobserver.h"
#include "util/msg.h"

enum outcome { TABLE_FAILED, TABLE_WRITTEN, TABLE_EXISTS, TABLE_TWICE, NR_OUTCOMES };

/**
 * struct table_item - one image
 * @path:	its path; NULL: @where leads to it
 * @img:	the image, if it is open already
 */
struct table_item {
	const char	*path;
	struct where	where;
	struct image	*img;
	enum outcome	outcome;
};

/**
 * struct table_claim - a build id that was seen
 * @item:	the first image with it that was seen so far, whose table is written
 * @writer:	the image whose table was written last, or NO_ITEM
 * @exists:	the table existed before
 */
struct table_claim {
	struct build_id	id;
	uint32_t	item;
	uint32_t	writer;
	bool		exists;
};

#define NO_ITEM	UINT32_MAX

/* More bytes than a table has. */
#define MAX_TABLE	(1UL << 28)

/**
 * struct tables - what the threads share
 * @what:	which functions the tables have, as in their first line
 * @first:	number of the first item of jobs__each()
 * @lock:	protects @claims, and files while they are written
 */
struct tables {
	const struct list_options *opts;
	const char		*what;
	VECTOR(struct table_item) items;
	VECTOR(struct table_claim) claims;
	uint32_t		first;
	atomic_uint		done;
	unsigned int		threads;
	pthread_mutex_t		lock;
};

static char *make_path(const struct tables *t, const struct build_id *id)
{
	char hex[BUILD_ID_HEX];

	build_id__hex(id, hex);
	return xasprintf("%s/%.2s/%s.table", t->opts->output, hex, hex + 2);
}

static uint32_t count_lines(const char *text)
{
	uint32_t nr = 0;

	for (; (text = strchr(text, '\n')); text++)
		nr++;
	return nr;
}

/*
 * Test for a complete table with these functions.  @module: NULL: the module's name in its first
 * line is not compared.
 */
static bool table_exists(const struct tables *t, const struct build_id *id, const char *module)
{
	char *path __cleanup(free_pointer) = make_path(t, id);
	char name[64], what[16], *line __cleanup(free_pointer) = NULL;
	uint8_t *bytes __cleanup(free_pointer) = NULL;
	const char *text;
	uint32_t nr;
	size_t size;

	if (file__read(path, O_NONBLOCK, MAX_TABLE, NULL, &bytes, &size))
		return false;
	text = (char *)bytes;
	if (sscanf(text, "%*s %*s %*s %63s %15s %" SCNu32, name, what, &nr) != 3 ||
	    count_lines(text) != nr + 1)
		return false;
	/* a table of all functions has those that share a name, too */
	if (strcmp(what, t->what) && strcmp(what, "all"))
		return false;
	line = list_table__header(id, module ?: name, what);
	return !strncmp(text, line, strlen(line)) && text[strlen(line)] == ' ';
}

static struct table_claim *find_claim(struct tables *t, const struct build_id *id)
{
	for_each(c, &t->claims)
		if (build_id__equal(&c->id, id))
			return c;
	return NULL;
}

/*
 * Of several images with a build id, use the first argument, in any order of the threads.
 * Return: TABLE_WRITTEN if the table is to be written.
 */
static enum outcome claim_id(struct tables *t, const struct build_id *id, uint32_t item)
{
	enum outcome ret = TABLE_WRITTEN;
	struct table_claim *c;

	pthread_mutex_lock(&t->lock);
	c = find_claim(t, id);
	if (!c) {
		push(&t->claims, (struct table_claim){
			*id, item, NO_ITEM, table_exists(t, id, t->items.array[item].where.module) });
		c = &t->claims.array[t->claims.nr - 1];
	}
	if (item < c->item)
		c->item = item;
	if (c->exists)
		ret = TABLE_EXISTS;
	else if (c->item != item)
		ret = TABLE_TWICE;
	pthread_mutex_unlock(&t->lock);
	return ret;
}

static int write_table(struct tables *t, uint32_t item, const struct build_id *id,
		       const char *text, size_t size)
{
	char *path __cleanup(free_pointer) = make_path(t, id);
	struct table_claim *c;
	int err = 0;

	pthread_mutex_lock(&t->lock);
	c = find_claim(t, id);
	if (c->item != item) {
		/* an earlier image was seen since */
		t->items.array[item].outcome = TABLE_TWICE;
	} else {
		err = output__make_directories(path) ?: output__replace(path, text, size);
		/* replaced */
		if (!err && c->writer != NO_ITEM)
			t->items.array[c->writer].outcome = TABLE_TWICE;
		if (!err)
			c->writer = item;
	}
	pthread_mutex_unlock(&t->lock);
	return err;
}

static int make_table(struct tables *t, uint32_t item, struct image *img, const struct build_id *id)
{
	struct function_map map __cleanup(function_map__destroy) = {};
	struct input in __cleanup(input__close) = {};
	char *path __cleanup(free_pointer) = xstrdup(img->path);
	char *text __cleanup(free_pointer) = NULL;
	struct selection sel = {};
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int err = input__open(&in, path, img, NULL, NULL);

	if (!f)
		out_of_memory();
	/* images share the threads */
	if (t->items.nr > 1)
		in.threads = 1;
	err = err ?: function_map__read(&map, &in);
	if (!err && !map.has_image)
		err = msg_fail(-EINVAL, "%s: has no symbols of functions", path);
	err = err ?: selection__find(&sel, &map, t->opts->all) ?:
		     list_table__print(path, &map, &sel, t->opts->all, f);
	if (fclose(f))
		out_of_memory();
	selection__destroy(&sel);
	return err ?: write_table(t, item, id, text, size);
}

/* If one image fails, the others are read. */
static int run_item(void *arg, unsigned int thread, uint32_t nr)
{
	struct tables *t = arg;
	uint32_t i = t->first + nr;
	struct table_item *item = &t->items.array[i];
	struct image *img = no_free_ptr(item->img);
	struct build_id id;
	int err = 0;

	if (!img && item->path)
		err = image__open(item->path, &img);
	if (img && !build_id__of(img, &id))
		err = msg_fail(-EINVAL, "%s: has no build id, which a table must contain", img->path);
	if (img && !err) {
		item->outcome = claim_id(t, &id, i);
		if (item->outcome == TABLE_WRITTEN)
			err = make_table(t, i, no_free_ptr(img), &id);
	}
	if (err)
		item->outcome = TABLE_FAILED;
	image__close(img);
	msg_progress("images", atomic_fetch_add(&t->done, 1) + 1, t->items.nr);
	return 0;
}

/* Find an image, unless its table exists. */
static void find_item(struct tables *t, uint32_t i)
{
	struct table_item *item = &t->items.array[i];
	struct build_id id = {};

	if (item->path)
		return;
	if ((!item->where.module || !where__is_running(&item->where)) &&
	    where__identify(&item->where, &id))
		return;
	/* the table may be vmlinux's: then the search prints the error */
	if (id.size && item->where.module && !table_exists(t, &id, item->where.module))
		item->outcome = TABLE_WRITTEN;
	else if (id.size)
		item->outcome = claim_id(t, &id, i);
	if (!id.size || item->outcome == TABLE_WRITTEN)
		item->outcome = TABLE_FAILED, where__open(&item->where, NULL, &item->img);
}

static void add_items(struct tables *t, char **images, uint32_t nr)
{
	const struct where *where = &t->opts->where;

	for (uint32_t i = 0; i < nr; i++)
		push(&t->items, (struct table_item){ .path = images[i] });
	for_each(source, &where->sources) {
		struct table_item item = { .where = *where };

		item.where.source = *source;
		push(&t->items, item);
	}
	if (where->running || (where->module && !where->sources.nr)) {
		struct table_item item = { .where = *where };

		item.where.source = (struct where_source){};
		push(&t->items, item);
	}
}

static int report_outcomes(const struct tables *t)
{
	uint32_t outcomes[NR_OUTCOMES] = {};

	for_each(item, &t->items)
		outcomes[item->outcome]++;
	printf("tables: %u written, %u existed, %u duplicates, %u failed\n",
	       outcomes[TABLE_WRITTEN], outcomes[TABLE_EXISTS], outcomes[TABLE_TWICE],
	       outcomes[TABLE_FAILED]);
	return outcomes[TABLE_FAILED] ? EXIT_BAD : EXIT_DONE;
}

int list_fleet(const struct list_options *opts, char **images, uint32_t nr)
{
	struct tables t = {
		.opts = opts, .what = opts->all ? "all" : "shared",
		.threads = opts->threads ?: nr_cores(), .lock = PTHREAD_MUTEX_INITIALIZER,
	};
	int status;

	add_items(&t, images, nr);
	jobs__each(t.threads, nr, run_item, &t);
	/* debuginfod must be used by one thread, and images that were found take memory */
	for (t.first = nr; t.first < t.items.nr; t.first += t.threads) {
		uint32_t some = t.items.nr - t.first;

		some = some < t.threads ? some : t.threads;
		for (uint32_t i = 0; i < some; i++)
			find_item(&t, t.first + i);
		jobs__each(t.threads, some, run_item, &t);
	}
	status = report_outcomes(&t);
	free(t.items.array);
	free(t.claims.array);
	return status;
}
