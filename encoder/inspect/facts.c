// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "inlined/inlined.h"
#include "inspect/decl.h"
#include "inspect/facts.h"
#include "inspect/tally.h"
#include "inspect/text.h"
#include "util/jobserver.h"
#include "util/memory.h"

/* Find the instance NAME or NAME.suffix at a place: a clone's FUNC may have the bare name. */
static const struct instance *find_instance(const struct encoding *e, const struct func *func)
{
	uint64_t address = e->syms->text_start + btf_func__offset(func->record);
	uint32_t nr, len = func->name_len;
	const struct symbol *syms =
		symbols__at(e->syms, symbols__section_of(e->syms, address), address, &nr);
	uint32_t i = first_not_before(at, nr, symbol__compare(&syms[at], func->full, len) < 0);

	for (; i < nr && !strncmp(syms[i].name, func->full, len); i++) {
		const struct instance *in = instances__of(&e->instances, &syms[i]);

		if (in->facts.unit != NO_UNIT && (!syms[i].name[len] || syms[i].name[len] == '.'))
			return in;
	}
	return NULL;
}

static int find_decls(struct input *in, const struct encoding *e)
{
	uint32_t nr = in->funcs->nr;
	int err;

	in->decls = xcalloc(nr, sizeof(*in->decls));
	for (uint32_t i = 0; i < nr; i++)
		if (in->funcs->array[i].record)
			in->decls[i].inst = find_instance(e, &in->funcs->array[i]);
	err = decls__find(e->dw, in->decls, nr);
	for (uint32_t i = 0; i < nr && !err; i++) {
		if (!in->decls[i].file)
			continue;
		in->funcs->array[i].decl_file = text_clean(in->decls[i].file);
		in->funcs->array[i].decl_line = in->decls[i].inst->facts.decl_line;
	}
	return err;
}

/* Read declarations like the encoder, which finds them along with prototypes. */
static int read_decls(struct input *in)
{
	/* functions that are skipped as doubtful also have a declaration */
	struct encode_options opts = {
		.func = { .optimized = true, .address = true, .files = true },
		.threads = nr_cores(),
	};
	struct encoding own __cleanup(encoding__free) = {};
	const struct encoding *e = in->encoding ?: &own;
	int err = 0;

	if (!in->encoding)
		err = encode__open(in->img, &opts, &own);
	if (err || !e->dw || !e->dw->nr_units)
		return err;
	if (!in->encoding)
		err = encode__load(&own);
	err = err ?: find_decls(in, e);
	in->left_out = tally__text(e);
	return err;
}

/* A FUNC without an address is looked up by its name, which no other function has. */
static enum kprobe_verdict find_verdict(const struct kprobes *k, const struct func *func)
{
	const struct symbols *syms = k->syms;
	const struct symbol *sym;
	const uint32_t *with;
	uint32_t nr;

	if (!func->record) {
		with = symbols__named(syms, func->full, &nr);
		sym = nr ? &syms->funcs[*with] : NULL;
	} else if (syms->img->type == ET_REL) {
		sym = symbols__of_func(syms, func->full, btf_func__offset(func->record), &nr);
	} else {
		return kprobes__verdict(k, 0, syms->text_start + btf_func__offset(func->record));
	}
	return nr == 1 ? kprobes__verdict(k, sym->section, sym->address) : KPROBE_UNKNOWN;
}

int facts__find(struct input *in)
{
	struct kprobes k __cleanup(kprobes__destroy) = {};
	int err;

	if (in->kept || in->decls || !in->img)
		return 0;
	err = facts__symbols(in);
	/* offsets from _text have an address only in a linked image */
	if (!err && in->syms->has_text && image__section(in->img, ".debug_info"))
		err = read_decls(in);
	err = err ?: kprobes__read(in->syms, &k);
	if (err)
		return err;
	for_each(func, in->funcs)
		func->verdict = find_verdict(&k, func);
	return 0;
}

int facts__find_inlined(struct input *in)
{
	struct inlined *inlined = NULL;
	int err;

	if (in->kept || in->calls || !in->img || !image__section(in->img, ".debug_info"))
		return 0;
	err = inlined__read(in->img, NULL, NULL, nr_cores(), &inlined);
	if (err)
		return err;
	in->calls = xcalloc(inlined->funcs.nr, sizeof(*in->calls));
	for_each(func, &inlined->funcs) {
		uint32_t nr;
		const struct func *first =
			funcs__named(in->funcs, func->name, strlen(func->name), &nr);
		struct func *f = &in->funcs->array[first - in->funcs->array];

		in->calls[in->nr_calls++] = func->calls;
		/* several bodies of a function in a header share its calls */
		for (; func->file && nr; f++, nr--)
			if (f->decl_file && f->decl_line == func->line &&
			    !strcmp(f->decl_file, func->file))
				f->inlined = in->nr_calls;
	}
	inlined__free(inlined);
	return 0;
}

int facts__symbols(struct input *in)
{
	int err = in->syms ? 0 : symbols__new(in->img, &in->own_syms);

	in->syms = in->syms ?: in->own_syms;
	return err;
}
