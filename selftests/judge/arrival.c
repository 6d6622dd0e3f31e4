// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>

#include "arrival.h"

/**
 * struct abi - the part of a calling convention that is about integers
 * @regs:	argument registers by DWARF's numbers
 * @nr_regs:	their number
 * @slot:	bytes of a register, and of an argument on the stack at least
 * @stack:	from the canonical frame address to the first argument there
 */
struct abi {
	uint16_t	machine;
	uint8_t		regs[8];
	uint8_t		nr_regs;
	uint8_t		slot;
	uint8_t		stack;
};

static const struct abi abis[] = {
	/* System V psABI AMD64, 3.2.3: rdi, rsi, rdx, rcx, r8, r9 */
	{ EM_X86_64, { 5, 4, 1, 2, 8, 9 }, 6, 8, 0 },
	/* AAPCS64, 6.8.2 */
	{ EM_AARCH64, { 0, 1, 2, 3, 4, 5, 6, 7 }, 8, 8, 0 },
	/* s390x ELF ABI supplement, 1.2.2: r2 to r6; the frame address is r15 + 160 */
	{ EM_S390, { 2, 3, 4, 5, 6 }, 5, 8, 0 },
	/* RISC-V ELF psABI, integer calling convention: a0 to a7 */
	{ EM_RISCV, { 10, 11, 12, 13, 14, 15, 16, 17 }, 8, 8, 0 },
	/* LoongArch ELF psABI, the same convention: a0 to a7 */
	{ EM_LOONGARCH, { 4, 5, 6, 7, 8, 9, 10, 11 }, 8, 8, 0 },
	/* OpenPOWER ELFv2 ABI, 2.2.3: r3 to r10; the save area is 32 bytes above r1 */
	{ EM_PPC64, { 3, 4, 5, 6, 7, 8, 9, 10 }, 8, 8, 32 },
	/* AAPCS32, 6.5 */
	{ EM_ARM, { 0, 1, 2, 3 }, 4, 4, 0 },
};

const struct abi *abi__of(const struct image *img)
{
	bool is_64 = img->header.e_ident[EI_CLASS] == ELFCLASS64;
	bool big_endian = img->header.e_ident[EI_DATA] == ELFDATA2MSB;

	for (size_t i = 0; i < ARRAY_SIZE(abis); i++) {
		const struct abi *abi = &abis[i];

		/* the big-endian ppc64 has ELFv1, with other rules for structs */
		if (abi->machine == img->header.e_machine && is_64 == (abi->slot == 8) &&
		    big_endian == (img->header.e_machine == EM_S390))
			return abi;
	}
	return NULL;
}

/* May a register, by DWARF's number, carry an argument? */
static bool is_argument(const struct abi *abi, int reg)
{
	for (unsigned int i = 0; abi && i < abi->nr_regs; i++)
		if (abi->regs[i] == reg)
			return true;
	return false;
}

/* --- types --------------------------------------------------------------- */

Dwarf_Die *entry_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_formref_die(dwarf_attr(die, DW_AT_type, &attr), type);
}

/* Steps of a chain of typedefs and qualifiers, which may be a ring. */
#define MAX_CHAIN	64

bool type_behind(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Die at = *die;

	for (int i = 0; i < MAX_CHAIN && entry_type(&at, type); i++) {
		switch (dwarf_tag(type)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			at = *type;
			break;
		default:
			return true;
		}
	}
	return false;
}

/**
 * struct layout - properties of a type that ABIs depend on
 * @size:	bytes
 * @align:	the largest of its scalars' natural alignments
 * @aggregate:	struct, union or array
 * @unaligned:	a member is not at its alignment
 * @odd:	contains a float, a vector or anything else that these rules do not cover
 */
struct layout {
	uint64_t	size;
	uint64_t	align;
	bool		aggregate;
	bool		unaligned;
	bool		odd;
};

static void find_layout(Dwarf_Die *type, struct layout *layout, unsigned int *budget);

static uint8_t address_size(Dwarf_Die *die)
{
	uint8_t size = 0;
	Dwarf_Die unit;

	return dwarf_diecu(die, &unit, &size, NULL) ? size : 0;
}

