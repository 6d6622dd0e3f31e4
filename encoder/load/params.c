// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <sys/param.h>

#include "dwarf/expr.h"
#include "image/machine.h"
#include "load/params.h"

/* --- code before locations become valid ------------------------------------------ */

/* Far more than endbr64 or bti plus the space that ftrace patches. */
#define MAX_PROLOGUE	256

/* Return: @len bytes of code, or NULL. */
static const uint8_t *code_at(const struct dwarf *dw, uint64_t address, uint64_t len)
{
	const struct image *img = dw->img;
	const struct section *sec = NULL;
	uint64_t offset = 0;
	uint32_t index;

	if (dw->relocator) {
		if (relocator__place(dw->relocator, address, &index, &offset))
			sec = &img->sections[index];
	} else {
		for (size_t i = 1; i < img->nr_sections; i++) {
			sec = &img->sections[i];
			offset = address - sec->address;
			if (sec->flags & SHF_EXECINSTR && offset < sec->size)
				break;
			sec = NULL;
		}
	}
	if (!sec || !sec->data || sec->compression != SECTION_PLAIN ||
	    offset > sec->size || len > sec->size - offset)
		return NULL;
	return sec->data + offset;
}

/* Test for a call of ftrace's __fentry__; @end: of the call, whose distance is at @distance. */
static bool is_fentry_call(const struct dwarf *dw, uint64_t end, const uint8_t *distance)
{
	struct cursor c = cursor__new(distance, sizeof(uint32_t), dw->img->swap);

	if (dw->relocator)
		return relocator__is_fentry(dw->relocator, end - sizeof(uint32_t));
	return dw->fentry && end + (int32_t)cursor__u32(&c) == dw->fentry;
}

/* Return: the first bytes of code, followed by zeros, as they would be in memory of struct idle. */
static uint64_t first_bytes(const struct dwarf *dw, const uint8_t *code, uint64_t len)
{
	uint64_t bytes = 0;
	uint32_t word;

	if (likely(len >= sizeof(bytes)))
		memcpy(&bytes, code, sizeof(bytes));
	else
		memcpy(&bytes, code, len);
	/* the order of bytes in an instruction: only on this machine, it is the data's */
	if (unlikely(dw->img->machine == EM_PPC64 && dw->img->big_endian)) {
		memcpy(&word, &bytes, sizeof(word));
		word = __builtin_bswap32(word);
		memcpy(&bytes, &word, sizeof(word));
	}
	return bytes;
}

/* Return: the length of an instruction without an effect, which may follow a prefix, or 0. */
static unsigned int idle_len(const struct dwarf *dw, uint64_t address, const uint8_t *code,
			     uint64_t len, bool prefixed)
{
	const struct idle *idle = machine__find(dw->img->machine)->idle;
	uint64_t first = first_bytes(dw, code, len), bytes, mask;
	unsigned int rest;

	for (; idle->len; idle++) {
		memcpy(&bytes, idle->bytes, sizeof(bytes));
		memcpy(&mask, idle->mask, sizeof(mask));
		if (likely((first ^ bytes) & mask) || idle->len > len)
			continue;
		if (idle->prefix) {
			rest = idle_len(dw, address + idle->len, code + idle->len, len - idle->len,
					true);
			return rest ? idle->len + rest : 0;
		}
		if (!idle->call || (!prefixed && is_fentry_call(dw, address + idle->len,
								code + idle->len - 4)))
			return idle->len;
	}
	return 0;
}

bool code__is_idle(const struct dwarf *dw, uint64_t from, uint64_t to)
{
	uint64_t len = to - from;
	const uint8_t *code;
	unsigned int n;

	if (from > to || len > MAX_PROLOGUE || !machine__find(dw->img->machine)->idle)
		return false;
	code = code_at(dw, from, len);
	if (!code)
		return false;
	for (; len; code += n, len -= n) {
		n = idle_len(dw, to - len, code, len, false);
		if (!n)
			return false;
	}
	return true;
}

/* --- expressions ------------------------------------------------------------------ */

/* No register, or one that facts cannot represent and that passes no argument. */
#define OTHER_REGISTER	0xff

/* Return: the register that is an operation's location, or OTHER_REGISTER. */
static uint8_t whole_register(const struct expr_op *op)
{
	return MIN(expr_op__register(op), OTHER_REGISTER);
}

/* Return: the register whose value on entry an operation yields, or OTHER_REGISTER. */
static uint8_t entry_register(const struct unit *u, const struct expr_op *op)
{
	struct cursor block;
	struct expr_op inner;

	if (op->atom != DW_OP_entry_value && op->atom != DW_OP_GNU_entry_value)
		return OTHER_REGISTER;
	block = op->block;
	if (!expr__next(&block, u, &inner) || cursor__left(&block))
		return OTHER_REGISTER;
	return whole_register(&inner);
}

