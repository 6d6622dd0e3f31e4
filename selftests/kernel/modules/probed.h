/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROBED_H
#define PROBED_H

#include <linux/compiler.h>
#include <linux/printk.h>

int probed_left(int value);
int probed_right(int value);
int probed_notrace(int value);
int probed_nokprobe(int value);
int probed_kprobes(int value);

/* An inlined call that has code. */
static __always_inline int probed_inline(int value)
{
	int copy = READ_ONCE(value);

	barrier();
	return copy * 3;
}

#endif
