// SPDX-License-Identifier: GPL-2.0-only
/* The entry point, and the two functions that everybody calls. */
#include <linux/kernel.h>

int printk(const char *fmt, ...)
{
	return fmt[0];
}

int sysfs_emit(char *buf, const char *fmt, ...)
{
	buf[0] = fmt[0];
	return 1;
}

/* gcc turns copies of large structures into calls of it. */
void *memcpy(void *to, const void *from, size_t len)
{
	volatile char *t = to;
	const char *f = from;

	while (len--)
		*t++ = *f++;
	return to;
}

void __init start_kernel(void)
{
	for (;;)
		;
}
