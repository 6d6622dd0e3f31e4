/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few words of the kernel's C that the example speaks.  Written for it;
 * nothing here does anything, it only has to compile into the same shapes.
 */
#ifndef EXAMPLE_KERNEL_H
#define EXAMPLE_KERNEL_H

typedef unsigned char		u8;
typedef unsigned short		u16;
typedef unsigned int		u32;
typedef unsigned long long	u64;
typedef unsigned long		size_t;
typedef long			ssize_t;
typedef _Bool			bool;

#define NULL			((void *)0)
#define BITS_PER_LONG		(8 * (int)sizeof(long))
#define BITS_TO_LONGS(nr)	(((nr) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))

#define __section(name)		__attribute__((__section__(name)))
#define __used			__attribute__((__used__))
#define __weak			__attribute__((__weak__))
#define noinline		__attribute__((__noinline__))
#define __cold			__attribute__((__cold__))

#define __init			__section(".init.text") __cold
#define __exit			__section(".exit.text") __used __cold

#define DECLARE_PER_CPU(type, name)	extern __section(".data..percpu") type name
#define DEFINE_PER_CPU(type, name)	__section(".data..percpu") type name

/* Never inlined and never known to the compiler, so that calls stay calls. */
int printk(const char *fmt, ...) __attribute__((__format__(printf, 1, 2)));
int sysfs_emit(char *buf, const char *fmt, ...) __attribute__((__format__(printf, 2, 3)));

struct list_head {
	struct list_head *next, *prev;
};

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	volatile unsigned int slock;
} spinlock_t;

#endif /* EXAMPLE_KERNEL_H */
