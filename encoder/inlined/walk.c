// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>

#include "inlined/walk.h"
#include "types/hash.h"
#include "util/dwarf.h"
#include "util/grow.h"
#include "util/memory.h"

/* No source nests so deep. */
#define MAX_DEPTH	4096

/* A body refers to the abstract function, which may refer to a declaration. */
#define MAX_HOPS	4

#define NO_FUNC		UINT32_MAX

/* --- functions ------------------------------------------------------------ */

static bool same_string(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_entry(const struct func_entry *a, const struct func_entry *b)
{
	return a->line == b->line && same_string(a->name, b->name) &&
	       same_string(a->file, b->file) && same_string(a->dir, b->dir);
}

uint32_t func_table__add(struct func_table *t, const struct func_entry *e)
{
	/* the rest seldom differs */
	uint32_t hash = hash_bytes(e->name, strlen(e->name)) * 31 + e->line;
	struct hash_slot *slot;

	table__expect(&t->by_content, 1);
	table__for_each(slot, &t->by_content, hash)
		if (same_entry(&t->array[slot->id - 1], e))
			return slot->id - 1;
	push(t, *e);
	if (slot)
		table__add(&t->by_content, slot, hash, t->nr);
	t->array[t->nr - 1].calls = t->array[t->nr - 1].bodies = 0;
	return t->nr - 1;
}

/* --- what an entry means --------------------------------------------------- */

/* Where a reference leads, as an offset in .debug_info; 0: nowhere. */
static uint64_t target_of(const struct unit *u, const struct die *die, enum die_slot slot)
{
	if (!die__has(die, slot))
		return 0;
	if (die->class[slot] == VALUE_REF)
		return die->value[slot] < u->end - u->start ? u->start + die->value[slot] : 0;
	return die->class[slot] == VALUE_REF_ADDR ? die->value[slot] : 0;
}

/* What reading tables again and again costs stays below so many times the bytes there are. */
#define MAX_WORK	16

static int read_lines(struct inlined_walk *w, struct line_table *t, const struct unit *u)
{
	const struct dwarf *dw = w->src->dw;
	int err = 0;

	if (!t->valid || t->at != u->stmt_list) {
		files__release(&t->files);
		if (w->work / MAX_WORK > cursor__left(&dw->info) + cursor__left(&dw->line))
			return unit__error(dw, u, u->start,
					   "line number tables that units take turns with");
		if (u->stmt_list != UINT64_MAX)
			err = files__read(dw, u->stmt_list, u->comp_dir, &t->files);
		w->work += (uint64_t)t->files.files.nr + t->files.dirs.nr;
	}
	t->at = u->stmt_list;
	t->valid = !err;
	t->files.comp_dir = u->comp_dir;
	return err;
}

static bool read_entry(const struct dwarf *dw, const struct unit *u, const struct abbrevs *t,
		       uint64_t offset, struct die *die)
{
	struct cursor c = unit__cursor(dw, u, offset);
	const struct abbrev *a = abbrevs__find(t, cursor__uleb(&c));

	if (!a || a->tag != DW_TAG_subprogram)
		return false;
	abbrev__take(t, a, &c, die);
	return !cursor__failed(&c);
}

static void set_file(struct func_entry *e, const struct files *files, uint32_t number)
{
	const struct line_file *file;

	if (number >= files->files.nr)
		return;
	file = &files->files.array[number];
	e->file = file->name;
	if (file->dir < files->dirs.nr)
		e->dir = files->dirs.array[file->dir];
}

/*
 * Find the function that the entry at @offset describes, or an entry that it refers to.  With
 * link-time optimization, that may be in another unit.
 *
 * Return: its index, NO_FUNC if it has no name, or after an error.
 */
static uint32_t describe_entry(struct inlined_walk *w, uint64_t offset)
{
	struct dwarf *dw = w->src->dw;
	struct unit *u = NULL;
	struct func_entry e;
	struct die die;
	uint32_t len;
	bool own;

	for (int i = 0; i < MAX_HOPS && offset; i++) {
		if (!u || offset < u->start || offset >= u->end) {
			e = (struct func_entry){ .unit = dwarf__unit_at(dw, offset) };
			if (e.unit >= dw->nr_units)
				break;
			u = &dw->units[e.unit];
			own = u == w->u;
			if (!own)
				w->err = unit__read(dw, u, &w->other_abbrevs) ?:
					 read_lines(w, &w->other_lines, u);
			if (w->err)
				return NO_FUNC;
		}
		if (!read_entry(dw, u, own ? &w->abbrevs : &w->other_abbrevs, offset, &die))
			break;
		if (!e.name)
			e.name = unit__string(dw, u, &die, AT_NAME, &len);
		if (!e.line && die__has(&die, AT_DECL_LINE) && die__has(&die, AT_DECL_FILE)) {
			e.line = die.value[AT_DECL_LINE];
			set_file(&e, own ? &w->lines.files : &w->other_lines.files,
				 die.value[AT_DECL_FILE]);
		}
		offset = target_of(u, &die, AT_ORIGIN) ?: target_of(u, &die, AT_SPECIFICATION);
		if (e.name && (e.line || offset < u->start || offset >= u->end))
			break;
	}
	return u && e.name ? func_table__add(&w->funcs, &e) : NO_FUNC;
}

/* Return: the function at an offset of .debug_info, or NO_FUNC. */
static uint32_t func_at(struct inlined_walk *w, uint64_t offset)
{
	uint32_t hash = offset * HASH_K1 >> 32, func;
	struct hash_slot *slot;

	if (!offset || w->err)
		return NO_FUNC;
	table__expect(&w->known_at, 1);
	table__for_each(slot, &w->known_at, hash)
		if (w->known.array[slot->id - 1].offset == offset)
			return w->known.array[slot->id - 1].func;
	func = describe_entry(w, offset);
	/* an entry that is too far from its place is looked up again */
	if (slot) {
		push(&w->known, (struct described){ offset, func });
		table__add(&w->known_at, slot, hash, w->known.nr);
	}
	return func;
}

/* --- the walk -------------------------------------------------------------- */

/**
 * struct open - what an open entry is in
 * @body:	offset of the subprogram with code, 0: none
 * @entry:	where its code starts
 * @via:	the function that is inlined there, or NO_FUNC
 */
struct open {
	uint64_t	body;
	uint64_t	entry;
	uint32_t	via;
};

/* Where code begins: at the first range that is not empty, if any; gcc writes empty ones, too. */
static uint64_t entry_of(struct inlined_walk *w, const struct die *die)
{
	w->entries.nr = 0;
	unit__add_entries(w->src->dw, w->u, die, &w->entries);
	for_each(range, &w->entries)
		if (range->start != range->end)
			return range->start;
	return w->entries.nr ? w->entries.array[0].start : UINT64_MAX;
}

/* DWARF 5, 2.18: an address, or an offset from where the code begins. */
static uint64_t site_of(struct inlined_walk *w, const struct die *die)
{
	uint64_t address, first;

	if (unit__address(w->src->dw, w->u, die, AT_ENTRY_PC, &address))
		return address;
	first = entry_of(w, die);
	if (first == UINT64_MAX || !die__has(die, AT_ENTRY_PC))
		return first;
	return first + die->value[AT_ENTRY_PC];
}

static bool is_wanted(const struct inlined_walk *w, const char *name)
{
	return w->wanted && w->wanted(name, w->arg);
}

static void add_site(struct inlined_walk *w, const struct die *die, const struct open *in,
		     uint32_t func, uint64_t address)
{
	uint32_t caller = func_at(w, in->body);
	char *file = die__has(die, AT_DECL_FILE) ?
		     files__path(&w->lines.files, die->value[AT_DECL_FILE]) : NULL;

	push(&w->sites, (struct inlined_site){
		.func = func, .address = address, .unit = w->src->units[w->unit],
		.line = die__has(die, AT_DECL_LINE) ? die->value[AT_DECL_LINE] : 0,
		.caller = caller == NO_FUNC ? "?" : w->funcs.array[caller].name,
		.via = in->via == NO_FUNC ? NULL : w->funcs.array[in->via].name,
		.file = source_tree__file(&w->src->tree, file, w->u->comp_dir),
	});
}

/*
 * gcc splits a function (foo.part.0) and may inline the part into the rest of the
 * function.  That is not a call, and its entry has the line of the declaration.
 */
static bool is_own_part(struct inlined_walk *w, const struct die *die, const struct open *in,
			uint32_t func)
{
	uint32_t around = in->via != NO_FUNC ? in->via : func_at(w, in->body);

	return around == func && die__has(die, AT_DECL_LINE) &&
	       die->value[AT_DECL_LINE] == w->funcs.array[func].line;
}

static void take_call(struct inlined_walk *w, const struct die *die, struct open *in,
		      const struct open *parent)
{
	uint64_t address = site_of(w, die);
	uint32_t func = func_at(w, target_of(w->u, die, AT_ORIGIN));

	in->via = func;
	if (func == NO_FUNC || address == UINT64_MAX || is_own_part(w, die, parent, func))
		return;
	w->funcs.array[func].calls++;
	if (is_wanted(w, w->funcs.array[func].name))
		add_site(w, die, parent, func, address);
}

static void take_body(struct inlined_walk *w, uint64_t offset, const struct die *die,
		      struct open *in)
{
	uint64_t entry = entry_of(w, die);
	uint32_t func;

	*in = (struct open){ .via = NO_FUNC };
	if (entry == UINT64_MAX)
		return;
	in->body = offset;
	in->entry = entry;
	func = func_at(w, target_of(w->u, die, AT_ORIGIN));
	if (func != NO_FUNC)
		w->funcs.array[func].bodies++;
}

/* A call of code, with DWARF's word for what is called */
static void take_caller(struct inlined_walk *w, const struct die *die, const struct open *in)
{
	uint32_t func = func_at(w, target_of(w->u, die, AT_ORIGIN)), caller;

	if (func == NO_FUNC || !is_wanted(w, w->funcs.array[func].name))
		return;
	caller = func_at(w, in->body);
	if (caller != NO_FUNC)
		push(&w->callers, (struct inlined_caller){
			.name = w->funcs.array[caller].name, .address = in->entry,
			.unit = w->src->units[w->unit] });
}

/* Does the walk look into an entry, and does what it is in matter? */
static bool is_read(const struct inlined_walk *w, const struct abbrev *a, const struct open *in)
{
	switch (a->tag) {
	case DW_TAG_subprogram:
		return true;
	case DW_TAG_inlined_subroutine:
		return in->body;
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
		return in->body && w->wanted;
	default:
		return false;
	}
}

static int walk_unit(struct inlined_walk *w, struct open *stack)
{
	const struct dwarf *dw = w->src->dw;
	const struct unit *u = w->u;
	struct cursor c = unit__cursor(dw, u, u->dies);
	uint32_t depth = 0;

	stack[0] = (struct open){ .via = NO_FUNC };
	while (cursor__left(&c) && !w->err) {
		uint64_t offset = cursor__offset(&c), code = cursor__uleb(&c);
		const struct open *parent = &stack[depth];
		struct open in = *parent;
		const struct abbrev *a;
		struct die die;

		if (!code) {
			if (!depth || !--depth)
				break;
			continue;
		}
		a = abbrevs__find(&w->abbrevs, code);
		if (!a)
			return unit__error(dw, u, offset, "abbreviation %" PRIu64
					   " is not in the table at 0x%" PRIx64, code, u->abbrevs);
		if (!is_read(w, a, parent)) {
			abbrev__skip(&w->abbrevs, a, &c);
		} else {
			abbrev__take(&w->abbrevs, a, &c, &die);
			if (cursor__failed(&c))
				break;
			if (a->tag == DW_TAG_subprogram)
				take_body(w, offset, &die, &in);
			else if (a->tag == DW_TAG_inlined_subroutine)
				take_call(w, &die, &in, parent);
			else
				take_caller(w, &die, parent);
		}
		if (!a->children && !depth)
			break;
		if (!a->children)
			continue;
		if (++depth >= MAX_DEPTH)
			return unit__error(dw, u, offset, "DIEs are nested deeper than %u",
					   MAX_DEPTH);
		stack[depth] = in;
	}
	if (!w->err && cursor__failed(&c))
		return unit__error(dw, u, u->dies, "a DIE that is cut off");
	return w->err;
}

int inlined_walk__read(struct inlined_walk *w, uint32_t unit)
{
	struct open *stack __cleanup(free_pointer) = xcalloc(MAX_DEPTH + 1, sizeof(*stack));
	struct unit *u = &w->src->dw->units[unit];

	w->u = u;
	w->unit = unit;
	return unit__read(w->src->dw, u, &w->abbrevs) ?: read_lines(w, &w->lines, u) ?:
	       walk_unit(w, stack);
}

void inlined_walk__destroy(struct inlined_walk *w)
{
	for_each(site, &w->sites)
		free(site->file);
	abbrevs__destroy(&w->abbrevs);
	abbrevs__destroy(&w->other_abbrevs);
	files__release(&w->lines.files);
	files__release(&w->other_lines.files);
	free(w->funcs.array);
	table__destroy(&w->funcs.by_content);
	free(w->entries.array);
	free(w->sites.array);
	free(w->callers.array);
	free(w->known.array);
	table__destroy(&w->known_at);
	*w = (struct inlined_walk){};
}
