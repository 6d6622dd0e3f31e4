// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/dedup.h"
#include "btf/layout.h"
#include "btf/split.h"
#include "btf/write.h"
#include "types/conflict.h"
#include "util/bytes.h"
#include "util/grow.h"
#include "util/msg.h"

/* A buffer of 32-bit words, which is all that type data is made of. */
struct words {
	uint32_t	*array;
	uint32_t	nr, cap;
};

static int add_words(struct words *w, uint32_t nr, const uint32_t *words)
{
	if (grow(&w->array, &w->cap, (uint64_t)w->nr + nr, sizeof(*w->array)))
		return -ENOMEM;
	memcpy(w->array + w->nr, words, nr * sizeof(*words));
	w->nr += nr;
	return 0;
}

#define ADD(w, ...) ({						\
	const uint32_t _words[] = { __VA_ARGS__ };		\
	add_words(w, ARRAY_SIZE(_words), _words);		\
})

static uint32_t make_info(uint32_t kind, uint32_t vlen, bool kind_flag)
{
	return (uint32_t)kind_flag << 31 | kind << 24 | vlen;
}

/**
 * struct writer - numbering and text of one btf_out__write()
 * @ids:	by node: its id in what libbpf is given, then its final id
 * @order:	nodes in the order of their first ids
 * @nr_types:	their number
 * @holders:	ids of the base that are stood in for, in the order of their
 *		placeholders' ids in what libbpf is given, the first of which is
 *		@first_holder; see split.h
 * @first_id:	id that the first type gets in the end
 * @final:	the types as they are written, @final_len bytes
 * @offsets:	by string id: offset of its identifier in @text, 0 if it is not
 *		there yet
 * @nr_renamed:	strings that were none
 * @index:	id of the INT that arrays are indexed by, 0 for none
 */
struct writer {
	const struct btf_out	*out;
	const struct store	*store;
	struct primaries	primaries;
	uint32_t		*ids;
	uint32_t		*order;
	uint32_t		nr_types;
	uint32_t		index;
	uint32_t		*holders;
	uint32_t		nr_holders, cap_holders;
	uint32_t		first_holder;
	uint32_t		first_id;
	bool			no_memory;
	struct split		split;
	void			*final;
	size_t			final_len;
	uint32_t		*offsets;
	uint32_t		nr_renamed;
	char			*text;
	uint32_t		text_len, text_cap;
	struct words		types;
	struct btf		*btf;
};

/* The kernel takes no strings farther away; nor does any image have so many. */
static int check_offset(uint64_t offset)
{
	if (offset <= BTF_MAX_NAME_OFFSET)
		return 0;
	msg_error("strings of more than %u bytes, which is all that the kernel takes",
		  BTF_MAX_NAME_OFFSET);
	return -E2BIG;
}

static int64_t write_text(struct writer *w, const char *s, uint32_t len)
{
	uint32_t offset = w->text_len;

	if (check_offset(offset))
		return -E2BIG;
	if (grow(&w->text, &w->text_cap, (uint64_t)offset + len + 1, 1))
		return -ENOMEM;
	memcpy(w->text + offset, s, len);
	w->text[offset + len] = '\0';
	w->text_len += len + 1;
	return offset;
}

/* __btf_name_valid() of the kernel takes these; digits not in the first place */
static const bool in_identifier[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true,
	['_'] = true, ['.'] = true,
};

/* KSYM_NAME_LEN, with the NUL */
#define MAX_NAME	512

/* "Option<u32>" becomes "Option_u32_": who reads it needs a name, and one to tell it by. */
static bool make_identifier(char *s, uint32_t *len)
{
	bool renamed = *len >= MAX_NAME;
	uint32_t i;

	if (renamed)
		*len = MAX_NAME - 1;
	for (i = 0; i < *len; i++) {
		if (in_identifier[(unsigned char)s[i]] && (i || s[i] < '0' || s[i] > '9'))
			continue;
		s[i] = '_';
		renamed = true;
	}
	s[*len] = '\0';
	return renamed;
}

/* The name of what the kernel wants an identifier for. */
static int64_t name_offset(struct writer *w, uint32_t id)
{
	const struct string *s = &w->store->strings.array[id];
	int64_t offset;
	uint32_t len = s->len;

	if (!id || w->offsets[id])
		return w->offsets[id];
	offset = write_text(w, s->s, len);
	if (offset < 0)
		return offset;
	w->nr_renamed += make_identifier(w->text + offset, &len);
	w->text_len = offset + len + 1;
	return w->offsets[id] = offset;
}

