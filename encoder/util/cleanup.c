// SPDX-License-Identifier: GPL-2.0-only
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/macros.h"

/*
 * Signals that end the program by default, except for faults such as SIGSEGV and real-time
 * signals.
 */
static const int deadly[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
	SIGPROF, SIGIO, SIGPWR,
};
static const int reported[] = { SIGXFSZ, SIGPIPE };

/*
 * The signals in @deadly that are handled here: not ignored, and without a handler of the
 * caller.
 */
static sigset_t handled;

/* Not a mutex: a signal handler may not take one. */
static atomic_flag locked = ATOMIC_FLAG_INIT;

/* What the lock protects. */
static struct leftover *leftovers;
static sigset_t holders_mask;

static void acquire_lock(void)
{
	while (atomic_flag_test_and_set(&locked))
		poll(NULL, 0, 1);
}

/* Never unlock, so that no other thread acquires a resource. */
static void remove_leftovers(void)
{
	acquire_lock();
	for (struct leftover *l = leftovers; l; l = l->next)
		l->remove(l);
}

static void on_deadly_signal(int sig)
{
	const struct sigaction die = { .sa_handler = SIG_DFL };

	remove_leftovers();
	sigaction(sig, &die, NULL);
	/* delivered when this handler returns */
	raise(sig);
}

void cleanup__init(void)
{
	struct sigaction handle = { .sa_handler = on_deadly_signal }, old;
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reported); i++)
		sigaction(reported[i], &ignore, NULL);
	for (i = 0; i < ARRAY_SIZE(deadly); i++)
		sigaddset(&handle.sa_mask, deadly[i]);
	for (i = 0; i < ARRAY_SIZE(deadly); i++)
		if (!sigaction(deadly[i], NULL, &old) && old.sa_handler == SIG_DFL &&
		    !sigaction(deadly[i], &handle, NULL))
			sigaddset(&handled, deadly[i]);
}

void cleanup__exit(int status)
{
	sigset_t all;

	/* a signal in this thread would wait for the lock forever */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	remove_leftovers();
	_exit(status);
}

/* The thread that holds the lock must not be the one that the signal interrupts. */
void cleanup__lock(void)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	acquire_lock();
	holders_mask = old;
}

void cleanup__unlock(void)
{
	sigset_t old = holders_mask;

	atomic_flag_clear(&locked);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void cleanup__add(struct leftover *l)
{
	l->next = leftovers;
	leftovers = l;
}

void cleanup__drop(const struct leftover *l)
{
	struct leftover **p;

	for (p = &leftovers; *p; p = &(*p)->next) {
		if (*p != l)
			continue;
		*p = l->next;
		break;
	}
}

void cleanup__hold(void)
{
	pthread_sigmask(SIG_BLOCK, &handled, NULL);
}

bool cleanup__is_pending(void)
{
	sigset_t pending;

	sigpending(&pending);
	/* while it is blocked, an ignored signal is pending, too */
	sigandset(&pending, &pending, &handled);
	return !sigisemptyset(&pending);
}

void cleanup__release(void)
{
	pthread_sigmask(SIG_UNBLOCK, &handled, NULL);
}
