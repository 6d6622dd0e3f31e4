// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <stdio.h>

#include "btf/data.h"
#include "btf/relocs.h"
#include "load/from_btf.h"
#include "util/memory.h"
#include "util/msg.h"

/**
 * struct btf_reader - one from_btf__read()
 * @relocs:	relocations of records, in a relocatable file
 * @data_symbols:	symbols of variables without a place, valid if @has_data_symbols
 * @object:	the current object, number @nr
 * @err:	the first error in an object, after which no other type is read
 */
struct btf_reader {
	const struct image	*img;
	const struct symbols	*syms;
	const struct load_options *opts;
	struct from_btf		*in;
	struct store		*store;
	struct observed		*observed;
	struct record_relocs	relocs;
	VECTOR(struct symbol)	data_symbols;
	bool			has_data_symbols;
	struct btf_object	*object;
	uint32_t		nr;
	int			err;
};

/* --- objects ------------------------------------------------------------------------ */

static int bad_objects(const struct image *img, const char *what)
{
	return msg_fail(-EINVAL, "%s: .BTF: %s", img->path, what);
}

static int read_objects(struct from_btf *in, const struct image *img, const struct base *base)
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
		return bad_objects(img,
				 "it has a separate base (.BTF.base), which --from-btf does not support");
	err = image__load_section(img, sec);
	if (err)
		return err;
	if (!sec->data)
		return bad_objects(img, "the section has no bytes");
	while (at < sec->size) {
		uint32_t nr = in->objects.nr;
		char *subject __cleanup(free_pointer) =
			xasprintf("%s%s%.0u", img->path, nr ? ": .BTF, object " : "",
				  nr ? nr + 1 : 0);
		struct btf_object object = {};

		err = btf_data__parse(sec->data + at, sec->size - at, subject,
				      base ? base->btf : NULL, &object.btf, &len);
		if (err)
			return err;
		object.nodes = xcalloc(object.btf->nr_types + 1UL, sizeof(*object.nodes));
		object.numbers = xcalloc(object.btf->nr_types + 1UL, sizeof(*object.numbers));
		push(&in->objects, object);
		at += len;
		/* a linker puts zeroes between objects to align them */
		while (at < sec->size && !sec->data[at])
			at++;
		if (object.btf->big_endian != img->big_endian)
			return bad_objects(img, "its byte order differs from the image");
		in->is_split |= !!object.btf->base;
	}
	if (in->is_split && in->objects.nr > 1)
		return bad_objects(img,
				 "split BTF is followed by other BTF, expected only one of them");
	return 0;
}

/* --- types ------------------------------------------------------------------------ */

/* Return: an id in the store; 0 after an error, which is kept. */
static uint32_t check_id(struct btf_reader *r, int64_t id)
{
	if (id < 0)
		r->err = r->err ?: id;
	return id < 0 ? 0 : id;
}

/* Return: the id of a string in the store, by its offset. */
static uint32_t string_of(struct btf_reader *r, uint32_t offset)
{
	const char *s = btf_data__string(r->object->btf, offset);

	return check_id(r, strings__add(&r->store->strings, s, strlen(s)));
}

/* --- nodes by id ---------------------------------------------------------------- */

/* Create a node that is not equal to any other. */
static uint32_t new_node(struct btf_reader *r, uint32_t id)
{
	struct hash h = hash__new(HASH_K1);

	hash__add(&h, r->nr, id);
	return check_id(r, store__intern(r->store, h));
}

/*
 * A type of the base becomes a node without content; the writer only needs its id in
 * the base.  The id is also its size, so that it differs from all others when prototypes
 * are compared.
 */
static uint32_t base_node(struct btf_reader *r, uint32_t id)
{
	uint32_t *node = &r->in->base_nodes[id];
	struct node *n;

	if (*node)
		return *node;
	*node = new_node(r, id);
	if (!*node)
		return 0;
	n = &r->store->nodes[*node];
	n->kind = BTF_KIND_INT;
	n->size = id;
	n->ref = *node;
	return *node;
}

