// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "dwarf/frame.h"
#include "util/memory.h"
#include "util/msg.h"

/* DW_CFA_*, DWARF 5, 7.24; the last ones are from GNU and Arm. */
enum cfa_op {
	CFA_NOP = 0x00, CFA_SET_LOC, CFA_ADVANCE_1, CFA_ADVANCE_2, CFA_ADVANCE_4,
	CFA_OFFSET_EXTENDED, CFA_RESTORE_EXTENDED, CFA_UNDEFINED, CFA_SAME_VALUE, CFA_REGISTER,
	CFA_REMEMBER_STATE, CFA_RESTORE_STATE, CFA_DEF_CFA, CFA_DEF_CFA_REGISTER,
	CFA_DEF_CFA_OFFSET, CFA_DEF_CFA_EXPRESSION, CFA_EXPRESSION, CFA_OFFSET_EXTENDED_SF,
	CFA_DEF_CFA_SF, CFA_DEF_CFA_OFFSET_SF, CFA_VAL_OFFSET, CFA_VAL_OFFSET_SF,
	CFA_VAL_EXPRESSION,
	CFA_AARCH64_NEGATE_RA_STATE_WITH_PC = 0x2c, CFA_AARCH64_NEGATE_RA_STATE = 0x2d,
	CFA_GNU_ARGS_SIZE = 0x2e, CFA_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
	/* with an operand in the lower six bits */
	CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0,
};

/* Encodings of addresses in .eh_frame (LSB 5.0, 10.5.1) */
#define PE_FORMAT	0x0f
#define PE_SIGNED	0x08
#define PE_BASE		0x70
#define PE_PCREL	0x10
#define PE_INDIRECT	0x80

/* Limit for the instructions of a function, in bytes. */
#define MAX_CODE	(1U << 20)

/* Limit for states that are remembered; compilers nest one or two. */
#define MAX_STATES	16

/**
 * struct cie - what functions have in common
 * @at:		offset in the section
 * @encoding:	of addresses
 * @code_align, @data_align: factors of advances, and of factored offsets
 * @has_data:	its functions have augmentation data
 * @code:	instructions of all functions
 */
struct cie {
	uint64_t	at;
	uint64_t	code_align;
	int64_t		data_align;
	struct cursor	code;
	uint8_t		address_size;
	uint8_t		encoding;
	bool		has_data;
};

/** struct fde - a function; @max_end: of it and those before it; @code: its instructions */
struct fde {
	uint64_t	start, end;
	uint64_t	max_end;
	uint64_t	cie;
	struct cursor	code;
};

/**
 * struct frames - the section
 * @address:	of the section, for relative addresses
 * @is_eh:	it is .eh_frame
 */
struct frames {
	struct cursor		bytes;
	uint64_t		address;
	bool			is_eh;
	VECTOR(struct cie)	cies;
	VECTOR(struct fde)	fdes;
};

/* --- entries -------------------------------------------------------------------------- */

static uint64_t sign_extend(uint64_t value, unsigned int size)
{
	unsigned int unused = 64 - 8 * size;

	return (uint64_t)((int64_t)(value << unused) >> unused);
}

/* Read an address, or with @is_size a number of bytes, which is never relative. */
static uint64_t read_address(const struct frames *f, const struct cie *cie, struct cursor *c,
			     bool is_size)
{
	static const uint8_t sizes[] = { 0, 0, 2, 4, 8 };
	unsigned int format = cie->encoding & PE_FORMAT & ~PE_SIGNED;
	uint64_t at = f->address + (c->p - f->bytes.begin);
	unsigned int size;
	uint64_t value;

	if (!format)
		size = cie->address_size;
	else
		size = format < ARRAY_SIZE(sizes) ? sizes[format] : 0;
	if (!size || (cie->encoding & PE_INDIRECT)) {
		cursor__fail(c);
		return 0;
	}
	value = cursor__uint(c, size);
	if (is_size)
		return value;
	if (cie->encoding & PE_SIGNED)
		value = sign_extend(value, size);
	if ((cie->encoding & PE_BASE) == PE_PCREL)
		return value + at;
	if (cie->encoding & PE_BASE)
		cursor__fail(c);
	return value;
}

/* Read the augmentation data of a CIE, of which only the encoding of addresses matters. */
static bool read_augmentation(const char *text, struct cursor *c, struct cie *cie)
{
	struct cursor data;

	if (*text != 'z') {
		/* "B": return addresses are signed with another key, on arm64 */
		return !*text || !strcmp(text, "B");
	}
	cie->has_data = true;
	data = cursor__sub(c, cursor__uleb(c));
	while (*++text) {
		switch (*text) {
		case 'R':
			cie->encoding = cursor__u8(&data);
			break;
		case 'B':
		case 'S':
			break;
		default:
			return false;
		}
	}
	return !cursor__failed(&data);
}

