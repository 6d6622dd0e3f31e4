// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module of test_module.c without addresses in its BTF, on a kernel that has
 * addresses in its own.  A stock kernel finds functions of a module by name, and
 * so does this one: any FUNC in the module's BTF selects the module's function with
 * that name, the first if there are several.
 */
#include <string.h>
#include <unistd.h>

#include "guest.h"
#include "insn.h"

static struct object *kmod;

static void setup(void)
{
	int err;

	if (kmod)
		return;
	need(!module_loaded(KMOD), "%s is loaded already", KMOD);
	err = module_load(module_path(KMOD));
	need(!err, "loading %s: %s", KMOD, strerror(-err));
	kmod = object_open(KMOD);
}

/* The module's own FUNC, or the kernel's, where the encoder found them equal. */
static __u32 any_func(const char *name)
{
	__u32 ids[8];

	if (funcs(kmod, name, ids, ARRAY_SIZE(ids)))
		return ids[0];
	return func(vmlinux(), name);
}

/* Attaches by name and returns which function that was. */
static __u64 attached_to(const char *name, const char *file)
{
	struct target target = {
		.type = BPF_TRACE_FENTRY, .obj_fd = kmod->fd, .id = any_func(name),
	};
	int link;

	counters_reset();
	link = attach(&target);
	trigger(file);
	close(link);
	return counters[0].ip;
}

static void shared(void)
{
	expect(attached_to("func_addr_shared", KMOD_TRIGGERS "call_shared") ==
	       symbol(KMOD, "func_addr_shared"), "no call of the module's seen");
}

/* At most one FUNC denotes three functions: the first one in the symbol table. */
static void twins(void)
{
	__u64 addrs[3];

	need(symbols(KMOD, "func_addr_twin", addrs, 3) == 3, "not 3 symbols func_addr_twin");
	expect(attached_to("func_addr_twin", KMOD_TRIGGERS "call_twin_1") == addrs[0],
	       "that is not the first one");
}

/* By name alone, the kernel's own function is found before the module's. */
static void kfunc(void)
{
	struct bpf_insn insns[] = {
		INSN_MOV_IMM(BPF_REG_1, 1),
		{},
		INSN_EXIT(),
	};
	int fds[] = { 0, kmod->fd }, prog;
	__u32 ids[8];

	/* in Linux 7.2 the kernel has two: a module's kfunc may not have a name that it has */
	if (funcs(vmlinux(), "func_addr_answer", ids, ARRAY_SIZE(ids)) != 1)
		ids[0] = func(kmod, "func_addr_answer");
	insns[1] = INSN_CALL_KFUNC(ids[0], 1);
	prog = prog_insns(BPF_PROG_TYPE_SYSCALL, insns, ARRAY_SIZE(insns), BPF_F_SLEEPABLE, fds);
	need(prog >= 0, "loading: %s; the verifier printed:\n%s", strerror(-prog), prog_log);
	expect_eq(prog_run(prog, NULL, 0), 2, "func_addr_answer()");
	close(prog);
}

static const struct guest_case cases[] = {
	{ "a name in vmlinux and in a module denotes the module's function", shared },
	{ "of three functions with the same name, the first is used", twins },
	{ "a kfunc is looked up by name", kfunc },
	{ },
};

const struct guest_test test_plain_module = { "plain-module", cases, setup };
