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
/* Functions with one name that are compared with an entry; a kernel has 22. */
#define MAX_NAMESAKES	1000

#define BTF_SET8_KFUNCS	1	/* in a set's flags: it lists kfuncs */

/* The bytes of .BTF_ids from a symbol on. */
static struct cursor cursor_at(const struct image *img, const struct section *sec,
			       const struct symbol *sym)
{
	struct cursor c = image__cursor(img, sec);

	cursor__skip(&c, sym->address - (img->type == ET_REL ? 0 : sec->address));
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
				sym->address, sym->size);
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

/*
 * Find the function that an entry means: the local one with this name in the entry's STT_FILE
 * group, or the global one, or the only local one.
 */
static const struct symbol *find_func(const struct symbols *syms, const char *name, uint32_t file)
{
	const struct symbol *global = NULL;
	uint32_t nr;
	const uint32_t *index = symbols__named(syms, name, &nr);

	for (uint32_t i = 0; i < nr && i < MAX_NAMESAKES; i++) {
		const struct symbol *sym = &syms->funcs[index[i]];

		if (sym->bind != STB_LOCAL)
			global = sym;
		else if (nr == 1 || (file && sym->file == file))
			return sym;
	}
	return global;
}

static int read_entry(struct kfuncs *ret, const struct symbols *syms, const struct section *sec,
		      const struct symbol *sym)
{
	struct cursor c = cursor_at(syms->img, sec, sym);
	const char *start;
	uint32_t len = func_name(sym, &start), flags;
	char *name __cleanup(free_pointer) = NULL;

	if (!len)
		return 0;
	cursor__u32(&c);
	flags = cursor__u32(&c);
	if (cursor__failed(&c))
		return msg_fail(-EINVAL,
				"%s: .BTF_ids: %s at 0x%" PRIx64 " is not inside the section",
				syms->img->path, sym->name, sym->address);
	name = xstrndup(start, len);
	push(ret, (struct kfunc){ .sym = find_func(syms, name, sym->file), .flags = flags });
	return 0;
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
			err = sym->address < end ? read_entry(ret, syms, sec, sym) : 0;
		else
			err = is_kfunc_set(img, sec, sym);
		if (err > 0 && sym->address + sym->size > end)
			end = sym->address + sym->size;
	}
	return err < 0 ? err : 0;
}

/* Compare NAME in NAME@FILE, without the suffix of a clone, to a name. */
static int compare_stem(const char *made, const char *name, uint32_t len)
{
	uint32_t stem = strcspn(made, ".@");

	return memcmp(made, name, stem < len ? stem : len) ?: (stem > len) - (stem < len);
}

int kfuncs__check_names(const struct symbols *syms, const struct instances *in)
{
	for_each(sym, &syms->ids) {
		const char *name = "";
		uint32_t len = func_name(sym, &name);
		/* sorted like this, with clones last */
		uint32_t at = first_not_before(k, in->made.nr,
					       compare_stem(in->made.array[k], name, len) < 0);

		if (at == in->made.nr || strncmp(in->made.array[at], name, len) ||
		    in->made.array[at][len] != '@')
			continue;
		return msg_fail(-EINVAL, "%s: .BTF_ids: BTF_ID(func, %.*s): the name is shared, so resolve_btfids would find no FUNC: rename the function",
				syms->img->path, (int)len, name);
	}
	return 0;
}

bool kfuncs__have_ids(const struct symbols *syms)
{
	struct section *sec = image__section(syms->img, ".BTF_ids");
	struct cursor c;

	if (!sec || sec->type == SHT_NOBITS || image__load_section(syms->img, sec))
		return false;
	/* before, all ids and the sizes of sets are 0; flags are not */
	for_each(sym, &syms->ids) {
		c = cursor_at(syms->img, sec, sym);
		if (cursor__u32(&c))
			return true;
	}
	return false;
}

void kfuncs__destroy(struct kfuncs *k)
{
	free(k->array);
	*k = (struct kfuncs){};
}
