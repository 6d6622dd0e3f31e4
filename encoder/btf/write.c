// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/sections.h"
#include "btf/out_strings.h"
#include "btf/write.h"
#include "types/shape.h"
#include "types/unify.h"
#include "util/memory.h"
#include "util/msg.h"

/**
 * struct writer - ids and strings of one btf_out__write()
 * @ids:	by node: its id, 0 if it is not written
 * @order:	nodes that are written, @nr_nodes, sorted by their ids
 * @first_id:	of the first type; @nr_ids were written
 * @strings:	each once
 * @offsets:	by string id: offset of its identifier, 0 if not added yet
 * @nr_renamed:	number of strings that are not identifiers; @nr_cut: that are too long
 * @index_type: id of the INT that arrays are indexed by, 0 for none
 * @adds_int:	"int" is added after the types, because there is none
 * @types:	type data, which consists of 32-bit words
 */
struct writer {
	const struct btf_out	*out;
	const struct store	*store;
	uint32_t		*ids;
	uint32_t		*order;
	uint32_t		nr_nodes;
	uint32_t		first_id;
	uint32_t		nr_ids;
	uint32_t		index_type;
	bool			adds_int;
	struct out_strings	strings;
	uint32_t		*offsets;
	uint32_t		nr_renamed, nr_cut;
	VECTOR(uint32_t)	types;
};

static void add_words(struct writer *w, uint32_t nr, const uint32_t *words)
{
	grow(&w->types.array, &w->types.cap, (uint64_t)w->types.nr + nr, sizeof(*words));
	memcpy(w->types.array + w->types.nr, words, nr * sizeof(*words));
	w->types.nr += nr;
}

#define ADD(w, ...)						\
({								\
	const uint32_t words_[] = { __VA_ARGS__ };		\
	add_words(w, ARRAY_SIZE(words_), words_);		\
})

/* Start a type; @size: its size, or the type that it refers to. */
static void add_type(struct writer *w, uint32_t name, uint32_t kind, uint32_t vlen, bool flag,
		     uint32_t size)
{
	ADD(w, name, (uint32_t)flag << 31 | kind << 24 | vlen, size);
	w->nr_ids++;
}

/* KSYM_NAME_LEN, with the NUL */
#define MAX_NAME	512

/* Change "Option<u32>" to "Option_u32_". Return: whether characters were changed. */
static bool make_identifier(char *to, const char *s, uint32_t len)
{
	bool renamed = false;
	uint32_t i;

	for (i = 0; i < len && i < MAX_NAME - 1; i++) {
		to[i] = btf_name_chars[(unsigned char)s[i]] && (i || s[i] < '0' || s[i] > '9') ?
			s[i] : '_';
		renamed |= to[i] != s[i];
	}
	to[i] = '\0';
	return renamed;
}

/* A name that the kernel requires to be an identifier. */
static uint32_t name_offset(struct writer *w, uint32_t id)
{
	const struct string *s = &w->store->strings.array[id];
	char name[MAX_NAME];
	bool renamed;

	if (!id || w->offsets[id])
		return w->offsets[id];
	renamed = make_identifier(name, s->s, s->len);
	w->nr_renamed += renamed;
	w->nr_cut += s->len >= MAX_NAME;
	if (renamed || s->len >= MAX_NAME) {
		w->offsets[id] = out_strings__add(&w->strings, name);
	} else {
		w->offsets[id] = out_strings__add_hashed(&w->strings, s->s, s->len, s->hash);
	}
	return w->offsets[id];
}

/* An arbitrary name, or none. */
static uint32_t text_offset(struct writer *w, uint32_t id)
{
	const struct string *s = &w->store->strings.array[id];

	return out_strings__add_hashed(&w->strings, s->s, s->len, s->hash);
}

/* --- numbering --------------------------------------------------------------- */

static int compare_first_seen(const void *x, const void *y, void *arg)
{
	const uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
	const struct node *a = (const struct node *)arg + i, *b = (const struct node *)arg + k;

	/*
	 * A variant may have the same @first_seen as its plain node, and several nodes may be
	 * derived from one prototype.
	 */
	return cmp_int(a->first_seen, b->first_seen) ?:
	       cmp_int(a->flags & TYPE_VARIANT, b->flags & TYPE_VARIANT) ?: cmp_int(i, k);
}

