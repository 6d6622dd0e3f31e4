// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btf/output.h"
#include "btf/out_strings.h"
#include "inspect/kept.h"
#include "util/file.h"
#include "util/memory.h"
#include "util/msg.h"
#include "version.h"

/* Increment whenever the layout of the block or the meaning of its contents changes. */
#define VERSION		13U
#define BYTE_ORDER_MARK	0x01020304U
#define MAGIC		"abtfkept"

/* The arrays of a block. */
enum kept_array {
	ARRAY_FUNCTIONS,
	ARRAY_CALLS,
	ARRAY_RESERVED,
	ARRAY_PLACES,
	ARRAY_BTF,
	ARRAY_STRINGS,
	NR_ARRAYS,
};

_Static_assert(sizeof(void *) < 8 || sizeof(struct function) == 80, "padding would be stored");

/*
 * Their sizes are multiples of these.  Functions and calls are stored as they are in the map, but
 * with offsets of strings instead of pointers; 0: NULL.
 */
static const uint32_t units[NR_ARRAYS] = {
	sizeof(struct function), sizeof(struct inlined_calls), sizeof(uint64_t),
	sizeof(uint32_t), 1, 1,
};

/**
 * struct kept_header - the start of a block, before its arrays
 * @unit:	size of a function
 * @check:	checksum of all that follows it
 * @machine:	of the image, EM_*; @text: its address of _text
 * @sizes:	of the arrays, in bytes
 */
struct kept_header {
	char		magic[8];
	uint32_t	version;
	uint32_t	byte_order;
	char		program[16];
	uint8_t		id[BUILD_ID_MAX];
	uint32_t	id_size;
	uint32_t	unit;
	uint64_t	check;
	uint64_t	machine;
	uint64_t	text;
	uint64_t	sizes[NR_ARRAYS];
};

/** struct opened_block - a block and its arrays */
struct opened_block {
	const struct kept_header *header;
	void			*arrays[NR_ARRAYS];
};

/* The header without machine, sizes and checksum. */
static struct kept_header make_header(const struct build_id *id)
{
	struct kept_header h = {
		.magic = MAGIC, .version = VERSION, .byte_order = BYTE_ORDER_MARK,
		.program = ABTF_VERSION, .id_size = id->size, .unit = sizeof(struct function),
	};

	memcpy(h.id, id->bytes, id->size);
	return h;
}

static uint64_t compute_check(const struct kept_header *h, size_t size)
{
	const size_t start = offsetof(struct kept_header, machine);

	return hash_bytes((const char *)h + start, size - start);
}

/* According to the XDG Base Directory Specification, relative paths are ignored. */
static char *make_path(const struct build_id *id)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char hex[BUILD_ID_HEX];

	build_id__hex(id, hex);
	if (cache && *cache == '/')
		return xasprintf("%s/abtf/%s.functions", cache, hex);
	if (home && *home == '/')
		return xasprintf("%s/.cache/abtf/%s.functions", home, hex);
	return NULL;
}

/* Replace an offset by the string there, or by NULL if it is 0 or out of range. */
static void restore_string(const struct opened_block *b, const char **s)
{
	uintptr_t offset = (uintptr_t)*s;

	*s = offset && offset < b->header->sizes[ARRAY_STRINGS] ?
	     (const char *)b->arrays[ARRAY_STRINGS] + offset : NULL;
}

static bool restore_function(const struct opened_block *b, struct function *f)
{
	restore_string(b, &f->name);
	restore_string(b, &f->symbol);
	restore_string(b, &f->file);
	restore_string(b, &f->decl_file);
	return f->name && f->symbol && strlen(f->name) >= f->source_len && !f->section &&
	       f->kind < NR_CODE_KINDS && f->verdict < NR_KPROBE_VERDICTS &&
	       f->inside < NR_KPROBE_VERDICTS && f->reason < NR_FUNC_REASONS &&
	       f->linkage <= BTF_FUNC_EXTERN;
}

