// SPDX-License-Identifier: GPL-2.0-only
/* Functions, variables and annotations, as the walk over the DIEs meets them. */
#include <linux/btf.h>

#include "load/walk.h"
#include "util/dwarf.h"
#include "util/grow.h"

/**
 * struct referred - a DIE that another one refers to
 * @die:	decoded
 * @walk:	what its names and references are to be read with
 * @unit:	the unit it is in, if that is another one
 */
struct referred {
	struct die	die;
	struct walk	walk;
	struct unit	unit;
};

/* Decode the DIE that an attribute refers to; @w and @die may be those in @ret. */
static int decode_referred(struct walk *w, const struct die *die, enum die_slot slot,
			   struct referred *ret)
{
	int64_t ref = walk__ref(w, die, slot);
	const struct abbrevs *abbrevs;
	const struct abbrev *a;
	const struct unit *u;
	struct cursor c;
	uint64_t offset;
	int err;

	if (ref < 0)
		return ref;
	ret->walk = *w;
	offset = group__info_offset(&w->r->group, ref, &u);
	if (u->start != w->u->start) {
		ret->unit = unit__unread(u);
		err = unit__read(w->dw, &ret->unit, &w->l->others);
		if (err)
			return err;
		walk__enter(&ret->walk, &ret->unit, ref - (offset - u->start));
	}
	abbrevs = ret->walk.u == &ret->unit ? &w->l->others : &w->l->abbrevs;
	c = unit__cursor(w->dw, u, offset);
	a = abbrevs__find(abbrevs, cursor__uleb(&c));
	if (!a)
		return walk__error(w, "a reference to what is no DIE of the unit");
	abbrev__take(abbrevs, a, &c, &ret->die);
	return cursor__failed(&c) ? walk__error(w, "a reference to a DIE that is cut off") : 0;
}

/* struct string's mark: whether it was asked if it is a function's name, and is */
#define NAME_ASKED	(1U << 0)
#define NAME_IS_FUNC	(1U << 1)
#define NAME_IS_ASSEMBLER (1U << 2)

static uint32_t ask_name(struct walk *w, uint32_t id)
{
	struct string *s = &w->l->store.strings.array[id];

	if (!s->mark)
		s->mark = NAME_ASKED | (names__has(w->l->names, s) ? NAME_IS_FUNC : 0) |
			  (names__has(w->l->assembler, s) ? NAME_IS_ASSEMBLER : 0);
	return s->mark;
}

/* Is a function without a body worth remembering?  If not, its name is. */
static bool is_asked_for(struct walk *w, const struct die *die, uint32_t name, bool declared)
{
	if (name && ask_name(w, name) & (declared ? NAME_IS_ASSEMBLER : NAME_IS_FUNC))
		return true;
	if (w->l->by_offset && die->class[AT_NAME] == VALUE_STRP &&
	    die->value[AT_NAME] < NAME_OFFSET && !die__has(die, AT_LINKAGE_NAME))
		unwanted__add(&w->l->unwanted, die->value[AT_NAME], declared);
	return false;
}

struct entries {
	struct records	*r;
	uint64_t	room;
	int		err;
};

/* Half of what there is to describe bodies, so that lists cannot be shared without end. */
static uint64_t max_bodies(const struct dwarf *dw)
{
	return (cursor__left(&dw->info) + cursor__left(&dw->ranges) +
		cursor__left(&dw->rnglists)) / 2;
}

static void add_entry(uint64_t start, uint64_t end, void *arg)
{
	struct entries *e = arg;
	struct records *r = e->r;

	if (r->entries.nr >= e->room)
		e->err = -E2BIG;
	else
		e->err = e->err ?: push(&r->entries, (struct code_range){ start, end });
}

/*
 * DW_AT_calling_convention (DWARF 5, 7.15): are arguments elsewhere than C has them?
 * What only leaves more registers alone is no other.
 */
static bool is_foreign(uint64_t convention)
{
	switch (convention) {
	case 0:
	case DW_CC_normal:
	case DW_CC_program:
	case DW_CC_nocall:
	case DW_CC_LLVM_X86_64SysV:
	case DW_CC_LLVM_AAPCS:
	case DW_CC_LLVM_AAPCS_VFP:
	case DW_CC_LLVM_PreserveMost:
	case DW_CC_LLVM_PreserveAll:
		return false;
	default:
		return true;
	}
}

/*
 * What a proof needs to know beside the parameters.  A nested function of gcc's is given
 * the frame of the one around it in a register of its own; what the compiler made has no
 * prototype in the source.  And clang may not say of all calls what is called: nothing
 * unless it says that it names all, and of what link-time optimization knows of another
 * unit only that there is a function.
 */
