// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <string.h>
#include <sys/param.h>

#include "image/machine.h"
#include "probe/abi.h"
#include "util/memory.h"

#define WORD	8U

/* How aggregates that do not fit into registers are passed. */
enum large {
	LARGE_ON_STACK,		/* by value */
	LARGE_BY_REFERENCE,	/* as the address of a copy */
	LARGE_IN_WORDS,		/* as any others */
};

/**
 * struct abi - the calling convention of a machine
 * @sp:		DWARF number of the stack pointer
 * @stack:	offset of the first argument on the stack
 * @frame:	offset of the canonical frame address from @sp on entry
 * @results:	registers with the return value
 * @large:	aggregates of more than 16 bytes
 * @only_powers: aggregates in a register have 1, 2, 4 or 8 bytes; others are large
 * @even:	a 16-byte aligned argument starts in an even register
 * @splits:	an argument may be partly in registers, and partly on the stack
 * @backfills:	after an argument on the stack, others may still be in registers
 * @splits_integers: one of 16 bytes is passed as two of 8 bytes
 * @shadows:	the stack has room for the registers, too
 * @hidden:	the address of a large result is the first argument
 * @returns_address: in the first of @results
 * @registers:	names of the kernel by DWARF number
 * @in_c:	pattern for their names in struct pt_regs, NULL: the same
 */
struct abi {
	uint16_t	id;
	uint8_t		sp;
	uint8_t		stack, frame;
	uint8_t		results[2];
	enum large	large;
	bool		big_endian;
	bool		only_powers;
	bool		even;
	bool		splits;
	bool		backfills;
	bool		splits_integers;
	bool		shadows;
	bool		hidden;
	bool		returns_address;
	const char	*registers[33];
	const char	*in_c[33];
	const char	*in_bpftrace[33];
};

#define NUMBERED_10(b, a, z)							\
	b "0" z, b "1" z, b "2" z, b "3" z, b "4" z, b "5" z, b "6" z, b "7" z, b "8" z, b "9" z
#define NUMBERED_16(b, z)							\
	NUMBERED_10(b, "", z), b "10" z, b "11" z, b "12" z, b "13" z, b "14" z, b "15" z
#define NUMBERED_31(b, z)							\
	NUMBERED_16(b, z), b "16" z, b "17" z, b "18" z, b "19" z, b "20" z, b "21" z,	\
	b "22" z, b "23" z, b "24" z, b "25" z, b "26" z, b "27" z, b "28" z, b "29" z, b "30" z

/*
 * x86-64 psABI 3.2.3; AAPCS64 6.8; s390x ELF ABI 1.2.2; OpenPOWER ELFv2 2.2.3; RISC-V psABI,
 * integer calling convention.  The names are in arch/.../kernel/ptrace.c.
 */
static const struct abi abis[] = {
	{ .id = EM_X86_64, .sp = 7, .stack = 8, .frame = 8, .results = { 0, 1 },
	  .large = LARGE_ON_STACK, .backfills = true, .hidden = true, .returns_address = true,
	  .registers = { "ax", "dx", "cx", "bx", "si", "di", "bp", "sp", "r8", "r9", "r10", "r11",
			 "r12", "r13", "r14", "r15" } },
	{ .id = EM_AARCH64, .sp = 31, .results = { 0, 1 }, .large = LARGE_BY_REFERENCE,
	  .even = true,
	  .registers = { NUMBERED_31("x", ""), "sp" }, .in_c = { NUMBERED_31("regs[", "]"), "sp" },
	  .in_bpftrace = { NUMBERED_31("r", ""), "sp" } },
	{ .id = EM_S390, .sp = 15, .stack = 160, .frame = 160, .results = { 2 },
	  .large = LARGE_BY_REFERENCE, .big_endian = true, .only_powers = true, .hidden = true,
	  .registers = { NUMBERED_16("r", "") }, .in_c = { NUMBERED_16("gprs[", "]") } },
	{ .id = EM_PPC64, .sp = 1, .stack = 32, .results = { 3, 4 }, .large = LARGE_IN_WORDS,
	  .even = true, .splits = true, .splits_integers = true, .shadows = true,
	  .hidden = true,
	  .registers = { NUMBERED_31("gpr", ""), "gpr31" },
	  .in_c = { NUMBERED_31("gpr[", "]"), "gpr[31]" },
	  .in_bpftrace = { NUMBERED_31("r", ""), "r31" } },
	{ .id = EM_RISCV, .sp = 2, .results = { 10, 11 }, .large = LARGE_BY_REFERENCE,
	  .splits = true, .hidden = true,
	  .registers = { NULL, "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1",
			 "a2", "a3", "a4", "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7",
			 "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6" } },
	{ },
};

