// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <stdio.h>

#include "btf/decode.h"
#include "btf/relocs.h"
#include "load/from_btf.h"
#include "util/memory.h"
#include "util/msg.h"

/**
 * struct btf_reader - one from_btf__read()
 * @relocs:	relocations of records, in a relocatable file
 * @objects:	symbols of variables without a place, valid if @has_objects
 * @part:	the current part, number @nr
 * @base_map:	nodes by id in the base, 0 if not created yet
 */
struct btf_reader {
	const struct image	*img;
	const struct symbols	*syms;
	const struct load_options *opts;
	struct from_btf		*in;
	struct store		*store;
	struct observed		*observed;
	struct record_relocs	relocs;
	VECTOR(struct symbol)	objects;
	bool			has_objects;
	struct btf_part		*part;
	uint32_t		nr;
	uint32_t		*base_map;
};

/* --- parts ------------------------------------------------------------------------ */

static void free_part(struct btf_part *part)
{
	btf_data__free(part->btf);
	free(part->nodes);
}

static int add_part(struct from_btf *in, const struct image *img, const struct base *base,
		    const uint8_t *bytes, size_t size, size_t *len)
{
	struct btf_part part = {};
	char *subject;
	int err;

	if (asprintf(&subject, "%s%s%.0u", img->path, in->parts.nr ? ": .BTF, part " : "",
		     in->parts.nr ? in->parts.nr + 1 : 0) < 0)
		return -ENOMEM;
	err = btf_data__parse_part(bytes, size, subject, base ? base->btf : NULL, &part.btf, len);
	free(subject);
	if (err)
		return err;
	part.nodes = xcalloc(part.btf->nr_types + 1UL, sizeof(*part.nodes));
	err = push(&in->parts, part);
	if (err)
		free_part(&part);
	return err ?: part.nodes ? 0 : -ENOMEM;
}

static int bad_parts(const struct image *img, const char *what)
{
	return msg_fail(-EINVAL, "%s: .BTF: %s", img->path, what);
}

static int read_parts(struct from_btf *in, const struct image *img, const struct base *base)
{
	struct section *own_base = image__section(img, ".BTF.base");
	struct section *sec = image__section(img, ".BTF");
	size_t at = 0, len;
	int err;

	if (!sec || !sec->size)
		return msg_fail(-ENOENT, "%s: no .BTF section, which --from-btf requires%s", img->path,
				image__section(img, ".debug_info") ?
				"; without that option DWARF is read" : "");
	if (own_base && own_base->size)
		return bad_parts(img,
				 "it is split from a base of its own (.BTF.base), which is not supported here");
	err = image__load_section(img, sec);
	if (err)
		return err;
	if (!sec->data)
		return bad_parts(img, "the section has no bytes");
	while (!err && at < sec->size) {
		err = add_part(in, img, base, sec->data + at, sec->size - at, &len);
		if (err)
			break;
		at += len;
		/* a linker puts zeroes between objects to align them */
		while (at < sec->size && !sec->data[at])
			at++;
		if (in->parts.array[in->parts.nr - 1].btf->big_endian != img->big_endian)
			err = bad_parts(img, "its byte order is not that of the image");
		in->is_split |= !!in->parts.array[in->parts.nr - 1].btf->base;
	}
	if (!err && in->is_split && in->parts.nr > 1)
		err = bad_parts(img,
				"split BTF with other BTF behind it, expected one or the other");
	return err;
}

/* --- types ------------------------------------------------------------------------ */

/* Return: the id of a string in the store, by its offset; or -ENOMEM. */
static int64_t string_of(struct btf_reader *r, uint32_t offset)
{
	const char *s = btf_data__string(r->part->btf, offset);

	return strings__add(&r->store->strings, s, strlen(s));
}

/* --- nodes by id ---------------------------------------------------------------- */

