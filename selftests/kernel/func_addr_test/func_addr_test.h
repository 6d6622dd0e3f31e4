/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _FUNC_ADDR_TEST_H
#define _FUNC_ADDR_TEST_H

#include <linux/compiler.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/types.h>
#include <linux/version.h>

/* In Linux 7.2, register_btf_kfunc_id_set() rejects a kfunc with the name of a FUNC in vmlinux. */
#define MODULE_KFUNC_NAMES_ARE_UNIQUE	(LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0))

/*
 * Hide the function from the compiler, so that it neither inlines the call nor
 * specializes the function.
 */
#define opaque(fn) ({ __auto_type p = fn; OPTIMIZER_HIDE_VAR(p); p; })

/* Argument of func_addr_shape() in left.c */
struct func_addr_left {
	u32 width;
	u32 height;
	struct func_addr_left *next;
};

/*
 * Argument of func_addr_shape() in right.c. "next" is where func_addr_left has "width"
 * and "height", and "volume" is past the end of func_addr_left.
 */
struct func_addr_right {
	struct func_addr_right *next;
	u32 height;
	u32 depth;
	u64 volume;
};

/**
 * struct func_addr_trigger - file that calls a function when it is read
 * @name:	name of the file
 * @call:	function to call; the file contains its return value
 */
struct func_addr_trigger {
	const char *name;
	s64 (*call)(void);
};

static inline int func_addr_trigger_get(void *data, u64 *val)
{
	const struct func_addr_trigger *trigger = data;

	*val = trigger->call();
	return 0;
}

/* main.c and kmod.c create the files in separate directories. */
#define FUNC_ADDR_TRIGGER(fn) { #fn, func_addr_##fn }

s64 func_addr_call_twin_1(void);
s64 func_addr_call_twin_2(void);
s64 func_addr_call_twin_3(void);

s64 func_addr_left_shape(void);
s64 func_addr_left_quiet(void);
s64 func_addr_left_fail(void);
s64 func_addr_left_prepare(void);
s64 func_addr_right_shape(void);
s64 func_addr_right_quiet(void);
s64 func_addr_right_fail(void);
s64 func_addr_right_answer(void);
s64 func_addr_call_clone(void);
s64 func_addr_call_suffix(void);

s64 func_addr_weight_01(void);
s64 func_addr_weight_02(void);
s64 func_addr_weight_03(void);
s64 func_addr_weight_04(void);
s64 func_addr_weight_05(void);
s64 func_addr_weight_06(void);
s64 func_addr_weight_07(void);
s64 func_addr_weight_08(void);
s64 func_addr_weight_09(void);
s64 func_addr_weight_10(void);
s64 func_addr_weight_11(void);
s64 func_addr_weight_12(void);
s64 func_addr_weight_13(void);
s64 func_addr_weight_14(void);
s64 func_addr_weight_15(void);
s64 func_addr_weight_16(void);
s64 func_addr_weight_17(void);
s64 func_addr_weight_18(void);
s64 func_addr_weight_19(void);
s64 func_addr_weight_20(void);
s64 func_addr_weight_21(void);
s64 func_addr_weight_22(void);

#endif /* _FUNC_ADDR_TEST_H */
