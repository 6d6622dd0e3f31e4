// SPDX-License-Identifier: GPL-2.0-only
/*
 * The 22 cpumask_weight() of the test object: a program that is attached to one of them, by
 * id, only sees calls of its own function. This is tested in vmlinux, and in the module of
 * tests/weight-module.host, which is built from the same sources.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

#define NR_WEIGHTS 22
#define MODULE "bpf_func_addr_test"
#define MODULE_TRIGGERS "/sys/kernel/debug/bpf_func_addr_test_m/"

static struct object *object;	/* whose functions they are */

static struct {
	__u32 id;		/* the FUNC cpumask_weight@.../weight_NN.c */
	__u64 addr;		/* where weight_NN.c has its cpumask_weight() */
	char file[128];		/* reading it calls that one */
} weights[NR_WEIGHTS];

/*
 * Names of files in the tree are relative to its root. For an external module, kbuild of
 * Linux 7.2 makes them relative to the module's directory, and earlier versions to the
 * common directory of all its files.
 */
static __u32 find_id(int number, const char *module)
{
	static const char whole[] = "cpumask_weight@lib/func_addr_test/weight_%02d.c";
	static const char file[] = "cpumask_weight@weight_%02d.c";
	bool is_short = module && btf__find_by_name_kind(object->btf, "cpumask_weight@weight_01.c",
							 BTF_KIND_FUNC) > 0;
	char name[64];

	snprintf(name, sizeof(name), is_short ? file : whole, number);
	return func(object, name);
}

/*
 * BTF has the file of each FUNC, kallsyms has the addresses.  To match the 22 addresses
 * with files from kallsyms only: the compiler puts each function before or after
 * func_addr_weight_NN(), the other function of its unit, or a linker with LTO puts all 22
 * together, but in each case the order follows the units.
 */
static void find(const char *module, const char *triggers)
{
	__u64 addrs[NR_WEIGHTS], callers[NR_WEIGHTS];
	char name[64];
	int i, j, nr;

	object = module ? object_open(module) : vmlinux();
	nr = symbols(module, "cpumask_weight", addrs, NR_WEIGHTS);
	need(nr == NR_WEIGHTS, "%d symbols cpumask_weight, expected %d", nr, NR_WEIGHTS);
	for (i = 0; i < NR_WEIGHTS; i++) {
		snprintf(weights[i].file, sizeof(weights[i].file), "%sweight_%02d", triggers,
			 i + 1);
		snprintf(name, sizeof(name), "func_addr_weight_%02d", i + 1);
		callers[i] = symbol(module, name);
		need(callers[i], "no symbol %s", name);
	}
	for (i = 0; i < NR_WEIGHTS; i++) {
		for (j = nr = 0; j < NR_WEIGHTS; j++)
			nr += callers[j] < callers[i];
		weights[i].addr = addrs[nr];
	}
	for (i = 0; i < NR_WEIGHTS; i++)
		weights[i].id = find_id(i + 1, module);
}

static void setup(void)
{
	if (!weights[NR_WEIGHTS - 1].id)
		find(NULL, TRIGGERS);
}

static void setup_module(void)
{
	int err;

	if (!module_loaded(MODULE)) {
		err = module_load(module_path(MODULE));
		need(!err, "loading %s: %s", MODULE, strerror(-err));
	}
	if (!weights[NR_WEIGHTS - 1].id)
		find(MODULE, MODULE_TRIGGERS);
}

static void pull_all(void)
{
	int i;

	for (i = 0; i < NR_WEIGHTS; i++)
		expect(trigger(weights[i].file) > 0, "%s: not the weight of the online CPUs",
		       weights[i].file);
}

static void instances(void)
{
	__u32 ids[NR_WEIGHTS];
	int i, j;

	expect_eq(funcs(object, "cpumask_weight", ids, NR_WEIGHTS), NR_WEIGHTS, "FUNCs");
	for (i = 0; i < NR_WEIGHTS; i++) {
		expect(traceable(weights[i].addr), "%s has no patch site", weights[i].file);
		for (j = 0; j < i; j++)
			expect(weights[i].addr != weights[j].addr,
			       "%s and %s have the same address",
			       weights[i].file, weights[j].file);
	}
}

/* One after the other: attach to one, call all. */
static void each_alone(enum bpf_attach_type type)
{
	int i, j, link;

	for (i = 0; i < NR_WEIGHTS; i++) {
		struct target target = {
			.type = type, .obj_fd = object->fd, .id = weights[i].id, .key = 0,
		};

		counters_reset();
		link = attach(&target);
		for (j = 0; j < NR_WEIGHTS; j++) {
			trigger(weights[j].file);
			expect(counters[0].hits == (j >= i), "attached to weight_%02d, %llu calls seen after weight_%02d",
			       i + 1, counters[0].hits, j + 1);
		}
		expect(counters[0].ip == weights[i].addr,
		       "weight_%02d: bpf_get_func_ip() is not the address in kallsyms", i + 1);
		close(link);
		pull_all();
		expect_eq(counters[0].hits, 1, "calls seen, once detached");
	}
}