static const struct abi *find_abi(uint16_t id)
{
	const struct abi *abi = abis;

	while (abi->id && abi->id != id)
		abi++;
	return abi;
}

const char *abi__register(uint16_t machine, uint8_t reg)
{
	const struct abi *abi = find_abi(machine);

	return reg < ARRAY_SIZE(abi->registers) ? abi->registers[reg] : NULL;
}

const char *abi__register_in_c(uint16_t machine, uint8_t reg)
{
	const struct abi *abi = find_abi(machine);
	const char *name = abi__register(machine, reg);

	return name && abi->in_c[reg] ? abi->in_c[reg] : name;
}

const char *abi__register_in_bpftrace(uint16_t machine, uint8_t reg)
{
	const struct abi *abi = find_abi(machine);
	const char *name = abi__register(machine, reg);

	return name && abi->in_bpftrace[reg] ? abi->in_bpftrace[reg] : name;
}

bool abi__frame_on_entry(uint16_t machine, uint32_t *reg, uint64_t *offset)
{
	const struct abi *abi = find_abi(machine);

	*reg = abi->sp;
	*offset = abi->frame;
	return abi->id;
}

int abi__arg_index(uint16_t machine, uint8_t reg)
{
	const struct machine *m = machine__find(machine);

	for (int i = 0; i < m->nr_args; i++)
		if (m->args[i] == reg)
			return i;
	return -1;
}

/* --- types ------------------------------------------------------------------------ */

static bool is_aggregate(const struct arg_type *type)
{
	unsigned int kind = arg_type__kind(*type);

	return kind__is_struct(kind) || kind == BTF_KIND_ARRAY;
}

/* x86-64 psABI 3.2.3: "has unaligned fields" */
static bool is_in_memory(const struct abi *abi, struct arg_type type)
{
	return abi->large == LARGE_ON_STACK && arg_type__has_misaligned(type);
}

/* Test whether an argument or result is passed in a different way than in registers. */
static bool is_large(const struct abi *abi, const struct arg_type *type, uint64_t size)
{
	if (abi->only_powers && (size > WORD || (size & (size - 1))))
		return true;
	return size > 2 * WORD || is_in_memory(abi, *type);
}

/* --- parameters ------------------------------------------------------------------- */

/**
 * struct assignment - registers and stack that parameters use
 * @next:	index of the next register
 * @stack:	bytes used on the stack
 * @lost:	why the places of further parameters are unknown, or NULL
 */
struct assignment {
	const struct abi	*abi;
	const struct machine	*machine;
	unsigned int		next;
	uint64_t		stack;
	const char		*lost;
};

static const char unknown_alignment[] = "an alignment that BTF does not contain decides where it is";

static const char unclear[] = "BTF does not contain what decides where it, or an earlier one, is";

/*
 * On x86-64, gcc passes eight bytes of an unnamed bit-field, and neither compiler does those without
 * members.  On s390x, compilers only differ in arrays without elements.
 */
static bool is_unclear(const struct abi *abi, struct arg_type type, uint64_t size)
{
	uint64_t most = abi->large == LARGE_ON_STACK ? 2 * WORD : abi->only_powers ? WORD : 0;

	return size && size <= most && arg_type__is_unclear(type);
}

