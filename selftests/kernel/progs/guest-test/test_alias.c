// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two FUNCs at one address, which is a function with two names.  Either will do to
 * attach to it.  A trampoline is found by its FUNC, so they have one each, and ftrace
 * lets the second in only when the first is gone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "guest.h"

#define ALIAS "alias"	/* modules/alias.c */

struct alias {
	const char *name;
	void (*call)(void);	/* by this name, where there is a choice */
};

static struct object *kmod;

static void setup(void)
{
	int err;

	if (kmod)
		return;
	err = module_load("/test/alias.ko");
	need(!err, "loading " ALIAS ": %s", strerror(-err));
	kmod = object_open(ALIAS);
}

/* kernel/sys_ni.c has an overridden definition, which is in DWARF but has no code. */
static void munlockall_syscall(void)
{
	need(!syscall(SYS_munlockall), "munlockall: %s", strerror(errno));
}

static struct alias munlockall[2] = {
	{ "__do_sys_munlockall", munlockall_syscall },
	{ NULL, munlockall_syscall },
};

/* That there are two names is how a machine defines its system calls. */
static void find_syscall(void)
{
	munlockall[1].name = syscall_func("munlockall");
	if (!symbol(NULL, munlockall[0].name))
		skip_case("functions of system calls have one name on this machine");
}

static void set_param(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	need(fd >= 0 && write(fd, "1", 1) == 1, "%s: %s", path, strerror(errno));
	close(fd);
}

static void call(void)
{
	set_param("/sys/module/" ALIAS "/parameters/call");
}

static void also(void)
{
	set_param("/sys/module/" ALIAS "/parameters/also");
}

static const struct alias target[2] = { { "target_call", call }, { "target_also", also } };

/* Both names, as programs with a counter each; returns their address. */
static __u64 targets(const struct object *obj, const struct alias *names, struct target *targets)
{
	__u64 addr[2];
	int i;

	for (i = 0; i < 2; i++) {
		addr[i] = symbol(obj == kmod ? ALIAS : NULL, names[i].name);
		targets[i] = (struct target) {
			.type = BPF_TRACE_FENTRY, .obj_fd = obj->fd,
			.id = func(obj, names[i].name), .key = i,
		};
	}
	need(addr[0] && addr[0] == addr[1], "%s is at %#llx, %s at %#llx", names[0].name,
	     addr[0], names[1].name, addr[1]);
	need(targets[0].id != targets[1].id, "one FUNC for both");
	return addr[0];
}

static void expect_calls(const struct alias *names, const struct target *target, __u64 addr)
{
	struct counter *counter = &counters[target->key];
	int i;

	counters_reset();
	for (i = 0; i < 2; i++)
		names[i].call();
	expect_eq(counter->hits, 2, names[target->key].name);
	expect_eq(counters[!target->key].hits, 0, "calls that the other program sees");
	expect(counter->ip == addr, "bpf_get_func_ip() is %#llx, not %#llx", counter->ip, addr);
}

static void either(const struct object *obj, const struct alias *names)
{
	struct target both[2];
	__u64 addr = targets(obj, names, both);
	int i, link;

	for (i = 0; i < 2; i++) {
		link = attach(&both[i]);
		expect_calls(names, &both[i], addr);
		close(link);
	}
}

/* The error of ftrace for a function that has a direct call: -EINVAL in Linux 7.2, before -EBUSY. */
static void expect_taken(int err, const char *what)
{
	expect(err == -EBUSY || err == -EINVAL, "%s: %d, expected -EBUSY or -EINVAL", what, err);
}

static void not_both(const struct object *obj, const struct alias *names)
{
	struct target both[2];
	__u64 addr = targets(obj, names, both);
	int i, link, prog;

	for (i = 0; i < 2; i++) {
		struct target *first = &both[i], *second = &both[!i];

		second->type = i ? BPF_TRACE_FENTRY : BPF_TRACE_FEXIT;
		link = attach(first);
		prog = prog_load(second);
		need(prog >= 0,
		     "loading: %s; the verifier printed:\n%s", strerror(-prog), prog_log);
		expect_taken(prog_attach(second, prog), names[!i].name);
		expect_taken(prog_attach(second, prog), "the same program again");
		expect_calls(names, first, addr);
		close(link);

		link = prog_attach(second, prog);
		need(link >= 0, "attaching %s: %s", names[!i].name, strerror(-link));
		close(prog);
		expect_calls(names, second, addr);
		expect_taken(refused(first), names[i].name);
		close(link);
	}
}

/* Both names in one link of a tracing_multi program: a call is seen once. */
static void one_link(const struct object *obj, const struct alias *names)
{
	struct target both[2], target = { .type = BPF_TRACE_FENTRY_MULTI, .obj_fd = obj->fd };
	__u64 addr = targets(obj, names, both);
	__u32 ids[2];
	int i, link;

	if (!symbol(NULL, "bpf_trampoline_multi_attach"))
		skip_case("this kernel has no tracing_multi links");
	for (i = 0; i < 2; i++)
		ids[i] = both[i].id;
	/* detaching must leave nothing, or the second round fails */
	for (i = 0; i < 2; i++) {
		link = attach_multi(&target, ids, 2);
		need(link >= 0, "both names in one link: %s", strerror(-link));
		expect_calls(names, &target, addr);
		close(link);
		expect_patched(NULL);
	}
	either(obj, names);
}

static void vmlinux_either(void)
{
	find_syscall();
	either(vmlinux(), munlockall);
}

static void vmlinux_not_both(void)
{
	find_syscall();
	not_both(vmlinux(), munlockall);
}

static void vmlinux_one_link(void)
{
	find_syscall();
	one_link(vmlinux(), munlockall);
}

static void need_folded(void)
{
	if (made_by_clang())
		skip_case("clang makes no one body of two functions");
}

static void module_either(void)
{
	need_folded();
	either(kmod, target);
}

static void module_not_both(void)
{
	need_folded();
	not_both(kmod, target);
}

static void module_one_link(void)
{
	need_folded();
	one_link(kmod, target);
}

static const struct guest_case cases[] = {
	{ "vmlinux: a program can be attached by either name of a function", vmlinux_either },
	{ "vmlinux: the second name is rejected while the first is in use, without side effects",
	  vmlinux_not_both },
	{ "vmlinux: both names in one tracing_multi link are one function", vmlinux_one_link },
	{ "module: a program can be attached by either name of a function", module_either },
	{ "module: the second name is rejected while the first is in use, without side effects",
	  module_not_both },
	{ "module: both names in one tracing_multi link are one function", module_one_link },
	{ },
};

const struct guest_test test_alias = { "alias", cases, setup };
