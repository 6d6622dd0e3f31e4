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
#include "encode.h"
#include "inlined/inlined.h"
#include "inspect/code_map.h"
#include "inspect/decl.h"
#include "inspect/input.h"
#include "inspect/kept.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"
#include "version.h"

/* Increment whenever the layout of the block or the meaning of its contents changes. */
#define VERSION		5U
#define BYTE_ORDER_MARK	0x01020304U

/* More than any kernel needs: larger files are not read. */
#define MAX_BLOCK	(1UL << 30)

/* The parts of a block. */
enum kept_part {
	PART_DECLS,
	PART_INLINED,
	PART_SYMBOLS,
	PART_BTF,
	PART_VERDICTS,
	PART_STRINGS,
	NR_PARTS,
};

/* Their sizes are multiples of these, so that all parts are aligned. */
static const uint32_t units[NR_PARTS] = {
	sizeof(struct kept_decl), sizeof(struct kept_inlined), sizeof(struct kept_symbol), 4, 1, 1,
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
		.magic = "abtfkept", .version = VERSION, .byte_order = BYTE_ORDER_MARK,
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
	const struct kept_header *h = kept->block, expected = make_header(id);
	size_t left = kept->size - sizeof(*h);
	const void *parts[NR_PARTS];

	if (kept->size < sizeof(*h) || memcmp(h, &expected, offsetof(struct kept_header, check)) ||
	    h->check != compute_check(h, kept->size))
		return false;
	for (int i = 0; i < NR_PARTS; i++) {
		if (h->sizes[i] > left || h->sizes[i] % units[i])
			return false;
		parts[i] = (const uint8_t *)h + kept->size - left;
		left -= h->sizes[i];
	}
	kept->decls = parts[PART_DECLS];
	kept->nr_decls = h->sizes[PART_DECLS] / sizeof(*kept->decls);
	kept->inlined = parts[PART_INLINED];
	kept->nr_inlined = h->sizes[PART_INLINED] / sizeof(*kept->inlined);
	kept->symbols = parts[PART_SYMBOLS];
	kept->nr_symbols = h->sizes[PART_SYMBOLS] / sizeof(*kept->symbols);
	kept->verdicts = parts[PART_VERDICTS];
	kept->strs = parts[PART_STRINGS];
	kept->strs_size = h->sizes[PART_STRINGS];
	if (left || h->sizes[PART_VERDICTS] != kept->nr_decls || !kept->strs_size ||
	    kept->strs[kept->strs_size - 1])
		return false;
	kept->left_out = kept__string(kept, h->left_out);
	return !btf_data__parse(parts[PART_BTF], h->sizes[PART_BTF], "cached kernel",
				NULL, &kept->btf);
}

/* Use a block from xmalloc(), if it is valid. */
static struct kept *open_block(void *block, size_t size, const struct build_id *id)
{
	struct kept *kept = xcalloc(1, sizeof(*kept));

	kept->block = block;
	kept->size = size;
	if (parse_block(kept, id))
		return kept;
	kept__free(kept);
	return NULL;
}

static void *read_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t len = 0;
	char *bytes = NULL;
	struct stat st;
	ssize_t n;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    (size_t)st.st_size <= MAX_BLOCK)
		bytes = xmalloc(st.st_size);
	while (bytes && len < (size_t)st.st_size) {
		n = read(fd, bytes + len, st.st_size - len);
		if (n <= 0)
			break;
		len += n;
	}
	if (fd >= 0)
		close(fd);
	*size = len;
	return bytes;
}

struct kept *kept__read(const struct build_id *id)
{
	char *path __cleanup(free_pointer) = make_path(id);
	struct kept *kept;
	size_t size;
	void *block = path ? read_file(path, &size) : NULL;

	if (!block)
		return NULL;
	kept = open_block(block, size, id);
	if (!kept)
		msg_info("%s: invalid, created again", path);
	return kept;
}

enum kprobe_verdict kept__verdict(const struct kept *kept, uint32_t id)
{
	uint32_t at = id - kept->btf->first_id;

	return at < kept->nr_decls && kept->verdicts[at] < NR_KPROBE_VERDICTS ?
	       kept->verdicts[at] : KPROBE_UNKNOWN;
}

void kept__free(struct kept *kept)
{
	if (!kept)
		return;
	btf_data__free(kept->btf);
	free(kept->block);
	free(kept);
}

/* A block in the making. */
struct maker {
	const struct input	*in;
	struct kept_header	header;
	void			*parts[NR_PARTS];
	struct split		strs;
};

/* Allocate a part; the caller may shrink it. */
static void *add_part(struct maker *m, enum kept_part part, size_t size)
{
	m->header.sizes[part] = size;
	m->parts[part] = xcalloc(1, size);
	return m->parts[part];
}

/* Return: the offset of a string, 0 for NULL. */
static uint32_t add_string(struct maker *m, const char *s)
{
	return s ? split__string(&m->strs, s) : 0;
}

