/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes: what to paste into a tool, so that it hits one place in the kernel.
 *
 * Every kernel since 2.6 takes a kprobe at SYMBOL+OFFSET, and counts from the
 * symbol wherever KASLR has put it, whoever may read addresses.  With a symbol
 * that is there once (_text; in a module, one that place.h finds) that names a
 * single function, or a single instruction.
 */
#ifndef ABTF_PROBE_PROBE_H
#define ABTF_PROBE_PROBE_H

#include <stdint.h>
#include <stdio.h>

enum probe_format {
	PROBE_BPFTRACE, PROBE_LIBBPF, PROBE_PERF, PROBE_TRACEFS, PROBE_CILIUM, PROBE_JSON,
	NR_PROBE_FORMATS,
};

/**
 * struct probe - one place
 * @name:	what is there, for people: NAME or NAME@FILE, or an inlined call
 * @module:	NULL: vmlinux
 * @symbol:	there is one of that name in vmlinux, or in @module
 * @offset:	from the symbol, in bytes
 */
struct probe {
	const char	*name;
	const char	*module;
	const char	*symbol;
	uint64_t	offset;
};

/** probe_format__find() - Return: the format of that name, NR_PROBE_FORMATS if there is none. */
enum probe_format probe_format__find(const char *name);

/**
 * probes__print() - print what to paste
 * @build_id:	of the image, in hex; for JSON; or NULL
 *
 * A line for each; bpftrace takes several with a comma between them.
 *
 * Return: 0 or -ENOMEM.
 */
int probes__print(const struct probe *probes, uint32_t nr, enum probe_format format,
		  const char *build_id, FILE *f);

#endif /* ABTF_PROBE_PROBE_H */
