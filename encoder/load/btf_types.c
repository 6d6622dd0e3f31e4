// SPDX-License-Identifier: GPL-2.0-only
#include <linux/btf.h>

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
	struct from_btf *in = r->in;
	int64_t node = r->base_map[id];

	if (node)
		return node;
	if (grow(&in->base_nodes, &in->cap_base_nodes, (uint64_t)in->nr_base_nodes + 1,
		 sizeof(*in->base_nodes)))
		return -ENOMEM;
	node = new_node(r, id);
	if (node < 0)
		return node;
	r->store->nodes[node].kind = BTF_KIND_INT;
	r->store->nodes[node].size = id;
	r->store->nodes[node].ref = node;
	in->base_nodes[in->nr_base_nodes++] = (struct base_node){ .node = node, .id = id };
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

static int fill_int(struct btf_reader *r, struct node *n, const struct btf_type *t, uint32_t id)
{
	uint32_t data = *(const uint32_t *)(t + 1);

	if (BTF_INT_OFFSET(data) || BTF_INT_BITS(data) != t->size * 8)
		return report_type(r, id, "a bit-field as an INT, which pahole before 1.12 wrote: make this BTF anew");
	n->encoding = BTF_INT_ENCODING(data);
	return 0;
}

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

static int add_child(struct btf_reader *r, struct child *c, uint32_t name_off, uint32_t type)
{
	int64_t name = btf_reader__string(r, name_off);
	int64_t ref = btf_reader__node(r, type);

	if (name < 0 || ref < 0)
		return -ENOMEM;
	c->name = name;
	c->ref = ref;
	return 0;
}

static int fill_members(struct btf_reader *r, int64_t first, const struct btf_type *t)
{
	const struct btf_member *m = (const void *)(t + 1);
	bool bitfields = BTF_INFO_KFLAG(t->info);
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < BTF_INFO_VLEN(t->info); i++, m++) {
		struct child c = { .value = m->offset };

		if (bitfields) {
			c.value = BTF_MEMBER_BIT_OFFSET(m->offset);
			c.bits = BTF_MEMBER_BITFIELD_SIZE(m->offset);
		}
		err = add_child(r, &c, m->name_off, m->type);
		/* making nodes may move the children */
		r->store->children[first + i] = c;
	}
	return err;
}

static int fill_values(struct btf_reader *r, int64_t first, const struct btf_type *t)
{
	const struct btf_enum *e = (const void *)(t + 1);
	const struct btf_enum64 *e64 = (const void *)(t + 1);
	bool wide = BTF_INFO_KIND(t->info) == BTF_KIND_ENUM64;
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < BTF_INFO_VLEN(t->info); i++) {
		struct child c = {};

		if (wide)
			c.value = (uint64_t)e64[i].val_hi32 << 32 | e64[i].val_lo32;
		else
			c.value = (int64_t)e[i].val;
		err = add_child(r, &c, wide ? e64[i].name_off : e[i].name_off, 0);
		r->store->children[first + i] = c;
	}
	return err;
}

static int fill_params(struct btf_reader *r, int64_t first, const struct btf_type *t, uint32_t nr)
{
	const struct btf_param *p = (const void *)(t + 1);
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < nr; i++) {
		struct child c = {};

		err = add_child(r, &c, p[i].name_off, p[i].type);
		r->store->children[first + i] = c;
	}
	return err;
}

static bool ends_in_dots(const struct btf_type *t)
{
	const struct btf_param *p = (const void *)(t + 1);
	uint32_t nr = BTF_INFO_VLEN(t->info);

	return nr && !p[nr - 1].type;
}

static uint32_t nr_children(const struct btf_type *t)
{
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return BTF_INFO_VLEN(t->info);
	case BTF_KIND_FUNC_PROTO:
		return BTF_INFO_VLEN(t->info) - ends_in_dots(t);
	default:
		return 0;
	}
}

static int fill_children(struct btf_reader *r, struct node *n, const struct btf_type *t)
{
	int64_t first = store__add_children(r->store, nr_children(t));

	if (first < 0)
		return first;
	n->child = first;
	n->nr_children = nr_children(t);
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return fill_members(r, first, t);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return fill_values(r, first, t);
	case BTF_KIND_FUNC_PROTO:
		return fill_params(r, first, t, n->nr_children);
	default:
		return 0;
	}
}