/* That of what may be called anything, or has no name. */
static int64_t text_offset(struct writer *w, uint32_t id)
{
	const struct string *s = &w->store->strings.array[id];

	return id ? write_text(w, s->s, s->len) : 0;
}

/* The id of the placeholder of the base's type @id, a new one. */
static uint32_t new_holder(struct writer *w, uint32_t id)
{
	/* the writer looks for this at the end of its types */
	if (grow(&w->holders, &w->cap_holders, (uint64_t)w->nr_holders + 1,
		 sizeof(*w->holders))) {
		w->no_memory = true;
		return 0;
	}
	w->holders[w->nr_holders] = id;
	return w->first_holder + w->nr_holders++;
}

static uint32_t ref_id(struct writer *w, const struct node *from, uint32_t ref)
{
	if (!ref)
		return 0;
	ref = primaries__resolve(&w->primaries, w->store, from, ref);
	if (!w->ids[ref] && w->out->base && w->out->base_ids[ref])
		w->ids[ref] = new_holder(w, w->out->base_ids[ref]);
	return w->ids[ref];
}

/* Does the base have this type, so that it is not written? */
static bool in_base(const struct writer *w, uint32_t node)
{
	return w->out->base && w->out->base_ids[node];
}

/* --- numbering --------------------------------------------------------------- */

static int compare_firsts(const void *x, const void *y, void *arg)
{
	const struct node *nodes = arg;
	const struct node *a = &nodes[*(const uint32_t *)x], *b = &nodes[*(const uint32_t *)y];

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	/* a variant may come from the same place as what it was at first */
	return (a->flags & TYPE_VARIANT) - (b->flags & TYPE_VARIANT);
}

/* A forward of a name that has a content is never written: all mean the content. */
static bool is_superseded(const struct writer *w, uint32_t id)
{
	const struct node *n = &w->store->nodes[id];

	return n->flags & TYPE_FORWARD && !(n->flags & TYPE_VARIANT) && n->name &&
	       primaries__resolve(&w->primaries, w->store, n, id) != id;
}

static int number_types(struct writer *w)
{
	const struct store *s = w->store;
	bool *wanted = calloc(s->nr_nodes, sizeof(*wanted));
	uint32_t id, nr = 0, i;

	w->ids = calloc(s->nr_nodes, sizeof(*w->ids));
	w->order = calloc(s->nr_nodes, sizeof(*w->order));
	if (!wanted || !w->ids || !w->order) {
		free(wanted);
		return -ENOMEM;
	}
	for (i = 0; i < w->out->nr_funcs; i++)
		wanted[w->out->funcs[i].proto] = true;
	for (id = 1; id < s->nr_nodes; id++)
		if ((s->nodes[id].count || wanted[id]) && !is_superseded(w, id) &&
		    !in_base(w, id))
			w->order[nr++] = id;
	free(wanted);
	qsort_r(w->order, nr, sizeof(*w->order), compare_firsts, s->nodes);
	for (i = 0; i < nr; i++)
		w->ids[w->order[i]] = i + 1;
	w->nr_types = nr;
	return 0;
}

static bool is_plain_int(const struct store *s, const struct node *n)
{
	return n->kind == BTF_KIND_INT && n->size == 4 && n->encoding == BTF_INT_SIGNED &&
	       !strcmp(store__name(s, n), "int");
}

/* --- types, one kind at a time ----------------------------------------------- */

static int write_members(struct writer *w, const struct node *n)
{
	const struct child *c = w->store->children + n->child, *end = c + n->nr_children;
	bool bits = n->flags & TYPE_BITFIELDS;
	int err = 0;

	for (; !err && c < end; c++) {
		int64_t name = name_offset(w, c->name);

		if (name < 0)
			return name;
		err = ADD(&w->types, name, ref_id(w, n, c->ref),
			  bits ? c->bits << 24 | (uint32_t)c->value : (uint32_t)c->value);
	}
	return err;
}

static int write_values(struct writer *w, const struct node *n)
{
	const struct child *c = w->store->children + n->child, *end = c + n->nr_children;
	int err = 0;

	for (; !err && c < end; c++) {
		int64_t name = name_offset(w, c->name);

		if (name < 0)
			return name;
		if (n->kind == BTF_KIND_ENUM)
			err = ADD(&w->types, name, (uint32_t)c->value);
		else
			err = ADD(&w->types, name, (uint32_t)c->value, (uint32_t)(c->value >> 32));
	}
	return err;
}

