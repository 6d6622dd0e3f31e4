// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of a module with the names of functions that LSM and fmod_ret programs may
 * attach to. Reading a file in parameters/ calls one of them.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/sysfs.h>

#include "opaque.h"

int hooks_call_right(int value);

/* There is another one in hooks-right.c. */
static noinline int security_guest_twin(int value)
{
	return value + 10;
}

/* No other function is called like this. */
static noinline int security_guest_single(int value)
{
	return value + 30;
}

/* vmlinux has one of this name and prototype, which is an LSM hook. */
static noinline int bpf_lsm_inode_mkdir(struct inode *dir, struct dentry *dentry, umode_t mode)
{
	return mode + 40;
}

/* Hide the target of the call: otherwise, the compiler generates clones for its value. */
static int left_get(char *buf, const struct kernel_param *param)
{
	return sysfs_emit(buf, "%d\n", opaque(security_guest_twin)(1));
}

static int right_get(char *buf, const struct kernel_param *param)
{
	return sysfs_emit(buf, "%d\n", hooks_call_right(1));
}

static int single_get(char *buf, const struct kernel_param *param)
{
	return sysfs_emit(buf, "%d\n", opaque(security_guest_single)(1));
}

static int mkdir_get(char *buf, const struct kernel_param *param)
{
	return sysfs_emit(buf, "%d\n", opaque(bpf_lsm_inode_mkdir)(NULL, NULL, 1));
}

static const struct kernel_param_ops left_ops = { .get = left_get };
static const struct kernel_param_ops right_ops = { .get = right_get };
static const struct kernel_param_ops single_ops = { .get = single_get };
static const struct kernel_param_ops mkdir_ops = { .get = mkdir_get };

module_param_cb(left, &left_ops, NULL, 0400);
MODULE_PARM_DESC(left, "calls security_guest_twin() of hooks-left.c");
module_param_cb(right, &right_ops, NULL, 0400);
MODULE_PARM_DESC(right, "calls security_guest_twin() of hooks-right.c");
module_param_cb(single, &single_ops, NULL, 0400);
MODULE_PARM_DESC(single, "calls security_guest_single()");
module_param_cb(mkdir, &mkdir_ops, NULL, 0400);
MODULE_PARM_DESC(mkdir, "calls the module's bpf_lsm_inode_mkdir()");

static int __init hooks_init(void)
{
	return 0;
}

static void __exit hooks_exit(void)
{
}

module_init(hooks_init);
module_exit(hooks_exit);
MODULE_DESCRIPTION("Functions that are called like hooks");
MODULE_LICENSE("GPL");
