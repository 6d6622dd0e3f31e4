// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/job.h"
#include "cmd/list.h"
#include "locate/running.h"
#include "util/document.h"
#include "util/msg.h"

static unsigned int terminal_columns(void)
{
	struct winsize size = {};

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}

static void print_nothing(const struct list_options *opts, const struct function_map *map)
{
	uint32_t all = 0;

	for_each(f, map)
		all += f->kind != CODE_PADDING;
	if (opts->all || !all)
		msg_warn("%s: no functions", opts->path);
	else if (!map->has_all)
		msg_warn("%s: BTF without addresses omits names that several functions share: use --running, or the image with debug information; --all lists all %u",
			 opts->path, all);
	else
		msg_warn("%s: no functions share a name; --all lists all %u", opts->path, all);
}

/* Compare places; they are equal if only the names of the source function's symbols differ. */
static int compare_places(const struct chosen *x, const struct chosen *y)
{
	const struct function *f = x->func, *g = y->func;

	return cmp_int(f->section, g->section) ?:
	       cmp_int(f->offset + x->into, g->offset + y->into) ?:
	       cmp_int(f->source_len, g->source_len) ?: memcmp(f->name, g->name, f->source_len);
}

static int by_place(const void *x, const void *y)
{
	const struct chosen *a = *(const struct chosen *const *)x;
	const struct chosen *b = *(const struct chosen *const *)y;

	return compare_places(a, b) ?: cmp_int(a, b);
}

/* Return: for each place, whether an earlier one is the same, by another name of the function. */
static bool *find_aliases(const struct selection *sel)
{
	bool *aliases = xcalloc(sel->funcs.nr, sizeof(*aliases));
	VECTOR(const struct chosen *) order = {};

	for_each(chosen, &sel->funcs)
		push(&order, chosen);
	vector__sort(&order, by_place);
	for (uint32_t i = 1; i < order.nr; i++)
		aliases[order.array[i] - sel->funcs.array] = order.array[i]->func->has_offset &&
			!compare_places(order.array[i - 1], order.array[i]);
	free(order.array);
	return aliases;
}

static int print_probes(const struct list_options *opts, const struct function_map *map,
			struct selection *sel)
{
	struct list_probes p __cleanup(list_probes__destroy) = {};
	bool *aliases __cleanup(free_pointer) = find_aliases(sel);
	int err = list_probes__init(&p, opts, map);

	p.nr_selectors = sel->nr;
	for (uint32_t i = 0; i < sel->funcs.nr && !err; i++)
		if (!aliases[i])
			err = list_probes__add(&p, sel->funcs.array[i].func,
					       sel->funcs.array[i].into, NULL);
	err = err ?: list_probes__print(&p, "functions");
	if ((!err || err == -EOPNOTSUPP) && !opts->all &&
	    p.verdicts[KPROBE_NOTRACE] + p.verdicts[KPROBE_BLACKLISTED])
		list_probes__report_callers(&p, sel);
	return err;
}

/* Maximum number of modules to name for a selector. */
#define MAX_MODULES	16

/* Return: modules that have the function, a clone or a part of it, malloc()ed; NULL without one. */
static char *find_modules_of_selector(const struct loaded_functions *loaded, const struct selector *sel)
{
	VECTOR(const char *) modules = {};
	char *ret = NULL;
	uint32_t nr = 0;

	for_each(f, loaded) {
		size_t len = function__source_len(f->name, strlen(f->name));
		bool found = selector__names(sel, f->name);

		if (!found && f->name[len]) {
			char *source __cleanup(free_pointer) = xstrndup(f->name, len);

			found = selector__names(sel, source);
		}
		if (found)
			push(&modules, f->module);
	}
	vector__sort(&modules, compare_strings);
	for (uint32_t i = 0; i < modules.nr; i++)
		if ((!i || strcmp(modules.array[i - 1], modules.array[i])) && nr++ < MAX_MODULES)
			xappend(&ret, "%s%s", ret ? ", " : "", modules.array[i]);
	if (nr > MAX_MODULES)
		xappend(&ret, " and %u more", nr - MAX_MODULES);
	free(modules.array);
	return ret;
}

