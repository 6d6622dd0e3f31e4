// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "btf/output.h"
#include "cmd/job.h"
#include "functions/report.h"
#include "util/msg.h"

unsigned int job__threads(const char *arg)
{
	cpu_set_t cpus;
	unsigned long nr;
	char *end;

	if (!arg)
		return sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);
	nr = strtoul(arg, &end, 10);
	return *arg < '0' || *arg > '9' || *end || nr < 1 || nr > 1024 ? 0 : nr;
}

/* Offsets count from _text; without one there can be no records. */
static int find_base(const struct job *job, const struct image *img, struct encode_options *opts)
{
	if (opts->func.address == ADDR_NONE)
		return 0;
	opts->func.has_base = image__symbol(img, "_text", &opts->func.base);
	if (opts->func.has_base)
		return 0;
	if (job->features.func_addr_asked) {
		msg_error("%s: no symbol _text, which addresses count from: not a kernel image, func_addr is not possible",
			  img->path);
		return -EINVAL;
	}
	msg_warn("%s: no symbol _text, which addresses count from: functions are encoded without addresses",
		 img->path);
	opts->func.address = ADDR_NONE;
	return 0;
}

static void show_skipped(const struct instances *in)
{
	uint32_t i;

	for (i = 0; i < in->nr; i++) {
		const struct instance *inst = &in->array[i];

		if (inst->reason != FUNC_ENCODED && inst->reason != FUNC_FRAGMENT &&
		    inst->reason != FUNC_NO_DWARF && inst->reason != FUNC_ALIAS)
			printf("%.*s : skipping BTF encoding of function due to %s\n",
			       (int)inst->sym->base_len, inst->name, func_reason__text(inst->reason));
	}
}

static void tell_figures(const struct encoding *e)
{
	static const char *const steps[NR_STEPS] = {
		[STEP_OPEN] = "open", [STEP_WALK] = "walk", [STEP_HASH] = "hash",
		[STEP_MERGE] = "merge", [STEP_CONFLICTS] = "conflicts",
		[STEP_FUNCTIONS] = "functions", [STEP_WRITE] = "dedup and write",
	};
	const struct instances *in = &e->instances;
	enum encode_step s;

	msg_info("%u units, %u names with several contents, %u units read again for them",
		 e->dw->nr_units, e->conflicts, e->reread);
	msg_info("%u types, %u functions of %u symbols, %zu bytes; records take %zu bytes, tags %zu",
		 e->btf.nr_types, in->nr_encoded, in->nr, e->btf.size, e->btf.records, e->btf.tags);
	for (s = 0; s < NR_STEPS; s++)
		msg_info("%-16s %7.1f ms", steps[s], e->nanoseconds[s] / 1e6);
}

static int put(const struct job *job, const struct image *img, const struct btf_bytes *btf)
{
	if (!job->output)
		return output__in_place(job->image, img, btf->bytes, btf->size);
	if (job->elf)
		return output__elf(job->output, img, btf->bytes, btf->size);
	return output__file(job->output, btf->bytes, btf->size);
}

static int encode(const struct job *job, struct image *img, struct encode_options *opts)
{
	struct encoding e;
	int err;

	if (opts->vars)
		opts->load.percpu = image__section(img, ".data..percpu");
	err = encode__load(img, opts, &e);
	if (err)
		return err;
	if (!e.dw->nr_units) {
		msg_error("%s: no debug information (.debug_info): build with -g", img->path);
		err = -EINVAL;
	}
	if (!err && job->show_skipped)
		show_skipped(&e.instances);
	err = err ?: encode__write(&e);
	if (!err && !e.btf.nr_types) {
		msg_error("%s: nothing to encode: its debug information describes no type",
			  img->path);
		err = -EINVAL;
	}
	if (!err)
		tell_figures(&e);
	err = err ?: put(job, img, &e.btf);
	if (!err && job->report)
		err = report__write(&e, job->report);
	encoding__free(&e);
	return err;
}

/* BTF in place of the whole image is not what anybody wants. */
static int check_outputs(const struct job *job)
{
	const char *outputs[] = { job->output, job->report };
	struct stat image, other;
	size_t i;

	if (stat(job->image, &image))
		return 0;
	for (i = 0; i < ARRAY_SIZE(outputs); i++) {
		if (!outputs[i] || !strcmp(outputs[i], "-") || stat(outputs[i], &other) ||
		    other.st_dev != image.st_dev || other.st_ino != image.st_ino)
			continue;
		msg_error("%s: is the image itself, and would be overwritten; without -o BTF goes into its .BTF section",
			  outputs[i]);
		return -EINVAL;
	}
	return 0;
}

int job__run(const struct job *job)
{
	struct encode_options opts = {
		.load = { .excluded = job->exclude, .nr_excluded = job->nr_exclude,
			  .flat_arrays = job->pahole, .plain_enum64 = job->pahole },
		.func = { .pahole = job->pahole },
		.threads = job->threads,
		.prefixes = job->prefixes, .nr_prefixes = job->nr_prefixes,
	};
	struct image *img;
	int err;

	features__apply(&job->features, &opts);
	err = check_outputs(job);
	err = err ?: image__open(job->image, &img);
	if (err)
		return err;
	if (img->type == ET_REL) {
		msg_error("%s: a relocatable file (a module or object), expected a linked image",
			  img->path);
		err = -EINVAL;
	}
	err = err ?: find_base(job, img, &opts);
	err = err ?: encode(job, img, &opts);
	image__close(img);
	return err;
}
