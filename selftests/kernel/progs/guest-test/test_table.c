// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/btf_addr: every entry is the address of a symbol with the FUNC's name, and
 * ftrace can patch every function whose FUNC has a file in its name. So these FUNCs do not
 * break a pattern of a tracing_multi link that works without them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

/* as in include/uapi/linux/btf.h */
struct btf_func_addr {
	__u32 id;
	__u32 offset;
};

struct sym {
	__u64 addr;
	const char *name;
};

/* ordered by address */
static struct sym *syms;
static size_t nr_syms;

static int compare_syms(const void *a, const void *b)
{
	const struct sym *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Reads the symbols of vmlinux (@module is NULL) or of a module. */
static void read_syms(const char *module)
{
	char *line, *rest = read_file("/proc/kallsyms", NULL);

	free(syms);
	syms = NULL;
	nr_syms = 0;
	while ((line = strsep(&rest, "\n"))) {
		char *addr = strsep(&line, " "), *name, *owner = line;

		strsep(&owner, " ");
		name = strsep(&owner, "\t");
		if (!name || !owner != !module ||
		    (owner && (strncmp(owner + 1, module, strlen(module)) ||
			       strcmp(owner + 1 + strlen(module), "]"))))
			continue;
		if (!(nr_syms & (nr_syms - 1)))
			syms = realloc(syms, (2 * nr_syms + 1) * sizeof(*syms));
		syms[nr_syms++] = (struct sym){ strtoull(addr, NULL, 16), name };
	}
	need(nr_syms, "%s has no symbols", module ?: "vmlinux");
	qsort(syms, nr_syms, sizeof(*syms), compare_syms);
}

/* ThinLTO calls a static that another unit uses NAME.llvm.NUMBER. */
static bool same_name(const char *sym, const char *func)
{
	size_t len = strcspn(func, "@");

	if (strncmp(sym, func, len))
		return false;
	sym += len;
	if (!strncmp(sym, ".llvm.", 6))
		sym += 6 + strspn(sym + 6, "0123456789");
	return !*sym;
}

static bool starts_at(__u64 addr, const char *func)
{
	size_t low = 0, high = nr_syms, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (syms[mid].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < nr_syms && syms[low].addr == addr; low++)
		if (same_name(syms[low].name, func))
			return true;
	return false;
}

/* Where ftrace can patch, ascending. */
static __u64 *sites;
static size_t nr_sites;

static int compare_sites(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void read_sites(void)
{
	char *text = read_file("/sys/kernel/tracing/available_filter_functions_addrs", NULL);
	char *line, *rest = text;

	nr_sites = 0;
	while ((line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		if (!(nr_sites & (nr_sites - 1)))
			sites = realloc(sites, (2 * nr_sites + 1) * sizeof(*sites));
		sites[nr_sites++] = strtoull(line, NULL, 16);
	}
	free(text);
	qsort(sites, nr_sites, sizeof(*sites), compare_sites);
	need(nr_sites, "ftrace can patch nothing");
}

/* It can follow an endbr64, or a bti and a move. */
static bool has_site(__u64 addr)
{
	size_t low = 0, high = nr_sites, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (sites[mid] < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < nr_sites && sites[low] - addr <= 8;
}

static const char *name_of(const struct object *obj, __u32 id)
{
	const struct btf_type *t = btf__type_by_id(obj->btf, id);

	return t && btf_is_func(t) ? btf__name_by_offset(obj->btf, t->name_off) : NULL;
}

static void compare(const struct object *obj, __u64 text)
{
	__u32 id = obj->start_id, end = btf__type_cnt(obj->btf);
	struct btf_func_addr *entries;
	char path[128];
	size_t len, i;

	snprintf(path, sizeof(path), "/sys/kernel/btf_addr/%s", obj->name);
	entries = (void *)read_file(path, &len);
	need(len && !(len % sizeof(*entries)), "%s has %zu bytes", path, len);
	read_sites();
	for (i = 0; i < len / sizeof(*entries); i++, id++) {
		__u64 addr = text + entries[i].offset;
		const char *name = name_of(obj, entries[i].id);

		need(name, "entry %zu: type %u is not a FUNC", i, entries[i].id);
		need(!i || entries[i - 1].id < entries[i].id, "entry %zu: not sorted by id", i);
		expect(starts_at(addr, name), "no symbol of FUNC %s is at %#llx", name, addr);
		expect(!strchr(name, '@') || has_site(addr), "ftrace cannot patch %s", name);
		/* skipped FUNCs have no address */
		for (; id < entries[i].id; id++)
			expect(!name_of(obj, id) || !strchr(name_of(obj, id), '@'),
			       "%s has no address", name_of(obj, id));
	}
	for (; id < end; id++)
		expect(!name_of(obj, id) || !strchr(name_of(obj, id), '@'), "%s has no address",
		       name_of(obj, id));
	note("%s: %zu addresses", obj->name, len / sizeof(*entries));
	free(entries);
}

static void of_vmlinux(void)
{
	read_syms(NULL);
	compare(vmlinux(), symbol(NULL, "_text"));
}

/* Return: the start of a module's core text, from /proc/modules */
static __u64 core_text(const char *module)
{
	char *line, *rest = read_file("/proc/modules", NULL);
	size_t len = strlen(module);

	while ((line = strsep(&rest, "\n")))
		if (!strncmp(line, module, len) && line[len] == ' ')
			return strtoull(strstr(line, "0x"), NULL, 16);
	give_up("%s is not loaded", module);
}

static void of_module(void)
{
	const char *const names[] = { KMOD, lone_module("md5", "libmd5") };
	struct object *obj;
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		err = module_load(module_path(names[i]));
		need(!err, "loading %s: %s", names[i], strerror(-err));
		read_syms(names[i]);
		obj = object_open(names[i]);
		compare(obj, core_text(names[i]));
		object_close(obj);
		module_unload(names[i]);
	}
}

static const struct guest_case table_cases[] = {
	{ "vmlinux: each entry is at a symbol with its name, and ftrace can patch FUNCs with a file",
	  of_vmlinux },
	{ "modules: each entry is at a symbol with its name, and ftrace can patch FUNCs with a file",
	  of_module },
	{ },
};

const struct guest_test test_table = { "table", table_cases, NULL };

/* --- patterns ---------------------------------------------------------------- */

struct func {
	const char *name;
	__u32 id;
};

/* of vmlinux, ordered by name */
static struct func *all;
static size_t nr_all;

static int compare_funcs(const void *a, const void *b)
{
	return strcmp(((const struct func *)a)->name, ((const struct func *)b)->name);
}

static void read_funcs(void)
{
	__u32 id, end = btf__type_cnt(vmlinux()->btf);

	if (!symbol(NULL, "bpf_trampoline_multi_attach"))
		skip_case("this kernel has no tracing_multi links");
	if (nr_all)
		return;
	all = calloc(end, sizeof(*all));
	for (id = 1; id < end; id++)
		if (name_of(vmlinux(), id))
			all[nr_all++] = (struct func){ name_of(vmlinux(), id), id };
	qsort(all, nr_all, sizeof(*all), compare_funcs);
}

/*
 * Attaches to all FUNCs whose names begin with the first @len characters of @prefix, or
 * only to FUNCs without a file.
 *
 * Return: 0, or a negative errno; -ENOENT if no FUNC matches
 */
static int attach_prefix(const char *prefix, size_t len, bool files)
{
	struct target target = { .type = BPF_TRACE_FENTRY_MULTI };
	__u32 *ids = calloc(nr_all, sizeof(*ids)), nr = 0;
	int link = -ENOENT;
	size_t i;

	for (i = 0; i < nr_all; i++)
		if (!strncmp(all[i].name, prefix, len) && (files || !strchr(all[i].name, '@')))
			ids[nr++] = all[i].id;
	if (nr)
		link = attach_multi(&target, ids, nr);
	free(ids);
	if (link < 0)
		return link;
	close(link);
	return 0;
}

/* Prefixes of which a stock kernel with this configuration accepts every function. */
static void on_stock(void)
{
	static const char *const prefixes[] = { "bpf_obj_", "_raw_spin_unlock" };
	size_t i;

	read_funcs();
	for (i = 0; i < ARRAY_SIZE(prefixes); i++)
		expect_eq(attach_prefix(prefixes[i], strlen(prefixes[i]), true), 0, prefixes[i]);
}

static void every_prefix(void)
{
	const char *last = "";
	int tried = 0, work = 0, err;
	size_t i, len;

	read_funcs();
	for (i = 0; i < nr_all; i++) {
		const char *name = all[i].name;

		if (!strchr(name, '@'))
			continue;
		for (len = 1; name[len - 1] != '@'; len++) {
			/* prefixes of the last name were tried then */
			if (name[len - 1] != '_' || !strncmp(name, last, len))
				continue;
			tried++;
			if (attach_prefix(name, len, false))
				continue;
			work++;
			err = attach_prefix(name, len, true);
			expect(!err, "%.*s*: %s", (int)len, name, strerror(-err));
		}
		last = name;
	}
	if (!tried)
		skip_case("no FUNC has a file in its name");
	note("%d of %d prefixes work without NAME@FILE", work, tried);
	expect(work, "none of %d prefixes works without NAME@FILE", tried);
}

static const struct guest_case prefix_cases[] = {
	{ "patterns that a stock kernel accepts are accepted", on_stock },
	{ "a pattern that works without NAME@FILE also works with it", every_prefix },
	{ },
};

const struct guest_test test_prefix = { "prefix", prefix_cases, NULL };