/*
 * On x86-64, clang splits an integer of 16 bytes between the last register and the stack, or, since
 * version 18, does not use this register for later ones; gcc does.
 */
static bool is_wide_on_stack(const struct assignment *a, const struct arg_type *type, uint64_t size)
{
	return a->abi->large == LARGE_ON_STACK && !is_aggregate(type) && size > WORD &&
	       a->next + 2 > a->machine->nr_args;
}

/*
 * Align an argument of 16 bytes or a multiple: BTF does not contain attributes that increase or
 * reduce the alignment, so a struct must be in the same place with and without them.
 *
 * @used: words before it
 * Return: whether to add a word.
 */
static bool needs_padding(struct assignment *a, const struct arg_type *type, uint64_t size,
			  uint64_t used)
{
	/* the largest alignment that a type of this size may have */
	uint64_t most = size & -size;

	if (a->abi->large != LARGE_ON_STACK)
		most = MIN(most, 2 * WORD);
	if (most < 2 * WORD || !(used * WORD % most))
		return false;
	if (is_aggregate(type))
		a->lost = unknown_alignment;
	return !a->abi->splits_integers;
}

static struct arg_place in_registers(const struct assignment *a, unsigned int first,
				     unsigned int nr)
{
	struct arg_place place = { .how = ARG_REGISTER, .nr_regs = nr };

	for (unsigned int i = 0; i < nr; i++)
		place.regs[i] = machine__arg(a->machine, first + i);
	return place;
}

static struct arg_place on_stack(struct assignment *a, const struct arg_type *type, uint64_t size)
{
	struct arg_place place = { .how = ARG_MEMORY, .nr_regs = 1, .nr_reads = 1,
				   .regs = { a->abi->sp } };

	a->stack += needs_padding(a, type, size, a->stack / WORD) ? WORD : 0;
	place.offsets[0] = a->abi->stack + a->stack;
	if (a->abi->big_endian && size < WORD)
		place.offsets[0] += WORD - size;
	a->stack += (size + WORD - 1) / WORD * WORD;
	return place;
}

/* Assign the next registers or the next bytes on the stack. */
static struct arg_place assign_words(struct assignment *a, const struct arg_type *type,
				     uint64_t size)
{
	unsigned int nr = (size + WORD - 1) / WORD, first = a->next, left;
	struct arg_place place;

	if (a->abi->even && first < a->machine->nr_args)
		first += needs_padding(a, type, size, first);
	left = a->machine->nr_args - MIN(first, a->machine->nr_args);
	if (nr <= left) {
		a->next = first + nr;
		/* the stack has a place for each register */
		a->stack = a->abi->shadows ? a->next * WORD : a->stack;
		return in_registers(a, first, nr);
	}
	if (left && a->abi->splits) {
		if (a->abi->shadows)
			a->stack = first * WORD + (size + WORD - 1) / WORD * WORD;
		else
			a->stack += (nr - left) * WORD;
		a->next = a->machine->nr_args;
		return arg_place__none("it is partly in registers, and partly on the stack");
	}
	if (a->abi->shadows)
		a->stack = MAX(a->stack, first * WORD);
	if (!a->abi->backfills)
		a->next = a->machine->nr_args;
	place = on_stack(a, type, size);
	return place;
}

static struct arg_place assign_place(struct assignment *a, struct arg_type type)
{
	static const struct arg_type address = { .pointers = 1 };
	uint64_t size = arg_type__size(type);
	bool large;
	struct arg_place place;

