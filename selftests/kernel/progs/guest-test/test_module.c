// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of a module that share a name, with each other and with functions of vmlinux;
 * and the ids that old user space passes for them: it searches names from the first id,
 * finds vmlinux's FUNC, and passes its id with the module's BTF.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "guest.h"
#include "insn.h"

static struct object *kmod;

/* Every case finds the module loaded, and its BTF as it is then. */
static void setup(void)
{
	int err;

	if (kmod)
		object_close(kmod);
	kmod = NULL;
	if (!module_loaded(KMOD)) {
		err = module_load(module_path(KMOD));
		need(!err, "loading %s: %s", KMOD, strerror(-err));
	}
	kmod = object_open(KMOD);
}

/* --- twins ------------------------------------------------------------------ */

static void three_twins(void)
{
	struct target target[3] = {};
	__u64 addrs[3];
	int links[3], i, j;
	char text[128];

	need(symbols(KMOD, "func_addr_twin", addrs, 3) == 3, "not 3 symbols func_addr_twin");
	counters_reset();
	for (i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "lib/func_addr_test/twin_%d.c", i + 1);
		target[i] = (struct target) {
			.type = i == 1 ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY, .obj_fd = kmod->fd,
			.id = func_in(kmod, "func_addr_twin", text), .key = i,
		};
		links[i] = attach(&target[i]);
	}
	for (i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), KMOD_TRIGGERS "call_twin_%d", i + 1);
		expect_eq(trigger(text), 101 * (i + 1), text);
		for (j = 0; j < 3; j++)
			expect_eq(counters[j].hits, j <= i, "calls seen by one of three");
		for (j = 0; j < 3 && addrs[j] != counters[i].ip; j++)
			;
		expect(j < 3, "bpf_get_func_ip() of %s is the address of no func_addr_twin", text);
		addrs[j < 3 ? j : 0] = 0;
		close(links[i]);
	}
}

/* One name, one prototype: the kernel's and the module's. */
static void twin_of_vmlinux(void)
{
	struct target ours = { .type = BPF_TRACE_FENTRY, .key = 0 };
	struct target theirs = { .type = BPF_TRACE_FENTRY, .key = 1, .obj_fd = kmod->fd };
	int link[2];

	ours.id = func(vmlinux(), "func_addr_shared");
	theirs.id = func(kmod, "func_addr_shared");
	counters_reset();
	link[0] = attach(&ours);
	link[1] = attach(&theirs);
	expect_eq(trigger(TRIGGERS "call_shared"), 1001, "vmlinux's function");
	expect_eq(counters[0].hits, 1, "calls in vmlinux, seen there");
	expect_eq(counters[1].hits, 0, "calls in vmlinux, seen in the module");
	expect_eq(trigger(KMOD_TRIGGERS "call_shared"), 2001, "the module's function");
	expect_eq(trigger(KMOD_TRIGGERS "call_shared"), 2001, "the module's function, again");
	expect_eq(counters[0].hits, 1, "calls seen in vmlinux");
	expect_eq(counters[1].hits, 2, "calls seen in the module");
	expect(counters[0].ip == symbol(NULL, "func_addr_shared"),
	       "vmlinux's function is elsewhere");
	expect(counters[1].ip == symbol(KMOD, "func_addr_shared"),
	       "the module's function is elsewhere");
	close(link[0]);
	close(link[1]);
}

static void init_refused(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY, .obj_fd = kmod->fd };

	target.id = func(kmod, "func_addr_kmod_prepare");
	expect_eq(refused(&target), -ENXIO, "a function in init text");
	expect(strstr(prog_log, "func_addr_kmod_prepare has no address"),
	       "the verifier printed:\n%s", prog_log);
}

/* --- unload and load again ---------------------------------------------------- */

