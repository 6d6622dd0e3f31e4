/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decode as much of an instruction as kprobes do: its size, and whether the kernel refuses to
 * replace it with a breakpoint, because it can neither be executed elsewhere nor emulated.
 */
#ifndef ABTF_IMAGE_INSN_H
#define ABTF_IMAGE_INSN_H

#include "util/bytes.h"

/**
 * enum insn_exclusive - whether the kernel expects a sequence of arm64 to start or end there,
 *	in which the processor watches an address
 * @ORDERED_LOAD:	only before 6.15, by mistake; @ORDERED_STORE: likewise
 */
enum insn_exclusive { NOT_EXCLUSIVE, EXCLUSIVE_LOAD, EXCLUSIVE_STORE, ORDERED_LOAD, ORDERED_STORE };

/**
 * struct insn - an instruction
 * @what:	its kind, if kprobes reject it, or may do so; otherwise NULL
 * @size:	in bytes, 0 if it is invalid
 * @unsure:	whether they do is not known
 * @exclusive:	enum insn_exclusive
 */
struct insn {
	const char	*what;
	uint8_t		size;
	bool		unsure;
	uint8_t		exclusive;
};

/**
 * enum insn_verdict - what kprobes do with an instruction
 * @INSN_UNKNOWN:	it cannot be decoded
 * @INSN_NO_START:	no instruction starts there
 */
enum insn_verdict { INSN_UNKNOWN, INSN_ACCEPTED, INSN_REJECTED, INSN_NO_START };

/**
 * struct insn_place - a place in code
 * @verdict:	on the instruction that starts there
 * @start:	offset of the instruction that contains the place
 * @what:	the kind of instruction, unless it is accepted
 */
struct insn_place {
	enum insn_verdict	verdict;
	uint64_t		start;
	const char		*what;
};

struct machine;

/* How far after a load the kernel expects the end of an exclusive sequence, in bytes. */
#define MAX_EXCLUSIVE	128

/**
 * insn__check() - find out whether kprobes accept the instruction at an offset
 * @code:	starts with an instruction, usually a function's first
 *
 * All instructions before it are decoded, as the kernel does.
 */
struct insn_place insn__check(const struct machine *m, struct cursor code, uint64_t offset);

/* Decoders: each reads the instruction at the start of @code.  See struct machine. */
struct insn arm64__decode(struct cursor code);
struct insn ppc64__decode(struct cursor code);
struct insn riscv__decode(struct cursor code);
struct insn s390__decode(struct cursor code);
struct insn x86_64__decode(struct cursor code);

#endif /* ABTF_IMAGE_INSN_H */
