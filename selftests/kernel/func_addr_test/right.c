// SPDX-License-Identifier: GPL-2.0-only
/* Functions that share their names with functions in left.c and main.c. */
#include "func_addr_test.h"

/* The prototype in left.c is different. */
static noinline u64 func_addr_shape(struct func_addr_right *right)
{
	return right->height * right->depth + right->volume;
}

static noinline notrace int func_addr_quiet(int value)
{
	return value + 2;
}

/* Not open to error injection. */
static noinline int func_addr_fail(int value)
{
	return value + 20;
}

s64 func_addr_right_shape(void)
{
	struct func_addr_right right = { .height = 2, .depth = 3, .volume = 16 };

	return opaque(func_addr_shape)(&right);
}

s64 func_addr_right_quiet(void)
{
	return opaque(func_addr_quiet)(1);
}

s64 func_addr_right_fail(void)
{
	return opaque(func_addr_fail)(1);
}

#if MODULE_KFUNC_NAMES_ARE_UNIQUE
/*
 * With this function, both FUNCs in vmlinux are called NAME@FILE, so kmod.c can have a
 * kfunc named NAME.
 */
static noinline int func_addr_answer(int value)
{
	return value + 4;
}

s64 func_addr_right_answer(void)
{
	return opaque(func_addr_answer)(1);
}
#endif
