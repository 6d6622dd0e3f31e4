// SPDX-License-Identifier: GPL-2.0-only
/* Interpret the parameters of a body like pahole 1.32. */
#include <elf.h>

#include "image/machine.h"
#include "load/load.h"

/* For some architectures, pahole knows the registers; for others, only their number. */
unsigned int pahole__nr_registers(uint16_t machine)
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

static int pahole_register(uint16_t machine, unsigned int index)
{
	switch (machine) {
	case EM_X86_64:
	case EM_S390:
	case EM_AARCH64:
		return machine__arg(machine__find(machine), index);
	case EM_ARM:
		return index < 8 ? (int)index : -1;
	default:
		return -1;
	}
}

/**
 * struct pahole_way - how pahole reads one function's parameters
 * @machine:	EM_*
 * @nr:		argument registers
 * @word:	bytes of a register
 * @pairs:	a larger type uses two registers
 * @clang:	the unit's producer is clang
 * @rewrite:	apply true_signature: the function's signature was changed
 */
struct pahole_way {
	uint16_t	machine;
	unsigned int	nr;
	unsigned int	word;
	bool		pairs;
	bool		clang;
	bool		rewrite;
};

/* Return: a type's recorded size, or the size of its underlying type. */
static uint64_t pahole_size(struct loader *l, uint32_t ref)
{
	const struct records *r = &l->records;

	for (unsigned int n = 0; n < MAX_CHAIN; n++) {
		const struct rec *rec = &r->recs.array[records__find(r, ref)];

		if (rec->kind == BTF_KIND_PTR)
			return l->dw->img->is_64 ? 8 : 4;
		if (rec->kind != BTF_KIND_ARRAY && rec->size)
			return rec->size;
		ref = rec->ref;
		if (!ref)
			break;
	}
	return 0;
}

static unsigned int slots_of(const struct pahole_way *rd, uint64_t size)
{
	return rd->pairs && size > rd->word ? (size + rd->word - 1) / rd->word : 1;
}

static bool in_memory(const struct pahole_way *rd, uint64_t size)
{
	return size > (rd->pairs ? 2 * rd->word : rd->word);
}

/* Return: the register in which pahole sees a parameter, -1 for none. */
static int seen_in(const struct pahole_way *rd, const struct param_facts *f, uint64_t size)
{
	uint8_t seen = rd->pairs && size > rd->word ? f->seen_large : f->seen;

	return seen - 1;
}

static void match_clang(struct loader *l, const struct pahole_way *rd, const struct rec *rec)
{
	unsigned int at = 0, k;

	for_each_item(item, &l->records, rec) {
		uint64_t size = pahole_size(l, item->ref);
		unsigned int slots = slots_of(rd, size);
		int reg = seen_in(rd, &item->facts, size);

		if (at >= rd->nr)
			break;
		if (in_memory(rd, size))
			continue;
		for (k = at; k < at + slots && k < rd->nr; k++)
			if (pahole_register(rd->machine, k) == reg)
				break;
		if (reg >= 0 && (k == at + slots || k == rd->nr))
			item->facts.flags |= PARAM_MISPLACED;
		at += slots;
	}
}

/* Test whether the next parameter is where it must be if this one uses all its slots. */
static bool next_is_behind(struct loader *l, const struct pahole_way *rd, const struct item *item,
			   unsigned int at)
{
	const struct item *next = &l->records.items.array[item->next];
	int reg;

	if (!item->next || at >= rd->nr)
		return false;
	reg = seen_in(rd, &next->facts, pahole_size(l, next->ref));
	return reg >= 0 && reg == pahole_register(rd->machine, at);
}

/* Test whether only one member of an aggregate is passed, and replaces the parameter. */
static bool becomes_member(struct loader *l, struct item *item)
{
	const struct records *r = &l->records;
	const struct param_facts *f = &item->facts;
	unsigned int word = l->dw->img->is_64 ? 8 : 4, offset;
	const struct rec *type = loader__resolve(l, item->ref);

	/* the only piece starts at one byte of one word */
	if (!item->name || item->origin || !f->pieces[0] == !f->pieces[1] ||
	    (f->pieces[0] & (f->pieces[0] - 1)) || (f->pieces[1] & (f->pieces[1] - 1)))
		return false;
	offset = f->pieces[0] ? 0 : word;
	offset += __builtin_ctz(f->pieces[0] | f->pieces[1]);
	if (type->kind != BTF_KIND_STRUCT)
		return false;
	for_each_item(member, r, type) {
		if (member->value != offset * 8)
			continue;
		item->facts.flags |= PARAM_MEMBER;
		item->member = member - r->items.array;
		return true;
	}
	return false;
}

