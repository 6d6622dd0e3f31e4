// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/where.h"
#include "inspect/symbolize.h"
#include "inspect/text.h"
#include "locate/kallsyms.h"
#include "util/memory.h"
#include "util/msg.h"

struct symbolize_options {
	const char	*base;
	bool		json;
	struct where	where;
};

static bool offset_of(const char *name, void *arg, uint64_t *ret)
{
	const struct func *func;
	uint32_t nr;

	func = funcs__named(arg, name, strlen(name), &nr);
	if (nr != 1 || !func->record)
		return false;
	*ret = btf_func__offset(func->record);
	return true;
}

/* Only --running is this machine; the addresses of others are not known. */
static void find_base(const struct where *where, struct funcs *funcs, struct symbolizer *s)
{
	char *path __cleanup(free_pointer) =
		xasprintf("%s/proc/kallsyms", where->sysroot ?: "");
	int err;

	s->base = 0;
	s->unknown = "the image was found by its build id, so where it is loaded is not known";
	if (where->build_id || where->notes)
		return;
	err = kallsyms__text(path, offset_of, funcs, &s->base);
	if (!err)
		s->unknown = NULL;
	else if (err == -EPERM)
		s->unknown = "/proc/kallsyms hides addresses (kernel.kptr_restrict): run this as root";
	else
		s->unknown = "/proc/kallsyms cannot be read, or does not list the kernel's functions";
}

/* The kernel shows where it loaded each section of a module.  Init text is gone by now. */
static void find_loaded(const struct where *where, const struct image *img, struct symbolizer *s)
{
	char *module __cleanup(free_pointer) = xstrdup(where->module);

	/* the kernel's names of modules have no '-' */
	for (char *c = module; *c; c++)
		*c = *c == '-' ? '_' : *c;
	s->unknown = "the module is not loaded, or /sys/module hides addresses: run this as root";
	for (uint32_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];
		unsigned long long address;
		char *path;
		FILE *f;

		if (!(sec->flags & SHF_ALLOC) || !(sec->flags & SHF_EXECINSTR) ||
		    !strncmp(sec->name, ".init", 5))
			continue;
		path = xasprintf("%s/sys/module/%s/sections/%s", where->sysroot ?: "", module,
				 sec->name);
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
			 "offset", p->extent ? json_integer(p->offset) : json_null());
}

static int print_places(const struct symbolizer *s, char **texts, int nr, bool json)
{
	struct json_lines lines = { .f = stdout };
	int err = 0;

	for (int i = 0; i < nr; i++) {
		struct place_in place = {};

		err = symbolizer__find(s, texts[i], &place) ?: err;
		if (json) {
			json_lines__add(&lines, place_json(texts[i], &place));
			continue;
		}
		if (place.extent)
			place_in__print(&place, stdout);
		else
			fputs("??", stdout);
		putchar('\n');
	}
	if (json)
		json_lines__end(&lines);
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
	if (where__asked(&opts->where) && !s.module)
		find_base(&opts->where, in.funcs, &s);
	else if (opts->where.module)
		find_loaded(&opts->where, in.img, &s);
	if (!nr && s.unknown)
		msg_warn("only offsets are replaced, no addresses: %s", s.unknown);
	err = nr ? print_places(&s, texts, nr, opts->json) : symbolizer__filter(&s, stdin, stdout);
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
	nr_args = argc - optind + where__asked(&opts.where);
	if (nr_args < 1)
		return command__usage_error(&symbolize_command, "expected an image");
	if (opts.json && nr_args < 2)
		return command__usage_error(&symbolize_command, "--json needs an address");
	if (opts.base ? where__find(&opts.where, argv) : where__find_kernel(&opts.where, argv))
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
	"symbols are replaced, and all else is copied.\n",
	.options = options, .finds_image = true,
};
