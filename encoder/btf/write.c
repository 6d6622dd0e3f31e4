// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/dedup.h"
#include "btf/layout.h"
#include "btf/parts.h"
#include "btf/writer.h"
#include "util/msg.h"

static int64_t write_text(struct writer *w, const char *s, uint32_t len)
{
	uint32_t offset = w->text_len;

	if (writer__check_offset(offset))
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

uint32_t writer__ref(struct writer *w, const struct node *from, uint32_t ref)
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
		err = ADD(&w->types, name, writer__ref(w, n, c->ref),
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
		err = ADD(&w->types, name, writer__ref(w, n, c->ref));
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
	uint32_t vlen = n->nr_children, ref = writer__ref(w, n, n->ref);
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
	err = err ?: writer__tail(&w, &tail, ret);
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