static void note_for_proof(struct walk *w, const struct die *die, struct func_rec *func)
{
	bool described = die__has(die, AT_NAME) || die__has(die, AT_ORIGIN) ||
			 die__has(die, AT_SPECIFICATION);
	uint32_t *unknown = &w->r->unknown_calls;

	func->foreign = is_foreign(die__number(die, AT_CALLING_CONVENTION)) ||
			(func->body && die__has(die, AT_STATIC_LINK));
	if (func->body && die__number(die, AT_ARTIFICIAL))
		func->doubts |= DOUBT_NO_PROTOTYPE;
	if (w->u->clang && func->body && !die__has(die, AT_ALL_CALLS))
		*unknown = CALLS_UNKNOWN;
	else if (w->u->clang && !func->body && !described && *unknown != w->unit + 1)
		*unknown = *unknown ? CALLS_UNKNOWN : w->unit + 1;
}

/* What a declaration with an asm label declares is the symbol. */
static enum die_slot symbol_slot(const struct die *die)
{
	return die__number(die, AT_DECLARATION) && die__has(die, AT_LINKAGE_NAME) ?
	       AT_LINKAGE_NAME : AT_NAME;
}

/*
 * A function is recorded if it has a body, or if its name is a symbol's, in
 * which case a body may refer to it for name and types.
 */
int walk__func(struct walk *w, const struct die *die, struct frame *frame)
{
	struct records *r = w->r;
	struct func_rec func = { .unit = w->unit, .guest = w->guest };
	uint64_t max = max_bodies(w->dw), nr = w->l->observed.bodies.nr;
	struct entries entries = { .r = r, .room = max > nr ? max - nr : 0 };
	int64_t i, name = walk__string(w, die, symbol_slot(die)), origin, ref = REF_VOID;
	struct referred declared;
	int err;

	if (unlikely(name < 0))
		return name;
	func.entry = r->entries.nr;
	unit__for_each_entry(w->dw, w->u, die, add_entry, &entries);
	if (unlikely(entries.err == -E2BIG))
		return walk__error(w, "range lists that overlap, with more ranges than could be");
	if (unlikely(entries.err))
		return entries.err;
	func.nr_entries = r->entries.nr - func.entry;
	func.body = func.nr_entries;
	func.doubts = die__has(die, AT_LOW_PC) ? 0 : DOUBT_PIECES;
	func.external = die__number(die, AT_EXTERNAL);
	func.declared = die__number(die, AT_DECLARATION);
	func.changed = die__number(die, AT_CALLING_CONVENTION) == DW_CC_nocall;
	/* clang does not tell what is declared so, and folds nothing */
	func.inlined = die__number(die, AT_INLINE) == DW_INL_declared_inlined ||
		       (w->u->clang && die__number(die, AT_INLINE) == DW_INL_inlined);
	if (w->l->opts->proven)
		note_for_proof(w, die, &func);
	func.decl_file = die__number(die, AT_DECL_FILE);
	func.decl_line = die__number(die, AT_DECL_LINE);
	if (!name && die__has(die, AT_SPECIFICATION)) {
		/* declared in a block and defined later: the name stands there */
		err = decode_referred(w, die, AT_SPECIFICATION, &declared);
		if (err)
			return err;
		func.external |= die__number(&declared.die, AT_EXTERNAL);
		name = walk__string(&declared.walk, &declared.die, AT_NAME);
		ref = walk__ref(&declared.walk, &declared.die, AT_TYPE);
		if (unlikely(name < 0 || ref < 0))
			return name < 0 ? name : ref;
	}
	if (!func.body && !is_asked_for(w, die, name, func.declared))
		return 0;
	i = walk__new_die_rec(w, BTF_KIND_FUNC, die, name);
	if (unlikely(i < 0))
		return i;
	origin = walk__ref(w, die, AT_ORIGIN);
	if (unlikely(origin < 0))
		return origin;
	if (ref)
		r->recs.array[i].ref = ref;
	func.rec = i;
	func.origin = origin;
	*frame = (struct frame){ .kind = FRAME_FUNC, .index = i, .body = func.body,
				 .component = r->funcs.nr,
				 .takes = KIND(BTF_KIND_FUNC) | TAKES_ANNOTATIONS };
	return push(&r->funcs, func);
}

/* The address of a variable in static memory: DW_OP_addr or DW_OP_addrx. */
static bool var_address(struct walk *w, const struct die *die, uint64_t *address)
{
	struct cursor expr = w->dw->info;

	if (!die__has(die, AT_LOCATION) || die->class[AT_LOCATION] != VALUE_BLOCK)
		return false;
	cursor__skip(&expr, die->value[AT_LOCATION]);
	expr = cursor__sub(&expr, die->len[AT_LOCATION]);
	switch (cursor__u8(&expr)) {
	case DW_OP_addr:
		*address = cursor__uint(&expr, w->u->address_size);
		return !cursor__failed(&expr);
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		return unit__address_at(w->dw, w->u, cursor__uleb(&expr), address);
	default:
		return false;
	}
}

