// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/identity.h"
#include "locate/running.h"
#include "util/file.h"
#include "util/macros.h"
#include "util/memory.h"
#include "util/msg.h"

/* /proc/kallsyms of Debian's 6.12 has 9 MB, the lists of ftrace have 3 MB. */
#define MAX_LIST	(128UL << 20)

/* Return: the lines of a file, NULL if it cannot be read or is empty. */
static char *read_list(const char *root, const char *file)
{
	char *path __cleanup(free_pointer) = xasprintf("%s%s", root, file);
	uint8_t *bytes;
	size_t size;
	int err = file__read(path, O_NONBLOCK, MAX_LIST, NULL, &bytes, &size);

	if (!err && size)
		return (char *)bytes;
	msg_info("%s: cannot be read%s%s", path, err ? ": " : "", err ? strerror(-err) : "");
	free(bytes);
	return NULL;
}

int running__text(const char *root, running_offset *offset_of, const void *arg, uint64_t *ret)
{
	char *path __cleanup(free_pointer) = xasprintf("%s/proc/kallsyms", root);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err = -ENOENT;
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	uint64_t address, offset;
	char line[1024], name[512], type;

	if (!f)
		return -errno;
	for (unsigned int i = 0; i < MAX_LIST / 16 && err == -ENOENT && fgets(line, sizeof(line), f); i++) {
		/* symbols of modules follow all others */
		if (strchr(line, '[') || sscanf(line, "%" SCNx64 " %c %511s", &address, &type, name) != 3 ||
		    (strcmp(name, "_text") && !strchr("tTwW", type)) || !offset_of(arg, name, &offset))
			continue;
		err = address ? 0 : -EPERM;
		*ret = address ? address - offset : 0;
	}
	fclose(f);
	return err;
}

static bool offset_of(const void *arg, const char *name, uint64_t *ret)
{
	const struct symbols *syms = arg;
	uint32_t nr;
	const uint32_t *with = symbols__named(syms, name, &nr);
	const struct symbol *sym = nr == 1 ? &syms->funcs[*with] : NULL;
	bool is_text = syms->has_text && !strcmp(name, "_text");

	if (!is_text && (!sym || !symbols__is_core_text(syms, sym->section, sym->address)))
		return false;
	*ret = is_text ? 0 : sym->address - syms->text_start;
	return true;
}

/* Find the difference between addresses at run time and in the image, if the kernel shows it. */
static bool find_slide(const char *root, const struct symbols *syms, uint64_t *ret)
{
	if (running__text(root, offset_of, syms, ret))
		return false;
	*ret -= syms->text_start;
	return true;
}

/* --- ftrace ---------------------------------------------------------------------- */

/* Read lines that start with an address and @after; functions of modules end in " [MODULE]". */
static void read_addresses(char *list, char after, uint64_t slide, struct code_table *ret)
{
	char *next = list, *line, *end;

	while ((line = strsep(&next, "\n"))) {
		uint64_t address = strtoull(line, &end, 16);

		if (end != line && *end == after && address && !strchr(line, '['))
			push(ret, (struct code_place){ address - slide, 0 });
	}
}

/**
 * struct name_gap - names in the list between two functions with unique names
 * @names:	names that several functions share
 * @start, @end: addresses of the two functions
 */
struct name_gap {
	VECTOR(const char *) names;
	uint64_t	start, end;
};

/*
 * The list is sorted by address.  If it has a name as often as there are such functions between
 * two others, it has all of them.
 */
static void close_gap(struct name_gap *gap, const struct symbols *syms, struct code_table *ret,
		      struct code_table *unsure)
{
	uint32_t same;

	vector__sort(&gap->names, compare_strings);
	for (uint32_t i = 0; i < gap->names.nr; i += same) {
		const char *name = gap->names.array[i];
		uint32_t nr, first, between = 0;
		const uint32_t *with = symbols__named(syms, name, &nr);

		same = 1;
		while (i + same < gap->names.nr && !strcmp(gap->names.array[i + same], name))
			same++;
		first = first_not_before(at, nr, syms->funcs[with[at]].address < gap->start);
		while (first + between < nr && syms->funcs[with[first + between]].address < gap->end)
			between++;
		for (uint32_t k = first; k < first + between; k++)
			push(same == between ? ret : unsure,
			     (struct code_place){ syms->funcs[with[k]].address, 0 });
	}
	gap->names.nr = 0;
	gap->start = gap->end;
}

static void read_names(char *list, const struct symbols *syms, struct code_table *ret,
		       struct code_table *unsure)
{
	struct name_gap gap = {};
	char *next = list, *line;

