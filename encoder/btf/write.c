// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/layout.h"
#include "btf/parts.h"
#include "btf/split.h"
#include "btf/write.h"
#include "types/shape.h"
#include "types/unify.h"
#include "util/bytes.h"
#include "util/grow.h"
#include "util/memory.h"
#include "util/msg.h"

/* Type data, which consists of 32-bit words. */
struct words {
	VECTOR(uint32_t);
};

static int add_words(struct words *w, uint32_t nr, const uint32_t *words)
{
	if (grow(&w->array, &w->cap, (uint64_t)w->nr + nr, sizeof(*w->array)))
		return -ENOMEM;
	memcpy(w->array + w->nr, words, nr * sizeof(*words));
	w->nr += nr;
	return 0;
}

#define ADD(w, ...)						\
({								\
	const uint32_t _words[] = { __VA_ARGS__ };		\
	add_words(w, ARRAY_SIZE(_words), _words);		\
})

/* ADD() for a type or an element that starts with a name; @name may be a negative errno. */
#define ADD_NAMED(w, name, ...)					\
({								\
	const int64_t _name = (name);				\
	_name < 0 ? (int)_name : ADD(w, _name, __VA_ARGS__);	\
})

static uint32_t make_info(uint32_t kind, uint32_t vlen, bool kind_flag)
{
	return (uint32_t)kind_flag << 31 | kind << 24 | vlen;
}

/**
 * struct writer - numbering and text of one btf_out__write()
 * @ids:	by node: its id, 0 if it has none
 * @same:	by node: the first equal one
 * @order:	nodes that are written, sorted by their ids
 * @nr_types:	their number, including an added "int"
 * @first_id:	id of the first of them
 * @text:	strings, each once
 * @offsets:	by string id: offset of its identifier, 0 if it is not there yet
 * @nr_renamed:	number of strings that are not identifiers
 * @index:	id of the INT that arrays are indexed by, 0 for none
 * @adds_int:	it is added after the types, because no type is an "int"
 */
struct writer {
	const struct btf_out	*out;
	const struct store	*store;
	uint32_t		*ids;
	uint32_t		*same;
	uint32_t		*order;
	uint32_t		nr_types;
	uint32_t		first_id;
	uint32_t		index;
	bool			adds_int;
	struct split		text;
	uint32_t		*offsets;
	uint32_t		nr_renamed;
	struct words		types;
};

/* __btf_name_valid() of the kernel takes these; digits not in the first place */
static const bool in_identifier[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true,
	['_'] = true, ['.'] = true,
};

/* KSYM_NAME_LEN, with the NUL */
#define MAX_NAME	512

/* "Option<u32>" becomes "Option_u32_".  Return: whether the name was changed. */
static bool make_identifier(char *to, const char *s, uint32_t len)
{
	bool renamed = len >= MAX_NAME;
	uint32_t i;

	for (i = 0; i < len && i < MAX_NAME - 1; i++) {
		to[i] = in_identifier[(unsigned char)s[i]] && (i || s[i] < '0' || s[i] > '9') ?
			s[i] : '_';
		renamed |= to[i] != s[i];
	}
	to[i] = '\0';
	return renamed;
}

/* A name that the kernel requires to be an identifier. */
static int64_t name_offset(struct writer *w, uint32_t id)
{
	const struct string *s = &w->store->strings.array[id];
	char name[MAX_NAME];
	int64_t offset;

	if (!id || w->offsets[id])
		return w->offsets[id];
	if (make_identifier(name, s->s, s->len)) {
		w->nr_renamed++;
		offset = split__string(&w->text, name);
	} else {
		offset = split__hashed(&w->text, s->s, s->len, s->hash);
	}
	if (offset > 0)
		w->offsets[id] = offset;
	return offset;
}

/* A name of any characters, or none. */
static int64_t text_offset(struct writer *w, uint32_t id)
{
	const struct string *s = &w->store->strings.array[id];

	return split__hashed(&w->text, s->s, s->len, s->hash);
}