static void add_member(Dwarf_Die *member, struct layout *layout, unsigned int *budget)
{
	struct layout inner = {};
	Dwarf_Attribute attr;
	Dwarf_Word offset;
	Dwarf_Die type;

	if (!type_behind(member, &type) || dwarf_hasattr(member, DW_AT_alignment)) {
		layout->odd = true;
		return;
	}
	find_layout(&type, &inner, budget);
	layout->odd |= inner.odd;
	layout->unaligned |= inner.unaligned;
	/* bit-fields are classified by the bytes they are in, and are never unaligned */
	if (!dwarf_hasattr(member, DW_AT_bit_size) &&
	    !dwarf_formudata(dwarf_attr(member, DW_AT_data_member_location, &attr), &offset) &&
	    inner.align && offset % inner.align)
		layout->unaligned = true;
	if (inner.align > layout->align)
		layout->align = inner.align;
}

static void find_layout(Dwarf_Die *type, struct layout *layout, unsigned int *budget)
{
	Dwarf_Attribute attr;
	Dwarf_Die child;
	Dwarf_Word word;

	if (!*budget) {
		layout->odd = true;
		return;
	}
	--*budget;
	layout->odd |= dwarf_hasattr(type, DW_AT_alignment);
	switch (dwarf_tag(type)) {
	case DW_TAG_base_type:
		if (dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attr), &word))
			word = 0;
		layout->odd |= word != DW_ATE_boolean && word != DW_ATE_signed &&
			       word != DW_ATE_signed_char && word != DW_ATE_unsigned &&
			       word != DW_ATE_unsigned_char && word != DW_ATE_UTF;
		break;
	case DW_TAG_enumeration_type:
	case DW_TAG_pointer_type:
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		layout->aggregate = true;
		layout->odd |= dwarf_hasattr(type, DW_AT_declaration);
		if (dwarf_child(type, &child))
			break;
		do {
			if (dwarf_tag(&child) == DW_TAG_member)
				add_member(&child, layout, budget);
		} while (*budget && --*budget && !dwarf_siblingof(&child, &child));
		layout->odd |= !*budget;
		break;
	case DW_TAG_array_type:
		layout->aggregate = true;
		layout->odd |= dwarf_hasattr(type, DW_AT_GNU_vector);
		add_member(type, layout, budget);
		/* the size is not needed here: the entry is within a struct */
		return;
	default:
		layout->odd = true;
		return;
	}
	/* clang omits DW_AT_byte_size of pointers, which have the same size in every unit */
	if (dwarf_tag(type) == DW_TAG_pointer_type && !dwarf_hasattr(type, DW_AT_byte_size))
		layout->size = address_size(type);
	else if (dwarf_formudata(dwarf_attr(type, DW_AT_byte_size, &attr), &layout->size))
		layout->odd = true;
	if (!layout->aggregate) {
		layout->align = layout->size;
		layout->odd |= !layout->size || layout->size > 16 ||
			       (layout->size & (layout->size - 1));
	}
}

/* A struct that is passed by value has few members; a few thousand are looked at. */
static struct layout layout_of(Dwarf_Die *type)
{
	unsigned int budget = 2000;
	struct layout layout = {};

	find_layout(type, &layout, &budget);
	return layout;
}

/* --- by the ABI ---------------------------------------------------------- */

void arguments__begin(struct arguments *args, const struct abi *abi, Dwarf_Die *result)
{
	struct layout layout;
	bool hidden = false;

	*args = (struct arguments){ .abi = abi, .lost = !abi };
	if (!abi || !result)
		return;
	layout = layout_of(result);
	/* a float that is returned moves no argument, but one in memory would */
	if (layout.odd && (layout.aggregate || layout.size > 8)) {
		args->lost = abi->machine != EM_AARCH64;
		return;
	}
	switch (abi->machine) {
	case EM_X86_64:
		hidden = layout.aggregate && (layout.size > 16 || layout.unaligned);
		break;
	case EM_AARCH64:
		/* in x8, which is not an argument register */
		break;
	case EM_S390:
		hidden = layout.aggregate || layout.size > 8;
		break;
	case EM_ARM:
		hidden = layout.aggregate && layout.size > 4;
		break;
	default:
		hidden = layout.size > 16;
	}
	args->next = hidden;
	if (abi->machine == EM_PPC64)
		args->stack = hidden * abi->slot;
}

static struct place on_stack(struct arguments *args, uint64_t size, uint64_t align)
{
	struct place place = { .kind = PLACE_STACK };
	uint64_t slot = args->abi->slot;

	if (align < slot)
		align = slot;
	args->stack = (args->stack + align - 1) & -align;
	place.offset = args->abi->stack + args->stack;
	args->stack += (size + slot - 1) / slot * slot;
	return place;
}

static struct place in_registers(struct arguments *args, unsigned int nr)
{
	struct place place = { .kind = PLACE_VALUE, .nr = nr };

	for (unsigned int i = 0; i < nr; i++)
		place.regs[i] = args->abi->regs[args->next++];
	return place;
}

