// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "dwarf/unit.h"
#include "util/memory.h"
#include "util/msg.h"

int unit__error(const struct dwarf *dw, const struct unit *u, uint64_t offset,
		const char *fmt, ...)
{
	char what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (u)
		msg_error("%s: .debug_info: unit at 0x%" PRIx64 "%s%.200s%s: 0x%" PRIx64 ": %s",
			  dw->img->path, u->start, u->name ? " (" : "", u->name ?: "",
			  u->name ? ")" : "", offset, what);
	else
		msg_error("%s: .debug_info: 0x%" PRIx64 ": %s", dw->img->path, offset, what);
	return -EINVAL;
}

static int load_sections(struct dwarf *dw)
{
	const struct { const char *name; bool relocate; struct cursor *c; } sections[] = {
		{ ".debug_info", true, &dw->info },
		{ ".debug_abbrev", false, &dw->abbrev },
		{ ".debug_str", false, &dw->str },
		{ ".debug_line_str", false, &dw->line_str },
		{ ".debug_str_offsets", true, &dw->str_offsets },
		{ ".debug_addr", true, &dw->addr },
		{ ".debug_rnglists", true, &dw->rnglists },
		{ ".debug_loclists", true, &dw->loclists },
		{ ".debug_ranges", true, &dw->ranges },
		{ ".debug_loc", true, &dw->loc },
		{ ".debug_line", true, &dw->line },
	};
	const struct image *img = dw->img;
	int err;

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		struct section *sec = image__section(img, sections[i].name);

		*sections[i].c = cursor__new(NULL, 0, img->swap);
		if (!sec)
			continue;
		err = sections[i].relocate && dw->relocator ? relocator__apply(dw->relocator, sec) :
							      image__load_section(img, sec);
		if (err)
			return err;
		*sections[i].c = image__cursor(img, sec);
	}
	cursor__read_ahead(dw->str);
	return 0;
}

/* Skip zeroes up to the next unit, or to the end of the section; no unit begins with them. */
static void skip_padding(struct cursor *c)
{
	struct cursor next = *c;

	while (cursor__left(&next) >= sizeof(uint32_t) && !cursor__u32(&next))
		*c = next;
	while (cursor__left(c) && cursor__left(c) < sizeof(uint32_t) && !*c->p)
		cursor__skip(c, 1);
}

/* A unit's header (DWARF 5, 7.5.1); @c is left at the next unit. */
static int read_header(const struct dwarf *dw, struct cursor *c, struct unit *u)
{
	uint64_t length, left = cursor__left(c);
	struct cursor body;

	memset(u, 0, sizeof(*u));
	u->start = cursor__offset(c);
	u->stmt_list = UINT64_MAX;
	skip_padding(c);
	u->dies = u->end = cursor__offset(c);
	if (u->end != u->start)
		return 0;
	length = cursor__unit_length(c, &u->offset_size);
	body = cursor__sub(c, length);
	if (cursor__failed(c))
		return unit__error(dw, NULL, u->start,
				   "a unit of 0x%" PRIx64 " bytes, but only 0x%" PRIx64
				   " are left in the section", length, left);
	u->end = cursor__offset(c);
	u->version = cursor__u16(&body);
	if (u->version >= 5) {
		u->type = cursor__u8(&body);
		u->address_size = cursor__u8(&body);
		u->abbrevs = cursor__uint(&body, u->offset_size);
		if (u->type == DW_UT_skeleton)
			cursor__skip(&body, 8);
	} else {
		u->type = DW_UT_compile;
		u->abbrevs = cursor__uint(&body, u->offset_size);
		u->address_size = cursor__u8(&body);
	}
	if (cursor__failed(&body))
		return unit__error(dw, NULL, u->start, "the unit's header is cut off");
	if (u->version < 2 || u->version > 5)
		return unit__error(dw, NULL, u->start, "DWARF version %u, expected 2 to 5",
				   u->version);
	if (u->address_size != 4 && u->address_size != 8)
		return unit__error(dw, NULL, u->start, "addresses of %u bytes, expected 4 or 8",
				   u->address_size);
	if (u->version == 5 && u->type != DW_UT_compile && u->type != DW_UT_partial) {
		if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
			return unit__error(dw, NULL, u->start,
					   "split DWARF (-gsplit-dwarf) is not supported");
		if (u->type == DW_UT_type || u->type == DW_UT_split_type)
			return unit__error(dw, NULL, u->start,
					   "type units, build without -fdebug-types-section");
		return unit__error(dw, NULL, u->start, "unit type %u, expected DW_UT_compile",
				   u->type);
	}
	u->dies = u->end - cursor__left(&body);
	return 0;
}