/* Find the nodes to write, sorted by where they were first seen. */
static void find_types(struct writer *w)
{
	const struct store *s = w->store;
	bool *wanted __cleanup(free_pointer) = xcalloc(s->nr_nodes, sizeof(*wanted));

	w->order = xcalloc(s->nr_nodes, sizeof(*w->order));
	for_each(f, &w->out->funcs)
		wanted[f->proto] = true;
	for (uint32_t id = 1; id < s->nr_nodes; id++)
		if ((s->nodes[id].uses || wanted[id]) &&
		    !(w->out->base && w->out->base_ids[id]))
			w->order[w->nr_nodes++] = id;
	qsort_r(w->order, w->nr_nodes, sizeof(*w->order), compare_first_seen, s->nodes);
}

/* Give one id to equal nodes, and drop all but the first of them from @order. */
static void number_types(struct writer *w)
{
	uint32_t *same __cleanup(free_pointer) =
		store__unify(w->store, w->order, w->nr_nodes, w->out->base_ids, w->out->keys);
	uint32_t nr = 0;

	w->ids = xcalloc(w->store->nr_nodes, sizeof(*w->ids));
	for (uint32_t id = 1; w->out->base && id < w->store->nr_nodes; id++)
		w->ids[id] = w->out->base_ids[id];
	for (uint32_t i = 0; i < w->nr_nodes; i++) {
		uint32_t id = w->order[i];

		if (same[id] != id)
			continue;
		w->ids[id] = w->first_id + nr;
		w->order[nr++] = id;
	}
	w->nr_nodes = nr;
	for (uint32_t id = 1; id < w->store->nr_nodes; id++)
		if (!w->ids[id])
			w->ids[id] = w->ids[same[id]];
}

static bool is_plain_int(const struct store *s, const struct node *n)
{
	return n->kind == BTF_KIND_INT && n->size == 4 && n->encoding == BTF_INT_SIGNED &&
	       !strcmp(store__name(s, n), "int");
}

/* --- types, one kind at a time ----------------------------------------------- */

/* The elements of a type: members, enumerators or parameters. */
static void write_children(struct writer *w, const struct node *n)
{
	const struct child *c = w->store->children + n->child, *end = c + n->nr_children;
	bool bitfields = n->flags & TYPE_BITFIELDS;

	for (; c < end; c++) {
		uint32_t name = name_offset(w, c->name), value = c->value;

		switch (n->kind) {
		case BTF_KIND_ENUM:
			ADD(w, name, value);
			break;
		case BTF_KIND_ENUM64:
			ADD(w, name, value, (uint32_t)(c->value >> 32));
			break;
		case BTF_KIND_FUNC_PROTO:
			ADD(w, name, w->ids[c->ref]);
			break;
		default: /* STRUCT, UNION */
			ADD(w, name, w->ids[c->ref], bitfields ? c->bits << 24 | value : value);
		}
	}
}

static void write_type(struct writer *w, const struct node *n)
{
	uint32_t name = btf_kinds[n->kind].naming >= NAME_TEXT ? text_offset(w, n->name) :
								 name_offset(w, n->name);
	bool flag = node__flag(n), dots = flag && n->kind == BTF_KIND_FUNC_PROTO;
	uint32_t ref = w->ids[n->ref];
	uint32_t size = !kind__has_ref(n->kind) ? n->size : n->kind == BTF_KIND_ARRAY ? 0 : ref;

	if (kind__is_struct(n->kind) && n->flags & TYPE_FORWARD) {
		add_type(w, name, BTF_KIND_FWD, 0, n->kind == BTF_KIND_UNION, 0);
		return;
	}
	add_type(w, name, n->kind, n->nr_children + dots, flag && !dots, size);
	if (n->kind == BTF_KIND_INT)
		ADD(w, (uint32_t)n->encoding << 24 | n->size * 8);
	if (n->kind == BTF_KIND_ARRAY)
		ADD(w, ref, w->index_type, n->size);
	write_children(w, n);
	/* btf.rst: "..." is a last parameter without name and type */
	if (dots)
		ADD(w, 0, 0);
}

/* The index type of arrays is "int", which is added if the image does not have it. */
static void find_index_type(struct writer *w)
{
	bool arrays = false;

	for (uint32_t i = 0; i < w->nr_nodes; i++) {
		const struct node *n = &w->store->nodes[w->order[i]];

		arrays |= n->kind == BTF_KIND_ARRAY;
		if (!w->index_type && is_plain_int(w->store, n))
			w->index_type = w->first_id + i;
	}
	if (!arrays || w->index_type)
		return;
	w->index_type = w->out->base ? w->out->base->int_type : 0;
	if (w->index_type)
		return;
	w->adds_int = true;
	w->index_type = w->first_id + w->nr_nodes;
}

