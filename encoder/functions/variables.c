// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <elf.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "functions/decide.h"
#include "functions/variables.h"
#include "image/symbols.h"
#include "util/msg.h"

/* The first section that contains a variable's address. */
static const struct section *section_at(const struct image *img, const struct variable *var)
{
	if (img->type == ET_REL)
		return var->section < img->nr_sections ? &img->sections[var->section] : NULL;
	for (size_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];

		if ((sec->type == SHT_PROGBITS || sec->type == SHT_NOBITS) &&
		    var->address - sec->address < sec->size)
			return sec;
	}
	return NULL;
}

/* Return: a type's size in bytes, 0 if unknown. */
static uint64_t size_of(const struct image *img, const struct store *s, uint32_t type)
{
	uint64_t nr = 1;

	for (unsigned int n = 0; type && n < 1000; n++) {
		const struct node *t = &s->nodes[type];

		switch (t->kind) {
		case BTF_KIND_PTR:
			return nr * (img->is_64 ? 8 : 4);
		case BTF_KIND_ARRAY:
			nr *= t->size;
			/* more than any variable has; and it must not overflow */
			if (!nr || nr > UINT32_MAX)
				return 0;
			/* fall through */
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			type = t->ref;
			continue;
		case BTF_KIND_FUNC_PROTO:
			return 0;
		default:
			return nr * t->size;
		}
	}
	return 0;
}

/* Test for names that the build generates; no program uses them. */
static bool is_made_up(const char *name)
{
	static const char *const prefixes[] = {
		"__UNIQUE_ID", "__tpstrtab_", "__exitcall_", "__gendwarfksyms_ptr_",
		"__func_stack_frame_non_standard_",
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static int compare_vars(const void *x, const void *y)
{
	const struct out_var *a = x, *b = y;

	return cmp_int(a->section, b->section) ?: cmp_int(a->offset, b->offset) ?:
	       strcmp(a->name, b->name) ?: cmp_int(a->origin, b->origin);
}

/* Add a variable, unless it is omitted.  Return: 0, or -EINVAL after a message. */
static int add_variable(struct btf_out *out, const struct symbols *syms,
			const struct variable *var, const struct store *store, bool force)
{
	const struct image *img = syms->img;
	const char *name = store->strings.array[var->name].s;
	const struct section *sec = section_at(img, var);
	uint64_t size, offset;

	if (!sec || is_made_up(name))
		return 0;
	offset = img->type == ET_REL ? var->address : var->address - sec->address;
	if (!offset && !symbols__is_at_start(syms, sec->index, name))
		return 0;
	if (!name__is_valid(name)) {
		if (force) {
			msg_info("variable \"%.64s\" is omitted: its name is not an identifier", name);
			return 0;
		}
		return msg_fail(-EINVAL, "variable \"%.64s\" has a name that BTF cannot represent; encode_force omits it",
				name);
	}
	size = var->size ?: size_of(img, store, var->type);
	if (!size || size > UINT32_MAX || offset > UINT32_MAX) {
		msg_info("variable %s is omitted: its size is %s", name, size ? "too big" : "0");
		return 0;
	}
	push(&out->vars, (struct out_var){
		.name = name, .section_name = sec->name, .type = var->type,
		.section = sec->index, .offset = offset, .size = size,
		.origin = (uint64_t)var->unit << 32 | var->die,
		.linkage = var->external ? BTF_VAR_GLOBAL_ALLOCATED : BTF_VAR_STATIC });
	return 0;
}

/* The kernel rejects a DATASEC in which variables overlap. */
static void drop_overlapping(struct btf_out *out)
{
	uint32_t nr = 0, section = 0;
	uint64_t end = 0;

	for_each(var, &out->vars) {
		if (var->section == section && var->offset < end) {
			msg_info("variable %s is omitted: it overlaps another", var->name);
			continue;
		}
		section = var->section;
		end = (uint64_t)var->offset + var->size;
		out->vars.array[nr++] = *var;
	}
	out->vars.nr = nr;
}

int variables__decide(struct btf_out *out, const struct symbols *syms,
		      const struct observed *observed, const struct store *store, bool force)
{
	int err = 0;

	for_each(var, &observed->vars)
		err = err ?: add_variable(out, syms, var, store, force);
	if (err)
		return err;
	vector__sort(&out->vars, compare_vars);
	drop_overlapping(out);
	return 0;
}
