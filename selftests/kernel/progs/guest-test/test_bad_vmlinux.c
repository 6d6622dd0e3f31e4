// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's own BTF lies about addresses: tests/bad-vmlinux.host has edited
 * the image, what it did to whom is said here.  Each lie is found out when the
 * FUNC is used; nothing is patched, and what was not touched still works.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

static void refuse_target(const struct target *target, int err, const char *text)
{
	expect_eq(refused(target), err, "loading and attaching");
	expect(strstr(prog_log, text), "the verifier said only:\n%s", prog_log);
	expect_patched(NULL);
}

static void refuse(__u32 id, int err, const char *text)
{
	static const enum bpf_attach_type types[] = { BPF_TRACE_FENTRY, BPF_TRACE_FEXIT };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		refuse_target(&(struct target){ .type = types[i], .id = id }, err, text);
}

/* What was not meant by an edit. */
static void accept(const struct target *target)
{
	expect_eq(refused(target), 0, "loading and attaching");
	expect_patched(NULL);
}

static __u32 weight(const char *unit)
{
	return func_in(vmlinux(), "cpumask_weight", unit);
}

#define WEIGHT(n) "kernel/bpf/func_addr_test/weight_" n ".c"
#define WRONG "is not that of a function cpumask_weight"

static void off_by_4(void)
{
	refuse(weight(WEIGHT("01")), -EINVAL, WRONG);
}

static void off_by_16(void)
{
	refuse(weight(WEIGHT("02")), -EINVAL, WRONG);
}

/*
 * Before each function is padding, at whose beginning a symbol of its own starts.
 * Its name is all that is wrong with that address: a FUNC with the symbol's name
 * is told only that nothing can be patched there.
 */
static void padding_start(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY };
	int prog;

	refuse(weight(WEIGHT("03")), -EINVAL, WRONG);

	target.id = func(vmlinux(), "__pfx_cpumask_weight");
	prog = prog_load(&target);
	need(prog >= 0, "loading: %s; the verifier said:\n%s", strerror(-prog), prog_log);
	expect(strstr(prog_log, "__pfx_cpumask_weight has no patch site"),
	       "the verifier said only:\n%s", prog_log);
	expect_eq(prog_attach(&target, prog), -EBUSY, "attaching");
	close(prog);
	expect_patched(NULL);
}

static void padding_inside(void)
{
	refuse(weight(WEIGHT("08")), -EINVAL, WRONG);
}

static void outside(void)
{
	refuse(weight(WEIGHT("04")), -EINVAL, WRONG);
	refuse(weight(WEIGHT("05")), -EINVAL, WRONG);
}

static void other_function(void)
{
	refuse(weight(WEIGHT("06")), -EINVAL, WRONG);
}

static void init_cleared(void)
{
	refuse(func_in(vmlinux(), "func_addr_prepare", "kernel/bpf/func_addr_test/main.c"),
	       -EINVAL, "is not that of a function func_addr_prepare");
}

/* One FUNC more, without an address: the first of the ids. */
static void missing(void)
{
	__u32 ids[64];

	need(funcs(vmlinux(), "cpumask_weight", ids, ARRAY_SIZE(ids)) == 22 &&
	     !unit_of(vmlinux(), ids[0]), "there should be one more");
	refuse(ids[0], -EADDRNOTAVAIL, "There are several functions cpumask_weight");
}

/* A program for one LSM hook would be asked about something else. */
static void lsm_hook(void)
{
	struct target target = {
		.type = BPF_LSM_MAC, .id = func(vmlinux(), "bpf_lsm_inode_mkdir"),
	};

	refuse_target(&target, -EINVAL, "is not that of a function bpf_lsm_inode_mkdir");
	target.id = func(vmlinux(), "bpf_lsm_inode_rmdir");
	accept(&target);
}

