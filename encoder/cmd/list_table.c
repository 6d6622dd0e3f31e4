// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/list.h"
#include "util/msg.h"

/* Test whether the function's file has another body of its source function. */
static bool shares_file(const struct function_map *map, const struct function *f)
{
	const struct named_functions named = function_map__named(map, f->name, f->source_len);

	for_each(other, &named)
		if (other->kind == CODE_BODY && other->has_offset &&
		    (other->offset != f->offset || other->section != f->section) &&
		    other->file && !strcmp(other->file, f->file))
			return true;
	return false;
}

/*
 * Print a name that selects only this function.  If a source function has several bodies, NAME
 * means all of them, and NAME@FILE all of them in FILE.  So a body without a suffix is called
 * NAME@FILE or, like the first of several functions with its name in a file, NAME@FILE#1.
 */
static void print_name(const struct function_map *map, const struct function *f, FILE *out)
{
	bool has_suffix = f->name[f->source_len] == '.';
	const char *at = strchr(f->name, '@');

	fputs(f->name, out);
	if (f->kind != CODE_BODY || !f->is_shared)
		return;
	if (!at && f->file)
		fprintf(out, "@%s", f->file);
	else if (!at && !has_suffix)
		fprintf(out, "@%s+0x%" PRIx64, function_map__section(map, f->section) ?: "_text",
			f->offset);
	if (f->file && !has_suffix && (!at || !strcmp(at + 1, f->file)) && shares_file(map, f))
		fputs("#1", out);
}

/* "0x10" after _text, or in a module "symbol+0x10" or "[.text]+0x10" */
static void print_place(const struct places *places, const struct function *f, FILE *out)
{
	struct probe probe = places__find(places, f->name, f->section, f->offset);

	if (!places->module)
		fprintf(out, " 0x%" PRIx64, probe.offset);
	else if (probe.symbol)
		fprintf(out, " %s+0x%" PRIx64, probe.symbol, probe.offset);
	else
		fprintf(out, " [%s]+0x%" PRIx64, probe.section, probe.offset);
}

static void print_function(const struct places *places, const struct function *f, FILE *out)
{
	const char *flag = kprobe_verdict__flag(f->verdict);

	print_name(places->map, f, out);
	print_place(places, f, out);
	fprintf(out, "%s%s%s\n", flag ? " " : "", flag ?: "",
		!f->is_unproven ? "" : flag ? ",clone" : " clone");
}

char *list_table__header(const struct build_id *id, const char *module, const char *what)
{
	char hex[BUILD_ID_HEX];

	return xasprintf("abtf-table 1 %s %s %s", build_id__hex(id, hex), module ?: "vmlinux",
			 what);
}

int list_table__print(const char *path, const struct function_map *map,
		      const struct selection *sel, bool all, FILE *out)
{
	struct places places __cleanup(places__destroy) = {};
	char *header __cleanup(free_pointer) = NULL;
	uint32_t nr = 0;
	int err;

	if (!map->id.size)
		return msg_fail(-EINVAL, "%s: has no build id, which a table must contain", path);
	err = places__init(&places, map, NULL);
	if (err)
		return err;
	header = list_table__header(&map->id, places.module,
				    sel->nr ? "selected" : all ? "all" : "shared");
	for_each(chosen, &sel->funcs)
		nr += chosen->func->has_offset;
	/* the number shows whether the end is missing */
	fprintf(out, "%s %" PRIu32 "\n", header, nr);
	for_each(chosen, &sel->funcs)
		if (chosen->func->has_offset)
			print_function(&places, chosen->func, out);
	return 0;
}