/* Types of the base are not written. */
static bool in_base(const struct writer *w, uint32_t node)
{
	return w->out->base && w->out->base_ids[node];
}

/* --- numbering --------------------------------------------------------------- */

static int compare_firsts(const void *x, const void *y, void *arg)
{
	const uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
	const struct node *a = (const struct node *)arg + i, *b = (const struct node *)arg + k;

	/*
	 * A variant may have the same place as its plain form, and several nodes may have been
	 * made from one prototype.
	 */
	return cmp_int(a->first, b->first) ?:
	       cmp_int(a->flags & TYPE_VARIANT, b->flags & TYPE_VARIANT) ?: cmp_int(i, k);
}

/* Find the nodes to write, sorted by where they were seen first. */
static int find_types(struct writer *w)
{
	const struct store *s = w->store;
	bool *wanted __cleanup(free_pointer) = xcalloc(s->nr_nodes, sizeof(*wanted));

	w->order = xcalloc(s->nr_nodes, sizeof(*w->order));
	if (!wanted || !w->order)
		return -ENOMEM;
	for (uint32_t i = 0; i < w->out->nr_funcs; i++)
		wanted[w->out->funcs[i].proto] = true;
	for (uint32_t id = 1; id < s->nr_nodes; id++)
		if ((s->nodes[id].count || wanted[id]) && !in_base(w, id))
			w->order[w->nr_types++] = id;
	qsort_r(w->order, w->nr_types, sizeof(*w->order), compare_firsts, s->nodes);
	return 0;
}

static int number_types(struct writer *w)
{
	uint32_t nr = 0;

	w->ids = xcalloc(w->store->nr_nodes, sizeof(*w->ids));
	if (!w->ids)
		return -ENOMEM;
	for (uint32_t i = 0; i < w->nr_types; i++)
		if (w->same[w->order[i]] == w->order[i])
			w->ids[w->order[i]] = w->first_id + nr++;
	for (uint32_t i = 0; i < w->nr_types; i++)
		w->ids[w->order[i]] = w->ids[w->same[w->order[i]]];
	nr = 0;
	for (uint32_t i = 0; i < w->nr_types; i++)
		if (w->same[w->order[i]] == w->order[i])
			w->order[nr++] = w->order[i];
	w->nr_types = nr;
	for (uint32_t id = 1; w->out->base && id < w->store->nr_nodes; id++)
		if (w->out->base_ids[id])
			w->ids[id] = w->out->base_ids[id];
	return 0;
}

static bool is_plain_int(const struct store *s, const struct node *n)
{
	return n->kind == BTF_KIND_INT && n->size == 4 && n->encoding == BTF_INT_SIGNED &&
	       !strcmp(store__name(s, n), "int");
}

/* --- types, one kind at a time ----------------------------------------------- */

/* The elements of a type: members, enumerators or parameters. */
static int write_children(struct writer *w, const struct node *n)
{
	const struct child *c = w->store->children + n->child, *end = c + n->nr_children;
	bool bits = n->flags & TYPE_BITFIELDS;
	struct words *t = &w->types;
	int err = 0;

	for (; !err && c < end; c++) {
		int64_t name = name_offset(w, c->name);
		uint32_t value = c->value;

		switch (n->kind) {
		case BTF_KIND_ENUM:
			err = ADD_NAMED(t, name, value);
			break;
		case BTF_KIND_ENUM64:
			err = ADD_NAMED(t, name, value, (uint32_t)(c->value >> 32));
			break;
		case BTF_KIND_FUNC_PROTO:
			err = ADD_NAMED(t, name, w->ids[c->ref]);
			break;
		default: /* STRUCT, UNION */
			err = ADD_NAMED(t, name, w->ids[c->ref], bits ? c->bits << 24 | value : value);
		}
	}
	/* btf.rst: "..." is a last parameter without name and type */
	if (!err && n->kind == BTF_KIND_FUNC_PROTO && n->flags & TYPE_VARARGS)
		err = ADD(t, 0, 0);
	return err;
}