static uint32_t ref_of(const struct btf_type *t)
{
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
	case BTF_KIND_FUNC_PROTO:
		return t->type;
	case BTF_KIND_ARRAY:
		return ((const struct btf_array *)(t + 1))->type;
	default:
		return 0;
	}
}

/* What kind, kind_flag and size mean to the store. */
static int fill_kind(struct btf_reader *r, struct node *n, const struct btf_type *t, uint32_t id)
{
	bool kind_flag = BTF_INFO_KFLAG(t->info);

	switch (n->kind) {
	case BTF_KIND_INT:
		n->size = t->size;
		return fill_int(r, n, t, id);
	case BTF_KIND_FLOAT:
		n->size = t->size;
		return fill_float(r, n);
	case BTF_KIND_ARRAY:
		n->size = ((const struct btf_array *)(t + 1))->nelems;
		return 0;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		n->size = t->size;
		n->flags |= kind_flag ? TYPE_BITFIELDS : 0;
		return 0;
	case BTF_KIND_FWD:
		n->kind = kind_flag ? BTF_KIND_UNION : BTF_KIND_STRUCT;
		n->flags = TYPE_FORWARD;
		return 0;
	case BTF_KIND_ENUM64:
		if (!r->opts->enum64)
			n->kind = BTF_KIND_ENUM;
		/* fall through */
	case BTF_KIND_ENUM:
		n->size = t->size;
		n->flags |= kind_flag && r->opts->enum64 ? TYPE_SIGNED : 0;
		/* btf.rst knows no other way to declare an enum */
		if (n->kind == BTF_KIND_ENUM && n->name && !BTF_INFO_VLEN(t->info))
			n->flags = TYPE_FORWARD;
		return 0;
	case BTF_KIND_FUNC_PROTO:
		n->flags |= ends_in_dots(t) ? TYPE_VARARGS : 0;
		return 0;
	default: /* PTR, TYPEDEF, CONST, VOLATILE, RESTRICT, TYPE_TAG */
		n->flags |= kind_flag ? TYPE_ATTRIBUTE : 0;
		return 0;
	}
}

static int fill_node(struct btf_reader *r, uint32_t id, uint32_t count)
{
	const struct btf_type *t = btf_data__type(r->part->btf, id);
	int64_t name = btf_reader__string(r, t->name_off);
	int64_t ref = btf_reader__node(r, ref_of(t));
	struct node n;
	int64_t node;
	int err;

	if (name < 0 || ref < 0)
		return -ENOMEM;
	node = r->part->nodes[id - r->part->btf->first_id];
	n = r->store->nodes[node];
	n.first = (uint64_t)r->nr << 32 | id;
	n.name = name;
	n.kind = BTF_INFO_KIND(t->info);
	n.flags = TYPE_VARIANT;
	n.ref = ref;
	n.count = count;
	n.functions = !count;
	err = fill_kind(r, &n, t, id);
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
	uint32_t i, k;

	for (i = 0; used && of_func && i < btf->nr_types; i++) {
		const struct btf_type *t = btf->index[i];
		const struct btf_member *m = (const void *)(t + 1);
		const struct btf_param *p = (const void *)(t + 1);

		if (BTF_INFO_KIND(t->info) == BTF_KIND_FUNC) {
			mark_used(btf, of_func, t->type);
			continue;
		}
		if (BTF_INFO_KIND(t->info) == BTF_KIND_VAR)
			mark_used(btf, used, t->type);
		mark_used(btf, used, ref_of(t));
		for (k = 0; k < nr_children(t); k++) {
			if (BTF_INFO_KIND(t->info) == BTF_KIND_FUNC_PROTO)
				mark_used(btf, used, p[k].type);
			else if (BTF_INFO_KIND(t->info) == BTF_KIND_STRUCT ||
				 BTF_INFO_KIND(t->info) == BTF_KIND_UNION)
				mark_used(btf, used, m[k].type);
		}
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
