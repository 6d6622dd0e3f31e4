/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals, and what must not stay behind if one of them ends the program: a
 * temporary file, a token of make's jobserver.
 *
 * This is the one place that has signal handlers.  Others say what they would leave
 * behind, a struct leftover, and how it is removed; the handler removes all of them
 * and then lets the signal do what it always does.  (After SIGKILL they stay.)
 *
 * Taking a file or a token and saying so must be one step for a signal, and so must
 * giving it up:
 *
 *	cleanup__lock();
 *	fd = open(path, O_CREAT | O_EXCL | ...);
 *	if (fd >= 0)
 *		cleanup__add(&l);
 *	cleanup__unlock();
 *
 * Between the two a signal waits, and once it has come no lock is had any more: no
 * thread makes another file while the program ends.
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
 * For what others would leave behind, and remove themselves if they are told to stop.
 * Before any thread starts.
 */
void cleanup__hold(void);

/** cleanup__is_asked() - Is a signal waiting, so that it is time to stop? */
bool cleanup__is_asked(void);

/** cleanup__release() - A signal that waits ends the program here. */
void cleanup__release(void);

#endif /* ABTF_UTIL_CLEANUP_H */
