// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the time to load a program for one function and to attach it, by BTF id: medians
 * in microseconds, for bench.sh. The function's name is unique, so this also works on a
 * kernel without addresses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>

#define ROUNDS 301

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e6 + ts.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare);
	return values[ROUNDS / 2];
}

int main(int argc, char **argv)
{
	struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	static double load[ROUNDS], attach[ROUNDS];
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	struct btf *btf = btf__load_vmlinux_btf();
	int id, i, prog, link;
	double start;

	if (argc != 2 || !btf)
		return 2;
	id = btf__find_by_name_kind(btf, argv[1], BTF_KIND_FUNC);
	if (id < 0) {
		fprintf(stderr, "no FUNC %s\n", argv[1]);
		return 1;
	}
	opts.attach_btf_id = id;
	for (i = 0; i < ROUNDS; i++) {
		start = now();
		prog = bpf_prog_load(BPF_PROG_TYPE_TRACING, "cost", "GPL", insns, 2, &opts);
		load[i] = now() - start;
		start = now();
		link = bpf_link_create(prog, 0, BPF_TRACE_FENTRY, NULL);
		attach[i] = now() - start;
		if (prog < 0 || link < 0) {
			perror(argv[1]);
			return 1;
		}
		close(link);
		close(prog);
	}
	printf("load %.1f\nattach %.1f\n", median(load), median(attach));
	return 0;
}
