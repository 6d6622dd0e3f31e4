// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "functions/kfuncs.h"
#include "util/memory.h"
#include "util/msg.h"

#define FUNC_PREFIX	"__BTF_ID__func__"
#define SET8_PREFIX	"__BTF_ID__set8__"
/* The kernel rejects longer function names (KSYM_NAME_LEN). */
#define MAX_NAME	512

#define BTF_SET8_KFUNCS	1	/* in a set's flags: it lists kfuncs */

/* The bytes of .BTF_ids from a symbol on. */
static struct cursor cursor_at(const struct image *img, const struct section *sec,
			       const struct symbol *sym)
{
	struct cursor c = image__cursor(img, sec);

	cursor__skip(&c, sym->value - (img->type == ET_REL ? 0 : sec->address));
	return c;
}

/*
 * struct btf_id_set8 { u32 cnt; u32 flags; struct { u32 id; u32 flags; } pairs[]; }
 * Return: whether it lists kfuncs, or -EINVAL after a message.
 */
static int is_kfunc_set(const struct image *img, const struct section *sec,
			const struct symbol *sym)
{
	struct cursor c = cursor_at(img, sec, sym);
	uint32_t flags;

	/* resolve_btfids writes the count later; until then, only the symbol has the size */
	cursor__skip(&c, 4);
	flags = cursor__u32(&c);
	if (cursor__failed(&c) || sym->size > cursor__left(&c) + 8)
		return msg_fail(-EINVAL, "%s: .BTF_ids: %s at 0x%" PRIx64 " (%" PRIu64
				" bytes) is not inside the section", img->path, sym->name,
				sym->value, sym->size);
	return flags & BTF_SET8_KFUNCS;
}

/*
 * __BTF_ID__func__NAME__COUNTER: the counter after the last "__" makes it unique.
 * Return: the length of NAME, or 0.
 */
static uint32_t func_name(const struct symbol *sym, const char **name)
{
	const char *end;

	if (strncmp(sym->name, FUNC_PREFIX, strlen(FUNC_PREFIX)))
		return 0;
	*name = sym->name + strlen(FUNC_PREFIX);
	for (end = *name + strlen(*name); end > *name + 2; end--)
		if (end[-1] == '_' && end[-2] == '_')
			return end - 2 - *name < MAX_NAME ? end - 2 - *name : 0;
	return 0;
}

static int read_entry(struct kfuncs *ret, const struct image *img, const struct section *sec,
		      const struct symbol *sym)
{
	struct kfunc kfunc = { .file = sym->file };
	struct cursor c = cursor_at(img, sec, sym);

	kfunc.len = func_name(sym, &kfunc.name);
	if (!kfunc.len)
		return 0;
	cursor__u32(&c);
	kfunc.flags = cursor__u32(&c);
	if (cursor__failed(&c))
		return msg_fail(-EINVAL,
				"%s: .BTF_ids: %s at 0x%" PRIx64 " is not inside the section",
				img->path, sym->name, sym->value);
	push(ret, kfunc);
	return 0;
}

/* --- which function an entry means -------------------------------------------- */

static int compare_kfuncs(const void *x, const void *y, void *arg)
{
	const struct kfunc *array = arg;
	const struct kfunc *a = &array[*(const uint32_t *)x], *b = &array[*(const uint32_t *)y];

	return memcmp(a->name, b->name, a->len < b->len ? a->len : b->len) ?: cmp_int(a->len, b->len);
}

/* By file, those without one first; then by place. */
static int compare_files(const void *x, const void *y)
{
	const struct func_sym *a = *(const struct func_sym * const *)x;
	const struct func_sym *b = *(const struct func_sym * const *)y;

	return cmp_int(a->file, b->file) ?: cmp_int(a, b);
}

static const struct func_sym *find_file(const struct func_sym **locals, uint32_t nr, uint32_t file)
{
	uint32_t i = first_not_before(at, nr, locals[at]->file < file);

	return file && i < nr && locals[i]->file == file ? locals[i] : NULL;
}

