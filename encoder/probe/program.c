// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "probe/abi.h"
#include "probe/fetch.h"
#include "probe/program.h"
#include "util/memory.h"

/* Bytes of a string that are printed */
#define MAX_STRING	64

/* A label in a format string */
static void print_label(const char *label, FILE *f)
{
	for (; *label; label++)
		fputc(strchr("\"\\%$`?", *label) ? '_' : *label, f);
}

/* --- bpftrace ---------------------------------------------------------------------- */

/* Bytes of the values of a printf(): bpftrace 0.17 has them on the stack of 512 bytes */
#define MAX_PRINTF	256

static void print_printf(const char *label, const char *format, const char *values, FILE *f)
{
	fputs("\tprintf(\"", f);
	print_label(label, f);
	fprintf(f, "%s\\n\"%s);\n", format, values);
}

void program__print_bpftrace(const struct arg_list *list, const char *label, FILE *f)
{
	char *format __cleanup(free_pointer) = xstrdup("");
	char *values __cleanup(free_pointer) = xstrdup("");
	unsigned int size = 0;

	fputs("{\n", f);
	for_each(param, &list->params) {
		char *root __cleanup(free_pointer) = NULL;
		bool used = false;

		for_each(arg, &list->args)
			used |= arg__is_available(arg) && !strcmp(arg->root, param->root);
		root = used ? fetch__bpftrace_root(list, param) : NULL;
		if (root)
			fprintf(f, "\t$%s = %s;\n", param->root, root);
	}
	for_each(arg, &list->args) {
		const char *how, *reason;
		char *value __cleanup(free_pointer) = fetch__bpftrace(list, arg, &how, &reason);
		unsigned int bytes = arg__is_string(arg) ? MAX_STRING : 8;

		if (!value)
			continue;
		if (size + bytes > MAX_PRINTF) {
			print_printf(label, format, values, f);
			*format = *values = 0;
			size = 0;
		}
		size += bytes;
		xappend(&format, " %s=%s", arg->name, how);
		xappend(&values, ", %s", value);
	}
	print_printf(label, format, values, f);
	fputs("}\n", f);
}

/* --- C ----------------------------------------------------------------------------- */

/* BPF_KPROBE() of libbpf 1.1 accepts five parameters. */
#define MAX_KPROBE_PARAMS	5

/* bpf_trace_printk() of kernels before 5.16, and of bcc, accepts three values. */
#define MAX_VALUES		3

/**
 * struct program - a function in C
 * @core:	it has the kernel's types, and libbpf's macros; otherwise it reads bytes
 * @nr_params:	number of parameters that the macro declares
 */
struct program {
	const struct arg_list	*list;
	FILE			*f;
	bool			core;
	uint32_t		nr_params;
};

/* Every program has a parameter called ctx: "ctx" becomes "ctx_", "ctx_" becomes "ctx__". */
static char *c_name(const char *name)
{
	bool is_ctx = !strncmp(name, "ctx", 3) && !name[3 + strspn(name + 3, "_")];

	return xasprintf("%s%s", *name == '$' ? "ret" : name, is_ctx ? "_" : "");
}

/* An unsigned integer, or a signed one, with a number of bits */
static char *name_integer(bool is_signed, unsigned int bits)
{
	return xasprintf("%s %s", is_signed ? "signed" : "unsigned", bits <= 8 ? "char" :
			 bits <= 16 ? "short" : bits <= 32 ? "int" : "long");
}

/*
 * Declare a variable with a type of the kernel, or an integer if the type has no unique name.  Only
 * the low byte of a bool is defined, and converting a register to bool would test the others, too;
 * likewise the bits of a packed enum.
 */
static char *declare_variable(const struct arg_list *list, struct arg_type type, const char *name)
{
	char *text = arg_type__is_bool(type) || arg_type__is_packed(type) ? NULL :
		     arg_type__declare_plain(type, name, list->is_module);
	char *integer __cleanup(free_pointer) = name_integer(arg_type__is_signed(type),
							     8 * arg_type__size(type));

	return text ?: xasprintf("%s%s%s", integer, *name ? " " : "", name);
}

/* A register as an expression in C */
static char *register_in_c(const struct program *p, const struct arg_place *place)
{
	const char *name = abi__register_in_c(p->list->machine, place->regs[0]);
	char *text = xasprintf("ctx->%s", name);

	if (place->add)
		xappend(&text, " + %" PRId64, place->add);
	return text;
}

/* Declare @var, the address of a value in memory. */
static void print_address(const struct program *p, const struct arg_place *place, const char *var)
{
	char *reg __cleanup(free_pointer) = register_in_c(p, place);

	fprintf(p->f, "\tunsigned long %s = %s + %" PRId64 ";\n", var, reg, place->offsets[0]);
	for (int i = 1; i < place->nr_reads; i++) {
		fprintf(p->f, "\tbpf_probe_read_kernel(&%s, sizeof(%s), (void *)%s);\n", var, var, var);
		if (place->offsets[i])
			fprintf(p->f, "\t%s += %" PRId64 ";\n", var, place->offsets[i]);
	}
}

