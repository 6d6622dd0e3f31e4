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
#define VERSION		11U
#define BYTE_ORDER_MARK	0x01020304U
#define MAGIC		"abtfkept"

/* The arrays of a block. */
enum kept_array {
	ARRAY_FUNCTIONS,
	ARRAY_PLACES,
	ARRAY_CALLS,
	ARRAY_RESERVED,
	ARRAY_BTF,
	ARRAY_STRINGS,
	NR_ARRAYS,
};

/**
 * struct kept_function - a function, as in struct function
 * @name, @symbol, @file, @decl_file: offsets of strings; 0: NULL
 */
struct kept_function {
	uint32_t	name, symbol, file, decl_file;
	uint32_t	offset, size;
	uint32_t	source_len;
	uint32_t	decl_line;
	uint32_t	func_id;
	uint32_t	nr_bodies;
	uint16_t	patched;
	uint8_t		kind;
	uint8_t		verdict, inside;
	uint8_t		reason;
	uint8_t		linkage;
	uint8_t		is_unproven;
	uint32_t	has_offset;
};

/** struct kept_calls - as struct inlined_calls; offsets of strings */
struct kept_calls {
	uint32_t	name, home;
	uint32_t	nr;
};

/* Their sizes are multiples of these, so that the arrays before the strings are aligned. */
static const uint32_t units[NR_ARRAYS] = {
	sizeof(struct kept_function), sizeof(uint32_t), sizeof(struct kept_calls), sizeof(uint32_t), 1, 1,
};

/**
 * struct opened_block - the arrays of a block
 * @bytes:	of it, @size
 */
struct opened_block {
	uint8_t		*bytes;
	size_t		size;
	const void	*arrays[NR_ARRAYS];
	const uint64_t	*sizes;
};

/**
 * struct kept_header - the start of a block, before its arrays
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
	uint32_t	zero;
	uint64_t	check;
	uint64_t	machine;
	uint64_t	text;
	uint64_t	sizes[NR_ARRAYS];
};

/* The header without machine, sizes and checksum. */
static struct kept_header make_header(const struct build_id *id)
{
	struct kept_header h = {
		.magic = MAGIC, .version = VERSION, .byte_order = BYTE_ORDER_MARK,
		.program = ABTF_VERSION, .id_size = id->size,
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

/* Return: the string at an offset, NULL for 0 or one out of range. */
static const char *string_at(const struct opened_block *b, uint32_t offset)
{
	return offset && offset < b->sizes[ARRAY_STRINGS] ?
	       (const char *)b->arrays[ARRAY_STRINGS] + offset : NULL;
}

static bool restore_function(struct function_map *map, const struct opened_block *b,
			     const struct kept_function *k)
{
	struct function f = {
		.name = string_at(b, k->name), .symbol = string_at(b, k->symbol),
		.file = string_at(b, k->file), .decl_file = string_at(b, k->decl_file),
		.offset = k->offset, .size = k->size, .source_len = k->source_len,
		.decl_line = k->decl_line, .btf = map->own_btf, .func_id = k->func_id,
		.nr_bodies = k->nr_bodies, .patched = k->patched, .kind = k->kind,
		.verdict = k->verdict, .inside = k->inside, .reason = k->reason, .linkage = k->linkage,
		.has_offset = k->has_offset, .is_unproven = k->is_unproven,
	};

	if (!f.name || !f.symbol || strlen(f.name) < f.source_len || f.kind >= NR_CODE_KINDS ||
	    f.verdict >= NR_KPROBE_VERDICTS || f.inside >= NR_KPROBE_VERDICTS || f.reason >= NR_FUNC_REASONS ||
	    f.linkage > BTF_FUNC_EXTERN)
		return false;
	push(map, f);
	return true;
}

static bool restore_map(struct function_map *map, const struct opened_block *b)
{
	const struct kept_function *functions = b->arrays[ARRAY_FUNCTIONS];
	const uint32_t *places = b->arrays[ARRAY_PLACES], *reserved = b->arrays[ARRAY_RESERVED];
	const struct kept_calls *calls = b->arrays[ARRAY_CALLS];
	const size_t nr = b->sizes[ARRAY_FUNCTIONS] / sizeof(*functions);

	for (size_t i = 0; i < b->sizes[ARRAY_CALLS] / sizeof(*calls); i++) {
		const struct inlined_calls c = { string_at(b, calls[i].name),
						 string_at(b, calls[i].home), calls[i].nr };

		if (!c.name || !c.home)
			return false;
		push(&map->calls, c);
	}
	grow(&map->array, &map->cap, nr, sizeof(*map->array));
	memory__prefer_huge_pages(map->array, nr * sizeof(*map->array));
	for (size_t i = 0; i < nr; i++)
		if (!restore_function(map, b, &functions[i]))
			return false;
	for (size_t i = 0; i < b->sizes[ARRAY_PLACES] / sizeof(*places); i++) {
		if (places[i] >= map->nr)
			return false;
		if (map->array[places[i]].has_offset)
			push(&map->by_place, places[i]);
	}
	for (size_t i = 0; i < b->sizes[ARRAY_RESERVED] / sizeof(*reserved); i++)
		push(&map->reserved, (struct code_place){ .address = reserved[i] });
	map->has_image = map->has_dwarf = map->has_offsets = map->has_all = true;
	return true;
}

static bool parse_block(struct function_map *map, struct opened_block *b, const struct build_id *id)
{
	const struct kept_header *h = (const void *)b->bytes;
	const struct kept_header expected = make_header(id);
	size_t left = b->size - sizeof(*h);
	char *strs;

	if (b->size < sizeof(*h) || memcmp(h, &expected, offsetof(struct kept_header, check)) ||
	    h->check != compute_check(h, b->size))
		return false;
	for (int i = 0; i < NR_ARRAYS; i++) {
		if (h->sizes[i] > left || h->sizes[i] % units[i])
			return false;
		b->arrays[i] = b->bytes + b->size - left;
		left -= h->sizes[i];
	}
	b->sizes = h->sizes;
	strs = (char *)b->arrays[ARRAY_STRINGS];
	if (left || !b->sizes[ARRAY_STRINGS] || strs[b->sizes[ARRAY_STRINGS] - 1])
		return false;
	map->machine = h->machine;
	map->text = h->text;
	return !btf_data__parse(b->arrays[ARRAY_BTF], b->sizes[ARRAY_BTF], "cached kernel",
				NULL, &map->own_btf, NULL) &&
	       restore_map(map, b);
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
	struct opened_block b = {};
	struct stat st;

	*map = (struct function_map){};
	if (!path || lstat(path, &st) || !has_private_directory(path))
		return false;
	if (!is_ours(&st, S_IFREG)) {
		msg_info("%s: is not a file that only this user can write to: ignored", path);
		return false;
	}
	if (file__read(path, O_NOFOLLOW, MAX_FILE, may_be_block, &b.bytes, &b.size))
		return false;
	map->block = b.bytes;
	map->id = *id;
	if (parse_block(map, &b, id))
		return true;
	msg_info("%s: invalid, created again", path);
	function_map__destroy(map);
	return false;
}

/* A block in the making: its header, its arrays, and its strings */
struct maker {
	struct kept_header	header;
	const void		*arrays[NR_ARRAYS];
	struct out_strings		strs;
};

static void set_array(struct maker *m, enum kept_array array, const void *bytes, size_t size)
{
	m->header.sizes[array] = size;
	m->arrays[array] = bytes;
}

/* Return: the offset of a string, 0 for NULL. */
static uint32_t add_string(struct maker *m, const char *s)
{
	return s ? out_strings__add(&m->strs, s) : 0;
}

/* No kernel has 4 GB of code; a place that does not fit is omitted. */
static struct kept_function *make_functions(struct maker *m, const struct function_map *map)
{
	struct kept_function *kept = xcalloc(map->nr, sizeof(*kept));
	uint32_t nr = 0;