	if (a->lost)
		return arg_place__none(a->lost);
	if (arg_type__has_float(type))
		a->lost = "it, or an earlier one, is a floating-point number";
	else if (arg_type__kind(type) == BTF_KIND_ARRAY)
		a->lost = "it, or an earlier one, is a vector";
	else if (!size)
		a->lost = "BTF does not contain its size, or that of an earlier one";
	else if (is_unclear(a->abi, type, size) || is_wide_on_stack(a, &type, size))
		a->lost = unclear;
	if (a->lost)
		return arg_place__none(a->lost);
	large = is_large(a->abi, &type, size);
	if (large && a->abi->large == LARGE_BY_REFERENCE) {
		place = assign_words(a, &address, WORD);
		if (place.how == ARG_MEMORY) {
			place.offsets[place.nr_reads++] = 0;
			return place;
		}
		place.how = ARG_MEMORY;
		place.nr_reads = 1;
	} else if (large && a->abi->large == LARGE_ON_STACK) {
		place = on_stack(a, &type, size);
	} else {
		place = assign_words(a, &type, size);
	}
	return a->lost ? arg_place__none(a->lost) : place;
}

static const struct btf_type *proto_of(const struct btf_data *btf, uint32_t func)
{
	return btf_data__type(btf, btf_data__type(btf, func)->type);
}

static const char unknown_machine[] = "the calling convention of this machine is not known";

/* Only little-endian kernels for POWER use ELFv2 for certain. */
static bool is_known(const struct arg_list *list, const struct abi *abi)
{
	return abi->id && list->big_endian == abi->big_endian;
}

void abi__add_params(struct arg_list *list, const struct btf_data *btf, uint32_t func)
{
	const struct btf_type *proto = proto_of(btf, func);
	const struct btf_param *params = (const void *)(proto + 1);
	struct arg_type result = arg_type__of(btf, proto->type);
	uint64_t size = arg_type__size(result);
	struct assignment a = { .abi = find_abi(list->machine),
				.machine = machine__find(list->machine) };

	if (!is_known(list, a.abi))
		a.lost = list->machine ? unknown_machine :
					 "the machine is not known: there is only BTF";
	else if (is_unclear(a.abi, result, size))
		a.lost = unclear;
	else if (a.abi->hidden && (is_aggregate(&result) || size > WORD) &&
		 (is_large(a.abi, &result, size) || (a.abi->only_powers && is_aggregate(&result))))
		a.next = 1;
	for (uint32_t i = 0; i < BTF_INFO_VLEN(proto->info); i++) {
		struct arg_type type = arg_type__of(btf, params[i].type);

		if (type.id)
			arg_list__add(list, btf_data__string(btf, params[i].name_off), type,
				      assign_place(&a, type));
		else
			arg_list__add_variable(list);
	}
}

/* --- results ----------------------------------------------------------------------- */

static struct arg_place place_result(const struct abi *abi, const struct arg_type *type)
{
	uint64_t size = arg_type__size(*type);
	struct arg_place place = { .nr_regs = 1, .regs = { abi->results[0], abi->results[1] } };

	if (arg_type__has_float(*type))
		return arg_place__none("it is a floating-point number");
	if (arg_type__kind(*type) == BTF_KIND_ARRAY)
		return arg_place__none("it is a vector");
	if (is_unclear(abi, *type, size))
		return arg_place__none("BTF does not contain what decides where it is");
	if (is_large(abi, type, size) || (abi->only_powers && is_aggregate(type))) {
		if (!abi->returns_address)
			return arg_place__none("it is returned in memory, at an address that is no longer known");
		place.how = ARG_MEMORY;
		place.nr_reads = 1;
		return place;
	}
	place.how = ARG_REGISTER;
	place.nr_regs = (size + WORD - 1) / WORD;
	return place;
}

void abi__add_result(struct arg_list *list, const struct btf_data *btf, uint32_t func)
{
	struct arg_type type = arg_type__of(btf, proto_of(btf, func)->type);
	const struct abi *abi = find_abi(list->machine);

	if (arg_type__size(type))
		arg_list__add(list, "$retval", type, is_known(list, abi) ?
			      place_result(abi, &type) : arg_place__none(unknown_machine));
}
