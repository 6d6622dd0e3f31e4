// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "inspect/text.h"
#include "probe/probe.h"
#include "util/msg.h"

/* MAX_EVENT_NAME_LEN of kernel/trace/trace_probe.h, the NUL counted. */
#define MAX_EVENT	64

/*
 * "type_show_109160", in a module "twin_between_30": letters, digits and '_' only, and no
 * two places have one.  Of several symbols the offset alone may be the same.
 */
static void name_event(const struct probe *p, bool retprobe, char event[MAX_EVENT])
{
	int len = strcspn(p->name, "@ "), room;
	char place[64];

	room = MAX_EVENT - 1 - snprintf(place, sizeof(place), "%s%.40s_%" PRIx64 "%s",
					p->module ? "_" : "", p->module ? p->symbol : "", p->offset,
					retprobe ? "_ret" : "");
	snprintf(event, MAX_EVENT, "%.*s%s", len < room ? len : room, p->name, place);
	for (char *c = event; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	if (isdigit((unsigned char)*event))
		*event = '_';
}

static void print_module(const struct probe *p, FILE *f)
{
	if (p->module)
		fprintf(f, "%s:", p->module);
}

/* Without an offset of 0, which not all of them take. */
static void print_place(const struct probe *p, FILE *f)
{
	fputs(p->symbol, f);
	if (p->offset)
		fprintf(f, "+0x%" PRIx64, p->offset);
}

/*
 * A C comment before the comma names each of several probes, as bpftrace prints decimal
 * offsets.  DWARF may say anything, so a name must not end the comment.
 */
static void print_bpftrace(const struct probe *p, const struct probe_list *list, FILE *f)
{
	bool last = p == &list->all[list->nr - 1];

	fputs("kprobe:", f);
	print_place(p, f);
	if (list->nr > 1) {
		fputs(" /* ", f);
		for (const char *c = p->name; *c; c++)
			fputc(c[0] == '*' && c[1] == '/' ? '?' : *c, f);
		fputs(" */", f);
	}
	fputs(last ? "\n" : ",\n", f);
}

static void print_section(const struct probe *p, FILE *f)
{
	fputs("SEC(\"kprobe/", f);
	print_place(p, f);
	fputs("\")", f);
}

/*
 * SEC() does not support modules: libbpf would read "MODULE:SYMBOL" as a function called
 * MODULE.  For return probes, SEC() does not support offsets either.  The function that
 * attaches supports both.
 */
static void print_libbpf(const struct probe *p, const struct probe_list *list, FILE *f)
{
	if (p->module || list->retprobe) {
		fputs("bpf_program__attach_kprobe_opts(prog, \"", f);
		print_module(p, f);
		fprintf(f, "%s\", &(struct bpf_kprobe_opts){ .sz = sizeof(struct bpf_kprobe_opts), .offset = 0x%"
			PRIx64 "%s });", p->symbol, p->offset,
			list->retprobe ? ", .retprobe = true" : "");
	} else {
		print_section(p, f);
	}
	fprintf(f, "\t// %s\n", p->name);
}

/* Its attach_kprobe() does not accept an offset, so SEC() of the C program must have it. */
static void print_libbpf_rs(const struct probe *p, const struct probe_list *list, FILE *f)
{
	print_section(p, f);
	fprintf(f, "\t// %s; in Rust: skel.attach()?\n", p->name);
}

/*
 * cilium/ebpf and bpftrace 0.17 do not accept a module.  If the symbol is not unique in
 * the whole kernel, Linux 6.6 and later refuse to attach.
 */
static void print_cilium(const struct probe *p, const struct probe_list *list, FILE *f)
{
	fprintf(f, "link.%s(\"%s\", prog, &link.KprobeOptions{Offset: 0x%" PRIx64 "})\t// %s\n",
		list->retprobe ? "Kretprobe" : "Kprobe", p->symbol, p->offset, p->name);
}

/* The bcc module of Python; its attach_kretprobe() does not accept an offset. */
static void print_bcc(const struct probe *p, const struct probe_list *list, FILE *f)
{
	fputs("b.attach_kprobe(event=\"", f);
	print_module(p, f);
	fprintf(f, "%s\", event_off=0x%" PRIx64 ", fn_name=\"probe\")\t# %s\n", p->symbol, p->offset,
		p->name);
}

/* The same for #[kprobe] and #[kretprobe], which the program in Rust is marked with. */
static void print_aya(const struct probe *p, const struct probe_list *list, FILE *f)
{
	fputs("program.attach(\"", f);
	print_module(p, f);
	fprintf(f, "%s\", 0x%" PRIx64 ")?;\t// %s\n", p->symbol, p->offset, p->name);
}

/* "p:GROUP/EVENT PLACE", as kprobe_events has it (Documentation/trace/kprobetrace.rst) */
static void print_event(const struct probe *p, bool retprobe, const char *group,
			const char *event, FILE *f)
{
	fprintf(f, "%c:%s/%s ", retprobe ? 'r' : 'p', group, event);
	print_module(p, f);
	print_place(p, f);
}

/*
 * perf probe rejects an offset that is larger than the symbol, but lists and removes
 * probes that other tools created in its group.  Root's shell has to open the file:
 * "tee -a" fails, because libc seeks to its end, which tracefs does not allow.
 */
static void print_perf(const struct probe *p, const struct probe_list *list, FILE *f)
{
	char event[MAX_EVENT];

	name_event(p, list->retprobe, event);
	fputs("sudo sh -c 'echo ", f);
	print_event(p, list->retprobe, "probe", event, f);
	fprintf(f, " >>/sys/kernel/tracing/kprobe_events'\t# sudo perf record -e probe:%s; to remove it: sudo perf probe -d %s\n",
		event, event);
}

static void print_tracefs(const struct probe *p, const struct probe_list *list, FILE *f)
{
	char event[MAX_EVENT];

	name_event(p, list->retprobe, event);
	print_event(p, list->retprobe, "abtf", event, f);
	fputc('\n', f);
}

static json_t *probe_json(const struct probe *p, const struct probe_list *list)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:I, s:o*}", "name", text_json(p->name),
			 "build_id", text_json(list->build_id), "module", text_json(p->module),
			 "symbol", text_json(p->symbol), "offset", (json_int_t)p->offset,
			 "retprobe", list->retprobe ? json_true() : NULL);
}