/* One FUNC more of that name, the second of the ids. */
static void security_twin(void)
{
	struct target target = { .type = BPF_MODIFY_RETURN };
	__u32 ids[2];

	need(funcs(vmlinux(), "security_inode_rmdir", ids, 2) == 2, "there should be one more");
	target.id = ids[0];
	refuse_target(&target, -EINVAL, "security_inode_rmdir() is not modifiable");
	target.type = BPF_TRACE_FENTRY;
	accept(&target);
}

/*
 * Lists of functions that deny have ids, and the kernel has no function in them of
 * which there is another FUNC.  So FUNCs in them have become those of functions
 * that have.  Without that, test_deny attaches to the same functions.
 */
#define NORETURN "fexit/fmod_ret to __noreturn functions is rejected"

/* In btf_id_deny is __x64_sys_vhangup(), another name of this one. */
static void deny_alias(void)
{
	refuse(func(vmlinux(), "__do_sys_vhangup"), -EINVAL, "processed 0 insns");
	expect(!strstr(prog_log, "not that of a function"), "the verifier said:\n%s", prog_log);
}

/* In the two other lists is __x64_sys_munlockall(), likewise. */
static void noreturn_alias(void)
{
	struct target target = { .id = func(vmlinux(), "__do_sys_munlockall") };

	target.type = BPF_TRACE_FEXIT;
	refuse_target(&target, -EINVAL, NORETURN);
	target.type = BPF_MODIFY_RETURN;
	refuse_target(&target, -EINVAL, NORETURN);
	target.type = BPF_TRACE_FENTRY;
	accept(&target);
	target.sleepable = true;
	refuse_target(&target, -EINVAL, "__do_sys_munlockall is not sleepable");
}

/* In the list is the function NAME, of which gcc has made this clone. */
static void noreturn_clone(void)
{
	char *clone = read_file("/files/clone", NULL);
	struct target target = { .type = BPF_TRACE_FEXIT };
	__u32 ids[64];
	int i, nr, prog;

	clone[strcspn(clone, "\n")] = '\0';
	nr = funcs(vmlinux(), clone, ids, ARRAY_SIZE(ids));
	need(strchr(clone, '.') && nr, "no FUNC %s", clone);
	for (i = 0; i < nr; i++) {
		target.id = ids[i];
		refuse_target(&target, -EINVAL, NORETURN);
	}
	/* Whether it can be patched is another matter. */
	target.type = BPF_TRACE_FENTRY;
	prog = prog_load(&target);
	expect(prog >= 0, "fentry: the verifier said:\n%s", prog_log);
	close(prog);
	free(clone);
}

static void others_work(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY, .id = weight(WEIGHT("07")) };
	int link;

	counters_reset();
	link = attach(&target);
	expect_patched("cpumask_weight");
	trigger(TRIGGERS "weight_06");
	expect_eq(counters[0].hits, 0, "calls seen of weight_06");
	trigger(TRIGGERS "weight_07");
	expect_eq(counters[0].hits, 1, "calls seen of weight_07");
	close(link);
	expect_patched(NULL);
}

static const struct guest_case cases[] = {
	{ "4 bytes off", off_by_4 },
	{ "16 bytes off", off_by_16 },
	{ "where the padding before it begins", padding_start },
	{ "inside the padding before it", padding_inside },
	{ "outside text: in data, and beyond the kernel", outside },
	{ "at another function", other_function },
	{ "in init text, and not flagged so", init_cleared },
	{ "no address, though several functions have the name", missing },
	{ "an LSM hook at another one", lsm_hook },
	{ "fmod_ret on a security_ function: two FUNCs have the name", security_twin },
	{ "a function to which nothing is attached, by its other name", deny_alias },
	{ "one that does not return, and that does not sleep, by its other name",
	  noreturn_alias },
	{ "a clone of one that does not return", noreturn_clone },
	{ "what was not touched is attached", others_work },
	{ },
};

const struct guest_test test_bad_vmlinux = { "bad-vmlinux", cases, NULL };
