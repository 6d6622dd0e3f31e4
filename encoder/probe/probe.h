/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes: text to paste into a tool, so that it probes one place in the kernel.
 *
 * Every kernel since 2.6 accepts a kprobe at SYMBOL+OFFSET and resolves the symbol
 * itself, so neither KASLR nor hidden addresses matter.  With a unique symbol (_text;
 * in a module, one that place.h finds), this identifies a single function or
 * instruction.
 */
#ifndef ABTF_PROBE_PROBE_H
#define ABTF_PROBE_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/args.h"
#include "util/grow.h"

enum probe_format {
	PROBE_BPFTRACE, PROBE_LIBBPF, PROBE_PERF, PROBE_TRACEFS, PROBE_CILIUM, PROBE_BCC,
	PROBE_AYA, PROBE_JSON,
	NR_PROBE_FORMATS,
};

/* for help and messages */
#define PROBE_FORMATS	"bpftrace, libbpf, perf, tracefs, cilium, bcc, aya or json"

/**
 * struct probe - one place
 * @name:	description for users: NAME or NAME@FILE, or an inlined call
 * @in:		if @name is an inlined call, the function that contains it; otherwise NULL
 * @module:	NULL: vmlinux
 * @symbol:	a name that is unique in vmlinux, or in @module; NULL: no symbol before it is
 * @section:	of @module; NULL in vmlinux
 * @offset:	from the symbol, or if @symbol is NULL, from the start of the section, in bytes
 * @place:	from _text, or from the start of the section
 * @address:	in the running kernel, if @symbol is NULL; 0: unknown
 * @args:	values to print, or NULL
 * @is_traced:	ftrace can patch @symbol: bpftrace warns about others
 */
struct probe {
	const char	*name;
	const char	*in;
	const char	*module;
	const char	*symbol;
	const char	*section;
	uint64_t	offset;
	uint64_t	place;
	uint64_t	address;
	const struct arg_list *args;
	bool		is_traced;
};

/** probe_format__find() - Return: the format with that name, NR_PROBE_FORMATS if there is none. */
enum probe_format probe_format__find(const char *name);

/** probe_formats__print() - Print all names in one line, separated by commas. */
void probe_formats__print(FILE *f);

/**
 * probe_format__names_module() - Test whether the tool accepts the name of a module
 *
 * Otherwise, the symbol must be unique among all that are loaded.
 */
bool probe_format__names_module(enum probe_format format);

/** probe_format__accepts_address() - Test whether the tool accepts an address without a symbol. */
bool probe_format__accepts_address(enum probe_format format);

/** probe_format__has_retprobe() - Test whether the tool accepts a return probe at an offset. */
bool probe_format__has_retprobe(enum probe_format format);

/**
 * struct probe_list - what to print
 * @retprobe:	the probes fire when the functions return
 * @head:	build id and module, for JSON
 */
struct probe_list {
	VECTOR(struct probe);
	bool			retprobe;
	json_t			*head;
};

/**
 * probe_list__print() - print what to paste
 *
 * A line for each; for bpftrace, several are separated by commas, and have names in comments.  With
 * arguments, a program for each, for bpftrace and tools whose programs are written in C.
 *
 * Values that the tool cannot print are omitted, with a warning and the reason.
 *
 * Return: 0, or -EOPNOTSUPP after a message if none of the values can be printed.
 */
int probe_list__print(const struct probe_list *list, enum probe_format format, FILE *f);

#endif /* ABTF_PROBE_PROBE_H */
