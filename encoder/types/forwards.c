// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>

#include "types/forwards.h"
#include "types/pairs.h"

/* Types that look alike, and contents of one name, that are looked at. */
#define MAX_CANDIDATES	64U
#define MAX_CONTENTS	16U

/* How far down from a struct a forward is looked for: "*(*)(struct fwd *)" and no farther. */
#define MAX_DEPTH	4U

/**
 * struct forward - a name that something only declares
 * @node:	what the forwards of that name look like
 * @contents:	first nodes of its contents, @nr of them
 * @in_base:	contents that are the base's
 */
struct forward {
	struct hash	key;
	uint32_t	node;
	uint32_t	nr;
	uint32_t	in_base;
	uint32_t	contents[MAX_CONTENTS];
};

/**
 * struct settling - one forwards__settle()
 * @forwards:	in the order of keys
 * @next:	by node: the next that looks like it but is of another class
 * @head:	by node that others look like: the first of those
 */
struct settling {
	struct unifier	*u;
	struct forward	*forwards;
	uint32_t	nr;
	uint32_t	*next, *head;
	struct pairs	pairs;
};

static bool is_forward(const struct unifier *u, uint32_t id)
{
	return u->store->nodes[id].flags & TYPE_FORWARD;
}

static bool is_first(const struct unifier *u, uint32_t id)
{
	return u->rank[id] && u->first[id] == id;
}

static int compare_forwards(const void *x, const void *y)
{
	const struct forward *a = x, *b = y;

	return cmp_int(a->key.lo, b->key.lo) ?: cmp_int(a->key.hi, b->key.hi);
}

/* Those that nothing stands for yet. */
static int find_forwards(struct settling *st)
{
	const struct store *s = st->u->store;
	uint32_t id, nr = 0;

	for (id = 1; id < s->nr_nodes; id++)
		nr += is_first(st->u, id) && is_forward(st->u, id);
	st->forwards = calloc(nr + 1UL, sizeof(*st->forwards));
	if (!st->forwards)
		return -ENOMEM;
	for (id = 1; id < s->nr_nodes; id++) {
		const struct node *n = &s->nodes[id];

		if (!is_first(st->u, id) || !is_forward(st->u, id) ||
		    st->u->stands[st->u->alike[id]])
			continue;
		st->forwards[st->nr++] = (struct forward){
			.key = store__key(n->kind, s->strings.array[n->name].hash),
			.node = st->u->alike[id] };
	}
	qsort(st->forwards, st->nr, sizeof(*st->forwards), compare_forwards);
	return 0;
}

/* The forward of a type's name, or NULL. */
static struct forward *forward_of(const struct settling *st, uint32_t id)
{
	const struct store *s = st->u->store;
	const struct node *n = &s->nodes[id];
	struct forward key;

	if (!n->name || !kind__is_tagged(n->kind))
		return NULL;
	key.key = store__key(n->kind, s->strings.array[n->name].hash);
	return bsearch(&key, st->forwards, st->nr, sizeof(key), compare_forwards);
}

static void count_in_base(struct settling *st)
{
	const struct unifier *u = st->u;
	uint32_t id;

	for (id = 1; id < u->store->nr_nodes; id++) {
		struct forward *f = u->fixed[id] && u->alike[id] == id && !is_forward(u, id) ?
				    forward_of(st, id) : NULL;

		if (f)
			f->in_base++;
	}
}

/* Return: how many forwards have only one content. */
static uint32_t find_contents(struct settling *st)
{
	uint32_t i, nr = 0;

	for (i = 0; i < st->u->nr; i++) {
		uint32_t id = st->u->order[i];
		struct forward *f;

		if (!is_first(st->u, id) || is_forward(st->u, id))
			continue;
		f = forward_of(st, id);
		if (f && f->nr < MAX_CONTENTS)
			f->contents[f->nr++] = id;
	}
	count_in_base(st);
	for (i = 0; i < st->nr; i++) {
		if (st->forwards[i].nr != 1 || st->forwards[i].in_base)
			continue;
		st->u->stands[st->forwards[i].node] = st->forwards[i].contents[0];
		nr++;
	}
	return nr;
}

/* --- names with several contents ------------------------------------------------- */

static uint32_t nr_refs(const void *arg, uint32_t id)
{
	const struct unifier *u = arg;

	return node__nr_refs(&u->store->nodes[id]);
}