	while ((line = strsep(&next, "\n"))) {
		uint32_t nr;
		const uint32_t *with = strchr(line, '[') ? NULL : symbols__named(syms, line, &nr);

		if (!with || !nr)
			continue;
		if (nr > 1) {
			push(&gap.names, line);
			continue;
		}
		gap.end = syms->funcs[*with].address;
		push(ret, (struct code_place){ gap.end, 0 });
		/* not sorted: this is the list of another kernel */
		if (gap.end < gap.start) {
			code_table__destroy(ret);
			break;
		}
		close_gap(&gap, syms, ret, unsure);
	}
	gap.end = UINT64_MAX;
	if (ret->nr)
		close_gap(&gap, syms, ret, unsure);
	free(gap.names.array);
}

void running__read_ftrace(const char *root, const struct symbols *syms, struct code_table *ret,
			  struct code_table *unsure)
{
	char *list __cleanup(free_pointer) =
		read_list(root, "/sys/kernel/tracing/available_filter_functions_addrs");
	uint64_t slide;

	*ret = *unsure = (struct code_table){};
	/* "ffffffff8100a410 do_one_initcall" */
	if (list && find_slide(root, syms, &slide))
		read_addresses(list, ' ', slide, ret);
	if (!ret->nr) {
		free(list);
		list = read_list(root, "/sys/kernel/tracing/available_filter_functions");
		if (list)
			read_names(list, syms, ret, unsure);
	}
	code_table__sort(ret);
	code_table__sort(unsure);
	ret->known = ret->nr;
}

/* --- kprobes --------------------------------------------------------------------- */

void running__read_blacklist(const char *root, const struct symbols *syms, struct code_table *ret)
{
	char *list __cleanup(free_pointer) = read_list(root, "/sys/kernel/debug/kprobes/blacklist");
	uint64_t slide;

	*ret = (struct code_table){};
	/* "0xffffffff8100a410-0xffffffff8100a420\tNAME" */
	if (list && find_slide(root, syms, &slide))
		read_addresses(list, '-', slide, ret);
	code_table__sort(ret);
	ret->known = ret->nr;
}

/* --- modules --------------------------------------------------------------------- */

uint64_t running__section(const char *root, const char *module, const char *section)
{
	char *path __cleanup(free_pointer) =
		xasprintf("%s/sys/module/%s/sections/%s", root, module, section);
	uint8_t *bytes __cleanup(free_pointer) = NULL;
	size_t size;

	if (strchr(section, '/') || file__read(path, O_NONBLOCK, 32, NULL, &bytes, &size))
		return 0;
	return strtoull((char *)bytes, NULL, 16);
}

static int compare_loaded(const void *a, const void *b)
{
	const struct loaded_function *x = a, *y = b;

	return strcmp(x->name, y->name) ?: strcmp(x->module, y->module);
}

/*
 * "ffffffffc0001000 t init_once\t[ext4]".  Trampolines of ftrace and kprobes are in "[__builtin__...]",
 * and BPF programs in "[bpf]": no modules.
 */
void running__read_modules(const char *root, struct loaded_functions *ret)
{
	char *next, *line;

	*ret = (struct loaded_functions){ .list = read_list(root, "/proc/kallsyms") };
	/* most lines are of vmlinux, without a tab, and precede all others */
	next = ret->list ? strchr(ret->list, '\t') : NULL;
	while (next && next > ret->list && next[-1] != '\n')
		next--;
	while ((line = strsep(&next, "\n"))) {
		char *tab = strstr(line, "\t["), *type = strchr(line, ' '), *module;
		size_t len;

		if (!tab || !type || tab - type < 3 || !strchr("tTwW", type[1]))
			continue;
		module = tab + 2;
		len = strcspn(module, "]");
		/* they are printed: a copy of the file may have anything there */
		if (!is_plain_text(module, len, "_-") || !strncmp(module, "__builtin__", 11) ||
		    !strncmp(module, "bpf]", 4))
			continue;
		*tab = 0;
		module[len] = 0;
		push(ret, (struct loaded_function){ type + 3, module });
	}
}

void loaded_functions__sort(struct loaded_functions *l)
{
	vector__sort(l, compare_loaded);
}

void loaded_functions__destroy(struct loaded_functions *l)
{
	free(l->array);
	free(l->list);
}

char *loaded_functions__modules(const struct loaded_functions *l, const char *name, size_t len,
				const char *separator)
{
	const struct loaded_function *last = NULL;
	char *ret = NULL;
	uint32_t i = first_not_before(at, l->nr, strncmp(l->array[at].name, name, len) < 0);

	/* names that only start with it come after it */
	for (; i < l->nr && !strncmp(l->array[i].name, name, len) && !l->array[i].name[len]; i++) {
		if (!last || strcmp(last->module, l->array[i].module))
			xappend(&ret, "%s%s", ret ? separator : "", l->array[i].module);
		last = &l->array[i];
	}
	return ret;
}