static void reload(void)
{
	const char *const others[] = { lone_module("md5", "libmd5"),
				       lone_module("sha512_generic", "libsha512") };
	__u64 before = symbol(KMOD, "func_addr_shared"), after;
	struct target target = { .type = BPF_TRACE_FENTRY, .obj_fd = kmod->fd };
	int link, err;
	size_t i;

	target.id = func(kmod, "func_addr_shared");
	counters_reset();
	link = attach(&target);
	expect_eq(module_unload(KMOD), -EAGAIN, "unloading the module while a program is attached");
	close(link);
	object_close(kmod);
	kmod = NULL;
	err = module_unload(KMOD);
	need(!err, "unloading: %s", strerror(-err));

	/* Whatever is loaded now gets the place that has become free. */
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		if (module_loaded(others[i]))
			continue;
		err = module_load(module_path(others[i]));
		need(!err, "loading %s: %s", others[i], strerror(-err));
	}
	setup();
	for (i = 0; i < ARRAY_SIZE(others); i++)
		module_unload(others[i]);
	after = symbol(KMOD, "func_addr_shared");
	need(before && after && before != after, "the reloaded module has the same address");

	target.obj_fd = kmod->fd;
	target.id = func(kmod, "func_addr_shared");
	counters_reset();
	link = attach(&target);
	expect_eq(trigger(KMOD_TRIGGERS "call_shared"), 2001, "the module's");
	expect_eq(counters[0].hits, 1, "calls seen at the new address");
	expect(counters[0].ip == after, "bpf_get_func_ip() is not the address in kallsyms");
	close(link);
}

/* --- kfuncs ------------------------------------------------------------------- */

/* r1 = 1; return func_addr_answer(r1). Return: a descriptor or a negative errno */
static int answer_load(__u32 id, int btf_fd)
{
	struct bpf_insn insns[] = {
		INSN_MOV_IMM(BPF_REG_1, 1),
		INSN_CALL_KFUNC(id, 1),
		INSN_EXIT(),
	};
	int fds[] = { 0, btf_fd };

	return prog_insns(BPF_PROG_TYPE_SYSCALL, insns, ARRAY_SIZE(insns), BPF_F_SLEEPABLE, fds);
}

/* The kernel's answer to 1 is 2, the module's is 3. */
static void kfunc(void)
{
	int prog = answer_load(func(kmod, "func_addr_answer"), kmod->fd);

	need(prog >= 0, "loading: %s; the verifier printed:\n%s", strerror(-prog), prog_log);
	expect_eq(trigger(TRIGGERS "call_answer"), 2, "func_addr_answer() of vmlinux");
	expect_eq(prog_run(prog, NULL, 0), 3, "func_addr_answer() of the module");
	close(prog);
}

/* --- the module's BTF with ids of the kernel's -------------------------------- */

static void base_id(void)
{
	struct target base = { .type = BPF_TRACE_FENTRY, .obj_fd = kmod->fd, .key = 0 };
	struct target own = { .type = BPF_TRACE_FENTRY, .obj_fd = kmod->fd, .key = 1 };
	int link[2];

	base.id = func(vmlinux(), "func_addr_shared");
	own.id = func(kmod, "func_addr_shared");
	counters_reset();
	link[0] = attach(&base);
	/* Both mean one function: one trampoline, or this one would be -EBUSY. */
	link[1] = attach(&own);
	trigger(TRIGGERS "call_shared");
	expect_eq(counters[0].hits, 0, "calls of the kernel's");
	trigger(KMOD_TRIGGERS "call_shared");
	expect_eq(counters[0].hits, 1, "calls of the module's function, by a base id");
	expect_eq(counters[1].hits, 1, "calls of the module's function, by its own id");
	expect(counters[0].ip == symbol(KMOD, "func_addr_shared"),
	       "bpf_get_func_ip() is not in the module");
	close(link[0]);
	close(link[1]);
}

/* The same by a tracing_multi link. */
static void base_id_multi(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY_MULTI, .obj_fd = kmod->fd };
	const __u32 ids[] = { func(vmlinux(), "func_addr_shared"), func(kmod, "func_addr_shared") };
	__u32 alone = func(vmlinux(), "func_addr_alone");
	int link, nr;

	if (!symbol(NULL, "bpf_trampoline_multi_attach"))
		skip_case("this kernel has no tracing_multi links");
	/* the kernel's id alone; both ids, as a pattern of libbpf can pass them, mean one function */
	for (nr = 1; nr <= 2; nr++) {
		counters_reset();
		link = attach_multi(&target, ids, nr);
		need(link >= 0, "by the first %d ids: %s", nr, strerror(-link));
		trigger(TRIGGERS "call_shared");
		expect_eq(counters[0].hits, 0, "calls of the kernel's");
		trigger(KMOD_TRIGGERS "call_shared");
		expect_eq(counters[0].hits, 1, "calls of the module's");
		expect(counters[0].ip == symbol(KMOD, "func_addr_shared"),
		       "bpf_get_func_ip() is not in the module");
		close(link);
		expect_patched(NULL);
	}
	expect_eq(attach_multi(&target, &alone, 1), -ENOENT, "the module has no function with that name");
}

