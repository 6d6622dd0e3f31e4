/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions of an image, to find out where the kernel accepts kprobes in functions.
 *
 * At boot and when a module is loaded, the kernel replaces some of them: alternatives, calls
 * through pv_ops, and indirect calls (retpolines, expolines).  There, the answer is only known if
 * it is the same for both.
 */
#ifndef ABTF_INSPECT_INSTRUCTIONS_H
#define ABTF_INSPECT_INSTRUCTIONS_H

#include "image/code_table.h"
#include "image/insn.h"

/**
 * struct alternative - code that the kernel may replace
 * @place:	of the code; @size: in bytes
 * @by:		the bytes that replace it, @by_size; the rest is filled with nops
 * @is_call:	@by is an indirect call, and the kernel writes a direct one
 * @is_always:	the original never stays
 */
struct alternative {
	struct code_place	place;
	struct code_place	by;
	uint8_t			size, by_size;
	bool			is_call, is_always;
};

/**
 * struct instructions - instructions of an image
 * @alternatives:	sorted by place
 * @patch_nops:	address of the function of arm64 that writes nops
 * @sites:		instructions that may become shorter ones
 * @pv_sites:		instructions that may become others
 * @is_unclear:		the table of alternatives has an unknown layout
 */
struct instructions {
	const struct image	*img;
	VECTOR(struct alternative) alternatives;
	uint64_t		patch_nops;
	struct code_table	sites;
	struct code_table	pv_sites;
	bool			is_unclear;
};

/**
 * instructions__read() - read which instructions the kernel replaces
 * @img:	must outlive @ret
 *
 * Return: 0, or a negative errno after a message.  @ret must be destroyed in both cases.
 */
int instructions__read(const struct image *img, struct instructions *ret);

void instructions__destroy(struct instructions *ins);

/**
 * instructions__check() - find out whether kprobes accept an instruction of a function
 * @section:	of a module; ignored in vmlinux
 * @function:	address of the function, @into: offset in it
 */
struct insn_place instructions__check(const struct instructions *ins, uint32_t section,
				      uint64_t function, uint64_t into);

#endif /* ABTF_INSPECT_INSTRUCTIONS_H */
