// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data is one compact JSON object.  page.js is its only reader, and its first comment
 * documents the format.
 */
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "btf/output.h"
#include "inlined/inlined.h"
#include "inspect/decl.h"
#include "inspect/kprobes.h"
#include "inspect/print.h"
#include "inspect/tally.h"
#include "inspect/text.h"
#include "locate/build_id.h"
#include "probe/probe.h"
#include "report/page.h"
#include "util/macros.h"
#include "util/memory.h"
#include "util/msg.h"
#include "version.h"

/**
 * struct collector - input of the data
 * @ids:	BTF id by number of the instance, 0 if it is not in BTF
 * @decls:	for functions that share a name, sorted
 * @files, @protos, @callers: objects that map strings to numbers: the data has each string once
 */
struct collector {
	const struct encoding	*e;
	struct kprobes		kprobes;
	uint32_t		*ids;
	VECTOR(struct decl)	decls;
	json_t			*files;
	json_t			*protos;
	json_t			*callers;
};

static json_t *clean_json(const char *s, size_t len)
{
	char *copy __cleanup(free_pointer) = xstrndup(s, len);

	return text_json(text_clean(copy));
}

static json_t *name_json(const struct symbol *sym)
{
	return clean_json(sym->name, symbol__name_len(sym));
}

/* Return: the number of a string in a table, to which it is added if it is new. */
static json_t *number_of(json_t *table, const char *s)
{
	json_t *string = clean_json(s, strlen(s));
	const char *key = json_string_value(string);
	json_t *number = json_incref(json_object_get(table, key));

	if (!number) {
		number = json_integer(json_object_size(table));
		json_object_set(table, key, number);
	}
	json_decref(string);
	return number;
}

/* The strings of a table by number: objects keep the order of insertion. */
static json_t *strings_of(json_t *table)
{
	json_t *strings = json_array(), *number;
	const char *string;

	json_object_foreach(table, string, number)
		json_array_append_new(strings, json_string(string));
	return strings;
}

/* --- the functions -------------------------------------------------------------- */

/* Find the declarations of functions that share a name: often, one header has all of them. */
static int find_decls(struct collector *c)
{
	const struct instances *in = &c->e->instances;

	if (c->e->img->type == ET_REL)
		return 0;
	for_each(at, &in->sorted)
		if (in->array[*at].shared)
			push(&c->decls, (struct decl){ .inst = &in->array[*at] });
	return c->decls.nr ? decls__find(c->e->dw, c->decls.array, c->decls.nr) : 0;
}

/* --- as JSON ---------------------------------------------------------------------- */

static json_t *file_number(struct collector *c, uint32_t unit)
{
	return number_of(c->files, encoding__file(c->e, unit));
}

/* With "@" instead of the name, so that functions share prototypes; -1 if it is not known. */
static json_t *proto_number(struct collector *c, const struct instance *inst)
{
	uint32_t id = c->ids[inst - c->e->instances.array];
	size_t len = symbol__name_len(inst->sym);
	char *proto __cleanup(free_pointer) = NULL, *at;

	if (!id)
		return json_integer(-1);
	proto = btf_data__prototype(c->e->written, id);
	for (at = proto; (at = memmem(at, strlen(at), inst->sym->name, len)); at++)
		if (at[len] == '(' && at > proto && strchr(" *", at[-1]))
			break;
	if (at) {
		*at = '@';
		memmove(at + 1, at + len, strlen(at + len) + 1);
	}
	return number_of(c->protos, proto);
}

static int verdict_number(struct collector *c, const struct instance *inst)
{
	return kprobes__verdict(&c->kprobes, inst->sym->section, inst->sym->address);
}

/* For omitted functions, too, which have no @offset. */
static json_int_t offset_of(const struct collector *c, const struct instance *inst)
{
	return inst->sym->address - c->e->syms->text_start;
}

/* #2 in NAME@FILE#2, if one file has several. */
static unsigned int number_in_file(const struct instance *inst)
{
	const char *at = strchr(inst->name, '@');
	const char *number = at ? strrchr(at, '#') : NULL;

	return number ? strtoul(number + 1, NULL, 10) : 0;
}

/* [file, offset, prototype, reason, number, file of declaration, line, verdict] */
static json_t *shared_json(struct collector *c, const struct instance *inst,
			   const struct decl *decl)
{
	bool declared = decl && decl->file;

	return json_pack("[o, I, o, i, i, o, i, i]", file_number(c, inst->facts.unit),
			 offset_of(c, inst), proto_number(c, inst), (int)inst->reason,
			 (int)number_in_file(inst),
			 declared ? number_of(c->files, decl->file) : json_integer(-1),
			 declared ? (int)inst->facts.decl_line : 0, verdict_number(c, inst));
}

