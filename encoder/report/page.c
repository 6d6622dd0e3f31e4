// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data is one compact JSON object.  page.js is its only reader, and its first comment
 * documents the format.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "btf/output.h"
#include "inlined/inlined.h"
#include "inspect/print.h"
#include "inspect/text.h"
#include "probe/probe.h"
#include "report/page.h"
#include "types/strings.h"
#include "util/json.h"
#include "util/macros.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/text.h"
#include "version.h"

/**
 * struct collector - input and output
 * @files, @protos, @callers: the data has each string once, by number; 0 is ""
 * @proto_numbers: by id of a FUNC_PROTO: number in @protos, 0: not printed yet
 * @knows_ftrace: the image shows which functions ftrace can patch
 * @err:	the first error
 */
struct collector {
	const struct function_map *map;
	const struct image	*img;
	struct text		json;
	struct strings		files;
	struct strings		protos;
	struct strings		callers;
	uint32_t		*proto_numbers;
	bool			knows_ftrace;
	int			err;
};

static void put_bytes(struct text *t, const char *bytes, size_t len)
{
	grow(&t->array, &t->cap, (uint64_t)t->nr + len, 1);
	memcpy(t->array + t->nr, bytes, len);
	t->nr += len;
}

static void put_text(struct text *t, const char *s)
{
	put_bytes(t, s, strlen(s));
}

/* --- JSON, written as text: there are half a million values ---------------------- */

/* Start a value, or an array with "[". */
static void begin_value(struct text *t, const char *bracket)
{
	if (t->array[t->nr - 1] != '[')
		put_text(t, ",");
	put_text(t, bracket);
}

static void end_array(struct text *t)
{
	put_text(t, "]");
}

static void put_number(struct text *t, int64_t n)
{
	uint64_t left = n < 0 ? -(uint64_t)n : (uint64_t)n;
	char digits[24], *at = digits + sizeof(digits);

	begin_value(t, n < 0 ? "-" : "");
	do {
		*--at = '0' + left % 10;
	} while (left /= 10);
	put_bytes(t, at, digits + sizeof(digits) - at);
}

static json_t *clean_json(const char *s, size_t len)
{
	char *copy __cleanup(free_pointer) = xstrndup(s, len);

	return text_json(text_clean(copy));
}

static void put_json(struct text *t, json_t *json)
{
	char *s __cleanup(free_pointer) = json_dumps(json, TEXT_JSON | JSON_COMPACT | JSON_ENCODE_ANY);

	put_text(t, s);
	json_decref(json);
}

static void put_string(struct text *t, const char *s, size_t len)
{
	begin_value(t, "");
	for (size_t i = 0; i < len; i++)
		if (s[i] < ' ' || s[i] > '~' || s[i] == '"' || s[i] == '\\')
			return put_json(t, clean_json(s, len));
	put_text(t, "\"");
	put_bytes(t, s, len);
	put_text(t, "\"");
}

/* Start a member of the data, an array. */
static void begin_member(struct text *t, const char *key)
{
	put_text(t, ",\"");
	put_text(t, key);
	put_text(t, "\":[");
}

static void put_strings(struct text *t, const char *key, const struct strings *strings)
{
	begin_member(t, key);
	for_each(s, strings)
		put_string(t, s->s, s->len);
	end_array(t);
}

/* Return: the number of a string, which is added if it is new, and must live as long. */
static uint32_t number_of(struct collector *c, struct strings *strings, const char *s)
{
	int64_t number = s ? strings__add(strings, s, strlen(s)) : 0;

	if (number < 0)
		c->err = number;
	return number < 0 ? 0 : number;
}

/* --- the functions -------------------------------------------------------------- */

/* With "@" instead of the name, so that functions share prototypes; 0 if it is not known. */
static uint32_t proto_number(struct collector *c, const struct function *f)
{
	uint32_t type, *number;
	char *proto;

	if (!f->func_id)
		return 0;
	/* all FUNCs are in the BTF that was made from the image */
	type = btf_data__type(f->btf, f->func_id)->type;
	if (!c->proto_numbers)
		c->proto_numbers = xcalloc((size_t)f->btf->first_id + f->btf->nr_types,
					   sizeof(*c->proto_numbers));
	number = &c->proto_numbers[type];
	if (!*number) {
		proto = text_clean(btf_data__declaration(f->btf, type, "@"));
		push(&c->protos.owned, proto);
		*number = number_of(c, &c->protos, proto);
	}
	return *number;
}

/* The rest of the name after that of the source, but 0 if it is "@FILE". */
static void put_rest(struct text *t, const struct function *f)
{
	const char *rest = f->name + f->source_len;

	if (*rest == '@' && f->file && !strcmp(rest + 1, f->file))
		put_number(t, 0);
	else
		put_string(t, rest, strlen(rest));
}

