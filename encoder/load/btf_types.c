// SPDX-License-Identifier: GPL-2.0-only
#include <linux/btf.h>

#include "btf/decode.h"
#include "load/from_btf.h"
#include "util/grow.h"
#include "util/msg.h"

static int report_type(const struct btf_reader *r, uint32_t id, const char *what)
{
	const char *name = btf_data__name(r->part->btf, id);
	const struct btf_type *t = btf_data__type(r->part->btf, id);

	msg_error("%s: .BTF: type %u (%s%s%s): %s", r->img->path, id,
		  btf_kind__name(BTF_INFO_KIND(t->info)), *name ? " " : "", is_text(name, strlen(name)) ? name : "?",
		  what);
	return -EINVAL;
}

int64_t btf_reader__string(struct btf_reader *r, uint32_t offset)
{
	const char *s = btf_data__string(r->part->btf, offset);

	return strings__add(&r->store->strings, s, strlen(s));
}

/* --- nodes by id ---------------------------------------------------------------- */

/* A node that no other is equal to. */
static int64_t new_node(struct btf_reader *r, uint32_t id)
{
	struct hash h = hash__new(HASH_K1);

	hash__add(&h, r->nr, id);
	return store__intern(r->store, h);
}

/*
 * A type of the base is a node without content, of which the writer asks no more
 * than its id there.  That it refers to itself makes it differ from any other,
 * should prototypes be compared.
 */
static int64_t base_node(struct btf_reader *r, uint32_t id)
{
	int64_t node = r->base_map[id];

	if (node)
		return node;
	node = new_node(r, id);
	if (node < 0 || push(&r->in->base_nodes, (struct base_node){ .node = node, .id = id }))
		return -ENOMEM;
	r->store->nodes[node].kind = BTF_KIND_INT;
	r->store->nodes[node].size = id;
	r->store->nodes[node].ref = node;
	r->base_map[id] = node;
	return node;
}

int64_t btf_reader__node(struct btf_reader *r, uint32_t id)
{
	const struct btf_data *btf = r->part->btf;

	if (!id)
		return 0;
	return id < btf->first_id ? base_node(r, id) : r->part->nodes[id - btf->first_id];
}

static bool is_type(const struct btf_type *t)
{
	return btf_kind__is_type(BTF_INFO_KIND(t->info));
}

/* Is this a TYPE_TAG of a feature that is off?  Then it is passed over. */
static bool is_removed(const struct btf_reader *r, const struct btf_type *t)
{
	if (BTF_INFO_KIND(t->info) != BTF_KIND_TYPE_TAG)
		return false;
	return BTF_INFO_KFLAG(t->info) ? !r->opts->attributes : !r->opts->type_tags;
}

/* While removed types are passed over: void, a type that is passed over as yet. */
#define NODE_VOID	UINT32_MAX
#define NODE_UNKNOWN	0U

static uint32_t *find_own(const struct btf_reader *r, uint32_t id)
{
	uint32_t i = id - r->part->btf->first_id;

	return id >= r->part->btf->first_id ? &r->part->nodes[i] : NULL;
}

/* Each of a chain of removed types gets the node at the chain's end. */
static int pass_over(struct btf_reader *r, uint32_t id)
{
	const struct btf_data *btf = r->part->btf;
	uint32_t *own, at, next;
	int64_t node;

	for (at = id; (own = find_own(r, at)) && *own == NODE_UNKNOWN; )
		at = btf_data__type(btf, at)->type;
	node = own ? *own : btf_reader__node(r, at);
	if (node < 0)
		return node;
	for (; (own = find_own(r, id)) && *own == NODE_UNKNOWN; id = next) {
		next = btf_data__type(btf, id)->type;
		*own = node ?: NODE_VOID;
	}
	return 0;
}

static int number_types(struct btf_reader *r)
{
	const struct btf_data *btf = r->part->btf;
	uint32_t i;
	int64_t node;
	int err = 0;

	for (i = 0; i < btf->nr_types; i++) {
		if (is_removed(r, btf->index[i]))
			continue;
		node = is_type(btf->index[i]) ? new_node(r, btf->first_id + i) : NODE_VOID;
		if (node < 0)
			return node;
		r->part->nodes[i] = node;
	}
	for (i = 0; !err && i < btf->nr_types; i++)
		if (r->part->nodes[i] == NODE_UNKNOWN)
			err = pass_over(r, btf->first_id + i);
	for (i = 0; i < btf->nr_types; i++)
		if (r->part->nodes[i] == NODE_VOID)
			r->part->nodes[i] = 0;
	return err;
}

/* --- what is in a node ------------------------------------------------------------ */