static json_t *collect_shared(struct collector *c)
{
	json_t *shared = json_array(), *funcs = NULL;
	const struct instances *in = &c->e->instances;
	const struct decl *decl = c->decls.array;
	const struct symbol *last = NULL;

	for_each(at, &in->sorted) {
		const struct instance *inst = &in->array[*at];

		if (!inst->shared)
			continue;
		if (!last || symbol__compare_names(last, inst->sym)) {
			funcs = json_array();
			json_array_append_new(shared, json_pack("[o, o]",
					      name_json(inst->sym), funcs));
		}
		last = inst->sym;
		json_array_append_new(funcs, shared_json(c, inst, decl));
		if (decl)
			decl++;
	}
	return shared;
}

/* [name, file, offset, prototype, reason, verdict] */
static json_t *collect_others(struct collector *c)
{
	const struct instances *in = &c->e->instances;
	json_t *others = json_array();

	for_each(at, &in->sorted) {
		const struct instance *inst = &in->array[*at];

		if (!inst->shared)
			json_array_append_new(others, json_pack("[o, o, I, o, i, i]",
					      name_json(inst->sym),
					      file_number(c, inst->facts.unit),
					      offset_of(c, inst), proto_number(c, inst),
					      (int)inst->reason, verdict_number(c, inst)));
	}
	return others;
}

/* --- inlined calls ---------------------------------------------------------------- */

/* Which functions have a body is known after all units have been read. */
static bool is_wanted(const char *name, const void *arg)
{
	return true;
}

/* [offset, function that the code is in, its file, calling function, file of the call, line] */
static json_t *site_json(struct collector *c, const struct inlined_site *s)
{
	return json_pack("[I, o, o, o, o, i]", (json_int_t)(s->address - c->e->syms->text_start),
			 number_of(c->callers, s->caller),
			 number_of(c->files, s->unit),
			 number_of(c->callers, s->via ?: s->caller),
			 number_of(c->files, s->file ?: ""), (int)s->line);
}

/*
 * [name, file, line, calls, bodies, sites] of functions that also have a body: a probe on it sees
 * some of the calls.
 */
static json_t *collect_inlined(struct collector *c, const struct inlined *in)
{
	json_t **sites __cleanup(free_pointer) = xcalloc(in->funcs.nr, sizeof(*sites));
	json_t *inlined = json_array();

	for (uint32_t i = 0; i < in->funcs.nr; i++)
		sites[i] = json_array();
	for_each(s, &in->sites)
		if (in->funcs.array[s->func].bodies)
			json_array_append_new(sites[s->func], site_json(c, s));
	for (uint32_t i = 0; i < in->funcs.nr; i++) {
		const struct inlined_func *f = &in->funcs.array[i];

		if (f->calls && f->bodies)
			json_array_append_new(inlined, json_pack("[o, o, i, i, i, O]",
					      clean_json(f->name, strlen(f->name)),
					      number_of(c->files, f->file ?: ""), (int)f->line,
					      (int)f->calls, (int)f->bodies, sites[i]));
		json_decref(sites[i]);
	}
	return inlined;
}

/* [name, calls], of functions without a body: there are ten times as many. */
static json_t *collect_inlined_only(const struct inlined *in)
{
	json_t *gone = json_array();

	for_each(f, &in->funcs)
		if (f->calls && !f->bodies)
			json_array_append_new(gone, json_pack("[o, i]",
					      clean_json(f->name, strlen(f->name)), (int)f->calls));
	return gone;
}

/* [name, words, number] by reason; "encoded" is the first. */
static json_t *collect_reasons(const struct instances *in)
{
	json_t *reasons = json_array();

	for (enum func_reason r = FUNC_ENCODED; r < NR_FUNC_REASONS; r++)
		json_array_append_new(reasons, json_pack("[s, s, i]",
				      r ? func_reasons[r].name : "encoded",
				      r ? func_reasons[r].text : "in BTF",
				      (int)(r ? in->by_reason[r] : in->order.nr)));
	return reasons;
}