/* Entries of one name: look at its symbols once for all of them. */
static void resolve_name(struct kfuncs *k, const uint32_t *order, uint32_t nr,
			 const struct symbols *syms, const struct func_sym **locals)
{
	const struct func_sym *global = NULL;
	uint32_t nr_syms, nr_locals = 0, i;
	const uint32_t *index;
	char name[MAX_NAME];

	memcpy(name, k->array[order[0]].name, k->array[order[0]].len);
	name[k->array[order[0]].len] = '\0';
	index = symbols__named(syms, name, &nr_syms);
	for (i = 0; i < nr_syms; i++) {
		const struct func_sym *sym = &syms->funcs[index[i]];

		if (sym->bind != STB_LOCAL)
			global = sym;
		else
			locals[nr_locals++] = sym;
	}
	if (nr_locals)
		qsort(locals, nr_locals, sizeof(*locals), compare_files);
	for (i = 0; i < nr; i++) {
		struct kfunc *kfunc = &k->array[order[i]];

		kfunc->sym = find_file(locals, nr_locals, kfunc->file) ?:
			     global ?: nr_locals == 1 ? locals[0] : NULL;
	}
}

static void resolve_all(struct kfuncs *k, const struct symbols *syms)
{
	const struct func_sym **locals __cleanup(free_pointer) =
		xcalloc(syms->nr_funcs + 1UL, sizeof(*locals));
	uint32_t *order __cleanup(free_pointer) = xcalloc(k->nr + 1UL, sizeof(*order));
	uint32_t i, end;

	for (i = 0; i < k->nr; i++)
		order[i] = i;
	qsort_r(order, k->nr, sizeof(*order), compare_kfuncs, k->array);
	for (i = 0; i < k->nr; i = end) {
		for (end = i + 1; end < k->nr &&
		     !compare_kfuncs(&order[i], &order[end], k->array); end++)
			;
		resolve_name(k, order + i, end - i, syms, locals);
	}
}

int kfuncs__read(struct kfuncs *ret, const struct symbols *syms)
{
	const struct image *img = syms->img;
	struct section *sec = image__section(img, ".BTF_ids");
	uint64_t end = 0;
	int err;

	*ret = (struct kfuncs){};
	if (!sec || sec->type == SHT_NOBITS)
		return 0;
	err = image__load_section(img, sec);
	/* entries follow their set */
	for_each(sym, &syms->ids) {
		if (err < 0)
			break;
		if (strncmp(sym->name, SET8_PREFIX, strlen(SET8_PREFIX)))
			err = sym->value < end ? read_entry(ret, img, sec, sym) : 0;
		else
			err = is_kfunc_set(img, sec, sym);
		if (err > 0 && sym->value + sym->size > end)
			end = sym->value + sym->size;
	}
	if (err < 0)
		return err;
	resolve_all(ret, syms);
	return 0;
}

/* Compare NAME in NAME@FILE, without the suffix of a clone, to a name. */
static int compare_base(const char *made, const char *name, uint32_t len)
{
	uint32_t base = strcspn(made, ".@");

	return memcmp(made, name, base < len ? base : len) ?: (base > len) - (base < len);
}

int kfuncs__check_names(const struct symbols *syms, const struct instances *in)
{
	for_each(sym, &syms->ids) {
		const char *name = "";
		uint32_t len = func_name(sym, &name);
		/* sorted like this, with clones last */
		uint32_t at = first_not_before(k, in->made.nr,
					       compare_base(in->made.array[k], name, len) < 0);

		if (at == in->made.nr || strncmp(in->made.array[at], name, len) ||
		    in->made.array[at][len] != '@')
			continue;
		return msg_fail(-EINVAL, "%s: .BTF_ids: BTF_ID(func, %.*s): the name is shared, so resolve_btfids would find no FUNC: rename the function",
				syms->img->path, (int)len, name);
	}
	return 0;
}

void kfuncs__destroy(struct kfuncs *k)
{
	free(k->array);
	*k = (struct kfuncs){};
}
