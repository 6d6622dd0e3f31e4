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
#include "btf/split.h"
#include "inspect/code_map.h"
#include "inspect/facts.h"
#include "inspect/kept.h"
#include "inspect/text.h"
#include "util/file.h"
#include "util/memory.h"
#include "util/msg.h"
#include "version.h"

/* Increment whenever the layout of the block or the meaning of its contents changes. */
#define VERSION		7U
#define BYTE_ORDER_MARK	0x01020304U
#define MAGIC		"abtfkept"

/* The parts of a block. */
enum kept_part {
	PART_FUNCS,
	PART_CALLS,
	PART_SYMBOLS,
	PART_BTF,
	PART_STRINGS,
	NR_PARTS,
};

/* Their sizes are multiples of these, so that the parts before the strings are aligned. */
static const uint32_t units[NR_PARTS] = {
	sizeof(struct kept_func), sizeof(uint32_t), sizeof(struct kept_symbol), 1, 1,
};

/**
 * struct kept_header - the start of a block, before its parts
 * @check:	checksum of all that follows it
 * @sizes:	of the parts, in bytes
 * @left_out:	offset of a string
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
	uint64_t	sizes[NR_PARTS];
	uint64_t	left_out;
};

/* The header without sizes and checksum. */
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
	const size_t start = offsetof(struct kept_header, sizes);

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

static bool parse_block(struct kept *kept, const struct build_id *id)
{
	struct kept_header *h = (void *)kept->block;
	const struct kept_header expected = make_header(id);
	size_t left = kept->size - sizeof(*h);
	void *parts[NR_PARTS];

	if (kept->size < sizeof(*h) || memcmp(h, &expected, offsetof(struct kept_header, check)) ||
	    h->check != compute_check(h, kept->size))
		return false;
	for (int i = 0; i < NR_PARTS; i++) {
		if (h->sizes[i] > left || h->sizes[i] % units[i])
			return false;
		parts[i] = (uint8_t *)h + kept->size - left;
		left -= h->sizes[i];
	}
	kept->funcs = parts[PART_FUNCS];
	kept->calls = parts[PART_CALLS];
	kept->nr_calls = h->sizes[PART_CALLS] / sizeof(*kept->calls);
	kept->symbols = parts[PART_SYMBOLS];
	kept->nr_symbols = h->sizes[PART_SYMBOLS] / sizeof(*kept->symbols);
	kept->strs = parts[PART_STRINGS];
	kept->strs_size = h->sizes[PART_STRINGS];
	if (left || !kept->strs_size || kept->strs[kept->strs_size - 1])
		return false;
	kept->left_out = kept__string(kept, h->left_out);
	return !btf_data__parse(parts[PART_BTF], h->sizes[PART_BTF], "cached kernel",
				NULL, &kept->btf, NULL) &&
	       h->sizes[PART_FUNCS] == kept->btf->nr_funcs * sizeof(*kept->funcs);
}

static bool may_be_block(const uint8_t *bytes, size_t size)
{
	return size < strlen(MAGIC) || !memcmp(bytes, MAGIC, strlen(MAGIC));
}

struct kept *kept__read(const struct build_id *id)
{
	char *path __cleanup(free_pointer) = make_path(id);
	struct kept *kept = xcalloc(1, sizeof(*kept));

	if (path && !file__read(path, O_NONBLOCK, MAX_FILE, may_be_block, &kept->block,
				&kept->size)) {
		if (parse_block(kept, id))
			return kept;
		msg_info("%s: invalid, created again", path);
	}
	kept__free(kept);
	return NULL;
}

void kept__restore(struct kept *kept, struct input *in)
{
	in->kept = kept;
	in->btf = kept->btf;
	in->funcs = funcs__new(in->btf);
	in->left_out = kept->left_out;
	in->calls = kept->calls;
	in->nr_calls = kept->nr_calls;
	for (uint32_t i = 0; i < in->funcs->nr; i++) {
		const struct kept_func *k = &kept->funcs[i];
		struct func *func = &in->funcs->array[i];

		func->decl_file = text_clean(kept__string(kept, k->decl_file));
		func->decl_line = k->decl_line;
		func->inlined = k->inlined <= kept->nr_calls ? k->inlined : 0;
		func->verdict = k->verdict < NR_KPROBE_VERDICTS ? k->verdict : KPROBE_UNKNOWN;
	}
}

