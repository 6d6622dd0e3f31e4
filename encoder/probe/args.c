// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "probe/args.h"
#include "util/memory.h"
#include "util/msg.h"

#define WORD_BITS	64U

/* --- lists ------------------------------------------------------------------------- */

static void destroy_arg(struct arg *arg)
{
	free(arg->name);
	free(arg->root);
	free(arg->path);
	free(arg->reason);
}

static void destroy_args(struct args *args)
{
	for_each(arg, args)
		destroy_arg(arg);
	free(args->array);
	*args = (struct args){};
}

void arg_list__free(struct arg_list *list)
{
	destroy_args(&list->params);
	destroy_args(&list->args);
	free(list);
}

/* Tools accept letters, digits and '_', and each name once. */
static char *make_name(const struct args *args, const char *text)
{
	char *base __cleanup(free_pointer) = xstrdup(*text == '$' ? "ret" : text);
	char *name;

	for (char *c = base; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	name = isdigit((unsigned char)*base) || !*base ? xasprintf("arg%s", base) : xstrdup(base);
	for (uint32_t i = 0, n = 2; i < args->nr; i++) {
		if (strcmp(args->array[i].name, name))
			continue;
		free(name);
		name = xasprintf("%s_%u", base, n++);
		i = -1;
	}
	return name;
}

/* Set what follows from the type and place of a value that is not a bit-field. */
static void set_value(struct arg *arg)
{
	arg->print = arg_type__kind(arg->type) == BTF_KIND_PTR ? PRINT_HEX : PRINT_VALUE;
	arg->size = arg_type__size(arg->type);
	arg->is_signed = arg_type__is_signed(arg->type);
	arg->bits = arg->size <= 16 ? 8 * arg->size : 0;
}

void arg_list__add(struct arg_list *list, const char *name, struct arg_type type,
		   struct arg_place place)
{
	struct arg arg = {
		.root_type = type, .root_place = place, .type = type, .place = place,
		.index = list->params.nr, .by_name = true,
	};
	char *unnamed __cleanup(free_pointer) = *name ? NULL : xasprintf("arg%u", list->params.nr);

	if (list->params.nr == MAX_ARG_PARAMS)
		return;
	arg.path = xstrdup("");
	arg.name = make_name(&list->params, unnamed ?: name);
	arg.root = xstrdup(*name == '$' ? name : arg.name);
	set_value(&arg);
	push(&list->params, arg);
}

void arg_list__add_variable(struct arg_list *list)
{
	struct arg *arg;

	if (list->params.nr == MAX_ARG_PARAMS)
		return;
	arg_list__add(list, "variable", (struct arg_type){},
		      arg_place__none("the call decides how many there are, and their types"));
	arg = &list->params.array[list->params.nr - 1];
	free(arg->root);
	arg->root = xstrdup("...");
}

/* --- members ------------------------------------------------------------------------ */

/**
 * struct path_walk - the evaluation of a path
 * @arg:	the value so far
 * @bit:	offset of the value in a struct that is in registers
 * @whole:	size of that struct in bytes
 * @bits:	of a bit-field, otherwise 0
 */
struct path_walk {
	const struct arg_list	*list;
	struct arg		*arg;
	uint64_t		bit;
	uint64_t		whole;
	uint32_t		bits;
};

__attribute__((format(printf, 2, 3)))
static bool give_reason(struct path_walk *w, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	free(w->arg->reason);
	w->arg->reason = xvasprintf(fmt, args);
	va_end(args);
	return false;
}

/* Move by a number of bytes in the current struct or array. */
static void move_by(struct path_walk *w, int64_t bytes)
{
	struct arg_place *p = &w->arg->place;

	if (p->how == ARG_MEMORY)
		p->offsets[p->nr_reads - 1] += bytes;
	else
		w->bit += 8 * bytes;
}

/* Read the current value, a pointer, and go to its target. */
static bool follow_pointer(struct path_walk *w)
{
	struct arg_place *p = &w->arg->place;

	if (p->how == ARG_MEMORY && p->nr_reads == MAX_ARG_READS)
		return give_reason(w, "more than %u pointers", MAX_ARG_READS);
	if (p->how == ARG_CONSTANT)
		return give_reason(w, "the pointer is a constant");
	if (arg_type__points_to(w->arg->type, "percpu"))
		return give_reason(w, "the pointer is for all CPUs: each has its own value at another address");
	if (p->how == ARG_MEMORY) {
		p->offsets[p->nr_reads++] = 0;
	} else {
		if (w->bit % WORD_BITS || w->bit / WORD_BITS >= p->nr_regs)
			return give_reason(w, "the pointer is not in one register");
		p->regs[0] = p->regs[w->bit / WORD_BITS];
		p->how = ARG_MEMORY;
		p->nr_regs = p->nr_reads = 1;
		p->offsets[0] = p->add;
		p->add = 0;
	}
	w->bit = 0;
	w->arg->type = arg_type__resolve(arg_type__target(w->arg->type));
	return true;
}

/* Maximum nesting of anonymous structs and unions */
#define MAX_ANONYMOUS	16

/* Find a member, also in anonymous structs and unions; add its offset to @bit. */
static bool find_member(struct arg_type type, const char *name, size_t len, unsigned int depth,
			struct child *ret, uint64_t *bit)
{
	const struct btf_type *t = arg_type__get(type);

	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		struct child m = btf_type__child(t, i);
		struct arg_type inner = arg_type__of(type.btf, m.ref);
		const char *member = btf_data__string(type.btf, m.name);

		if (*member ? !strncmp(member, name, len) && !member[len] :
			      depth && kind__is_struct(arg_type__kind(inner)) &&
			      find_member(inner, name, len, depth - 1, ret, bit)) {
			*ret = *member ? m : *ret;
			*bit += m.value;
			return true;
		}
	}
	return false;
}

