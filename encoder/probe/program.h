/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs that print arguments: for bpftrace, and in C for libbpf and bcc.
 */
#ifndef ABTF_PROBE_PROGRAM_H
#define ABTF_PROBE_PROGRAM_H

#include <stdio.h>

#include "probe/args.h"

/**
 * program__print_bpftrace() - print the block of a probe: "{ printf(...); }"
 * @label:	name of the probe; may contain any printable characters
 */
void program__print_bpftrace(const struct arg_list *list, const char *label, FILE *f);

/**
 * program__print_c() - print a function for libbpf, with BPF_KPROBE() or BPF_KRETPROBE()
 * @name:	of the function; a C identifier
 *
 * It needs vmlinux.h, and bpf_helpers.h, bpf_tracing.h and bpf_core_read.h of libbpf.
 */
void program__print_c(const struct arg_list *list, const char *name, const char *label, FILE *f);

/** program__print_bcc() - Print a function for bcc, without types of the kernel. */
void program__print_bcc(const struct arg_list *list, const char *name, const char *label, FILE *f);

#endif /* ABTF_PROBE_PROGRAM_H */
