// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "btf/output.h"
#include "cmd/job.h"
#include "encode_report.h"
#include "functions/source_tree.h"
#include "image/relocate.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/text.h"

int job__parse_jobs(void *data, const char *arg, bool value)
{
	return jobs__take(arg, &((struct job *)data)->encode.threads);
}

int jobs__take(const char *arg, unsigned int *ret)
{
	char *end;
	unsigned long nr = strtoul(arg, &end, 10);

	if (*arg < '0' || *arg > '9' || *end || nr < 1 || nr > MAX_THREADS)
		return msg_fail(EXIT_USAGE, "expected a number of jobs from 1 to %u: %s", MAX_THREADS,
				arg);
	*ret = nr;
	return GO_ON;
}

int job__parse_prefix(void *data, const char *dir, bool value)
{
	struct job *job = data;

	push(&job->encode.prefixes, dir);
	return GO_ON;
}

/* The image cannot have addresses, although the options request them. */
static int report_no_addresses(const struct image *img, bool required)
{
	char *why __cleanup(free_pointer) = img->type == ET_REL ?
		xasprintf("machine %u: no addresses of functions in relocatable files", img->machine) :
		xasprintf("no symbol _text, to which addresses are relative%s",
			  required ? ": not a kernel image" : "");

	if (required)
		return msg_fail(-EINVAL, "%s: %s, func_addr is not possible", img->path, why);
	msg_warn("%s: %s: functions are encoded without addresses", img->path, why);
	return 0;
}

static void show_skipped(const struct instances *in)
{
	for_each(inst, in) {
		char *name __cleanup(free_pointer) = NULL;

		if (inst->reason == FUNC_ENCODED || inst->reason == FUNC_FRAGMENT ||
		    inst->reason == FUNC_NO_DWARF || inst->reason == FUNC_ALIAS)
			continue;
		name = text_clean(xstrndup(inst->out.name, inst->sym->stem_len));
		printf("%s : skipping BTF encoding of function due to %s\n", name,
		       func_reasons[inst->reason].text);
	}
}

/*
 * Warn if one reason applies to more than a twentieth of the functions.  The compiler may
 * describe them in a way that is not supported, or not at all.
 */
#define MANY	20

static void warn_about_losses(const char *path, const struct instances *in)
{
	uint32_t nr = in->nr - in->by_reason[FUNC_FRAGMENT];
	enum func_reason r;

	/* ambiguous names and clones are omitted on request, and types have a separate warning */
	for (r = FUNC_FRAGMENT + 1; r < NR_FUNC_REASONS; r++)
		if (in->by_reason[r] > nr / MANY && r != FUNC_AMBIGUOUS && r != FUNC_CLONE &&
		    r != FUNC_TYPE)
			msg_warn("%s: %u of %u functions are omitted for the same reason: %s (%s)",
				 path, in->by_reason[r], nr, func_reasons[r].text,
				 func_reasons[r].name);
}

/* Print the results for FUNCs, if BTF was read. */
static void print_func_results(const struct encoding *e)
{
	const struct funcs_read *funcs = &e->input.funcs;
	enum read_outcome outcome;

	msg_info("%u FUNCs in %u object%s of BTF", funcs->nr, e->input.objects.nr,
		 e->input.objects.nr == 1 ? "" : "s");
	for (outcome = 0; outcome < NR_READ_OUTCOMES; outcome++)
		if (funcs->by_outcome[outcome])
			msg_info("%7u %s", funcs->by_outcome[outcome], read_outcomes[outcome].text);
	if (funcs->moved)
		msg_info("%7u have an address at which no function has their name: this BTF is from another link",
			 funcs->moved);
}

static void print_figures(const struct encoding *e)
{
	static const char *const steps[NR_STEPS] = {
		[STEP_OPEN] = "open", [STEP_WALK] = "walk", [STEP_HASH] = "hash",
		[STEP_MERGE] = "merge", [STEP_CONFLICTS] = "conflicts",
		[STEP_FUNCTIONS] = "functions", [STEP_WRITE] = "unify and write",
		[STEP_VERIFY] = "verify",
	};
	const struct instances *in = &e->instances;
	enum var_reason r;
	enum encode_step s;

	if (e->opts.from_btf)
		print_func_results(e);
	else
		msg_info("%u units, %u names with conflicting definitions, %u units read again for them",
			 e->dw->nr_units, e->conflicts, e->reread);
	msg_info("%u types, %u functions of %u symbols, %zu bytes; records take %zu bytes, tags %zu",
		 e->btf.nr_types, in->order.nr, in->nr, e->btf.size, e->btf.records, e->btf.tags);
	for (r = VAR_ENCODED; r < NR_VAR_REASONS; r++)
		if (e->variables.by_reason[r])
			msg_info("%7u variables: %s", e->variables.by_reason[r], var_reasons[r].text);
	for (s = 0; s < NR_STEPS; s++)
		if (e->dw || (s != STEP_HASH && s != STEP_MERGE && s != STEP_CONFLICTS))
			msg_info("%-16s %7.1f ms", steps[s], e->nanoseconds[s] / 1e6);
}

