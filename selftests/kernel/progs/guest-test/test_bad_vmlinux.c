// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's own BTF lies about addresses: tests/bad-vmlinux.host has edited
 * the image, what it did to whom is said here.  Each lie is found out when the
 * FUNC is used; nothing is patched, and what was not touched still works.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

static void refuse(__u32 id, int err, const char *text)
{
	static const enum bpf_attach_type types[] = { BPF_TRACE_FENTRY, BPF_TRACE_FEXIT };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		struct target target = { .type = types[i], .id = id };

		expect_eq(refused(&target), err, "loading and attaching");
		expect(strstr(prog_log, text), "the verifier said only:\n%s", prog_log);
	}
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
	{ "what was not touched is attached", others_work },
	{ },
};

const struct guest_test test_bad_vmlinux = { "bad-vmlinux", cases, NULL };
