// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <linux/btf.h>
#include <stdio.h>

#include "btf/relocs.h"
#include "load/from_btf.h"
#include "util/grow.h"
#include "util/msg.h"

/**
 * struct input_places - what addresses in records mean
 * @relocs:	of a relocatable file
 */
struct input_places {
	const struct symbols	*syms;
	struct record_relocs	relocs;
};

/* Objects of the symbol table, for variables that do not say where they are. */
struct objects {
	VECTOR(struct symbol);
	bool		read;
};

/* One from_btf__read(). */
struct reading {
	struct btf_reader	r;
	struct input_places		places;
	struct objects		objects;
};

/* --- parts ------------------------------------------------------------------------ */

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
	if (push(&in->parts, part)) {
		btf_data__free(part.btf);
		return -ENOMEM;
	}
	part.nodes = calloc(part.btf->nr_types + 1UL, sizeof(*part.nodes));
	in->parts.array[in->parts.nr - 1] = part;
	return part.nodes ? 0 : -ENOMEM;
}

static int bad_parts(const struct image *img, const char *what)
{
	msg_error("%s: .BTF: %s", img->path, what);
	return -EINVAL;
}

/* A linker puts zeroes between objects to align them. */
static size_t skip_padding(const uint8_t *bytes, size_t size)
{
	size_t n = 0;

	while (n < size && !bytes[n])
		n++;
	return n;
}

static int read_parts(struct from_btf *in, const struct image *img, const struct base *base)
{
	struct section *own_base = image__section(img, ".BTF.base");
	struct section *sec = image__section(img, ".BTF");
	size_t at = 0, len;
	int err;

	if (!sec || !sec->size) {
		msg_error("%s: no .BTF section, which --from-btf requires%s", img->path,
			  image__section(img, ".debug_info") ?
			  "; without that option DWARF is read" : "");
		return -ENOENT;
	}
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
		at += skip_padding(sec->data + at, sec->size - at);
		if (in->parts.array[in->parts.nr - 1].btf->big_endian != img->big_endian)
			err = bad_parts(img, "its byte order is not that of the image");
		in->is_split |= !!in->parts.array[in->parts.nr - 1].btf->base;
	}
	if (!err && in->is_split && in->parts.nr > 1)
		err = bad_parts(img,
				"split BTF with other BTF behind it, expected one or the other");
	return err;
}

/* --- functions -------------------------------------------------------------------- */

static int find_places(struct input_places *p, const struct symbols *syms, const struct from_btf *in)
{
	*p = (struct input_places){ .syms = syms };
	if (syms->img->type == ET_REL && in->parts.array[0].btf->nr_records)
		return record_relocs__read(&p->relocs, syms);
	return 0;
}

/* The place of a record, if it can be known. */
static bool find_place(const struct input_places *p, const struct btf_data *btf,
		       const struct btf_func *record, struct func_read *f)
{
	size_t offset = btf->types_start + ((const uint8_t *)record - btf->types);
	const struct record_reloc *reloc;

	if (p->syms->img->type == ET_REL) {
		reloc = record_relocs__find(&p->relocs, offset);
		if (!reloc || !reloc->sym || reloc->addend)
			return false;
		f->section = reloc->sym->section;
		f->address = reloc->sym->address;
		return true;
	}
	f->address = p->syms->text_start + btf_func__offset(record);
	f->section = symbols__section_of(p->syms, f->address);
	return p->syms->has_text;
}

static bool has_unnamed(const struct btf_data *btf, uint32_t proto)
{
	const struct btf_type *t = btf_data__type(btf, proto);
	const struct btf_param *p = (const void *)(t + 1);
	uint32_t i;

	for (i = 0; i < BTF_INFO_VLEN(t->info); i++)
		if (p[i].type && !*btf_data__string(btf, p[i].name_off))
			return true;
	return false;
}

/* Strings that are files carry their number in @mark. */
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