static int scan_units(struct dwarf *dw)
{
	struct cursor c = dw->info;
	uint32_t cap = 0;
	int err;

	while (cursor__left(&c)) {
		grow(&dw->units, &cap, (uint64_t)dw->nr_units + 1, sizeof(*dw->units));
		err = read_header(dw, &c, &dw->units[dw->nr_units]);
		if (err)
			return err;
		dw->nr_units++;
	}
	return 0;
}

/* --- groups ------------------------------------------------------------------------ */

/* Maximum size of a group's own units; guests get the rest of 31 bits. */
#define MAX_OWN		(1ULL << 30)

/*
 * Test whether a unit with this table may refer to another one.
 * @room: how many more bytes of tables may be read; if too few, return true.
 */
static bool may_refer(const struct dwarf *dw, uint64_t abbrevs, uint64_t *room)
{
	struct cursor c = dw->abbrev;
	struct declared d;

	cursor__skip(&c, abbrevs);
	while (cursor__uleb(&c) && !cursor__failed(&c)) {
		cursor__uleb(&c);
		cursor__u8(&c);
		while (abbrev__next_attribute(&c, &d))
			if (d.form == DW_FORM_ref_addr || d.form == DW_FORM_indirect)
				return true;
		if (cursor__offset(&c) - abbrevs >= *room)
			return true;
	}
	*room -= cursor__failed(&c) ? *room : cursor__offset(&c) - abbrevs;
	return false;
}

static void find_groups(struct dwarf *dw)
{
	uint64_t room = 16 * (cursor__left(&dw->info) + cursor__left(&dw->abbrev));
	uint32_t end;
	bool one;

	for (uint32_t i = 0; i < dw->nr_units; i = end) {
		for (end = i + 1; end < dw->nr_units; end++)
			if (dw->units[end].abbrevs != dw->units[i].abbrevs ||
			    dw->units[end].end - dw->units[i].start >= MAX_OWN)
				break;
		one = end - i > 1 && may_refer(dw, dw->units[i].abbrevs, &room);
		for (uint32_t k = i; k < end; k++)
			dw->units[k].group = one ? i : k;
	}
}

uint32_t dwarf__group_size(const struct dwarf *dw, uint32_t first)
{
	uint32_t end = first + 1;

	while (end < dw->nr_units && dw->units[end].group == first)
		end++;
	return end - first;
}

/* --- the sections ------------------------------------------------------------------- */

/*
 * Sections that imply DWARF which is not read: dwz -m moves data to a file that others
 * share (.debug_sup: DWARF 5, 7.3.6), DWARF 4 has type units, and .dwo files other names.  A reference to it may go
 * unnoticed: it may be the name of a unit, or there may be a declaration instead.
 */
static const struct {
	const char	*section;
	const char	*what;
} elsewhere[] = {
	{ ".gnu_debugaltlink",	"another file (dwz -m), expected all in one" },
	{ ".debug_sup",		"another file (dwz -m), expected all in one" },
	{ ".debug_types",	"type units, build without -fdebug-types-section" },
	{ ".debug_info.dwo",	"split DWARF, build without -gsplit-dwarf" },
};

