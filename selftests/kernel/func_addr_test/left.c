// SPDX-License-Identifier: GPL-2.0-only
/* Functions that share their names with functions in another unit, mostly right.c. */
#include <linux/error-injection.h>

#include "func_addr_test.h"

/* The prototype in right.c is different. */
static noinline u64 func_addr_shape(struct func_addr_left *left)
{
	return left->width;
}

/* The function in right.c is notrace. */
static noinline int func_addr_quiet(int value)
{
	return value + 1;
}

/* The function in right.c is not open to error injection. */
static noinline int func_addr_fail(int value)
{
	return value + 10;
}
ALLOW_ERROR_INJECTION(func_addr_fail, ERRNO);

/* The function in main.c is in init text. */
static noinline int func_addr_prepare(int value)
{
	return value + 100;
}

s64 func_addr_left_shape(void)
{
	struct func_addr_left left = { .width = 11 };

	return opaque(func_addr_shape)(&left);
}

s64 func_addr_left_quiet(void)
{
	return opaque(func_addr_quiet)(1);
}

s64 func_addr_left_fail(void)
{
	return opaque(func_addr_fail)(1);
}

s64 func_addr_left_prepare(void)
{
	return opaque(func_addr_prepare)(1);
}