/* Return: the node of a type by its id. */
static uint32_t node_of(struct btf_reader *r, uint32_t id)
{
	const struct btf_data *btf = r->object->btf;

	if (!id)
		return 0;
	return id < btf->first_id ? base_node(r, id) : r->object->nodes[id - btf->first_id];
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
	uint32_t i = id - r->object->btf->first_id;

	return id >= r->object->btf->first_id ? &r->object->nodes[i] : NULL;
}

static void number_types(struct btf_reader *r)
{
	const struct btf_data *btf = r->object->btf;
	uint32_t *nodes = r->object->nodes, *own, id, at, node;

	for (uint32_t i = 0; !r->err && i < btf->nr_types; i++)
		if (!is_removed(r, btf->index[i]))
			nodes[i] = is_type(btf->index[i]) ? new_node(r, btf->first_id + i) :
							    NODE_VOID;
	/* map each type in a chain of removed types to the node at the end of the chain */
	for (uint32_t i = 0; !r->err && i < btf->nr_types; i++) {
		for (at = btf->first_id + i; (own = find_own(r, at)) && *own == NODE_UNKNOWN; )
			at = btf_data__type(btf, at)->type;
		node = own ? *own : node_of(r, at);
		for (id = btf->first_id + i; (own = find_own(r, id)) && *own == NODE_UNKNOWN; ) {
			*own = node ?: NODE_VOID;
			id = btf_data__type(btf, id)->type;
		}
	}
	for (uint32_t i = 0; i < btf->nr_types; i++)
		if (nodes[i] == NODE_VOID)
			nodes[i] = 0;
}

/* Like the DWARF loader, replace a FLOAT by an unsigned INT if FLOATs are disabled. */
static void replace_float(struct btf_reader *r, struct node *n)
{
	static const char fake[] = "__SANITIZED_FAKE_INT__";

	n->kind = BTF_KIND_INT;
	if (!(n->size & (n->size - 1)))
		return;
	n->name = check_id(r, strings__add(&r->store->strings, fake, sizeof(fake) - 1));
	n->size = 4;
}

static void fill_node(struct btf_reader *r, uint32_t id, uint32_t uses)
{
	const struct btf_type *t = btf_data__type(r->object->btf, id);
	uint32_t node = r->object->nodes[id - r->object->btf->first_id];
	struct node n;

	if (!btf_type__decode(t, &n)) {
		const char *s = btf_data__name(r->object->btf, id);

		r->err = msg_fail(-EINVAL, "%s: .BTF: type %u (%s%s%s): a bit-field as an INT, which pahole before 1.12 wrote: encode it again",
				  r->img->path, id, btf_kind__name(BTF_INFO_KIND(t->info)),
				  *s ? " " : "", is_text(s, strlen(s)) ? s : "?");
		return;
	}
	n.first_seen = (uint64_t)r->nr << 32 | id;
	n.name = string_of(r, n.name);
	n.ref = node_of(r, n.ref);
	n.uses = uses;
	n.functions = !uses;
	/* kernels without ENUM64 also reject kind_flag in ENUMs */
	if (!r->opts->enum64 && kind__of_name(n.kind) == BTF_KIND_ENUM) {
		n.kind = BTF_KIND_ENUM;
		n.flags &= ~TYPE_SIGNED;
		n.flags |= n.nr_children ? 0 : TYPE_FORWARD;
	}
	/* an enum without a name or values cannot be defined elsewhere */
	if (n.flags & TYPE_FORWARD)
		n.flags = n.name ? TYPE_FORWARD : n.flags & ~TYPE_FORWARD;
	n.flags |= n.flags & TYPE_FORWARD ? 0 : TYPE_VARIANT;
	if (n.kind == BTF_KIND_FLOAT && !r->opts->floats)
		replace_float(r, &n);
	n.child = store__add_children(r->store, n.nr_children);
	for (uint32_t k = 0; k < n.nr_children; k++) {
		struct child c = btf_type__child(t, k);

		c.name = string_of(r, c.name);
		c.ref = node_of(r, c.ref);
		/* creating nodes may move the children */
		r->store->children[n.child + k] = c;
	}
	/* nodes of the base may have been added, and moved the others */
	r->store->nodes[node] = n;
}

