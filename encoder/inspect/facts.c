// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <string.h>

#include "inlined/inlined.h"
#include "inspect/decl.h"
#include "inspect/facts.h"
#include "inspect/text.h"
#include "util/jobserver.h"
#include "util/memory.h"

/* Offsets from _text have an address only in a linked image. */
static int find_decls(struct input *in)
{
	struct func *funcs = in->funcs->all;
	uint32_t nr = in->funcs->nr;
	uint64_t text;
	int err;

	if (in->img->type == ET_REL || !image__section(in->img, ".debug_info") ||
	    !image__symbol(in->img, "_text", &text))
		return 0;
	in->decls = xcalloc(nr, sizeof(*in->decls));
	for (uint32_t i = 0; i < nr; i++)
		in->decls[i] = (struct decl){
			.name = funcs[i].full, .name_len = funcs[i].name_len,
			.address = funcs[i].record ? text + btf_func__offset(funcs[i].record) : 0,
		};
	err = decls__find(in->img, in->encoding, in->decls, nr, &in->left_out);
	for (uint32_t i = 0; i < nr && !err; i++) {
		if (!funcs[i].record || !in->decls[i].file)
			continue;
		funcs[i].decl_file = text_clean(in->decls[i].file);
		funcs[i].decl_line = in->decls[i].line;
	}
	return err;
}

/* A FUNC without an address is looked up by its name, which no other function has. */
static enum kprobe_verdict find_verdict(const struct kprobes *k, const struct func *func)
{
	const struct symbols *syms = k->syms;
	const struct symbol *sym = NULL;
	const uint32_t *with;
	uint32_t nr;

	if (!func->record) {
		with = symbols__named(syms, func->full, &nr);
		if (nr == 1)
			sym = &syms->funcs[*with];
	} else if (syms->img->type == ET_REL) {
		sym = symbols__of_func(syms, func->full, btf_func__offset(func->record), &nr);
	} else {
		return kprobes__verdict(k, 0, syms->text_start + btf_func__offset(func->record));
	}
	return sym ? kprobes__verdict(k, sym->section, sym->address) : KPROBE_UNKNOWN;
}

int facts__find(struct input *in)
{
	struct kprobes k __cleanup(kprobes__destroy) = {};
	int err;

	if (in->kept || !in->img)
		return 0;
	err = find_decls(in) ?: facts__symbols(in) ?: kprobes__read(in->img, in->syms, &k);
	for (uint32_t i = 0; i < in->funcs->nr && !err; i++)
		in->funcs->all[i].verdict = find_verdict(&k, &in->funcs->all[i]);
	return err;
}

int facts__find_inlined(struct input *in)
{
	struct inlined *inlined = NULL;
	int err;

	if (in->kept || !in->img || !image__section(in->img, ".debug_info"))
		return 0;
	err = inlined__read(in->img, NULL, NULL, nr_cores(), &inlined);
	if (err)
		return err;
	in->nr_calls = inlined->nr_funcs;
	in->calls = xcalloc(inlined->nr_funcs, sizeof(*in->calls));
	for (uint32_t i = 0; i < inlined->nr_funcs; i++) {
		const struct inlined_func *func = &inlined->funcs[i];
		uint32_t nr;
		const struct func *first =
			funcs__named(in->funcs, func->name, strlen(func->name), &nr);
		struct func *f = &in->funcs->all[first - in->funcs->all];

		in->calls[i] = func->calls;
		/* several bodies of a function in a header share its calls */
		for (; func->file && nr; f++, nr--)
			if (f->decl_file && f->decl_line == func->line &&
			    !strcmp(f->decl_file, func->file))
				f->inlined = i + 1;
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