int dwarf__reject_external(const struct image *img)
{
	for (size_t i = 0; i < ARRAY_SIZE(elsewhere); i++) {
		const struct section *sec = image__section(img, elsewhere[i].section);

		if (sec)
			return section__error(-EINVAL, img, sec, "some DWARF is not read: %s",
					      elsewhere[i].what);
	}
	/* in a relocatable file, each type unit of DWARF 5 has its own section */
	for (size_t i = 1; i < img->nr_sections; i++)
		if (!strcmp(img->sections[i].name, ".debug_info") && img->sections[i].flags & SHF_GROUP)
			return section__error(-EINVAL, img, &img->sections[i],
					      "some DWARF is not read: type units, build without -fdebug-types-section");
	return 0;
}

int dwarf__open(const struct image *img, struct dwarf **ret)
{
	struct dwarf *dw = xcalloc(1, sizeof(*dw));
	int err;

	*ret = NULL;
	dw->img = img;
	err = dwarf__reject_external(img);
	if (!err && img->type == ET_REL)
		err = relocator__new(img, &dw->relocator);
	err = err ?: load_sections(dw);
	err = err ?: scan_units(dw);
	if (!err)
		find_groups(dw);
	if (err)
		dwarf__close(dw);
	else
		*ret = dw;
	return err;
}

void dwarf__close(struct dwarf *dw)
{
	if (!dw)
		return;
	relocator__free(dw->relocator);
	free(dw->units);
	free(dw);
}

struct cursor unit__cursor(const struct dwarf *dw, const struct unit *u, uint64_t offset)
{
	struct cursor c = dw->info;

	/* offsets are still relative to the start of the section */
	c.end = c.begin + u->end;
	c.p = offset >= u->dies && offset < u->end ? c.begin + offset : c.end;
	return c;
}

const char *dwarf__string(const struct cursor *section, uint64_t offset, uint32_t *len)
{
	struct cursor c = *section;
	const char *s;
	size_t max;

	cursor__skip(&c, offset);
	max = cursor__left(&c) < MAX_STRING ? cursor__left(&c) : MAX_STRING;
	if (!max)
		return NULL;
	s = (const char *)c.p;
	*len = strnlen(s, max);
	return *len < max ? s : NULL;
}

/* Read an entry of a unit's table, of @size bytes; @base is where the table starts in its section. */
static bool read_entry(const struct cursor *section, uint64_t base, uint64_t index, uint8_t size,
		       uint64_t *value)
{
	struct cursor c = *section;

	if (index > UINT32_MAX)
		return false;
	cursor__skip(&c, base);
	cursor__skip(&c, index * size);
	*value = cursor__uint(&c, size);
	return !cursor__failed(&c);
}

bool unit__string_at(const struct dwarf *dw, const struct unit *u, uint64_t index,
		     uint64_t *offset)
{
	return read_entry(&dw->str_offsets, u->str_offsets_base, index, u->offset_size, offset);
}

const char *unit__string(const struct dwarf *dw, const struct unit *u, const struct die *die,
			 enum die_slot slot, uint32_t *len)
{
	uint64_t value = die->value[slot];

	*len = 0;
	if (!die__has(die, slot))
		return NULL;
	switch (die->class[slot]) {
	case VALUE_STRP:
		return dwarf__string(&dw->str, value, len);
	case VALUE_STRING:
		return dwarf__string(&dw->info, value, len);
	case VALUE_LINE_STRP:
		return dwarf__string(&dw->line_str, value, len);
	case VALUE_STRX:
		return unit__string_at(dw, u, value, &value) ? dwarf__string(&dw->str, value, len) :
							       NULL;
	default:
		return NULL;
	}
}

bool unit__address_at(const struct dwarf *dw, const struct unit *u, uint64_t index,
		      uint64_t *address)
{
	return read_entry(&dw->addr, u->addr_base, index, u->address_size, address);
}

bool unit__address(const struct dwarf *dw, const struct unit *u, const struct die *die,
		   enum die_slot slot, uint64_t *address)
{
	if (!die__has(die, slot))
		return false;
	if (die->class[slot] == VALUE_ADDRX)
		return unit__address_at(dw, u, die->value[slot], address);
	*address = die->value[slot];
	return die->class[slot] == VALUE_ADDR;
}

/* --- lists of ranges and locations -------------------------------------------------- */

