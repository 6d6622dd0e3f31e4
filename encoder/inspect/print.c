// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>

#include "inspect/print.h"
#include "util/memory.h"

/* The longest prototype of a 6.12 kernel has some 400 characters, nested 5 deep. */
#define MAX_TEXT	8192
#define MAX_DEPTH	32

/**
 * struct printer - the text so far
 * @failed:	too long, nested too deeply, or not valid C
 */
struct printer {
	const struct btf_data	*btf;
	char			text[MAX_TEXT];
	size_t			len;
	unsigned int		depth;
	bool			failed;
};

/**
 * struct modifiers - the qualifiers and tags of a type
 * @kinds:	a bit for each kind: CONST, VOLATILE, RESTRICT, TYPE_TAG
 * @nr_tags:	ids of type tags, outermost first
 */
struct modifiers {
	unsigned int	kinds;
	unsigned int	nr_tags;
	uint32_t	tags[MAX_MODIFIERS];
};

static void emit_text(struct printer *p, const char *s)
{
	size_t len = strlen(s);

	if (p->failed || len >= MAX_TEXT - p->len) {
		p->failed = true;
		return;
	}
	memcpy(p->text + p->len, s, len + 1);
	p->len += len;
}

/* Insert a blank between a word and the previous word or bracket, but not after "*" or "(". */
static void emit_word(struct printer *p, const char *s)
{
	char last = p->len ? p->text[p->len - 1] : '(';

	if (last != '*' && last != '(' && last != ' ')
		emit_text(p, " ");
	emit_text(p, s);
}

static unsigned int kind_of(const struct printer *p, uint32_t id)
{
	return BTF_INFO_KIND(btf_data__type(p->btf, id)->info);
}

#define PRINTED		(MODIFIERS & ~KIND_BIT(TYPEDEF))

/* Strip the modifiers from a type; duplicates ("const const") are ignored. */
static uint32_t skip_modifiers(struct printer *p, uint32_t id, struct modifiers *mods)
{
	*mods = (struct modifiers){};
	for (unsigned int i = 0; i < MAX_MODIFIERS; i++) {
		unsigned int kind = kind_of(p, id);

		if (!(PRINTED >> kind & 1))
			return id;
		mods->kinds |= 1U << kind;
		if (kind == BTF_KIND_TYPE_TAG)
			mods->tags[mods->nr_tags++] = id;
		id = btf_data__type(p->btf, id)->type;
	}
	p->failed = true;
	return 0;
}

static void emit_qualifiers(struct printer *p, const struct modifiers *mods)
{
	if (mods->kinds & KIND_BIT(CONST))
		emit_word(p, "const");
	if (mods->kinds & KIND_BIT(VOLATILE))
		emit_word(p, "volatile");
	if (mods->kinds & KIND_BIT(RESTRICT))
		emit_word(p, "restrict");
}

/* Use the kernel's names; a tag with kind_flag is an arbitrary attribute. */
static void emit_tags(struct printer *p, const struct modifiers *mods)
{
	for (unsigned int i = 0; i < mods->nr_tags; i++) {
		const struct btf_type *t = btf_data__type(p->btf, mods->tags[i]);
		const char *value = btf_data__string(p->btf, t->name_off);
		const char *before = "__attribute__((btf_type_tag(\"", *after = "\")))";

		if (BTF_INFO_KFLAG(t->info)) {
			before = "__attribute__((";
			after = "))";
		} else if (!strcmp(value, "user") || !strcmp(value, "percpu") ||
			   !strcmp(value, "rcu")) {
			before = "__";
			after = "";
		}
		emit_word(p, before);
		emit_text(p, value);
		emit_text(p, after);
	}
}

/* The type at the start of a declaration: anything except pointer, array and function. */
static void emit_specifier(struct printer *p, uint32_t id)
{
	static const char * const keywords[NR_BTF_KINDS] = {
		[BTF_KIND_UNKN] = "void", [BTF_KIND_INT] = "", [BTF_KIND_FLOAT] = "",
		[BTF_KIND_TYPEDEF] = "", [BTF_KIND_STRUCT] = "struct", [BTF_KIND_UNION] = "union",
		[BTF_KIND_ENUM] = "enum", [BTF_KIND_ENUM64] = "enum", [BTF_KIND_FWD] = "struct",
	};
	const struct btf_type *t = btf_data__type(p->btf, id);
	unsigned int kind = BTF_INFO_KIND(t->info);
	const char *name = btf_data__string(p->btf, t->name_off);

	if (!keywords[kind]) {
		p->failed = true;
		return;
	}
	if (kind == BTF_KIND_FWD && BTF_INFO_KFLAG(t->info))
		kind = BTF_KIND_UNION;
	if (*keywords[kind])
		emit_word(p, keywords[kind]);
	if (kind != BTF_KIND_UNKN)
		emit_word(p, *name ? name : "{...}");
}