static void write_types(struct writer *w)
{
	for (uint32_t i = 0; i < w->nr_nodes; i++)
		write_type(w, &w->store->nodes[w->order[i]]);
	if (w->adds_int) {
		add_type(w, out_strings__add(&w->strings, "int"), BTF_KIND_INT, 0, false, 4);
		ADD(w, BTF_INT_SIGNED << 24 | 32);
	}
}

/* --- after the types ---------------------------------------------------------- */

static void write_funcs(struct writer *w, struct btf_bytes *ret)
{
	for_each(f, &w->out->funcs) {
		struct btf_func record = btf_func__make(f->offset);

		add_type(w, out_strings__add(&w->strings, f->name), BTF_KIND_FUNC, f->linkage,
			 f->record, w->ids[f->proto]);
		if (!f->record)
			continue;
		if (f->symbol)
			push(&ret->relocs, (struct btf_reloc){
				.offset = BTF_HEADER_MIN + w->types.nr * 4, .symbol = f->symbol });
		ret->records += sizeof(record);
		ADD(w, record.addr_lo, record.addr_hi);
	}
}

static void write_vars(struct writer *w)
{
	for_each(v, &w->out->vars) {
		add_type(w, out_strings__add(&w->strings, v->name), BTF_KIND_VAR, 0, false,
			 w->ids[v->type]);
		ADD(w, v->linkage);
	}
}

/* A DATASEC ends with its last variable, as in pahole. */
static int write_sections(struct writer *w, uint32_t first_var)
{
	const struct out_var *vars = w->out->vars.array;
	uint32_t end, nr = w->out->vars.nr;

	for (uint32_t i = 0; i < nr; i = end) {
		uint32_t name = out_strings__add(&w->strings, vars[i].section_name);

		for (end = i; end < nr && vars[end].section == vars[i].section; end++)
			;
		if (end - i > 65535)
			return msg_fail(-E2BIG,
					"%s has more than 65535 variables, the limit of BTF",
					vars[i].section_name);
		add_type(w, name, BTF_KIND_DATASEC, end - i, false,
			 vars[end - 1].offset + vars[end - 1].size);
		for (uint32_t k = i; k < end; k++)
			ADD(w, first_var + k, vars[k].offset, vars[k].size);
	}
	return 0;
}

/** struct tag_of - a tag of the type, FUNC or VAR with this @id */
struct tag_of {
	uint32_t		id;
	const struct out_tag	*tag;
};

static int compare_tags(const void *x, const void *y)
{
	const struct tag_of *a = x, *b = y;

	/* -1, for the whole target, comes first */
	return cmp_int(a->id, b->id) ?: cmp_int(a->tag->component, b->tag->component) ?:
	       strcmp(a->tag->value, b->tag->value) ?: a->tag->attribute - b->tag->attribute;
}

static uint32_t id_of_target(const struct writer *w, const struct out_tag *tag,
			     uint32_t first_func, uint32_t first_var)
{
	switch (tag->on) {
	case TAG_ON_FUNC:
		return first_func + tag->target;
	case TAG_ON_VAR:
		return first_var + tag->target;
	default:
		return w->ids[tag->target];
	}
}

static void write_tags(struct writer *w, uint32_t first_func, uint32_t first_var)
{
	VECTOR(struct tag_of) tags = {};

	for_each(tag, &w->out->tags) {
		uint32_t id = id_of_target(w, tag, first_func, first_var);

		/* values are added to the strings in the order of @tags */
		out_strings__add(&w->strings, tag->value);
		/* the base has the tags of its types; types that are not written have id 0 */
		if (id >= w->first_id)
			push(&tags, (struct tag_of){ id, tag });
	}
	vector__sort(&tags, compare_tags);
	for_each(t, &tags) {
		if (t > tags.array && !compare_tags(t, t - 1))
			continue;
		add_type(w, out_strings__add(&w->strings, t->tag->value), BTF_KIND_DECL_TAG, 0,
			 t->tag->attribute, t->id);
		ADD(w, t->tag->component);
	}
	free(tags.array);
}