/* More than any function or parameter has. */
#define MAX_RANGES	4096
#define MAX_LOCATIONS	1024

bool list__begin(struct list *l, const struct dwarf *dw, const struct unit *u,
		 const struct die *die, enum die_slot slot)
{
	bool locations = slot == AT_LOCATION;
	uint64_t offset = die->value[slot], base = 0;
	struct cursor c;

	*l = (struct list){ .dw = dw, .u = u, .base = u->low_pc, .has_base = true,
			    .left = locations ? MAX_LOCATIONS : MAX_RANGES,
			    .locations = locations };
	if (u->version < 5)
		l->c = locations ? dw->loc : dw->ranges;
	else
		l->c = locations ? dw->loclists : dw->rnglists;
	switch (die->class[slot]) {
	case VALUE_LISTX:
		if (offset > UINT32_MAX)
			return false;
		c = l->c;
		base = locations ? u->loclists_base : u->rnglists_base;
		cursor__skip(&c, base);
		cursor__skip(&c, offset * u->offset_size);
		offset = base + cursor__uint(&c, u->offset_size);
		if (cursor__failed(&c))
			return false;
		break;
	case VALUE_SEC_OFFSET:
	case VALUE_UINT: /* DWARF 3 wrote offsets as data4 or data8 */
		break;
	default:
		return false;
	}
	cursor__skip(&l->c, offset);
	return true;
}

enum list_entry { LIST_END, LIST_BASE, LIST_RANGE };

/* .debug_ranges and .debug_loc (DWARF 4, 2.17.3 and 2.6.2) */
static enum list_entry read_pair(struct list *l, struct code_range *range)
{
	uint64_t max = l->u->address_size == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t low = cursor__uint(&l->c, l->u->address_size);
	uint64_t high = cursor__uint(&l->c, l->u->address_size);

	if (low == max) {
		l->base = high;
		return LIST_BASE;
	}
	*range = (struct code_range){ l->base + low, l->base + high };
	return low || high ? LIST_RANGE : LIST_END;
}

/* Read an index into .debug_addr, and look up its address. */
static bool read_index(struct list *l, uint64_t *address)
{
	return unit__address_at(l->dw, l->u, cursor__uleb(&l->c), address);
}

/* .debug_rnglists and .debug_loclists (DWARF 5, 7.25 and 7.29) */
static enum list_entry read_kind(struct list *l, struct code_range *range)
{
	uint8_t kind = cursor__u8(&l->c), size = l->u->address_size;
	uint64_t start, end;
	bool known = true;

	/* only locations have DW_LLE_default_location, and only they have views */
	if (!l->locations && kind >= DW_RLE_base_address)
		kind = kind <= DW_RLE_start_length ? kind + 1 : DW_LLE_end_of_list;
	switch (kind) {
	case DW_LLE_base_addressx:
		l->has_base = read_index(l, &l->base);
		return LIST_BASE;
	case DW_LLE_base_address:
		l->base = cursor__uint(&l->c, size);
		l->has_base = true;
		return LIST_BASE;
	case DW_LLE_GNU_view_pair:
		cursor__uleb(&l->c);
		cursor__uleb(&l->c);
		return LIST_BASE;
	case DW_LLE_startx_endx:
		known = read_index(l, &start);
		known &= read_index(l, &end);
		break;
	case DW_LLE_startx_length:
		known = read_index(l, &start);
		end = start + cursor__uleb(&l->c);
		break;
	case DW_LLE_offset_pair:
		known = l->has_base;
		start = l->base + cursor__uleb(&l->c);
		end = l->base + cursor__uleb(&l->c);
		break;
	case DW_LLE_default_location:
		l->is_default = true;
		start = 0;
		end = UINT64_MAX;
		break;
	case DW_LLE_start_end:
		start = cursor__uint(&l->c, size);
		end = cursor__uint(&l->c, size);
		break;
	case DW_LLE_start_length:
		start = cursor__uint(&l->c, size);
		end = start + cursor__uleb(&l->c);
		break;
	default: /* DW_LLE_end_of_list, or a kind that does not exist */
		return LIST_END;
	}
	*range = known ? (struct code_range){ start, end } :
			 (struct code_range){ UINT64_MAX, UINT64_MAX };
	return LIST_RANGE;
}