/* Create a node that is not equal to any other. */
static int64_t new_node(struct btf_reader *r, uint32_t id)
{
	struct hash h = hash__new(HASH_K1);

	hash__add(&h, r->nr, id);
	return store__intern(r->store, h);
}

/*
 * A type of the base becomes a node without content; the writer only needs its id in
 * the base.  It refers to itself, so that it differs from all others when prototypes
 * are compared.
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

/* Return: the node of a type by its id, or -ENOMEM. */
static int64_t node_of(struct btf_reader *r, uint32_t id)
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

/* Test for a TYPE_TAG of a disabled feature, which is skipped. */
static bool is_removed(const struct btf_reader *r, const struct btf_type *t)
{
	if (BTF_INFO_KIND(t->info) != BTF_KIND_TYPE_TAG)
		return false;
	return BTF_INFO_KFLAG(t->info) ? !r->opts->attributes : !r->opts->type_tags;
}

/* While removed types are skipped: void, and a removed type without a node yet. */
#define NODE_VOID	UINT32_MAX
#define NODE_UNKNOWN	0U

static uint32_t *find_own(const struct btf_reader *r, uint32_t id)
{
	uint32_t i = id - r->part->btf->first_id;

	return id >= r->part->btf->first_id ? &r->part->nodes[i] : NULL;
}

/* Map each type in a chain of removed types to the node at the end of the chain. */
static int pass_over(struct btf_reader *r, uint32_t id)
{
	const struct btf_data *btf = r->part->btf;
	uint32_t *own, at, next;
	int64_t node;

	for (at = id; (own = find_own(r, at)) && *own == NODE_UNKNOWN; )
		at = btf_data__type(btf, at)->type;
	node = own ? *own : node_of(r, at);
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
	int64_t node;
	int err = 0;

	for (uint32_t i = 0; i < btf->nr_types; i++) {
		if (is_removed(r, btf->index[i]))
			continue;
		node = is_type(btf->index[i]) ? new_node(r, btf->first_id + i) : NODE_VOID;
		if (node < 0)
			return node;
		r->part->nodes[i] = node;
	}
	for (uint32_t i = 0; !err && i < btf->nr_types; i++)
		if (r->part->nodes[i] == NODE_UNKNOWN)
			err = pass_over(r, btf->first_id + i);
	for (uint32_t i = 0; i < btf->nr_types; i++)
		if (r->part->nodes[i] == NODE_VOID)
			r->part->nodes[i] = 0;
	return err;
}

/* --- filling nodes ---------------------------------------------------------------- */

/* Like the DWARF loader, replace a FLOAT by an unsigned INT if FLOATs are disabled. */
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
	int64_t name, ref;

	n->child = store__add_children(r->store, n->nr_children);
	for (uint32_t k = 0; k < n->nr_children; k++) {
		struct child c = btf_type__child(t, k);

		name = string_of(r, c.name);
		ref = node_of(r, c.ref);
		if (name < 0 || ref < 0)
			return -ENOMEM;
		c.name = name;
		c.ref = ref;
		/* creating nodes may move the children */
		r->store->children[n->child + k] = c;
	}
	return 0;
}

/* Replace kinds of disabled features, and set flags of forwards and other nodes. */
static int adapt_kind(struct btf_reader *r, struct node *n)
{
	/* kernels without ENUM64 also reject kind_flag in ENUMs */
	if (!r->opts->enum64 && kind__of_name(n->kind) == BTF_KIND_ENUM) {
		n->kind = BTF_KIND_ENUM;
		n->flags &= ~TYPE_SIGNED;
		n->flags |= n->nr_children ? 0 : TYPE_FORWARD;
	}
	/* an enum without a name or values cannot be defined elsewhere */
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

	if (!btf_type__decode(t, &n)) {
		const char *s = btf_data__name(r->part->btf, id);

		return msg_fail(-EINVAL, "%s: .BTF: type %u (%s%s%s): a bit-field as an INT, which pahole before 1.12 wrote: make this BTF anew",
				r->img->path, id, btf_kind__name(BTF_INFO_KIND(t->info)),
				*s ? " " : "", is_text(s, strlen(s)) ? s : "?");
	}
	name = string_of(r, n.name);
	ref = node_of(r, n.ref);
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
	/* nodes of the base may have been added, and moved the others */
	r->store->nodes[node] = n;
	return err;
}