void kept__free(struct kept *kept)
{
	if (!kept)
		return;
	btf_data__free(kept->btf);
	free(kept->block);
	free(kept);
}

/* A block in the making: its header, its parts, and its last part */
struct maker {
	struct kept_header	header;
	const void		*parts[NR_PARTS];
	struct split		strs;
};

static void set_part(struct maker *m, enum kept_part part, const void *bytes, size_t size)
{
	m->header.sizes[part] = size;
	m->parts[part] = bytes;
}

/* Return: the offset of a string, 0 for NULL. */
static uint32_t add_string(struct maker *m, const char *s)
{
	return s ? split__string(&m->strs, s) : 0;
}

static struct kept_func *make_funcs(struct maker *m, const struct funcs *funcs)
{
	struct kept_func *kept = xcalloc(funcs->nr, sizeof(*kept));

	for (uint32_t i = 0; i < funcs->nr; i++) {
		const struct func *func = &funcs->array[i];

		kept[i] = (struct kept_func){ add_string(m, func->decl_file), func->decl_line,
					      func->inlined, func->verdict };
	}
	set_part(m, PART_FUNCS, kept, funcs->nr * sizeof(*kept));
	return kept;
}

static struct kept_symbol *make_symbols(struct maker *m, const struct code_map *map,
					const struct funcs *funcs)
{
	struct kept_symbol *kept = xcalloc(map->nr, sizeof(*kept));
	uint32_t nr = 0;

	for_each(e, map)
		if (e->address <= UINT32_MAX && e->size <= UINT32_MAX)
			kept[nr++] = (struct kept_symbol){
				e->address, e->size, e->func ? 0 : add_string(m, e->name),
				e->func ? e->func - funcs->array + 1 : 0,
			};
	set_part(m, PART_SYMBOLS, kept, nr * sizeof(*kept));
	return kept;
}

static void write_block(struct maker *m, const char *path)
{
	size_t size = sizeof(m->header);
	uint8_t *block __cleanup(free_pointer) = NULL, *p;

	for (int i = 0; i < NR_PARTS; i++)
		size += m->header.sizes[i];
	block = xmalloc(size);
	p = mempcpy(block, &m->header, sizeof(m->header));
	for (int i = 0; i < NR_PARTS; i++)
		p = mempcpy(p, m->parts[i], m->header.sizes[i]);
	((struct kept_header *)block)->check = compute_check((void *)block, size);
	if (!output__file(path, block, size))
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

int kept__make(const struct build_id *id, struct input *in)
{
	struct maker m = { .header = make_header(id) };
	struct code_map map __cleanup(code_map__destroy) = {};
	char *path __cleanup(free_pointer) = make_path(id);
	struct kept_func *funcs __cleanup(free_pointer) = NULL;
	struct kept_symbol *symbols __cleanup(free_pointer) = NULL;
	int err;

	if (!in->bytes || in->btf->base || !in->img || in->img->type == ET_REL ||
	    !image__section(in->img, ".debug_info"))
		return 0;
	in->has_ids = false;
	split__init(&m.strs, NULL, 0);
	err = facts__find(in) ?: facts__find_inlined(in) ?: code_map__init(&map, in);
	if (!err) {
		funcs = make_funcs(&m, in->funcs);
		set_part(&m, PART_CALLS, in->calls, in->nr_calls * sizeof(*in->calls));
		symbols = make_symbols(&m, &map, in->funcs);
		set_part(&m, PART_BTF, in->bytes, in->size);
		m.header.left_out = add_string(&m, in->left_out);
		set_part(&m, PART_STRINGS, m.strs.text.array, m.strs.text.nr);
		err = m.strs.err;
	}
	/* not an error: the cache is optional */
	if (!err && path && make_directories(path))
		write_block(&m, path);
	split__destroy(&m.strs);
	return err;
}
