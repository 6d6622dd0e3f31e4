// SPDX-License-Identifier: GPL-2.0-only
/*
 * Convert addresses, as tools print them, to NAME@FILE.
 *
 * Uses a map of the code, and the kernel's load address if it is known, to resolve
 * arguments, or to replace addresses in the output of a tool:
 *
 *	_text+0x16ce70, _text+1494640	the second as bpftrace prints it
 *	0xffffffff8116ce70		an address of this kernel, with or without 0x
 *	-2129211792			the same in decimal, as bpftrace prints reg("ip")
 *	SYMBOL+0x40 [MODULE]		in a module
 */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/where.h"
#include "inspect/code_map.h"
#include "inspect/text.h"
#include "util/memory.h"
#include "util/msg.h"

/* Number of digits of an address without 0x: shorter ones may be words or numbers. */
#define ADDRESS_DIGITS	16

/** struct loaded_section - @size bytes of a module's code, and their address */
struct loaded_section {
	uint64_t	address, size;
	uint32_t	section;
};

/**
 * struct symbolizer - a map of code and the address of _text
 * @base:	the kernel's address of _text; 0 if it is not known
 * @loaded:	of a module: its code; empty if it is not known
 * @unknown:	the reason why it is not known
 * @subject:	the image, for messages
 */
struct symbolizer {
	const struct code_map	*map;
	uint64_t		base;
	VECTOR(struct loaded_section) loaded;
	bool			module;
	const char		*unknown;
	const char		*subject;
};

/**
 * struct place_in - an address, resolved
 * @into:	from the start of the function
 */
struct place_in {
	const struct extent	*extent;
	uint64_t		into;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '@';
}

/*
 * Read a number in hex (0x...) or decimal.  @address: a kernel's address, as in /proc/kallsyms
 * and stacks, without 0x or in decimal: bpftrace prints reg("ip") as a signed (0.17) or an
 * unsigned number.
 *
 * Return: its length, 0 for other text.
 */
static size_t read_number(const char *s, bool address, uint64_t *ret)
{
	size_t prefix = strncmp(s, "0x", 2) ? 0 : 2;
	size_t digits = strspn(s + prefix, "0123456789abcdefABCDEF");
	bool hex = prefix || (address && digits == ADDRESS_DIGITS);

	if (!hex) {
		prefix = address && *s == '-';
		digits = strspn(s + prefix, "0123456789");
	}
	if (!digits || (hex && address && digits > ADDRESS_DIGITS) || is_word(s[prefix + digits]))
		return 0;
	errno = 0;
	*ret = strtoull(s, NULL, hex ? 16 : 10);
	/* a decimal number is only an address if it is in the upper half */
	return errno || (address && !hex && !(*ret >> 63)) ? 0 : prefix + digits;
}

static bool find_offset(const struct symbolizer *s, uint32_t section, uint64_t offset,
			struct place_in *ret)
{
	const struct extent *e = code_map__find(s->map, section, offset);

	if (e)
		*ret = (struct place_in){ e, offset - e->address };
	return e;
}

static bool find_address(const struct symbolizer *s, uint64_t address, struct place_in *ret)
{
	for_each(part, &s->loaded)
		if (address >= part->address && address - part->address < part->size)
			return find_offset(s, part->section, address - part->address, ret);
	return !s->module && s->base && address >= s->base &&
	       find_offset(s, 0, address - s->base, ret);
}

/*
 * "_text+0x10", or in a module, an offset from a unique symbol.
 * Return: the length, 0 for other text.
 */
static size_t read_key(const struct symbolizer *s, const char *text, struct place_in *ret)
{
	size_t len = 0, digits;
	const struct extent *from;
	uint64_t offset;
	uint32_t nr;

	while (is_word(text[len]) && text[len] != '@')
		len++;
	if (!len || text[len] != '+')
		return 0;
	digits = read_number(text + len + 1, false, &offset);
	if (!digits)
		return 0;
	if (!s->module)
		return len == 5 && !strncmp(text, "_text", 5) &&
		       find_offset(s, 0, offset, ret) ? len + 1 + digits : 0;
	from = code_map__named(s->map, text, len, &nr);
	return nr == 1 && find_offset(s, from->section, from->address + offset, ret) ?
	       len + 1 + digits : 0;
}