/* Append "_" to a name until no parameter has a name that starts with it. */
static char *make_unused(const struct args *params, char *name)
{
	for_each(param, params) {
		if (strncmp(param->root, name, strlen(name)))
			continue;
		xappend(&name, "_");
		param = params->array - 1;
	}
	return name;
}

/* Set @var, which is declared, to a value in memory. */
static void print_read(const struct program *p, const struct arg_place *place, const char *var)
{
	char *at __cleanup(free_pointer) = make_unused(&p->list->params, xasprintf("%s_at", var));

	print_address(p, place, at);
	fprintf(p->f, "\tbpf_probe_read_kernel(&%s, sizeof(%s), (void *)%s);\n", var, var, at);
}

/* Declare a parameter, a scalar that the macro does not declare. */
static void print_root(const struct program *p, const struct arg *param)
{
	char *name __cleanup(free_pointer) = c_name(param->root);
	char *text __cleanup(free_pointer) = declare_variable(p->list, param->root_type, name);
	char *type __cleanup(free_pointer) = declare_variable(p->list, param->root_type, "");
	const struct arg_place *place = &param->root_place;

	if (place->how == ARG_REGISTER) {
		char *reg __cleanup(free_pointer) = register_in_c(p, place);

		fprintf(p->f, "\t%s = (%s)(%s);\n", text, type, reg);
	} else if (place->how == ARG_CONSTANT) {
		fprintf(p->f, "\t%s = (%s)%" PRId64 ";\n", text, type, place->add);
	} else {
		fprintf(p->f, "\t%s = 0;\n", text);
		print_read(p, place, name);
	}
}

/* A value as an expression in C, by the names of members: BPF_CORE_READ(file, f_path.dentry) */
static char *name_value(const struct arg *arg, const char *macro)
{
	const char *arrow = strstr(arg->path, "->"), *next;
	char *root __cleanup(free_pointer) = c_name(arg->root);
	char *text = NULL;

	if (!arrow)
		return xstrdup(root);
	xappend(&text, "%s%s", macro, root);
	for (; arrow; arrow = next) {
		next = strstr(arrow + 2, "->");
		xappend(&text, ", %.*s", next ? (int)(next - arrow - 2) : (int)strlen(arrow + 2),
			arrow + 2);
	}
	xappend(&text, ")");
	return text;
}

/* Declare a string called @var. */
static void print_string(const struct program *p, const struct arg *arg, const char *var, bool named)
{
	const char *read = arg->print == PRINT_STRING ? "bpf_probe_read_kernel_str" :
							"bpf_probe_read_user_str";
	char *into __cleanup(free_pointer) = xasprintf("BPF_CORE_READ_STR_INTO(&%s, ", var);
	bool array = arg__is_array(arg);
	char *value __cleanup(free_pointer) = NULL;

	fprintf(p->f, "\tchar %s[%d] = \"\";\n", var, MAX_STRING);
	if (named && array && strstr(arg->path, "->")) {
		value = name_value(arg, into);
		fprintf(p->f, "\t%s;\n", value);
		return;
	}
	if (named) {
		value = name_value(arg, "BPF_CORE_READ(");
	} else {
		value = xasprintf("%s_at", var);
		if (arg->place.how == ARG_MEMORY) {
			print_address(p, &arg->place, value);
			if (!array)
				fprintf(p->f, "\tbpf_probe_read_kernel(&%s, sizeof(%s), (void *)%s);\n",
					value, value, value);
		} else {
			char *reg __cleanup(free_pointer) = register_in_c(p, &arg->place);

			fprintf(p->f, "\tunsigned long %s = %s;\n", value, reg);
		}
	}
	fprintf(p->f, "\t%s(%s, sizeof(%s), (void *)%s);\n", read, var, var, value);
}

/* Declare an integer called @var; of a bit-field, all of the integer that contains it. */
static void print_integer(const struct program *p, const struct arg *arg, const char *var, bool named)
{
	bool part = arg__is_part(arg), memory = arg->place.how == ARG_MEMORY;
	char *type __cleanup(free_pointer) = name_integer(arg->is_signed && !part, !part ? arg->bits :
						     memory ? 8 * arg->size : 64);
	char *value __cleanup(free_pointer) = NULL;

	if (named)
		value = name_value(arg, "BPF_CORE_READ(");
	else if (arg->place.how == ARG_CONSTANT)
		value = xasprintf("%" PRId64, arg->place.add);
	else if (!memory)
		value = register_in_c(p, &arg->place);
	fprintf(p->f, "\t%s %s = (%s)%s(%s);\n", type, var, type,
		named && arg__is_pointer(arg) && arg->bits < 64 ? "(unsigned long)" : "", value ?: "0");
	if (!value)
		print_read(p, &arg->place, var);
}

