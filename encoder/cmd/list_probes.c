// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/list.h"
#include "inlined/inlined.h"
#include "inspect/text.h"
#include "locate/build_id.h"
#include "locate/find.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"

static bool is_printed(const struct list_options *opts, enum kprobe_verdict verdict)
{
	return verdict == KPROBE_ACCEPTED || verdict == KPROBE_UNKNOWN ||
	       (verdict == KPROBE_NOTRACE && opts->all);
}

bool list_probes__wants(struct list_probes *p, enum kprobe_verdict verdict)
{
	p->verdicts[verdict]++;
	return is_printed(p->opts, verdict);
}

static void report_omitted(const struct list_probes *p, const char *what)
{
	const struct list_options *opts = p->opts;
	uint32_t omitted = 0, all = 0;
	char *reasons __cleanup(free_pointer) = NULL;

	for (int v = 0; v < NR_KPROBE_VERDICTS; v++) {
		all += p->verdicts[v];
		if (!p->verdicts[v] || is_printed(opts, v))
			continue;
		omitted += p->verdicts[v];
		xappend(&reasons, "%s%u %s", reasons ? ", " : "", p->verdicts[v],
			kprobe_verdict__flag(v));
	}
	if (omitted)
		msg_print(omitted == all ? MSG_QUIET : MSG_NORMAL,
			  omitted == all ? "error: " : "warning: ",
			  "%s: the kernel rejects kprobes at %u of %u %s, which are omitted: %s%s",
			  opts->path, omitted, all, what, reasons,
			  p->verdicts[KPROBE_NOTRACE] && !opts->all ?
			  "; --all prints notrace ones, too" : "");
	if (p->verdicts[KPROBE_UNKNOWN])
		msg_warn("%s: the kernel may reject kprobes at %u of %u %s: %s", opts->path,
			 p->verdicts[KPROBE_UNKNOWN], all, what, p->places.img || opts->where.kept ?
			 "the image lacks ftrace's table or the blacklist of kprobes" :
			 "only the image (--image) shows where");
}

int list_probes__print(struct list_probes *p, const char *what)
{
	struct probe_list *list = &p->list;
	struct build_id id = {};
	char hex[BUILD_ID_HEX];
	int err;

	if (p->opts->where.cached)
		id = p->opts->where.id;
	else if (p->places.img)
		build_id__of(p->places.img, &id);
	list->retprobe = p->opts->retprobe;
	list->build_id = id.size ? build_id__hex(&id, hex) : NULL;
	err = probe_list__print(list, p->opts->probe, stdout);
	if (err)
		return err;
	report_omitted(p, what);
	/* for people, not for scripts that parse messages */
	if (list->nr && p->opts->probe == PROBE_BPFTRACE && isatty(STDERR_FILENO))
		fprintf(stderr, "abtf: note: bpftrace 0.25 and later need --unsafe for these; ignore the warning that %s is not traceable (--no-warnings hides it)\n",
			list->array[0].symbol);
	return p->failed ? -EINVAL : list->nr ? 0 : -ENOENT;
}

/* Maximum number of callers to report. */
#define MAX_CALLERS	8

static void print_callers(const struct list_probes *p, const struct inlined *in,
			  const struct kprobes *k, const struct selector *sel)
{
	char *names __cleanup(free_pointer) = NULL;
	uint32_t nr = 0, named;

	for_each(caller, &in->callers) {
		if (!selector__fits(sel, *caller->unit ? caller->unit : NULL) ||
		    kprobes__verdict(k, caller->section, caller->address) != KPROBE_ACCEPTED)
			continue;
		if (nr++ >= MAX_CALLERS)
			continue;
		symbols__named(k->syms, caller->caller, &named);
		xappend(&names, "%s%s%s%s", names ? ", " : "", caller->caller,
			named > 1 ? "@" : "", named > 1 ? caller->unit : "");
	}
	if (nr > MAX_CALLERS)
		xappend(&names, " and %u more", nr - MAX_CALLERS);
	if (names)
		msg_warn("%s: functions that call '%s' and can be probed: %s", p->opts->path,
			 sel->text, text_clean(names));
}

void list_probes__report_callers(const struct list_probes *p, const struct selection *sel)
{
	const struct image *img = p->places.img;
	struct inlined *in = NULL;
	struct image *own = NULL;
	struct symbols *syms = NULL;
	struct kprobes k = {};
	char *path = NULL;

	if (sel->nr > 1 || sel->array->name_glob)
		return;
	if (!img && p->opts->where.kept &&
	    !find_image(&p->opts->where.id, p->opts->where.sysroot ?: "", &path) &&
	    !image__open(path, &own))
		img = own;
	if (img && image__section(img, ".debug_info") && !symbols__new(img, &syms) &&
	    !kprobes__read(syms, &k) && !inlined__read(img, selection__names, sel, nr_cores(), &in))
		print_callers(p, in, &k, sel->array);
	inlined__free(in);
	kprobes__destroy(&k);
	symbols__free(syms);
	image__close(own);
	free(path);
}

void list_probes__destroy(struct list_probes *p)
{
	places__destroy(&p->places);
	free(p->list.array);
}
