// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpf_btf_find_by_name_kind(), by which programs of light skeletons find their targets at
 * run time: NAME@FILE for a shared name. And the lookups of the kernel for programs that
 * name a function, or a tracepoint, by its id: the address, and the FUNC with the
 * arguments.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "guest.h"
#include "insn.h"

static void unique(void)
{
	expect_eq(look_up(vmlinux(), "func_addr_alone"), func(vmlinux(), "func_addr_alone"),
		  "the id of func_addr_alone");
	expect_eq(look_up(vmlinux(), "vfs_read"), func(vmlinux(), "vfs_read"),
		  "the id of vfs_read");
}

static void shared(void)
{
	static const char full[] = "cpumask_weight@lib/func_addr_test/weight_14.c";

	expect_eq(look_up(vmlinux(), "cpumask_weight"), -ENOENT, "cpumask_weight");
	expect_eq(look_up(vmlinux(), "func_addr_shape"), -ENOENT, "func_addr_shape");
	expect_eq(look_up(vmlinux(), full), func(vmlinux(), full), full);
}

static void unknown(void)
{
	expect_eq(look_up(vmlinux(), "func_addr_nowhere"), -ENOENT, "func_addr_nowhere");
}

static void load(const char *path)
{
	int err = module_load(path);

	need(!err, "loading %s: %s", path, strerror(-err));
}

static struct object *load_kmod(void)
{
	if (!module_loaded(KMOD))
		load(module_path(KMOD));
	return object_open(KMOD);
}

static void of_module(void)
{
	struct object *kmod = load_kmod();

	expect_eq(look_up(kmod, "func_addr_call_twin_1"), func(kmod, "func_addr_call_twin_1"),
		  "func_addr_call_twin_1");
	object_close(kmod);
}

/* As before, libbpf searches vmlinux first, and modules only if it finds nothing. */
static void kernel_first(void)
{
	struct object *kmod = load_kmod();
	__u32 ids[3];

	expect_eq(funcs(kmod, "func_addr_twin", ids, 3), 3, "FUNCs func_addr_twin in the module");
	expect_eq(look_up(vmlinux(), "func_addr_twin"), func(vmlinux(), "func_addr_twin"),
		  "the id of func_addr_twin");
	object_close(kmod);
}

/* The lower half of the address that a program gets for a FUNC. */
static __u32 address_of(__u32 id)
{
	struct bpf_insn insns[] = {
		INSN_LD_BTF_ID(BPF_REG_0, id),
		INSN_LD_FD_HIGH(),
		INSN_EXIT(),
	};
	__u32 addr;
	int prog;

	prog = prog_insns(BPF_PROG_TYPE_SYSCALL, insns, ARRAY_SIZE(insns), BPF_F_SLEEPABLE, NULL);
	need(prog >= 0, "loading: %s; the verifier printed:\n%s", strerror(-prog), prog_log);
	addr = prog_run(prog, NULL, 0);
	close(prog);
	return addr;
}

static void addresses(void)
{
	__u64 addrs[64];
	__u32 ids[64];
	int i, j, nr;

	expect_eq(address_of(func(vmlinux(), "func_addr_alone")),
		  (__u32)symbol(NULL, "func_addr_alone"), "func_addr_alone");
	nr = symbols(NULL, "type_show", addrs, ARRAY_SIZE(addrs));
	need(nr > 1 && funcs(vmlinux(), "type_show", ids, ARRAY_SIZE(ids)) == nr,
	     "not as many FUNCs type_show as symbols");
	for (i = 0; i < nr; i++) {
		__u32 addr = address_of(ids[i]);

		for (j = 0; j < nr && (__u32)addrs[j] != addr; j++)
			;
		need(j < nr, "FUNC %u: %#x is the address of no type_show left", ids[i], addr);
		addrs[j] = 0; /* each function has another address */
	}
}

/* Loads a program that reads the pid of the task that is argument @arg. */
static int load_tracepoint(int arg)
{
	struct field pid = { .type = "task_struct", .member = "pid" };
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_RAW_TP,
		    .log_buf = prog_log, .log_size = 1 << 16, .log_level = 1);
	int id, prog;

	field_find(vmlinux(), &pid);
	id = btf__find_by_name_kind(vmlinux()->btf, "btf_trace_sched_process_exit",
				    BTF_KIND_TYPEDEF);
	need(id > 0, "no btf_trace_sched_process_exit");
	opts.attach_btf_id = id;
	struct bpf_insn insns[] = {
		INSN_LOAD(BPF_DW, BPF_REG_2, BPF_REG_1, arg * 8),
		INSN_LOAD(BPF_W, BPF_REG_0, BPF_REG_2, pid.off),
		INSN_MOV_IMM(BPF_REG_0, 0),
		INSN_EXIT(),
	};
	prog_log[0] = '\0';
	prog = bpf_prog_load(BPF_PROG_TYPE_TRACING, "guest", "GPL", insns, ARRAY_SIZE(insns), &opts);
	return prog < 0 ? -errno : prog;
}

static void tracepoint(void)
{
	int prog = load_tracepoint(0);

	need(prog >= 0, "loading: %s; the verifier printed:\n%s", strerror(-prog), prog_log);
	expect(!strstr(prog_log, "Cannot find btf of tracepoint template"),
	       "the verifier printed:\n%s", prog_log);
	close(prog);
	expect_eq(load_tracepoint(1), -EACCES, "one more argument");
}

static const struct guest_case cases[] = {
	{ "a unique name is found", unique },
	{ "of a shared name, only NAME@FILE is found", shared },
	{ "an unknown name is not found", unknown },
	{ "a unique name of a module is found, with the module's BTF", of_module },
	{ "a name in vmlinux and in a module is found in vmlinux", kernel_first },
	{ "a program gets the address of the FUNC that it names", addresses },
	{ "the FUNC of a tracepoint's arguments is found", tracepoint },
	{ },
};

const struct guest_test test_lookup = { "lookup", cases, NULL };
