// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/json.h"
#include "probe/abi.h"
#include "probe/fetch.h"
#include "util/memory.h"

static const char why_aggregate[] = "it is a struct, union or array: print a member, an element, or for text :string";
static const char why_float[] = "it is a floating-point number";
static const char why_wide[] = "it has 16 bytes";
static const char why_part[] = "this tool cannot extend the sign of a bit-field or a part of a register";
static const char why_register[] = "this tool has no name for the register";

const char *arg__unavailable(const struct arg *arg)
{
	return arg->reason ?: arg->place.how == ARG_UNAVAILABLE ? arg->place.reason : NULL;
}

bool arg__is_string(const struct arg *arg)
{
	return arg->print == PRINT_STRING || arg->print == PRINT_USER_STRING;
}

bool arg__is_array(const struct arg *arg)
{
	return arg_type__kind(arg->type) == BTF_KIND_ARRAY;
}

bool arg__is_pointer(const struct arg *arg)
{
	return arg_type__kind(arg->type) == BTF_KIND_PTR;
}

bool arg__is_part(const struct arg *arg)
{
	return arg->shift || arg->bits != 8 * arg->size;
}

const char *fetch__reason(const struct arg *arg)
{
	const char *why = arg__unavailable(arg);

	if (why)
		return why;
	if (arg__is_string(arg))
		return arg__is_array(arg) && arg->place.how != ARG_MEMORY ? why_aggregate : NULL;
	if (!arg_type__is_scalar(arg->type))
		return arg_type__kind(arg->type) == BTF_KIND_FLOAT ? why_float : why_aggregate;
	return arg->bits > 64 ? why_wide : NULL;
}

