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
 * @remove:	removes it; must only call async-signal-safe functions, and must not take a lock
 * @next:	used by cleanup.c
 */
struct leftover {
	void		(*remove)(struct leftover *l);
	struct leftover	*next;
};

/**
 * cleanup__init() - handle signals from now on
 *
 * Catches the signals that end the program by default.  Signals that are ignored or handled
 * already, for example because of nohup(1), stay so.  A write to a pipe without a reader,
 * or beyond the limit of file sizes, fails instead of ending the program.
 */
void cleanup__init(void);

/** cleanup__exit() - Remove all leftovers and end the program.  Called without the lock. */
void cleanup__exit(int status) __attribute__((noreturn));

/** cleanup__lock() - Delay signals until cleanup__unlock(), which must follow soon. */
void cleanup__lock(void);
void cleanup__unlock(void);

/** cleanup__add() - Remove this if a signal ends the program. Called with the lock held. */
void cleanup__add(struct leftover *l);

/** cleanup__drop() - Undo cleanup__add(), if it was called. Called with the lock held. */
void cleanup__drop(const struct leftover *l);

/**
 * cleanup__hold() - delay signals until cleanup__release()
 *
 * For libraries that clean up themselves if they are told to stop.  Must be called before
 * any thread starts.
 */
void cleanup__hold(void);

/** cleanup__is_pending() - Test for a delayed signal, so that it is time to stop. */
bool cleanup__is_pending(void);

/** cleanup__release() - Undo cleanup__hold(); a delayed signal ends the program here. */
void cleanup__release(void);

#endif /* ABTF_UTIL_CLEANUP_H */