static int write_params(struct writer *w, const struct node *n)
{
	const struct child *c = w->store->children + n->child, *end = c + n->nr_children;
	int err = 0;

	for (; !err && c < end; c++) {
		int64_t name = name_offset(w, c->name);

		if (name < 0)
			return name;
		err = ADD(&w->types, name, ref_id(w, n, c->ref));
	}
	/* btf.rst: "..." is a last parameter without name and type */
	if (!err && n->flags & TYPE_VARARGS)
		err = ADD(&w->types, 0, 0);
	return err;
}

static bool takes_any_name(uint8_t kind)
{
	return kind == BTF_KIND_INT || kind == BTF_KIND_FLOAT || kind == BTF_KIND_TYPE_TAG;
}

static int write_type(struct writer *w, const struct node *n)
{
	uint32_t vlen = n->nr_children, ref = ref_id(w, n, n->ref);
	int64_t name = takes_any_name(n->kind) ? text_offset(w, n->name) : name_offset(w, n->name);
	struct words *t = &w->types;

	if (name < 0)
		return name;
	switch (n->kind) {
	case BTF_KIND_INT:
		return ADD(t, name, make_info(n->kind, 0, false), n->size,
			   (uint32_t)n->encoding << 24 | n->size * 8);
	case BTF_KIND_FLOAT:
		return ADD(t, name, make_info(n->kind, 0, false), n->size);
	case BTF_KIND_ARRAY:
		return ADD(t, 0, make_info(n->kind, 0, false), 0, ref, w->index, n->size);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		if (n->flags & TYPE_FORWARD)
			return ADD(t, name, make_info(BTF_KIND_FWD, 0, n->kind == BTF_KIND_UNION), 0);
		return ADD(t, name, make_info(n->kind, vlen, n->flags & TYPE_BITFIELDS), n->size) ?:
		       write_members(w, n);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return ADD(t, name, make_info(n->kind, vlen, n->flags & TYPE_SIGNED), n->size) ?:
		       write_values(w, n);
	case BTF_KIND_FUNC_PROTO:
		vlen += !!(n->flags & TYPE_VARARGS);
		return ADD(t, 0, make_info(n->kind, vlen, false), ref) ?: write_params(w, n);
	default: /* PTR, TYPEDEF, CONST, VOLATILE, RESTRICT, TYPE_TAG */
		return ADD(t, name, make_info(n->kind, 0, n->flags & TYPE_ATTRIBUTE), ref);
	}
}

/* Arrays are indexed by "int"; an image without one gets it. */
static int find_index_type(struct writer *w)
{
	bool arrays = false;
	uint32_t i;

	for (i = 0; i < w->nr_types; i++) {
		const struct node *n = &w->store->nodes[w->order[i]];

		arrays |= n->kind == BTF_KIND_ARRAY;
		if (!w->index && is_plain_int(w->store, n))
			w->index = i + 1;
	}
	w->first_holder = w->nr_types + 1;
	if (!arrays || w->index)
		return 0;
	if (w->out->base && w->out->base->int_type)
		w->index = new_holder(w, w->out->base->int_type);
	else
		w->index = w->first_holder++;
	return 0;
}

static int write_types(struct writer *w)
{
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < w->nr_types; i++)
		err = write_type(w, &w->store->nodes[w->order[i]]);
	if (w->no_memory)
		return -ENOMEM;
	if (err || w->first_holder == w->nr_types + 1)
		return err;
	if (grow(&w->text, &w->text_cap, (uint64_t)w->text_len + 4, 1))
		return -ENOMEM;
	memcpy(w->text + w->text_len, "int", 4);
	err = ADD(&w->types, w->text_len, make_info(BTF_KIND_INT, 0, false), 4,
		  BTF_INT_SIGNED << 24 | 32);
	w->text_len += 4;
	w->nr_types++;
	return err;
}

/* --- libbpf's turn ----------------------------------------------------------- */

/* Placeholders: a name that no compiler writes, and the same one for the same type. */
static int write_holders(struct writer *w)
{
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < w->nr_holders; i++) {
		char name[16];
		int len = sprintf(name, "\001%u", w->holders[i]) + 1;

		if (grow(&w->text, &w->text_cap, (uint64_t)w->text_len + len, 1))
			return -ENOMEM;
		memcpy(w->text + w->text_len, name, len);
		err = ADD(&w->types, w->text_len, make_info(BTF_KIND_INT, 0, false), 4, 32);
		w->text_len += len;
	}
	return err;
}