/* The FUNCs are called func_addr_twin@FILE, so the bare name selects no function. */
static void base_id_several(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY, .obj_fd = kmod->fd };

	target.id = func(vmlinux(), "func_addr_twin");
	expect_eq(refused(&target), -ENOENT, "the module has three functions with that name");
	expect(strstr(prog_log, "has no function"),
	       "the verifier printed:\n%s", prog_log);
}

/* The prototype of the module's function applies. */
static void base_id_differs(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY, .obj_fd = kmod->fd };
	int link;

	target.id = func(vmlinux(), "func_addr_differ");
	counters_reset();
	link = attach(&target);
	expect_eq(trigger(TRIGGERS "call_differ"), 4, "vmlinux's function");
	expect_eq(counters[0].hits, 0, "calls of the kernel's");
	expect_eq(trigger(KMOD_TRIGGERS "call_differ"), 3, "the module's function");
	expect_eq(counters[0].hits, 1, "calls of the module's");
	close(link);
}

static void base_id_none(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY, .obj_fd = kmod->fd };
	int err;

	target.id = func(vmlinux(), "func_addr_alone");
	err = refused(&target);
	expect_eq(err, -ENOENT, "the module has no function with that name");
	expect(strstr(prog_log, "has no function"),
	       "the verifier printed:\n%s", prog_log);
}

/*
 * The function in vmlinux with that name is not a kfunc.  In 7.2 there are two of them, since
 * a module's kfunc may not have the name of a FUNC of the kernel's.
 */
static void base_id_kfunc(void)
{
	__u32 ids[2];
	int prog;

	need(funcs(vmlinux(), "func_addr_answer", ids, 2), "the kernel has no func_addr_answer");
	prog = answer_load(ids[0], kmod->fd);
	expect_eq(prog, -EACCES, "a call by a base id");
	expect(strstr(prog_log, "calling kernel function func_addr_answer") &&
	       strstr(prog_log, " is not allowed"), "the verifier printed:\n%s", prog_log);
}

/*
 * Whether a program may call this helper depends on the name of its target. A stock kernel
 * looks the id up in vmlinux, which does not have it, and crashes.
 */
static void sk_storage(void)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		.expected_attach_type = BPF_TRACE_FENTRY, .attach_btf_obj_fd = kmod->fd,
		.log_buf = prog_log, .log_size = 4096, .log_level = 1);
	const struct bpf_insn insns[] = {
		INSN_MOV_IMM(BPF_REG_1, 0),
		INSN_CALL(BPF_FUNC_sk_storage_get),
		INSN_EXIT(),
	};
	int prog;

	opts.attach_btf_id = func(kmod, "func_addr_shared");
	prog = bpf_prog_load(BPF_PROG_TYPE_TRACING, "storage", "GPL", insns, ARRAY_SIZE(insns),
			     &opts);
	expect(prog < 0 && strstr(prog_log, "expected=map_ptr"),
	       "not rejected because of its argument; the verifier printed:\n%s", prog_log);
}

static const struct guest_case cases[] = {
	{ "each program at one of three twins only sees calls of its own function", three_twins },
	{ "programs at twins in vmlinux and in a module only see calls of their own function",
	  twin_of_vmlinux },
	{ "a function in init text is rejected with -ENXIO", init_refused },
	{ "a module that was reloaded at another address can be traced", reload },
	{ "a program calls the module's kfunc, not a vmlinux function with that name", kfunc },
	{ "a base id with the module's BTF denotes the module's function", base_id },
	{ "a base id in a tracing_multi link denotes the module's function", base_id_multi },
	{ "with a base id, the prototype of the module's function applies", base_id_differs },
	{ "a base id is rejected with -ENOENT if the module has several such functions",
	  base_id_several },
	{ "a base id is rejected with -ENOENT if the module has no such function", base_id_none },
	{ "a program cannot call a module's kfunc by a base id", base_id_kfunc },
	{ "a program at the module's function may call bpf_sk_storage_get()", sk_storage },
	{ },
};

const struct guest_test test_module = { "module", cases, setup };
