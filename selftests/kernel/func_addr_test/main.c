// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that share a name. Reading a file in
 * /sys/kernel/debug/bpf_func_addr_test calls one of them.
 */
#include <linux/init.h>
#include <linux/module.h>

#include "func_addr_test.h"

/* These share their names with functions in the module, and func_addr_answer() with right.c. */
static noinline int func_addr_shared(int value)
{
	return value + 1000;
}

static noinline int func_addr_answer(int value)
{
	return value + 1;
}

static noinline int func_addr_twin(int base)
{
	return base + 4;
}

/* The prototype in kmod.c is different. */
static noinline int func_addr_differ(int value)
{
	return value + 3;
}

/* This name is unique. */
static noinline int func_addr_alone(int value)
{
	return value + 5;
}

static s64 func_addr_call_shared(void)
{
	return opaque(func_addr_shared)(1);
}

static s64 func_addr_call_answer(void)
{
	return opaque(func_addr_answer)(1);
}

static s64 func_addr_call_twin(void)
{
	return opaque(func_addr_twin)(1);
}

static s64 func_addr_call_differ(void)
{
	return opaque(func_addr_differ)(1);
}

static s64 func_addr_call_alone(void)
{
	return opaque(func_addr_alone)(1);
}

static const struct func_addr_trigger triggers[] = {
	FUNC_ADDR_TRIGGER(weight_01), FUNC_ADDR_TRIGGER(weight_02),
	FUNC_ADDR_TRIGGER(weight_03), FUNC_ADDR_TRIGGER(weight_04),
	FUNC_ADDR_TRIGGER(weight_05), FUNC_ADDR_TRIGGER(weight_06),
	FUNC_ADDR_TRIGGER(weight_07), FUNC_ADDR_TRIGGER(weight_08),
	FUNC_ADDR_TRIGGER(weight_09), FUNC_ADDR_TRIGGER(weight_10),
	FUNC_ADDR_TRIGGER(weight_11), FUNC_ADDR_TRIGGER(weight_12),
	FUNC_ADDR_TRIGGER(weight_13), FUNC_ADDR_TRIGGER(weight_14),
	FUNC_ADDR_TRIGGER(weight_15), FUNC_ADDR_TRIGGER(weight_16),
	FUNC_ADDR_TRIGGER(weight_17), FUNC_ADDR_TRIGGER(weight_18),
	FUNC_ADDR_TRIGGER(weight_19), FUNC_ADDR_TRIGGER(weight_20),
	FUNC_ADDR_TRIGGER(weight_21), FUNC_ADDR_TRIGGER(weight_22),
	FUNC_ADDR_TRIGGER(left_shape), FUNC_ADDR_TRIGGER(right_shape),
	FUNC_ADDR_TRIGGER(left_quiet), FUNC_ADDR_TRIGGER(right_quiet),
	FUNC_ADDR_TRIGGER(left_fail), FUNC_ADDR_TRIGGER(right_fail),
	FUNC_ADDR_TRIGGER(left_prepare),
#if MODULE_KFUNC_NAMES_ARE_UNIQUE
	FUNC_ADDR_TRIGGER(right_answer),
#endif
	FUNC_ADDR_TRIGGER(call_clone),
	FUNC_ADDR_TRIGGER(call_suffix),
	FUNC_ADDR_TRIGGER(call_shared),
	FUNC_ADDR_TRIGGER(call_answer),
	FUNC_ADDR_TRIGGER(call_twin),
	FUNC_ADDR_TRIGGER(call_differ),
	FUNC_ADDR_TRIGGER(call_alone),
};

DEFINE_DEBUGFS_ATTRIBUTE(trigger_fops, func_addr_trigger_get, NULL, "%lld\n");

static struct dentry *dir;

/* The function in left.c is not in init text. */
static noinline int __init func_addr_prepare(int value)
{
	int i;

	dir = debugfs_create_dir("bpf_func_addr_test", NULL);
	for (i = value; i < ARRAY_SIZE(triggers); i++)
		debugfs_create_file(triggers[i].name, 0400, dir,
				    (void *)&triggers[i], &trigger_fops);
	return 0;
}

static int __init func_addr_test_init(void)
{
	return opaque(func_addr_prepare)(0);
}
module_init(func_addr_test_init);

static void __exit func_addr_test_exit(void)
{
	debugfs_remove(dir);
}
module_exit(func_addr_test_exit);

MODULE_DESCRIPTION("Functions that share a name, to test BTF function addresses");
MODULE_LICENSE("GPL");
