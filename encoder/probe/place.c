// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "image/identity.h"
#include "probe/place.h"
#include "util/grow.h"
#include "util/memory.h"
#include "util/msg.h"

static int find_module_name(struct places *p)
{
	p->module = module__name(p->img);
	if (p->module)
		return 0;
	if (!image__section(p->img, ".modinfo"))
		return msg_fail(-EINVAL, "%s: is relocatable, but not a module: it has no .modinfo",
				p->img->path);
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

static bool has_name(const struct module_names *names, const char *name, uint32_t times)
{
	uint32_t i = first_not_before(at, names->nr, strcmp(names->array[at], name) < 0) + times - 1;

	return i < names->nr && !strcmp(names->array[i], name);
}

/*
 * Names of everything that is loaded, except the module: "ADDRESS TYPE NAME" of vmlinux, with
 * "\t[MODULE]" of another module.
 */
static int read_kallsyms(const char *path, const char *module, struct module_names *ret)
{
	FILE *f = fopen(path, "re");
	char line[1024], name[512], other[64];

	if (!f)
		return msg_fail(-errno, "%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		int words = sscanf(line, "%*s %*c %511s [%63[^]]", name, other);

		if (words > 0 && (words < 2 || strcmp(other, module)))
			push(ret, xstrdup(name));
	}
	fclose(f);
	vector__sort(ret, compare_strings);
	return 0;
}

static int find_anchors(struct places *p, const char *kallsyms)
{
	struct module_names names = {}, others = {};
	const struct symbols *syms = p->map->syms;
	int err = image__for_each_symbol(p->img, add_name, &names);

	if (!err && kallsyms)
		err = read_kallsyms(kallsyms, p->module, &others);
	vector__sort(&names, compare_strings);
	for (uint32_t i = 0; i < syms->nr_funcs && !err; i++) {
		const struct symbol *sym = &syms->funcs[i];

		if (!symbol__is_fragment(sym) && !has_name(&names, sym->name, 2) &&
		    !has_name(&others, sym->name, 1) && !isdigit((unsigned char)*sym->name) &&
		    /* no tool or shell interprets it */
		    is_plain_text(sym->name, strlen(sym->name), "_."))
			push(&p->anchors, *sym);
	}
	for_each(name, &others)
		free((char *)*name);
	free(others.array);
	free(names.array);
	return err;
}

int places__init(struct places *p, const struct function_map *map, const char *kallsyms)
{
	*p = (struct places){ .map = map, .img = map->syms ? map->syms->img : NULL };
	if (!map->is_module)
		return 0;
	p->is_checked = kallsyms;
	return find_module_name(p) ?: find_anchors(p, kallsyms);
}

void places__destroy(struct places *p)
{
	free(p->anchors.array);
	free(p->module);
	*p = (struct places){};
}

struct probe places__find(const struct places *p, const char *name, uint32_t section,
			  uint64_t offset)
{
	const struct symbol key = { .section = section, .address = offset }, *anchor;
	struct probe ret = { .name = name, .symbol = "_text", .offset = offset,
			     .place = offset };
	const struct function *function;
	uint32_t at;

	if (!p->map->is_module)
		return ret;
	ret.module = p->module;
	ret.section = p->img->sections[section].name;
	/* the last anchor that is not past the offset */
	at = first_not_before(i, p->anchors.nr, cmp_place(&p->anchors.array[i], &key) <= 0);
	anchor = at ? &p->anchors.array[at - 1] : NULL;
	if (!anchor || anchor->section != section) {
		ret.symbol = NULL;
		return ret;
	}
	ret.symbol = anchor->name;
	ret.offset = offset - anchor->address;
	function = function_map__find(p->map, section, anchor->address);
	ret.is_traced = function && function->verdict == KPROBE_ACCEPTED;
	return ret;
}