#define MARKER_PARAMS	65535U

/* What libbpf is given beside the markers. */
static uint32_t nr_given(const struct writer *w)
{
	return w->nr_types + w->nr_holders;
}

static uint32_t nr_markers(const struct writer *w)
{
	return (nr_given(w) + MARKER_PARAMS - 1) / MARKER_PARAMS;
}

/*
 * btf__dedup() does not say where a type went.  So the types are followed by
 * prototypes with a parameter of each type; libbpf rewrites their references
 * like all others, and they tell afterwards.
 */
static int write_markers(struct writer *w)
{
	uint32_t next = 1, m;
	int err = 0;

	for (m = 0; !err && m < nr_markers(w); m++) {
		uint32_t left = nr_given(w) + 1 - next;
		uint32_t nr = left < MARKER_PARAMS ? left : MARKER_PARAMS;

		err = ADD(&w->types, 0, make_info(BTF_KIND_FUNC_PROTO, nr, false), 0);
		for (; !err && nr; nr--)
			err = ADD(&w->types, 0, next++);
	}
	return err;
}

static int dedup(struct writer *w)
{
	struct btf_header hdr = {
		.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(hdr),
		.type_len = w->types.nr * 4, .str_off = w->types.nr * 4, .str_len = w->text_len,
	};
	size_t size = sizeof(hdr) + hdr.type_len + hdr.str_len;
	char *bytes = malloc(size);
	int err;

	if (!bytes)
		return -ENOMEM;
	memcpy(bytes, &hdr, sizeof(hdr));
	if (hdr.type_len)
		memcpy(bytes + sizeof(hdr), w->types.array, hdr.type_len);
	memcpy(bytes + sizeof(hdr) + hdr.type_len, w->text, hdr.str_len);
	/* libbpf has a copy of its own; these are as big as the result */
	free(w->types.array);
	free(w->text);
	w->text = NULL;
	memset(&w->types, 0, sizeof(w->types));
	w->btf = btf__new(bytes, size);
	free(bytes);
	if (!w->btf) {
		err = -errno;
		msg_error("libbpf does not read the types: %s", strerror(-err));
		return err;
	}
	return btf_dedup(&w->btf, btf__type_cnt(w->btf));
}

/* Read from the markers where each type went.  Return: by old id, to be freed. */
static uint32_t *read_markers(const struct writer *w, uint32_t first_marker)
{
	uint32_t *now = calloc(nr_given(w) + 1UL, sizeof(*now)), old = 1, m, k;

	for (m = 0; now && m < nr_markers(w); m++) {
		const struct btf_type *t = btf__type_by_id(w->btf, first_marker + m);
		const struct btf_param *p = (const void *)(t + 1);

		for (k = 0; k < btf_vlen(t) && old <= nr_given(w); k++)
			now[old++] = p[k].type;
	}
	return now;
}

/*
 * The types that are left, as bytes: references to placeholders lead to the
 * base, those to others are numbered on from it.
 */
static int finish_types(struct writer *w, const uint32_t *final)
{
	const struct btf_type *first, *end;

	/* behind them there is a placeholder or a marker; without types there is nothing */
	if (!w->nr_types)
		return 0;
	first = btf__type_by_id(w->btf, 1);
	end = btf__type_by_id(w->btf, w->nr_types + 1);
	w->final_len = (const char *)end - (const char *)first;
	w->final = malloc(w->final_len);
	if (!w->final)
		return -ENOMEM;
	memcpy(w->final, first, w->final_len);
	return w->out->base ? split__rewrite(&w->split, w->final, w->final_len, w->btf, final) : 0;
}

static int follow_types(struct writer *w)
{
	uint32_t first_marker = btf__type_cnt(w->btf) - nr_markers(w), k;
	uint32_t *now = read_markers(w, first_marker);
	uint32_t *final = calloc(first_marker + 1UL, sizeof(*final));
	int err = now && final ? 0 : -ENOMEM;
	uint32_t nr = first_marker - 1;

	if (!err && w->nr_holders)
		nr = now[w->first_holder] - 1;
	for (k = 1; !err && k <= nr; k++)
		final[k] = w->first_id + k - 1;
	for (k = 0; !err && k < w->nr_holders; k++)
		final[now[w->first_holder + k]] = w->holders[k];
	for (k = 1; !err && k < w->store->nr_nodes; k++)
		w->ids[k] = in_base(w, k) ? w->out->base_ids[k] : final[now[w->ids[k]]];
	w->nr_types = nr;
	err = err ?: finish_types(w, final);
	free(now);
	free(final);
	return err;
}

