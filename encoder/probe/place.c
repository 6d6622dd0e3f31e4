// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "probe/place.h"
#include "util/grow.h"
#include "util/memory.h"
#include "util/msg.h"

/* MODULE_NAME_LEN of include/linux/module.h, including the NUL */
#define MAX_MODULE	56

/* Test whether a name needs no quoting, because no tool or shell interprets it. */
static bool is_plain(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_' && s[i] != '.')
			return false;
	return len && !isdigit((unsigned char)*s);
}

/*
 * objcopy --only-keep-debug leaves .modinfo without contents.  Use the name of its
 * output file, which is the module's name, except that kbuild may leave a '-' in it.
 */
static bool take_file_name(struct places *p)
{
	const char *slash = strrchr(p->img->path, '/'), *file = slash ? slash + 1 : p->img->path;
	size_t len = strcspn(file, ".");

	if (strcmp(file + len, ".ko.debug") && strcmp(file + len, ".ko"))
		return false;
	p->module = xstrndup(file, len);
	for (char *c = p->module; *c; c++)
		*c = *c == '-' ? '_' : *c;
	return len < MAX_MODULE && is_plain(p->module, len);
}

/* .modinfo contains "key=value" strings; the kernel uses the same name. */
static int find_module_name(struct places *p)
{
	struct section *sec = image__section(p->img, ".modinfo");
	struct cursor c;

	if (sec && sec->type == SHT_NOBITS && take_file_name(p))
		return 0;
	if (!sec || image__load_section(p->img, sec))
		return msg_fail(-EINVAL, "%s: is relocatable, but not a module: it has no .modinfo",
				p->img->path);
	c = image__cursor(p->img, sec);
	while (cursor__left(&c)) {
		const char *s = cursor__string(&c);

		if (strncmp(s, "name=", 5))
			continue;
		if (strlen(s + 5) >= MAX_MODULE || !is_plain(s + 5, strlen(s + 5)))
			break;
		p->module = xstrdup(s + 5);
		return 0;
	}
	return msg_fail(-EINVAL, "%s: .modinfo does not contain the module's name", p->img->path);
}

/** struct module_names - names that the kernel finds in a module's symbol table */
struct module_names {
	VECTOR(const char *);
};

static int add_name(const struct symbol *sym, void *arg)
{
	struct module_names *names = arg;

	if (sym->section != SHN_UNDEF && *sym->name && sym->type != STT_SECTION &&
	    sym->type != STT_FILE)
		push(names, sym->name);
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_unique(const struct module_names *names, const char *name)
{
	uint32_t i = first_not_before(at, names->nr, strcmp(names->array[at], name) < 0);

	return i + 1 >= names->nr || strcmp(names->array[i + 1], name);
}

static int find_anchors(struct places *p)
{
	struct module_names names = {};
	const struct symbols *syms = p->syms;
	int err = image__for_each_symbol(p->img, add_name, &names);

	vector__sort(&names, compare_names);
	for (uint32_t i = 0; i < syms->nr_funcs && !err; i++) {
		const struct symbol *sym = &syms->funcs[i];

		if (!symbol__is_fragment(sym) && is_unique(&names, sym->name) &&
		    is_plain(sym->name, strlen(sym->name)))
			push(&p->anchors, *sym);
	}
	free(names.array);
	return err;
}

int places__init(struct places *p, const struct symbols *syms)
{
	*p = (struct places){ .syms = syms, .img = syms ? syms->img : NULL };
	if (!syms || syms->img->type != ET_REL)
		return 0;
	return find_module_name(p) ?: find_anchors(p);
}

void places__destroy(struct places *p)
{
	free(p->anchors.array);
	free(p->module);
	*p = (struct places){};
}

static int no_probe(const struct places *p, const char *name, const char *why)
{
	return msg_fail(-EINVAL, "%s%s%s: %s", p->img ? p->img->path : "", p->img ? ": " : "", name,
			why);
}

static const char init_text[] = "is in init or exit text, which cannot be probed";

static int find_in_section(const struct places *p, uint32_t section, uint64_t offset,
			   struct probe *ret)
{
	const struct symbol key = { .section = section, .address = offset }, *anchor;
	uint32_t at;

	if (symbols__is_init(p->syms, section, offset))
		return no_probe(p, ret->name, init_text);
	/* the last anchor that is not past the offset */
	at = first_not_before(i, p->anchors.nr, cmp_place(&p->anchors.array[i], &key) <= 0);
	anchor = at ? &p->anchors.array[at - 1] : NULL;
	if (!anchor || anchor->section != section)
		return no_probe(p, ret->name, "no symbol before it in its section has a unique name");
	ret->module = p->module;
	ret->symbol = anchor->name;
	ret->offset = offset - anchor->address;
	return 0;
}

int places__find_at(const struct places *p, const char *name, uint32_t section, uint64_t offset,
		    struct probe *ret)
{
	*ret = (struct probe){ .name = name, .symbol = "_text" };
	if (p->module)
		return find_in_section(p, section, offset, ret);
	if (!p->syms->has_text || offset < p->syms->text_start)
		return no_probe(p, name, "is not after a symbol _text, the base of offsets");
	if (symbols__is_init(p->syms, symbols__section_of(p->syms, offset), offset))
		return no_probe(p, name, init_text);
	ret->offset = offset - p->syms->text_start;
	return 0;
}

int places__find(const struct places *p, const char *name, const struct btf_func *record,
		 struct probe *ret)
{
	const struct symbol *sym;
	uint32_t nr;

	*ret = (struct probe){ .name = name, .symbol = "_text" };
	if (!record)
		return no_probe(p, name, init_text);
	ret->offset = btf_func__offset(record);
	if (!p->module)
		return 0;
	/* a record of a module is an offset in a section; the name identifies the section */
	sym = symbols__of_func(p->syms, name, ret->offset, &nr);
	if (nr == 1)
		return find_in_section(p, sym->section, sym->address, ret);
	return msg_fail(-EINVAL, nr ? "%s: %s: is at 0x%" PRIx64 " of several sections" :
			"%s: %s: no symbol with this name is at 0x%" PRIx64,
			p->img->path, name, ret->offset);
}
