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

/* Nobody has a direct call or any other trace of ours. */
static void expect_nothing_patched(void)
{
	char *functions = read_file("/sys/kernel/tracing/enabled_functions", NULL);

	expect(!*functions, "patched is:\n%s", functions);
	free(functions);
}

static void refuse(__u32 id, int err, const char *text)
{
	static const enum bpf_attach_type types[] = { BPF_TRACE_FENTRY, BPF_TRACE_FEXIT };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		struct target target = { .type = types[i], .id = id };

		expect_eq(refused(&target), err, "loading and attaching");
		expect(strstr(prog_log, text), "the verifier said only:\n%s", prog_log);
	}
	expect_nothing_patched();
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

static void before(void)
{
	refuse(weight(WEIGHT("03")), -EINVAL, WRONG);
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

/* One FUNC more than there were, without an address: the first of the ids. */
static void missing(void)
{
	__u32 ids[64];

	need(funcs(vmlinux(), "cpumask_weight", ids, ARRAY_SIZE(ids)) == 23,
	     "there should be one more");
	refuse(ids[0], -EADDRNOTAVAIL, "There are several functions cpumask_weight");
}

static void others_work(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY, .id = weight(WEIGHT("07")) };
	int link;

	counters_reset();
	link = attach(&target);
	trigger(TRIGGERS "weight_06");
	expect_eq(counters[0].hits, 0, "calls seen of weight_06");
	trigger(TRIGGERS "weight_07");
	expect_eq(counters[0].hits, 1, "calls seen of weight_07");
	close(link);
	expect_nothing_patched();
}

static const struct guest_case cases[] = {
	{ "4 bytes off", off_by_4 },
	{ "16 bytes off", off_by_16 },
	{ "before its beginning, in the padding", before },
	{ "outside text: in data, and beyond the kernel", outside },
	{ "at another function", other_function },
	{ "in init text, and not flagged so", init_cleared },
	{ "no address, though several functions have the name", missing },
	{ "what was not touched is attached", others_work },
	{ },
};

const struct guest_test test_bad_vmlinux = { "bad-vmlinux", cases, NULL };
