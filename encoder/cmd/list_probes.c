// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/list.h"
#include "inspect/text.h"
#include "locate/build_id.h"
#include "locate/running.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/text.h"

static bool is_printed(const struct list_options *opts, enum kprobe_verdict verdict)
{
	return verdict == KPROBE_ACCEPTED || verdict == KPROBE_UNKNOWN ||
	       (verdict == KPROBE_NOTRACE && opts->all);
}

int list_probes__init(struct list_probes *p, const struct list_options *opts,
		      const struct function_map *map)
{
	bool by_symbol = map->is_module && !probe_format__names_module(opts->probe);
	char *kallsyms __cleanup(free_pointer) = NULL;

	*p = (struct list_probes){ .opts = opts, .args = { .opts = opts, .map = map } };
	if (by_symbol && opts->where.module && where__is_running(&opts->where))
		kallsyms = xasprintf("%s/proc/kallsyms", opts->where.sysroot);
	else if (by_symbol)
		msg_warn("%s: this tool does not accept the name of a module: if another module or vmlinux has the symbol, too, the probe fails or is set there (--running checks this)",
			 map->subject);
	return places__init(&p->places, map, kallsyms);
}

static struct kprobe_answer find_answer(struct list_probes *p, const struct function *f, uint64_t into)
{
	const struct image *img;

	if (!f)
		return (struct kprobe_answer){ .verdict = KPROBE_UNKNOWN, .why = "no function is there" };
	if (!f->has_offset)
		return (struct kprobe_answer){ .verdict = KPROBE_INIT };
	img = into ? list_args__image(&p->args) : NULL;
	/* malformed: nothing is known */
	if (img && !p->instructions.img && instructions__read(img, &p->instructions))
		p->instructions.is_unclear = true;
	return function_map__verdict(p->places.map, f, into, img ? &p->instructions : NULL);
}

/* Count a place, and determine whether to print a probe there. */
static bool wants_probe(struct list_probes *p, const char *name, const struct function *f,
			uint64_t into)
{
	struct doubt place = { name, find_answer(p, f, into) };

	p->verdicts[place.answer.verdict]++;
	if (place.answer.verdict == KPROBE_UNKNOWN)
		push(&p->unknown, place);
	if (is_printed(p->opts, place.answer.verdict))
		return true;
	push(&p->omitted, place);
	return false;
}

/* Find the address of a place that no symbol identifies. Return: -EINVAL after a message. */
static int find_address(const struct list_probes *p, struct probe *probe)
{
	const struct where *where = &p->opts->where;
	bool accepted = probe_format__accepts_address(p->opts->probe);
	uint64_t start = 0;

	if (accepted && where->module && where__is_running(where))
		start = running__section(where->sysroot, where->module, probe->section);
	/* JSON has the section */
	if (!start && p->opts->probe == PROBE_JSON)
		return 0;
	if (!start)
		return msg_fail(-EINVAL, "%s: %s: no symbol before it in its section has a unique name%s%s",
				p->opts->path, probe->name,
				p->places.is_checked ? " among all that are loaded" : "",
				p->places.is_checked ? ", and this tool does not accept the name of a module: use libbpf, tracefs, perf, bcc or aya" :
				!accepted ? ", and this tool does not accept an address: use tracefs or perf" :
				", and its address is unknown: as root, with the module loaded, use --running --module");
	probe->address = start + probe->offset;
	msg_warn("%s: %s: no symbol before it in its section has a unique name; the probe has its address, which is valid on this boot, until the module is unloaded",
		 p->opts->path, probe->name);
	return 0;
}

/* For messages; also for the probe on a call. Return: malloc()ed. */
static char *name_place(const struct list_probes *p, const struct function *f, uint64_t into,
			const struct inlined_site *call)
{
	char *name;

	if (!call)
		return into ? xasprintf("%s+0x%" PRIx64, f->name, into) : xstrdup(f->name);
	name = xasprintf("%s in %s at %s", call->name, call__container(call, p->places.map),
			 call->file ?: "-");
	if (call->file)
		xappend(&name, ":%u", call->line);
	return text_clean(name);
}

int list_probes__add(struct list_probes *p, const struct function *f, uint64_t into,
		     const struct inlined_site *call)
{
	const struct function_map *map = p->places.map;
	char *name = name_place(p, f, into, call);
	struct arg_list *args;
	struct probe probe;
	int err;

	push(&p->names, name);
	if (!wants_probe(p, name, f, into))
		return 0;
	err = list_args__find(&p->args, f, into, call, &args);
	if (err)
		return err;
	probe = places__find(&p->places, call ? name : f->name, call ? call->section : f->section,
			     call ? call->address - map->text : f->offset + into);
	probe.in = call ? call__container(call, map) : NULL;
	probe.args = args;
	if (probe.symbol || !find_address(p, &probe)) {
		push(&p->list, probe);
		return 0;
	}
	p->failed = true;
	if (args)
		arg_list__free(args);
	return 0;
}

/* Maximum number of places to name, unless the user named more. */
#define MAX_NAMED	32

/* Name some places, each with the reason. */
static void name_doubts(const struct list_probes *p, const struct doubt *d, uint32_t nr,
			enum msg_level level, const char *kind)
{
	uint32_t max = p->nr_selectors > MAX_NAMED ? p->nr_selectors : MAX_NAMED;