/* The array stays in the block. */
#define restore_array(b, i, vector)						\
	((vector)->array = (b)->arrays[i], (vector)->nr = (b)->header->sizes[i] / units[i])

static bool restore_map(struct function_map *map, const struct opened_block *b)
{
	const uint64_t *reserved = b->arrays[ARRAY_RESERVED];

	restore_array(b, ARRAY_CALLS, &map->calls);
	for_each(c, &map->calls) {
		restore_string(b, &c->name);
		restore_string(b, &c->home);
		if (!c->name || !c->home)
			return false;
	}
	restore_array(b, ARRAY_FUNCTIONS, map);
	for_each(f, map) {
		if (!restore_function(b, f))
			return false;
		f->btf = map->own_btf;
	}
	restore_array(b, ARRAY_PLACES, &map->by_place);
	for_each(place, &map->by_place)
		if (*place >= map->nr || !map->array[*place].has_offset)
			return false;
	for (size_t i = 0; i < b->header->sizes[ARRAY_RESERVED] / sizeof(*reserved); i++)
		push(&map->reserved, (struct code_place){ reserved[i], 0 });
	map->has_image = map->has_offsets = map->has_all = true;
	return true;
}

static bool parse_block(struct function_map *map, size_t size)
{
	uint8_t *bytes = map->block;
	struct opened_block b = { .header = map->block };
	const struct kept_header *h = b.header, expected = make_header(&map->id);
	size_t left = size - sizeof(*h);

	if (size < sizeof(*h) || memcmp(h, &expected, offsetof(struct kept_header, check)) ||
	    h->check != compute_check(h, size))
		return false;
	for (int i = 0; i < NR_ARRAYS; i++) {
		if (h->sizes[i] > left || h->sizes[i] % units[i])
			return false;
		b.arrays[i] = bytes + size - left;
		left -= h->sizes[i];
	}
	/* the strings are last */
	if (left || !h->sizes[ARRAY_STRINGS] || bytes[size - 1])
		return false;
	map->machine = h->machine;
	map->text = h->text;
	return !btf_data__parse(b.arrays[ARRAY_BTF], h->sizes[ARRAY_BTF], "cached kernel", NULL,
				&map->own_btf, NULL) &&
	       restore_map(map, &b);
}

static bool may_be_block(const uint8_t *bytes, size_t size)
{
	return size < strlen(MAGIC) || !memcmp(bytes, MAGIC, strlen(MAGIC));
}

static bool is_ours(const struct stat *st, mode_t type)
{
	return (st->st_mode & S_IFMT) == type && st->st_uid == geteuid() &&
	       !(st->st_mode & (S_IWGRP | S_IWOTH));
}

/* Only this user can replace files in the directory of the cache, which is not a link. */
static bool has_private_directory(const char *path)
{
	char *dir __cleanup(free_pointer) = xstrndup(path, strrchr(path, '/') - path);
	struct stat st;

	if (lstat(dir, &st))
		return false;
	if (is_ours(&st, S_IFDIR))
		return true;
	msg_info("%s: is not a directory that only this user can write to, so nothing is cached",
		 dir);
	return false;
}

bool kept__read(struct function_map *map, const struct build_id *id)
{
	char *path __cleanup(free_pointer) = make_path(id);
	uint8_t *bytes __cleanup(free_pointer) = NULL;
	struct stat st;
	size_t size;

	*map = (struct function_map){ .id = *id };
	if (!path || lstat(path, &st) || !has_private_directory(path))
		return false;
	if (!is_ours(&st, S_IFREG)) {
		msg_info("%s: is not a file that only this user can write to: ignored", path);
		return false;
	}
	if (file__read(path, O_NOFOLLOW, MAX_FILE, may_be_block, &bytes, &size))
		return false;
	map->block = no_free_ptr(bytes);
	if (parse_block(map, size))
		return true;
	msg_info("%s: invalid, created again", path);
	function_map__destroy(map);
	return false;
}

/* A block in the making: its bytes, starting with the header, and its strings */
struct maker {
	VECTOR(uint8_t);
	struct out_strings	strs;
};