static bool is_integer(unsigned int bits)
{
	return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* --- tracefs ------------------------------------------------------------------------ */

/* MAX_ARGSTR_LEN of kernel/trace/trace_probe.h */
#define MAX_TRACEFS	63

static char *read_tracefs(char *text, int64_t offset)
{
	char *ret = xasprintf("%+" PRId64 "(%s)", offset, text);

	free(text);
	return ret;
}

static char *tracefs_type(const struct arg *arg)
{
	unsigned int container = arg->place.how == ARG_MEMORY ? 8 * arg->size : 64;

	if (arg__is_string(arg))
		return xstrdup(arg->print == PRINT_STRING ? "string" : "ustring");
	if (arg__is_part(arg))
		return xasprintf("b%u@%u/%u", arg->bits, arg->shift, container);
	return xasprintf("%c%u", arg->print == PRINT_HEX ? 'x' :
			 arg->is_signed ? 's' : 'u', arg->bits);
}

char *fetch__tracefs(const struct arg_list *list, const struct arg *arg, const char **reason)
{
	char *type __cleanup(free_pointer) = NULL;
	const struct arg_place *p = &arg->place;
	const char *reg = NULL;
	char *text;

	*reason = fetch__reason(arg);
	if (*reason)
		return NULL;
	if (p->how != ARG_CONSTANT)
		reg = abi__register(list->machine, p->regs[0]);
	if (p->how == ARG_REGISTER && p->add && !arg__is_string(arg))
		*reason = "its value is a register plus a number, which fetch arguments cannot express";
	else if (arg__is_part(arg) && arg->is_signed && !arg__is_string(arg))
		*reason = why_part;
	else if (p->how == ARG_CONSTANT && arg__is_string(arg))
		*reason = "it is a constant address";
	else if (p->how != ARG_CONSTANT && !reg)
		*reason = why_register;
	if (*reason)
		return NULL;
	if (p->how == ARG_CONSTANT)
		text = xasprintf("\\%" PRId64, p->add);
	else if (*arg->root == '$' && p->regs[0] == list->params.array->place.regs[0])
		text = xstrdup("$retval");
	else
		text = xasprintf("%%%s", reg);
	for (int i = 0; i < p->nr_reads; i++)
		text = read_tracefs(text, p->offsets[i]);
	if (arg__is_string(arg) && !arg__is_array(arg))
		text = read_tracefs(text, p->how == ARG_REGISTER ? p->add : 0);
	type = tracefs_type(arg);
	xappend(&text, ":%s", type);
	if (strlen(text) <= MAX_TRACEFS)
		return text;
	*reason = "it would be longer than the 63 characters that the kernel accepts";
	free(text);
	return NULL;
}

/* --- bpftrace ---------------------------------------------------------------------- */

static char *bpftrace_register(const struct arg_list *list, const struct arg_place *p)
{
	int index = list->is_entry ? abi__arg_index(list->machine, p->regs[0]) : -1;
	const char *name = abi__register_in_bpftrace(list->machine, p->regs[0]);

	if (index >= 0)
		return xasprintf("arg%d", index);
	return name ? xasprintf("reg(\"%s\")", name) : NULL;
}

static void add_offset(char **text, int64_t offset)
{
	char *old __cleanup(free_pointer) = *text;

	if (!offset)
		*text = xstrdup(old);
	else
		*text = xasprintf("(%s %c %" PRIu64 ")", old, offset < 0 ? '-' : '+',
				  offset < 0 ? -(uint64_t)offset : (uint64_t)offset);
}

/* Return: the value as a 64-bit number, or the address of a value in memory; NULL: no register */
static char *bpftrace_word(const struct arg_list *list, const struct arg_place *p)
{
	char *text = p->how == ARG_CONSTANT ? xasprintf("%" PRId64, p->add) :
					      bpftrace_register(list, p);

	if (!text || p->how == ARG_CONSTANT)
		return text;
	add_offset(&text, p->how == ARG_REGISTER ? p->add : p->offsets[0]);
	for (int i = 1; i < p->nr_reads; i++) {
		char *old __cleanup(free_pointer) = text;

		text = xasprintf("*(uint64 *)%s", old);
		add_offset(&text, p->offsets[i]);
	}
	return text;
}

/*
 * A pointer to a struct or union that bpftrace finds by its name in the kernel's BTF.  bpftrace 0.17
 * aborts if it contains an __int128.
 */
static char *bpftrace_cast(const struct arg_list *list, struct arg_type type)
{
	struct arg_type target;

	if (list->is_module || arg_type__kind(type) != BTF_KIND_PTR)
		return NULL;
	target = arg_type__target(type);
	if (!kind__is_struct(arg_type__kind(target)) || !arg_type__is_unique(target) ||
	    arg_type__has_wide(target))
		return NULL;
	return xasprintf("(%s %s *)", arg_type__kind(target) == BTF_KIND_STRUCT ? "struct" : "union",
			 btf_data__string(target.btf, arg_type__get(target)->name_off));
}

char *fetch__bpftrace_root(const struct arg_list *list, const struct arg *arg)
{
	char *cast __cleanup(free_pointer) = bpftrace_cast(list, arg->root_type);
	const struct arg_place *p = &arg->root_place;
	char *word __cleanup(free_pointer) = cast && p->how != ARG_UNAVAILABLE ?
					     bpftrace_word(list, p) : NULL;

	if (!word)
		return NULL;
	return xasprintf("%s%s%s", cast, p->how == ARG_MEMORY ? "*(uint64 *)" : "", word);
}

static bool uses_root(const struct arg_list *list, const struct arg *arg)
{
	size_t len = strlen(arg->path);
	/*
	 * bpftrace 0.17 does not find the types that elements of arrays point to.  An array of bytes is
	 * text for it, without elements.
	 */
	bool by_name = *arg->path == '-' && arg->by_name && !arg->has_wide &&
		       !strstr(arg->path, "]->") && !(arg->path[len - 1] == ']' && arg->size == 1);
	char *root __cleanup(free_pointer) = by_name ? fetch__bpftrace_root(list, arg) : NULL;

	return root && !(arg__is_string(arg) && arg__is_array(arg));
}

char *fetch__bpftrace(const struct arg_list *list, const struct arg *arg, const char **format,
		      const char **reason)
{
	const struct arg_place *p = &arg->place;
	char *word __cleanup(free_pointer) = NULL;
	char *cast __cleanup(free_pointer) = NULL;
	bool whole = !*arg->path;

	*reason = fetch__reason(arg);
	if (!*reason && arg__is_part(arg) && arg->is_signed && !is_integer(arg->bits))
		*reason = why_part;
	if (*reason)
		return NULL;
	*format = arg__is_string(arg) ? "%s" : arg->print == PRINT_HEX ? "0x%lx" :
		  arg->is_signed ? (arg->bits == 64 ? "%ld" : "%d") :
		  arg->bits > 32 ? "%lu" : "%u";
	if (uses_root(list, arg)) {
		word = xasprintf("$%s%s", arg->root, arg->path);
	} else if (whole && (cast = fetch__bpftrace_root(list, arg))) {
		word = xasprintf("$%s", arg->root);
	} else {
		word = bpftrace_word(list, p);
		if (!word) {
			*reason = why_register;
			return NULL;
		}
		if (arg__is_array(arg) && arg__is_string(arg))
			return xasprintf("str(%s)", word);
		if (p->how == ARG_MEMORY) {
			char *address __cleanup(free_pointer) = word;

			word = xasprintf("*(uint%u *)%s", arg__is_part(arg) ? 8 * (unsigned int)arg->size :
					 arg__is_string(arg) ? 64 : arg->bits, address);
		}
		if (arg__is_part(arg) && !arg__is_string(arg)) {
			char *all __cleanup(free_pointer) = word;
			uint64_t mask = arg->bits < 64 ? (1ULL << arg->bits) - 1 : UINT64_MAX;

			word = xasprintf("(((uint64)%s >> %u) & 0x%" PRIx64 ")", all, arg->shift, mask);
		}
	}
	if (arg__is_string(arg))
		return xasprintf(arg->print == PRINT_STRING ? "str(%s)" : "str(uptr(%s))", word);
	if (!is_integer(arg->bits))
		return xstrdup(word);
	return xasprintf("(%sint%u)%s", arg->is_signed ? "" : "u", arg->bits, word);
}

/* --- JSON -------------------------------------------------------------------------- */

json_t *fetch__json(const struct arg_list *list, const struct arg *arg)
{
	char *type __cleanup(free_pointer) = arg->type.btf ? arg_type__declare(arg->type, "") : NULL;
	char *text __cleanup(free_pointer) = xasprintf("%s%s", arg->root, arg->path);
	json_t *registers = json_array(), *offsets = json_array();
	const char *why = arg__unavailable(arg);
	const struct arg_place *p = &arg->place;

	for (int i = 0; i < p->nr_regs && !why; i++)
		json_array_append_new(registers, text_json(abi__register(list->machine, p->regs[i])));
	for (int i = 0; i < p->nr_reads && !why; i++)
		json_array_append_new(offsets, json_integer(p->offsets[i]));
	return json_pack("{s:o, s:o, s:o, s:I, s:b, s:I, s:I, s:o, s:o, s:o, s:o, s:o}",
			 "name", text_json(arg->name), "expression", text_json(text),
			 "type", text_json(type), "size", (json_int_t)arg->size,
			 "signed", arg->is_signed, "shift", (json_int_t)arg->shift,
			 "bits", (json_int_t)arg->bits, "registers", registers,
			 "offsets", offsets, "add", why ? json_null() : json_integer(p->add),
			 "reason", text_json(why), "doubt", text_json(why ? NULL : p->reason));
}
