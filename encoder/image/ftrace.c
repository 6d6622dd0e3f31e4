// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>

#include "image/ftrace.h"

/* How far before a function its entry may be. */
#define BEFORE		8
/* A function whose symbol has no size is patched at its start, after a landing pad. */
#define SIZE_UNKNOWN	16

int ftrace__read(const struct symbols *syms, struct relocator *relocator, struct code_table *ret)
{
	const struct image *img = syms->img;
	const char *name = "__mcount_loc";
	int err = 0;

	if (img->type != ET_REL) {
		code_table__read_linked(img, syms->mcount_start, syms->mcount_end, ret);
	} else {
		/* if both exist, __mcount_loc is ftrace's; the other is from padding */
		if (!image__section(img, name) && img->machine != EM_X86_64)
			name = "__patchable_function_entries";
		err = code_table__read_sections(img, relocator, name, ret);
	}
	ret->known = ret->nr;
	return err;
}

bool ftrace__can_patch(const struct code_table *table, const struct func_sym *sym)
{
	uint64_t before = sym->address < BEFORE ? sym->address : BEFORE;

	return code_table__has(table, sym->section, sym->address - before,
			       before + (sym->size ?: SIZE_UNKNOWN));
}