/* Read a CIE after its id. A CIE that is not understood is omitted, as are its functions. */
static void read_cie(struct frames *f, const struct dwarf *dw, uint64_t at, struct cursor c)
{
	struct cie cie = { .at = at, .address_size = dw->img->is_64 ? 8 : 4 };
	uint8_t version = cursor__u8(&c);
	const char *augmentation = cursor__string(&c);

	if (version != 1 && version != 3 && version != 4)
		return;
	if (version == 4) {
		cie.address_size = cursor__u8(&c);
		/* no known machine has segments */
		if (cursor__u8(&c))
			return;
	}
	if (cie.address_size != 4 && cie.address_size != 8)
		return;
	cie.code_align = cursor__uleb(&c);
	cie.data_align = cursor__sleb(&c);
	if (version == 1)
		cursor__u8(&c);
	else
		cursor__uleb(&c);
	if (!read_augmentation(augmentation, &c, &cie) || cursor__failed(&c) ||
	    cursor__left(&c) > MAX_CODE)
		return;
	cie.code = c;
	push(&f->cies, cie);
}

static const struct cie *find_cie(const struct frames *f, uint64_t at)
{
	uint32_t i = first_not_before(k, f->cies.nr, f->cies.array[k].at < at);

	return i < f->cies.nr && f->cies.array[i].at == at ? &f->cies.array[i] : NULL;
}

/* Read a function after its reference to a CIE, which precedes it, as all compilers write them. */
static void read_fde(struct frames *f, uint64_t cie_at, struct cursor c)
{
	const struct cie *cie = find_cie(f, cie_at);
	struct fde fde = { .cie = cie_at };
	uint64_t size;

	if (!cie)
		return;
	fde.start = read_address(f, cie, &c, false);
	size = read_address(f, cie, &c, true);
	if (cie->has_data)
		cursor__skip(&c, cursor__uleb(&c));
	if (cursor__failed(&c) || cursor__left(&c) > MAX_CODE ||
	    __builtin_add_overflow(fde.start, size, &fde.end))
		return;
	fde.code = c;
	push(&f->fdes, fde);
}

/* Read an entry. Return: false after the last one. */
static bool read_entry(struct frames *f, const struct dwarf *dw, struct cursor *c)
{
	uint64_t at = cursor__offset(c), id, id_at, length = cursor__u32(c);
	bool is_64 = length == UINT32_MAX;
	struct cursor body;

	if (is_64)
		length = cursor__u64(c);
	if (!length || cursor__failed(c))
		return false;
	id_at = cursor__offset(c);
	body = cursor__sub(c, length);
	/* .eh_frame has an id of 4 bytes in both formats */
	id = cursor__uint(&body, is_64 && !f->is_eh ? 8 : 4);
	if (cursor__failed(&body))
		return false;
	if (id == (f->is_eh ? 0 : is_64 ? UINT64_MAX : UINT32_MAX))
		read_cie(f, dw, at, body);
	else
		read_fde(f, f->is_eh ? id_at - id : id, body);
	return true;
}

static int compare_fdes(const void *x, const void *y)
{
	const struct fde *a = x, *b = y;

	return cmp_int(a->start, b->start) ?: cmp_int(a->end, b->end) ?:
	       cmp_int(a->code.p, b->code.p);
}

static bool load_section(struct frames *f, const struct dwarf *dw, const char *name)
{
	struct section *sec = image__section(dw->img, name);
	char *text = NULL;
	int err;

	if (!sec || !image__has_bytes(dw->img, name))
		return false;
	msg_hold(&text);
	err = dw->relocator ? relocator__apply(dw->relocator, sec) :
			      image__load_section(dw->img, sec);
	msg_hold(NULL);
	free(text);
	if (err)
		return false;
	f->bytes = image__cursor(dw->img, sec);
	f->address = dw->relocator ? relocator__address(dw->relocator, sec->index, 0) : sec->address;
	return true;
}

struct frames *frames__open(const struct dwarf *dw)
{
	struct frames *f = xcalloc(1, sizeof(*f));
	uint64_t max = 0;
	struct cursor c;

	if (!load_section(f, dw, ".debug_frame")) {
		f->is_eh = true;
		if (!load_section(f, dw, ".eh_frame"))
			return f;
	}
	c = f->bytes;
	while (cursor__left(&c) && read_entry(f, dw, &c))
		;
	vector__sort(&f->fdes, compare_fdes);
	for_each(fde, &f->fdes) {
		max = max > fde->end ? max : fde->end;
		fde->max_end = max;
	}
	return f;
}

void frames__close(struct frames *f)
{
	if (!f)
		return;
	free(f->cies.array);
	free(f->fdes.array);
	free(f);
}

/* --- instructions ---------------------------------------------------------------------- */

/** struct cfa_rule - register plus offset; otherwise, not @is_known */
struct cfa_rule {
	uint64_t	reg, offset;
	bool		is_known;
};

/**
 * struct cfa_run - the execution of instructions
 * @at:		address that @rule holds from
 * @target:	address that a rule is wanted for
 * @first:	the first rule; @found: the one for @target
 * @deepest:	see struct cfa
 * @saved:	rules that were remembered; @nr_saved
 */
struct cfa_run {
	const struct frames	*frames;
	const struct cie	*cie;
	uint64_t		at, target;
	struct cfa_rule		rule, first, found;
	uint64_t		deepest;
	struct cfa_rule		saved[MAX_STATES];
	unsigned int		nr_saved;
};

