// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function that gcc replaces with a clone named func_addr_clone.isra.0, because
 * its return value is not used. The arguments of the clone are still in the
 * registers that the ABI specifies.
 */
#include "func_addr_test.h"

static u64 cloned;

static noinline u64 func_addr_clone(struct func_addr_left *left, int value)
{
	u64 old = READ_ONCE(cloned);

	/* Let "left" escape, so that gcc does not pass just the one field. */
	barrier_data(left);
	WRITE_ONCE(cloned, old * 3 + left->width + value);
	return old ^ value;
}

s64 func_addr_call_clone(void)
{
	struct func_addr_left left = { .width = 30 };

	WRITE_ONCE(cloned, 0);
	func_addr_clone(&left, left.width);
	func_addr_clone(&left, left.width + 1);
	return cloned;
}