/*
 * A new .BTF may have other ids than those that resolve_btfids has stored in .BTF_ids.  If only
 * vmlinux has changed, a kernel build runs both again for its modules.
 */
static int check_stored_ids(const struct encoding *e)
{
	const struct section *old = image__section(e->img, ".BTF");
	bool pahole = e->opts.func.pahole;

	if (!kfuncs__have_ids(e->syms) ||
	    (old && old->data && old->file_size == e->btf.size &&
	     !memcmp(old->data, e->btf.bytes, e->btf.size)))
		return 0;
	msg_print(pahole ? MSG_NORMAL : MSG_QUIET, pahole ? "warning: " : "error: ",
		  "%s: .BTF_ids contains ids of another .BTF%s", e->img->path,
		  pahole ? ": run resolve_btfids again" :
			   ": link the image again, or write to a file with -o");
	return pahole ? 0 : -ESTALE;
}

static int put_output(const struct job *job, const struct encoding *e)
{
	const struct btf_bytes *btf = &e->btf;
	const struct image *img = e->img;

	if (!job->output)
		return output__in_place(job->image, img, btf);
	if (job->elf)
		return output__elf(job->output, img, btf->bytes, btf->size);
	return output__file(job->output, btf->bytes, btf->size);
}

/* pahole writes nothing in this case, and succeeds. */
static int report_no_types(const struct encoding *e)
{
	bool pahole = e->opts.func.pahole;
	char *excluded __cleanup(free_pointer) = NULL;
	const char *why = e->opts.from_btf ? "its BTF has no type" :
					     "its debug information describes no type";
	uint32_t nr = 0;

	for (uint32_t i = 0; e->dw && i < e->dw->nr_units; i++)
		nr += e->dw->units[i].skip;
	if (nr)
		excluded = xasprintf("%u of %u compile units are in excluded languages", nr,
				     e->dw->nr_units);
	msg_print(pahole ? MSG_NORMAL : MSG_QUIET, pahole ? "warning: " : "error: ",
		  "%s: nothing to encode: %s", e->img->path, excluded ?: why);
	return pahole ? 0 : -EINVAL;
}

static int encode_image(const struct job *job, struct image *img, const struct encode_options *opts)
{
	struct encoding e __cleanup(encoding__free);
	int err = encode__open(img, opts, &e);

	if (!err && opts->addresses && !e.opts.func.address)
		err = report_no_addresses(img, opts->address_required);
	if (!err && e.dw && !e.dw->nr_units && opts->func.pahole) {
		/* kbuild calls pahole for all modules, also those in assembly */
		msg_print(img->type == ET_REL ? MSG_VERBOSE : MSG_NORMAL, "warning: ",
			  "%s: no debug information, nothing to encode", img->path);
		return 0;
	}
	err = err ?: encode__load(&e);
	if (!err && job->show_skipped)
		show_skipped(&e.instances);
	if (!err)
		err = kfuncs__check_names(e.syms, &e.instances);
	err = err ?: encode__write(&e);
	if (!err && !e.btf.nr_types && !opts->base)
		return report_no_types(&e);
	/* detached BTF is never distilled */
	if (!err && job->encode.distill && !opts->base && !job->output)
		err = msg_fail(-EINVAL, "%s: distilled_base needs --btf_base", img->path);
	if (!err && opts->layout && !opts->base && e.btf.records)
		msg_warn("%s: no layout section is written: it cannot express that a FUNC with an address is longer",
			 img->path);
	/* a module may only have a few functions */
	if (!err && !opts->base && !job->one_of_many)
		warn_about_losses(img->path, &e.instances);
	if (!err && !job->one_of_many)
		print_figures(&e);
	if (!err && !job->output)
		err = check_stored_ids(&e);
	err = err ?: put_output(job, &e);
	if (!err && job->report)
		err = report__write(&e, job->report);
	return err;
}