/* --- prototypes -------------------------------------------------------------------- */

/* The kinds of types that refer to a type */
#define BY_FUNC		(1U << 0)
#define BY_OTHERS	(1U << 1)

/*
 * A prototype that only FUNCs refer to is only written if one of these FUNCs is, like a
 * prototype without a type in DWARF.
 */
static uint8_t *find_users(const struct btf_data *btf)
{
	uint8_t *users = xcalloc(btf->nr_types + 1UL, sizeof(*users));
	const uint32_t *to;

	for (uint32_t i = 0; users && i < btf->nr_types; i++) {
		const struct btf_type *t = btf->index[i];
		bool is_func = BTF_INFO_KIND(t->info) == BTF_KIND_FUNC;

		for_each_id(to, t)
			if (*to >= btf->first_id)
				users[*to - btf->first_id] |= is_func ? BY_FUNC : BY_OTHERS;
	}
	return users;
}

/* Create nodes for all types of a part, and fill its @nodes. */
static int read_types(struct btf_reader *r)
{
	const struct btf_data *btf = r->part->btf;
	uint8_t *users __cleanup(free_pointer) = find_users(btf);
	int err = users ? number_types(r) : -ENOMEM;

	for (uint32_t i = 0; !err && i < btf->nr_types; i++)
		if (is_type(btf->index[i]) && !is_removed(r, btf->index[i]))
			err = fill_node(r, btf->first_id + i, users[i] != BY_FUNC);
	return err;
}

/* --- functions -------------------------------------------------------------------- */

/* Find the section and address of a record. Return: whether they are known. */
static bool find_place(const struct btf_reader *r, const struct btf_func *record,
		       struct func_read *f)
{
	const struct btf_data *btf = r->part->btf;
	size_t offset = btf->types_start + ((const uint8_t *)record - btf->types);
	const struct record_reloc *reloc;

	if (r->img->type == ET_REL) {
		reloc = record_relocs__find(&r->relocs, offset);
		if (!reloc || !reloc->sym || reloc->addend)
			return false;
		f->section = reloc->sym->section;
		f->address = reloc->sym->address;
		return true;
	}
	f->address = r->syms->text_start + btf_func__offset(record);
	f->section = symbols__section_of(r->syms, f->address);
	return r->syms->has_text;
}

static bool has_unnamed(const struct btf_data *btf, uint32_t proto)
{
	const struct btf_type *t = btf_data__type(btf, proto);
	const struct btf_param *p = (const void *)(t + 1);

	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++)
		if (p[i].type && !*btf_data__string(btf, p[i].name_off))
			return true;
	return false;
}

/* @mark of a string that is a file is the file's number. */
static int64_t file_number(struct btf_reader *r, const char *file)
{
	int64_t id = strings__add(&r->store->strings, file, strlen(file));
	struct from_btf *in = r->in;
	struct string *s;

	if (id < 0)
		return id;
	s = &r->store->strings.array[id];
	if (!s->mark) {
		if (push(&in->units, s->s))
			return -ENOMEM;
		s->mark = in->units.nr - 1;
	}
	return s->mark;
}

/* Split NAME@FILE: functions are looked up by NAME, and FILE selects one of several. */
static int read_name(struct btf_reader *r, const struct btf_type *t, struct func_read *f)
{
	const char *full = btf_data__string(r->part->btf, t->name_off);
	const char *at = strchr(full, '@');
	int64_t name, file = 0;

	if (at) {
		name = store__part(r->store, full, at - full);
		file = file_number(r, at + 1);
	} else {
		name = string_of(r, t->name_off);
	}
	if (name < 0 || file < 0)
		return -ENOMEM;
	f->facts.name = name;
	f->facts.unit = file;
	return 0;
}

