// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module with functions that share a name: func_addr_twin() is in twin_1.c,
 * twin_2.c and twin_3.c. main.c also has functions with this name and with the
 * names of the functions below.
 */
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/init.h>
#include <linux/module.h>

#include "func_addr_test.h"

static noinline int func_addr_shared(int value)
{
	return value + 2000;
}

/* The prototype in main.c is different. */
static noinline u64 func_addr_differ(u64 value, u64 more)
{
	return value + more;
}

__bpf_kfunc_start_defs();

/* A program that calls this kfunc must not call the function in main.c. */
__bpf_kfunc int func_addr_answer(int value)
{
	return value + 2;
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(kfunc_ids)
BTF_ID_FLAGS(func, func_addr_answer)
BTF_KFUNCS_END(kfunc_ids)

static const struct btf_kfunc_id_set kfunc_set = {
	.owner = THIS_MODULE,
	.set = &kfunc_ids,
};

static s64 func_addr_call_shared(void)
{
	return opaque(func_addr_shared)(1);
}

static s64 func_addr_call_answer(void)
{
	return opaque(func_addr_answer)(1);
}

static s64 func_addr_call_differ(void)
{
	return opaque(func_addr_differ)(1, 2);
}

static const struct func_addr_trigger triggers[] = {
	FUNC_ADDR_TRIGGER(call_twin_1),
	FUNC_ADDR_TRIGGER(call_twin_2),
	FUNC_ADDR_TRIGGER(call_twin_3),
	FUNC_ADDR_TRIGGER(call_shared),
	FUNC_ADDR_TRIGGER(call_answer),
	FUNC_ADDR_TRIGGER(call_differ),
};

DEFINE_DEBUGFS_ATTRIBUTE(trigger_fops, func_addr_trigger_get, NULL, "%lld\n");

static struct dentry *dir;

static noinline int __init func_addr_kmod_prepare(int value)
{
	int i;

	dir = debugfs_create_dir("bpf_func_addr_test_kmod", NULL);
	for (i = value; i < ARRAY_SIZE(triggers); i++)
		debugfs_create_file(triggers[i].name, 0400, dir,
				    (void *)&triggers[i], &trigger_fops);
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_SYSCALL, &kfunc_set);
}

static int __init func_addr_kmod_init(void)
{
	int err = opaque(func_addr_kmod_prepare)(0);

	if (err)
		debugfs_remove(dir);
	return err;
}
module_init(func_addr_kmod_init);

static void __exit func_addr_kmod_exit(void)
{
	debugfs_remove(dir);
}
module_exit(func_addr_kmod_exit);

MODULE_DESCRIPTION("Functions that share a name, in a module");
MODULE_LICENSE("GPL");