	for (uint32_t i = 0; i < nr && i < max; i++)
		msg_print(level, kind, "    %s: %s%s%s", d[i].name,
			  d[i].answer.why ?: kprobe_verdict__flag(d[i].answer.verdict),
			  d[i].answer.what ? ": " : "", d[i].answer.what ?: "");
	if (nr > max)
		msg_print(level, kind, "    and %u more: list shows them, without --probe",
			  nr - max);
}

static void report_omitted(const struct list_probes *p, uint32_t all, const char *what)
{
	uint32_t omitted = p->omitted.nr;
	enum msg_level level = omitted == all ? MSG_QUIET : MSG_NORMAL;
	const char *kind = omitted == all ? "error: " : "warning: ";
	char *reasons __cleanup(free_pointer) = NULL;

	for (int v = 0; v < NR_KPROBE_VERDICTS; v++)
		if (p->verdicts[v] && !is_printed(p->opts, v))
			xappend(&reasons, "%s%u %s", reasons ? ", " : "", p->verdicts[v],
				kprobe_verdict__flag(v));
	msg_print(level, kind, "%s: the kernel rejects kprobes at %u of %u %s, which are omitted: %s%s",
		  p->opts->path, omitted, all, what, reasons,
		  p->verdicts[KPROBE_NOTRACE] && !p->opts->all ?
		  "; --all prints notrace ones, too" : "");
	if (all > 1 || p->verdicts[KPROBE_INSTRUCTION])
		name_doubts(p, p->omitted.array, omitted, level, kind);
}

static void report_unknown(const struct list_probes *p, uint32_t all, const char *what)
{
	const char *why = p->places.map->has_image ?
			  "the image lacks ftrace's table or the blacklist of kprobes" :
			  "only the image (--image) shows where";
	bool same = true;

	for_each(d, &p->unknown)
		same &= !d->answer.why;
	msg_warn("%s: the kernel may reject kprobes at %u of %u %s%s%s", p->opts->path,
		 p->unknown.nr, all, what, same ? ": " : "", same ? why : "");
	if (!same)
		name_doubts(p, p->unknown.array, p->unknown.nr, MSG_NORMAL, "warning: ");
}

static void report_verdicts(const struct list_probes *p, const char *what)
{
	uint32_t all = 0;

	for (int v = 0; v < NR_KPROBE_VERDICTS; v++)
		all += p->verdicts[v];
	if (p->omitted.nr)
		report_omitted(p, all, what);
	if (p->verdicts[KPROBE_UNKNOWN])
		report_unknown(p, all, what);
}

/* For people, not for scripts that parse messages. */
static void print_bpftrace_notes(const struct probe_list *list)
{
	const char *untraced = NULL;
	bool unsafe = false, module = false;

	for_each(probe, list) {
		unsafe |= probe->offset;
		module |= probe->module != NULL;
		if (!probe->is_traced)
			untraced = probe->symbol;
	}
	if (unsafe)
		msg_note("bpftrace 0.25 and later need --unsafe for these");
	if (untraced)
		msg_note("ignore bpftrace's warning that %s is not traceable (--no-warnings hides it)",
			 untraced);
	if (module)
		msg_note("bpftrace 0.17 does not accept the name of a module, and releases before March 2026 ignore it");
}

int list_probes__print(struct list_probes *p, const char *what)
{
	struct probe_list *list = &p->list;
	int err;

	list->retprobe = p->opts->retprobe;
	list->head = function_map__head(p->places.map);
	err = probe_list__print(list, p->opts->probe, stdout);
	json_decref(list->head);
	if (err)
		return err;
	report_verdicts(p, what);
	if (p->opts->probe == PROBE_BPFTRACE && isatty(STDERR_FILENO))
		print_bpftrace_notes(list);
	return p->failed || !list->nr ? -EOPNOTSUPP : 0;
}

/* Maximum number of callers to report. */
#define MAX_CALLERS	8

static void print_callers(const struct list_probes *p, const struct callers *c,
			  const struct selector *sel)
{
	char *names __cleanup(free_pointer) = NULL;
	struct selection bodies = {};
	uint32_t nr = 0;

	callers__select(c, p->places.map, &bodies);
	for_each(body, &bodies.funcs)
		if (body->func->verdict == KPROBE_ACCEPTED && nr++ < MAX_CALLERS)
			xappend(&names, "%s%s", names ? ", " : "", body->func->name);
	free(bodies.funcs.array);
	if (nr > MAX_CALLERS)
		xappend(&names, " and %u more", nr - MAX_CALLERS);
	if (names)
		msg_warn("%s: functions that call '%s' and can be probed (see --callers): %s",
			 p->opts->path, sel->text, names);
}

void list_probes__report_callers(struct list_probes *p, struct selection *sel)
{
	struct callers c __cleanup(callers__free) = {};
	const struct image *img;
	char *text = NULL;

	if (sel->nr != 1 || sel->array->name_glob)
		return;
	img = list_args__image(&p->args);
	/* this is only a hint, and the image may have been replaced */
	msg_hold(&text);
	if (img && image__section(img, ".debug_info"))
		callers__find(&c, img, p->places.map, sel);
	msg_hold(NULL);
	free(text);
	print_callers(p, &c, sel->array);
}

void list_probes__destroy(struct list_probes *p)
{
	places__destroy(&p->places);
	for_each(probe, &p->list)
		if (probe->args)
			arg_list__free((struct arg_list *)probe->args);
	free(p->list.array);
	instructions__destroy(&p->instructions);
	list_args__destroy(&p->args);
	free(p->omitted.array);
	free(p->unknown.array);
	for_each(name, &p->names)
		free(*name);
	free(p->names.array);
}