/* An output must not replace an input or another output. */
static int check_outputs(const struct job *job)
{
	/* without -o, the image is written */
	const char *outputs[] = { job->output ? NULL : job->image, job->output, job->report };
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(outputs); i++) {
		if (!outputs[i])
			continue;
		if (job->base_path && output__is_same(outputs[i], job->base_path))
			return msg_fail(-EINVAL, "%s: is the base, and would be overwritten",
					outputs[i]);
		if (i && output__is_same(outputs[i], job->image))
			return msg_fail(-EINVAL, "%s: is the image itself, and would be overwritten; without -o, BTF is added to it as section .BTF",
					outputs[i]);
		for (j = i + 1; i && j < ARRAY_SIZE(outputs); j++)
			if (outputs[j] && output__is_same(outputs[i], outputs[j]))
				return msg_fail(-EINVAL, "%s: two outputs cannot be written to one file",
						outputs[j]);
	}
	return 0;
}

static int encode_file(const struct job *job)
{
	struct encode_options opts = job->encode;
	struct image *img = job->found;
	int err;

	opts.func.detached = job->output;
	opts.distill &= opts.base && !job->output;
	err = check_outputs(job);
	if (!err && !img)
		err = image__open(job->image, &img);
	if (!err && !job->output)
		err = image__check_writable(img) ?: elf_edit__check(img, job->strip_signature);
	/* ids and offsets continue those of the base, so the byte order must be the same */
	if (!err && opts.base && opts.base->btf->big_endian != img->big_endian)
		err = msg_fail(-EINVAL, "%s: is %s-endian, but the base is not", img->path,
			       img->big_endian ? "big" : "little");
	err = err ?: encode_image(job, img, &opts);
	if (img != job->found)
		image__close(img);
	return err;
}

/* --- many images in one call: thousands of modules -------------------------------- */

/**
 * struct batch - what the threads share
 * @outputs:	by image: its detached file, or NULL
 * @done:	images that are finished
 * @failed:	those that failed
 */
struct batch {
	const struct job	*job;
	char			**images;
	char			**outputs;
	uint32_t		nr;
	atomic_uint		done;
	atomic_uint		failed;
};

static int compare_outputs(const void *x, const void *y, void *arg)
{
	char **outputs = arg;

	return strcmp(outputs[*(const uint32_t *)x], outputs[*(const uint32_t *)y]);
}

/* No two images may have the same output. */
static int check_collisions(const struct batch *b)
{
	uint32_t *order __cleanup(free_pointer) = xcalloc(b->nr, sizeof(*order));
	int err = 0;

	for (uint32_t i = 0; i < b->nr; i++)
		order[i] = i;
	qsort_r(order, b->nr, sizeof(*order), compare_outputs, b->outputs);
	for (uint32_t i = 1; i < b->nr && !err; i++)
		if (!strcmp(b->outputs[order[i - 1]], b->outputs[order[i]]))
			err = msg_fail(-EEXIST, "%s and %s would both be written to %s",
				       b->images[order[i - 1]], b->images[order[i]],
				       b->outputs[order[i]]);
	return err;
}

/* If one image fails, the others are encoded. */
static int encode_one(void *arg, unsigned int thread, uint32_t i)
{
	struct batch *b = arg;
	struct job job = *b->job;

	job.encode.threads = 1;
	job.encode.progress = false;
	job.one_of_many = true;
	job.image = b->images[i];
	job.found = i ? NULL : b->job->found;
	job.output = b->outputs[i];
	if ((job.output && output__make_directories(job.output)) || encode_file(&job))
		atomic_fetch_add(&b->failed, 1);
	msg_progress("images", atomic_fetch_add(&b->done, 1) + 1, b->nr);
	return 0;
}

static int encode_many(const struct job *job, char **images, uint32_t nr)
{
	struct batch b = { .job = job, .images = images, .nr = nr };
	int err = 0;

	b.outputs = xcalloc(nr, sizeof(*b.outputs));
	/* DIR/PATH.btf.  PATH is resolved below "/", so that nothing is written outside of DIR. */
	for (uint32_t i = 0; i < nr && job->output; i++) {
		char *inside __cleanup(free_pointer) = path__join("/", images[i]);

		b.outputs[i] = xasprintf("%s%s.btf", job->output, inside);
	}
	if (job->output)
		err = check_collisions(&b);
	err = err ?: jobs__each(job->encode.threads, nr, encode_one, &b);
	if (!err && atomic_load(&b.failed))
		err = msg_fail(-EINVAL, "%u of %u images failed", atomic_load(&b.failed), nr);
	for (uint32_t i = 0; i < nr; i++)
		free(b.outputs[i]);
	free(b.outputs);
	return err;
}

int job__run_all(struct job *job, char **images, uint32_t nr, bool many)
{
	struct base *base = NULL;
	int err = job->base_path ? base__open(job->base_path, &base) : 0;

	job->encode.base = base;
	job->image = images[0];
	if (!err && base && nr > 1)
		base__keep_shapes(base);
	if (!err)
		err = many ? encode_many(job, images, nr) : encode_file(job);
	image__close(job->found);
	base__free(base);
	return err;
}
