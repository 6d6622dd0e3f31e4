// SPDX-License-Identifier: GPL-2.0-only
/*
 * One function with two names, and a FUNC for each: gcc makes one body of two that
 * are the same, and describes both.  Writing N to parameters/call or parameters/also
 * calls it.
 */
#include "target.c"

static noinline int target_also(int value)
{
	target_calls += value;
	return target_calls;
}

/* This drops the symbol. If the symbol still exists, the module does not build. */
asm(".set target_also, target_call");

static int also_set(const char *text, const struct kernel_param *param)
{
	int value;
	int err = kstrtoint(text, 0, &value);

	if (!err)
		pr_info("target: %d\n", target_also(value));
	return err;
}

static const struct kernel_param_ops also_ops = {
	.set = also_set,
};
module_param_cb(also, &also_ops, NULL, 0200);
MODULE_PARM_DESC(also, "calls it by its other name");