static struct place by_reference(struct arguments *args)
{
	struct place place;

	if (args->next == args->abi->nr_regs) {
		/* a pointer on the stack: its location in DWARF is not compared */
		on_stack(args, args->abi->slot, args->abi->slot);
		return (struct place){ .kind = PLACE_UNKNOWN };
	}
	place = in_registers(args, 1);
	place.kind = PLACE_POINTER;
	return place;
}

/* As far as registers go, and the rest on the stack. */
static struct place split_place(struct arguments *args, uint64_t size, uint64_t align)
{
	unsigned int slot = args->abi->slot, need = (size + slot - 1) / slot;
	unsigned int left = args->abi->nr_regs - args->next;

	if (!left)
		return on_stack(args, size, align);
	if (need > left) {
		on_stack(args, size - left * slot, slot);
		need = left;
	}
	return in_registers(args, need);
}

static struct place lose_track(struct arguments *args)
{
	args->lost = true;
	return (struct place){ .kind = PLACE_UNKNOWN };
}

/* Assign registers or stack by the machine's rules, to a type with a size. */
static struct place place_next(struct arguments *args, const struct layout *layout)
{
	const struct abi *abi = args->abi;
	unsigned int need = (layout->size + abi->slot - 1) / abi->slot;
	unsigned int left = abi->nr_regs - args->next, slots;

	switch (abi->machine) {
	case EM_X86_64:
		/*
		 * an argument is in registers as a whole, or not at all; later ones may still get a
		 * register
		 */
		if (layout->size > 16 || layout->unaligned || need > left)
			return on_stack(args, layout->size, layout->align);
		return in_registers(args, need);
	case EM_AARCH64:
		if (layout->aggregate && layout->size > 16)
			return by_reference(args);
		if (layout->align == 16)
			args->next += args->next & 1;
		if (args->next + need > abi->nr_regs) {
			args->next = abi->nr_regs;
			return on_stack(args, layout->size, layout->align);
		}
		return in_registers(args, need);
	case EM_S390:
		if (layout->size > 8 ||
		    (layout->aggregate && (layout->size & (layout->size - 1))))
			return by_reference(args);
		return left ? in_registers(args, 1) : on_stack(args, 8, 8);
	case EM_RISCV:
	case EM_LOONGARCH:
		if (layout->size > 16)
			return by_reference(args);
		return split_place(args, layout->size, layout->align);
	case EM_PPC64:
		if (layout->align == 16)
			return lose_track(args);
		/* the first eight slots of the save area are registers */
		slots = args->stack / abi->slot;
		if (slots >= abi->nr_regs)
			return on_stack(args, layout->size, abi->slot);
		args->next = slots;
		args->stack += need * abi->slot;
		left = abi->nr_regs - slots;
		return in_registers(args, need < left ? need : left);
	case EM_ARM:
		if (layout->align == 8)
			args->next += args->next & 1;
		if (args->next > abi->nr_regs)
			args->next = abi->nr_regs;
		/* a struct may be split, unless something is on the stack already */
		if (args->next + need <= abi->nr_regs || (layout->aggregate && !args->stack))
			return split_place(args, layout->size, layout->align);
		args->next = abi->nr_regs;
		return on_stack(args, layout->size, layout->align);
	}
	return (struct place){ .kind = PLACE_UNKNOWN };
}

struct place arguments__next(struct arguments *args, Dwarf_Die *type)
{
	struct layout layout;
	uint16_t machine;

	if (args->lost)
		return lose_track(args);
	layout = layout_of(type);
	if (layout.odd || layout.align > 16)
		return lose_track(args);
	if (layout.size)
		return place_next(args, &layout);
	machine = args->abi->machine;
	/* gcc passes no empty struct on these three machines; for the others, there is no source */
	return machine == EM_X86_64 || machine == EM_AARCH64 || machine == EM_ARM ?
	       (struct place){ .kind = PLACE_NONE } : lose_track(args);
}

/* --- by DWARF ------------------------------------------------------------ */

static bool is_constant_op(uint8_t op)
{
	return (op >= DW_OP_lit0 && op <= DW_OP_lit31) ||
	       (op >= DW_OP_const1u && op <= DW_OP_consts) ||
	       op == DW_OP_addr || op == DW_OP_addrx || op == DW_OP_constx ||
	       op == DW_OP_GNU_addr_index || op == DW_OP_GNU_const_index;
}

/* Return: the register's number for DW_OP_reg0 .. DW_OP_regx, otherwise -1 */
static int register_op(const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return op->atom - DW_OP_reg0;
	return op->atom == DW_OP_regx && op->number < 1024 ? (int)op->number : -1;
}

