/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The location of an argument on entry to a function: according to the ABI, and according
 * to DWARF.
 *
 * Takes types and parameters as libdw's DIEs; returns places that can be compared.
 * Written from the psABIs and DWARF 5.
 */
#ifndef JUDGE_ARRIVAL_H
#define JUDGE_ARRIVAL_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "symbols.h"

#define PLACE_MAX_SLOTS	8

/**
 * enum place_kind - kinds of places
 * @PLACE_UNKNOWN: not known: the ABI's rule is not implemented, or the location is
 *		ambiguous
 * @PLACE_NONE:	no place: an empty struct, or DWARF has no location
 * @PLACE_VALUE: in registers, one for each slot
 * @PLACE_POINTER: in memory, and its address is in a register
 * @PLACE_STACK: in the caller's frame
 * @PLACE_CONSTANT: not passed, because it is always the same
 * @PLACE_REMOVED: according to DWARF, the caller no longer passes it unchanged
 */
enum place_kind {
	PLACE_UNKNOWN,
	PLACE_NONE,
	PLACE_VALUE,
	PLACE_POINTER,
	PLACE_STACK,
	PLACE_CONSTANT,
	PLACE_REMOVED,
};

/**
 * struct place - where an argument is
 * @regs:	DWARF's number of the register of each slot, -1 if it is not known
 * @nr:		number of slots in @regs
 * @late:	not valid at the first instruction, but at one of the next
 * @single:	gcc's only location of a parameter, which may be a later one without variable
 *		tracking
 * @whole:	@regs[0] contains the whole argument, which may need several slots
 * @offset:	PLACE_STACK: bytes from the canonical frame address, INT64_MIN if
 *		the location is not relative to it
 */
struct place {
	enum place_kind	kind;
	int		regs[PLACE_MAX_SLOTS];
	unsigned int	nr;
	bool		late;
	bool		single;
	bool		whole;
	int64_t		offset;
};

struct abi;

/**
 * abi__of() - the calling convention of an image
 *
 * x86-64, AArch64, s390x, RISC-V (LP64), ppc64le (ELFv2) and ARM (AAPCS).
 *
 * Return: NULL for others, of which every place is unknown.
 */
const struct abi *abi__of(const struct image *img);

/**
 * struct arguments - state of assigning places to parameters, from first to last
 * @next:	number of argument registers assigned
 * @stack:	bytes of the caller's frame assigned
 * @lost:	a type came by that we have no rule for; all further places are
 *		unknown
 */
struct arguments {
	const struct abi	*abi;
	unsigned int		next;
	uint64_t		stack;
	bool			lost;
};

/**
 * arguments__begin() - start with the first parameter
 * @abi:	may be NULL
 * @result:	the return type, or NULL for void: for a struct, the caller may first pass
 *		a hidden pointer
 */
void arguments__begin(struct arguments *args, const struct abi *abi, Dwarf_Die *result);

/** arguments__next() - Return: the place of the next parameter, which has this type */
struct place arguments__next(struct arguments *args, Dwarf_Die *type);

/**
 * struct body - a function's code according to its DIE
 * @entry:	address of the first instruction
 * @end:	end of the range that contains @entry, 0 if it is not known
 * @frame_is_cfa: DW_AT_frame_base is the canonical frame address
 */
struct body {
	Dwarf_Addr	entry;
	Dwarf_Addr	end;
	bool		frame_is_cfa;
};

/**
 * location_at() - find the location of a parameter on entry in DWARF
 * @param:	the entry with its location: the body's entry, not its abstract origin
 * @abi:	may be NULL
 */
struct place location_at(Dwarf_Die *param, const struct body *body, const struct abi *abi);

/** same_place() - Return: true if DWARF has an argument exactly where the ABI puts it */
bool same_place(const struct place *by_abi, const struct place *by_dwarf, const struct abi *abi);

/**
 * other_place() - test if DWARF puts an argument where the ABI puts another one
 *
 * Only that is a contradiction: a location may be missing, or be the spilled copy
 * although the register still has the value.  The pointer to a struct is ignored,
 * because gcc tends to name the register that it is copied to (vsprintf() of AArch64
 * starts with "mov x4, x2", and DWARF has its va_list at the pointer in x4).
 */
bool other_place(const struct place *by_abi, const struct place *by_dwarf, const struct abi *abi);

/** place__print() - Write a place in words to a buffer; return the buffer. */
const char *place__print(const struct place *place, char *buf, size_t size);

/**
 * type_behind() - get the type of an entry, without typedefs and qualifiers
 * @die:	an entry with a DW_AT_type
 * @type:	gets the type
 *
 * Return: false for void, or if it cannot be found.
 */
bool type_behind(Dwarf_Die *die, Dwarf_Die *type);

/** entry_type() - the type of an entry, unmodified. Return: @type, or NULL for void. */
Dwarf_Die *entry_type(Dwarf_Die *die, Dwarf_Die *type);

#endif /* JUDGE_ARRIVAL_H */