static bool follow_member(struct path_walk *w, const char *name, size_t len)
{
	struct arg_type type = w->arg->type;
	unsigned int kind = arg_type__kind(type);
	char *text __cleanup(free_pointer) = arg_type__declare(type, "");
	struct child member = {};
	uint64_t bit = 0;

	if (!kind__is_struct(kind))
		return give_reason(w, "'%s' is not a struct or union%s", text,
				   kind == BTF_KIND_FWD ? " whose members are known" :
				   kind == BTF_KIND_PTR ? ": use -> or [0]->" : "");
	if (w->bits || !find_member(type, name, len, MAX_ANONYMOUS, &member, &bit))
		return give_reason(w, "'%s' has no member '%.*s'", text, (int)len, name);
	w->arg->by_name &= !*btf_data__string(type.btf, arg_type__get(type)->name_off) ||
			   arg_type__is_unique(type);
	w->arg->has_wide |= arg_type__has_wide(type);
	w->bits = member.bits;
	w->arg->type = arg_type__of(type.btf, member.ref);
	/* keep the bits of a bit-field that do not fill a byte */
	if (w->arg->place.how == ARG_MEMORY) {
		move_by(w, bit / 8);
		w->bit = bit % 8;
	} else {
		w->bit += bit;
	}
	return true;
}

static bool follow_element(struct path_walk *w, uint64_t n)
{
	struct arg_type type = w->arg->type, element;
	unsigned int kind = arg_type__kind(type);
	uint32_t nr = 0;
	uint64_t size;

	if (kind != BTF_KIND_ARRAY && kind != BTF_KIND_PTR)
		return give_reason(w, "[%" PRIu64 "] needs an array or a pointer", n);
	if (kind == BTF_KIND_ARRAY) {
		nr = ((const struct btf_array *)(arg_type__get(type) + 1))->nelems;
		/* arrays of none or one are also how structs end with any number of elements */
		if (nr > 1 && n >= nr)
			return give_reason(w, "[%" PRIu64 "] is not in the array, which has %u elements", n, nr);
	}
	element = arg_type__target(type);
	size = arg_type__size(element);
	if (!size)
		return give_reason(w, "the size of the elements is not known");
	if (n > INT32_MAX / size)
		return give_reason(w, "[%" PRIu64 "] is too far away", n);
	if (kind == BTF_KIND_PTR && !follow_pointer(w))
		return false;
	/* tools reject elements after an array's type, and one that a pointer leads to has no name */
	w->arg->by_name &= n < nr;
	w->arg->type = element;
	move_by(w, n * size);
	return true;
}

/* Find the value in the constant that is the parameter. */
static bool extract_constant(struct path_walk *w)
{
	struct arg *arg = w->arg;
	uint64_t shift;

	if (!arg->bits || w->whole > 8 || w->bit + arg->bits > 8 * w->whole)
		return give_reason(w, "it is not in one register");
	shift = w->list->big_endian ? 8 * w->whole - w->bit - arg->bits : w->bit;
	arg->place.add = (uint64_t)arg->place.add << (WORD_BITS - shift - arg->bits) >>
			 (WORD_BITS - arg->bits);
	return true;
}

/*
 * Find the value in its register, or in the bytes that are read.  In registers, a part of the last
 * one is in its low bits on any machine.
 */