/* Find the declaration of every FUNC with an address. */
static int make_decls(struct maker *m)
{
	const struct btf_data *btf = m->in->btf;
	struct decl *decls __cleanup(free_pointer) = xcalloc(btf->nr_funcs, sizeof(*decls));
	struct kept_decl *kept = add_part(m, PART_DECLS, btf->nr_types * sizeof(*kept));
	char *left_out __cleanup(free_pointer) = NULL;
	uint32_t nr = 0, next = 0;
	uint64_t text = 0;
	int err;

	image__symbol(m->in->img, "_text", &text);
	for (uint32_t id = btf->first_id; id < btf->first_id + btf->nr_types; id++) {
		const struct btf_func *record = btf_data__func(btf, id);
		const char *name = btf_data__name(btf, id);

		if (record)
			decls[nr++] = (struct decl){ .name = name, .name_len = strcspn(name, "@"),
						     .address = text + btf_func__offset(record) };
	}
	err = decls__find(m->in->img, m->in->encoding, decls, nr, &left_out);
	for (uint32_t i = 0; i < btf->nr_types && !err; i++) {
		if (!btf_data__func(btf, btf->first_id + i))
			continue;
		if (decls[next].file)
			kept[i] = (struct kept_decl){ add_string(m, decls[next].file),
						      decls[next].line };
		next++;
	}
	m->header.left_out = add_string(m, left_out);
	decls__release(decls, nr);
	return err;
}

static int make_verdicts(struct maker *m)
{
	const struct btf_data *btf = m->in->btf;
	uint8_t *verdicts = add_part(m, PART_VERDICTS, btf->nr_types);
	struct kprobes k __cleanup(kprobes__destroy);
	int err = kprobes__read(m->in->img, m->in->syms, &k);

	for (uint32_t i = 0, id = btf->first_id; i < btf->nr_types && !err; i++, id++)
		if (BTF_INFO_KIND(btf_data__type(btf, id)->info) == BTF_KIND_FUNC)
			verdicts[i] = func__verdict(&k, btf_data__name(btf, id),
						    btf_data__func(btf, id));
	return err;
}

static int make_inlined(struct maker *m)
{
	struct kept_inlined *kept;
	struct inlined *in;
	int err = inlined__read(m->in->img, NULL, NULL, nr_cores(), &in);
	uint32_t nr = 0;

	if (err)
		return err;
	kept = add_part(m, PART_INLINED, in->nr_funcs * sizeof(*kept));
	for (uint32_t i = 0; i < in->nr_funcs; i++) {
		const struct inlined_func *func = &in->funcs[i];

		if (func->bodies)
			kept[nr++] = (struct kept_inlined){ add_string(m, func->name),
							    add_string(m, func->file),
							    func->line, func->calls };
	}
	m->header.sizes[PART_INLINED] = nr * sizeof(*kept);
	inlined__free(in);
	return 0;
}

static int make_symbols(struct maker *m)
{
	struct code_map map __cleanup(code_map__destroy);
	int err = code_map__init(&map, m->in);
	struct kept_symbol *kept = add_part(m, PART_SYMBOLS, map.nr * sizeof(*kept));
	uint32_t nr = 0;

	for (uint32_t i = 0; i < map.nr; i++) {
		const struct extent *e = &map.all[i];

		if (e->start <= UINT32_MAX && e->size <= UINT32_MAX)
			kept[nr++] = (struct kept_symbol){ e->start, e->size,
							   e->func ? 0 : add_string(m, e->name),
							   e->func };
	}
	m->header.sizes[PART_SYMBOLS] = nr * sizeof(*kept);
	return err;
}

static struct kept *join_parts(struct maker *m, const struct build_id *id)
{
	size_t size = sizeof(m->header);
	uint8_t *block, *p;

	/* the BTF reader ignores zero padding after the strings */
	memcpy(add_part(m, PART_BTF, (m->in->size + 3) & ~3UL), m->in->bytes, m->in->size);
	memcpy(add_part(m, PART_STRINGS, m->strs.text.nr), m->strs.text.array, m->strs.text.nr);
	for (int i = 0; i < NR_PARTS; i++)
		size += m->header.sizes[i];
	block = xmalloc(size);
	memcpy(block, &m->header, sizeof(m->header));
	p = block + sizeof(m->header);
	for (int i = 0; i < NR_PARTS; i++)
		p = mempcpy(p, m->parts[i], m->header.sizes[i]);
	((struct kept_header *)block)->check = compute_check((void *)block, size);
	return open_block(block, size, id);
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

int kept__make(const struct build_id *id, const struct input *in, struct kept **ret)
{
	struct maker m = { .in = in, .header = make_header(id) };
	char *path __cleanup(free_pointer) = make_path(id);
	int err;

	*ret = NULL;
	if (!in->bytes || in->btf->base || !in->img || in->img->type == ET_REL ||
	    !image__section(in->img, ".debug_info"))
		return 0;
	split__init(&m.strs, NULL, 0);
	err = make_decls(&m) ?: make_verdicts(&m) ?: make_inlined(&m) ?: make_symbols(&m) ?:
	      m.strs.err;
	if (!err)
		*ret = join_parts(&m, id);
	/* not an error: the cache is optional */
	if (*ret && path && make_directories(path) &&
	    !output__file(path, (*ret)->block, (*ret)->size))
		msg_info("%s: cached for the next call", path);
	split__destroy(&m.strs);
	for (int i = 0; i < NR_PARTS; i++)
		free(m.parts[i]);
	return err;
}
