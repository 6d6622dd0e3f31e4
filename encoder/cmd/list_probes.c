// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/list.h"
#include "inlined/inlined.h"
#include "inspect/text.h"
#include "locate/build_id.h"
#include "locate/find.h"
#include "util/cores.h"
#include "util/memory.h"
#include "util/msg.h"

int list_probes__init(struct list_probes *p, const struct list_options *opts,
		      const struct image *img, uint32_t max)
{
	*p = (struct list_probes){ .opts = opts };
	p->array = xcalloc(max + 1UL, sizeof(*p->array));
	if (p->array)
		return places__init(&p->places, img);
	msg_error("out of memory");
	return -ENOMEM;
}

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
	char reasons[128] = "";
	size_t len = 0;

	for (int v = 0; v < NR_KPROBE_VERDICTS; v++) {
		all += p->verdicts[v];
		if (!p->verdicts[v] || is_printed(opts, v))
			continue;
		omitted += p->verdicts[v];
		len += snprintf(reasons + len, sizeof(reasons) - len, "%s%u %s", len ? ", " : "",
				p->verdicts[v], kprobe_verdict__flag(v));
	}
	if (omitted)
		(omitted == all ? msg_error : msg_warn)
			("%s: the kernel rejects kprobes at %u of %u %s, which are omitted: %s%s",
			 opts->path, omitted, all, what, reasons,
			 p->verdicts[KPROBE_NOTRACE] && !opts->all ?
			 "; --all prints notrace ones, too" : "");
	if (p->verdicts[KPROBE_UNKNOWN])
		msg_warn("%s: the kernel may reject kprobes at %u of %u %s: %s", opts->path,
			 p->verdicts[KPROBE_UNKNOWN], all, what, p->places.img || opts->kept ?
			 "the image lacks ftrace's table or the blacklist of kprobes" :
			 "only the image (--image) shows where");
}

int list_probes__print(struct list_probes *p, const char *what)
{
	struct probe_list list = { .all = p->array, .nr = p->nr, .retprobe = p->opts->retprobe };
	struct build_id id = p->opts->id;
	char hex[BUILD_ID_HEX];
	int err;

	if (p->places.img && !id.size)
		build_id__of(p->places.img, &id);
	list.build_id = id.size ? build_id__hex(&id, hex) : NULL;
	err = probe_list__print(&list, p->opts->probe, stdout);
	if (err)
		return err;
	report_omitted(p, what);
	/* for people, not for scripts that look at messages */
	if (p->nr && p->opts->probe == PROBE_BPFTRACE && isatty(STDERR_FILENO))
		fprintf(stderr, "abtf: note: bpftrace 0.25 and later need --unsafe for these; ignore the warning that %s is not traceable (--no-warnings hides it)\n",
			p->array[0].symbol);
	return p->failed ? -EINVAL : p->nr ? 0 : -ENOENT;
}

/* So many are enough to continue with. */
#define MAX_CALLERS	8

static void add_caller(const struct symbols *syms, const struct inlined_caller *caller, uint32_t nr,
		       FILE *f)
{
	uint32_t named;

	symbols__named(syms, caller->name, &named);
	fprintf(f, "%s%s%s%s", nr ? ", " : "", caller->name, named > 1 ? "@" : "",
		named > 1 ? caller->unit : "");
}

static void print_callers(const struct list_probes *p, const struct inlined *in,
			  const struct kprobes *k, const struct selector *sel)
{
	char *names = NULL;
	size_t len;
	FILE *f = open_memstream(&names, &len);
	uint32_t nr = 0;

	for (uint32_t i = 0; f && i < in->nr_callers; i++) {
		const struct inlined_caller *caller = &in->callers[i];
		uint64_t offset = caller->address;
		uint32_t section = 0;

		inlined__place(in, caller->address, &section, &offset);
		if (!selector__fits(sel, *caller->unit ? caller->unit : NULL) ||
		    kprobes__verdict(k, section, offset) != KPROBE_ACCEPTED)
			continue;
		if (nr < MAX_CALLERS)
			add_caller(k->syms, caller, nr, f);
		nr++;
	}
	if (f && nr > MAX_CALLERS)
		fprintf(f, " and %u more", nr - MAX_CALLERS);
	if (f && !fclose(f) && nr)
		msg_warn("%s: functions that call '%s' and can be probed: %s", p->opts->path,
			 sel->text, text_clean(names));
	free(names);
}

void list_probes__report_callers(const struct list_probes *p, const struct selection *sel)
{
	const struct image *img = p->places.img;
	struct inlined *in = NULL;
	struct image *own = NULL;
	struct kprobes k = {};
	char *path = NULL;

	if (sel->nr > 1 || sel->all->name_glob)
		return;
	if (!img && p->opts->kept && !find_image(&p->opts->id, p->opts->sysroot, &path) &&
	    !image__open(path, &own))
		img = own;
	if (img && image__section(img, ".debug_info") && !kprobes__read(img, NULL, &k) &&
	    !inlined__read(img, selection__names, sel, nr_cores(), &in))
		print_callers(p, in, &k, sel->all);
	inlined__free(in);
	kprobes__destroy(&k);
	image__close(own);
	free(path);
}

void list_probes__destroy(struct list_probes *p)
{
	places__destroy(&p->places);
	free(p->array);
}