/*
 * Why BTF does not have it.  The map also has functions with a shared name that ftrace cannot
 * patch, which abtf encode omits.
 */
static enum func_reason reason_of(const struct collector *c, const struct function *f)
{
	if (f->reason == FUNC_ENCODED && c->knows_ftrace && f->patched == NOT_PATCHED &&
	    strchr(f->name, '@'))
		return FUNC_NOT_TRACEABLE;
	return f->reason;
}

/*
 * [rest of the name, file, offset, prototype, verdict, reason, clone, file of declaration, line,
 * rest of the symbol unless the name starts with it (foo.llvm.123)]; zeroes at the end are omitted.
 */
static void put_function(struct collector *c, const struct function *f)
{
	uint32_t last[] = {
		proto_number(c, f), f->verdict, reason_of(c, f), f->is_unproven,
		f->decl_file ? number_of(c, &c->files, f->decl_file) : 0, f->decl_file ? f->decl_line : 0,
	};
	bool is_renamed = strncmp(f->name, f->symbol, strlen(f->symbol));
	size_t nr = ARRAY_SIZE(last);

	while (nr && !last[nr - 1] && !is_renamed)
		nr--;
	begin_value(&c->json, "[");
	put_rest(&c->json, f);
	put_number(&c->json, number_of(c, &c->files, f->file));
	if (f->has_offset)
		put_number(&c->json, f->offset);
	else
		begin_value(&c->json, "null");
	for (size_t i = 0; i < nr; i++)
		put_number(&c->json, last[i]);
	if (is_renamed)
		put_string(&c->json, f->symbol + f->source_len, strlen(f->symbol + f->source_len));
	end_array(&c->json);
}

/* [name, [function, ...]] of each source function, of bodies only if it has one, or several. */
static void put_functions(struct collector *c, const char *key, enum code_kind kind, bool shared)
{
	const struct function *last = NULL;
	struct text *t = &c->json;

	begin_member(t, key);
	for_each(f, c->map) {
		if (f->kind != kind || (kind == CODE_BODY && f->is_shared != shared))
			continue;
		if (!last || !same_source(last, f)) {
			if (last)
				put_text(t, "]]");
			begin_value(t, "[");
			put_string(t, f->name, f->source_len);
			begin_value(t, "[");
		}
		last = f;
		put_function(c, f);
	}
	put_text(t, last ? "]]]" : "]");
}

/* --- inlined calls ---------------------------------------------------------------- */

/* [offset, function that the code is in, its file, calling function, file of the call, line] */
static void put_site(struct collector *c, const struct inlined_site *s)
{
	begin_value(&c->json, "[");
	put_number(&c->json, s->address - c->map->text);
	put_number(&c->json, number_of(c, &c->callers, s->caller));
	put_number(&c->json, number_of(c, &c->files, s->unit));
	put_number(&c->json, number_of(c, &c->callers, s->via ?: s->caller));
	put_number(&c->json, number_of(c, &c->files, s->file));
	put_number(&c->json, s->line);
	end_array(&c->json);
}

/*
 * [name, file, line, calls, bodies, sites] of functions that also have a body: a probe on it sees
 * some of the calls.
 */
static void put_inlined(struct collector *c, const struct inlined *in)
{
	/* lists of sites by function: 1 + index of the first, and of the next */
	uint32_t *first __cleanup(free_pointer) = xcalloc(in->funcs.nr, sizeof(*first));
	uint32_t *next __cleanup(free_pointer) = xcalloc(in->sites.nr + 1UL, sizeof(*next));
	struct text *t = &c->json;

	for (uint32_t i = in->sites.nr; i; i--) {
		next[i] = first[in->sites.array[i - 1].func];
		first[in->sites.array[i - 1].func] = i;
	}
	begin_member(t, "inlined");
	for (uint32_t i = 0; i < in->funcs.nr; i++) {
		const struct inlined_func *f = &in->funcs.array[i];

		if (!f->calls || !f->bodies)
			continue;
		begin_value(t, "[");
		put_string(t, f->name, strlen(f->name));
		put_number(t, number_of(c, &c->files, f->file));
		put_number(t, f->line);
		put_number(t, f->calls);
		put_number(t, f->bodies);
		begin_value(t, "[");
		for (uint32_t k = first[i]; k; k = next[k])
			put_site(c, &in->sites.array[k - 1]);
		put_text(t, "]]");
	}
	end_array(t);
}

/* [name, calls], of functions without a body: there are ten times as many. */
static void put_inlined_only(struct text *t, const struct inlined *in)
{
	begin_member(t, "gone");
	for_each(f, &in->funcs) {
		if (!f->calls || f->bodies)
			continue;
		begin_value(t, "[");
		put_string(t, f->name, strlen(f->name));
		put_number(t, f->calls);
		end_array(t);
	}
	end_array(t);
}