/* --- all together ------------------------------------------------------------ */

/* Sort the strings as in @like, and change all names to their new offsets. */
static void order_strings(struct writer *w)
{
	const struct btf_data *like = w->out->like;
	uint32_t start = like->strs_start, *name;
	uint32_t *p = w->types.array, *end = p + w->types.nr;
	struct out_strings old = w->strings;
	const char *text = old.text.array, *s;

	if (like->strs_len == old.text.nr && !memcmp(like->strs, text, old.text.nr))
		return;
	out_strings__init(&w->strings, w->out->base, w->store->strings.nr);
	for (s = like->strs; s < like->strs + like->strs_len; s += strlen(s) + 1)
		if (out_strings__has(&old, s))
			out_strings__add(&w->strings, s);
	for (s = text; s < text + old.text.nr; s += strlen(s) + 1)
		out_strings__add(&w->strings, s);
	for (; p < end; p += btf_data__type_size((struct btf_type *)p) / 4)
		for_each_name(name, (struct btf_type *)p)
			if (*name >= start)
				*name = out_strings__add(&w->strings, text + (*name - start));
	out_strings__destroy(&old);
}

static void assemble_sections(struct writer *w, struct btf_bytes *ret)
{
	struct kind_layout layouts[NR_BTF_KINDS];
	struct btf_sections sections = {
		.types = w->types.array, .types_len = w->types.nr * 4,
		.strs = w->strings.text.array, .strs_len = w->strings.text.nr,
	};

	/* the layout of a FUNC with an address differs; a module's readers use the base's */
	if (w->out->layout && !w->out->base && !ret->records) {
		for (unsigned int kind = 0; kind < NR_BTF_KINDS; kind++)
			layouts[kind] = kind_layout(kind);
		sections.layout = layouts;
		sections.layout_len = sizeof(layouts);
	}
	btf_sections__join(&sections, w->out->big_endian, &ret->bytes, &ret->size);
	w->types.array = NULL;
}

static int write_all(struct writer *w, struct btf_bytes *ret)
{
	uint32_t first_var, start;
	int err;

	write_types(w);
	ret->nr_types = w->nr_ids;
	ret->nr_renamed = w->nr_renamed;
	ret->nr_cut = w->nr_cut;
	ret->first_func = w->first_id + w->nr_ids;
	write_funcs(w, ret);
	first_var = w->first_id + w->nr_ids;
	write_vars(w);
	err = write_sections(w, first_var);
	start = w->types.nr;
	write_tags(w, ret->first_func, first_var);
	ret->tags = (w->types.nr - start) * 4;
	if (!err && w->out->like && !w->strings.err)
		order_strings(w);
	err = err ?: w->strings.err;
	/* the kernel's limit on ids, btf.h: BTF_MAX_TYPE */
	if (!err && w->first_id + w->nr_ids > BTF_MAX_TYPE)
		err = msg_fail(-E2BIG, "more than %u types, the kernel's limit", BTF_MAX_TYPE);
	return err;
}

int btf_out__write(const struct btf_out *out, struct btf_bytes *ret)
{
	struct writer w = { .out = out, .store = out->store };
	int err;

	*ret = (struct btf_bytes){};
	w.offsets = xcalloc(out->store->strings.nr, sizeof(*w.offsets));
	w.first_id = out->base ? btf_data__end_id(out->base->btf) : 1;
	/* a base has nearly all strings */
	out_strings__init(&w.strings, out->base, out->base ? 0 : out->store->strings.nr);
	find_types(&w);
	number_types(&w);
	/* an estimate, so that little is copied when it grows */
	grow(&w.types.array, &w.types.cap, 4 * w.nr_nodes + 3UL * w.store->nr_children +
	     5 * out->funcs.nr, sizeof(*w.types.array));
	find_index_type(&w);
	err = write_all(&w, ret);
	if (!err)
		assemble_sections(&w, ret);
	free(w.types.array);
	free(w.offsets);
	free(w.ids);
	free(w.order);
	out_strings__destroy(&w.strings);
	return err;
}

void btf_bytes__destroy(struct btf_bytes *btf)
{
	free(btf->bytes);
	free(btf->base);
	free(btf->relocs.array);
}

void btf_out__destroy(struct btf_out *out)
{
	free(out->base_ids);
	free(out->keys);
	free(out->funcs.array);
	free(out->vars.array);
	free(out->tags.array);
}