static int write_type(struct writer *w, const struct node *n)
{
	uint32_t vlen = n->nr_children, ref = w->ids[n->ref];
	int64_t name = btf_kinds[n->kind].naming >= NAME_TEXT ? text_offset(w, n->name) :
								name_offset(w, n->name);
	struct words *t = &w->types;

	switch (n->kind) {
	case BTF_KIND_INT:
		return ADD_NAMED(t, name, make_info(n->kind, 0, false), n->size,
				 (uint32_t)n->encoding << 24 | n->size * 8);
	case BTF_KIND_FLOAT:
		return ADD_NAMED(t, name, make_info(n->kind, 0, false), n->size);
	case BTF_KIND_ARRAY:
		return ADD(t, 0, make_info(n->kind, 0, false), 0, ref, w->index, n->size);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		if (n->flags & TYPE_FORWARD)
			return ADD_NAMED(t, name,
					 make_info(BTF_KIND_FWD, 0, n->kind == BTF_KIND_UNION), 0);
		/* fall through */
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return ADD_NAMED(t, name, make_info(n->kind, vlen, node__flag(n)), n->size) ?:
		       write_children(w, n);
	case BTF_KIND_FUNC_PROTO:
		vlen += node__flag(n);
		return ADD(t, 0, make_info(n->kind, vlen, false), ref) ?: write_children(w, n);
	default: /* PTR, TYPEDEF, CONST, VOLATILE, RESTRICT, TYPE_TAG */
		return ADD_NAMED(t, name, make_info(n->kind, 0, node__flag(n)), ref);
	}
}

/* Arrays are indexed by "int"; an image without one gets it. */
static void find_index_type(struct writer *w)
{
	bool arrays = false;

	for (uint32_t i = 0; i < w->nr_types; i++) {
		const struct node *n = &w->store->nodes[w->order[i]];

		arrays |= n->kind == BTF_KIND_ARRAY;
		if (!w->index && is_plain_int(w->store, n))
			w->index = w->first_id + i;
	}
	if (!arrays || w->index)
		return;
	w->index = w->out->base ? w->out->base->int_type : 0;
	if (w->index)
		return;
	w->adds_int = true;
	w->index = w->first_id + w->nr_types;
}

static int write_types(struct writer *w)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < w->nr_types; i++)
		err = write_type(w, &w->store->nodes[w->order[i]]);
	if (err || !w->adds_int)
		return err;
	w->nr_types++;
	return ADD_NAMED(&w->types, split__string(&w->text, "int"),
			 make_info(BTF_KIND_INT, 0, false), 4, BTF_INT_SIGNED << 24 | 32);
}

/* --- after the types ---------------------------------------------------------- */

static int write_funcs(struct writer *w, struct btf_bytes *ret)
{
	const struct out_func *f = w->out->funcs, *end = f + w->out->nr_funcs;
	int err = 0;

	ret->record_at = xcalloc(w->out->nr_funcs + 1UL, sizeof(*ret->record_at));
	if (!ret->record_at)
		return -ENOMEM;
	for (; !err && f < end; f++) {
		struct btf_func record = btf_func__make(f->offset);

		err = ADD_NAMED(&w->types, split__string(&w->text, f->name),
				make_info(BTF_KIND_FUNC, f->linkage, f->record), w->ids[f->proto]);
		if (err || !f->record)
			continue;
		ret->record_at[f - w->out->funcs] = BTF_HEADER_MIN + w->types.nr * 4;
		err = ADD(&w->types, record.addr_lo, record.addr_hi);
	}
	return err;
}

static int write_vars(struct writer *w)
{
	int err = 0;

	for_each(v, &w->out->vars)
		err = err ?: ADD_NAMED(&w->types, split__string(&w->text, v->name),
				       make_info(BTF_KIND_VAR, 0, false), w->ids[v->type],
				       v->linkage);
	return err;
}

