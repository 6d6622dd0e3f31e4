/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals, and the cleanup before one of them ends the program: remove temporary files,
 * return tokens to make's jobserver.
 *
 * Signal handlers are only here.  Callers register a struct leftover for each resource,
 * with a function that removes it; the handler calls all of these, and then lets the
 * signal take its default action.  (After SIGKILL, leftovers remain.)
 *
 * A signal must not come between acquiring a resource and registering it, or between
 * the reverse steps:
 *
 *	cleanup__lock();
 *	fd = open(path, O_CREAT | O_EXCL | ...);
 *	if (fd >= 0)
 *		cleanup__add(&l);
 *	cleanup__unlock();
 *
 * Signals are delayed while the lock is held.  After a signal, taking the lock blocks, so
 * no thread creates another file while the program ends.
 */
#ifndef ABTF_UTIL_CLEANUP_H
#define ABTF_UTIL_CLEANUP_H

#include <stdbool.h>

/**
 * struct leftover - what a signal must remove
 * @remove:	does so; only what signal-safety(7) allows, no lock
 * @next:	used by cleanup.c
 */
struct leftover {
	void		(*remove)(struct leftover *l);
	struct leftover	*next;
};

/**
 * cleanup__init() - take care of signals from here on
 *
 * What ends the program by default is caught.  What is ignored or handled already
 * stays so: nohup(1) and a caller know better.  A write to a pipe without a reader,
 * or beyond the limit of file sizes, fails instead of ending the program.
 */
void cleanup__init(void);

/** cleanup__exit() - Remove all leftovers and end the program, from any thread, without the lock. */
void cleanup__exit(int status) __attribute__((noreturn));

/** cleanup__lock() - Keep signals away from here to cleanup__unlock(); not for long. */
void cleanup__lock(void);
void cleanup__unlock(void);

/** cleanup__add() - Have this removed by a signal. The lock is held. */
void cleanup__add(struct leftover *l);

/** cleanup__drop() - It is no leftover any more, or never was. The lock is held. */
void cleanup__drop(const struct leftover *l);

/**
 * cleanup__hold() - have signals wait for cleanup__release()
 *
 * For callers whose libraries clean up themselves when they are told to stop.  Must be
 * called before any thread starts.
 */
void cleanup__hold(void);

/** cleanup__is_asked() - Is a signal waiting, so that it is time to stop? */
bool cleanup__is_asked(void);

/** cleanup__release() - A signal that waits ends the program here. */
void cleanup__release(void);

#endif /* ABTF_UTIL_CLEANUP_H */