/* The kinds of types that refer to a type */
#define BY_FUNC		(1U << 0)
#define BY_OTHERS	(1U << 1)

/* Create nodes for all types of an object, and fill its @nodes. */
static void read_types(struct btf_reader *r)
{
	const struct btf_data *btf = r->object->btf;
	/*
	 * A prototype that only FUNCs refer to is only written if one of these FUNCs is, like a
	 * prototype without a type in DWARF.
	 */
	uint8_t *users __cleanup(free_pointer) = xcalloc(btf->nr_types + 1UL, sizeof(*users));
	const uint32_t *to;

	for (uint32_t i = 0; i < btf->nr_types; i++) {
		bool is_func = BTF_INFO_KIND(btf->index[i]->info) == BTF_KIND_FUNC;

		for_each_id(to, btf->index[i])
			if (*to >= btf->first_id)
				users[*to - btf->first_id] |= is_func ? BY_FUNC : BY_OTHERS;
	}
	number_types(r);
	for (uint32_t i = 0; !r->err && i < btf->nr_types; i++)
		if (is_type(btf->index[i]) && !is_removed(r, btf->index[i]))
			fill_node(r, btf->first_id + i, users[i] != BY_FUNC);
}

/* --- functions -------------------------------------------------------------------- */

/* Find the section and address of a record. Return: whether they are known. */
static bool find_place(const struct btf_reader *r, const struct btf_func *record,
		       struct func_read *f)
{
	const struct btf_data *btf = r->object->btf;
	size_t offset = btf->types_start + ((const uint8_t *)record - btf->types);
	const struct record_reloc *reloc;

	if (r->img->type == ET_REL) {
		reloc = record_relocs__find(&r->relocs, offset);
		if (!reloc || !reloc->sym || reloc->reloc.addend)
			return false;
		f->section = reloc->sym->section;
		f->address = reloc->sym->address;
		return true;
	}
	f->address = r->syms->text_start + btf_func__offset(record);
	f->section = symbols__section_of(r->syms, f->address);
	return r->syms->has_text;
}

static void read_func(struct btf_reader *r, const struct btf_type *t, uint32_t id)
{
	const struct btf_data *btf = r->object->btf;
	const struct btf_func *record = btf_data__func(btf, id);
	const struct btf_type *proto = btf_data__type(btf, t->type);
	const struct btf_param *params = (const void *)(proto + 1);
	const char *full = btf_data__string(btf, t->name_off), *at = strchr(full, '@');
	struct funcs_read *funcs = &r->in->funcs;
	struct func_read f = { .linkage = BTF_INFO_VLEN(t->info) };

	/* NAME@FILE: functions are looked up by NAME, and FILE selects one of several */
	if (at) {
		struct strings *strings = &r->store->strings;
		uint32_t file;

		f.facts.name = check_id(r, strings__add_copy(strings, full, at - full));
		file = check_id(r, strings__add(strings, at + 1, strlen(at + 1)));
		/* @mark of a string that is a file is the file's number */
		if (!strings->array[file].mark) {
			push(&r->in->files, strings->array[file].s);
			strings->array[file].mark = r->in->files.nr - 1;
		}
		f.facts.unit = strings->array[file].mark;
	} else {
		f.facts.name = string_of(r, t->name_off);
	}
	f.facts.proto = node_of(r, t->type);
	f.facts.desc = funcs->nr + 1;
	f.facts.external = f.linkage != BTF_FUNC_STATIC;
	for (uint32_t i = 0; i < BTF_INFO_VLEN(proto->info); i++)
		if (params[i].type && !*btf_data__string(btf, params[i].name_off))
			f.facts.doubts = DOUBT_UNNAMED;
	/* only this encoder writes records, and its BTF can only be the first object */
	f.has_place = record && r->nr == 0 && find_place(r, record, &f);
	r->object->numbers[id - btf->first_id] = f.facts.desc;
	push(funcs, f);
}