static void skip_block(struct cursor *c)
{
	cursor__skip(c, cursor__uleb(c));
}

/* Execute an instruction other than advances. Return: false if it is not understood. */
static bool execute_op(struct cfa_run *run, uint8_t op, struct cursor *c)
{
	struct cfa_rule *rule = &run->rule;

	switch (op) {
	case CFA_NOP:
	case CFA_AARCH64_NEGATE_RA_STATE:
	case CFA_AARCH64_NEGATE_RA_STATE_WITH_PC:
		return true;
	case CFA_DEF_CFA:
	case CFA_DEF_CFA_SF:
		rule->reg = cursor__uleb(c);
		rule->offset = op == CFA_DEF_CFA ? cursor__uleb(c) :
			       (uint64_t)cursor__sleb(c) * run->cie->data_align;
		rule->is_known = true;
		return true;
	case CFA_DEF_CFA_REGISTER:
		rule->reg = cursor__uleb(c);
		return rule->is_known;
	case CFA_DEF_CFA_OFFSET:
		rule->offset = cursor__uleb(c);
		return rule->is_known;
	case CFA_DEF_CFA_OFFSET_SF:
		rule->offset = (uint64_t)cursor__sleb(c) * run->cie->data_align;
		return rule->is_known;
	case CFA_DEF_CFA_EXPRESSION:
		skip_block(c);
		rule->is_known = false;
		return true;
	case CFA_REMEMBER_STATE:
		if (run->nr_saved == MAX_STATES)
			return false;
		run->saved[run->nr_saved++] = *rule;
		return true;
	case CFA_RESTORE_STATE:
		if (!run->nr_saved)
			return false;
		*rule = run->saved[--run->nr_saved];
		return true;
	case CFA_EXPRESSION:
	case CFA_VAL_EXPRESSION:
		cursor__uleb(c);
		skip_block(c);
		return true;
	case CFA_OFFSET_EXTENDED:
	case CFA_OFFSET_EXTENDED_SF:
	case CFA_VAL_OFFSET:
	case CFA_VAL_OFFSET_SF:
	case CFA_REGISTER:
	case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
		cursor__uleb(c);
		cursor__uleb(c);
		return true;
	case CFA_RESTORE_EXTENDED:
	case CFA_UNDEFINED:
	case CFA_SAME_VALUE:
	case CFA_GNU_ARGS_SIZE:
		cursor__uleb(c);
		return true;
	default:
		return false;
	}
}

/* Read an advance. Return: false if it is not an advance. */
static bool read_advance(const struct cfa_run *run, uint8_t op, struct cursor *c, uint64_t *delta)
{
	if ((op & 0xc0) == CFA_ADVANCE)
		*delta = op & 0x3f;
	else if (op >= CFA_ADVANCE_1 && op <= CFA_ADVANCE_4)
		*delta = cursor__uint(c, 1U << (op - CFA_ADVANCE_1));
	else
		return false;
	*delta *= run->cie->code_align;
	return true;
}

/* Record the rule that is valid from @at to the next advance. */
static void record_rule(struct cfa_run *run)
{
	const struct cfa_rule *rule = &run->rule;

	if (!run->first.is_known)
		run->first = *rule;
	if (rule->is_known && rule->reg == run->first.reg && rule->offset > run->deepest)
		run->deepest = rule->offset;
	if (run->at <= run->target)
		run->found = *rule;
}

/* Execute all instructions. Return: false if one is not understood. */
static bool run_code(struct cfa_run *run, struct cursor c)
{
	while (cursor__left(&c)) {
		uint8_t op = cursor__u8(&c);
		uint64_t delta, to = run->at;

		if (read_advance(run, op, &c, &delta))
			to += delta;
		else if (op == CFA_SET_LOC)
			to = read_address(run->frames, run->cie, &c, false);
		else if ((op & 0xc0) == CFA_OFFSET)
			cursor__uleb(&c);
		else if ((op & 0xc0) != CFA_RESTORE && !execute_op(run, op, &c))
			return false;
		if (cursor__failed(&c) || to < run->at)
			return false;
		if (to > run->at)
			record_rule(run);
		run->at = to;
	}
	return true;
}

bool frames__find_cfa(const struct frames *f, uint64_t address, struct cfa *ret)
{
	uint32_t i = first_not_before(k, f->fdes.nr, f->fdes.array[k].start <= address);
	struct cfa_run run = { .frames = f, .target = address };
	const struct fde *fde = i ? &f->fdes.array[i - 1] : NULL;

	/* entries that overlap are malformed */
	if (!fde || address >= fde->end ||
	    (i > 1 && (fde[-1].max_end > address || fde[-1].start == fde->start)))
		return false;
	run.cie = find_cie(f, fde->cie);
	run.at = fde->start;
	if (!run_code(&run, run.cie->code) || !run_code(&run, fde->code))
		return false;
	record_rule(&run);
	*ret = (struct cfa){ run.found.reg, run.found.offset, run.deepest };
	return run.found.is_known && run.found.reg <= UINT8_MAX;
}
