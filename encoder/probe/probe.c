// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "inspect/text.h"
#include "probe/probe.h"

/* MAX_EVENT_NAME_LEN of kernel/trace/trace_probe.h, the NUL counted. */
#define MAX_EVENT	64

static const char *const formats[NR_PROBE_FORMATS] = {
	[PROBE_BPFTRACE] = "bpftrace", [PROBE_LIBBPF] = "libbpf", [PROBE_PERF] = "perf",
	[PROBE_TRACEFS] = "tracefs", [PROBE_CILIUM] = "cilium", [PROBE_JSON] = "json",
};

enum probe_format probe_format__find(const char *name)
{
	enum probe_format f;

	for (f = 0; f < NR_PROBE_FORMATS; f++)
		if (!strcmp(formats[f], name))
			break;
	return f;
}

/*
 * "type_show_109160", in a module "twin_between_30": letters, digits and '_' only, and no
 * two places have one.  Of several symbols the offset alone may be the same.
 */
static void name_event(const struct probe *p, char event[MAX_EVENT])
{
	int len = strcspn(p->name, "@ "), room;
	char place[60];

	room = MAX_EVENT - 1 - snprintf(place, sizeof(place), "%s%.40s_%" PRIx64,
					p->module ? "_" : "", p->module ? p->symbol : "", p->offset);
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
 * SEC() takes no module: libbpf would read "MODULE:SYMBOL" as a function called
 * MODULE.  The function that attaches takes both.
 */
static void print_libbpf(const struct probe *p, FILE *f)
{
	if (p->module) {
		fputs("bpf_program__attach_kprobe_opts(prog, \"", f);
		print_module(p, f);
		fprintf(f, "%s\", &(struct bpf_kprobe_opts){ .sz = sizeof(struct bpf_kprobe_opts), .offset = 0x%"
			PRIx64 " });", p->symbol, p->offset);
	} else {
		fputs("SEC(\"kprobe/", f);
		print_place(p, f);
		fputs("\")", f);
	}
	fprintf(f, "\t// %s\n", p->name);
}

/*
 * cilium/ebpf and bpftrace 0.17 take no module.  Where the symbol is not the only one of
 * the whole kernel, Linux 6.6 and later refuse to attach.
 */
static void print_cilium(const struct probe *p, FILE *f)
{
	fprintf(f, "link.Kprobe(\"%s\", prog, &link.KprobeOptions{Offset: 0x%" PRIx64 "})\t// %s\n",
		p->symbol, p->offset, p->name);
}

/* "p:GROUP/EVENT PLACE", as kprobe_events has it (Documentation/trace/kprobetrace.rst) */
static void print_event(const struct probe *p, const char *group, const char *event, FILE *f)
{
	fprintf(f, "p:%s/%s ", group, event);
	print_module(p, f);
	print_place(p, f);
}

/*
 * perf probe takes no offset that is larger than the symbol.  It lists and removes what
 * was made in its group by others all the same.
 */
static void print_perf(const struct probe *p, FILE *f)
{
	char event[MAX_EVENT];

	name_event(p, event);
	fputs("echo '", f);
	print_event(p, "probe", event, f);
	fprintf(f, "' >>/sys/kernel/tracing/kprobe_events\t# perf record -e probe:%s\n", event);
}

static void print_tracefs(const struct probe *p, FILE *f)
{
	char event[MAX_EVENT];

	name_event(p, event);
	print_event(p, "abtf", event, f);
	fputc('\n', f);
}

static json_t *probe_json(const struct probe *p, const char *build_id)
{
	json_t *obj = json_object();
	int err = 0;

	err |= json_object_set_new(obj, "name", text_json(p->name));
	err |= json_object_set_new(obj, "build_id", text_json(build_id));
	err |= json_object_set_new(obj, "module", text_json(p->module));
	err |= json_object_set_new(obj, "symbol", text_json(p->symbol));
	err |= json_object_set_new(obj, "offset", json_integer(p->offset));
	if (!err)
		return obj;
	json_decref(obj);
	return NULL;
}

static int print_json(const struct probe *probes, uint32_t nr, const char *build_id, FILE *f)
{
	bool first = true;
	int err = 0;

	fputc('[', f);
	for (uint32_t i = 0; i < nr && !err; i++)
		err = text_json_line(f, probe_json(&probes[i], build_id), &first);
	fputs(first ? "]\n" : "\n]\n", f);
	return err;
}

int probes__print(const struct probe *probes, uint32_t nr, enum probe_format format,
		  const char *build_id, FILE *f)
{
	static void (*const print[])(const struct probe *p, FILE *f) = {
		[PROBE_LIBBPF] = print_libbpf, [PROBE_PERF] = print_perf,
		[PROBE_TRACEFS] = print_tracefs, [PROBE_CILIUM] = print_cilium,
	};

	if (format == PROBE_JSON)
		return print_json(probes, nr, build_id, f);
	for (uint32_t i = 0; i < nr; i++) {
		if (format != PROBE_BPFTRACE) {
			print[format](&probes[i], f);
			continue;
		}
		fputs("kprobe:", f);
		print_place(&probes[i], f);
		fputs(i + 1 < nr ? ",\n" : "\n", f);
	}
	return 0;
}