int64_t store__part(struct store *store, const char *s, size_t len)
{
	int64_t id = strings__find(&store->strings, s, len);
	char *copy = id ? NULL : xstrndup(s, len);

	if (id)
		return id;
	return copy ? strings__add_owned(&store->strings, copy) : -ENOMEM;
}

static int read_func(struct btf_reader *r, const struct btf_type *t, uint32_t id)
{
	const struct btf_data *btf = r->part->btf;
	const struct btf_func *record = btf_data__func(btf, id);
	struct funcs_read *funcs = &r->in->funcs;
	int64_t proto = node_of(r, t->type);
	struct func_read f = { .linkage = BTF_INFO_VLEN(t->info) };

	if (proto < 0 || read_name(r, t, &f))
		return -ENOMEM;
	f.facts.proto = proto;
	f.facts.die = funcs->nr + 1;
	f.facts.external = f.linkage != BTF_FUNC_STATIC;
	f.facts.doubts = has_unnamed(btf, t->type) ? DOUBT_UNNAMED : 0;
	/* only this encoder writes records, and its BTF can only be the first part */
	f.has_place = record && r->nr == 0 && find_place(r, record, &f);
	r->part->nodes[id - btf->first_id] = f.facts.die;
	return push(funcs, f);
}

/* --- variables -------------------------------------------------------------------- */

static int note_object(const struct symbol *sym, void *arg)
{
	struct btf_reader *r = arg;

	return sym->type == STT_OBJECT ? push(&r->objects, *sym) : 0;
}

static int compare_objects(const void *x, const void *y)
{
	const struct symbol *a = x, *b = y;

	return cmp_int(a->section, b->section) ?: strcmp(a->name, b->name);
}

/* Return: 1 and the value if a section has one such object; otherwise 0 or a negative errno. */
static int find_object(struct btf_reader *r, uint32_t section, const char *name, uint64_t *value)
{
	struct symbol key = { .section = section, .name = name }, *first, *sym;
	int err = r->has_objects ? 0 : image__for_each_symbol(r->img, note_object, r);

	if (err)
		return err;
	first = r->objects.array;
	if (first && !r->has_objects)
		qsort(first, r->objects.nr, sizeof(key), compare_objects);
	r->has_objects = true;
	sym = first ? bsearch(&key, first, r->objects.nr, sizeof(key), compare_objects) : NULL;
	if (!sym || (sym > first && !compare_objects(sym - 1, &key)) ||
	    (sym + 1 < first + r->objects.nr && !compare_objects(sym + 1, &key)))
		return 0;
	*value = sym->value;
	return 1;
}

/*
 * Find the address of a variable.  Compilers write 0 for sizes of sections and offsets
 * in them, which are filled in when the file is linked.
 */
static int place_variable(struct btf_reader *r, const struct btf_type *datasec,
			  const struct btf_var_secinfo *info, const struct section *sec,
			  struct variable *var)
{
	const char *name = r->store->strings.array[var->name].s;
	uint64_t start = r->img->type == ET_REL ? 0 : sec->address;

	var->section = sec->index;
	if (!datasec->size && !info->offset)
		return find_object(r, sec->index, name, &var->address);
	var->address = start + info->offset;
	return (uint64_t)info->offset + info->size <= sec->size;
}

