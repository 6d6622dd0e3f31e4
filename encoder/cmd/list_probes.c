// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "cmd/list.h"
#include "locate/build_id.h"
#include "util/msg.h"

int list_probes__init(struct list_probes *p, const struct list_options *opts,
		      const struct image *img, uint32_t max)
{
	*p = (struct list_probes){ .opts = opts };
	p->array = calloc(max + 1UL, sizeof(*p->array));
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
	struct build_id id = p->opts->id;
	char hex[BUILD_ID_HEX];
	int err;

	if (p->places.img && !id.size)
		build_id__of(p->places.img, &id);
	err = probes__print(p->array, p->nr, p->opts->probe,
			    id.size ? build_id__hex(&id, hex) : NULL, stdout);
	if (err)
		return err;
	report_omitted(p, what);
	return p->failed ? -EINVAL : p->nr ? 0 : -ENOENT;
}

void list_probes__destroy(struct list_probes *p)
{
	places__destroy(&p->places);
	free(p->array);
}