/* Append an array; @bytes: NULL: to be filled. Return: the copy, until the next one is added. */
static void *add_array(struct maker *m, enum kept_array i, const void *bytes, size_t size)
{
	uint8_t *copy;

	grow(&m->array, &m->cap, m->nr + size, 1);
	copy = m->array + m->nr;
	if (bytes)
		memcpy(copy, bytes, size);
	m->nr += size;
	((struct kept_header *)m->array)->sizes[i] = size;
	return copy;
}

/* Replace a string by its offset. */
static void keep_string(struct maker *m, const char **s)
{
	*s = *s ? (const char *)(uintptr_t)out_strings__add(&m->strs, *s) : NULL;
}

static void add_functions(struct maker *m, const struct function_map *map)
{
	struct function *f = add_array(m, ARRAY_FUNCTIONS, map->array, map->nr * sizeof(*f));

	for (uint32_t i = 0; i < map->nr; i++) {
		keep_string(m, &f[i].name);
		keep_string(m, &f[i].symbol);
		keep_string(m, &f[i].file);
		keep_string(m, &f[i].decl_file);
		f[i].btf = NULL;
	}
}

static void add_calls(struct maker *m, const struct function_map *map)
{
	struct inlined_calls *c = add_array(m, ARRAY_CALLS, map->calls.array,
					    map->calls.nr * sizeof(*c));

	for (uint32_t i = 0; i < map->calls.nr; i++) {
		keep_string(m, &c[i].name);
		keep_string(m, &c[i].home);
	}
}

static void add_reserved(struct maker *m, const struct function_map *map)
{
	uint64_t *places = add_array(m, ARRAY_RESERVED, NULL, map->reserved.nr * sizeof(*places));

	for_each(place, &map->reserved)
		*places++ = place->address;
}

static void destroy_maker(struct maker *m)
{
	free(m->array);
	out_strings__destroy(&m->strs);
}

/* Create a path's parent directories, as mkdir -p does; the last one must be writable. */
static bool make_directories(char *path)
{
	bool good = true;

	for (char *p = strchr(path + 1, '/'); p && good; p = strchr(p + 1, '/')) {
		*p = 0;
		good = (!mkdir(path, 0700) || errno == EEXIST) &&
		       (strchr(p + 1, '/') || !access(path, W_OK));
		if (!good)
			msg_info("%s: cannot create this directory or write to it, so nothing is cached: %s",
				 path, strerror(errno));
		*p = '/';
	}
	return good;
}

int kept__make(struct function_map *map, const struct input *in)
{
	struct maker m __cleanup(destroy_maker) = {};
	char *path __cleanup(free_pointer) = make_path(&map->id);
	struct kept_header *h;
	int err;

	if (!in->encoding || map->is_module || !map->syms->has_text)
		return 0;
	/* the file with the code may be installed later */
	if (image__lacks_code(in->img)) {
		msg_info("%s: has no code, so nothing is cached", map->subject);
		return 0;
	}
	err = function_map__read_inlined(map, in);
	if (err || !path || !make_directories(path) || !has_private_directory(path))
		return err;
	grow(&m.array, &m.cap, sizeof(*h), 1);
	m.nr = sizeof(*h);
	h = (void *)m.array;
	*h = make_header(&map->id);
	h->machine = map->machine;
	h->text = map->text;
	out_strings__init(&m.strs, NULL, 0);
	add_functions(&m, map);
	add_calls(&m, map);
	add_reserved(&m, map);
	add_array(&m, ARRAY_PLACES, map->by_place.array, map->by_place.nr * sizeof(uint32_t));
	add_array(&m, ARRAY_BTF, in->encoding->btf.bytes, in->encoding->btf.size);
	add_array(&m, ARRAY_STRINGS, m.strs.text.array, m.strs.text.nr);
	h = (void *)m.array;
	h->check = compute_check(h, m.nr);
	/* the cache is optional */
	if (!m.strs.err && !output__private(path, m.array, m.nr))
		msg_info("%s: cached for the next call", path);
	return m.strs.err;
}
