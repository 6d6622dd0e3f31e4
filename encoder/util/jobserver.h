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

/**
 * jobs__run() - let threads share a task
 * @threads:	how many the user wants, the caller included
 * @work:	called once in each thread, with a number that is unique and starts at 0, for
 *		the caller; returns when no work is left
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