static json_t *build_id_json(const struct image *img)
{
	struct build_id id;
	char hex[BUILD_ID_HEX];

	return build_id__of(img, &id) ? json_string(build_id__hex(&id, hex)) : json_null();
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

/*
 * The lines of `abtf list --probe`, with a name, a file and an offset for page.js to
 * replace.  In a module, the symbol differs: the page has the command instead.
 */
static json_t *collect_probes(const struct image *img)
{
	struct probe sample = {
		.name = "PROBE_NAME@PROBE_FILE", .symbol = "_text", .offset = 0x0ff5e7
	};
	static const char *const tools[] = { "bpftrace", "libbpf", "tracefs", "perf" };
	const struct probe_list list = { .array = &sample, .nr = 1 };
	json_t *probes = json_array();

	for (size_t i = 0; i < ARRAY_SIZE(tools) && img->type != ET_REL; i++) {
		char *line = NULL;
		size_t size;
		FILE *f = open_memstream(&line, &size);

		if (!f)
			out_of_memory();
		probe_list__print(&list, probe_format__find(tools[i]), f);
		fclose(f);
		json_array_append_new(probes, json_pack("[s, s]", tools[i], line));
		free(line);
	}
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

static json_t *make_data(struct collector *c, const struct inlined *in)
{
	const struct image *img = c->e->img;
	const char *slash = strrchr(img->path, '/'), *name = slash ? slash + 1 : img->path;
	char *counts __cleanup(free_pointer) = tally__text(c->e);
	json_t *shared = collect_shared(c), *others = collect_others(c);
	json_t *inlined = collect_inlined(c, in);

	return json_pack("{s:o, s:o, s:o, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "image", clean_json(name, strlen(name)), "build_id", build_id_json(img),
			 "release", release_json(img), "version", ABTF_VERSION,
			 "linked", img->type != ET_REL, "counts", text_json(counts),
			 "probes", collect_probes(img), "verdicts", collect_verdicts(),
			 "reasons", collect_reasons(&c->e->instances), "shared", shared, "others", others,
			 "inlined", inlined, "gone", collect_inlined_only(in),
			 "files", strings_of(c->files), "protos", strings_of(c->protos),
			 "callers", strings_of(c->callers));
}

/*
 * Collect the data: the decision about every function, and prototypes from the BTF that was
 * written.  Names and paths come from an image: replace control characters and invalid
 * UTF-8 by '?'.
 */
static int collect_data(const struct encoding *e, json_t **ret)
{
	struct collector c = { .e = e, .files = json_object(), .protos = json_object(),
			       .callers = json_object() };
	struct inlined *in = NULL;
	int err;

	c.ids = xcalloc(e->instances.nr, sizeof(*c.ids));
	for (uint32_t i = 0; i < e->instances.order.nr; i++)
		c.ids[e->instances.order.array[i]] = e->btf.first_func + i;
	err = kprobes__read(e->syms, &c.kprobes);
	err = err ?: find_decls(&c);
	err = err ?: inlined__read(e->img, is_wanted, NULL, e->opts.threads, &in);
	if (!err)
		*ret = make_data(&c, in);
	json_decref(c.files);
	json_decref(c.protos);
	json_decref(c.callers);
	inlined__free(in);
	decls__free(c.decls.array, c.decls.nr);
	kprobes__destroy(&c.kprobes);
	free(c.ids);
	return err;
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

static void put_base64(const uint8_t *bytes, size_t size, FILE *f)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < size; i += 3) {
		uint32_t left = size - i;
		uint32_t word = bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) |
				(left > 2 ? bytes[i + 2] : 0);

		fputc(digits[word >> 18], f);
		fputc(digits[word >> 12 & 63], f);
		fputc(left > 1 ? digits[word >> 6 & 63] : '=', f);
		fputc(left > 2 ? digits[word & 63] : '=', f);
	}
}

/*
 * Compress with gzip, and encode in base64: a fifth of the JSON's size, and without a '<'
 * that could start "</script>".
 */
static void put_data(const json_t *data, FILE *f)
{
	char *json __cleanup(free_pointer) = json_dumps(data, JSON_COMPACT);
	z_stream z = { .next_in = (void *)json, .avail_in = strlen(json) };
	uint8_t *packed __cleanup(free_pointer) = NULL;

	/* a window of 15 bits, plus 16 for gzip's header */
	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		out_of_memory();
	z.avail_out = deflateBound(&z, z.avail_in);
	packed = xmalloc(z.avail_out);
	z.next_out = packed;
	deflate(&z, Z_FINISH);
	put_base64(packed, z.total_out, f);
	deflateEnd(&z);
}

/* Copy the page up to a mark, and step over that. */
static const char *put_until(const char *at, const char *mark, FILE *f)
{
	const char *end = strstr(at, mark);

	fwrite(at, 1, end - at, f);
	return end + strlen(mark);
}

int page__write(const struct encoding *e, const char *path)
{
	const char *at = page_html;
	char *text = NULL;
	size_t size = 0;
	json_t *data = NULL;
	FILE *f;
	int err = collect_data(e, &data);

	if (err)
		return err;
	f = open_memstream(&text, &size);
	if (!f)
		out_of_memory();
	at = put_until(at, "@STYLE@", f);
	fwrite(page_css, 1, page_css_end - page_css, f);
	at = put_until(at, "@DATA@", f);
	put_data(data, f);
	at = put_until(at, "@SCRIPT@", f);
	fwrite(page_js, 1, page_js_end - page_js, f);
	fwrite(at, 1, page_html_end - at, f);
	if (fclose(f))
		out_of_memory();
	json_decref(data);
	err = output__file(path, text, size);
	free(text);
	return err;
}