/* Return: the register's number for DW_OP_breg0 .. DW_OP_bregx, otherwise -1 */
static int base_op(const Dwarf_Op *op, int64_t *offset)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		*offset = op->number;
		return op->atom - DW_OP_breg0;
	}
	*offset = op->number2;
	return op->atom == DW_OP_bregx && op->number < 1024 ? (int)op->number : -1;
}

/* Return: the register's number for DW_OP_entry_value of a register, otherwise -1 */
static int entry_value_op(Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	Dwarf_Attribute block;
	Dwarf_Op *inner;
	size_t nr;

	if ((op->atom != DW_OP_entry_value && op->atom != DW_OP_GNU_entry_value) ||
	    dwarf_getlocation_attr(attr, op, &block) || dwarf_getlocation(&block, &inner, &nr) ||
	    nr != 1)
		return -1;
	return register_op(inner);
}

/*
 * Read one piece, or the whole location. Return: a register's number if the operations give
 * the value of a register, otherwise -1.
 */
static int register_value(Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t nr)
{
	int64_t offset;
	int reg;

	if (nr == 1)
		return register_op(ops);
	if (nr != 2 || ops[1].atom != DW_OP_stack_value)
		return -1;
	reg = base_op(ops, &offset);
	return reg >= 0 && !offset ? reg : entry_value_op(attr, ops);
}

/* Read a location without DW_OP_piece, or one piece. */
static struct place whole_location(Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t nr,
				   const struct abi *abi)
{
	struct place place = { .kind = PLACE_UNKNOWN };
	int64_t offset;
	int reg;

	if (is_constant_op(ops[0].atom) && nr == 2 && ops[1].atom == DW_OP_stack_value) {
		place.kind = PLACE_CONSTANT;
	} else if (ops[0].atom == DW_OP_implicit_value && nr == 1) {
		place.kind = PLACE_CONSTANT;
	} else if (ops[0].atom == DW_OP_fbreg && nr == 1) {
		place.kind = PLACE_STACK;
		place.offset = ops[0].number;
	} else {
		reg = register_value(attr, ops, nr);
		place.whole = reg >= 0;
		place.kind = reg >= 0 ? PLACE_VALUE : PLACE_UNKNOWN;
		if (reg < 0 && nr == 1) {
			reg = base_op(ops, &offset);
			if (is_argument(abi, reg) && !offset)
				place.kind = PLACE_POINTER;
		}
		place.regs[0] = reg;
		place.nr = place.kind != PLACE_UNKNOWN;
	}
	return place;
}

/* Read the pieces of a location: for each slot, the register of its first piece. */
static struct place read_pieces(Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t nr,
				unsigned int slot)
{
	struct place place = { .kind = PLACE_UNKNOWN };
	uint64_t at = 0;
	size_t begin = 0;

	for (unsigned int i = 0; i < PLACE_MAX_SLOTS; i++)
		place.regs[i] = -1;
	for (size_t i = 0; i < nr; i++) {
		int reg;

		if (ops[i].atom != DW_OP_piece)
			continue;
		reg = register_value(attr, ops + begin, i - begin);
		if (reg >= 0 && !(at % slot) && at / slot < PLACE_MAX_SLOTS) {
			place.kind = PLACE_VALUE;
			place.regs[at / slot] = reg;
		}
		if (ops[i].number > PLACE_MAX_SLOTS * slot)
			break;
		at += ops[i].number;
		begin = i + 1;
	}
	place.nr = (at + slot - 1) / slot;
	if (place.nr > PLACE_MAX_SLOTS)
		place.nr = PLACE_MAX_SLOTS;
	return place;
}

/* The location of an argument has two or three operations for each piece. */
#define MAX_OPS		64

static struct place place_of(Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t nr,
			     const struct abi *abi)
{
	bool in_pieces = false;

	if (!nr)
		return (struct place){ .kind = PLACE_NONE };
	if (nr > MAX_OPS)
		return (struct place){ .kind = PLACE_UNKNOWN };
	for (size_t i = 0; i < nr; i++) {
		if (ops[i].atom == DW_OP_GNU_parameter_ref)
			return (struct place){ .kind = PLACE_REMOVED };
		in_pieces |= ops[i].atom == DW_OP_piece;
	}
	return in_pieces ? read_pieces(attr, ops, nr, abi ? abi->slot : 8) :
			   whole_location(attr, ops, nr, abi);
}

/*
 * Find the entry of a location list that applies at the first instruction: the first entry
 * that covers it. gcc writes an empty range if a value has another location before it at
 * the same address (location views); then, the empty range is the right one.
 */