/* --- variables -------------------------------------------------------------------- */

static int add_data_symbol(const struct symbol *sym, void *arg)
{
	struct btf_reader *r = arg;

	if (sym->type == STT_OBJECT)
		push(&r->data_symbols, *sym);
	return 0;
}

/* Find the value of an object. Return: whether its section has one with this name. */
static bool find_data_symbol(struct btf_reader *r, uint32_t section, const char *name,
			     uint64_t *value)
{
	const struct symbol key = { .section = section, .name = name }, *sym;
	uint32_t i;

	if (!r->has_data_symbols) {
		r->err = image__for_each_symbol(r->img, add_data_symbol, r);
		vector__sort(&r->data_symbols, symbol__compare_objects);
		r->has_data_symbols = true;
	}
	i = first_not_before(at, r->data_symbols.nr,
			     symbol__compare_objects(&r->data_symbols.array[at], &key) < 0);
	sym = &r->data_symbols.array[i];
	if (i >= r->data_symbols.nr || symbol__compare_objects(sym, &key) ||
	    (i + 1 < r->data_symbols.nr && !symbol__compare_objects(sym + 1, &key)))
		return false;
	*value = sym->address;
	return true;
}

static void read_variable(struct btf_reader *r, const struct btf_type *datasec,
			  const struct btf_var_secinfo *info, const struct section *sec)
{
	const struct btf_data *btf = r->object->btf;
	const struct btf_type *t = btf_data__type(btf, info->type);
	uint32_t linkage = ((const struct btf_var *)(t + 1))->linkage;
	uint32_t *number = &r->object->numbers[info->type - btf->first_id];
	struct variable var = { .size = info->size, .name = string_of(r, t->name_off),
				.type = node_of(r, t->type), .section = sec->index,
				.external = linkage == BTF_VAR_GLOBAL_ALLOCATED };
	const char *name = r->store->strings.array[var.name].s;
	bool found = (uint64_t)info->offset + info->size <= sec->size;

	if (*number || linkage == BTF_VAR_GLOBAL_EXTERN)
		return;
	var.address = (r->img->type == ET_REL ? 0 : sec->address) + info->offset;
	/* until a file is linked, sizes of sections and offsets in them are 0 */
	if (!datasec->size && !info->offset)
		found = find_data_symbol(r, sec->index, name, &var.address);
	if (found) {
		var.symbol_name = var.name;
		*number = ++r->in->nr_vars;
		var.desc = *number;
		push(&r->observed->vars, var);
	} else if (!r->err) {
		msg_info("variable %s is omitted: its offset in %s is unknown", name, sec->name);
	}
}

static void read_section(struct btf_reader *r, const struct btf_type *t, uint32_t id)
{
	const struct btf_var_secinfo *info = (const void *)(t + 1);
	const char *name = btf_data__string(r->object->btf, t->name_off);
	const struct section *sec = image__section(r->img, name);

	if (!sec) {
		msg_info("variables of %.64s are omitted: there is no such section", name);
		return;
	}
	if (!r->opts->global_vars && !(r->opts->percpu && sec->percpu))
		return;
	for (uint32_t i = 0; !r->err && i < BTF_INFO_VLEN(t->info); i++) {
		const struct btf_type *var = btf_data__type(r->object->btf, info[i].type);

		if (info[i].type >= r->object->btf->first_id &&
		    BTF_INFO_KIND(var->info) == BTF_KIND_VAR)
			read_variable(r, t, &info[i], sec);
	}
}

/* --- tags ------------------------------------------------------------------------- */

/* Test whether a tag belongs to an enabled feature. */
static bool is_wanted(const struct btf_reader *r, const struct btf_type *t, uint8_t on)
{
	const char *value = btf_data__string(r->object->btf, t->name_off);

	if (!on)
		return false;
	if (BTF_INFO_KFLAG(t->info))
		return r->opts->attributes;
	if (on == BTF_KIND_FUNC && (!strcmp(value, "bpf_kfunc") || !strcmp(value, "bpf_fastcall")))
		return r->opts->kfuncs && r->opts->decl_tags;
	return r->opts->decl_tags;
}