static int read_variable(struct btf_reader *r, const struct btf_type *datasec,
			 const struct btf_var_secinfo *info, const struct section *sec)
{
	const struct btf_data *btf = r->part->btf;
	const struct btf_type *t = btf_data__type(btf, info->type);
	uint32_t linkage = ((const struct btf_var *)(t + 1))->linkage;
	int64_t name = string_of(r, t->name_off), type;
	uint32_t *number = &r->part->nodes[info->type - btf->first_id];
	struct variable var = { .size = info->size };
	int placed;

	type = node_of(r, t->type);
	if (name < 0 || type < 0)
		return -ENOMEM;
	if (*number || linkage == BTF_VAR_GLOBAL_EXTERN)
		return 0;
	var.name = name;
	var.type = type;
	var.external = linkage == BTF_VAR_GLOBAL_ALLOCATED;
	placed = place_variable(r, datasec, info, sec, &var);
	if (!placed)
		msg_info("variable %s is omitted: its offset in %s is unknown",
			 r->store->strings.array[name].s, sec->name);
	if (placed <= 0)
		return placed;
	*number = ++r->in->nr_vars;
	var.die = *number;
	return push(&r->observed->vars, var);
}

static int read_section(struct btf_reader *r, const struct btf_type *t, uint32_t id)
{
	const struct btf_var_secinfo *info = (const void *)(t + 1);
	const char *name = btf_data__string(r->part->btf, t->name_off);
	const struct section *sec = image__section(r->img, name);
	int err = 0;

	if (!sec) {
		msg_info("variables of %.64s are omitted: there is no such section", name);
		return 0;
	}
	if (!r->opts->global_vars && !(r->opts->percpu && sec->percpu))
		return 0;
	for (uint32_t i = 0; !err && i < BTF_INFO_VLEN(t->info); i++) {
		const struct btf_type *var = btf_data__type(r->part->btf, info[i].type);

		if (info[i].type >= r->part->btf->first_id &&
		    BTF_INFO_KIND(var->info) == BTF_KIND_VAR)
			err = read_variable(r, t, &info[i], sec);
	}
	return err;
}

/* --- tags ------------------------------------------------------------------------- */

/* Return: the kind of a tag's target, 0 if it is in the base, which has its own tags. */
static uint8_t target_kind(const struct btf_reader *r, const struct btf_type *tag)
{
	if (tag->type < r->part->btf->first_id)
		return 0;
	return BTF_INFO_KIND(btf_data__type(r->part->btf, tag->type)->info);
}

/* Test whether a tag belongs to an enabled feature. */
static bool is_wanted(const struct btf_reader *r, const struct btf_type *t, uint8_t on)
{
	const char *value = btf_data__string(r->part->btf, t->name_off);

	if (!on)
		return false;
	if (BTF_INFO_KFLAG(t->info))
		return r->opts->attributes;
	if (on == BTF_KIND_FUNC && (!strcmp(value, "bpf_kfunc") || !strcmp(value, "bpf_fastcall")))
		return r->opts->kfunc_tags;
	return r->opts->decl_tags;
}

static int read_tag(struct btf_reader *r, const struct btf_type *t, uint32_t tag_id)
{
	struct tag_seen tag = {
		.component = ((const struct btf_decl_tag *)(t + 1))->component_idx,
		.attribute = BTF_INFO_KFLAG(t->info),
	};
	uint8_t on = target_kind(r, t);
	int64_t value;
	uint32_t to;

	if (!is_wanted(r, t, on))
		return 0;
	value = string_of(r, t->name_off);
	if (value < 0)
		return value;
	tag.value = value;
	to = r->part->nodes[t->type - r->part->btf->first_id];
	tag.target = to;
	if (on == BTF_KIND_FUNC) {
		tag.on = TAG_ON_FUNC;
		tag.target |= (uint64_t)r->in->funcs.array[to - 1].facts.unit << 32;
	} else {
		tag.on = on == BTF_KIND_VAR ? TAG_ON_VAR : TAG_ON_TYPE;
	}
	/* an omitted variable has no number */
	return to ? push(&r->observed->tags, tag) : 0;
}

/* --- a whole part ------------------------------------------------------------------ */