/* Test whether a pointer needs brackets: "int (*x)[2]", "int (*x)(void)". */
static bool needs_brackets(struct printer *p, uint32_t target)
{
	struct modifiers mods;
	unsigned int kind = kind_of(p, skip_modifiers(p, target, &mods));

	return kind == BTF_KIND_ARRAY || kind == BTF_KIND_FUNC_PROTO;
}

/*
 * A C declarator is written from the inside out: emit_left() prints the part before
 * the name, emit_right() the part after it.
 */
static void emit_left(struct printer *p, uint32_t id)
{
	const struct btf_type *t;
	struct modifiers mods;

	if (p->failed || ++p->depth > MAX_DEPTH) {
		p->failed = true;
		return;
	}
	id = skip_modifiers(p, id, &mods);
	t = btf_data__type(p->btf, id);
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_PTR:
		emit_left(p, t->type);
		emit_word(p, needs_brackets(p, t->type) ? "(*" : "*");
		emit_qualifiers(p, &mods);
		emit_tags(p, &mods);
		break;
	case BTF_KIND_ARRAY:
		/* a qualified array is an array of qualified elements */
		emit_qualifiers(p, &mods);
		emit_left(p, ((const struct btf_array *)(t + 1))->type);
		emit_tags(p, &mods);
		break;
	case BTF_KIND_FUNC_PROTO:
		/* gcc marks functions that do not return as volatile, which is not valid C */
		emit_left(p, t->type);
		break;
	default:
		emit_qualifiers(p, &mods);
		emit_specifier(p, id);
		emit_tags(p, &mods);
	}
	p->depth--;
}

static void emit_params(struct printer *p, const struct btf_type *proto);

static void emit_right(struct printer *p, uint32_t id)
{
	const struct btf_array *array;
	const struct btf_type *t;
	struct modifiers mods;
	char count[16];

	if (p->failed || ++p->depth > MAX_DEPTH) {
		p->failed = true;
		return;
	}
	t = btf_data__type(p->btf, skip_modifiers(p, id, &mods));
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_PTR:
		if (needs_brackets(p, t->type))
			emit_text(p, ")");
		emit_right(p, t->type);
		break;
	case BTF_KIND_ARRAY:
		array = (const void *)(t + 1);
		snprintf(count, sizeof(count), "[%u]", array->nelems);
		emit_text(p, count);
		emit_right(p, array->type);
		break;
	case BTF_KIND_FUNC_PROTO:
		emit_params(p, t);
		emit_right(p, t->type);
		break;
	}
	p->depth--;
}

static void emit_params(struct printer *p, const struct btf_type *proto)
{
	const struct btf_param *params = (const void *)(proto + 1);
	unsigned int n = BTF_INFO_VLEN(proto->info);

	emit_text(p, "(");
	if (!n)
		emit_text(p, "void");
	for (unsigned int i = 0; i < n && !p->failed; i++) {
		const char *name = btf_data__string(p->btf, params[i].name_off);

		if (i)
			emit_text(p, ", ");
		if (params[i].type) {
			emit_left(p, params[i].type);
			if (*name)
				emit_word(p, name);
			emit_right(p, params[i].type);
		} else if (n > 1) {
			emit_text(p, "...");
		}
	}
	emit_text(p, ")");
}

char *btf_data__declaration(const struct btf_data *btf, uint32_t id, const char *name)
{
	struct printer p;

	p.btf = btf;
	p.len = 0;
	p.depth = 0;
	p.failed = false;
	emit_left(&p, id);
	emit_word(&p, name);
	emit_right(&p, id);
	return xstrdup(p.failed ? "?" : p.text);
}

char *btf_data__prototype(const struct btf_data *btf, uint32_t id)
{
	const struct btf_type *func = btf_data__type(btf, id);
	char *name __cleanup(free_pointer) = NULL;

	if (!func || BTF_INFO_KIND(func->info) != BTF_KIND_FUNC)
		return xstrdup("?");
	/* as a declaration of the FUNC_PROTO's type, with the FUNC's name */
	name = xstrdup(btf_data__string(btf, func->name_off));
	name[strcspn(name, "@")] = '\0';
	return btf_data__declaration(btf, func->type, name);
}