/* Functions with these names may also, or only, be in modules of the running kernel. */
static void report_modules(const struct list_options *opts, const struct selection *sel)
{
	struct loaded_functions loaded __cleanup(loaded_functions__destroy) = {};
	bool is_read = false;

	if (!where__is_used(&opts->where) || !where__is_running(&opts->where) || opts->where.module)
		return;
	for_each(s, sel) {
		char *modules __cleanup(free_pointer) = NULL;

		/* the kernel does not show the files of the modules' functions */
		if (s->nr_matches && s->file)
			continue;
		/* this takes longer than all the rest with a cached map */
		if (!is_read)
			running__read_modules(opts->where.sysroot, &loaded);
		is_read = true;
		modules = find_modules_of_selector(&loaded, s);
		if (modules && s->nr_matches)
			msg_note("%s is also in these modules, which are loaded: %s; select one with --module",
				 s->name, modules);
		else if (modules)
			msg_error("    %s is in these modules, which are loaded: %s; select one with --module",
				  s->name, modules);
	}
}

static int select_functions(const struct list_options *opts, const struct function_map *map,
			    struct selection *sel)
{
	int err = selection__find(sel, map, opts->all) ?: selection__check_places(sel, map);

	if (err == -ESRCH)
		report_modules(opts, sel);
	if (!err && opts->probe != NR_PROBE_FORMATS && !opts->all)
		err = selection__check_unique(sel, map);
	return err;
}

static int print_functions(const struct list_options *opts, const struct input *in,
			   struct function_map *map, struct selection *sel)
{
	bool needs_offsets = opts->table || opts->probe != NR_PROBE_FORMATS;
	int err = 0;

	if (!map->has_offsets && in->btf && in->btf->nr_records)
		msg_print(needs_offsets ? MSG_QUIET : MSG_NORMAL, needs_offsets ? "error: " : "warning: ",
			  "%s: the BTF of a module does not have the sections that its addresses are relative to: specify the module with --image",
			  in->path);
	else if (!map->has_offsets && needs_offsets)
		msg_error("%s: BTF without addresses, and no symbols to find them by", opts->path);
	if (!map->has_offsets && needs_offsets)
		return -EINVAL;
	if (opts->probe != NR_PROBE_FORMATS)
		err = print_probes(opts, map, sel);
	else if (opts->table)
		err = list_table__print(opts->path, map, sel, opts->all, stdout);
	else if (opts->json || sel->funcs.nr)
		err = list__print_functions(opts, map, sel, terminal_columns());
	if (!err && !sel->funcs.nr && !opts->json)
		print_nothing(opts, map);
	/* pahole 1.24 keeps one of them; abtf strip and the patched kernel keep all */
	if (!err && sel->nr && !map->has_all)
		msg_warn("%s: BTF without addresses has no other functions with the same name: use --running, or the image with debug information",
			 opts->path);
	if (err || opts->json || opts->table)
		return err;
	if (sel->nr)
		return list__warn_inlined(in, map, sel);
	if (sel->funcs.nr && map->has_image) {
		char *counts __cleanup(free_pointer) = function_map__counts(map);

		printf("\n%s\n", counts);
	}
	return 0;
}

static int list_functions(const struct list_options *opts, struct selection *sel)
{
	struct input in __cleanup(input__close) = {};
	struct function_map map __cleanup(function_map__destroy) = {};
	int err;

	if (opts->image) {
		err = input__open(&in, opts->path, NULL, opts->image, opts->base);
		err = err ?: function_map__read(&map, &in);
	} else {
		map = opts->cached;
		err = where__read(&opts->where, opts->path, opts->found, opts->base, &in, &map);
	}
	err = err ?: select_functions(opts, &map, sel) ?: print_functions(opts, &in, &map, sel);
	if (!err || err == -EOPNOTSUPP)
		report_modules(opts, sel);
	return exit_code(err);
}

