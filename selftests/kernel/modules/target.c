// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function of a module, to attach to: writing N to parameters/call calls
 * target_call(N).
 */
#include <linux/module.h>

static int target_calls;

static noinline int target_call(int value)
{
	target_calls += value;
	return target_calls;
}

static int target_set(const char *text, const struct kernel_param *param)
{
	int value;
	int err = kstrtoint(text, 0, &value);

	if (!err)
		pr_info("target: %d\n", target_call(value));
	return err;
}

static const struct kernel_param_ops target_ops = {
	.set = target_set,
};
module_param_cb(call, &target_ops, NULL, 0200);
MODULE_PARM_DESC(call, "calls a function with this number");

static int __init target_init(void)
{
	return 0;
}

static void __exit target_exit(void)
{
}

module_init(target_init);
module_exit(target_exit);
MODULE_DESCRIPTION("A function to attach to");
MODULE_LICENSE("GPL");