/* --- what comes behind the types --------------------------------------------- */

static int64_t add_text(struct writer *w, const char *s)
{
	int64_t off = w->out->base ? split__string(&w->split, s) : btf__add_str(w->btf, s);

	if (off < 0)
		msg_error("cannot add the string \"%.64s\": %s", s, strerror(-off));
	return off < 0 ? off : check_offset(off) ?: off;
}

static int write_funcs(struct writer *w, struct words *tail, struct btf_bytes *ret)
{
	const struct out_func *f = w->out->funcs, *end = f + w->out->nr_funcs;
	int err = 0;

	ret->record_at = calloc(w->out->nr_funcs + 1UL, sizeof(*ret->record_at));
	if (!ret->record_at)
		return -ENOMEM;
	for (; !err && f < end; f++) {
		struct btf_func record = btf_func__make(f->offset, f->flags);
		int64_t name = add_text(w, f->name);

		if (name < 0)
			return name;
		err = ADD(tail, name, make_info(BTF_KIND_FUNC, f->linkage, w->out->addressed),
			  w->ids[f->proto]);
		if (err || !w->out->addressed)
			continue;
		ret->record_at[f - w->out->funcs] = BTF_HEADER_MIN + w->final_len +
						    tail->nr * 4;
		err = ADD(tail, record.addr_lo, record.addr_hi);
	}
	return err;
}

static int write_vars(struct writer *w, struct words *tail)
{
	const struct out_var *v = w->out->vars, *end = v + w->out->nr_vars;
	int err = 0;

	for (; !err && v < end; v++) {
		int64_t name = add_text(w, v->name);

		if (name < 0)
			return name;
		err = ADD(tail, name, make_info(BTF_KIND_VAR, 0, false),
			  ref_id(w, &store_referrer, v->type), v->linkage);
	}
	return err;
}

