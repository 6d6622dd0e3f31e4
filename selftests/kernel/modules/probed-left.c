// SPDX-License-Identifier: GPL-2.0-only
#include "opaque.h"
#include "probed.h"

static noinline int probed_twin(int value)
{
	barrier();
	return probed_inline(value) + 1;
}

int probed_left(int value)
{
	return opaque(probed_twin)(value);
}
