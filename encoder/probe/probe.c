// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "inspect/text.h"
#include "probe/fetch.h"
#include "probe/probe.h"
#include "probe/program.h"
#include "util/hash.h"
#include "util/document.h"
#include "util/json.h"
#include "util/macros.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/text.h"

/* MAX_EVENT_NAME_LEN of kernel/trace/trace_probe.h, including the NUL. */
#define MAX_EVENT	64

static bool is_event_name(const char *s)
{
	return !isdigit((unsigned char)*s) && strlen(s) < MAX_EVENT &&
	       !s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")];
}

/*
 * "type_show_109160".  In a module, "twin_my_mod_between_" does not show where the name of the
 * module ends, and other names may be too long, or have characters that the kernel rejects
 * (is_good_name()).  Then a hash of all parts replaces the offset, so that no two probes are
 * merged into one event.
 */
static void name_event(const struct probe *p, bool retprobe, char event[MAX_EVENT])
{
	const char *ret = retprobe ? "_ret" : "";
	char *source __cleanup(free_pointer) = xstrndup(p->name, strcspn(p->name, "@ "));
	char *name __cleanup(free_pointer) = xasprintf("%s_%" PRIx64 "%s", source, p->offset, ret);
	bool has_own_symbol = p->symbol && !strcmp(p->symbol, source);
	char *parts __cleanup(free_pointer) = NULL;
	int size = MAX_EVENT - sizeof("_01234567") - strlen(ret);

	if (!p->module && is_event_name(name)) {
		memcpy(event, name, strlen(name) + 1);
		return;
	}
	/* no part contains a blank */
	xappend(&parts, "%s %s %s %" PRIx64, source, p->module ?: "",
		p->symbol ?: p->section, p->offset);
	if (p->module)
		xappend(&source, "_%s", p->module);
	if (p->module && !has_own_symbol)
		xappend(&source, "_%s", p->symbol ?: p->section);
	snprintf(event, MAX_EVENT, "%.*s_%08x%s", size, source,
		 (uint32_t)hash_bytes(parts, strlen(parts)), ret);
	for (char *c = event; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	if (isdigit((unsigned char)*event))
		*event = '_';
}

/* A name in a comment must not end the comment, nor the quotes that it is pasted into. */
static void print_comment(const char *name, FILE *f)
{
	char *copy __cleanup(free_pointer) = text_plain(xstrdup(name), " #:");

	/* in C, this trigraph is a backslash, which would continue the comment on the next line */
	for (char *p = copy; (p = strstr(p, "?\?/")); )
		p[2] = '?';
	fputs(copy, f);
}

/*
 * MAX_ARG_NAME_LEN and MAX_TRACE_ARGS of kernel/trace/trace_probe.h.  A line has at most 4,093
 * characters (WRITE_BUFSIZE in trace.c), of which the longest event, module and symbol need 660.
 */
#define MAX_ARG_NAME	32
#define MAX_EVENT_ARGS	128
#define MAX_EVENT_TEXT	3400

/** struct event_args - arguments of an event: @text, with a blank before each of @nr */
struct event_args {
	char		*text;
	uint32_t	nr;
};

static void free_event_args(struct event_args *e)
{
	free(e->text);
}

/* Test for the name of a field that all events have. */
static bool is_reserved(const char *name)
{
	static const char *const names[] = {
		"common_type", "common_flags", "common_preempt_count", "common_pid",
		"common_tgid", "__probe_ip", "__probe_ret_ip", "__probe_func",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Add an argument to an event.  Return: NULL, or why it is not added. */
static const char *add_event_arg(struct event_args *e, const struct arg_list *list,
				 const struct arg *arg)
{
	const char *reason;
	char *fetch __cleanup(free_pointer) = fetch__tracefs(list, arg, &reason);

	if (!fetch)
		return reason;
	if (strlen(arg->name) > MAX_ARG_NAME)
		return "its name is longer than the 32 characters that the kernel accepts: write LABEL=NAME";
	if (is_reserved(arg->name))
		return "the kernel uses its name: write LABEL=NAME";
	if (e->nr == MAX_EVENT_ARGS)
		return "the kernel accepts 128 arguments";
	if ((e->text ? strlen(e->text) : 0) + strlen(arg->name) + strlen(fetch) + 2 > MAX_EVENT_TEXT)
		return "the event would be longer than the kernel accepts";
	xappend(&e->text, " %s=%s", arg->name, fetch);
	e->nr++;
	return NULL;
}

static char *make_event_args(const struct arg_list *list)
{
	struct event_args e = {};

	for (uint32_t i = 0; list && i < list->args.nr; i++)
		add_event_arg(&e, list, &list->args.array[i]);
	return e.text ?: xstrdup("");
}

/*
 * Print a template, in which these are replaced:
 *
 *	%n	the name			%s	the symbol
 *	%x	the offset from the symbol	%p	both, without an offset of 0, which not all
 *						tools accept; or an address
 *	%m	"MODULE:" or nothing		%e	a name for an event
 *	%r	"ret" of a return probe, or nothing; %t: r or p
 *	%a	arguments of the event, or nothing
 */
static void print_template(const struct probe *p, const struct probe_list *list, const char *text,
			   FILE *f)
{
	char *module __cleanup(free_pointer) = p->module && p->symbol ?
					       xasprintf("%s:", p->module) : xstrdup("");
	char *offset __cleanup(free_pointer) = xasprintf("0x%" PRIx64, p->offset);
	char *place __cleanup(free_pointer) = !p->symbol ? xasprintf("0x%" PRIx64, p->address) :
		xasprintf("%s%s%s", p->symbol, p->offset ? "+" : "", p->offset ? offset : "");
	char *args __cleanup(free_pointer) = make_event_args(p->args);
	char event[MAX_EVENT];
	const struct {
		char		letter;
		const char	*text;
	} values[] = {
		{ 's', p->symbol }, { 'x', offset }, { 'p', place },
		{ 'm', module }, { 'e', event }, { 'r', list->retprobe ? "ret" : "" },
		{ 't', list->retprobe ? "r" : "p" }, { 'a', args },
	};

	name_event(p, list->retprobe, event);
	for (; *text; text++) {
		if (*text != '%') {
			fputc(*text, f);
			continue;
		}
		text++;
		if (*text == 'n')
			print_comment(p->name, f);
		for (size_t i = 0; i < ARRAY_SIZE(values); i++)
			if (values[i].letter == *text)
				fputs(values[i].text, f);
	}
}

/*
 * A C comment before the comma names each of several probes, as bpftrace prints decimal offsets.
 * Each probe with arguments has a block.
 */
static void print_bpftrace(const struct probe *p, const struct probe_list *list, FILE *f)
{
	bool last = p == &list->array[list->nr - 1];

	print_template(p, list, "kprobe:%m%p", f);
	if (list->nr > 1 || p->args) {
		fputs(" /* ", f);
		print_comment(p->name, f);
		fputs(" */", f);
	}
	fputs(last || p->args ? "\n" : ",\n", f);
	if (p->args)
		program__print_bpftrace(p->args, p->name, f);
}

static void print_function(const struct probe *p, const struct probe_list *list, FILE *f)
{
	char event[MAX_EVENT];

	name_event(p, list->retprobe, event);
	program__print_c(p->args, event, p->name, f);
}

/*
 * SEC() does not support modules: libbpf would read "MODULE:SYMBOL" as a function called
 * MODULE.  For return probes, SEC() does not support offsets either.  The function that
 * attaches supports both.
 */
static void print_libbpf(const struct probe *p, const struct probe_list *list, FILE *f)
{
	bool whole = !p->module && !list->retprobe;

	if (whole)
		print_template(p, list, "SEC(\"kprobe/%p\")\t// %n\n", f);
	else if (p->args)
		print_template(p, list, "SEC(\"k%rprobe\")\t// %n\n", f);
	if (p->args)
		print_function(p, list, f);
	if (whole)
		return;
	if (p->args)
		fputs("// ", f);
	print_template(p, list, "bpf_program__attach_kprobe_opts(prog, \"%m%s\", &(struct bpf_kprobe_opts){ .sz = sizeof(struct bpf_kprobe_opts), .offset = %x",
		       f);
	print_template(p, list, list->retprobe ? ", .retprobe = true });\t// %n\n" :
						 " });\t// %n\n", f);
}

/* The loaders before 0.10 reject SEC("kprobe"), without a symbol. */
static void print_cilium(const struct probe *p, const struct probe_list *list, FILE *f)
{
	if (p->args) {
		print_template(p, list, "SEC(\"k%rprobe/%s\")\t// %n\n", f);
		print_function(p, list, f);
		fputs("// ", f);
	}
	print_template(p, list, "link.K%rprobe(\"%s\", prog, &link.KprobeOptions{Offset: %x})\t// %n\n", f);
}

/* The functions are the text of one program, which precedes the first probe. */
static void print_bcc(const struct probe *p, const struct probe_list *list, FILE *f)
{
	char event[MAX_EVENT] = "probe";

	if (p->args && p == list->array) {
		fputs("b = BPF(text=r\"\"\"\n#include <linux/ptrace.h>\n", f);
		for_each(probe, list) {
			name_event(probe, list->retprobe, event);
			program__print_bcc(probe->args, event, probe->name, f);
		}
		fputs("\"\"\")\n", f);
	}
	print_template(p, list, p->args ? "b.attach_kprobe(event=\"%m%s\", event_off=%x, fn_name=\"%e\")\t# %n\n" :
		       "b.attach_kprobe(event=\"%m%s\", event_off=%x, fn_name=\"probe\")\t# %n\n", f);
}

static json_t *probe_json(const struct probe *p, const struct probe_list *list)
{
	char *address __cleanup(free_pointer) = p->address ? xasprintf("0x%" PRIx64, p->address) : NULL;
	json_t *args = p->args ? json_array() : json_null();

	for (uint32_t i = 0; p->args && i < p->args->args.nr; i++)
		json_array_append_new(args, fetch__json(p->args, &p->args->args.array[i]));
	return json_pack("{s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:b, s:o}",
			 "name", text_json(p->in ?: p->name), "call", text_json(p->in ? p->name : NULL),
			 "section", text_json(p->section), "offset", (json_int_t)p->place,
			 "symbol", text_json(p->symbol),
			 "symbol_offset", p->symbol ? json_integer(p->offset) : json_null(),
			 "runtime_address", text_json(address), "retprobe", list->retprobe, "args", args);
}

static void print_json(const struct probe_list *list)
{
	document__begin("probes", json_incref(list->head));
	for_each(p, list)
		document__add(probe_json(p, list));
}

/**
 * struct format - the syntax of a tool
 * @print:	function that prints a probe; NULL: @text is its template
 * @retprobe:	the tool accepts a return probe at an offset
 * @address:	the tool accepts an address
 * @module:	how the tool probes modules
 */
static const struct format {
	const char	*name;
	bool		retprobe, address;
	enum { BY_SYMBOL, BY_NAME } module;
	void		(*print)(const struct probe *p, const struct probe_list *list, FILE *f);
	const char	*text;
} formats[NR_PROBE_FORMATS] = {
	/* 0.17 does not accept a module */
	[PROBE_BPFTRACE] = { "bpftrace", false, false, BY_NAME, .print = print_bpftrace },
	[PROBE_LIBBPF] = { "libbpf", true, false, BY_NAME, .print = print_libbpf },
	/*
	 * perf probe rejects an offset that is larger than the symbol, but lists and removes
	 * probes that other tools created in its group.  Root's shell has to open the file:
	 * "tee -a" fails, because libc seeks to its end, which tracefs does not allow.
	 */
	[PROBE_PERF] = { "perf", true, true, BY_NAME,
		.text = "sudo sh -c 'echo %t:probe/%e %m%p%a >>/sys/kernel/tracing/kprobe_events'\t# sudo perf record -e probe:%e; to remove it: sudo perf probe -d %e\n" },
	/*
	 * "p:GROUP/EVENT PLACE", the syntax of kprobe_events
	 * (Documentation/trace/kprobetrace.rst)
	 */
	[PROBE_TRACEFS] = { "tracefs", true, true, BY_NAME, .text = "%t:abtf/%e %m%p%a\n" },
	/*
	 * cilium/ebpf does not accept a module.  If the symbol is not unique in the whole kernel,
	 * Linux 6.6 and later refuse to attach.
	 */
	[PROBE_CILIUM] = { "cilium", true, false, BY_SYMBOL, .print = print_cilium },
	/* the bcc module of Python; its attach_kretprobe() does not accept an offset */
	[PROBE_BCC] = { "bcc", false, false, BY_NAME, .print = print_bcc },
	/* the same for #[kprobe] and #[kretprobe], which mark the Rust program */
	[PROBE_AYA] = { "aya", true, false, BY_NAME, .text = "program.attach(\"%m%s\", %x)?;\t// %n\n" },
	[PROBE_JSON] = { "json", true, true, BY_NAME },
};

enum probe_format probe_format__find(const char *name)
{
	enum probe_format f;

	for (f = 0; f < NR_PROBE_FORMATS; f++)
		if (!strcmp(formats[f].name, name))
			break;
	return f;
}

void probe_formats__print(FILE *f)
{
	for (enum probe_format i = 0; i < NR_PROBE_FORMATS; i++)
		fprintf(f, "%s%s", i ? "," : "", formats[i].name);
	fputc('\n', f);
}

bool probe_format__names_module(enum probe_format format)
{
	return formats[format].module != BY_SYMBOL;
}

bool probe_format__accepts_address(enum probe_format format)
{
	return formats[format].address;
}

bool probe_format__has_retprobe(enum probe_format format)
{
	return formats[format].retprobe;
}

/** struct unprinted - a value that is not printed in @nr probes for the same reason */
struct unprinted {
	const struct arg	*arg;
	const struct probe	*first;
	const char		*reason;
	uint32_t		nr;
};

struct all_unprinted {
	VECTOR(struct unprinted);
};

static void add_unprinted(struct all_unprinted *all, const struct probe *p, const struct arg *arg,
			  const char *reason)
{
	for_each(u, all) {
		if (strcmp(u->reason, reason) || strcmp(u->arg->root, arg->root) ||
		    strcmp(u->arg->path, arg->path))
			continue;
		u->nr++;
		return;
	}
	push(all, (struct unprinted){ arg, p, reason, 1 });
}

/* @e: the arguments before it.  Return: why a tool cannot print a value, NULL if it can. */
static const char *find_unprintable(enum probe_format format, struct event_args *e,
				    const struct arg_list *args, const struct arg *arg)
{
	char *text __cleanup(free_pointer) = NULL;
	const char *reason = NULL, *how;

	switch (format) {
	case PROBE_JSON:
		return arg__unavailable(arg);
	case PROBE_TRACEFS:
	case PROBE_PERF:
		return add_event_arg(e, args, arg);
	case PROBE_BPFTRACE:
		text = fetch__bpftrace(args, arg, &how, &reason);
		return reason;
	default:
		return fetch__reason(arg);
	}
}

/* Report values that are omitted. Return: -EOPNOTSUPP after an error if there are no others. */
static int report_unprinted(const struct probe_list *list, enum probe_format format)
{
	struct all_unprinted all = {};
	bool printed = false;

	for_each(p, list) {
		struct event_args e __cleanup(free_event_args) = {};

		for (uint32_t i = 0; p->args && i < p->args->args.nr; i++) {
			const struct arg *arg = &p->args->args.array[i];
			const char *reason = find_unprintable(format, &e, p->args, arg);

			printed |= !reason;
			if (reason)
				add_unprinted(&all, p, arg, reason);
		}
	}
	/* JSON has the reasons */
	if (printed && format == PROBE_JSON)
		all.nr = 0;
	for_each(u, &all) {
		char *more __cleanup(free_pointer) = u->nr == 1 ? xstrdup("") :
			xasprintf(" and %u other%s", u->nr - 1, u->nr == 2 ? "" : "s");

		msg_print(printed ? MSG_NORMAL : MSG_QUIET, printed ? "warning: " : "error: ",
			  "%s%s: %s%s is not printed: %s", u->first->name, more, u->arg->root,
			  u->arg->path, u->reason);
	}
	free(all.array);
	return all.nr && !printed ? -EOPNOTSUPP : 0;
}

int probe_list__print(const struct probe_list *list, enum probe_format format, FILE *f)
{
	int err = report_unprinted(list, format);

	if (format == PROBE_JSON)
		print_json(list);
	if (err || format == PROBE_JSON)
		return err;
	for_each(p, list) {
		if (formats[format].print)
			formats[format].print(p, list, f);
		else
			print_template(p, list, formats[format].text, f);
	}
	return 0;
}
