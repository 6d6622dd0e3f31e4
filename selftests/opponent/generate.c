// SPDX-License-Identifier: GPL-2.0-only
/*
 * Generates a random program: functions whose signatures a compiler may want to change.
 *
 *	generate SEED DIR
 *
 * Writes DIR/unit0.c and so on. A function reports its number, the values of some of its
 * parameters, and its result to harness.c. It then calls functions of the next level, so there is
 * no recursion. A parameter is called pN or, if it is of type number T, pN_T, where N is unique in
 * the program: wherever BTF lists it, the harness knows its value.
 *
 * All calls of some functions pass the same constant, or ignore the result. Some parameters are not
 * used. Some static functions share a name with functions of other units.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "types.h"

#define NR_UNITS	3
#define NR_LEVELS	4
#define PER_LEVEL	15
#define NR_FUNCS	(NR_LEVELS * PER_LEVEL)
#define MAX_PARAMS	9

struct param {
	enum type	type;
	bool		used;
	bool		constant;	/* in all calls */
	int		value;
};

struct func {
	char		name[16];
	int		unit;
	bool		is_static;
	bool		taken;		/* its address is */
	bool		ignored;	/* all calls ignore its result */
	int		nr_params;
	int		number;		/* of its first parameter */
	enum type	ret;
	struct param	params[MAX_PARAMS];
};

static struct func funcs[NR_FUNCS];
static uint64_t state;

static unsigned int below(unsigned int max)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 33) % max;
}

static bool percent(unsigned int chance)
{
	return below(100) < chance;
}

static bool is_taken(const char *name, int unit, int nr)
{
	for (int i = 0; i < nr; i++)
		if (funcs[i].unit == unit && !strcmp(funcs[i].name, name))
			return true;
	return false;
}

static void choose_funcs(void)
{
	int number = 0;

	for (int i = 0; i < NR_FUNCS; i++) {
		struct func *f = &funcs[i];

		f->unit = below(NR_UNITS);
		f->is_static = i >= PER_LEVEL && percent(75);
		snprintf(f->name, sizeof(f->name), "twin%u", below(6));
		if (!f->is_static || percent(60) || is_taken(f->name, f->unit, i))
			snprintf(f->name, sizeof(f->name), "f%d", i);
		f->taken = percent(15);
		f->ignored = percent(25);
		f->ret = percent(15) ? TYPE_VOID : below(TYPE_CHAR) + TYPE_LONG;
		f->number = number;
		f->nr_params = below(MAX_PARAMS + 1);
		number += f->nr_params;
		for (int p = 0; p < f->nr_params; p++)
			f->params[p] = (struct param){
				.type = percent(60) ? below(TYPE_CHAR) + TYPE_LONG :
						      below(NR_TYPES - 1) + TYPE_LONG,
				.used = percent(75), .constant = percent(25),
				.value = below(100),
			};
	}
}

static void print_head(FILE *out, const struct func *f)
{
	fprintf(out, "%s__attribute__((noinline)) %s %s(", f->is_static ? "static " : "",
		types[f->ret].text, f->name);
	for (int p = 0; p < f->nr_params; p++)
		fprintf(out, "%s%s p%d_%d", p ? ", " : "", types[f->params[p].type].text,
			f->number + p, f->params[p].type);
	fprintf(out, "%s)", f->nr_params ? "" : "void");
}

/* A long: a constant, or a value that depends on an argument of the caller. */
static void print_number(FILE *out, const struct func *caller)
{
	int p = caller->nr_params ? below(caller->nr_params) : 0;
	enum type type = caller->params[p].type;

	if (!caller->nr_params || !caller->params[p].used || percent(20))
		fprintf(out, "%u", below(1000));
	else
		fprintf(out, "(long)p%d_%d%s + %u", caller->number + p, type,
			types[type].words[0] ? types[type].words[0] : "", below(1000));
}