/* A DATASEC ends with its last variable, as in pahole. */
static int write_sections(struct writer *w, uint32_t first_var)
{
	const struct out_var *vars = w->out->vars.array;
	uint32_t i, end, nr = w->out->vars.nr;
	int err = 0;

	for (i = 0; !err && i < nr; i = end) {
		int64_t name = split__string(&w->text, vars[i].section_name);

		for (end = i; end < nr && vars[end].section == vars[i].section; end++)
			;
		if (name >= 0 && end - i > 65535)
			return msg_fail(-E2BIG,
					"%s has more than 65535 variables, the limit of BTF",
					vars[i].section_name);
		err = ADD_NAMED(&w->types, name, make_info(BTF_KIND_DATASEC, end - i, false),
				vars[end - 1].offset + vars[end - 1].size);
		for (uint32_t k = i; !err && k < end; k++)
			err = ADD(&w->types, first_var + k, vars[k].offset, vars[k].size);
	}
	return err;
}

struct final_tag {
	uint32_t	target;
	uint32_t	component;
	uint32_t	name;
	const char	*value;
	bool		attribute;
};

static int compare_tags(const void *x, const void *y)
{
	const struct final_tag *a = x, *b = y;

	/* -1, for the whole, first */
	return cmp_int(a->target, b->target) ?: cmp_int(a->component + 1, b->component + 1) ?:
	       strcmp(a->value, b->value) ?: a->attribute - b->attribute;
}

static int write_tags(struct writer *w, uint32_t first_func, uint32_t first_var)
{
	const struct out_tag *tags = w->out->tags.array;
	uint32_t nr = w->out->tags.nr;
	struct final_tag *final __cleanup(free_pointer) = xcalloc(nr + 1, sizeof(*final));
	int err = 0;

	if (!final)
		return -ENOMEM;
	for (uint32_t i = 0; i < nr; i++) {
		int64_t name = split__string(&w->text, tags[i].value);

		if (name < 0)
			return name;
		final[i] = (struct final_tag){
			.target = tags[i].on == OUT_FUNC ? first_func + tags[i].target :
				  tags[i].on == OUT_VAR ? first_var + tags[i].target :
				  w->ids[tags[i].target],
			.component = tags[i].component, .name = name, .value = tags[i].value,
			.attribute = tags[i].attribute,
		};
	}
	qsort(final, nr, sizeof(*final), compare_tags);
	for (uint32_t i = 0; !err && i < nr; i++)
		/* a type of the base has the base's tags */
		if (final[i].target >= w->first_id && (!i || compare_tags(&final[i], &final[i - 1])))
			err = ADD(&w->types, final[i].name,
				  make_info(BTF_KIND_DECL_TAG, 0, final[i].attribute),
				  final[i].target, final[i].component);
	return err;
}

static uint32_t count_sections(const struct btf_out *out)
{
	uint32_t nr = 0;

	for_each(var, &out->vars)
		nr += var == out->vars.array || var->section != var[-1].section;
	return nr;
}

/* --- all together ------------------------------------------------------------ */

/* Sort the strings as in @like, and change all names to their new offsets. */
static int order_strings(struct writer *w)
{
	const struct btf_data *like = w->out->like;
	uint32_t start = like->strs_start, *name;
	uint32_t *p = w->types.array, *end = p + w->types.nr;
	struct split old = w->text;
	const char *text = old.text.array, *s;
	int64_t offset = 0;

	if (like->strs_len == old.text.nr && !memcmp(like->strs, text, old.text.nr))
		return 0;
	offset = split__init(&w->text, w->out->base, w->store->strings.nr);
	for (s = like->strs; offset >= 0 && s < like->strs + like->strs_len; s += strlen(s) + 1)
		if (split__has(&old, s))
			offset = split__string(&w->text, s);
	for (s = text; offset >= 0 && s < text + old.text.nr; s += strlen(s) + 1)
		offset = split__string(&w->text, s);
	for (; p < end; p += btf_data__type_size((struct btf_type *)p) / 4) {
		for_each_name(name, (struct btf_type *)p) {
			if (*name < start || offset < 0)
				continue;
			offset = split__string(&w->text, text + (*name - start));
			*name = offset;
		}
	}
	split__destroy(&old);
	return offset < 0 ? offset : 0;
}