/* A DATASEC ends with its last variable, as pahole has it. */
static int write_sections(struct writer *w, struct words *tail, uint32_t first_var)
{
	const struct out_var *vars = w->out->vars;
	uint32_t i, end, nr = w->out->nr_vars;
	int err = 0;

	for (i = 0; !err && i < nr; i = end) {
		int64_t name = add_text(w, w->out->sections[vars[i].section]);
		uint32_t k, in_section;

		if (name < 0)
			return name;
		for (end = i; end < nr && vars[end].section == vars[i].section; end++)
			;
		in_section = end - i;
		if (in_section > 65535) {
			msg_error("%s has more than 65535 variables, which BTF cannot say",
				  w->out->sections[vars[i].section]);
			return -E2BIG;
		}
		err = ADD(tail, name, make_info(BTF_KIND_DATASEC, in_section, false),
			  vars[end - 1].offset + vars[end - 1].size);
		for (k = i; !err && k < end; k++)
			err = ADD(tail, first_var + k, vars[k].offset, vars[k].size);
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

	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	/* -1, for the whole, first */
	if (a->component != b->component)
		return a->component + 1 < b->component + 1 ? -1 : 1;
	return strcmp(a->value, b->value) ?: a->attribute - b->attribute;
}

static int write_tags(struct writer *w, struct words *tail, uint32_t first_func,
		      uint32_t first_var)
{
	const struct out_tag *tags = w->out->tags;
	uint32_t nr = w->out->nr_tags, i;
	struct final_tag *final = calloc(nr + 1, sizeof(*final));
	int err = final ? 0 : -ENOMEM;

	for (i = 0; !err && i < nr; i++) {
		int64_t name = add_text(w, tags[i].value);

		if (name < 0)
			err = name;
		final[i] = (struct final_tag){
			.target = tags[i].on == OUT_FUNC ? first_func + tags[i].target :
				  tags[i].on == OUT_VAR ? first_var + tags[i].target :
				  w->ids[tags[i].target],
			.component = tags[i].component, .name = name, .value = tags[i].value,
			.attribute = tags[i].attribute,
		};
	}
	if (!err)
		qsort(final, nr, sizeof(*final), compare_tags);
	for (i = 0; !err && i < nr; i++)
		/* a type of the base has the base's tags */
		if (final[i].target >= w->first_id && (!i || compare_tags(&final[i], &final[i - 1])))
			err = ADD(tail, final[i].name,
				  make_info(BTF_KIND_DECL_TAG, 0, final[i].attribute),
				  final[i].target, final[i].component);
	free(final);
	return err;
}

static uint32_t count_sections(const struct btf_out *out)
{
	uint32_t i, nr = 0;

	for (i = 0; i < out->nr_vars; i++)
		nr += !i || out->vars[i].section != out->vars[i - 1].section;
	return nr;
}

/* --- all together ------------------------------------------------------------ */

static int assemble(struct writer *w, const struct words *tail, struct btf_bytes *ret)
{
	struct btf_parts parts = { .strs = w->split.text, .strs_len = w->split.text_len };
	char *types;

	/* with addresses it would not be true; a module's readers have the base's */
	if (w->out->layout && !w->out->base && !ret->records) {
		parts.layout = kind_layouts;
		parts.layout_len = sizeof(kind_layouts);
	}
	if (!w->out->base) {
		const struct btf_header *from;
		uint32_t size;

		from = btf__raw_data(w->btf, &size);
		if (!from)
			return -ENOMEM;
		parts.strs = (const char *)from + from->hdr_len + from->str_off;
		parts.strs_len = from->str_len;
	}
	types = realloc(w->final, w->final_len + tail->nr * 4UL + 1);
	if (!types)
		return -ENOMEM;
	w->final = types;
	if (tail->nr)
		memcpy(types + w->final_len, tail->array, tail->nr * 4);
	parts.types = types;
	parts.types_len = w->final_len + tail->nr * 4;
	return btf_parts__join(&parts, w->out->big_endian, &ret->bytes, &ret->size);
}

static int write_tail(struct writer *w, struct words *tail, struct btf_bytes *ret)
{
	uint32_t first_func = w->first_id + w->nr_types, first_var = first_func + w->out->nr_funcs, start;
	int err;

	ret->nr_types = w->nr_types;
	ret->nr_renamed = w->nr_renamed;
	ret->first_func = first_func;
	err = write_funcs(w, tail, ret);
	ret->records = (tail->nr - 3 * w->out->nr_funcs) * 4;
	err = err ?: write_vars(w, tail);
	err = err ?: write_sections(w, tail, first_var);
	start = tail->nr;
	err = err ?: write_tags(w, tail, first_func, first_var);
	ret->tags = (tail->nr - start) * 4;
	/* the kernel's limit on ids, btf.h: BTF_MAX_TYPE */
	if (!err && (uint64_t)first_var + w->out->nr_vars + count_sections(w->out) +
		    (tail->nr - start) / 4 > BTF_MAX_TYPE) {
		msg_error("more than %u types, which is all that the kernel takes", BTF_MAX_TYPE);
		err = -E2BIG;
	}
	return err;
}

int btf_out__write(const struct btf_out *out, struct btf_bytes *ret)
{
	struct writer w = { .out = out, .store = out->store };
	struct words tail = {};
	int err;

	memset(ret, 0, sizeof(*ret));
	w.offsets = calloc(out->store->strings.nr, sizeof(*w.offsets));
	if (!w.offsets || grow(&w.text, &w.text_cap, 1, 1)) {
		free(w.offsets);
		return -ENOMEM;
	}
	w.text[w.text_len++] = '\0';
	w.first_id = out->base ? btf_data__end_id(out->base->btf) : 1;
	err = primaries__find(&w.primaries, out->store);
	if (!err && out->base)
		err = split__init(&w.split, out->base);
	err = err ?: number_types(&w);
	err = err ?: find_index_type(&w);
	err = err ?: write_types(&w);
	err = err ?: write_holders(&w);
	err = err ?: write_markers(&w);
	err = err ?: dedup(&w);
	err = err ?: follow_types(&w);
	err = err ?: write_tail(&w, &tail, ret);
	err = err ?: assemble(&w, &tail, ret);
	free(tail.array);
	free(w.types.array);
	free(w.text);
	free(w.offsets);
	free(w.ids);
	free(w.order);
	free(w.holders);
	free(w.final);
	split__destroy(&w.split);
	primaries__destroy(&w.primaries);
	btf__free(w.btf);
	return err;
}
