// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's own BTF has wrong addresses: tests/bad-vmlinux.host has edited the
 * image, as described here.  The kernel finds each wrong address when the FUNC is used,
 * and patches nothing; the other FUNCs still work.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

static void refuse_target(const struct target *target, int err, const char *text)
{
	expect_eq(refused(target), err, "loading and attaching");
	expect(strstr(prog_log, text), "the verifier printed:\n%s", prog_log);
	expect_patched(NULL);
}

static void refuse(__u32 id, int err, const char *text)
{
	static const enum bpf_attach_type types[] = { BPF_TRACE_FENTRY, BPF_TRACE_FEXIT };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		refuse_target(&(struct target){ .type = types[i], .id = id }, err, text);
}

/* FUNCs that no edit changed. */
static void accept(const struct target *target)
{
	expect_eq(refused(target), 0, "loading and attaching");
	expect_patched(NULL);
}

static __u32 weight(const char *unit)
{
	return func_in(vmlinux(), "cpumask_weight", unit);
}

#define WEIGHT(n) "lib/func_addr_test/weight_" n ".c"
#define WRONG " is not at its address in BTF"

static void off_by_4(void)
{
	refuse(weight(WEIGHT("01")), -EINVAL, WRONG);
}

static void off_by_16(void)
{
	refuse(weight(WEIGHT("02")), -EINVAL, WRONG);
}

/*
 * Before each function there may be padding, with its own symbol at the start.  Only its
 * name makes that address wrong: nothing can be attached to a FUNC with the symbol's
 * name, because there is nothing to patch.
 */
static void padding_start(void)
{
	refuse(weight(WEIGHT("03")), -EINVAL, WRONG);
}

static void padding_symbol(void)
{
	__u32 ids[1];

	if (!funcs(vmlinux(), "__pfx_cpumask_weight", ids, 1))
		skip_case("padding has no symbols here");
	refuse(ids[0], -ENOENT, "Function __pfx_cpumask_weight cannot be traced");
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

static void init_text(void)
{
	refuse(weight(WEIGHT("10")), -EINVAL, WRONG);
}

/* Each has the address of the other. */
static void swapped(void)
{
	refuse(func(vmlinux(), "func_addr_left_shape"), -EINVAL,
	       "Function func_addr_left_shape is not at its address");
	refuse(func(vmlinux(), "func_addr_right_shape"), -EINVAL,
	       "Function func_addr_right_shape is not at its address");
}

/* All have the address of func_addr_alone(). */
static void not_before_at(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY };
	int link;

	refuse(func(vmlinux(), "no_such_function@a.c"), -EINVAL, "Function no_such_function@a.c is not at its address");
	refuse(func(vmlinux(), "vfs_read@fs/a.c"), -EINVAL, "Function vfs_read@fs/a.c is not at its address");
	refuse(func(vmlinux(), "func_addr_alon@e"), -EINVAL, "Function func_addr_alon@e is not at its address");
	/* its name starts with another symbol's name */
	refuse(func(vmlinux(), "func_addr_alone_@a.c"), -EINVAL, "Function func_addr_alone_@a.c is not at its address");

	/* The kernel ignores the part after '@'. */
	target.id = func(vmlinux(), "func_addr_alone@nowhere");
	counters_reset();
	link = attach(&target);
	trigger(TRIGGERS "call_alone");
	expect_eq(counters[0].hits, 1, "seen calls of func_addr_alone");
	close(link);
}

/*
 * Two FUNCs with the same name and file: an id selects one of them.  The second is at
 * the other function with that name, and its address decides.
 */
static void one_name(void)
{
	__u32 id, end = btf__type_cnt(vmlinux()->btf);
	struct target target = { .type = BPF_TRACE_FENTRY };
	int link, nr = 0, seen = 0;

	for (id = 1; id < end; id++) {
		const struct btf_type *t = btf__type_by_id(vmlinux()->btf, id);

		if (!btf_is_func(t) || strcmp(btf__name_by_offset(vmlinux()->btf, t->name_off),
					      "func_addr_fail@lib/func_addr_test/left.c"))
			continue;
		target.id = id;
		counters_reset();
		link = attach(&target);
		trigger(TRIGGERS "left_fail");
		seen += counters[0].hits;
		trigger(TRIGGERS "right_fail");
		expect_eq(counters[0].hits, 1, "seen calls of the two functions");
		close(link);
		nr++;
	}
	expect_eq(nr, 2, "FUNCs with this name");
	expect_eq(seen, 1, "FUNCs whose program sees calls in left.c");
}

/* A program for one LSM hook would decide about a different operation. */
static void lsm_hook(void)
{
	struct target target = {
		.type = BPF_LSM_MAC, .id = func(vmlinux(), "bpf_lsm_inode_mkdir"),
	};

	refuse_target(&target, -EINVAL, "Function bpf_lsm_inode_mkdir is not at its address");
	target.id = func(vmlinux(), "bpf_lsm_inode_rmdir");
	accept(&target);
}

/* The prefix makes a function modifiable, but not if it shares its name with another one. */
static void security_twin(void)
{
	struct target target = {
		.type = BPF_MODIFY_RETURN, .id = func(vmlinux(), "security_inode_rmdir@a.c"),
	};

	refuse_target(&target, -EINVAL, "security_inode_rmdir@a.c() is not modifiable");
	target.type = BPF_TRACE_FENTRY;
	accept(&target);
}

static void others_work(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY, .id = weight(WEIGHT("07")) };
	int link;

	counters_reset();
	link = attach(&target);
	expect_patched("cpumask_weight");
	trigger(TRIGGERS "weight_06");
	expect_eq(counters[0].hits, 0, "seen calls of weight_06");
	trigger(TRIGGERS "weight_07");
	expect_eq(counters[0].hits, 1, "seen calls of weight_07");
	close(link);
	expect_patched(NULL);
}

static const struct guest_case cases[] = {
	{ "an address that is 4 bytes off is rejected", off_by_4 },
	{ "an address that is 16 bytes off is rejected", off_by_16 },
	{ "the start of the padding before a function is rejected", padding_start },
	{ "a FUNC with the name of a padding symbol cannot be traced", padding_symbol },
	{ "an address inside the padding before a function is rejected", padding_inside },
	{ "an address in data, or beyond the kernel, is rejected", outside },
	{ "the address of another function is rejected", other_function },
	{ "an address in init text is rejected", init_text },
	{ "two FUNCs with swapped addresses are rejected", swapped },
	{ "a FUNC is rejected unless the part of its name before '@' is a symbol at its address",
	  not_before_at },
	{ "two FUNCs with the same name are attached to their own functions", one_name },
	{ "an LSM hook with the address of another hook is rejected", lsm_hook },
	{ "fmod_ret is rejected on a second FUNC at the address of a security_ function",
	  security_twin },
	{ "programs attach to functions that were not edited", others_work },
	{ },
};

const struct guest_test test_bad_vmlinux = { "bad-vmlinux", cases, NULL };
