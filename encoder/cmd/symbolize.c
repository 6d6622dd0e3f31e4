// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/where.h"
#include "inspect/input.h"
#include "inspect/symbolize.h"
#include "inspect/text.h"
#include "locate/kallsyms.h"
#include "util/msg.h"

struct symbolize_options {
	const char	*base;
	const char	*path;
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
static int find_base(const struct symbolize_options *opts, struct funcs *funcs,
		     struct symbolizer *s)
{
	char *path = NULL;
	int err;

	s->unknown = "the image was found by its build id, so where it is loaded is not known";
	if (opts->where.build_id || opts->where.notes)
		return 0;
	if (asprintf(&path, "%s/proc/kallsyms", opts->where.sysroot ?: "") < 0) {
		msg_error("out of memory");
		return -ENOMEM;
	}
	err = kallsyms__text(path, offset_of, funcs, &s->base);
	if (!err)
		s->unknown = NULL;
	else if (err == -EPERM)
		s->unknown = "/proc/kallsyms hides addresses (kernel.kptr_restrict): run this as root";
	else
		s->unknown = "/proc/kallsyms cannot be read, or does not list the kernel's functions";
	free(path);
	return 0;
}

/* The kernel shows where it loaded each section of a module.  Init text is gone by now. */
static int find_loaded(const struct symbolize_options *opts, const struct image *img,
		       struct symbolizer *s)
{
	s->unknown = "the module is not loaded, or /sys/module hides addresses: run this as root";
	for (uint32_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];
		unsigned long long address;
		char *path;
		int err = 0;
		FILE *f;

		if (!(sec->flags & SHF_ALLOC) || !(sec->flags & SHF_EXECINSTR) ||
		    !strncmp(sec->name, ".init", 5))
			continue;
		if (asprintf(&path, "%s/sys/module/%s/sections/%s", opts->where.sysroot ?: "",
			     opts->where.module, sec->name) < 0)
			return msg_fail(-ENOMEM, "out of memory");
		/* the kernel's names of modules have no '-' */
		for (char *c = strstr(path, "/sys/module/") + strlen("/sys/module/"); *c != '/'; c++)
			*c = *c == '-' ? '_' : *c;
		f = fopen(path, "re");
		free(path);
		if (f && fscanf(f, "%llx", &address) == 1 && address) {
			s->unknown = NULL;
			err = push(&s->loaded, (struct loaded_section){ address, sec->size, i });
		}
		if (f)
			fclose(f);
		if (err)
			return msg_fail(err, "out of memory");
	}
	return 0;
}

static json_t *place_json(const char *text, const struct place_in *p)
{
	json_t *obj = json_object();
	int err = 0;

	err |= json_object_set_new(obj, "address", text_json(text));
	err |= json_object_set_new(obj, "name", text_json(p->extent ? p->extent->name : NULL));
	err |= json_object_set_new(obj, "into", p->extent ? json_integer(p->into) : json_null());
	err |= json_object_set_new(obj, "offset", p->extent ? json_integer(p->offset) : json_null());
	if (!err)
		return obj;
	json_decref(obj);
	return NULL;
}

static int print_places(const struct symbolizer *s, char **texts, int nr, bool json)
{
	bool first = true;
	int err = 0, missing = 0;

	if (json)
		putchar('[');
	for (int i = 0; i < nr && !err; i++) {
		struct place_in place = {};

		missing = symbolizer__find(s, texts[i], &place) ?: missing;
		if (json)
			err = text_json_line(stdout, place_json(texts[i], &place), &first);
		else if (place.extent)
			place_in__print(&place, stdout);
		else
			fputs("??", stdout);
		if (!json)
			putchar('\n');
	}
	if (json)
		fputs(first ? "]\n" : "\n]\n", stdout);
	return err ?: missing;
}

static int resolve_input(const struct symbolize_options *opts, const struct kept *kept,
			 char **texts, int nr)
{
	struct symbolizer s = { .subject = opts->path };
	struct funcs *funcs = NULL;
	struct code_map map = {};
	struct kept *made = NULL;
	struct input in = {};
	int err = 0;

	if (!kept)
		err = input__open(&in, opts->path, NULL, opts->base);
	if (!err && !kept && !in.img) {
		msg_error("%s: expected an image, whose symbols show where functions end", opts->path);
		err = -EINVAL;
	}
	if (!err && !kept && where__asked(&opts->where) && !opts->where.module) {
		err = kept__make(&opts->where.id, &in, &made);
		err = err == -ENOTSUP ? 0 : err;
		kept = made;
	}
	err = err ?: funcs__new(kept ? kept->btf : in.btf, &funcs);
	if (!err)
		err = kept ? code_map__from_kept(funcs, kept, &map) :
			     code_map__from_image(funcs, in.img, input__symbols(&in), &map);
	s.map = &map;
	s.base = map.text;
	s.module = in.img && in.img->type == ET_REL;
	if (!err && where__asked(&opts->where) && !s.module) {
		s.base = 0;
		err = find_base(opts, funcs, &s);
	} else if (!err && opts->where.module) {
		err = find_loaded(opts, in.img, &s);
	}
	if (!err && !nr && s.unknown)
		msg_warn("only offsets are replaced, no addresses: %s", s.unknown);
	if (!err)
		err = nr ? print_places(&s, texts, nr, opts->json) :
			   symbolizer__filter(&s, stdin, stdout);
	free(s.loaded.array);
	code_map__destroy(&map);
	funcs__free(funcs);
	kept__free(made);
	input__close(&in);
	return err ? EXIT_BAD : EXIT_DONE;
}

/* Write an argument -2129211792 in hex, because getopt_long() treats it as an option. */
static int accept_negative(char **arg)
{
	char *end;
	unsigned long long address = strtoull(*arg, &end, 10);

	if (**arg != '-' || end == *arg || *end)
		return 0;
	if (asprintf(arg, "0x%llx", address) >= 0)
		return 0;
	msg_error("out of memory");
	return -ENOMEM;
}

static const struct opt options[] = {
	OPT_BASE(struct symbolize_options, base),
	OPT_SET('j', "json", struct symbolize_options, json, "print JSON"),
	{}
};

static int cmd_symbolize(int argc, char **argv)
{
	struct symbolize_options opts = {};
	struct kept *kept = NULL;
	int i, nr_args, status, err = 0;

	for (i = 1; i < argc && !err; i++)
		err = accept_negative(&argv[i]);
	if (err)
		return EXIT_BAD;
	status = command__parse(&symbolize_command, argc, argv, &opts, &opts.where);
	if (status >= 0)
		return status;
	nr_args = argc - optind + where__asked(&opts.where);
	if (nr_args < 1)
		return command__usage_error(&symbolize_command, "expected an image");
	if (opts.json && nr_args < 2)
		return command__usage_error(&symbolize_command, "--json needs an address");
	err = opts.where.module ? where__find(&opts.where, argv) : where__identify(&opts.where);
	if (!err && where__asked(&opts.where) && !opts.where.module)
		err = kept__read(&opts.where.id, &kept) ? where__find(&opts.where, argv) :
							  where__name(&opts.where, argv);
	if (err)
		return EXIT_BAD;
	opts.path = argv[optind];
	status = resolve_input(&opts, kept, argv + optind + 1, argc - optind - 1);
	kept__free(kept);
	return status;
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