/* Is it in the per-CPU section, or in one of several? */
static bool is_percpu(const struct walk *w, const struct var_rec *var)
{
	const struct image *img = w->dw->img;
	size_t i;

	if (w->dw->relocator)
		return img->sections[var->section].percpu;
	for (i = 1; i < img->nr_sections; i++)
		if (img->sections[i].percpu &&
		    var->address - img->sections[i].address < img->sections[i].size)
			return true;
	return false;
}

int walk__var(struct walk *w, const struct die *die, struct frame *frame)
{
	const struct load_options *opts = w->l->opts;
	struct records *r = w->r;
	struct var_rec var = { .unit = w->unit, .die = walk__offset(w, w->off) };
	int64_t name, ref;
	struct referred declared;
	int err;

	if (w->guest || !var_address(w, die, &var.address) || die__number(die, AT_ARTIFICIAL))
		return 0;
	if (w->dw->relocator &&
	    !relocator__place(w->dw->relocator, var.address, &var.section, &var.address))
		return 0;
	if (!opts->global_vars && !(opts->percpu && is_percpu(w, &var)))
		return 0;
	var.external = die__number(die, AT_EXTERNAL);
	/* a definition behind its declaration: name and type stand there */
	if (die__has(die, AT_SPECIFICATION)) {
		err = decode_referred(w, die, AT_SPECIFICATION, &declared);
		if (err)
			return err;
		var.external |= die__number(&declared.die, AT_EXTERNAL);
		die = &declared.die;
		w = &declared.walk;
	}
	name = walk__string(w, die, AT_NAME);
	ref = walk__ref(w, die, AT_TYPE);
	if (name < 0 || ref < 0)
		return name < 0 ? name : ref;
	if (!name)
		return 0;
	var.name = name;
	var.ref = ref;
	*frame = (struct frame){ .kind = FRAME_VAR, .takes = TAKES_ANNOTATIONS,
				 .index = r->vars.nr };
	return push(&r->vars, var);
}

/* Does the record of a type take type tags?  As with pahole, only pointers do. */
static bool takes_type_tags(const struct rec *rec)
{
	return rec->kind == BTF_KIND_PTR || rec->kind == BTF_KIND_TYPE_TAG;
}

/*
 * Take one annotation: a btf_type_tag is put between the pointer, or another tag, and the type
 * it refers to, a btf_decl_tag is on its owner.
 *
 * Return: the record of a type tag, 0 for others; a negative errno.
 */
static int64_t add_annotation(struct walk *w, const struct frame *owner, const struct die *die,
			      struct walk *names)
{
	int64_t name = walk__string(names, die, AT_NAME), i;
	int64_t value = walk__string(names, die, AT_CONST_VALUE);
	const struct string *strings;
	struct records *r = w->r;

	if (name < 0 || value < 0)
		return name < 0 ? name : value;
	strings = w->l->store.strings.array;
	if (!strcmp(strings[name].s, "btf_type_tag")) {
		if (!w->l->opts->type_tags || owner->kind != FRAME_TYPE ||
		    !takes_type_tags(&r->recs.array[owner->index]))
			return 0;
		i = walk__new_rec(w, BTF_KIND_TYPE_TAG);
		if (i < 0)
			return i;
		r->recs.array[i].name = value;
		r->recs.array[i].ref = r->recs.array[owner->index].ref;
		r->recs.array[owner->index].ref = REF_INDEX | i;
		return i;
	}
	if (strcmp(strings[name].s, "btf_decl_tag") || !w->l->opts->decl_tags)
		return 0;
	return push(&r->tags, (struct tag_rec){
		.unit = w->unit, .target = owner->index, .value = value, .on_var = owner->kind == FRAME_VAR,
		.component = owner->kind == FRAME_ITEM ? (int32_t)owner->component : -1,
		.item = owner->kind == FRAME_ITEM ? r->recs.array[owner->index].last : 0,
	});
}

/* The first one is nearest to the pointee. */
int walk__annotation(struct walk *w, const struct frame *owner, const struct die *die)
{
	int64_t i = add_annotation(w, owner, die, w);

	return i < 0 ? i : 0;
}

/*
 * The first one is nearest to the pointer.  Owners share chains, and chains share their ends:
 * what that can cost is bounded by the bytes of the unit, which also ends a ring.
 */
int walk__annotations(struct walk *w, const struct die *die, const struct frame *frame)
{
	struct referred at = { .die = *die, .walk = *w };
	struct frame owner = *frame;
	int64_t i = 0;
	int err = 0;

	/* pahole 1.32 ignores chains of variables */
	if (frame->kind == FRAME_NONE || frame->kind == FRAME_VAR)
		return 0;
	while (!err && i >= 0 && die__has(&at.die, AT_ANNOTATION)) {
		if (++w->annotations > w->len)
			return walk__error(w, "annotations that refer to each other, or more than could be");
		err = decode_referred(&at.walk, &at.die, AT_ANNOTATION, &at);
		i = err ?: add_annotation(w, &owner, &at.die, &at.walk);
		if (i > 0)
			owner.index = i;
	}
	return err ?: i < 0 ? i : 0;
}