/*
 * Find a function by its name, with or without an offset.  Several functions with that
 * name, whose number is @nr, are an error.
 */
static bool find_named(const struct symbolizer *s, const char *text, size_t len,
		       struct place_in *ret, uint32_t *nr)
{
	size_t name_len = strcspn(text, "+ [");
	const struct extent *e;
	uint64_t into = 0;

	*nr = 0;
	if (name_len < len && text[name_len] == '+' &&
	    !read_number(text + name_len + 1, false, &into))
		return false;
	e = code_map__named(s->map, text, name_len, nr);
	if (*nr > 1)
		msg_error("%s: '%s': %u functions are called %.*s", s->subject, text, *nr,
			  (int)name_len, text);
	return *nr == 1 && find_offset(s, e->section, e->address + into, ret);
}

/* Resolve an argument. Return: 0, or -EINVAL after a message. */
static int find_place(const struct symbolizer *s, const char *text, struct place_in *ret)
{
	const char *start = strrchr(text, ':') ? strrchr(text, ':') + 1 : text;
	size_t len = strlen(start), used;
	uint64_t number;
	uint32_t nr;

	used = read_key(s, start, ret);
	if (used && strchr(" /", start[used]))
		return 0;
	used = read_number(start, true, &number);
	if (used == len && find_address(s, number, ret))
		return 0;
	if (used != len)
		used = read_number(start, false, &number);
	if (used == len && !s->module && find_offset(s, 0, number, ret))
		return 0;
	if (used != len && isalpha((unsigned char)*start | (*start == '_' ? 'a' : 0))) {
		if (find_named(s, start, len, ret, &nr))
			return 0;
		if (nr > 1)
			return -EINVAL;
	}
	if (s->unknown && read_number(start, true, &number) == len)
		msg_error("%s: '%s': no function is at this offset; if it is an address: %s",
			  s->subject, text, s->unknown);
	else
		msg_error("%s: '%s': no function is there", s->subject, text);
	return -EINVAL;
}

/* NAME@FILE, and +0x10 if it is not the start */
static void print_place(const struct place_in *p, FILE *f)
{
	fputs(p->extent->name, f);
	if (p->into)
		fprintf(f, "+0x%" PRIx64, p->into);
}

static void filter_line(const struct symbolizer *s, const char *line, size_t len, FILE *out)
{
	struct place_in place;
	uint64_t address;
	size_t used;

	for (size_t i = 0; i < len; i += used) {
		used = 0;
		if (!i || !is_word(line[i - 1])) {
			used = read_key(s, line + i, &place);
			if (!used && (used = read_number(line + i, true, &address)) &&
			    !find_address(s, address, &place))
				used = 0;
		}
		if (used) {
			print_place(&place, out);
			continue;
		}
		fputc(line[i], out);
		used = 1;
	}
}

/*
 * Copy lines, replacing addresses by names.  Bare numbers are only replaced if they are
 * addresses in the kernel's code.  Each line is written before the next one is read.
 */
static int filter_stream(const struct symbolizer *s, FILE *in, FILE *out)
{
	size_t size = 0;
	char *line = NULL;
	ssize_t len;
	int err;

	errno = 0;
	while ((len = getline(&line, &size, in)) >= 0 && !ferror(out)) {
		filter_line(s, line, len, out);
		fflush(out);
	}
	err = ferror(in) || !feof(in) ? errno : 0;
	free(line);
	if (!err || ferror(out))
		return 0;
	msg_error("stdin: %s", strerror(err));
	return -err;
}

