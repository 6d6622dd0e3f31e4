// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/constants.h"
#include "dwarf/lines.h"
#include "image/symbols.h"
#include "inlined/inlined.h"
#include "util/hash.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/table.h"

/* Maximum nesting; no source is nested as deeply. */
#define MAX_DEPTH	4096

/* A body refers to the abstract function, which may refer to a declaration. */
#define MAX_HOPS	4

#define NO_FUNC		UINT32_MAX

/**
 * struct dwarf_func - a function, as DWARF describes it
 * @name, @file, @dir, @line: its identity; pointers into sections
 * @unit:	a unit with it
 * @in_first:	of another thread's function: its index in the first thread's table
 * @in_result:	of the first thread's function: its index in the result
 */
struct dwarf_func {
	const char	*name;
	const char	*file;
	const char	*dir;
	uint32_t	line;
	uint32_t	unit;
	uint32_t	in_first;
	uint32_t	in_result;
	uint32_t	calls;
	uint32_t	bodies;
};

/**
 * struct func_table - functions, each once
 * @by_content:	indices, counted from 1
 */
struct func_table {
	VECTOR(struct dwarf_func);
	struct hash_table	by_content;
};

/** struct found_site - a site whose file has not been joined to a path: most are not wanted */
struct found_site {
	struct inlined_site	site;
	const char		*file;
	const char		*dir;
	const char		*comp_dir;
};

/** struct inlined_code - code of a function that was inlined into the body that is read */
struct inlined_code {
	struct code_range	range;
	uint32_t		func;
};

/**
 * struct described - the function that the entry at an offset of .debug_info describes
 * @func:	its index, NO_FUNC if it has no name
 * @unit:	the unit with its name
 * @symbol:	its symbol, if that is not its name; NULL: it is, except for a suffix
 * @is_external: it is not static, so it may be declared there, and defined in another unit
 */
struct described {
	uint64_t	offset;
	uint32_t	func;
	uint32_t	unit;
	const char	*symbol;
	bool		is_external;
};

/**
 * struct line_table - the files of a unit, which units may share
 * @at:		offset in .debug_line, UINT64_MAX if empty
 */
struct line_table {
	struct files	files;
	uint64_t	at;
	bool		valid;
};

/**
 * struct inlined_walk - one thread: reads units, adds functions and sites
 * @in:		the result; its units' first entries have been read
 * @wanted:	selects the functions whose sites are recorded, see
 *		inlined__read(); or NULL
 * @with_body:	instead, record the inlined calls of functions whose names also have a body
 * @u, @unit:	the unit that is read, and its number
 * @err:	the first error about another unit
 * @lines, @other_lines: line tables of the unit, and of the last other unit
 * @work:	number of entries of line tables, and bytes of programs, read so far
 * @entries:	possible entries of a body or an inlined call
 * @code:	of inlined calls in the last body, outer ones first
 * @sites:	with indices of @funcs; the last body's start at @first_site, the unit's at
 *		@first_of_unit
 * @known:	entries that were looked up before; @known_at: indices in it, starting at 1, by
 *		offset
 */
struct inlined_walk {
	const struct inlined	*in;
	inlined_wanted		*wanted;
	const void		*arg;
	bool			with_body;
	const struct unit	*u;
	uint32_t		unit;
	int			err;
	struct abbrevs		abbrevs;
	struct abbrevs		other_abbrevs;
	struct line_table	lines;
	struct line_table	other_lines;
	uint64_t		work;
	struct func_table	funcs;
	struct code_ranges	entries;
	VECTOR(struct inlined_code) code;
	VECTOR(struct found_site) sites;
	uint32_t		first_site;
	uint32_t		first_of_unit;
	VECTOR(struct described) known;
	struct hash_table	known_at;
};

/* --- functions ------------------------------------------------------------ */