static uint32_t first_ref(const void *arg, uint32_t id, uint32_t k)
{
	const struct unifier *u = arg;

	return u->first[unifier__ref(u, id, k)];
}

static const struct pair_ops ops = {
	.nr_refs = nr_refs, .left_ref = first_ref, .right_ref = first_ref, .reflexive = true,
};

static int list_alike(struct settling *st)
{
	uint32_t nr = st->u->store->nr_nodes, id;

	st->next = calloc(nr, sizeof(*st->next));
	st->head = calloc(nr, sizeof(*st->head));
	if (!st->next || !st->head)
		return -ENOMEM;
	for (id = nr; id-- > 1; ) {
		if (!is_first(st->u, id))
			continue;
		st->next[id] = st->head[st->u->alike[id]];
		st->head[st->u->alike[id]] = id;
	}
	return 0;
}

static int add_candidates(struct settling *st, uint32_t id)
{
	const struct unifier *u = st->u;
	const struct forward *f = forward_of(st, id);
	uint32_t other, n = 0, i;
	int err = 0;

	if (is_forward(u, id)) {
		for (i = 0; !err && f && i < f->nr; i++)
			err = pairs__add(&st->pairs, id, f->contents[i], true);
		return err;
	}
	for (other = st->head[u->alike[id]]; !err && other && n < MAX_CANDIDATES; n++) {
		if (other != id)
			err = pairs__add(&st->pairs, id, other, false);
		other = st->next[other];
	}
	if (!err && f)
		err = pairs__add(&st->pairs, id, u->first[f->node], true);
	return err;
}

/* @a and @b are the same but for what is a forward on one side. */
static uint32_t note_forwards(struct settling *st, uint32_t a, uint32_t b, unsigned int depth)
{
	struct unifier *u = st->u;
	uint32_t k, nr = 0;

	if (!a || !b || a == b)
		return 0;
	if (is_forward(u, a) != is_forward(u, b)) {
		uint32_t forward = is_forward(u, a) ? a : b, *stands = &u->stands[u->alike[forward]];

		if (*stands)
			return 0;
		*stands = forward == a ? b : a;
		return 1;
	}
	for (k = 0; kind__has_ref(u->store->nodes[a].kind) && depth < MAX_DEPTH &&
		    k < nr_refs(u, a); k++)
		nr += note_forwards(st, first_ref(u, a, k), first_ref(u, b, k), depth + 1);
	return nr;
}

/* The first struct that is the same as an earlier one says what a forward is. */
static uint32_t ask_structs(struct settling *st)
{
	struct unifier *u = st->u;
	uint32_t i, p, k, nr = 0;

	for (i = 0; i < u->nr; i++) {
		uint32_t id = u->order[i];
		uint8_t kind = u->store->nodes[id].kind;

		if (!is_first(u, id) || is_forward(u, id) || !kind__is_tagged(kind))
			continue;
		for (p = st->pairs.first[id]; p < st->pairs.first[id + 1]; p++) {
			const struct pair *pair = &st->pairs.array[p];

			if (pair->refuted || pair->by_name || u->rank[pair->right] > u->rank[id])
				continue;
			for (k = 0; k < nr_refs(u, id); k++)
				nr += note_forwards(st, first_ref(u, id, k),
						    first_ref(u, pair->right, k), 0);
		}
	}
	return nr;
}

static int compare_structs(struct settling *st)
{
	uint32_t nr = st->u->store->nr_nodes, id;
	int err;

	err = list_alike(st);
	err = err ?: pairs__init(&st->pairs, &ops, st->u, nr);
	for (id = 1; !err && id < nr; id++)
		if (is_first(st->u, id))
			err = add_candidates(st, id);
	err = err ?: pairs__refute(&st->pairs);
	/* of types that were made to take too long, forwards stay what they are */
	return err == -ETIME ? 0 : err ?: ask_structs(st) > 0;
}

int forwards__settle(struct unifier *u)
{
	struct settling st = { .u = u };
	bool several = false;
	uint32_t i;
	int ret;

	ret = find_forwards(&st);
	if (!ret)
		ret = find_contents(&st) > 0;
	for (i = 0; !ret && i < st.nr; i++)
		several |= st.forwards[i].nr + st.forwards[i].in_base > 1;
	if (several)
		ret = compare_structs(&st);
	free(st.forwards);
	free(st.next);
	free(st.head);
	pairs__destroy(&st.pairs);
	return ret;
}
