// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <elf.h>

#include "load/params.h"

/*
 * DWARF register numbers of the first integer arguments, by the psABIs of
 * x86-64, AArch64/ARM and s390.  Of the other machines only the number of
 * arguments in registers is known, not which they are.
 */
static const int8_t x86_64_registers[] = { 5, 4, 1, 2, 8, 9 };
static const int8_t arm_registers[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static const int8_t s390_registers[] = { 2, 3, 4, 5, 6 };

unsigned int params__nr_registers(uint16_t machine)
{
	switch (machine) {
	case EM_S390:
		return 5;
	case EM_SPARC:
	case EM_SPARCV9:
	case EM_X86_64:
		return 6;
	case EM_AARCH64:
	case EM_ARC:
	case EM_ARM:
	case EM_MIPS:
	case EM_PPC:
	case EM_PPC64:
	case EM_RISCV:
		return 8;
	default:
		return 0;
	}
}

static int expected_register(uint16_t machine, unsigned int index)
{
	switch (machine) {
	case EM_X86_64:
		return index < ARRAY_SIZE(x86_64_registers) ? x86_64_registers[index] : -1;
	case EM_S390:
		return index < ARRAY_SIZE(s390_registers) ? s390_registers[index] : -1;
	case EM_ARM:
	case EM_AARCH64:
		return index < ARRAY_SIZE(arm_registers) ? arm_registers[index] : -1;
	default:
		return -1;
	}
}

/* Far more entries than any list has; bounds what lists that overlap can cost. */
#define MAX_ENTRIES	1024

/* What has been learnt from a parameter's location so far. */
struct search {
	int		expected;
	int		found;		/* a register, -1 for none yet */
	unsigned int	nr_entries;	/* of all kinds */
	bool		met;		/* an expression */
};

static bool is_register(uint8_t op)
{
	return op >= DW_OP_reg0 && op <= DW_OP_reg31;
}

/*
 * Look at one expression.  Only a lone register counts, with or without a
 * DW_OP_stack_value behind it: everything else was computed or is in memory.
 */
static void search__expression(struct search *s, struct cursor expr)
{
	bool first = !s->met;
	uint8_t op = cursor__u8(&expr);
	uint64_t len;

	s->met = true;
	if (is_register(op)) {
		if (cursor__left(&expr) && cursor__u8(&expr) != DW_OP_stack_value)
			return;
		if (first && !cursor__left(&expr))
			s->found = op - DW_OP_reg0;
		return;
	}
	if (op != DW_OP_entry_value && op != DW_OP_GNU_entry_value)
		return;
	len = cursor__uleb(&expr);
	op = cursor__u8(&expr);
	if (len != 1 || !is_register(op))
		return;
	if (cursor__left(&expr) && cursor__u8(&expr) != DW_OP_stack_value)
		return;
	if (!cursor__left(&expr) && !cursor__failed(&expr))
		s->found = op - DW_OP_reg0;
}

static bool search__done(struct search *s)
{
	return (s->found >= 0 && s->found == s->expected) || s->nr_entries++ > MAX_ENTRIES;
}

/* .debug_loc (DWARF 4, 2.6.2) */
static void search__list_4(struct search *s, const struct dwarf *dw, const struct unit *u,
			   uint64_t offset)
{
	uint64_t max = u->address_size == 8 ? UINT64_MAX : UINT32_MAX;
	struct cursor c = dw->loc;

	cursor__skip(&c, offset);
	while (!search__done(s)) {
		uint64_t low = cursor__uint(&c, u->address_size);
		uint64_t high = cursor__uint(&c, u->address_size);

		if (cursor__failed(&c) || (!low && !high))
			return;
		if (low != max)
			search__expression(s, cursor__sub(&c, cursor__u16(&c)));
	}
}

/* .debug_loclists (DWARF 5, 7.29) */
static void search__list_5(struct search *s, const struct dwarf *dw, const struct unit *u,
			   uint64_t offset)
{
	struct cursor c = dw->loclists;

	cursor__skip(&c, offset);
	while (!search__done(s) && !cursor__failed(&c)) {
		switch (cursor__u8(&c)) {
		case DW_LLE_base_addressx:
			cursor__uleb(&c);
			continue;
		case DW_LLE_base_address:
			cursor__skip(&c, u->address_size);
			continue;
		case DW_LLE_GNU_view_pair:
			cursor__uleb(&c);
			cursor__uleb(&c);
			continue;
		case DW_LLE_startx_endx:
		case DW_LLE_startx_length:
		case DW_LLE_offset_pair:
			cursor__uleb(&c);
			cursor__uleb(&c);
			break;
		case DW_LLE_default_location:
			break;
		case DW_LLE_start_end:
			cursor__skip(&c, 2 * u->address_size);
			break;
		case DW_LLE_start_length:
			cursor__skip(&c, u->address_size);
			cursor__uleb(&c);
			break;
		default: /* DW_LLE_end_of_list, or nothing that exists */
			return;
		}
		search__expression(s, cursor__sub(&c, cursor__uleb(&c)));
	}
}

static void search__location(struct search *s, const struct dwarf *dw, const struct unit *u,
			     const struct die *die)
{
	uint64_t value = die->value[AT_LOCATION];
	struct cursor c;

	switch (die->class[AT_LOCATION]) {
	case VALUE_BLOCK:
		c = dw->info;
		cursor__skip(&c, value);
		search__expression(s, cursor__sub(&c, die->len[AT_LOCATION]));
		return;
	case VALUE_LISTX:
		c = dw->loclists;
		if (value > UINT32_MAX)
			return;
		cursor__skip(&c, u->loclists_base);
		cursor__skip(&c, value * u->offset_size);
		value = u->loclists_base + cursor__uint(&c, u->offset_size);
		if (cursor__failed(&c))
			return;
		break;
	case VALUE_SEC_OFFSET:
	case VALUE_UINT: /* DWARF 3 wrote offsets as data4 or data8 */
		break;
	default:
		return;
	}
	if (u->version < 5)
		search__list_4(s, dw, u, value);
	else
		search__list_5(s, dw, u, value);
}

enum param_place param__place(const struct dwarf *dw, const struct unit *u,
			      const struct die *die, unsigned int index)
{
	struct search s = {
		.expected = expected_register(dw->img->machine, index),
		.found = -1,
	};

	if (index >= params__nr_registers(dw->img->machine))
		return PLACE_UNKNOWN;
	if (!die__has(die, AT_LOCATION))
		return die__has(die, AT_CONST_VALUE) ? PLACE_NO_REGISTER : PLACE_NOWHERE;
	search__location(&s, dw, u, die);
	if (s.found < 0)
		return PLACE_NO_REGISTER;
	if (s.expected < 0)
		return PLACE_UNKNOWN;
	return s.found == s.expected ? PLACE_EXPECTED : PLACE_ELSEWHERE;
}