/* NAME, or NAME@FILE: functions go by NAME, and FILE says which one is meant. */
static int read_name(struct btf_reader *r, const struct btf_type *t, struct func_read *f)
{
	const char *full = btf_data__string(r->part->btf, t->name_off);
	const char *at = strchr(full, '@');
	int64_t name, file = 0;

	if (at) {
		name = store__part(r->store, full, at - full);
		file = file_number(r, at + 1);
	} else {
		name = btf_reader__string(r, t->name_off);
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
	char *copy = id ? NULL : strndup(s, len);

	if (id)
		return id;
	return copy ? strings__add_owned(&store->strings, copy) : -ENOMEM;
}

static int read_func(struct reading *rd, const struct btf_type *t, uint32_t id)
{
	struct btf_reader *r = &rd->r;
	const struct btf_data *btf = r->part->btf;
	const struct btf_func *record = btf_data__func(btf, id);
	struct funcs_read *funcs = &r->in->funcs;
	int64_t proto = btf_reader__node(r, t->type);
	struct func_read f = { .linkage = BTF_INFO_VLEN(t->info) };

	if (proto < 0 || read_name(r, t, &f))
		return -ENOMEM;
	f.facts.proto = proto;
	f.facts.die = funcs->nr + 1;
	f.facts.external = f.linkage != BTF_FUNC_STATIC;
	f.facts.doubts = has_unnamed(btf, t->type) ? DOUBT_UNNAMED : 0;
	/* only the first part can be of ours, which has records */
	f.has_place = record && r->nr == 0 && find_place(&rd->places, btf, record, &f);
	r->part->nodes[id - btf->first_id] = f.facts.die;
	return push(funcs, f);
}

/* --- variables -------------------------------------------------------------------- */

static int note_object(const struct symbol *sym, void *arg)
{
	struct objects *o = arg;

	return sym->type == STT_OBJECT ? push(o, *sym) : 0;
}

static int compare_objects(const void *x, const void *y)
{
	const struct symbol *a = x, *b = y;

	return cmp_int(a->section, b->section) ?: strcmp(a->name, b->name);
}

/* Return: 1 and the value of the only such object of a section, 0, or a negative errno. */
static int find_object(struct objects *o, const struct image *img, uint32_t section,
		       const char *name, uint64_t *value)
{
	struct symbol key = { .section = section, .name = name }, *sym;
	int err;

	if (!o->read) {
		err = image__for_each_symbol(img, note_object, o);
		if (err)
			return err;
		if (o->nr)
			qsort(o->array, o->nr, sizeof(*o->array), compare_objects);
		o->read = true;
	}
	sym = o->nr ? bsearch(&key, o->array, o->nr, sizeof(key), compare_objects) : NULL;
	if (!sym || (sym > o->array && !compare_objects(sym - 1, &key)) ||
	    (sym + 1 < o->array + o->nr && !compare_objects(sym + 1, &key)))
		return 0;
	*value = sym->value;
	return 1;
}

/*
 * Where a variable is.  A compiler leaves sizes of sections and offsets in them
 * 0, for whoever links the file to fill in.
 */
static int place_variable(struct btf_reader *r, struct objects *objects,
			  const struct btf_type *datasec, const struct btf_var_secinfo *info,
			  const struct section *sec, struct variable *var)
{
	const char *name = r->store->strings.array[var->name].s;
	uint64_t start = r->img->type == ET_REL ? 0 : sec->address;

	var->section = sec->index;
	if (!datasec->size && !info->offset)
		return find_object(objects, r->img, sec->index, name, &var->address);
	var->address = start + info->offset;
	return (uint64_t)info->offset + info->size <= sec->size;
}

static int read_variable(struct btf_reader *r, struct objects *objects,
			 const struct btf_type *datasec, const struct btf_var_secinfo *info,
			 const struct section *sec)
{
	const struct btf_data *btf = r->part->btf;
	const struct btf_type *t = btf_data__type(btf, info->type);
	uint32_t linkage = ((const struct btf_var *)(t + 1))->linkage;
	int64_t name = btf_reader__string(r, t->name_off), type;
	uint32_t *number = &r->part->nodes[info->type - btf->first_id];
	struct variable var = { .size = info->size };
	int placed;

	type = btf_reader__node(r, t->type);
	if (name < 0 || type < 0)
		return -ENOMEM;
	if (*number || linkage == BTF_VAR_GLOBAL_EXTERN)
		return 0;
	var.name = name;
	var.type = type;
	var.external = linkage == BTF_VAR_GLOBAL_ALLOCATED;
	placed = place_variable(r, objects, datasec, info, sec, &var);
	if (placed <= 0) {
		if (!placed)
			msg_info("variable %s is omitted: its offset in %s is unknown",
				 r->store->strings.array[name].s, sec->name);
		return placed;
	}
	*number = ++r->in->nr_vars;
	var.die = *number;
	return push(&r->observed->vars, var);
}

static int read_section(struct reading *rd, const struct btf_type *t, uint32_t id)
{
	struct btf_reader *r = &rd->r;
	const struct btf_var_secinfo *info = (const void *)(t + 1);
	const char *name = btf_data__string(r->part->btf, t->name_off);
	const struct section *sec = image__section(r->img, name);
	uint32_t i;
	int err = 0;

	if (!sec) {
		msg_info("variables of %.64s are omitted: there is no such section", name);
		return 0;
	}
	if (!r->opts->global_vars && !(r->opts->percpu && sec->percpu))
		return 0;
	for (i = 0; !err && i < BTF_INFO_VLEN(t->info); i++) {
		const struct btf_type *var = btf_data__type(r->part->btf, info[i].type);

		if (info[i].type >= r->part->btf->first_id &&
		    BTF_INFO_KIND(var->info) == BTF_KIND_VAR)
			err = read_variable(r, &rd->objects, t, &info[i], sec);
	}
	return err;
}

/* --- tags ------------------------------------------------------------------------- */

/* The kind of what a tag is on, 0 if that is of the base, which has its own tags. */
static uint8_t target_kind(const struct btf_reader *r, const struct btf_type *tag)
{
	if (tag->type < r->part->btf->first_id)
		return 0;
	return BTF_INFO_KIND(btf_data__type(r->part->btf, tag->type)->info);
}

/* Is a tag of a feature that is on? */
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

static int read_tag(struct reading *rd, const struct btf_type *t, uint32_t tag_id)
{
	struct btf_reader *r = &rd->r;
	struct tag_seen tag = {
		.component = ((const struct btf_decl_tag *)(t + 1))->component_idx,
		.attribute = BTF_INFO_KFLAG(t->info),
	};
	uint8_t on = target_kind(r, t);
	int64_t value;
	uint32_t to;

	if (!is_wanted(r, t, on))
		return 0;
	value = btf_reader__string(r, t->name_off);
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
	/* a variable that is left out has no number */
	return to ? push(&r->observed->tags, tag) : 0;
}

/* --- all together ------------------------------------------------------------------ */

static int read_kind(struct reading *rd, uint8_t kind,
		     int (*fn)(struct reading *rd, const struct btf_type *t, uint32_t id))
{
	const struct btf_data *btf = rd->r.part->btf;
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < btf->nr_types; i++)
		if (BTF_INFO_KIND(btf->index[i]->info) == kind)
			err = fn(rd, btf->index[i], btf->first_id + i);
	return err;
}