/* Find the selected functions; functions that are only called may be missing from the image. */
static int find_called(struct selection *sel, const struct function_map *map, bool all)
{
	char *text = NULL;
	int err;

	msg_hold(&text);
	err = selection__find(sel, map, all);
	msg_hold(NULL);
	free(text);
	return err == -ESRCH ? 0 : err;
}

static int print_callers(const struct list_options *opts, const struct function_map *map,
			 const struct callers *c)
{
	struct selection bodies = {};
	int err;

	if (opts->probe == NR_PROBE_FORMATS) {
		callers__print(c, map, opts);
		return 0;
	}
	callers__select(c, map, &bodies);
	err = print_probes(opts, map, &bodies);
	free(bodies.funcs.array);
	msg_warn("%s: " UNKNOWN_CALLS, opts->path);
	return err;
}

static int list_callers(const struct list_options *opts, struct selection *sel)
{
	struct function_map map __cleanup(function_map__destroy) = {};
	struct input in __cleanup(input__close) = {};
	struct callers c __cleanup(callers__free) = {};
	int err = list__open_dwarf(opts, &in) ?: function_map__read(&map, &in) ?:
		  find_called(sel, &map, opts->all) ?: callers__find(&c, in.img, &map, sel);

	for_each(s, sel)
		if (!err && !s->nr_matches)
			err = selection__find(sel, &map, opts->all);
	if (!err && !c.nr)
		err = msg_fail(-ESRCH, "%s: no call of '%s' was found; " UNKNOWN_CALLS,
			       opts->path, sel->array->text);
	return exit_code(err ?: print_callers(opts, &map, &c));
}

/* NAME@ and the end of the path, starting at a directory, that starts with the text */
static void complete_file(const struct function *f, const char *path, const char *file)
{
	for (const char *end = path; end; end = strchr(end, '/')) {
		end += end != path;
		if (!strncmp(end, file, strlen(file)))
			printf("%.*s@%s\n", (int)f->source_len, f->name, end);
		if (!*file)
			break;
	}
}

/* Selectors for all bodies of a source function, by file, or by the name of the symbol. */
static void complete_body(const struct function *f, bool is_first, const char *text, size_t len)
{
	const char *at = strchr(f->name, '@');
	const char *file = at ? at + 1 : f->is_shared ? f->file : NULL;

	if (text[len]) {
		if (file && f->source_len == len && !strncmp(f->name, text, len))
			complete_file(f, file, text + len + 1);
	} else if (strncmp(f->symbol, text, len)) {
		return;
	} else if (len > f->source_len) {
		puts(f->symbol);
	} else if (is_first) {
		printf("%.*s\n", (int)f->source_len, f->name);
		if (file)
			printf("%.*s@\n", (int)f->source_len, f->name);
	}
}

/*
 * Print the selectors that start with a text.  Only use the cache: reading an image would
 * take seconds.
 */
static int complete_name(const struct where *where, const char *text)
{
	struct function_map map __cleanup(function_map__destroy) = {};
	const struct function *last = NULL;
	struct build_id id;

	if (!where__is_used(where) || where->module || where__identify(where, &id))
		return EXIT_BAD;
	if (!kept__read(&map, &id))
		return EXIT_DONE;
	for_each(f, &map) {
		if (f->kind != CODE_BODY)
			continue;
		complete_body(f, !last || !same_source(last, f), text, strcspn(text, "@"));
		last = f;
	}
	return EXIT_DONE;
}

static int usage_error(const char *what)
{
	return command__usage_error(&list_command, what);
}

static int parse_probe(void *data, const char *arg, bool value)
{
	struct list_options *opts = data;

	opts->probe = probe_format__find(arg);
	return opts->probe != NR_PROBE_FORMATS ? GO_ON : usage_error("--probe expects " PROBE_FORMATS);
}

static int parse_args(void *data, const char *arg, bool value)
{
	struct list_options *opts = data;

	opts->args = arg;
	opts->has_args = true;
	return GO_ON;
}

static int parse_output(void *data, const char *arg, bool value)
{
	struct list_options *opts = data;

	opts->output = arg;
	opts->where.several = true;
	return GO_ON;
}

