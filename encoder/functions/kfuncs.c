// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "functions/kfuncs.h"
#include "util/grow.h"
#include "util/msg.h"

#define FUNC_PREFIX	"__BTF_ID__func__"
#define SET8_PREFIX	"__BTF_ID__set8__"
#define BTF_SET8_KFUNCS	1	/* in a set's flags: it lists kfuncs */

/* The places of one set's entries. */
struct range {
	uint64_t	start;
	uint64_t	end;
};

struct reading {
	const struct image	*img;
	const struct section	*sec;
	uint64_t		base;	/* what symbol values count from */
	struct range		*ranges;
	uint32_t		nr_ranges, cap_ranges;
	struct kfuncs		*ret;
};

static struct cursor at(const struct reading *r, uint64_t value)
{
	struct cursor c = image__cursor(r->img, r->sec);

	cursor__skip(&c, value - r->base);
	return c;
}

/* struct btf_id_set8 { u32 cnt; u32 flags; struct { u32 id; u32 flags; } pairs[]; } */
static int read_set(const struct symbol *sym, void *arg)
{
	struct reading *r = arg;
	uint32_t count, flags;
	struct cursor c;

	if (sym->section != r->sec->index || strncmp(sym->name, SET8_PREFIX, strlen(SET8_PREFIX)))
		return 0;
	c = at(r, sym->value);
	/* the count is written by resolve_btfids later; the symbol's size tells now */
	count = cursor__u32(&c);
	flags = cursor__u32(&c);
	(void)count;
	if (cursor__failed(&c) || sym->size > cursor__left(&c) + 8) {
		msg_error("%s: .BTF_ids: %s at 0x%" PRIx64 " (%" PRIu64
			  " bytes) is not inside the section", r->img->path, sym->name,
			  sym->value, sym->size);
		return -EINVAL;
	}
	if (!(flags & BTF_SET8_KFUNCS))
		return 0;
	if (grow(&r->ranges, &r->cap_ranges, (uint64_t)r->nr_ranges + 1, sizeof(*r->ranges)))
		return -ENOMEM;
	r->ranges[r->nr_ranges++] = (struct range){ sym->value, sym->value + sym->size };
	return 0;
}

static bool is_in_set(const struct reading *r, uint64_t value)
{
	uint32_t i;

	for (i = 0; i < r->nr_ranges; i++)
		if (value >= r->ranges[i].start && value < r->ranges[i].end)
			return true;
	return false;
}

/* __BTF_ID__func__NAME__COUNTER: the counter behind the last "__" makes it unique. */
static int read_entry(const struct symbol *sym, void *arg)
{
	struct reading *r = arg;
	const char *name = sym->name + strlen(FUNC_PREFIX), *end;
	struct kfunc kfunc = { .file = sym->file };
	struct cursor c;

	if (sym->section != r->sec->index || strncmp(sym->name, FUNC_PREFIX, strlen(FUNC_PREFIX)) ||
	    !is_in_set(r, sym->value))
		return 0;
	for (end = name + strlen(name); end > name + 2; end--)
		if (end[-1] == '_' && end[-2] == '_')
			break;
	if (end <= name + 2)
		return 0;
	c = at(r, sym->value);
	cursor__u32(&c);
	kfunc.flags = cursor__u32(&c);
	if (cursor__failed(&c)) {
		msg_error("%s: .BTF_ids: %s at 0x%" PRIx64 " is not inside the section",
			  r->img->path, sym->name, sym->value);
		return -EINVAL;
	}
	if (grow(&r->ret->array, &r->ret->cap, (uint64_t)r->ret->nr + 1, sizeof(kfunc)))
		return -ENOMEM;
	kfunc.name = strndup(name, end - 2 - name);
	if (!kfunc.name)
		return -ENOMEM;
	r->ret->array[r->ret->nr++] = kfunc;
	return 0;
}

int kfuncs__read(struct kfuncs *ret, const struct image *img)
{
	struct section *sec = image__section(img, ".BTF_ids");
	struct reading r = { .img = img, .sec = sec, .ret = ret };
	int err;

	memset(ret, 0, sizeof(*ret));
	if (!sec || sec->type == SHT_NOBITS)
		return 0;
	r.base = img->type == ET_REL ? 0 : sec->address;
	err = image__load_section(img, sec);
	err = err ?: image__for_each_symbol(img, read_set, &r);
	err = err ?: image__for_each_symbol(img, read_entry, &r);
	free(r.ranges);
	if (err)
		kfuncs__destroy(ret);
	return err;
}

void kfuncs__destroy(struct kfuncs *k)
{
	uint32_t i;

	for (i = 0; i < k->nr; i++)
		free(k->array[i].name);
	free(k->array);
	memset(k, 0, sizeof(*k));
}

const struct func_sym *kfunc__symbol(const struct kfunc *k, const struct symbols *syms)
{
	const struct func_sym *global = NULL, *local = NULL;
	uint32_t nr, i, locals = 0;
	const uint32_t *index = symbols__named(syms, k->name, &nr);

	for (i = 0; i < nr; i++) {
		const struct func_sym *sym = &syms->funcs[index[i]];

		if (sym->bind != STB_LOCAL) {
			global = sym;
		} else if (k->file && sym->file == k->file) {
			return sym;
		} else {
			local = sym;
			locals++;
		}
	}
	return global ?: locals == 1 ? local : NULL;
}
