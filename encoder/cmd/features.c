// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <string.h>

#include "cmd/features.h"
#include "util/dwarf.h"

enum default_in { NEVER, OURS, ALWAYS };

/* In the order in which pahole names them; ours come last. */
static const struct feature {
	const char	*name;
	size_t		offset;
	enum default_in	by_default;
} table[] = {
#define FEATURE(name, field, when)	{ name, offsetof(struct features, field), when }
	FEATURE("encode_force", encode_force, ALWAYS),
	FEATURE("var", var, ALWAYS),
	FEATURE("float", float_, ALWAYS),
	FEATURE("decl_tag", decl_tag, ALWAYS),
	FEATURE("type_tag", type_tag, ALWAYS),
	FEATURE("enum64", enum64, ALWAYS),
	FEATURE("optimized_func", optimized_func, ALWAYS),
	FEATURE("consistent_func", consistent_func, ALWAYS),
	FEATURE("decl_tag_kfuncs", decl_tag_kfuncs, ALWAYS),
	FEATURE("reproducible_build", reproducible_build, NEVER),
	FEATURE("distilled_base", distilled_base, NEVER),
	FEATURE("global_var", global_var, NEVER),
	FEATURE("attributes", attributes, NEVER),
	FEATURE("true_signature", true_signature, NEVER),
	FEATURE("layout", layout, NEVER),
	FEATURE("force_cu_merging", force_cu_merging, NEVER),
	FEATURE("func_addr", func_addr, OURS),
	FEATURE("func_unit", func_unit, OURS),
#undef FEATURE
};

static void enable_feature(struct features *f, const struct feature *feature)
{
	*(bool *)((char *)f + feature->offset) = true;
}

void features__default(struct features *f, bool ours)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].by_default == ALWAYS || (table[i].by_default == OURS && ours))
			enable_feature(f, &table[i]);
}

static bool is_name(const char *s, size_t len, const char *name)
{
	return strlen(name) == len && !memcmp(s, name, len);
}

static bool parse_one(struct features *f, const char *s, size_t len, bool ours)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		if (is_name(s, len, table[i].name)) {
			enable_feature(f, &table[i]);
			f->func_addr_asked |= table[i].offset == offsetof(struct features, func_addr);
			return true;
		}
	}
	/* pahole 1.32 ignores unknown names, but this is what --btf_gen_all stands for */
	if (!is_name(s, len, "default") && (ours || !is_name(s, len, "all")))
		return false;
	features__default(f, ours);
	return true;
}

void features__parse(struct features *f, const char *list, bool ours, const char **unknown)
{
	*unknown = NULL;
	if (*list == '+') {
		features__default(f, ours);
		list++;
	}
	while (*list) {
		size_t len = strcspn(list, ",");

		if (len && !parse_one(f, list, len, ours) && !*unknown)
			*unknown = list;
		list += len + (list[len] == ',');
	}
}

void features__print(FILE *out)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		fprintf(out, "%s%s", i ? "," : "", table[i].name);
	fputc('\n', out);
}

void features__apply(const struct features *f, struct encode_options *opts)
{
	opts->load.floats = f->float_;
	opts->load.decl_tags = f->decl_tag;
	opts->load.type_tags = f->type_tag;
	opts->load.attributes = f->attributes;
	opts->load.kfunc_tags = f->decl_tag_kfuncs && f->decl_tag;
	opts->load.enum64 = f->enum64;
	opts->load.percpu = f->var;
	opts->load.global_vars = f->global_var;
	opts->func.address = f->func_addr;
	opts->func.files = f->func_unit;
	opts->func.optimized = f->optimized_func;
	opts->func.consistent = f->consistent_func;
	opts->func.true_signature = opts->load.true_signature = f->true_signature;
	opts->kfuncs = f->decl_tag_kfuncs && f->decl_tag;
	opts->attributes = f->attributes;
	opts->layout = f->layout;
	opts->force = f->encode_force;
}

static const struct {
	const char	*name;
	uint32_t	number;
} languages[] = {
	{ "ada83", DW_LANG_Ada83 }, { "ada95", DW_LANG_Ada95 }, { "asm", DW_LANG_Mips_Assembler },
	{ "asm", DW_LANG_Assembly_6 }, { "bliss", DW_LANG_BLISS }, { "c", DW_LANG_C },
	{ "c89", DW_LANG_C89 }, { "c99", DW_LANG_C99 }, { "c11", DW_LANG_C11 }, { "c++", DW_LANG_C_plus_plus },
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

uint32_t languages__parse(const char *list, uint32_t *ret, const char **unknown)
{
	uint32_t nr = 0;

	*unknown = NULL;
	while (*list && nr < MAX_LANGUAGES) {
		size_t len = strcspn(list, ",");
		bool found = false;

		for (size_t i = 0; i < ARRAY_SIZE(languages) && nr < MAX_LANGUAGES; i++) {
			if (strlen(languages[i].name) != len ||
			    strncasecmp(list, languages[i].name, len))
				continue;
			ret[nr++] = languages[i].number;
			found = true;
		}
		if (len && !found && !*unknown)
			*unknown = list;
		list += len + (list[len] == ',');
	}
	return nr;
}
