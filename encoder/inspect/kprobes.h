/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find out from an image where the kernel accepts kprobes.
 *
 * Kprobe events (of tracefs, perf and BPF) are rejected in three kinds of functions: those
 * that ftrace cannot patch, unless the kernel has CONFIG_KPROBE_EVENTS_ON_NOTRACE; those on
 * the blacklist of kprobes; and those whose code was freed after boot.  Within other
 * functions, they are rejected at instructions that the kernel patches itself, and by the
 * instruction, see inspect/instructions.h.  See __register_trace_kprobe() and
 * check_kprobe_address_safe() of the kernel.
 */
#ifndef ABTF_INSPECT_KPROBES_H
#define ABTF_INSPECT_KPROBES_H

#include "image/code_table.h"

/** enum kprobe_verdict - what the kernel does with a kprobe in a function */
enum kprobe_verdict {
	KPROBE_UNKNOWN,		/* the image lacks the necessary tables */
	KPROBE_ACCEPTED,
	KPROBE_NOTRACE,		/* rejected, except with CONFIG_KPROBE_EVENTS_ON_NOTRACE */
	KPROBE_BLACKLISTED,
	KPROBE_INIT,		/* init or exit text */
	KPROBE_INSTRUCTION,	/* rejected by the instruction, or none starts there */
	NR_KPROBE_VERDICTS,
};

/**
 * struct kprobes - where kprobes are rejected
 * @ftrace:	what ftrace can patch
 * @unsure:	functions that it may be able to patch
 * @blacklist:	functions marked with NOKPROBE_SYMBOL()
 * @ranges:	ranges of addresses on the blacklist, without a section in vmlinux
 * @reserved:	instructions that the kernel patches itself (jump labels, static calls), or
 *		knows by their address (those of BUG() and WARN(); on arm64, those that may fault)
 * @last:	the function that was found last: many symbols may be at one place
 */
struct kprobes {
	const struct symbols	*syms;
	struct code_table	ftrace;
	struct code_table	unsure;
	struct code_table	blacklist;
	struct code_table	reserved;
	VECTOR(struct section_range) ranges;
	const struct symbol	*last;
};

/**
 * kprobes__read() - read the tables of vmlinux or a module
 * @syms:	of the image; must outlive @ret
 *
 * If the image of the running kernel lacks the tables, the kernel's own lists are read.
 *
 * Return: 0, or a negative errno after a message.  @ret must be destroyed in both cases.
 */
int kprobes__read(const struct symbols *syms, struct kprobes *ret);

void kprobes__destroy(struct kprobes *k);

/**
 * kprobes__verdict() - determine whether the kernel accepts kprobes in a function
 * @section:	of a module; ignored in vmlinux
 * @address:	of the function
 *
 * Not considering its instructions.
 */
enum kprobe_verdict kprobes__verdict(struct kprobes *k, uint32_t section, uint64_t address);

/** kprobes__rejects() - Test whether a kprobe cannot replace the first instruction of a function. */
bool kprobes__rejects(const struct kprobes *k, uint32_t section, uint64_t address);

/**
 * kprobes__patched() - find where ftrace patches a function
 *
 * Return: the distance from its entry, or -1 if ftrace does not patch it after its entry.
 */
int64_t kprobes__patched(const struct kprobes *k, uint32_t section, uint64_t address,
			 uint64_t size);

/** kprobe_verdict__flag() - Return: "notrace", "noprobe" and so on; NULL if accepted. */
const char *kprobe_verdict__flag(enum kprobe_verdict verdict);

#endif /* ABTF_INSPECT_KPROBES_H */