static int parse_jobs(void *data, const char *arg, bool value)
{
	return jobs__take(arg, &((struct list_options *)data)->threads);
}

#define LIST_SET(letter, name, help)	OPT_SET(letter, #name, struct list_options, name, help)
static const struct opt options[] = {
	LIST_SET('a', all,
		 "list every function; with --probe, also print notrace functions, and all functions that NAME@FILE matches"),
	OPT_CALL(0, "args", "[=EXPRESSIONS]", COMPLETE_NOTHING, parse_args,
		 "with --probe: also print arguments; EXPRESSIONS is a list such as 'kobj->name:string,buf' (default: all arguments, with --retprobe the return value); without --probe: show where they are"),
	OPT_BASE(struct list_options, base),
	OPT_TEXT('i', "image", "IMAGE", COMPLETE_FILE, struct list_options, image,
		 "the image of detached BTF: its DWARF shows where functions are declared"),
	LIST_SET(0, inlined,
		 "list functions that were inlined and also have a body (with --all: all that were inlined); with SELECTOR, list each inlined call, and with --probe print a probe on it"),
	LIST_SET(0, callers,
		 "list each call of the functions, inlined or not, that the image's DWARF records; with --probe, print probes on the functions that contain the calls"),
	LIST_SET('j', json, "print JSON"),
	OPT_CALL('p', "probe", "FORMAT", COMPLETE_PROBE, parse_probe,
		 "print a kprobe to paste; FORMAT is " PROBE_FORMATS),
	LIST_SET(0, retprobe, "with --probe: print a kretprobe, which fires when the function returns"),
	LIST_SET(0, table,
		 "print a table with a line for each function, for programs that choose functions at run time; see examples/abtf_probe.h"),
	OPT_CALL('o', "output", "DIR", COMPLETE_DIR, parse_output,
		 "with --table: write the tables of several images and modules to DIR"),
	OPT_CALL(0, "jobs", "N", COMPLETE_JOBS, parse_jobs,
		 "with --output: number of images to read at the same time (default: all cores)"),
	/* for completion by a shell */
	OPT_TEXT(0, "complete", "TEXT", COMPLETE_NOTHING, struct list_options, complete, NULL),
	{}
};

/* Return: GO_ON, or an exit code. */
static int check_options(const struct list_options *opts, int nr_args)
{
	bool probe = opts->probe != NR_PROBE_FORMATS;

	if (nr_args < 1)
		return usage_error("expected an image or BTF");
	if (opts->table && (opts->json || opts->inlined || opts->callers || probe || opts->has_args))
		return usage_error("--table cannot be combined with --json, --inlined, --callers, --probe or --args");
	if (opts->has_args && (opts->inlined || opts->callers) && !probe)
		return usage_error("--args with --inlined or --callers needs --probe");
	if (opts->has_args && opts->probe == PROBE_AYA)
		return usage_error("--args does not print programs for aya: see the registers in --probe=json");
	if (opts->callers && opts->inlined)
		return usage_error("--callers also lists inlined calls: omit --inlined");
	if ((opts->output && !opts->table) || (opts->threads && !opts->output))
		return usage_error("--output needs --table, and --jobs needs --output");
	if (opts->output && !*opts->output)
		return usage_error("--output expects a directory");
	if (opts->output && (opts->base || opts->image))
		return usage_error("--output cannot be combined with --base or --image");
	if (probe && opts->json && opts->probe != PROBE_JSON)
		return usage_error("--json cannot be combined with --probe in the syntax of a tool: use --probe=json");
	if (opts->retprobe && (!probe || opts->inlined))
		return usage_error("--retprobe needs --probe, without --inlined");
	if (opts->retprobe && !probe_format__has_retprobe(opts->probe))
		return usage_error("this tool cannot set a return probe at an offset: use libbpf, perf, tracefs, cilium or aya");
	if ((probe || opts->callers) && nr_args < 2)
		return usage_error(probe ? "--probe needs a SELECTOR" : "--callers needs a SELECTOR");
	if (opts->image && where__is_used(&opts->where))
		return usage_error("--image names the image, and cannot be combined with a search for it");
	return GO_ON;
}

