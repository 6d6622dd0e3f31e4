// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function with a name of the kernel's, which takes something else.  It is compiled
 * without debugging information, so the module's BTF has no FUNC for it.
 */
#include <linux/compiler.h>

void *func_addr_alone(void **pointer);

noinline void *func_addr_alone(void **pointer)
{
	return *pointer;
}