static void print_argument(FILE *out, const struct func *caller, const struct param *param)
{
	int nr = type__nr_words(param->type);

	if (param->constant && param->type < TYPE_ONE) {
		fprintf(out, "%d", param->value);
		return;
	}
	if (param->type == TYPE_POINTER) {
		fprintf(out, "&(struct pair){ ");
	} else if (param->type >= TYPE_ONE) {
		fprintf(out, "(%s){ ", types[param->type].text);
	} else {
		fprintf(out, "(%s)(", types[param->type].text);
		print_number(out, caller);
		fprintf(out, ")");
		return;
	}
	for (int i = 0; i < nr; i++) {
		if (param->constant)
			fprintf(out, "%s%d", i ? ", " : "", param->value + i);
		else if (fprintf(out, "%s", i ? ", " : ""), true)
			print_number(out, caller);
	}
	fprintf(out, " }");
}

static void print_call(FILE *out, const struct func *caller, const struct func *callee)
{
	fprintf(out, "\t%s%s(", callee->ret == TYPE_VOID || callee->ignored ? "" : "sum += ",
		callee->name);
	for (int p = 0; p < callee->nr_params; p++) {
		if (p)
			fprintf(out, ", ");
		print_argument(out, caller, &callee->params[p]);
	}
	fprintf(out, ");\n");
}

static void print_body(FILE *out, int index)
{
	const struct func *f = &funcs[index];
	int level = index / PER_LEVEL;

	fprintf(out, "\n{\n\tlong sum = %u;\n\n\tentered(%d);\n", below(1000), index);
	for (int p = 0; p < f->nr_params; p++) {
		int nr = type__nr_words(f->params[p].type), number = f->number + p;

		/* of a struct, perhaps not all words are used */
		for (int i = 0; f->params[p].used && i < nr; i++) {
			const char *word = types[f->params[p].type].words[i];

			if (i && percent(40))
				continue;
			fprintf(out, "\targument(%d, %d, p%d_%d%s);\n", number, i, number,
				f->params[p].type, word ? word : "");
			fprintf(out, "\tsum = sum * 3 + p%d_%d%s;\n", number, f->params[p].type,
				word ? word : "");
		}
	}
	for (int n = 10, calls = 0; n && calls < 4 && level + 1 < NR_LEVELS; n--) {
		const struct func *callee = &funcs[(level + 1) * PER_LEVEL + below(PER_LEVEL)];

		if (callee->is_static && callee->unit != f->unit)
			continue;
		print_call(out, f, callee);
		calls++;
	}
	if (f->ret == TYPE_VOID)
		fprintf(out, "\tresult(%d, 0, sum);\n}\n\n", index);
	else
		fprintf(out, "\tresult(%d, sizeof(%s), (%s)sum);\n\treturn sum;\n}\n\n", index,
			types[f->ret].text, types[f->ret].text);
}

int main(int argc, char **argv)
{
	char path[4096];

	if (argc != 3)
		return 2;
	state = strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15 + 1;
	choose_funcs();
	for (int unit = 0; unit < NR_UNITS; unit++) {
		FILE *out;

		snprintf(path, sizeof(path), "%s/unit%d.c", argv[2], unit);
		out = fopen(path, "w");
		if (!out)
			return 1;
		fprintf(out, "#include \"program.h\"\n\n");
		for (int i = 0; i < NR_FUNCS; i++) {
			if (funcs[i].is_static && funcs[i].unit != unit)
				continue;
			print_head(out, &funcs[i]);
			fprintf(out, ";\n");
		}
		for (int i = NR_FUNCS - 1; i >= 0; i--) {
			if (funcs[i].unit != unit)
				continue;
			print_head(out, &funcs[i]);
			print_body(out, i);
			if (funcs[i].taken)
				fprintf(out, "void *const address%d __attribute__((used)) = %s;\n\n",
					i, funcs[i].name);
		}
		if (fclose(out))
			return 1;
	}
	return 0;
}