/* Return: GO_ON, or an exit code. */
static int parse_selectors(const struct list_options *opts, char **texts, uint32_t nr,
			   struct selection *sel)
{
	bool accepts_places = opts->probe != NR_PROBE_FORMATS && !opts->inlined &&
			      !opts->callers && !opts->retprobe;

	if (selection__parse(sel, texts, nr))
		return EXIT_USAGE;
	for_each(s, sel)
		if (s->has_place && !accepts_places)
			return msg_fail(EXIT_USAGE, "selector '%s': a place in a function needs --probe, without --inlined, --callers or --retprobe",
					s->text);
	return GO_ON;
}

static void list_options__destroy(struct list_options *opts)
{
	where__destroy(&opts->where);
}

static int cmd_list(int argc, char **argv)
{
	struct list_options opts __cleanup(list_options__destroy) = { .probe = NR_PROBE_FORMATS };
	struct selection sel = {};
	int nr_args, status = command__parse(&list_command, argc, argv, &opts, &opts.where);

	if (status == GO_ON && opts.complete)
		return complete_name(&opts.where, opts.complete);
	nr_args = argc - optind + where__is_used(&opts.where);
	if (status == GO_ON)
		status = check_options(&opts, nr_args);
	if (status != GO_ON)
		return status;
	if (opts.output)
		return list_fleet(&opts, argv + optind, argc - optind);
	status = parse_selectors(&opts, argv + argc - (nr_args - 1), nr_args - 1, &sel);
	/* the cache only has the number of inlined calls */
	if (status == GO_ON &&
	    where__find(&opts.where, argv,
			opts.inlined || opts.callers || opts.base ? NULL : &opts.cached, &opts.found))
		status = EXIT_BAD;
	opts.path = argv[optind];
	if (status == GO_ON)
		status = opts.inlined ? list_inlined(&opts, &sel) :
			 opts.callers ? list_callers(&opts, &sel) : list_functions(&opts, &sel);
	selection__destroy(&sel);
	return status;
}

const struct command list_command = {
	.name = "list", .full_name = "abtf list", .run = cmd_list,
	.summary = "list functions, and show how to choose one of several",
	.usage =
	"abtf list [-aj] [-b BASE] [-i IMAGE] [--inlined | --callers] [--args[=EXPRESSIONS]]\n"
	"                 [-p FORMAT [--retprobe] | --table] IMAGE|BTF|--running [SELECTOR...]\n"
	"       abtf list --table [-a] [--jobs=N] --output=DIR [--build-id=HEX] [--notes=FILE] IMAGE...\n",
	.about =
	"List functions: BTF id, offset from _text, linkage, flags, name, where it is\n"
	"declared (if the image has DWARF) and prototype.  Functions that share a name\n"
	"are called NAME@FILE; without SELECTOR, these are listed.  If an image has no\n"
	"such names in BTF, its DWARF is read; it is not written to.\n"
	"\n"
	"  SELECTOR        NAME            every function with that name\n"
	"                  NAME@FILE       the one in FILE, or all in files that end in /FILE\n"
	"                  NAME@/FILE      the one in FILE\n"
	"                  NAME@FILE:LINE  the one declared there\n"
	"                  NAME@FILE+0x10  an instruction in it, for --probe\n"
	"                  NAME and FILE may be patterns with *, ? and [...]\n",
	.notes =
	"FLAGS is '-' if the kernel accepts a kprobe in the function, otherwise notrace,\n"
	"noprobe, init, or unknown if the image does not show it.  A probe of an instruction\n"
	"is omitted if kprobes cannot replace the instruction.\n"
	"\n"
	"On a terminal, NAME@FILE:LINE shows where a function is declared, unless it is in\n"
	"another file, and names are highlighted, unless NO_COLOR is set.  If the terminal\n"
	"is too narrow for the table, functions are grouped below the prototype that they\n"
	"share.\n",
	.options = options, .finds_image = true,
};