/* --- the image -------------------------------------------------------------------- */

/* [name, words] by reason; "encoded" is the first. */
static json_t *collect_reasons(void)
{
	json_t *reasons = json_array();

	for (enum func_reason r = FUNC_ENCODED; r < NR_FUNC_REASONS; r++)
		json_array_append_new(reasons, json_pack("[s, s]", func_reasons[r].name,
							 r ? func_reasons[r].text : "in BTF"));
	return reasons;
}

static json_t *build_id_json(const struct function_map *map)
{
	char hex[BUILD_ID_HEX];

	return map->id.size ? json_string(build_id__hex(&map->id, hex)) : json_null();
}

/*
 * "6.12.117" from linux_banner of vmlinux, "Linux version 6.12.117 (...)", or from .modinfo of a
 * module, "vermagic=6.12.117 SMP ...".
 */
static json_t *release_json(const struct image *img)
{
	bool is_module = img->type == ET_REL;
	const char *prefix = is_module ? "vermagic=" : "Linux version ", *s;
	size_t len = strlen(prefix);
	uint64_t address = 0;
	const struct symbol_value banner = { "linux_banner", &address };

	if (!is_module && (image__find_values(img, &banner, 1) || !address))
		return json_null();
	for (size_t i = 1; i < img->nr_sections; i++) {
		struct section *sec = &img->sections[i];
		struct cursor c;

		if (is_module ? strcmp(sec->name, ".modinfo") :
		    !(sec->flags & SHF_ALLOC) || address < sec->address ||
		    address - sec->address >= sec->size)
			continue;
		if (image__load_section(img, sec))
			break;
		c = image__cursor(img, sec);
		cursor__skip(&c, is_module ? 0 : address - sec->address);
		do {
			s = cursor__string(&c);
			if (!strncmp(s, prefix, len))
				return clean_json(s + len, strcspn(s + len, " "));
		} while (is_module && cursor__left(&c));
	}
	return json_null();
}

/* The line of `abtf list --probe` for a name and a file that page.js replaces. */
static json_t *sample_line(const char *tool, uint64_t offset)
{
	struct probe sample = {
		.name = "PROBE_NAME@PROBE_FILE", .symbol = "_text", .offset = offset
	};
	const struct probe_list list = { .array = &sample, .nr = 1 };
	char *line = NULL;
	json_t *ret;
	size_t size;
	FILE *f = open_memstream(&line, &size);

	if (!f)
		out_of_memory();
	probe_list__print(&list, probe_format__find(tool), f);
	fclose(f);
	ret = json_string(line);
	free(line);
	return ret;
}

/*
 * For each tool, a line with an offset that page.js replaces, too, and one for offset 0, which
 * some tools write in another way.  In a module, the symbol differs: the page has the command instead.
 */
static json_t *collect_probes(const struct image *img)
{
	static const char *const tools[] = {
		"bpftrace", "libbpf", "cilium", "bcc", "aya", "tracefs", "perf"
	};
	json_t *probes = json_array();

	for (size_t i = 0; i < ARRAY_SIZE(tools) && img->type != ET_REL; i++)
		json_array_append_new(probes, json_pack("[s, o, o]", tools[i],
							sample_line(tools[i], 0x0ff5e7),
							sample_line(tools[i], 0)));
	return probes;
}

/* By verdict; "" if the kernel accepts a kprobe. */
static json_t *collect_verdicts(void)
{
	json_t *verdicts = json_array();

	for (int v = 0; v < NR_KPROBE_VERDICTS; v++)
		json_array_append_new(verdicts, json_string(kprobe_verdict__flag(v) ?: ""));
	return verdicts;
}

static json_t *name_json(const struct image *img)
{
	const char *slash = strrchr(img->path, '/'), *name = slash ? slash + 1 : img->path;

	return clean_json(name, strlen(name));
}

static json_t *collect_facts(const struct collector *c)
{
	const struct image *img = c->img;
	char *counts __cleanup(free_pointer) = function_map__counts(c->map);

	return json_pack("{s:o, s:o, s:o, s:s, s:b, s:o, s:o, s:o, s:o}",
			 "image", name_json(img), "build_id", build_id_json(c->map),
			 "release", release_json(img), "version", ABTF_VERSION,
			 "linked", !c->map->is_module, "counts", text_json(counts),
			 "probes", collect_probes(img), "verdicts", collect_verdicts(),
			 "reasons", collect_reasons());
}

static void put_data(struct collector *c, const struct inlined *in)
{
	put_json(&c->json, collect_facts(c));
	/* the arrays follow in the same object */
	c->json.nr--;
	put_functions(c, "shared", CODE_BODY, true);
	put_functions(c, "others", CODE_BODY, false);
	put_functions(c, "parts", CODE_PART, false);
	put_inlined(c, in);
	put_inlined_only(&c->json, in);
	put_strings(&c->json, "files", &c->files);
	put_strings(&c->json, "protos", &c->protos);
	put_strings(&c->json, "callers", &c->callers);
	put_text(&c->json, "}");
}