/* A format and the value of a variable that was declared by print_string() or print_integer() */
static void add_value(const struct arg *arg, const char *var, char **format, char **values)
{
	unsigned int above = 64 - arg->shift - arg->bits;

	xappend(format, " %s=%s", arg->name, arg__is_string(arg) ? "%s" :
		arg->print == PRINT_HEX ? "0x%lx" :
		arg->is_signed ? "%ld" : "%lu");
	if (arg__is_string(arg))
		xappend(values, ", %s", var);
	else if (!arg__is_part(arg))
		/* char is unsigned in the kernel, but not in BPF */
		xappend(values, ", (%s long)%s%s", arg->is_signed ? "signed" : "unsigned",
			arg->bits == 8 && !arg->is_signed ? "(unsigned char)" : "", var);
	else
		xappend(values, ", (%s long)((unsigned long)%s << %u) >> %u",
			arg->is_signed ? "signed" : "unsigned", var, above, 64 - arg->bits);
}

static void print_log(const struct program *p, const char *label, const char *format,
		      const char *values)
{
	fputs(p->core ? "\tbpf_printk(\"" : "\tbpf_trace_printk(\"", p->f);
	print_label(label, p->f);
	fprintf(p->f, p->core ? "%s\"%s);\n" : "%s\\n\"%s);\n", format, values);
}

/* Return: the variable, or the parameter, with a value, which is declared if necessary. */
static char *print_variable(const struct program *p, const struct arg *arg, bool *declared)
{
	const struct arg *root = &p->list->params.array[arg->index];
	char *var = make_unused(&p->list->params, xasprintf("%s_value", arg->name));
	bool named = p->core && !arg__is_part(arg) && arg_type__is_scalar(root->type) &&
		     root->size <= 8 && (!*arg->path || (arg->by_name && !p->list->is_module &&
							 !arg_type__is_packed(arg->type)));

	if (named && !declared[arg->index])
		print_root(p, root);
	declared[arg->index] |= named;
	if (arg__is_string(arg)) {
		print_string(p, arg, var, named);
	} else if (named && !*arg->path && arg->bits == 8 * root->size) {
		free(var);
		return c_name(arg->root);
	} else {
		print_integer(p, arg, var, named);
	}
	return var;
}

/*
 * Test for so many strings that the stack of 512 bytes may not have space for all of them: those of one
 * message are in a block then.
 */
static bool needs_blocks(const struct program *p)
{
	uint32_t nr = 0;

	for_each(arg, &p->list->args)
		nr += !fetch__reason(arg) && arg__is_string(arg);
	return nr > MAX_VALUES;
}

/* Print the body of a function; the macro has declared the first parameters. */
static void print_body(const struct program *p, const char *label)
{
	bool *declared __cleanup(free_pointer) = xcalloc(p->list->params.nr + 1, sizeof(*declared));
	char *format = xstrdup(""), *values = xstrdup("");
	bool blocks = needs_blocks(p);
	uint32_t nr = 0;

	fputs(blocks ? "{\n\t{\n" : "{\n", p->f);
	for_each(arg, &p->list->args) {
		bool is_first = nr % MAX_VALUES == 0;
		char *var __cleanup(free_pointer) = NULL;

		if (fetch__reason(arg))
			continue;
		if (nr && is_first) {
			print_log(p, label, format, values);
			*format = *values = 0;
			if (blocks)
				fputs("\t}\n\t{\n", p->f);
		}
		for (uint32_t i = 0; i < p->list->params.nr && (!nr || (blocks && is_first)); i++)
			declared[i] = i < p->nr_params;
		var = print_variable(p, arg, declared);
		add_value(arg, var, &format, &values);
		nr++;
	}
	print_log(p, label, format, values);
	fputs(blocks ? "\t}\n\treturn 0;\n}\n" : "\treturn 0;\n}\n", p->f);
	free(format);
	free(values);
}

/* Test whether BPF_KPROBE() declares a parameter: it is in the register with its number. */
static bool is_declared(const struct arg_list *list, const struct arg *param, uint32_t i)
{
	const struct arg_place *place = &param->root_place;

	return list->is_entry && i < MAX_KPROBE_PARAMS && arg_type__is_scalar(param->root_type) &&
	       place->how == ARG_REGISTER && place->nr_regs == 1 && !place->add &&
	       abi__arg_index(list->machine, place->regs[0]) == (int)i;
}

void program__print_c(const struct arg_list *list, const char *name, const char *label, FILE *f)
{
	struct program p = { .list = list, .f = f, .core = true };

	fprintf(f, "int BPF_K%sPROBE(%s", list->is_return ? "RET" : "", name);
	for_each(param, &list->params) {
		char *root __cleanup(free_pointer) = c_name(param->root);
		char *text __cleanup(free_pointer) = declare_variable(list, param->root_type, root);

		if (list->is_return ? !arg_type__is_scalar(param->root_type) || param->size > 8 :
				!is_declared(list, param, p.nr_params))
			break;
		fprintf(f, ", %s", text);
		p.nr_params++;
	}
	fputs(")\n", f);
	print_body(&p, label);
}

void program__print_bcc(const struct arg_list *list, const char *name, const char *label, FILE *f)
{
	struct program p = { .list = list, .f = f };

	fprintf(f, "int %s(struct pt_regs *ctx)\n", name);
	print_body(&p, label);
}