bool list__next(struct list *l, struct code_range *range, struct cursor *expr)
{
	bool old = l->u->version < 5;
	enum list_entry entry;

	l->is_default = false;
	do {
		entry = !l->left-- ? LIST_END : old ? read_pair(l, range) : read_kind(l, range);
	} while (entry == LIST_BASE && !cursor__failed(&l->c));
	if (entry == LIST_END || cursor__failed(&l->c))
		return false;
	if (l->locations)
		*expr = cursor__sub(&l->c, old ? cursor__u16(&l->c) : cursor__uleb(&l->c));
	return true;
}

/*
 * Replace ranges from number @first by the one that starts with DW_AT_entry_pc (DWARF 5, 2.18): an
 * address, or an offset from the lowest address or the start of the first range.
 */
static void select_entry(const struct dwarf *dw, const struct unit *u, const struct die *die,
			 struct code_ranges *ret, uint32_t first)
{
	struct code_range entry = {};

	if (!unit__address(dw, u, die, AT_ENTRY_PC, &entry.start)) {
		if (first == ret->nr || die->class[AT_ENTRY_PC] > VALUE_SINT)
			return;
		entry.start = ret->array[first].start + die->value[AT_ENTRY_PC];
	}
	for (uint32_t i = first; i < ret->nr; i++)
		if (entry.start - ret->array[i].start < ret->array[i].end - ret->array[i].start)
			entry.end = ret->array[i].end;
	ret->nr = first;
	push(ret, entry);
}

/* Add DW_AT_low_pc to DW_AT_high_pc: an address, or a number of bytes (DWARF 5, 2.17.2). */
static bool add_low_high(const struct dwarf *dw, const struct unit *u, const struct die *die,
			 struct code_ranges *ret)
{
	struct code_range range = {};

	if (!unit__address(dw, u, die, AT_LOW_PC, &range.start))
		return false;
	if (!unit__address(dw, u, die, AT_HIGH_PC, &range.end) && die__has(die, AT_HIGH_PC))
		range.end = range.start + die->value[AT_HIGH_PC];
	push(ret, range);
	return true;
}

/* Return: false if not all ranges are known; @ret contains those that are. */
static bool add_range_list(const struct dwarf *dw, const struct unit *u, const struct die *die,
			   struct code_ranges *ret)
{
	struct code_range range;
	bool all = true;
	struct list list;

	if (!list__begin(&list, dw, u, die, AT_RANGES))
		return false;
	while (list__next(&list, &range, NULL)) {
		if (range.start == UINT64_MAX)
			all = false;
		else
			push(ret, range);
	}
	/* list__next() decrements it beyond 0 if there are more */
	return all && list.left <= MAX_RANGES && !cursor__failed(&list.c);
}

void unit__add_entries(const struct dwarf *dw, const struct unit *u, const struct die *die,
		       struct code_ranges *ret)
{
	uint32_t first = ret->nr;

	if (!add_low_high(dw, u, die, ret) && !die__has(die, AT_LOW_PC) && die__has(die, AT_RANGES))
		add_range_list(dw, u, die, ret);
	if (unlikely(die__has(die, AT_ENTRY_PC)))
		select_entry(dw, u, die, ret, first);
}

bool unit__add_code(const struct dwarf *dw, const struct unit *u, const struct die *die,
		    struct code_ranges *ret)
{
	/* with DW_AT_ranges, DW_AT_low_pc is only a base (DWARF 5, 3.1.1) */
	if (die__has(die, AT_RANGES))
		return add_range_list(dw, u, die, ret);
	return add_low_high(dw, u, die, ret) && ret->array[ret->nr - 1].end;
}

/* --- a unit ------------------------------------------------------------------------- */

struct unit unit__unread(const struct unit *u)
{
	struct unit copy = { .stmt_list = UINT64_MAX };