/* As the DWARF loader does: a FLOAT that is to be none is an INT without sign. */
static int fill_float(struct btf_reader *r, struct node *n)
{
	static const char fake[] = "__SANITIZED_FAKE_INT__";
	int64_t name;

	if (r->opts->floats)
		return 0;
	n->kind = BTF_KIND_INT;
	if (!(n->size & (n->size - 1)))
		return 0;
	name = strings__add(&r->store->strings, fake, sizeof(fake) - 1);
	if (name < 0)
		return name;
	n->name = name;
	n->size = 4;
	return 0;
}

static int fill_children(struct btf_reader *r, struct node *n, const struct btf_type *t)
{
	int64_t first = store__add_children(r->store, n->nr_children), name, ref;
	uint32_t k;

	if (first < 0)
		return first;
	n->child = first;
	for (k = 0; k < n->nr_children; k++) {
		struct child c = btf_type__child(t, k);

		name = btf_reader__string(r, c.name);
		ref = btf_reader__node(r, c.ref);
		if (name < 0 || ref < 0)
			return -ENOMEM;
		c.name = name;
		c.ref = ref;
		/* making nodes may move the children */
		r->store->children[first + k] = c;
	}
	return 0;
}

/* Kinds of features that are off, and which nodes are forwards. */
static int adapt_kind(struct btf_reader *r, struct node *n)
{
	/* kernels that know no ENUM64 reject kind_flag in ENUMs, too */
	if (!r->opts->enum64 && kind__of_name(n->kind) == BTF_KIND_ENUM) {
		n->kind = BTF_KIND_ENUM;
		n->flags &= ~TYPE_SIGNED;
		n->flags |= n->nr_children ? 0 : TYPE_FORWARD;
	}
	/* an enum without a name and values is declared nowhere else */
	if (n->flags & TYPE_FORWARD)
		n->flags = n->name ? TYPE_FORWARD : n->flags & ~TYPE_FORWARD;
	n->flags |= n->flags & TYPE_FORWARD ? 0 : TYPE_VARIANT;
	return n->kind == BTF_KIND_FLOAT ? fill_float(r, n) : 0;
}

static int fill_node(struct btf_reader *r, uint32_t id, uint32_t count)
{
	const struct btf_type *t = btf_data__type(r->part->btf, id);
	uint32_t node = r->part->nodes[id - r->part->btf->first_id];
	int64_t name, ref;
	struct node n;
	int err;

	if (!btf_type__decode(t, &n))
		return report_type(r, id, "a bit-field as an INT, which pahole before 1.12 wrote: make this BTF anew");
	name = btf_reader__string(r, n.name);
	ref = btf_reader__node(r, n.ref);
	if (name < 0 || ref < 0)
		return -ENOMEM;
	n.hash = r->store->nodes[node].hash;
	n.first = (uint64_t)r->nr << 32 | id;
	n.name = name;
	n.ref = ref;
	n.count = count;
	n.functions = !count;
	err = adapt_kind(r, &n);
	err = err ?: fill_children(r, &n, t);
	/* nodes of the base may have come, and moved the others */
	r->store->nodes[node] = n;
	return err;
}

/* --- prototypes -------------------------------------------------------------------- */

static void mark_used(const struct btf_data *btf, bool *used, uint32_t id)
{
	if (id >= btf->first_id)
		used[id - btf->first_id] = true;
}

/*
 * A prototype that only FUNCs have is written for those FUNCs that are, like one
 * that DWARF has no type for.
 */
static bool *find_used(const struct btf_data *btf)
{
	bool *used = calloc(btf->nr_types + 1UL, sizeof(*used));
	bool *of_func = calloc(btf->nr_types + 1UL, sizeof(*of_func));
	const uint32_t *to;
	uint32_t i;

	for (i = 0; used && of_func && i < btf->nr_types; i++) {
		const struct btf_type *t = btf->index[i];

		if (BTF_INFO_KIND(t->info) == BTF_KIND_FUNC) {
			mark_used(btf, of_func, t->type);
			continue;
		}
		for_each_id(to, t)
			mark_used(btf, used, *to);
	}
	for (i = 0; used && of_func && i < btf->nr_types; i++)
		used[i] |= !of_func[i];
	if (!of_func) {
		free(used);
		used = NULL;
	}
	free(of_func);
	return used;
}

int btf_reader__types(struct btf_reader *r)
{
	const struct btf_data *btf = r->part->btf;
	bool *used = find_used(btf);
	uint32_t i;
	int err;

	err = used ? number_types(r) : -ENOMEM;
	for (i = 0; !err && i < btf->nr_types; i++)
		if (is_type(btf->index[i]) && !is_removed(r, btf->index[i]))
			err = fill_node(r, btf->first_id + i, used[i]);
	free(used);
	return err;
}