/*
 * Collect the data: all functions, and inlined calls.  Names and paths come from an image: replace
 * control characters and invalid UTF-8 by '?'.
 */
static int collect_data(const struct function_map *map, const struct input *in, struct text *ret)
{
	struct collector c = { .map = map, .img = in->img };
	struct inlined *inlined = NULL;

	for_each(f, map)
		c.knows_ftrace |= f->patched != NOT_PATCHED || f->verdict == KPROBE_NOTRACE;
	c.err = inlined__read_with_body(in->encoding->dw, in->threads, &inlined);
	if (c.err)
		return c.err;
	strings__init(&c.files, 0);
	strings__init(&c.protos, 0);
	strings__init(&c.callers, 0);
	put_data(&c, inlined);
	strings__destroy(&c.files);
	strings__destroy(&c.protos);
	strings__destroy(&c.callers);
	free(c.proto_numbers);
	inlined__free(inlined);
	*ret = c.json;
	return c.err;
}

/* --- the page --------------------------------------------------------------------- */

/* The Makefile sets the directory with the sources of the page. */
#define EMBED(symbol, file)						\
	extern const char symbol[], symbol##_end[];			\
	asm(".pushsection .rodata." #symbol ", \"a\"\n"			\
	    ".globl " #symbol ", " #symbol "_end\n"			\
	    #symbol ": .incbin \"" PAGE_DIR "/" file "\"\n"		\
	    #symbol "_end: .byte 0\n"					\
	    ".popsection")

EMBED(page_html, "page.html");
EMBED(page_css, "page.css");
EMBED(page_js, "page.js");

static void put_base64(const uint8_t *bytes, size_t size, struct text *t)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < size; i += 3) {
		uint32_t left = size - i;
		uint32_t word = bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) |
				(left > 2 ? bytes[i + 2] : 0);

		put_bytes(t, (char []){ digits[word >> 18], digits[word >> 12 & 63],
					left > 1 ? digits[word >> 6 & 63] : '=',
					left > 2 ? digits[word & 63] : '=' }, 4);
	}
}

/*
 * Compress with gzip, and encode in base64: a third of the JSON's size, and without a '<'
 * that could start "</script>".  Level 5 takes half as long again for 4 % less.
 */
static void put_packed(const struct text *json, struct text *t)
{
	z_stream z = { .next_in = (void *)json->array, .avail_in = json->nr };
	uint8_t *packed __cleanup(free_pointer) = NULL;

	/* a window of 15 bits, plus 16 for gzip's header */
	if (deflateInit2(&z, 4, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		out_of_memory();
	z.avail_out = deflateBound(&z, z.avail_in);
	packed = xmalloc(z.avail_out);
	z.next_out = packed;
	deflate(&z, Z_FINISH);
	put_base64(packed, z.total_out, t);
	deflateEnd(&z);
}

/* Copy the page up to a mark, and step over that. */
static const char *put_until(const char *at, const char *mark, struct text *t)
{
	const char *end = strstr(at, mark);

	put_bytes(t, at, end - at);
	return end + strlen(mark);
}

int page__add(struct page *p, const struct function_map *map, const struct input *in)
{
	json_t *name = name_json(in->img), *other;
	struct text json = {};
	size_t i;
	int err;

	p->names = p->names ?: json_array();
	json_array_foreach(p->names, i, other)
		if (json_equal(name, other)) {
			json_decref(name);
			return msg_fail(-EINVAL, "%s: another image of the page has this name", in->path);
		}
	json_array_append_new(p->names, name);
	err = collect_data(map, in, &json);
	if (p->data.nr)
		put_text(&p->data, " ");
	if (!err)
		put_packed(&json, &p->data);
	free(json.array);
	return err;
}

int page__write(const struct page *p, const char *path)
{
	const char *at = page_html;
	struct text page = {}, names = {};
	int err;

	at = put_until(at, "@STYLE@", &page);
	put_bytes(&page, page_css, page_css_end - page_css);
	at = put_until(at, "@DATA@", &page);
	put_bytes(&page, p->data.array, p->data.nr);
	if (json_array_size(p->names) > 1) {
		put_text(&page, " ");
		put_json(&names, json_incref(p->names));
		put_packed(&names, &page);
	}
	at = put_until(at, "@SCRIPT@", &page);
	put_bytes(&page, page_js, page_js_end - page_js);
	put_bytes(&page, at, page_html_end - at);
	err = output__file(path, page.array, page.nr);
	free(page.array);
	free(names.array);
	return err;
}

void page__destroy(struct page *p)
{
	free(p->data.array);
	json_decref(p->names);
}
