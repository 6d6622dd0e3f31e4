// SPDX-License-Identifier: GPL-2.0-only
/* A module whose BTF has types and no FUNC at all, see blank-func.c. */
#include <linux/module.h>

struct blank {
	int value;
};

struct blank blank;

MODULE_DESCRIPTION("A module without a function in its BTF");
MODULE_LICENSE("GPL");