static void read_tag(struct btf_reader *r, const struct btf_type *t, uint32_t tag_id)
{
	const struct btf_data *btf = r->object->btf;
	/* the base has tags for its types */
	uint8_t on = t->type < btf->first_id ? 0 :
		     BTF_INFO_KIND(btf_data__type(btf, t->type)->info);
	struct tag_seen tag = {
		.on = on == BTF_KIND_FUNC ? TAG_ON_FUNC : on == BTF_KIND_VAR ? TAG_ON_VAR :
		      TAG_ON_TYPE,
		.component = ((const struct btf_decl_tag *)(t + 1))->component_idx,
		.attribute = BTF_INFO_KFLAG(t->info),
	};
	uint32_t number;

	if (!is_wanted(r, t, on))
		return;
	tag.value = string_of(r, t->name_off);
	if (tag.on == TAG_ON_TYPE) {
		tag.type = r->object->nodes[t->type - btf->first_id];
	} else {
		number = r->object->numbers[t->type - btf->first_id];
		/* a variable that was omitted has no number */
		if (!number)
			return;
		tag.desc = desc__id(tag.on == TAG_ON_FUNC ?
				    r->in->funcs.array[number - 1].facts.unit : 0, number);
	}
	push(&r->observed->tags, tag);
}

/* --- a whole object ------------------------------------------------------------------ */

static void read_kind(struct btf_reader *r, uint8_t kind,
		      void (*fn)(struct btf_reader *r, const struct btf_type *t, uint32_t id))
{
	const struct btf_data *btf = r->object->btf;

	for (uint32_t i = 0; !r->err && i < btf->nr_types; i++)
		if (BTF_INFO_KIND(btf->index[i]->info) == kind)
			fn(r, btf->index[i], btf->first_id + i);
}

int from_btf__read(const struct image *img, const struct symbols *syms, const struct base *base,
		   const struct load_options *opts, struct from_btf *ret, struct store *store,
		   struct observed *observed)
{
	struct btf_reader r = { .img = img, .syms = syms, .opts = opts, .in = ret,
				.store = store, .observed = observed };
	int err;

	*ret = (struct from_btf){};
	push(&ret->files, "");
	err = read_objects(ret, img, base);
	if (err)
		return err;
	if (ret->is_split)
		ret->base_nodes = xcalloc(btf_data__end_id(base->btf), sizeof(*ret->base_nodes));
	if (img->type == ET_REL && ret->objects.array[0].btf->nr_records)
		r.err = record_relocs__read(&r.relocs, syms);
	for (; !r.err && r.nr < ret->objects.nr; r.nr++) {
		r.object = &ret->objects.array[r.nr];
		read_types(&r);
		read_kind(&r, BTF_KIND_FUNC, read_func);
		read_kind(&r, BTF_KIND_DATASEC, read_section);
		read_kind(&r, BTF_KIND_DECL_TAG, read_tag);
	}
	free(r.data_symbols.array);
	record_relocs__destroy(&r.relocs);
	return r.err;
}

uint32_t *from_btf__base_ids(const struct from_btf *in, uint32_t nr_nodes)
{
	uint32_t *ids = xcalloc(nr_nodes + 1UL, sizeof(*ids));
	uint32_t end = in->objects.array[0].btf->first_id;

	for (uint32_t id = 1; id < end; id++)
		if (in->base_nodes[id])
			ids[in->base_nodes[id]] = id;
	return ids;
}

void from_btf__destroy(struct from_btf *in)
{
	for_each(object, &in->objects) {
		btf_data__free(object->btf);
		free(object->nodes);
		free(object->numbers);
	}
	free(in->objects.array);
	free(in->files.array);
	free(in->base_nodes);
	free(in->funcs.array);
	free(in->funcs.ambiguous);
	*in = (struct from_btf){};
}