static bool end_walk(struct path_walk *w)
{
	struct arg *arg = w->arg;
	struct arg_place *p = &arg->place;
	bool big = w->list->big_endian;
	uint64_t unit;

	set_value(arg);
	if (w->bits) {
		arg->bits = w->bits;
		/* C cannot take its address, even where it is all of an integer */
		arg->by_name = false;
	}
	if (p->how == ARG_CONSTANT)
		return (!w->bit && !w->bits && w->whole == arg->size) || extract_constant(w);
	if (p->how == ARG_REGISTER && (w->bit || w->bits || w->whole != arg->size)) {
		uint64_t reg = w->bit / WORD_BITS, first = w->bit % WORD_BITS;
		uint64_t bits = MIN(8 * w->whole - reg * WORD_BITS, WORD_BITS);
		unsigned int nr = (arg->bits + WORD_BITS - 1) / WORD_BITS;

		if (!nr || reg + nr > p->nr_regs || (first && first + arg->bits > WORD_BITS))
			return give_reason(w, "it is not in one register");
		memmove(p->regs, p->regs + reg, nr);
		p->nr_regs = nr;
		arg->shift = big && nr == 1 ? bits - first - arg->bits : first;
	} else if (p->how == ARG_MEMORY && w->bits) {
		/* the smallest integer that contains the bits */
		for (unit = 1; unit < 8; unit *= 2)
			if (w->bit + w->bits <= 8 * unit)
				break;
		if (w->bit + w->bits > 8 * unit)
			return give_reason(w, "the bit-field is not in one integer");
		arg->size = unit;
		arg->shift = big ? 8 * unit - w->bit - w->bits : w->bit;
	}
	return true;
}

/* --- expressions ---------------------------------------------------------------------- */

static size_t word_len(const char *s)
{
	size_t len = 0;

	while (isalnum((unsigned char)s[len]) || s[len] == '_')
		len++;
	return isdigit((unsigned char)*s) ? 0 : len;
}

/* Evaluate the members and elements of a path, whose syntax is valid. */
static bool walk_path(struct path_walk *w, const char *path)
{
	while (*path) {
		if (*path == '[') {
			char *end;
			uint64_t n = strtoull(path + 1, &end, 0);

			path = end + 1;
			if (!follow_element(w, n))
				return false;
			continue;
		}
		if (*path == '-') {
			if (arg_type__kind(w->arg->type) != BTF_KIND_PTR)
				return give_reason(w, "'%s' is not a pointer", path);
			if (!follow_pointer(w))
				return false;
			path++;
		}
		path++;
		if (!follow_member(w, path, word_len(path)))
			return false;
		path += word_len(path);
	}
	return true;
}

/** struct expr - a parsed expression; @type: after the ":", or "" */
struct expr {
	char	*label, *root, *path, *type;
};

static void free_expr(struct expr *e)
{
	free(e->label);
	free(e->root);
	free(e->path);
	free(e->type);
}

/* Return: the length of "->a.b[2]" at @s, or -1 if the syntax is wrong. */
static ssize_t path_len(const char *s)
{
	const char *p = s;

	while (*p == '.' || *p == '-' || *p == '[') {
		if (*p == '[') {
			char *end;

			if (!isdigit((unsigned char)p[1]))
				return -1;
			errno = 0;
			strtoull(p + 1, &end, 0);
			if (errno || *end != ']')
				return -1;
			p = end + 1;
			continue;
		}
		p += *p == '-' ? 2 : 1;
		if ((p[-1] != '.' && p[-1] != '>') || !word_len(p))
			return -1;
		p += word_len(p);
	}
	return p - s;
}

/* Remove spaces, except between words, which are an error. */
static void remove_spaces(char *text)
{
	char *to = text;

	for (char *s = text; *s; s++) {
		char *next = s + strspn(s, " ");

		if (next == s || (to > text && word_len(to - 1) && word_len(next)))
			*to++ = *s;
		else
			s = next - 1;
	}
	*to = 0;
}

static int parse_expr(const char *text, struct expr *e)
{
	const char *p = text;
	size_t len = word_len(p);
	ssize_t path;

	*e = (struct expr){};
	if (len && p[len] == '=') {
		e->label = xstrndup(p, len);
		p += len + 1;
	}
	len = *p == '$' ? 1 + word_len(p + 1) : word_len(p);
	e->root = xstrndup(p, len);
	p += len;
	path = path_len(p);
	if (!len || path < 0)
		return -EINVAL;
	e->path = xstrndup(p, path);
	p += path;
	if (*p == ':')
		e->type = xstrdup(++p);
	return !e->type && *p ? -EINVAL : 0;
}

/*
 * Types of the kernel's fetch arguments that all formats can express.  One with more bits than the
 * value would also print what is next to it.
 */
