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
 * A team is the threads that share out one task:
 *
 *	the caller			each other thread
 *	job_team__begin()
 *	starts threads			if (job_team__join())
 *	works					works
 *	job_team__end()			job_team__leave()
 *	waits for the threads
 *	job_team__destroy()
 *
 * Tokens are also given back by a signal that ends the program.
 */
#ifndef ABTF_UTIL_JOBSERVER_H
#define ABTF_UTIL_JOBSERVER_H

#include <stdbool.h>

/**
 * struct job_team - the threads of one task
 * @wake:	a pipe that is closed at one end when the task is done
 * @limited:	threads need tokens
 */
struct job_team {
	int	wake[2];
	bool	limited;
};

/**
 * job_team__begin() - may there be other threads?
 * @threads:	how many the user wants, the caller included
 *
 * Return: as many as may be started, the caller included: @threads, or 1 if make
 * has a jobserver that cannot be used.
 */
unsigned int job_team__begin(struct job_team *team, unsigned int threads);

/**
 * job_team__join() - wait for a token
 *
 * Return: a number for job_team__leave(); 0 if the task was done before there was
 * a token.
 */
unsigned int job_team__join(struct job_team *team);

/** job_team__leave() - Give the token back. */
void job_team__leave(struct job_team *team, unsigned int number);

/** job_team__end() - The task is done, or all of it is in hand: wait for tokens no longer. */
void job_team__end(struct job_team *team);

void job_team__destroy(struct job_team *team);

#endif /* ABTF_UTIL_JOBSERVER_H */