static int assemble_sections(const struct writer *w, struct btf_bytes *ret)
{
	struct kind_layout layouts[NR_BTF_KINDS];
	struct btf_parts parts = {
		.types = w->types.array, .types_len = w->types.nr * 4,
		.strs = w->text.text.array, .strs_len = w->text.text.nr,
	};

	/* the layout of a FUNC with an address differs; a module's readers use the base's */
	if (w->out->layout && !w->out->base && !ret->records) {
		for (unsigned int kind = 0; kind < NR_BTF_KINDS; kind++)
			layouts[kind] = kind_layout(kind);
		parts.layout = layouts;
		parts.layout_len = sizeof(layouts);
	}
	return btf_parts__join(&parts, w->out->big_endian, &ret->bytes, &ret->size);
}

static int write_tail(struct writer *w, struct btf_bytes *ret)
{
	uint32_t first_func = w->first_id + w->nr_types, first_var = first_func + w->out->nr_funcs;
	uint32_t start = w->types.nr;
	int err;

	ret->nr_types = w->nr_types;
	ret->nr_renamed = w->nr_renamed;
	ret->first_func = first_func;
	err = write_funcs(w, ret);
	ret->records = (w->types.nr - start - 3 * w->out->nr_funcs) * 4;
	err = err ?: write_vars(w);
	err = err ?: write_sections(w, first_var);
	start = w->types.nr;
	err = err ?: write_tags(w, first_func, first_var);
	ret->tags = (w->types.nr - start) * 4;
	/* the kernel's limit on ids, btf.h: BTF_MAX_TYPE */
	if (!err && (uint64_t)first_var + w->out->vars.nr + count_sections(w->out) +
		    (w->types.nr - start) / 4 > BTF_MAX_TYPE) {
		msg_error("more than %u types, the kernel's limit", BTF_MAX_TYPE);
		err = -E2BIG;
	}
	return err;
}

int btf_out__write(const struct btf_out *out, struct btf_bytes *ret)
{
	struct writer w = { .out = out, .store = out->store };
	int err;

	*ret = (struct btf_bytes){};
	w.offsets = xcalloc(out->store->strings.nr, sizeof(*w.offsets));
	if (!w.offsets)
		return -ENOMEM;
	w.first_id = out->base ? btf_data__end_id(out->base->btf) : 1;
	/* a base has nearly all of them */
	err = split__init(&w.text, out->base, out->base ? 0 : out->store->strings.nr);
	err = err ?: find_types(&w);
	if (!err)
		w.same = store__unify(w.store, w.order, w.nr_types, out->base_ids);
	err = err ?: number_types(&w);
	/* about as much as will be needed, so that little is copied when it grows */
	err = err ?: grow(&w.types.array, &w.types.cap, 4 * w.nr_types + 3UL * w.store->nr_children +
			  5 * out->nr_funcs, sizeof(*w.types.array));
	if (!err)
		find_index_type(&w);
	err = err ?: write_types(&w);
	err = err ?: write_tail(&w, ret);
	if (!err && out->like)
		err = order_strings(&w);
	err = err ?: assemble_sections(&w, ret);
	free(w.types.array);
	free(w.offsets);
	free(w.ids);
	free(w.same);
	free(w.order);
	split__destroy(&w.text);
	return err;
}

void btf_out__destroy(struct btf_out *out)
{
	free(out->base_ids);
	free(out->funcs);
	free(out->vars.array);
	free(out->tags.array);
}