	memcpy(&copy, u, offsetof(struct unit, name));
	return copy;
}

static void read_bases(struct unit *u, const struct die *die)
{
	uint64_t header = u->offset_size == 8 ? 16 : 8;

	/*
	 * Without the attribute, assume that the table follows the section's
	 * first header: a producer of a single unit may omit it.
	 */
	u->str_offsets_base = die__has(die, AT_STR_OFFSETS_BASE) ?
			      die->value[AT_STR_OFFSETS_BASE] : header;
	u->addr_base = die__has(die, AT_ADDR_BASE) ? die->value[AT_ADDR_BASE] : header;
	u->rnglists_base = die__has(die, AT_RNGLISTS_BASE) ?
			   die->value[AT_RNGLISTS_BASE] : header + 4;
	u->loclists_base = die__has(die, AT_LOCLISTS_BASE) ?
			   die->value[AT_LOCLISTS_BASE] : header + 4;
}

/* DWARF 5 only has a vendor's number for assembly; DWARF 6 has a standard one. */
static bool is_assembler(uint32_t language)
{
	return language == DW_LANG_Mips_Assembler || language == DW_LANG_Assembly_6;
}

/* Units that do not record a language are treated as C. */
static bool is_c(uint32_t language)
{
	switch (language) {
	case 0:
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C17:
	case DW_LANG_C23:
		return true;
	default:
		return false;
	}
}

/* DWARF 5, 7.12, and for the newer ones DWARF 6 */
static uint8_t default_lower_bound(uint32_t language)
{
	switch (language) {
	case DW_LANG_Ada83:
	case DW_LANG_Ada95:
	case DW_LANG_Ada2005_6:
	case DW_LANG_Ada2012_6:
	case DW_LANG_Cobol74:
	case DW_LANG_Cobol85:
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
	case DW_LANG_Fortran18_6:
	case DW_LANG_Julia:
	case DW_LANG_Modula2:
	case DW_LANG_Modula3:
	case DW_LANG_Pascal83:
	case DW_LANG_PLI:
		return 1;
	default:
		return 0;
	}
}

/* More attributes than any unit has. */
#define MAX_UNIT_ATTRIBUTES	64

/* Maximum number to search: compilers put the unit's abbreviation first, dwz near the start. */
#define MAX_BEFORE_UNIT		128

bool unit__is_assembler(const struct dwarf *dw, const struct unit *u)
{
	struct cursor c = unit__cursor(dw, u, u->dies), table = dw->abbrev;
	uint64_t code = cursor__uleb(&c), value;
	uint32_t n, size, len;
	struct declared d;
	struct form form;
	uint8_t class;

	cursor__skip(&table, u->abbrevs);
	for (n = 0; cursor__uleb(&table) != code; n++) {
		size = abbrev__declared_size(&table);
		if (n == MAX_BEFORE_UNIT || !size)
			return false;
		cursor__skip(&table, size);
	}
	cursor__uleb(&table);
	cursor__u8(&table);
	for (n = 0; n < MAX_UNIT_ATTRIBUTES && abbrev__next_attribute(&table, &d); n++) {
		if (!form__find(d.form, u->version, u->address_size, u->offset_size, &form))
			return false;
		value = form.op == OP_CONSTANT ? (uint64_t)d.constant :
			form.op == OP_DATA16 ? form__read_wide(&c, &class) :
			form.op != OP_INDIRECT ? form__read(&c, form.op, &len) :
			form__read_indirect(&c, u->version, u->address_size, u->offset_size, &class,
					    &len);
		if (d.attribute == DW_AT_language)
			return !cursor__failed(&c) && is_assembler(value);
	}
	return false;
}

/*
 * A table is compiled for every unit whose table differs from the previous unit's.
 * The total is limited to this multiple of the available bytes.
 */
#define MAX_WORK	16

