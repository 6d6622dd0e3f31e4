// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>

#include "inspect/verdict.h"

enum kprobe_verdict func__verdict(const struct kprobes *k, const char *name,
				  const struct btf_func *record)
{
	const struct symbols *syms = k->syms;
	const struct func_sym *sym = NULL;
	const uint32_t *with;
	uint32_t nr;

	if (!record) {
		with = symbols__named(syms, name, &nr);
		if (nr == 1)
			sym = &syms->funcs[*with];
	} else if (syms->img->type == ET_REL) {
		sym = symbols__of_func(syms, name, btf_func__offset(record), &nr);
	} else {
		return kprobes__verdict(k, 0, syms->text_start + btf_func__offset(record));
	}
	return sym ? kprobes__verdict(k, sym->section, sym->address) : KPROBE_UNKNOWN;
}