static bool is_based(const struct expr_op *op)
{
	return op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31;
}

/* Test for a value that is equal for all calls, such as an address. */
static bool is_constant(const struct expr_op *op)
{
	switch (op->atom) {
	case DW_OP_lit0 ... DW_OP_lit31:
	case DW_OP_const1u ... DW_OP_consts:
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
	case DW_OP_implicit_value:
	case DW_OP_addr:
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		return true;
	default:
		return false;
	}
}

/* --- evaluating expressions ----------------------------------------------------- */

/* Maximum number of operations; longer expressions are treated as computations. */
#define MAX_OPS	32

/**
 * struct search - the state of reading a parameter's expressions
 * @entry:	the body's first instruction
 * @nr:		number of expressions so far
 * @settled:	an expression was valid on entry
 * @late:	an expression is valid only later
 * @done:	the other expressions are not needed
 */
struct search {
	const struct dwarf	*dw;
	const struct unit	*u;
	uint64_t		entry;
	enum param_reader	reader;
	struct param_facts	facts;
	unsigned int		nr;
	bool			settled;
	bool			late;
	bool			done;
};

static void mark_seen(uint8_t *seen, uint8_t reg)
{
	if (!*seen)
		*seen = reg + 1;
}

/*
 * Record which bytes of two words start a piece that has a location.  No operation precedes a
 * piece without a location, which pahole does not check.
 */
static void add_pieces(struct search *s, const struct expr_op *ops, unsigned int nr)
{
	unsigned int word = s->u->address_size, i;
	struct param_facts *f = &s->facts;
	uint64_t off = 0;

	for (i = 0; i < nr; i++) {
		uint8_t reg = whole_register(&ops[i]);

		if (ops[i].atom != DW_OP_piece) {
			if (reg != OTHER_REGISTER && (off < word || !f->seen_large))
				mark_seen(&f->seen_large, reg);
			continue;
		}
		if (i && off < 2 * word && (s->reader != READER_PROOF ||
					    (ops[i - 1].atom != DW_OP_piece &&
					     ops[i - 1].atom != DW_OP_stack_value))) {
			f->pieces[off >= word] |= 1U << off % word;
			if (s->reader == READER_PROOF && ops[i].number > word - off % word)
				f->pieces[1] |= 1;
		}
		if (ops[i].number > UINT16_MAX)
			return;
		off += ops[i].number;
	}
}

static bool has_value(const struct expr_op *ops, unsigned int nr)
{
	for (unsigned int i = 1; i < nr; i++)
		if (ops[i].atom == DW_OP_stack_value)
			return true;
	return false;
}