/*
 * Check one parameter at register @at.
 * Return: the number of registers it uses.
 */
static unsigned int pahole_param(struct loader *l, const struct pahole_way *rd, struct item *item,
				 unsigned int at)
{
	struct param_facts *f = &item->facts;
	uint64_t size = pahole_size(l, item->ref);
	unsigned int slots = slots_of(rd, size), taken = in_memory(rd, size) ? 1 : slots;
	int expected = at < rd->nr ? pahole_register(rd->machine, at) : -1;
	int reg = seen_in(rd, f, size);

	if (!(f->flags & PARAM_LOCATION)) {
		if (f->flags & PARAM_VALUE && !rd->clang) {
			f->flags |= PARAM_OPTIMIZED;
		} else if (rd->rewrite) {
			if (at < rd->nr && next_is_behind(l, rd, item, at + slots))
				return slots;
			f->flags |= PARAM_OPTIMIZED;
			return 0;
		}
		return taken;
	}
	if (rd->rewrite && f->flags & PARAM_CONSTANT) {
		f->flags |= PARAM_OPTIMIZED;
		return 0;
	}
	if (at >= rd->nr)
		return 0;
	if (rd->rewrite && f->flags & PARAM_STACK) {
		if (in_memory(rd, size))
			return 0;
		f->flags |= PARAM_MISPLACED;
		return taken;
	}
	if (reg < 0) {
		f->flags |= rd->rewrite ? PARAM_MISPLACED : PARAM_OPTIMIZED;
		return taken;
	}
	if (expected >= 0 && expected != reg) {
		f->flags |= PARAM_MISPLACED;
		return taken;
	}
	if (rd->rewrite && rd->pairs && size > rd->word && (f->pieces[0] || f->pieces[1])) {
		if ((f->pieces[0] && f->pieces[1]) || next_is_behind(l, rd, item, at + slots))
			return slots;
		if (becomes_member(l, item))
			return 1;
	}
	return taken;
}

static bool is_struct(struct loader *l, uint32_t ref)
{
	const struct records *r = &l->records;

	for (unsigned int n = 0; n < MAX_CHAIN; n++) {
		const struct rec *rec = &r->recs.array[records__find(r, ref)];

		if (rec->kind == BTF_KIND_STRUCT)
			return true;
		if (rec->kind != BTF_KIND_TYPEDEF && rec->kind != BTF_KIND_CONST)
			return false;
		ref = rec->ref;
	}
	return false;
}

uint16_t loader__judge_as_pahole(struct loader *l, const struct func_rec *func)
{
	uint16_t machine = l->dw->img->machine;
	struct pahole_way rd = {
		.machine = machine, .nr = pahole__nr_registers(machine),
		.word = l->dw->img->is_64 ? 8 : 4, .pairs = machine != EM_S390,
		.clang = l->dw->units[func->facts.unit].clang,
		.rewrite = l->opts->true_signature && func->changed,
	};
	struct records *r = &l->records;
	const struct rec *rec = &r->recs.array[func->rec];
	bool misplaced = false, by_value = false;
	uint16_t doubts = func->changed ? DOUBT_CHANGED : 0;
	unsigned int at = 0;

	if (rd.clang && !func->changed)
		match_clang(l, &rd, rec);
	else
		for_each_item(item, r, rec)
			at += pahole_param(l, &rd, item, at);
	for_each_item(item, r, rec) {
		uint8_t flags = item->facts.flags;

		if (flags & PARAM_OPTIMIZED || !(flags & PARAM_LOCATION))
			doubts |= DOUBT_OPTIMIZED;
		misplaced |= flags & PARAM_MISPLACED;
		by_value |= is_struct(l, item->ref);
	}
	return misplaced && !by_value ? doubts | DOUBT_REGISTER : doubts;
}