#define MAX_RANGES	256

/*
 * clang describes parameters starting after landing pads and the bytes that ftrace
 * patches.  gcc, whose frames begin at the CFA, describes them from the entry on.
 */
#define MAX_PATCHED	16

struct place location_at(Dwarf_Die *param, const struct body *body, const struct abi *abi)
{
	struct place place = { .kind = PLACE_NONE };
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;
	ptrdiff_t offset = 0;
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_hasattr(param, DW_AT_const_value))
		return (struct place){ .kind = PLACE_CONSTANT };
	if (!dwarf_attr(param, DW_AT_location, &attr))
		return place;
	for (int i = 0; i < MAX_RANGES; i++) {
		offset = dwarf_getlocations(&attr, offset, &base, &start, &end, &ops, &nr);
		if (offset <= 0)
			break;
		if (start > body->entry && start - body->entry <= MAX_PATCHED &&
		    !body->frame_is_cfa) {
			place = place_of(&attr, ops, nr, abi);
			place.late = true;
			break;
		}
		if (start > body->entry || (body->entry >= end && start != end) ||
		    (start == end && start != body->entry))
			continue;
		place = place_of(&attr, ops, nr, abi);
		place.single = !start && end == (Dwarf_Addr)-1 && body->frame_is_cfa;
		if (place.kind == PLACE_STACK && !body->frame_is_cfa)
			place.offset = INT64_MIN;
		break;
	}
	return place;
}

/* --- compared ------------------------------------------------------------ */

bool same_place(const struct place *by_abi, const struct place *by_dwarf, const struct abi *abi)
{
	if (by_abi->kind == PLACE_NONE)
		return true;
	if (by_abi->kind != by_dwarf->kind)
		return false;
	switch (by_abi->kind) {
	case PLACE_VALUE:
		for (unsigned int i = 0; i < by_abi->nr; i++) {
			if (by_dwarf->whole && i)
				break;
			if (i >= by_dwarf->nr || by_abi->regs[i] != by_dwarf->regs[i])
				return false;
		}
		return true;
	case PLACE_POINTER:
		return by_abi->regs[0] == by_dwarf->regs[0];
	case PLACE_STACK:
		/* a small number is at the end of its slot on big-endian machines */
		return by_dwarf->offset >= by_abi->offset &&
		       by_dwarf->offset < by_abi->offset + abi->slot;
	default:
		return false;
	}
}

bool other_place(const struct place *by_abi, const struct place *by_dwarf, const struct abi *abi)
{
	/* it may have been moved there */
	if (by_dwarf->late)
		return false;
	switch (by_dwarf->kind) {
	case PLACE_VALUE:
		for (unsigned int i = 0; i < by_dwarf->nr; i++) {
			if (!is_argument(abi, by_dwarf->regs[i]))
				continue;
			switch (by_abi->kind) {
			case PLACE_VALUE:
				if (i < by_abi->nr && by_abi->regs[i] != by_dwarf->regs[i])
					return true;
				break;
			case PLACE_STACK:
				/* gcc may have loaded it in the prologue */
				if (by_dwarf->single)
					break;
				return true;
			case PLACE_POINTER:
				return true;
			default:
				break;
			}
		}
		return false;
	case PLACE_STACK:
		/* on other machines, the caller's frame may have room for arguments in registers */
		return by_abi->kind == PLACE_VALUE && abi->machine == EM_X86_64 && by_dwarf->offset >= 0;
	default:
		return by_dwarf->kind == PLACE_REMOVED;
	}
}

const char *place__print(const struct place *place, char *buf, size_t size)
{
	static const char * const words[] = {
		[PLACE_UNKNOWN] = "in an unknown place",
		[PLACE_NONE] = "nowhere",
		[PLACE_VALUE] = "in register",
		[PLACE_POINTER] = "in memory at the pointer in register",
		[PLACE_STACK] = "on the stack",
		[PLACE_CONSTANT] = "a constant",
		[PLACE_REMOVED] = "no longer passed",
	};
	int len = snprintf(buf, size, "%s", words[place->kind]);

	if (place->kind == PLACE_STACK)
		snprintf(buf + len, size - len, " at %" PRId64, place->offset);
	for (unsigned int i = 0; i < place->nr && len > 0 && (size_t)len < size; i++) {
		if (place->regs[i] >= 0)
			len += snprintf(buf + len, size - len, "%s%d", i ? ", " : " ",
					place->regs[i]);
		else
			len += snprintf(buf + len, size - len, "%s?", i ? ", " : " ");
	}
	return buf;
}
