// SPDX-License-Identifier: GPL-2.0-only
/* Functions with names like those that ThinLTO generates, and with similar names. */
#include "func_addr_test.h"

static noinline int func_addr_hash(int value) __asm__("func_addr_hash.llvm.123");
static noinline int func_addr_word(int value) __asm__("func_addr_word.llvm.abc");
static noinline int func_addr_none(int value) __asm__("func_addr_none.llvm.");
static noinline int func_addr_more(int value) __asm__("func_addr_more.llvm.1.isra.0");

static noinline int func_addr_hash(int value)
{
	return value + 1;
}

static noinline int func_addr_word(int value)
{
	return value + 20;
}

static noinline int func_addr_none(int value)
{
	return value + 300;
}

static noinline int func_addr_more(int value)
{
	return value + 4000;
}

s64 func_addr_call_suffix(void)
{
	return opaque(func_addr_hash)(0) + opaque(func_addr_word)(0) +
	       opaque(func_addr_none)(0) + opaque(func_addr_more)(0);
}