	for_each(f, map)
		kept[nr++] = (struct kept_function){
			.name = add_string(m, f->name), .symbol = add_string(m, f->symbol),
			.file = add_string(m, f->file), .decl_file = add_string(m, f->decl_file),
			.offset = f->offset, .size = f->size, .source_len = f->source_len,
			.decl_line = f->decl_line, .func_id = f->func_id,
			.nr_bodies = f->nr_bodies, .patched = f->patched, .kind = f->kind,
			.verdict = f->verdict, .inside = f->inside, .reason = f->reason, .linkage = f->linkage,
			.has_offset = f->has_offset && f->offset <= UINT32_MAX &&
				      f->size <= UINT32_MAX,
			.is_unproven = f->is_unproven,
		};
	set_array(m, ARRAY_FUNCTIONS, kept, nr * sizeof(*kept));
	return kept;
}

static struct kept_calls *make_calls(struct maker *m, const struct function_map *map)
{
	struct kept_calls *kept = xcalloc(map->calls.nr, sizeof(*kept));
	uint32_t nr = 0;

	for_each(c, &map->calls)
		kept[nr++] = (struct kept_calls){ add_string(m, c->name), add_string(m, c->home), c->nr };
	set_array(m, ARRAY_CALLS, kept, nr * sizeof(*kept));
	return kept;
}

static uint32_t *make_reserved(struct maker *m, const struct function_map *map)
{
	uint32_t *kept = xcalloc(map->reserved.nr, sizeof(*kept)), nr = 0;

	for_each(place, &map->reserved)
		if (place->address <= UINT32_MAX)
			kept[nr++] = place->address;
	set_array(m, ARRAY_RESERVED, kept, nr * sizeof(*kept));
	return kept;
}

static void write_block(struct maker *m, const char *path)
{
	size_t size = sizeof(m->header);
	uint8_t *block __cleanup(free_pointer) = NULL, *p;

	for (int i = 0; i < NR_ARRAYS; i++)
		size += m->header.sizes[i];
	block = xmalloc(size);
	p = mempcpy(block, &m->header, sizeof(m->header));
	for (int i = 0; i < NR_ARRAYS; i++)
		if (m->header.sizes[i])
			p = mempcpy(p, m->arrays[i], m->header.sizes[i]);
	((struct kept_header *)block)->check = compute_check((void *)block, size);
	if (!output__private(path, block, size))
		msg_info("%s: cached for the next call", path);
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
	struct maker m = { .header = make_header(&map->id) };
	char *path __cleanup(free_pointer) = make_path(&map->id);
	struct kept_function *functions __cleanup(free_pointer) = NULL;
	struct kept_calls *calls __cleanup(free_pointer) = NULL;
	uint32_t *reserved __cleanup(free_pointer) = NULL;
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
	out_strings__init(&m.strs, NULL, 0);
	m.header.machine = map->machine;
	m.header.text = map->text;
	functions = make_functions(&m, map);
	set_array(&m, ARRAY_PLACES, map->by_place.array,
		  map->by_place.nr * sizeof(*map->by_place.array));
	calls = make_calls(&m, map);
	reserved = make_reserved(&m, map);
	set_array(&m, ARRAY_BTF, in->encoding->btf.bytes, in->encoding->btf.size);
	set_array(&m, ARRAY_STRINGS, m.strs.text.array, m.strs.text.nr);
	err = m.strs.err;
	/* not an error: the cache is optional */
	if (!err)
		write_block(&m, path);
	out_strings__destroy(&m.strs);
	return err;
}