static bool same_string(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/*
 * Find an entry, or add it without calls and bodies.  In malformed DWARF, too many entries may
 * share a hash; an entry may then be added again.  Return: its index.
 */
static uint32_t add_func(struct func_table *t, const struct dwarf_func *e)
{
	/* the rest seldom differs */
	uint32_t hash = hash_bytes(e->name, strlen(e->name)) * 31 + e->line;
	const struct dwarf_func *known;
	struct hash_slot *slot;

	table__expect(&t->by_content, 1);
	table__for_each(slot, &t->by_content, hash) {
		known = &t->array[slot->id - 1];
		/* with the same name and hash, the lines are the same, too */
		if (same_string(known->name, e->name) && same_string(known->file, e->file) &&
		    same_string(known->dir, e->dir))
			return slot->id - 1;
	}
	push(t, *e);
	if (slot)
		table__add(&t->by_content, slot, hash, t->nr);
	t->array[t->nr - 1].calls = t->array[t->nr - 1].bodies = 0;
	return t->nr - 1;
}

/* --- the function of an entry --------------------------------------------------- */

/* Limit for reading line tables repeatedly, as a multiple of their size. */
#define MAX_WORK	16

static int check_work(const struct inlined_walk *w, const struct unit *u)
{
	const struct dwarf *dw = w->in->dw;

	if (w->work / MAX_WORK <= cursor__left(&dw->info) + cursor__left(&dw->line))
		return 0;
	return unit__error(dw, u, u->start, "line number tables that units take turns with");
}

static int read_lines(struct inlined_walk *w, struct line_table *t, const struct unit *u)
{
	const struct dwarf *dw = w->in->dw;
	int err = 0;

	if (!t->valid || t->at != u->stmt_list) {
		files__release(&t->files);
		err = check_work(w, u);
		if (err)
			return err;
		if (u->stmt_list != UINT64_MAX)
			err = files__read(dw, u->stmt_list, u->comp_dir, &t->files);
		w->work += (uint64_t)t->files.files.nr + t->files.dirs.nr;
	}
	t->at = u->stmt_list;
	t->valid = !err;
	t->files.comp_dir = u->comp_dir;
	return err;
}

static void find_file(const struct files *files, uint64_t number, const char **name,
		      const char **dir)
{
	const struct line_file *file;

	if (number >= files->files.nr)
		return;
	file = &files->files.array[number];
	*name = file->name;
	if (file->dir < files->dirs.nr)
		*dir = files->dirs.array[file->dir];
}

/*
 * Find the function that the entry at @offset describes, or an entry that it refers to.  With
 * link-time optimization, that may be in another unit.
 *
 * Return: the function; its index is NO_FUNC if it has no name, or after an error.
 */
static struct described describe_entry(struct inlined_walk *w, uint64_t offset)
{
	struct dwarf *dw = w->in->dw;
	const struct files *files;
	const struct abbrevs *abbrevs;
	struct described ret = { .offset = offset, .func = NO_FUNC };
	struct unit *u = NULL;
	struct dwarf_func e;
	struct die die;
	uint32_t len;

	for (int i = 0; i < MAX_HOPS && offset; i++) {
		const struct abbrev *a;
		struct cursor c;

		if (!u || offset < u->start || offset >= u->end) {
			e = (struct dwarf_func){ .unit = dwarf__unit_at(dw, offset) };
			if (e.unit >= dw->nr_units)
				break;
			u = &dw->units[e.unit];
			abbrevs = u == w->u ? &w->abbrevs : &w->other_abbrevs;
			files = u == w->u ? &w->lines.files : &w->other_lines.files;
			if (u != w->u)
				w->err = unit__read(dw, u, &w->other_abbrevs) ?:
					 read_lines(w, &w->other_lines, u);
			if (w->err)
				return ret;
		}
		c = unit__cursor(dw, u, offset);
		a = abbrevs__find(abbrevs, cursor__uleb(&c));
		if (!a || a->tag != DW_TAG_subprogram)
			break;
		abbrev__read(abbrevs, a, &c, &die);
		if (cursor__failed(&c))
			break;
		if (!e.name)
			e.name = unit__string(dw, u, &die, AT_NAME, &len);
		/* gcc calls memcpy() __builtin_memcpy */
		if (!ret.symbol)
			ret.symbol = unit__string(dw, u, &die, AT_LINKAGE_NAME, &len);
		ret.is_external |= die__number(&die, AT_EXTERNAL);
		if (!e.line && die__has(&die, AT_DECL_LINE) && die__has(&die, AT_DECL_FILE)) {
			e.line = die.value[AT_DECL_LINE];
			find_file(files, die.value[AT_DECL_FILE], &e.file, &e.dir);
		}
		offset = unit__target(u, &die, AT_ORIGIN) ?: unit__target(u, &die, AT_SPECIFICATION);
		if (e.name && (e.line || offset < u->start || offset >= u->end))
			break;
	}
	if (u && e.name) {
		ret.func = add_func(&w->funcs, &e);
		ret.unit = e.unit;
	}
	return ret;
}

/* Return: the function at an offset of .debug_info; its index may be NO_FUNC. */
static struct described described_at(struct inlined_walk *w, uint64_t offset)
{
	struct described ret = { .func = NO_FUNC };
	uint32_t hash = offset * HASH_K1 >> 32;
	struct hash_slot *slot;

	if (!offset || w->err)
		return ret;
	table__expect(&w->known_at, 1);
	table__for_each(slot, &w->known_at, hash)
		if (w->known.array[slot->id - 1].offset == offset)
			return w->known.array[slot->id - 1];
	ret = describe_entry(w, offset);
	/* no slot: the entry will be looked up again */
	if (slot) {
		push(&w->known, ret);
		table__add(&w->known_at, slot, hash, w->known.nr);
	}
	return ret;
}

static uint32_t func_at(struct inlined_walk *w, uint64_t offset)
{
	return described_at(w, offset).func;
}

/* --- the walk -------------------------------------------------------------- */

/**
 * struct open - the context of an open entry
 * @body:	offset of the enclosing subprogram with code, 0: none
 * @entry:	the address of its entry
 * @die:	offset of the open entry
 * @via:	the function that is inlined there, or NO_FUNC
 */
struct open {
	uint64_t	body;
	uint64_t	die;
	uint64_t	entry;
	uint32_t	via;
};

/* Return the start of the first range that is not empty: gcc also writes empty ones. */
static uint64_t entry_of(struct inlined_walk *w, const struct die *die)
{
	w->entries.nr = 0;
	unit__add_entries(w->in->dw, w->u, die, &w->entries);
	for_each(range, &w->entries)
		if (range->start != range->end)
			return range->start;
	return w->entries.nr ? w->entries.array[0].start : UINT64_MAX;
}

static bool is_wanted(const struct inlined_walk *w, const char *name)
{
	return w->wanted && w->wanted(name, w->arg);
}

static int compare_found(const void *a, const void *b)
{
	const struct found_site *x = a, *y = b;

	return cmp_int(x->site.kind == CALL_INLINED, y->site.kind == CALL_INLINED) ?:
	       cmp_int(x->site.address, y->site.address);
}

/* Nested inlined calls have the same code; no compiler nests as deeply. */
#define MAX_NESTED	64

/*
 * End a body: clang describes calls in inlined code as if the body itself made them.  Find the
 * innermost inlined call with their code, which comes last.
 */
static void end_body(struct inlined_walk *w)
{
	struct found_site *sites = w->sites.array + w->first_site;
	uint32_t nr = w->sites.nr - w->first_site, i;
	uint64_t left = (uint64_t)nr * MAX_NESTED;

	if (nr && w->code.nr)
		qsort(sites, nr, sizeof(*sites), compare_found);
	for_each(code, &w->code) {
		i = first_not_before(at, nr, sites[at].site.kind != CALL_INLINED &&
				     sites[at].site.address < code->range.start);
		for (; i < nr && sites[i].site.kind != CALL_INLINED && left &&
		       sites[i].site.address < code->range.end; i++, left--)
			sites[i].site.via = w->funcs.array[code->func].name;
	}
	w->code.nr = 0;
	w->first_site = w->sites.nr;
}

/* Record a call of a wanted function. */
static void add_site(struct inlined_walk *w, const struct die *die, enum call_kind kind,
		     const char *name, uint64_t address, const struct described *func,
		     uint64_t offset, const struct open *parent)
{
	/* dwz moves functions of headers to units without a name */
	uint32_t home = *w->in->units[func->unit] ? func->unit : w->unit;
	uint32_t caller = func_at(w, parent->body);
	bool has_line = die__has(die, AT_DECL_LINE);
	struct found_site found = { .comp_dir = w->u->comp_dir, .site = {
		.kind = kind, .is_external = func->is_external,
		.func = func->func, .name = name,
		.home = w->in->units[home], .address = address, .entry = parent->entry,
		.die = offset, .body = parent->body,
		.unit = w->in->units[w->unit], .line = has_line ? die->value[AT_DECL_LINE] : 0,
		.caller = caller == NO_FUNC ? "?" : w->funcs.array[caller].name,
		.via = parent->via == NO_FUNC ? NULL : w->funcs.array[parent->via].name,
	} };

	if (die__has(die, AT_DECL_FILE))
		find_file(&w->lines.files, die->value[AT_DECL_FILE], &found.file, &found.dir);
	push(&w->sites, found);
}

static void read_inlined(struct inlined_walk *w, const struct die *die, struct open *in,
			 const struct open *parent)
{
	const struct described func = described_at(w, unit__target(w->u, die, AT_ORIGIN));
	uint64_t address = entry_of(w, die);
	struct dwarf_func *entry;
	uint32_t around;

	in->via = func.func;
	if (w->wanted && func.func != NO_FUNC) {
		struct die all = *die;

		/* all of its code, and not only after the entry */
		all.has &= ~(1ULL << AT_ENTRY_PC);
		entry_of(w, &all);
		for_each(range, &w->entries)
			push(&w->code, (struct inlined_code){ *range, func.func });
	}
	if (func.func == NO_FUNC || address == UINT64_MAX)
		return;
	around = parent->via != NO_FUNC ? parent->via : func_at(w, parent->body);
	entry = &w->funcs.array[func.func];
	/*
	 * gcc splits a function (foo.part.0) and may inline the part into the rest of the
	 * function.  That is not a call, and its entry has the line of the declaration.
	 */
	if (around == func.func && die__has(die, AT_DECL_LINE) &&
	    die->value[AT_DECL_LINE] == entry->line)
		return;
	entry->calls++;
	if (w->with_body || is_wanted(w, entry->name))
		add_site(w, die, CALL_INLINED, entry->name, address, &func, in->die, parent);
}

/*
 * A call; without DW_AT_call_origin, it is through a pointer.  Compilers write where it returns
 * to, even of a jump; clang may also write where the jump is.
 */
static void read_call(struct inlined_walk *w, const struct die *die, const struct open *in)
{
	const struct described func = described_at(w, unit__target(w->u, die, AT_ORIGIN));
	bool is_tail = die__number(die, AT_TAIL_CALL);
	uint64_t address = in->entry;
	bool ends_there = false;

	const char *name;

	if (func.func == NO_FUNC)
		return;
	name = func.symbol ?: w->funcs.array[func.func].name;
	if (!is_wanted(w, name))
		return;
	if (!unit__address(w->in->dw, w->u, die, AT_CALL_PC, &address)) {
		ends_there = unit__address(w->in->dw, w->u, die, AT_RETURN_PC, &address);
		address -= ends_there;
	}
	add_site(w, die, is_tail ? CALL_TAIL : CALL_DIRECT, name, address, &func, in->die, in);
	w->sites.array[w->sites.nr - 1].site.ends_there = ends_there;
}

/*
 * Test for an address of code.  The linker sets addresses of discarded functions to 0, or lld to -1 or
 * -2; in a relocatable file, their relocations are missing.
 */
static bool is_code(const struct dwarf *dw, uint64_t address)
{
	const struct image *img = dw->img;
	uint32_t section;
	uint64_t offset;

	if (dw->relocator)
		return relocator__place(dw->relocator, address, &section, &offset);
	for (size_t i = 1; i < img->nr_sections; i++)
		if (img->sections[i].flags & SHF_EXECINSTR &&
		    address - img->sections[i].address < img->sections[i].size)
			return true;
	return false;
}

static int add_first(const struct symbol *sym, void *arg)
{
	struct inlined *in = arg;

	if (sym->type == STT_FUNC && sym->address <= 1)
		push(&in->first, *sym);
	return 0;
}

/* Test whether a body at address 0 or 1 is the code there: a symbol has its name and size. */
static bool is_first(struct inlined_walk *w, uint64_t offset, uint64_t entry)
{
	const struct described func = described_at(w, offset);
	const char *name = func.func == NO_FUNC ? "" : func.symbol ?: w->funcs.array[func.func].name;
	size_t len = strlen(name);
	uint64_t end = 0;

	for_each(range, &w->entries)
		end = range->start == entry ? range->end : end;
	for_each(sym, &w->in->first)
		if (sym->address == entry && sym->size == end - entry &&
		    !strncmp(sym->name, name, len) && (!sym->name[len] || sym->name[len] == '.'))
			return true;
	return false;
}

static void read_body(struct inlined_walk *w, uint64_t offset, const struct die *die,
		      struct open *in)
{
	uint64_t entry = entry_of(w, die);
	uint32_t func;

	end_body(w);
	*in = (struct open){ .via = NO_FUNC };
	if (!is_code(w->in->dw, entry) ||
	    (entry <= 1 && !w->in->dw->relocator && !is_first(w, offset, entry)))
		return;
	in->body = offset;
	in->entry = entry;
	func = func_at(w, unit__target(w->u, die, AT_ORIGIN));
	if (func != NO_FUNC)
		w->funcs.array[func].bodies++;
}

/* Test whether the walk reads an entry's children, given its context. */
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

/*
 * Skip an entry.  Return: true if its descendants were skipped, too: there is no code inside a
 * type.  gcc writes where the next sibling is, clang does not.
 */
static bool skip_entry(const struct inlined_walk *w, const struct abbrev *a, struct cursor *c)
{
	struct die die;

	if (!a->children || !abbrev__has(a, AT_SIBLING)) {
		abbrev__skip(&w->abbrevs, a, c);
		return false;
	}
	abbrev__read(&w->abbrevs, a, c, &die);
	unit__skip_to_sibling(w->u, &die, c);
	return true;
}

static int compare_line_places(const void *a, const void *b)
{
	const struct line_place *x = a, *y = b;

	return cmp_int(x->address, y->address);
}

/* Find the lines of the unit's calls: DWARF has them for inlined calls only. */
static int find_lines(struct inlined_walk *w)
{
	VECTOR(struct line_place) places = {};

	for (uint32_t i = w->first_of_unit; i < w->sites.nr; i++)
		if (w->sites.array[i].site.kind != CALL_INLINED && !w->sites.array[i].file)
			push(&places, (struct line_place){
				.address = w->sites.array[i].site.address });
	if (!places.nr)
		return 0;
	vector__sort(&places, compare_line_places);
	lines__find(&w->lines.files, places.array, places.nr);
	for (uint32_t i = w->first_of_unit; i < w->sites.nr; i++) {
		struct found_site *found = &w->sites.array[i];
		const struct line_place key = { .address = found->site.address }, *place;

		if (found->site.kind == CALL_INLINED || found->file)
			continue;
		place = bsearch(&key, places.array, places.nr, sizeof(key), compare_line_places);
		if (!place->line)
			continue;
		find_file(&w->lines.files, place->file, &found->file, &found->dir);
		found->site.line = place->line;
	}
	free(places.array);
	w->work += cursor__left(&w->lines.files.program.opcodes);
	return check_work(w, w->u);
}

static int read_unit(void *walks, unsigned int thread, uint32_t unit)
{
	struct open *stack __cleanup(free_pointer) = xmalloc((MAX_DEPTH + 1) * sizeof(*stack));
	struct inlined_walk *w = (struct inlined_walk *)walks + thread;
	struct dwarf *dw = w->in->dw;
	struct unit *u = &dw->units[unit];
	uint32_t depth = 0;
	struct cursor c;

	w->u = u;
	w->unit = unit;
	w->first_of_unit = w->first_site = w->sites.nr;
	w->err = unit__read(dw, u, &w->abbrevs) ?: read_lines(w, &w->lines, u);
	c = unit__cursor(dw, u, u->dies);
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
		in.die = offset;
		if (!is_read(w, a, parent)) {
			if (skip_entry(w, a, &c))
				continue;
		} else {
			abbrev__read(&w->abbrevs, a, &c, &die);
			if (cursor__failed(&c))
				break;
			if (a->tag == DW_TAG_subprogram)
				read_body(w, offset, &die, &in);
			else if (a->tag == DW_TAG_inlined_subroutine)
				read_inlined(w, &die, &in, parent);
			else
				read_call(w, &die, parent);
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
		return unit__error(dw, u, u->dies, "a DIE that is cut off, or whose sibling does not follow it");
	end_body(w);
	return w->err ?: find_lines(w);
}

/* --- merging the results of threads ------------------------------------ */

static char *path_of(const struct inlined *in, const char *dir, const char *file,
		     const char *comp_dir)
{
	return file ? source_tree__file(&in->tree, files__join(dir, file, comp_dir), comp_dir) :
		      NULL;
}

static int compare_funcs(const void *a, const void *b)
{
	const struct inlined_func *x = a, *y = b;

	return strcmp(x->name, y->name) ?: strcmp(x->file ?: "", y->file ?: "") ?:
	       (x->line > y->line) - (x->line < y->line);
}

static int compare_sites(const void *a, const void *b)
{
	const struct inlined_site *x = a, *y = b;

	return cmp_place(x, y) ?: cmp_int(x->func, y->func) ?: strcmp(x->name, y->name) ?:
	       strcmp(x->caller, y->caller) ?: strcmp(x->via ?: "", y->via ?: "") ?:
	       cmp_int(x->line, y->line) ?: strcmp(x->unit, y->unit) ?: cmp_int(x->kind, y->kind);
}

/** struct counted - a function of the result, and the index of its entry; sorted as the former */
struct counted {
	struct inlined_func	func;
	uint32_t		entry;
};

/* Merge the tables, which also contain callers: drop functions that were never inlined. */
static void merge_funcs(struct inlined *in, struct inlined_walk *walks, unsigned int threads)
{
	struct func_table *all = &walks[0].funcs;
	VECTOR(struct counted) counted = {};

	for (unsigned int i = 1; i < threads; i++)
		for_each(e, &walks[i].funcs) {
			e->in_first = add_func(all, e);
			all->array[e->in_first].calls += e->calls;
			all->array[e->in_first].bodies += e->bodies;
		}
	for_each(e, all)
		if (e->calls)
			push(&counted, (struct counted){ .entry = e - all->array, .func = {
				.name = e->name, .line = e->line,
				.file = path_of(in, e->dir, e->file,
						in->dw->units[e->unit].comp_dir),
				.calls = e->calls, .bodies = e->bodies } });
	vector__sort(&counted, compare_funcs);
	/* merge functions listed twice because a path has two spellings, as a/../b and b */
	for_each(c, &counted) {
		struct inlined_func *last = &in->funcs.array[in->funcs.nr - 1];

		if (in->funcs.nr && !compare_funcs(last, &c->func)) {
			last->calls += c->func.calls;
			last->bodies += c->func.bodies;
			free(c->func.file);
		} else {
			push(&in->funcs, c->func);
		}
		all->array[c->entry].in_result = in->funcs.nr - 1;
	}
	free(counted.array);
}

/* Sort sites; in a module, split their addresses into section and offset. */
static void place_sites(const struct inlined *in, struct inlined_sites *sites)
{
	const struct relocator *r = in->dw->relocator;

	vector__sort(sites, compare_sites);
	for_each(site, sites) {
		if (!r)
			break;
		relocator__place(r, site->address, &site->section, &site->address);
		relocator__place(r, site->entry, &site->entry_section, &site->entry);
	}
}

/* Return: for each function, whether one with its name has a body; they are sorted by name. */
static bool *find_bodies(const struct inlined *in)
{
	bool *ret = xcalloc(in->funcs.nr, sizeof(*ret)), has_body;

	for (uint32_t i = 0, end; i < in->funcs.nr; i = end) {
		has_body = false;
		for (end = i; end < in->funcs.nr &&
		     !strcmp(in->funcs.array[i].name, in->funcs.array[end].name); end++)
			has_body |= in->funcs.array[end].bodies;
		memset(ret + i, has_body, end - i);
	}
	return ret;
}

static void merge_sites(struct inlined *in, struct inlined_walk *walks, unsigned int threads)
{
	bool *has_body __cleanup(free_pointer) = find_bodies(in);

	for (unsigned int i = 0; i < threads; i++)
		for_each(found, &walks[i].sites) {
			struct inlined_site *site = &found->site;
			bool is_inlined = site->kind == CALL_INLINED;

			/* functions that were never inlined are dropped */
			if (i && is_inlined)
				site->func = walks[i].funcs.array[site->func].in_first;
			site->func = is_inlined ? walks[0].funcs.array[site->func].in_result : 0;
			if (walks[i].with_body && !has_body[site->func])
				continue;
			site->file = path_of(in, found->dir, found->file, found->comp_dir);
			if (is_inlined)
				push(&in->sites, *site);
			else
				push(&in->calls, *site);
		}
	place_sites(in, &in->sites);
	place_sites(in, &in->calls);
}

static void destroy_walk(struct inlined_walk *w)
{
	abbrevs__destroy(&w->abbrevs);
	abbrevs__destroy(&w->other_abbrevs);
	files__release(&w->lines.files);
	files__release(&w->other_lines.files);
	free(w->funcs.array);
	table__destroy(&w->funcs.by_content);
	free(w->entries.array);
	free(w->code.array);
	free(w->sites.array);
	free(w->known.array);
	table__destroy(&w->known_at);
}

static int read_all(struct inlined *in, struct inlined_walk walk, unsigned int threads,
		    struct inlined **ret)
{
	struct inlined_walk *walks __cleanup(free_pointer) = xcalloc(threads, sizeof(*walks));
	const struct dwarf *dw = in->dw;
	int err;

	source_tree__find(&in->tree, dw);
	in->units = xcalloc(dw->nr_units + 1UL, sizeof(*in->units));
	for (uint32_t i = 0; i < dw->nr_units; i++)
		in->units[i] = source_tree__path(&in->tree, dw->units[i].name ?: "",
						 dw->units[i].comp_dir);
	if (!dw->relocator && is_code(dw, 0))
		image__for_each_symbol(dw->img, add_first, in);
	walk.in = in;
	walk.abbrevs.calls = true;
	for (unsigned int i = 0; i < threads; i++)
		walks[i] = walk;
	err = jobs__each(threads, dw->nr_units, read_unit, walks);
	if (!err) {
		merge_funcs(in, walks, threads);
		merge_sites(in, walks, threads);
		*ret = in;
	}
	for (unsigned int i = 0; i < threads; i++)
		destroy_walk(&walks[i]);
	if (err)
		inlined__free(in);
	return err;
}

int inlined__read(const struct image *img, inlined_wanted *wanted, const void *arg,
		  unsigned int threads, struct inlined **ret)
{
	struct inlined *in = xcalloc(1, sizeof(*in));
	struct abbrevs abbrevs = {};
	int err = dwarf__open(img, &in->own_dw);

	*ret = NULL;
	in->dw = in->own_dw;
	/* read the first entries of all units before threads start, which must not change them */
	for (uint32_t i = 0; !err && i < in->dw->nr_units; i++)
		err = unit__read(in->dw, &in->dw->units[i], &abbrevs);
	abbrevs__destroy(&abbrevs);
	if (!err)
		return read_all(in, (struct inlined_walk){ .wanted = wanted, .arg = arg }, threads,
				ret);
	inlined__free(in);
	return err;
}

int inlined__read_with_body(struct dwarf *dw, unsigned int threads, struct inlined **ret)
{
	struct inlined *in = xcalloc(1, sizeof(*in));

	*ret = NULL;
	in->dw = dw;
	return read_all(in, (struct inlined_walk){ .with_body = true }, threads, ret);
}

void inlined__free(struct inlined *in)
{
	if (!in)
		return;
	for_each(func, &in->funcs)
		free(func->file);
	for_each(site, &in->sites)
		free(site->file);
	for_each(call, &in->calls)
		free(call->file);
	free(in->funcs.array);
	free(in->sites.array);
	free(in->calls.array);
	free(in->first.array);
	for (uint32_t i = 0; in->units && i < in->dw->nr_units; i++)
		free(in->units[i]);
	free(in->units);
	source_tree__destroy(&in->tree);
	dwarf__close(in->own_dw);
	free(in);
}