static int read_kind(struct btf_reader *r, uint8_t kind,
		     int (*fn)(struct btf_reader *r, const struct btf_type *t, uint32_t id))
{
	const struct btf_data *btf = r->part->btf;
	int err = 0;

	for (uint32_t i = 0; !err && i < btf->nr_types; i++)
		if (BTF_INFO_KIND(btf->index[i]->info) == kind)
			err = fn(r, btf->index[i], btf->first_id + i);
	return err;
}

/*
 * Compute how deeply unnamed types are nested.  Looking them up in a base is recursive,
 * so the DWARF loader's limit applies.
 *
 * @height:	by node, 0 if unknown
 *
 * Return: the number of nested unnamed types, or more than MAX_CHAIN if there are too many.
 */
static unsigned int find_height(const struct store *s, uint16_t *height, uint32_t id,
				unsigned int depth)
{
	const struct node *node = &s->nodes[id];
	unsigned int max = 0, h;

	if (height[id])
		return height[id];
	if (depth > MAX_CHAIN)
		return MAX_CHAIN + 1;
	/* until it is known: a type that reaches itself is nested without end */
	height[id] = MAX_CHAIN + 1;
	for (uint32_t i = 0; i <= node->nr_children; i++) {
		uint32_t ref = i ? s->children[node->child + i - 1].ref : node->ref;
		const struct node *to = &s->nodes[ref];

		if (!ref || (to->name && kind__is_tagged(to->kind)))
			continue;
		h = find_height(s, height, ref, depth + 1);
		if (h > max)
			max = h;
	}
	return height[id] = max <= MAX_CHAIN ? max + 1 : max;
}

static int check_nesting(const struct image *img, const struct store *store)
{
	uint16_t *height __cleanup(free_pointer) = xcalloc(store->nr_nodes, sizeof(*height));

	if (!height)
		return -ENOMEM;
	for (uint32_t id = 1; id < store->nr_nodes; id++)
		if (find_height(store, height, id, 0) > MAX_CHAIN)
			return bad_parts(img, "types are nested deeper than 250");
	return 0;
}

int from_btf__read(const struct image *img, const struct symbols *syms, const struct base *base,
		   const struct load_options *opts, struct from_btf *ret, struct store *store,
		   struct observed *observed)
{
	struct btf_reader r = { .img = img, .syms = syms, .opts = opts, .in = ret,
				.store = store, .observed = observed };
	int err;

	*ret = (struct from_btf){};
	err = push(&ret->units, "") ?: read_parts(ret, img, base);
	if (!err && ret->is_split) {
		r.base_map = xcalloc(btf_data__end_id(base->btf), sizeof(*r.base_map));
		err = r.base_map ? 0 : -ENOMEM;
	}
	if (!err && img->type == ET_REL && ret->parts.array[0].btf->nr_records)
		err = record_relocs__read(&r.relocs, syms);
	for (; !err && r.nr < ret->parts.nr; r.nr++) {
		r.part = &ret->parts.array[r.nr];
		err = read_types(&r) ?: read_kind(&r, BTF_KIND_FUNC, read_func) ?:
		      read_kind(&r, BTF_KIND_DATASEC, read_section) ?:
		      read_kind(&r, BTF_KIND_DECL_TAG, read_tag);
	}
	if (!err && base && !ret->is_split)
		err = check_nesting(img, store);
	free(r.base_map);
	free(r.objects.array);
	record_relocs__destroy(&r.relocs);
	return err;
}

uint32_t *from_btf__base_ids(const struct from_btf *in, uint32_t nr_nodes)
{
	uint32_t *ids = xcalloc(nr_nodes + 1UL, sizeof(*ids));

	for_each(base, &in->base_nodes)
		if (ids)
			ids[base->node] = base->id;
	return ids;
}

void from_btf__destroy(struct from_btf *in)
{
	for_each(part, &in->parts)
		free_part(part);
	free(in->parts.array);
	free(in->units.array);
	free(in->base_nodes.array);
	free(in->funcs.array);
	free(in->funcs.ambiguous);
	*in = (struct from_btf){};
}