static void fentry_alone(void)
{
	each_alone(BPF_TRACE_FENTRY);
}

static void fexit_alone(void)
{
	each_alone(BPF_TRACE_FEXIT);
}

/* fentry and fexit on every one of them, called in two rounds. */
static void all_at_once(void)
{
	int links[2 * NR_WEIGHTS], i, half;

	counters_reset();
	for (i = 0; i < 2 * NR_WEIGHTS; i++) {
		struct target target = {
			.type = i < NR_WEIGHTS ? BPF_TRACE_FENTRY : BPF_TRACE_FEXIT,
			.obj_fd = object->fd,
			.id = weights[i % NR_WEIGHTS].id,
			.key = i,
		};

		links[i] = attach(&target);
	}
	pull_all();
	trigger(weights[4].file);
	for (i = 0; i < 2 * NR_WEIGHTS; i++) {
		half = i % NR_WEIGHTS;
		expect(counters[i].hits == (half == 4 ? 2 : 1), "%s of weight_%02d: %llu calls",
		       i < NR_WEIGHTS ? "fentry" : "fexit", half + 1, counters[i].hits);
		expect(counters[i].ip == weights[half].addr,
		       "weight_%02d: bpf_get_func_ip() is not the address in kallsyms", half + 1);
		close(links[i]);
	}
}

/* One program and one link for all functions: bpf_get_func_ip() identifies the called one. */
static void by_one_link(enum bpf_attach_type type)
{
	struct target target = { .type = type, .obj_fd = object->fd };
	__u32 ids[NR_WEIGHTS];
	int i, link;

	counters_reset();
	for (i = 0; i < NR_WEIGHTS; i++)
		ids[i] = weights[i].id;
	link = attach_multi(&target, ids, NR_WEIGHTS);
	need(link >= 0, "attaching to all: %s", strerror(-link));
	for (i = 0; i < NR_WEIGHTS; i++) {
		trigger(weights[i].file);
		expect_eq(counters[0].hits, i + 1, "calls seen so far");
		expect(counters[0].ip == weights[i].addr,
		       "weight_%02d: bpf_get_func_ip() is not the address in kallsyms", i + 1);
	}
	close(link);
	pull_all();
	expect_eq(counters[0].hits, NR_WEIGHTS, "calls seen, once detached");
}

static void fentry_multi(void)
{
	by_one_link(BPF_TRACE_FENTRY_MULTI);
}

static void fexit_multi(void)
{
	by_one_link(BPF_TRACE_FEXIT_MULTI);
}

/* All or nothing: one wrong id fails the whole link. */
static void multi_refused(void)
{
	struct target target = { .type = BPF_TRACE_FENTRY_MULTI, .obj_fd = object->fd };
	__u32 ids[2] = { weights[0].id }, other;
	int link;

	other = func(vmlinux(), object->fd ? "vfs_read" : "kernel_init_freeable");
	counters_reset();
	ids[1] = other;
	link = attach_multi(&target, ids, 2);
	expect_eq(link, object->fd ? -ENOENT : -ENXIO,
		  object->fd ? "a function of vmlinux, with the module's BTF" : "init text");
	ids[1] = weights[0].id;
	expect_eq(attach_multi(&target, ids, 2), -EINVAL, "the same id twice");
	pull_all();
	expect_eq(counters[0].hits, 0, "calls seen");
}

static const struct guest_case cases[] = {
	{ "22 FUNCs in 22 units have the addresses of 22 symbols in kallsyms", instances },
	{ "each of 22 fentry programs only sees calls of its own function", fentry_alone },
	{ "each of 22 fexit programs only sees calls of its own function", fexit_alone },
	{ "fentry and fexit can be attached to all 22 functions at once", all_at_once },
	{ },
};

const struct guest_test test_weight = { "weight", cases, setup };
const struct guest_test test_weight_module = { "weight-module", cases, setup_module };

static const struct guest_case multi_cases[] = {
	{ "one fentry.multi link attaches to all 22 functions", fentry_multi },
	{ "one fexit.multi link attaches to all 22 functions", fexit_multi },
	{ "a multi link that is rejected attaches to no function", multi_refused },
	{ },
};

static void need_multi(void)
{
	/* the system call is there where the machine's ftrace cannot do it, too */
	if (!symbol(NULL, "bpf_trampoline_multi_attach"))
		skip_case("this kernel has no tracing_multi links");
}

static void setup_multi(void)
{
	need_multi();
	setup();
}

static void setup_multi_module(void)
{
	need_multi();
	setup_module();
}

const struct guest_test test_multi = { "multi", multi_cases, setup_multi };
const struct guest_test test_multi_module = { "multi-module", multi_cases, setup_multi_module };

/* The case that is run in each of several boots, see host/boots.sh. */
static const struct guest_case fentry_cases[] = {
	{ "each of 22 fentry programs only sees calls of its own function", fentry_alone },
	{ },
};

const struct guest_test test_weight_fentry = { "weight-fentry", fentry_cases, setup };