static int read_part(struct reading *rd)
{
	int err;

	err = btf_reader__types(&rd->r);
	err = err ?: read_kind(rd, BTF_KIND_FUNC, read_func);
	err = err ?: read_kind(rd, BTF_KIND_DATASEC, read_section);
	return err ?: read_kind(rd, BTF_KIND_DECL_TAG, read_tag);
}

/*
 * How deep types without a name may nest where they are looked for in a base,
 * which goes down by recursion; as deep as the DWARF loader lets them.
 */
#define MAX_NESTING	250

struct nesting {
	const struct store	*store;
	uint16_t		*height;	/* by node, 0: not known */
};

/* Return: how many types without a name are nested in one; more than MAX_NESTING: too many. */
static unsigned int find_height(struct nesting *n, uint32_t id, unsigned int depth)
{
	const struct node *node = &n->store->nodes[id];
	const struct child *c = n->store->children + node->child;
	unsigned int height = 0, h;
	uint32_t i;

	if (n->height[id])
		return n->height[id];
	if (depth > MAX_NESTING)
		return MAX_NESTING + 1;
	/* until it is known: what is reached from itself has no end */
	n->height[id] = MAX_NESTING + 1;
	for (i = 0; i <= node->nr_children; i++) {
		uint32_t ref = i ? c[i - 1].ref : node->ref;
		const struct node *to = &n->store->nodes[ref];

		if (!ref || (to->name && kind__is_tagged(to->kind)))
			continue;
		h = find_height(n, ref, depth + 1);
		if (h > height)
			height = h;
	}
	n->height[id] = height <= MAX_NESTING ? height + 1 : height;
	return n->height[id];
}

static int check_nesting(const struct image *img, const struct store *store)
{
	struct nesting n = { .store = store,
			     .height = calloc(store->nr_nodes, sizeof(*n.height)) };
	int err = n.height ? 0 : -ENOMEM;
	uint32_t id;

	for (id = 1; !err && id < store->nr_nodes; id++)
		if (find_height(&n, id, 0) > MAX_NESTING)
			err = bad_parts(img, "types are nested deeper than 250");
	free(n.height);
	return err;
}

int from_btf__read(const struct image *img, const struct symbols *syms, const struct base *base,
		   const struct load_options *opts, struct from_btf *ret, struct store *store,
		   struct observed *observed)
{
	struct reading rd = { .r = { .img = img, .opts = opts, .in = ret, .store = store,
				     .observed = observed } };
	int err;

	*ret = (struct from_btf){};
	err = push(&ret->units, "") ?: read_parts(ret, img, base);
	if (!err && ret->is_split) {
		rd.r.base_map = calloc(btf_data__end_id(base->btf), sizeof(*rd.r.base_map));
		err = rd.r.base_map ? 0 : -ENOMEM;
	}
	err = err ?: find_places(&rd.places, syms, ret);
	for (; !err && rd.r.nr < ret->parts.nr; rd.r.nr++) {
		rd.r.part = &ret->parts.array[rd.r.nr];
		err = read_part(&rd);
	}
	if (!err && base && !ret->is_split)
		err = check_nesting(img, store);
	free(rd.r.base_map);
	free(rd.objects.array);
	record_relocs__destroy(&rd.places.relocs);
	return err;
}

uint32_t *from_btf__base_ids(const struct from_btf *in, uint32_t nr_nodes)
{
	uint32_t *ids = calloc(nr_nodes + 1UL, sizeof(*ids));

	for_each(base, &in->base_nodes)
		if (ids)
			ids[base->node] = base->id;
	return ids;
}

void from_btf__destroy(struct from_btf *in)
{
	for_each(part, &in->parts) {
		btf_data__free(part->btf);
		free(part->nodes);
	}
	free(in->parts.array);
	free(in->units.array);
	free(in->base_nodes.array);
	free(in->funcs.array);
	free(in->funcs.ambiguous);
	*in = (struct from_btf){};
}