static int print_json(const struct probe_list *list, FILE *f)
{
	struct json_lines lines = { .f = f };

	for (uint32_t i = 0; i < list->nr; i++)
		json_lines__add(&lines, probe_json(&list->all[i], list));
	json_lines__end(&lines);
	return 0;
}

/**
 * struct format - how one tool is told
 * @retprobe:	it takes a return probe at an offset
 * @module:	it takes offsets in modules
 */
static const struct format {
	const char	*name;
	void		(*print)(const struct probe *p, const struct probe_list *list, FILE *f);
	bool		retprobe;
	bool		module;
} formats[NR_PROBE_FORMATS] = {
	[PROBE_BPFTRACE]  = { "bpftrace",  print_bpftrace,  false, true },
	[PROBE_LIBBPF]	  = { "libbpf",	   print_libbpf,    true,  true },
	[PROBE_PERF]	  = { "perf",	   print_perf,	    true,  true },
	[PROBE_TRACEFS]	  = { "tracefs",   print_tracefs,   true,  true },
	[PROBE_CILIUM]	  = { "cilium",	   print_cilium,    true,  true },
	[PROBE_BCC]	  = { "bcc",	   print_bcc,	    false, true },
	[PROBE_AYA]	  = { "aya",	   print_aya,	    true,  true },
	[PROBE_LIBBPF_RS] = { "libbpf-rs", print_libbpf_rs, false, false },
	[PROBE_JSON]	  = { "json",	   NULL,	    true,  true },
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

bool probe_format__has_retprobe(enum probe_format format)
{
	return formats[format].retprobe;
}

int probe_list__print(const struct probe_list *list, enum probe_format format, FILE *f)
{
	if (format == PROBE_JSON)
		return print_json(list, f);
	for (uint32_t i = 0; i < list->nr; i++) {
		if (list->all[i].module && !formats[format].module)
			return msg_fail(-EINVAL, "%s: %s has no way to tell an offset in a module: see --probe=libbpf",
					list->all[i].name, formats[format].name);
		formats[format].print(&list->all[i], list, f);
	}
	return 0;
}
