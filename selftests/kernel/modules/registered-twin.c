// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that are called like those that registered-main.c registers, stand
 * before them, and are registered by nobody.
 */
#include <linux/compiler.h>

struct registered_item;

static int called;

/* Of the same prototype. */
static void registered_dtor(void *object)
{
	WRITE_ONCE(called, called + 1);
}

/* Which argument may be NULL is said the other way round. */
static int registered_ops__may(struct registered_item *item)
{
	return 3;
}

static int registered_ops__must(struct registered_item *item__nullable)
{
	return 4;
}

/* What a tracepoint has, but with other arguments. */
static void __bpf_trace_registered_event_tp(void *data, long number)
{
	WRITE_ONCE(called, number);
}

/* For nobody; but the compiler does not know. */
const void *const registered_twins[] = {
	registered_dtor,
	registered_ops__may,
	registered_ops__must,
	__bpf_trace_registered_event_tp,
};