static bool set_type(struct path_walk *w, const char *type)
{
	struct arg *arg = w->arg;
	unsigned int kind = arg_type__kind(arg->type);
	struct arg_place *p = &arg->place;
	unsigned long bits;
	char *end;

	if (!strcmp(type, "string") || !strcmp(type, "ustring")) {
		arg->print = *type == 's' ? PRINT_STRING : PRINT_USER_STRING;
		return kind == BTF_KIND_PTR || kind == BTF_KIND_ARRAY ||
		       (kind == BTF_KIND_INT && arg->size == 8);
	}
	if (!strchr("usx", *type))
		return false;
	bits = strtoul(type + 1, &end, 10);
	if (*end || (bits != 8 && bits != 16 && bits != 32 && bits != 64) || bits > arg->bits ||
	    (p->how == ARG_MEMORY && arg->shift))
		return false;
	/* the low bits are at the end of the bytes */
	if (p->how == ARG_MEMORY && w->list->big_endian)
		p->offsets[p->nr_reads - 1] += arg->size - bits / 8;
	if (p->how == ARG_REGISTER && p->nr_regs == 2 && w->list->big_endian)
		p->regs[0] = p->regs[1];
	if (p->how == ARG_REGISTER)
		p->nr_regs = 1;
	arg->is_signed = *type == 's';
	arg->print = *type == 'x' ? PRINT_HEX : PRINT_VALUE;
	arg->bits = bits;
	arg->size = bits / 8;
	return true;
}

static char *list_roots(const struct args *params)
{
	char *text = NULL;

	for_each(param, params)
		xappend(&text, "%s%s", text ? ", " : "", param->root);
	return text ?: xstrdup("none");
}

static const struct arg *find_root(const struct args *params, const char *name)
{
	for_each(param, params)
		if (!strcmp(param->root, name))
			return param;
	return NULL;
}

/* perf calls a member by its own name. */
static const char *last_word(const struct expr *e)
{
	const char *word = e->root;

	for (const char *p = e->path; *p; p++)
		if (*p == '.' || *p == '>')
			word = p + 1;
	return e->label ?: word;
}

/* Return: the path to the only scalar of a struct like kuid_t; "" if it has several. */
static char *find_scalar(struct arg_type type)
{
	char *path = xstrdup("");

	for (unsigned int depth = 0; depth < MAX_ANONYMOUS; depth++) {
		const struct btf_type *t = arg_type__get(type);
		struct child m;

		if (arg_type__is_scalar(type))
			return path;
		if (arg_type__kind(type) != BTF_KIND_STRUCT || BTF_INFO_VLEN(t->info) != 1)
			break;
		m = btf_type__child(t, 0);
		if (m.bits)
			break;
		if (*btf_data__string(type.btf, m.name))
			xappend(&path, ".%s", btf_data__string(type.btf, m.name));
		type = arg_type__of(type.btf, m.ref);
	}
	*path = 0;
	return path;
}

/* Go on to the only scalar of a struct. */
static bool walk_scalar(struct path_walk *w)
{
	char *path __cleanup(free_pointer) = find_scalar(w->arg->type);

	xappend(&w->arg->path, "%s", path);
	return walk_path(w, path);
}

static void add_expr(struct arg_list *list, const struct expr *e)
{
	const struct arg *root = find_root(&list->params, e->root);
	struct arg arg = root ? *root : (struct arg){};
	struct path_walk w = { .list = list, .arg = &arg };
	char *label __cleanup(free_pointer) = xstrndup(last_word(e), strcspn(last_word(e), "[-."));

	arg.reason = NULL;
	arg.name = make_name(&list->args, label);
	arg.root = xstrdup(e->root);
	arg.path = xstrdup(e->path);
	if (!root) {
		char *roots __cleanup(free_pointer) = list_roots(&list->params);

		give_reason(&w, "there is no such parameter; parameters: %s", roots);
	} else if (root->place.how != ARG_UNAVAILABLE) {
		w.whole = arg_type__size(arg.type);
		if (walk_path(&w, e->path) && walk_scalar(&w) && end_walk(&w) && e->type &&
		    !set_type(&w, e->type))
			give_reason(&w, "a value of this type cannot be printed as '%s', expected string, ustring, or u, s or x with as many bits as the value or fewer: 8, 16, 32 or 64",
				    e->type);
	}
	push(&list->args, arg);
}

int arg_list__select(struct arg_list *list, const char *text)
{
	int err = 0;

	for (uint32_t i = 0; i < list->params.nr && !text; i++) {
		const struct arg *param = &list->params.array[i];
		struct expr e __cleanup(free_expr) = {
			.label = xstrdup(param->name), .root = xstrdup(param->root),
			.path = xstrdup(""),
		};

		add_expr(list, &e);
	}
	while (text && !err) {
		size_t len = strcspn(text, ",");
		char *one __cleanup(free_pointer) = xstrndup(text, len);
		struct expr e __cleanup(free_expr) = {};

		remove_spaces(one);
		if (parse_expr(one, &e))
			err = msg_fail(-EINVAL, "--args: '%s': expected [LABEL=]NAME, with ->MEMBER, .MEMBER or [N], and a type such as :string, :u32 or :x64",
				       one);
		else
			add_expr(list, &e);
		text = text[len] ? text + len + 1 : NULL;
	}
	return err;
}
