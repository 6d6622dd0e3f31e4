// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <string.h>

#include "dwarf/constants.h"
#include "encode_features.h"
#include "util/jobserver.h"

/* IN_ALL: in "all" only */
enum default_in { NEVER, IN_ALL, OURS, ALWAYS };

/* pahole's features that change nothing here */
#define IGNORED	SIZE_MAX

/* In pahole's order; ours come last. */
static const struct feature {
	const char	*name;
	size_t		offset;		/* of a bool in struct encode_options */
	enum default_in	by_default;
} table[] = {
#define FEATURE(name, field, when)	{ name, offsetof(struct encode_options, field), when }
	FEATURE("encode_force", force, ALWAYS),
	FEATURE("var", load.percpu, ALWAYS),
	FEATURE("float", load.floats, ALWAYS),
	FEATURE("decl_tag", load.decl_tags, ALWAYS),
	FEATURE("type_tag", load.type_tags, ALWAYS),
	FEATURE("enum64", load.enum64, ALWAYS),
	FEATURE("optimized_func", func.optimized, ALWAYS),
	FEATURE("consistent_func", func.consistent, ALWAYS),
	FEATURE("decl_tag_kfuncs", load.kfuncs, ALWAYS),
	{ "reproducible_build", IGNORED, NEVER },
	FEATURE("distilled_base", distill, NEVER),
	FEATURE("global_var", load.global_vars, IN_ALL),
	FEATURE("attributes", load.attributes, IN_ALL),
	FEATURE("true_signature", func.true_signature, IN_ALL),
	FEATURE("layout", layout, NEVER),
	{ "force_cu_merging", IGNORED, NEVER },
	FEATURE("func_addr", addresses, OURS),
	FEATURE("func_unit", func.by_file, OURS),
#undef FEATURE
};

static void set_feature(struct encode_options *opts, const struct feature *feature, bool on)
{
	if (feature->offset != IGNORED)
		*(bool *)((char *)opts + feature->offset) = on;
}

void features__clear(struct encode_options *opts)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		set_feature(opts, &table[i], false);
}

void features__default(struct encode_options *opts, bool ours)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].by_default == ALWAYS || (table[i].by_default == OURS && ours))
			set_feature(opts, &table[i], true);
}

void features__all(struct encode_options *opts)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].by_default == ALWAYS || table[i].by_default == IN_ALL)
			set_feature(opts, &table[i], true);
}

static bool is_name(const char *s, size_t len, const char *name)
{
	return strlen(name) == len && !memcmp(s, name, len);
}

static bool parse_one(struct encode_options *opts, const char *s, size_t len, bool ours)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (is_name(s, len, table[i].name)) {
			set_feature(opts, &table[i], true);
			opts->address_required |=
				table[i].offset == offsetof(struct encode_options, addresses);
			return true;
		}
	}
	if (is_name(s, len, "default"))
		features__default(opts, ours);
	else if (!ours && is_name(s, len, "all"))
		features__all(opts);
	else
		return false;
	return true;
}

const char *features__parse(struct encode_options *opts, const char *list, bool ours)
{
	const char *unknown = NULL;

	if (*list == '+') {
		features__default(opts, ours);
		list++;
	}
	while (*list) {
		size_t len = strcspn(list, ",");

		if (len && !parse_one(opts, list, len, ours))
			unknown = unknown ?: list;
		list += len + (list[len] == ',');
	}
	return unknown;
}

void features__print(FILE *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		fprintf(out, "%s%s", i ? "," : "", table[i].name);
	fputc('\n', out);
}

void features__print_help(void)
{
	fputs("\nFeatures (* are the defaults):", stdout);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		printf("%s %c %-*s", i % 3 ? "" : "\n ", table[i].by_default < OURS ? ' ' : '*',
		       i % 3 == 2 || i == ARRAY_SIZE(table) - 1 ? 0 : 20, table[i].name);
	putchar('\n');
}

void encode_options__default(struct encode_options *opts)
{
	/*
	 * names in Rust are not identifiers, and kernels do not look for them; kbuild
	 * excludes Rust, too
	 */
	*opts = (struct encode_options){
		.load.excluded = { .nr = 1, .numbers = { DW_LANG_Rust } },
		.threads = nr_cores(), .progress = true,
	};
	features__default(opts, true);
}

static const struct {
	const char	*name;
	uint32_t	number;
} languages[] = {
	{ "ada83", DW_LANG_Ada83 }, { "ada95", DW_LANG_Ada95 }, { "asm", DW_LANG_Mips_Assembler },
	{ "asm", DW_LANG_Assembly_6 }, { "bliss", DW_LANG_BLISS }, { "c", DW_LANG_C },
	{ "c89", DW_LANG_C89 }, { "c99", DW_LANG_C99 }, { "c11", DW_LANG_C11 },
	{ "c++", DW_LANG_C_plus_plus },
	{ "c++03", DW_LANG_C_plus_plus_03 }, { "c++11", DW_LANG_C_plus_plus_11 },
	{ "c++14", DW_LANG_C_plus_plus_14 }, { "cobol74", DW_LANG_Cobol74 },
	{ "cobol85", DW_LANG_Cobol85 }, { "d", DW_LANG_D }, { "dylan", DW_LANG_Dylan },
	{ "fortran77", DW_LANG_Fortran77 }, { "fortran90", DW_LANG_Fortran90 },
	{ "fortran95", DW_LANG_Fortran95 }, { "fortran03", DW_LANG_Fortran03 },
	{ "fortran08", DW_LANG_Fortran08 }, { "go", DW_LANG_Go }, { "haskell", DW_LANG_Haskell },
	{ "java", DW_LANG_Java }, { "julia", DW_LANG_Julia }, { "modula2", DW_LANG_Modula2 },
	{ "modula3", DW_LANG_Modula3 }, { "objc", DW_LANG_ObjC },
	{ "objc++", DW_LANG_ObjC_plus_plus }, { "ocaml", DW_LANG_OCaml },
	{ "opencl", DW_LANG_OpenCL }, { "pascal83", DW_LANG_Pascal83 }, { "pli", DW_LANG_PLI },
	{ "python", DW_LANG_Python }, { "renderscript", DW_LANG_RenderScript },
	{ "rust", DW_LANG_Rust }, { "swift", DW_LANG_Swift }, { "upc", DW_LANG_UPC },
};

const char *languages__parse(struct languages *ret, const char *list)
{
	const char *unknown = NULL;

	ret->nr = 0;
	while (*list) {
		size_t len = strcspn(list, ",");
		bool found = false;

		for (size_t i = 0; i < ARRAY_SIZE(languages); i++) {
			if (strlen(languages[i].name) != len ||
			    strncasecmp(list, languages[i].name, len))
				continue;
			found = true;
			/* some may be repeated */
			if (ret->nr < MAX_LANGUAGES)
				ret->numbers[ret->nr++] = languages[i].number;
		}
		if (len && !found)
			unknown = unknown ?: list;
		list += len + (list[len] == ',');
	}
	return unknown;
}

void languages__print(FILE *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++)
		if (!i || strcmp(languages[i - 1].name, languages[i].name))
			fprintf(out, "%s%s", i ? "," : "", languages[i].name);
	fputc('\n', out);
}
