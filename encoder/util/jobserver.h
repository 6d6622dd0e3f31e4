/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Make's jobserver: one more thread is one more job.
 *
 * In MAKEFLAGS make names a pipe (--jobserver-auth=R,W) or a FIFO
 * (--jobserver-auth=fifo:PATH) with a byte in it, a token, for each job that may
 * still be started.  The program itself is one; every thread beside it takes a
 * token for as long as it works, and puts the same byte back ("Sharing Job Slots
 * with GNU make" in make's manual).
 *
 * What is free when a task begins is taken, and no thread waits for more: a task takes a
 * second or less, a token that comes free meanwhile is better left to make's other
 * rules, and a thread that waits for one would have to be woken when there is no work
 * left.  A thread without work gives its token back at once, and a signal gives
 * back all.
 */
#ifndef ABTF_UTIL_JOBSERVER_H
#define ABTF_UTIL_JOBSERVER_H

/**
 * jobs__run() - let threads share a task
 * @threads:	how many the user wants, the caller included
 * @work:	called once in each, with a number of its own from 0 on, until there is no more
 *		to do; 0 is the caller
 * @arg:	given to @work
 *
 * Without a jobserver there are @threads of them; with one that cannot be used, and
 * if no thread can be started, only the caller.
 *
 * Return: how many numbers there were, when all have returned.
 */
unsigned int jobs__run(unsigned int threads, void (*work)(void *arg, unsigned int number),
		       void *arg);

#endif /* ABTF_UTIL_JOBSERVER_H */