/* Interpret an expression like pahole 1.32. */
static void read_as_pahole(struct search *s, const struct expr_op *ops, unsigned int nr)
{
	struct param_facts *f = &s->facts;
	bool first = !s->nr, is_value = has_value(ops, nr);
	bool alone = nr == 1 || (nr == 2 && is_value);
	uint8_t reg = OTHER_REGISTER;

	if ((ops[0].atom >= DW_OP_lit0 && ops[0].atom <= DW_OP_lit31) ||
	    ops[0].atom == DW_OP_constu || ops[0].atom == DW_OP_consts) {
		if (first)
			f->flags |= PARAM_CONSTANT;
		return;
	}
	if (first && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
		reg = ops[0].atom - DW_OP_reg0;
	else if (first && is_based(&ops[0]) && is_value)
		reg = ops[0].atom - DW_OP_breg0;
	else if (first && alone && ops[0].atom == DW_OP_fbreg)
		f->flags |= PARAM_STACK;
	else if (alone)
		reg = entry_register(s->u, &ops[0]);
	if (reg != OTHER_REGISTER) {
		mark_seen(&f->seen, reg);
		if (alone)
			mark_seen(&f->seen_large, reg);
	}
	if (!alone)
		add_pieces(s, ops, nr);
}

/*
 * Return: the register of the first piece, or of one after it if that is in an SSE register of
 * x86-64: the general register shows more about the function's convention.
 */
static uint8_t register_of_pieces(const struct search *s, const struct expr_op *ops, unsigned int nr)
{
	unsigned int i = 0;

	if (s->dw->img->machine == EM_X86_64)
		while (i < nr && (ops[i].atom == DW_OP_piece || whole_register(&ops[i]) > 16))
			i++;
	return whole_register(&ops[i < nr ? i : 0]);
}

/*
 * An argument that is passed in a register has that register as its location.  The
 * register's value on entry is different: gcc uses it for parameters of the source that a
 * clone no longer has, and refers to the register in which the source gets them.
 */
static void read_on_entry(struct search *s, const struct expr_op *ops, unsigned int nr, bool covers)
{
	bool alone = nr == 1 || (nr == 2 && ops[1].atom == DW_OP_stack_value);
	uint8_t reg = nr == 1 ? whole_register(&ops[0]) : OTHER_REGISTER;
	struct param_facts *f = &s->facts;

	if (s->settled || !covers)
		return;
	s->settled = true;
	f->at_entry = alone && is_constant(&ops[0]) ? ENTRY_CONSTANT :
		   ops[nr - 1].atom == DW_OP_stack_value ? ENTRY_UNKNOWN : ENTRY_OTHER;
	if (reg != OTHER_REGISTER) {
		f->at_entry = ENTRY_REGISTER;
		f->entry_register = reg;
		return;
	}
	reg = alone ? entry_register(s->u, &ops[0]) : OTHER_REGISTER;
	if (is_based(&ops[0]) && has_value(ops, nr))
		reg = ops[0].atom - DW_OP_breg0;
	if (reg != OTHER_REGISTER) {
		f->at_entry = ENTRY_COMPUTED;
		f->entry_register = reg;
	}
	if (nr == 1 && is_based(&ops[0])) {
		f->at_entry = ENTRY_MEMORY;
		f->entry_register = ops[0].atom - DW_OP_breg0;
	}
	if (nr == 2 && ops[1].atom == DW_OP_deref) {
		f->at_entry = ENTRY_MEMORY;
		f->entry_register = OTHER_REGISTER;
	}
	/* gcc's frame base is the CFA, where the caller's frame starts; clang's is a register */
	if (nr == 1 && ops[0].atom == DW_OP_fbreg && !s->u->clang)
		f->at_entry = (int64_t)ops[0].number >= 0 ? ENTRY_CALLER : ENTRY_FRAME;
	if (f->at_entry == ENTRY_OTHER && ops[nr - 1].atom == DW_OP_piece) {
		f->at_entry = ENTRY_PIECES;
		f->entry_register = register_of_pieces(s, ops, nr);
		if (s->reader == READER_PROOF)
			add_pieces(s, ops, nr);
	}
}

/* Test whether a location with this range is valid when the function is entered. */
static bool covers_entry(const struct search *s, uint64_t from, uint64_t to)
{
	if (s->entry == UINT64_MAX)
		return false;
	if (from <= s->entry)
		return s->entry < to || (from == to && from == s->entry);
	return from < to && s->u->clang && s->reader == READER_PROOF && !s->settled &&
	       code__is_idle(s->dw, s->entry, from);
}

/**
 * read_location() - read one expression
 * @from, @to:	the range in which it is valid
 */
static void read_location(struct search *s, struct cursor expr, uint64_t from, uint64_t to)
{
	bool covers = covers_entry(s, from, to);
	struct expr_op ops[MAX_OPS];
	unsigned int nr = 0;

	while (nr < MAX_OPS && expr__next(&expr, s->u, &ops[nr]))
		nr++;
	if (!nr || cursor__failed(&expr)) {
		s->settled |= covers;
		s->nr++;
		return;
	}
	s->late |= from > s->entry && from < to;
	if (s->reader == READER_PROOF)
		read_on_entry(s, ops, nr, covers);
	else
		read_as_pahole(s, ops, nr);
	s->nr++;
	s->done = s->reader == READER_PROOF ? s->settled :
		  s->reader == READER_PAHOLE && s->facts.seen && s->facts.seen_large;
}

struct param_facts param__facts(const struct dwarf *dw, const struct unit *u,
				const struct die *die, uint64_t entry,
				enum param_reader reader)
{
	struct search s = { .dw = dw, .u = u, .entry = entry, .reader = reader };
	struct cursor expr, other = {};
	struct code_range range;
	struct list list;

	if (die__has(die, AT_CONST_VALUE)) {
		s.facts.flags |= PARAM_VALUE;
		s.facts.at_entry = ENTRY_CONSTANT;
	}
	if (!die__has(die, AT_LOCATION))
		return s.facts;
	s.facts.flags |= PARAM_LOCATION;
	if (die->class[AT_LOCATION] == VALUE_BLOCK) {
		/* it is valid in the whole function */
		read_location(&s, dwarf__block(dw, die, AT_LOCATION), 0, UINT64_MAX);
	} else if (list__begin(&list, dw, u, die, AT_LOCATION)) {
		while (!s.done && list__next(&list, &range, &expr)) {
			/* DWARF 5, 2.6.2: only where no other entry is valid */
			if (reader == READER_PROOF && list.is_default)
				other = expr;
			else
				read_location(&s, expr, range.start, range.end);
		}
		if (!s.done && cursor__left(&other))
			read_location(&s, other, 0, UINT64_MAX);
		if (!s.settled && s.late && s.facts.at_entry == ENTRY_UNKNOWN)
			s.facts.at_entry = ENTRY_LATE;
	}
	return s.facts;
}
