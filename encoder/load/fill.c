// SPDX-License-Identifier: GPL-2.0-only
/* The node of a record that nobody had seen before: what is hashed, with ids of the store. */
#include <linux/btf.h>

#include "load/load.h"
#include "types/content.h"
#include "types/fit.h"

static uint32_t node_of(struct loader *l, uint32_t ref)
{
	return l->records.recs.array[loader__target(l, ref)].node;
}

static bool is_struct(const struct rec *rec)
{
	return rec->kind == BTF_KIND_STRUCT || rec->kind == BTF_KIND_UNION;
}

/*
 * What BTF can say of where members are, and the kernel lets it say
 * (kernel/bpf/btf.c, btf_struct_check_meta()).
 */
static bool has_place(const struct rec *rec, const struct item *item)
{
	uint64_t max = rec->flags & TYPE_BITFIELDS ? 0xffffff : UINT32_MAX;

	if (item->value > max || (rec->kind == BTF_KIND_UNION && item->value))
		return false;
	return (item->value + 7) / 8 <= rec->size;
}

/* Is there anything of which BTF cannot tell?  Asked once per distinct type. */
static enum misfit find_misfit(struct loader *l, const struct rec *rec)
{
	if (rec->flags & TYPE_FORWARD && !rec->name && is_struct(rec))
		return MISFIT_NAME;
	if (rec->kind == BTF_KIND_ARRAY && !node_of(l, rec->ref))
		return MISFIT_VALUE;
	if (!rec__items_have_refs(rec))
		return FITS;
	for_each_item(item, &l->records, rec) {
		if (is_struct(rec) && !has_place(rec, item))
			return MISFIT_PLACE;
		if (!node_of(l, item->ref))
			return MISFIT_VALUE;
	}
	return FITS;
}

bool loader__is_ordered(const struct loader *l, const struct rec *rec)
{
	uint64_t last = 0;

	if (!is_struct(rec))
		return true;
	for_each_item(item, &l->records, rec) {
		if (item->value < last)
			return false;
		last = item->value;
	}
	return true;
}

static int compare_children(const void *x, const void *y, void *arg)
{
	const struct string *strings = arg;
	const struct child *a = x, *b = y;

	/* Two at one place: one has no size.  By name, as ids differ from run to run. */
	return cmp_int(a->value, b->value) ?: strcmp(strings[a->name].s, strings[b->name].s);
}

static int fill_node(struct loader *l, const struct rec *rec, struct node *n)
{
	struct store *s = &l->store;
	int64_t first = store__add_children(s, rec->nr_items), name;
	uint32_t k = 0;

	if (first < 0)
		return first;
	name = loader__name_id(l, rec->die, rec->name);
	if (name < 0)
		return name;
	n->name = name;
	n->kind = rec->kind;
	n->flags = rec->flags;
	n->encoding = rec->encoding;
	if (rec->kind != BTF_KIND_INT && !rec->encoding)
		n->encoding = find_misfit(l, rec);
	n->size = rec->size;
	n->ref = node_of(l, rec->ref);
	n->child = first;
	n->nr_children = rec->nr_items;
	for_each_item(item, &l->records, rec) {
		name = loader__name_id(l, rec->die, item->name);
		if (name < 0)
			return name;
		s->children[first + k++] = (struct child){
			.name = name, .ref = node_of(l, item->ref),
			.value = item->value, .bits = item->bits,
		};
	}
	/* the kernel wants members in the order of their offsets */
	if (unlikely(!loader__is_ordered(l, rec)))
		qsort_r(s->children + first, k, sizeof(*s->children), compare_children,
			s->strings.array);
	return 0;
}

int loader__fill_node(struct loader *l, const struct rec *rec)
{
	return fill_node(l, rec, &l->store.nodes[rec->node]);
}

#ifdef CHECK_HITS
int loader__check_hit(struct loader *l, const struct rec *rec)
{
	uint32_t nr_children = l->store.nr_children;
	struct node n = {};
	int err = fill_node(l, rec, &n);

	if (!err)
		store__check_hit(&l->store, &n, &l->store.nodes[rec->node]);
	l->store.nr_children = nr_children;
	return err;
}
#endif
