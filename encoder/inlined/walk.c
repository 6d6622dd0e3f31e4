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

static uint64_t hash_entry(const struct func_entry *e)
{
	uint64_t hash = hash_bytes(e->name, strlen(e->name));

	/* the rest seldom differs */
	return hash * 31 + e->line;
}

static bool same_string(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_entry(const struct func_entry *a, const struct func_entry *b)
{
	return a->line == b->line && same_string(a->name, b->name) &&
	       same_string(a->file, b->file) && same_string(a->dir, b->dir);
}

int64_t func_table__add(struct func_table *t, const struct func_entry *e)
{
	uint32_t hash = hash_entry(e);
	struct hash_slot *slot;

	if (table__expect(&t->by_content, 1))
		return -ENOMEM;
	table__for_each(slot, &t->by_content, hash)
		if (same_entry(&t->array[slot->id - 1], e))
			return slot->id - 1;
	/* it takes many that were made to meet */
	if (!slot || push(t, *e) || table__add(&t->by_content, slot, hash, t->nr))
		return -ENOMEM;
	t->array[t->nr - 1].calls = t->array[t->nr - 1].bodies = 0;
	return t->nr - 1;
}

static void destroy_table(struct func_table *t)
{
	free(t->array);
	table__destroy(&t->by_content);
	*t = (struct func_table){};
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
	int err = 0;

	if (!t->valid || t->at != u->stmt_list) {
		files__release(&t->files);
		if (w->work / MAX_WORK > cursor__left(&w->dw->info) + cursor__left(&w->dw->line))
			return unit__error(w->dw, u, u->start,
					   "line number tables that units take turns with");
		if (u->stmt_list != UINT64_MAX)
			err = files__read(w->dw, u->stmt_list, u->comp_dir, &t->files);
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

	e->number = number;
	if (number >= files->files.nr)
		return;
	file = &files->files.array[number];
	e->file = file->name;
	if (file->dir < files->dirs.nr)
		e->dir = files->dirs.array[file->dir];
}

static int64_t describe_foreign(struct inlined_walk *w, uint64_t offset);

/*
 * The function that the entry at @offset describes, or that which it refers to does.
 * Return: its index, NO_FUNC if it has no name; -ENOMEM, or another error after
 * a message.
 */
static int64_t describe_entry(struct inlined_walk *w, uint32_t unit, const struct abbrevs *t,
			      const struct files *files, uint64_t offset)
{
	const struct unit *u = &w->dw->units[unit];
	struct func_entry e = { .unit = unit };
	struct die die;
	uint32_t len;

	for (int i = 0; i < MAX_HOPS && offset >= u->dies && offset < u->end; i++) {
		if (!read_entry(w->dw, u, t, offset, &die))
			break;
		if (!e.name)
			e.name = unit__string(w->dw, u, &die, AT_NAME, &len);
		if (!e.line && die__has(&die, AT_DECL_LINE) && die__has(&die, AT_DECL_FILE)) {
			e.line = die.value[AT_DECL_LINE];
			set_file(&e, files, die.value[AT_DECL_FILE]);
		}
		if (e.name && e.line)
			break;
		offset = target_of(u, &die, AT_ORIGIN) ?: target_of(u, &die, AT_SPECIFICATION);
	}
	if (e.name)
		return func_table__add(&w->funcs, &e);
	/* from here it leads on to another unit, but from there no farther */
	return t == &w->abbrevs && offset && (offset < u->start || offset >= u->end) ?
	       describe_foreign(w, offset) : NO_FUNC;
}

/* The same in another unit, which link-time optimization leads to; remembered. */
static int64_t describe_foreign(struct inlined_walk *w, uint64_t offset)
{
	uint32_t unit = dwarf__unit_at(w->dw, offset), hash = offset * HASH_K1 >> 32;
	struct hash_slot *slot;
	struct unit *u;
	int64_t func;
	int err;

	if (unit >= w->dw->nr_units)
		return NO_FUNC;
	if (table__expect(&w->foreign_at, 1))
		return -ENOMEM;
	table__for_each(slot, &w->foreign_at, hash)
		if (w->foreign.array[slot->id - 1].offset == offset)
			return w->foreign.array[slot->id - 1].func;
	u = &w->dw->units[unit];
	err = unit__read(w->dw, u, &w->other_abbrevs);
	err = err ?: read_lines(w, &w->other_lines, u);
	func = err ?: describe_entry(w, unit, &w->other_abbrevs, &w->other_lines.files, offset);
	/* one that is too far from its place is looked up again */
	if (func < 0 || !slot)
		return func;
	return push(&w->foreign, (struct foreign){ offset, func }) ||
	       table__add(&w->foreign_at, slot, hash, w->foreign.nr) ? -ENOMEM : func;
}

/* The function at an offset of .debug_info. */
static int64_t func_at(struct inlined_walk *w, uint32_t unit, uint64_t offset)
{
	const struct unit *u = &w->dw->units[unit];
	int64_t func;

	if (!offset)
		return NO_FUNC;
	if (offset < u->start || offset >= u->end)
		return describe_foreign(w, offset);
	if (w->at[offset - u->start])
		return w->at[offset - u->start] - 1;
	func = describe_entry(w, unit, &w->abbrevs, &w->lines.files, offset);
	if (func < 0 || func == NO_FUNC)
		return func;
	if (push(&w->touched, offset - u->start))
		return -ENOMEM;
	w->at[offset - u->start] = func + 1;
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
static uint64_t entry_of(const struct dwarf *dw, const struct unit *u, const struct die *die)
{
	uint64_t first = UINT64_MAX;
	struct code_range range;
	struct list list;

	list__begin_entries(&list, dw, u, die);
	while (list__next_entry(&list, &range)) {
		if (range.start != range.end)
			return range.start;
		if (first == UINT64_MAX)
			first = range.start;
	}
	return first;
}

/* DWARF 5, 2.18: an address, or an offset from where the code begins. */
static uint64_t site_of(const struct dwarf *dw, const struct unit *u, const struct die *die)
{
	uint64_t address, first;

	if (unit__address(dw, u, die, AT_ENTRY_PC, &address))
		return address;
	first = entry_of(dw, u, die);
	if (first == UINT64_MAX || !die__has(die, AT_ENTRY_PC))
		return first;
	return first + die->value[AT_ENTRY_PC];
}

static bool is_wanted(const struct inlined_walk *w, const char *name)
{
	return w->wanted && w->wanted(name, w->arg);
}

static int add_site(struct inlined_walk *w, uint32_t unit, const struct die *die,
		    const struct open *in, uint32_t func, uint64_t address)
{
	int64_t caller = func_at(w, unit, in->body);

	if (caller < 0)
		return caller;
	return push(&w->sites, (struct site_entry){
		.func = func, .unit = unit, .address = address,
		.line = die__has(die, AT_DECL_LINE) ? die->value[AT_DECL_LINE] : 0,
		.caller = caller == NO_FUNC ? "?" : w->funcs.array[caller].name,
		.via = in->via == NO_FUNC ? NULL : w->funcs.array[in->via].name,
		.file = die__has(die, AT_DECL_FILE) ?
			files__path(&w->lines.files, die->value[AT_DECL_FILE]) : NULL,
	});
}

/*
 * gcc splits a function (foo.part.0) and may inline the part into the rest of the
 * function.  That is not a call, and its entry has the line of the declaration.
 */
static int64_t is_own_part(struct inlined_walk *w, uint32_t unit, const struct die *die,
			   const struct open *in, uint32_t func)
{
	int64_t around = in->via != NO_FUNC ? in->via : func_at(w, unit, in->body);

	return around < 0 ? around : around == func && die__has(die, AT_DECL_LINE) &&
				     die->value[AT_DECL_LINE] == w->funcs.array[func].line;
}

static int take_call(struct inlined_walk *w, uint32_t unit, const struct die *die,
		     struct open *in, const struct open *parent)
{
	const struct unit *u = &w->dw->units[unit];
	uint64_t address = site_of(w->dw, u, die);
	int64_t func = func_at(w, unit, target_of(u, die, AT_ORIGIN)), own;

	in->via = func;
	if (func < 0 || func == NO_FUNC || address == UINT64_MAX)
		return func < 0 ? func : 0;
	own = is_own_part(w, unit, die, parent, func);
	if (own)
		return own < 0 ? own : 0;
	w->funcs.array[func].calls++;
	return is_wanted(w, w->funcs.array[func].name) ?
	       add_site(w, unit, die, parent, func, address) : 0;
}

static int take_body(struct inlined_walk *w, uint32_t unit, uint64_t offset,
		     const struct die *die, struct open *in)
{
	const struct unit *u = &w->dw->units[unit];
	uint64_t entry = entry_of(w->dw, u, die);
	int64_t func;

	*in = (struct open){ .via = NO_FUNC };
	if (entry == UINT64_MAX)
		return 0;
	in->body = offset;
	in->entry = entry;
	func = func_at(w, unit, target_of(u, die, AT_ORIGIN));
	if (func >= 0 && func != NO_FUNC)
		w->funcs.array[func].bodies++;
	return func < 0 ? func : 0;
}

/* A call of code, with DWARF's word for what is called */
static int take_caller(struct inlined_walk *w, uint32_t unit, const struct die *die,
		       const struct open *in)
{
	int64_t func = func_at(w, unit, target_of(&w->dw->units[unit], die, AT_ORIGIN)), caller;

	if (func < 0 || func == NO_FUNC || !is_wanted(w, w->funcs.array[func].name))
		return func < 0 ? func : 0;
	caller = func_at(w, unit, in->body);
	if (caller < 0 || caller == NO_FUNC)
		return caller < 0 ? caller : 0;
	return push(&w->callers, (struct caller_entry){ w->funcs.array[caller].name, unit,
							in->entry });
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

static int walk_unit(struct inlined_walk *w, uint32_t unit, struct open *stack)
{
	const struct unit *u = &w->dw->units[unit];
	struct cursor c = unit__cursor(w->dw, u, u->dies);
	uint32_t depth = 0;
	int err = 0;

	stack[0] = (struct open){ .via = NO_FUNC };
	while (cursor__left(&c) && !err) {
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
			return unit__error(w->dw, u, offset, "abbreviation %" PRIu64
					   " is not in the table at 0x%" PRIx64, code, u->abbrevs);
		if (!is_read(w, a, parent)) {
			abbrev__skip(&w->abbrevs, a, &c);
		} else {
			abbrev__take(&w->abbrevs, a, &c, &die);
			if (cursor__failed(&c))
				break;
			err = a->tag == DW_TAG_subprogram ?
			      take_body(w, unit, offset, &die, &in) :
			      a->tag == DW_TAG_inlined_subroutine ?
			      take_call(w, unit, &die, &in, parent) :
			      take_caller(w, unit, &die, parent);
		}
		if (!a->children && !depth)
			break;
		if (!a->children)
			continue;
		if (++depth >= MAX_DEPTH)
			return unit__error(w->dw, u, offset, "DIEs are nested deeper than %u",
					   MAX_DEPTH);
		stack[depth] = in;
	}
	if (!err && cursor__failed(&c))
		err = unit__error(w->dw, u, u->dies, "a DIE that is cut off");
	return err;
}

int inlined_walk__read(struct inlined_walk *w, uint32_t unit)
{
	struct unit *u = &w->dw->units[unit];
	struct open *stack __cleanup(free_pointer) = NULL;
	int err;

	err = unit__read(w->dw, u, &w->abbrevs);
	if (err)
		return err;
	if (u->end - u->start > w->at_size) {
		free(w->at);
		w->at_size = u->end - u->start;
		w->at = xcalloc(w->at_size, sizeof(*w->at));
	}
	stack = xcalloc(MAX_DEPTH + 1, sizeof(*stack));
	w->at_size = w->at ? w->at_size : 0;
	if (!w->at || !stack)
		return -ENOMEM;
	err = read_lines(w, &w->lines, u);
	err = err ?: walk_unit(w, unit, stack);
	while (w->touched.nr)
		w->at[w->touched.array[--w->touched.nr]] = 0;
	return err;
}

void inlined_walk__destroy(struct inlined_walk *w)
{
	for_each(site, &w->sites)
		free(site->file);
	abbrevs__destroy(&w->abbrevs);
	abbrevs__destroy(&w->other_abbrevs);
	files__release(&w->lines.files);
	files__release(&w->other_lines.files);
	destroy_table(&w->funcs);
	free(w->sites.array);
	free(w->callers.array);
	free(w->at);
	free(w->touched.array);
	free(w->foreign.array);
	table__destroy(&w->foreign_at);
	*w = (struct inlined_walk){};
}