static uint8_t clang_version(const char *producer)
{
	static const char version[] = "clang version ";
	const char *at;
	unsigned long nr;

	/* gcc records its options, which may name a file of clang */
	if (!producer || !strncmp(producer, "GNU ", 4) || !strstr(producer, "clang"))
		return 0;
	at = strstr(producer, version);
	nr = at ? strtoul(at + strlen(version), NULL, 10) : 0;
	return !nr ? 1 : nr < UINT8_MAX ? nr : UINT8_MAX;
}

/* Test for an option that the producer recorded. */
static bool has_option(const char *producer, uint32_t len, const char *option)
{
	return producer && memmem(producer, len, option, strlen(option));
}

/* Test for a gcc that has preserve_none, and optimizes: the last -O counts, as in its command line. */
static bool may_preserve_none(const char *producer)
{
	const char *at = producer;
	bool optimizes = false;

	if (!producer || strncmp(producer, "GNU ", 4))
		return false;
	at = strchr(producer + 4, ' ');
	if (!at || atoi(at + 1) < 16)
		return false;
	while ((at = strstr(at, " -O")))
		optimizes = *(at += 3) != '0';
	return optimizes;
}

int unit__read(struct dwarf *dw, struct unit *u, struct abbrevs *t)
{
	struct cursor c = unit__cursor(dw, u, u->dies), table = dw->abbrev;
	const char *what, *producer;
	const struct abbrev *a;
	struct die die;
	uint32_t len;
	int err;

	if (unit__is_empty(dw, u)) {
		u->name = "";
		return 0;
	}
	if (!t->valid || t->key.offset != u->abbrevs || t->key.version != u->version ||
	    t->key.address_size != u->address_size || t->key.offset_size != u->offset_size) {
		if (t->work / MAX_WORK > cursor__left(&dw->info) + cursor__left(&dw->abbrev))
			return unit__error(dw, u, u->start,
					   "abbreviation tables that overlap, or alternate between units");
		cursor__skip(&table, u->abbrevs);
		what = "an offset past the end";
		err = abbrevs__compile(t, &table, u->version, u->address_size,
				       u->offset_size, &what);
		if (err)
			return unit__error(dw, u, u->start, ".debug_abbrev at 0x%" PRIx64 ": %s",
					   u->abbrevs, what);
		t->work += cursor__offset(&table) - u->abbrevs;
	}
	if (u->name)
		return 0;
	a = abbrevs__find(t, cursor__uleb(&c));
	if (!a || (a->tag != DW_TAG_compile_unit && a->tag != DW_TAG_partial_unit &&
		   a->tag != DW_TAG_skeleton_unit))
		return unit__error(dw, u, u->dies, "the first DIE is not a DW_TAG_compile_unit");
	abbrev__read(t, a, &c, &die);
	if (cursor__failed(&c))
		return unit__error(dw, u, u->dies, "the first DIE is cut off");
	if (die__has(&die, AT_DWO_NAME))
		return unit__error(dw, u, u->dies, "split DWARF (-gsplit-dwarf) is not supported");
	read_bases(u, &die);
	u->name = unit__string(dw, u, &die, AT_NAME, &len) ?: "";
	u->comp_dir = unit__string(dw, u, &die, AT_COMP_DIR, &len);
	if (die__has(&die, AT_STMT_LIST))
		u->stmt_list = die.value[AT_STMT_LIST];
	if (die__has(&die, AT_LANGUAGE))
		u->language = die.value[AT_LANGUAGE];
	u->assembler = is_assembler(u->language);
	u->not_c = !u->assembler && !is_c(u->language);
	if (unlikely(u->not_c))
		u->lower_bound = default_lower_bound(u->language);
	producer = unit__string(dw, u, &die, AT_PRODUCER, &len);
	u->clang = clang_version(producer);
	u->untracked = has_option(producer, len, " -fno-var-tracking");
	u->ms_abi = has_option(producer, len, " -mabi=ms");
	u->may_preserve_none = may_preserve_none(producer);
	u->pcc_result = has_option(producer, len, " -fpcc-struct-return");
	u->terse = has_option(producer, len, " -g1 ");
	if (!unit__address(dw, u, &die, AT_LOW_PC, &u->low_pc))
		u->low_pc = 0;
	return 0;
}
