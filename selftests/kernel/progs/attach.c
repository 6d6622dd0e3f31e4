// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach NAME|ID [FILE...]: attaches a program to the entry of a kernel function
 * that counts its calls, reads each file and prints for each, a line each,
 *
 *	COUNT FILE
 *
 * where COUNT is how often the function was called meanwhile by this process, and
 * then "at 0xADDRESS", the result of bpf_get_func_ip(), if it was called at all.  A name
 * selects the first function with that name, as in old programs.
 *
 * If the program cannot be loaded or attached, prints "load: ERROR" or
 * "attach: ERROR" with the name of the errno, or its number if user space has no
 * name for it, and exits with 2.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <linux/bpf.h>

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })

/* the result of the program: the only value of an array */
struct seen {
	__u64 count;
	__u64 addr;
};

static char log_buf[65536];

static int load(int map, __u32 btf_id)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		.expected_attach_type = BPF_TRACE_FENTRY,
		.attach_btf_id = btf_id,
		.log_buf = log_buf, .log_size = sizeof(log_buf), .log_level = 1);
	struct bpf_insn insns[] = {
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0),
		/* others may call the function, too */
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_current_pid_tgid),
		INSN(BPF_JMP32 | BPF_JNE | BPF_K, 0, 0, 7, getpid()),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 6, 0, 0),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_func_ip),
		INSN(BPF_LD | BPF_DW | BPF_IMM, 2, BPF_PSEUDO_MAP_VALUE, 0, map),
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_STX | BPF_MEM | BPF_DW, 2, 0, offsetof(struct seen, addr), 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 1),
		INSN(BPF_STX | BPF_ATOMIC | BPF_DW, 2, 3, offsetof(struct seen, count), BPF_ADD),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};

	return bpf_prog_load(BPF_PROG_TYPE_TRACING, "attach", "GPL", insns,
			     sizeof(insns) / sizeof(insns[0]), &opts);
}

static struct seen look(int map)
{
	struct seen seen = {};
	__u32 zero = 0;

	bpf_map_lookup_elem(map, &zero, &seen);
	return seen;
}

static void read_all(const char *path)
{
	static char buf[65536];
	int fd = open(path, O_RDONLY);

	if (fd < 0) {
		perror(path);
		exit(1);
	}
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	close(fd);
}

static void failed(const char *what)
{
	if (strerrorname_np(errno))
		printf("%s: %s\n", what, strerrorname_np(errno));
	else
		printf("%s: %d\n", what, errno);
	fputs(log_buf, stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	struct seen before, after;
	int map, prog;
	__s32 id;

	if (argc < 2)
		return 1;
	id = atoi(argv[1]);
	if (!id) {
		struct btf *btf = btf__load_vmlinux_btf();

		id = btf__find_by_name_kind(btf, argv[1], BTF_KIND_FUNC);
		if (id < 0) {
			errno = -id;
			failed("find");
		}
		btf__free(btf);
	}
	map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "seen", 4, sizeof(struct seen), 1, NULL);
	if (map < 0)
		failed("map");
	prog = load(map, id);
	if (prog < 0)
		failed("load");
	if (bpf_raw_tracepoint_open(NULL, prog) < 0)
		failed("attach");

	for (int i = 2; i < argc; i++) {
		before = look(map);
		read_all(argv[i]);
		after = look(map);
		printf("%llu %s\n", after.count - before.count, argv[i]);
	}
	after = look(map);
	if (after.count)
		printf("at 0x%llx\n", after.addr);
	return 0;
}