struct symbolize_options {
	const char	*base;
	bool		json;
	struct where	where;
};

static bool offset_of(const struct funcs *funcs, const char *name, uint64_t *ret)
{
	const struct func *func;
	uint32_t nr;

	func = funcs__named(funcs, name, strlen(name), &nr);
	if (nr != 1 || !func->record)
		return false;
	*ret = btf_func__offset(func->record);
	return true;
}

/*
 * Find the address of _text in /proc/kallsyms.  arm64 without CONFIG_KALLSYMS_ALL does not list
 * it, but functions whose offsets from _text are known.
 * Return: 0; -EPERM if the file hides addresses; or another negative errno.
 */
static int find_text(const char *path, const struct funcs *funcs, uint64_t *ret)
{
	FILE *f = fopen(path, "re");
	uint64_t address, offset;
	char line[1024], name[512], type;
	int err = -ENOENT;

	if (!f)
		return -errno;
	while (err == -ENOENT && fgets(line, sizeof(line), f)) {
		/* symbols of modules follow all others */
		if (strchr(line, '[') ||
		    sscanf(line, "%" SCNx64 " %c %511s", &address, &type, name) != 3)
			continue;
		offset = 0;
		if (strcmp(name, "_text") &&
		    (!strchr("tTwW", type) || !offset_of(funcs, name, &offset)))
			continue;
		err = address ? 0 : -EPERM;
		*ret = address - offset;
	}
	fclose(f);
	return err;
}

/* Only --running is about this machine; the addresses of others are not known. */
static void find_base(const struct where *where, struct funcs *funcs, struct symbolizer *s)
{
	char *path __cleanup(free_pointer) =
		xasprintf("%s/proc/kallsyms", where->sysroot ?: "");
	int err;

	s->base = 0;
	s->unknown = "the image was found by its build id, so its load address is not known";
	if (where->build_id || where->notes)
		return;
	err = find_text(path, funcs, &s->base);
	if (!err)
		s->unknown = NULL;
	else if (err == -EPERM)
		s->unknown = "/proc/kallsyms hides addresses (kernel.kptr_restrict): run this as root";
	else
		s->unknown = "/proc/kallsyms cannot be read, or does not list the kernel's functions";
}

/* The kernel shows the address of each section of a module.  Init text has been freed. */
static void find_loaded(const struct where *where, const struct image *img, struct symbolizer *s)
{
	s->unknown = "the module is not loaded, or /sys/module hides addresses: run this as root";
	for (uint32_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];
		unsigned long long address;
		char *path;
		FILE *f;

		if (!(sec->flags & SHF_ALLOC) || !(sec->flags & SHF_EXECINSTR) ||
		    !strncmp(sec->name, ".init", 5))
			continue;
		path = xasprintf("%s/sys/module/%s/sections/%s", where->sysroot ?: "",
				 where->module, sec->name);
		f = fopen(path, "re");
		free(path);
		if (f && fscanf(f, "%llx", &address) == 1 && address) {
			s->unknown = NULL;
			push(&s->loaded, (struct loaded_section){ address, sec->size, i });
		}
		if (f)
			fclose(f);
	}
}

static json_t *place_json(const char *text, const struct place_in *p)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "address", text_json(text),
			 "name", text_json(p->extent ? p->extent->name : NULL),
			 "into", p->extent ? json_integer(p->into) : json_null(),
			 "offset", p->extent ? json_integer(p->extent->address + p->into) :
				   json_null());
}

static int print_places(const struct symbolizer *s, char **texts, int nr, bool json)
{
	struct rows lines = { .f = stdout };
	int err = 0;

	for (int i = 0; i < nr; i++) {
		struct place_in place = {};

		err = find_place(s, texts[i], &place) ?: err;
		if (json) {
			rows__add(&lines, place_json(texts[i], &place));
			continue;
		}
		if (place.extent)
			print_place(&place, stdout);
		else
			fputs("??", stdout);
		putchar('\n');
	}
	if (json)
		rows__end(&lines);
	return err;
}

