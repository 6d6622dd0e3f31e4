// SPDX-License-Identifier: GPL-2.0-only
/* The twin of a function in hooks-left.c. */
#include "opaque.h"

int hooks_call_right(int value);

static noinline int security_guest_twin(int value)
{
	return value + 20;
}

int hooks_call_right(int value)
{
	return opaque(security_guest_twin)(value);
}
