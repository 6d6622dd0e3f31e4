/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Make's jobserver: one more thread is one more job.
 *
 * In MAKEFLAGS, make names a pipe (--jobserver-auth=R,W) or a FIFO
 * (--jobserver-auth=fifo:PATH) that contains a byte, a token, for each job that may
 * still be started.  The program itself is one job; each additional thread takes a
 * token while it works, and puts the same byte back ("Sharing Job Slots with GNU make"
 * in make's manual).
 *
 * Tokens that are free when a task starts are taken, and no thread waits for more: a
 * task takes a second or less, a token that is freed meanwhile is better left to make's
 * other rules, and a waiting thread would have to be woken when no work is left.  A
 * thread without work returns its token at once, and a signal returns all tokens.
 */
#ifndef ABTF_UTIL_JOBSERVER_H
#define ABTF_UTIL_JOBSERVER_H

#include <sched.h>
#include <stdint.h>

/**
 * jobs__each() - let threads share the items of a task
 * @threads:	how many the user wants, including the caller; there are no more than items
 * @nr_items:	number of items, which are started in this order
 * @work:	called once for each item; the number of the calling thread is 0
 * @arg:	given to @work
 *
 * If there is a jobserver that cannot be used, and if no thread can be started, the caller
 * does all.
 *
 * Return: 0, or the first error of @work, after which no other item is started.
 */
int jobs__each(unsigned int threads, uint32_t nr_items,
	       int (*work)(void *arg, unsigned int thread, uint32_t item), void *arg);

/** nr_cores() - Return: the processors that this process may run on, at least 1. */
static inline unsigned int nr_cores(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);
}

#endif /* ABTF_UTIL_JOBSERVER_H */