static int resolve_input(const struct symbolize_options *opts, const char *path, char **texts,
			 int nr)
{
	struct input in __cleanup(input__close) = {};
	struct code_map map __cleanup(code_map__destroy) = {};
	struct symbolizer s = { .map = &map, .subject = path };
	int err = where__open(&opts->where, &in, path, NULL, opts->base);

	if (!err && !in.kept && !in.img)
		err = msg_fail(-EINVAL, "%s: expected an image, whose symbols show where functions end",
			       path);
	err = err ?: code_map__init(&map, &in);
	if (err)
		return err;
	s.base = map.text;
	s.module = in.img && in.img->type == ET_REL;
	if (where__is_used(&opts->where) && !s.module)
		find_base(&opts->where, in.funcs, &s);
	else if (opts->where.module)
		find_loaded(&opts->where, in.img, &s);
	if (!nr && s.unknown)
		msg_warn("only offsets are replaced, not addresses: %s", s.unknown);
	err = nr ? print_places(&s, texts, nr, opts->json) : filter_stream(&s, stdin, stdout);
	free(s.loaded.array);
	return err;
}

/* Write an argument -2129211792 in hex, because getopt_long() treats it as an option. */
static void accept_negative(char **arg)
{
	char *end;
	unsigned long long address = strtoull(*arg, &end, 10);

	if (**arg == '-' && end != *arg && !*end)
		*arg = xasprintf("0x%llx", address);
}

static const struct opt options[] = {
	OPT_BASE(struct symbolize_options, base),
	OPT_SET('j', "json", struct symbolize_options, json, "print JSON"),
	{}
};

static int cmd_symbolize(int argc, char **argv)
{
	struct symbolize_options opts = {};
	int nr_args, status;

	for (int i = 1; i < argc; i++)
		accept_negative(&argv[i]);
	status = command__parse(&symbolize_command, argc, argv, &opts, &opts.where);
	if (status >= 0)
		return status;
	nr_args = argc - optind + where__is_used(&opts.where);
	if (nr_args < 1)
		return command__usage_error(&symbolize_command, "expected an image");
	if (opts.json && nr_args < 2)
		return command__usage_error(&symbolize_command, "--json needs an address");
	if (where__find(&opts.where, argv, !opts.base))
		return EXIT_BAD;
	return resolve_input(&opts, argv[optind], argv + optind + 1, argc - optind - 1) ?
	       EXIT_BAD : EXIT_DONE;
}

const struct command symbolize_command = {
	.name = "symbolize", .full_name = "abtf symbolize", .run = cmd_symbolize,
	.summary = "print which function is at an address",
	.usage = "abtf symbolize [-j] [--base BASE] IMAGE|--running [ADDRESS...]\n",
	.about =
	"Print which function is at an address: NAME@FILE, and +0x10 if it is not the start.\n"
	"Without ADDRESS, copy standard input, with names instead of addresses:\n"
	"\n"
	"  bpftrace ... | abtf symbolize --running\n"
	"\n"
	"  ADDRESS         _text+0x16ce70    an offset, as --probe prints it\n"
	"                  _text+1494640     the same, as bpftrace prints it\n"
	"                  0x16ce70          a bare offset from _text, hex or decimal\n"
	"                  ffffffff8116ce70  an address of the running kernel (--running, with\n"
	"                                    /proc/kallsyms), or one in IMAGE\n"
	"                  -2129211792       the same in decimal, as bpftrace prints it\n"
	"                  NAME+0x10         a place in the only function with that name\n"
	"                  in a module (IMAGE is a .ko): SYMBOL+0x40 [MODULE]\n",
	.notes =
	"In standard input, offsets from _text, addresses and, in a module, offsets from its\n"
	"symbols are replaced, and everything else is copied.\n",
	.options = options, .finds_image = true,
};
