/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the encoder knows about each machine.  To support another machine, add a row to
 * machine.c; the ranges where Linux rejects kprobes are in inspect/kprobes.c, and what
 * pahole knows about machines is in load/signature.c.
 */
#ifndef ABTF_IMAGE_MACHINE_H
#define ABTF_IMAGE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "image/insn.h"

/**
 * struct reloc_field - a relocation that adds to a field, or subtracts from it
 * @op:		'=', '+' or '-'; 0 ends a list
 * @bits:	size of the field; 0 for a ULEB128, which keeps its length
 */
struct reloc_field {
	uint8_t	type;
	char	op;
	uint8_t	bits;
};

/**
 * struct idle - an instruction without an effect
 * @len:	its length; 0 ends a list
 * @bytes:	the instruction as it is in memory
 * @mask:	bits of @bytes to compare; 0 after @len
 * @call:	a call, with the distance in the last four bytes: without an effect if ftrace is called
 * @prefix:	of another one that is not a call
 */
struct idle {
	uint8_t	len;
	uint8_t	bytes[8];
	uint8_t	mask[8];
	bool	call;
	bool	prefix;
};

/**
 * struct machine - facts about a machine
 * @id:		EM_*
 * @none:	a relocation that does nothing
 * @abs32, @abs64: relocations that write a symbol's value; 0 if there is none
 * @tls:	relocations that write the offset of a thread's variable, which BTF
 *		does not need
 * @fields:	other relocations of debug sections, or NULL
 * @nr_args:	number of registers for integer arguments; 0 if unknown
 * @args:	these registers, as DWARF numbers them
 * @idle:	instructions that compilers and ftrace put at the start of a function, or NULL
 * @decode:	an instruction as kprobes see it; NULL: unknown
 */
struct machine {
	uint16_t			id;
	uint16_t			none;
	uint16_t			abs32;
	uint16_t			abs64;
	uint16_t			tls[2];
	const struct reloc_field	*fields;
	uint8_t				nr_args;
	uint8_t				args[8];
	const struct idle		*idle;
	struct insn			(*decode)(struct cursor code);
};

/** machine__find() - Return: the row of EM_* @id; a row of zeros if there is none. */
const struct machine *machine__find(uint16_t id);

/** machine__name() - Return: the name of a machine without a row, for messages. */
const char *machine__name(uint16_t id);

/** machine__arg() - Return: DWARF number of an argument register by index, or -1. */
static inline int machine__arg(const struct machine *m, unsigned int index)
{
	return index < m->nr_args ? m->args[index] : -1;
}

#endif /* ABTF_IMAGE_MACHINE_H */
