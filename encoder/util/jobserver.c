// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/bytes.h"
#include "util/jobserver.h"
#include "util/msg.h"

/* -j goes up to 1024 */
#define MAX_TOKENS	1024

/* In @held: no token there.  (A token is any byte.) */
#define NONE		-1

enum state { UNKNOWN, ABSENT, BROKEN, USABLE };

/*
 * One for the whole program, as its environment is, and as its signals are.
 *
 * @read:	our own opening of the pipe, so that not blocking is our own affair
 * @held:	tokens that threads have
 * @taking:	threads that may have a token that is not in @held yet
 * @closing:	a signal is giving all back
 */
static struct {
	enum state	state;
	int		read;
	int		write;
	atomic_int	held[MAX_TOKENS];
	atomic_int	taking;
	atomic_bool	closing;
} server;

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* --- finding it ------------------------------------------------------------------- */

static enum state broken(const char *why, const char *what)
{
	msg_info("make's jobserver cannot be used (%s: %s): one thread at a time", what, why);
	return BROKEN;
}

/* Are these the two ends of one pipe, and not what came to have the same numbers? */
static bool is_pipe(int in, int out)
{
	int in_mode = fcntl(in, F_GETFL), out_mode = fcntl(out, F_GETFL);
	struct stat a, b;

	return in_mode >= 0 && out_mode >= 0 && !fstat(in, &a) && !fstat(out, &b) &&
	       S_ISFIFO(a.st_mode) && S_ISFIFO(b.st_mode) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino &&
	       (in_mode & O_ACCMODE) != O_WRONLY && (out_mode & O_ACCMODE) != O_RDONLY;
}

static enum state open_pipe(const char *auth)
{
	char path[64];
	int in, out, end = 0;

	/* make 4.3 closes them for a command that it takes for no make ("+" says it is) */
	if (sscanf(auth, "%d,%d%n", &in, &out, &end) != 2 || auth[end])
		return broken("expected two file descriptors or fifo:PATH", auth);
	if (in < 0 || out < 0 || !is_pipe(in, out))
		return broken("no pipe is open there; a rule that begins with + keeps it open", auth);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", in);
	server.read = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	server.write = out;
	return server.read < 0 ? broken(strerror(errno), path) : USABLE;
}

static enum state open_fifo(const char *path)
{
	struct stat st;

	/* for reading and writing, as then neither end can be missing */
	server.read = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	server.write = server.read;
	if (server.read < 0)
		return broken(strerror(errno), path);
	if (!fstat(server.read, &st) && S_ISFIFO(st.st_mode))
		return USABLE;
	close(server.read);
	return broken("it is no FIFO", path);
}

/* The last one in MAKEFLAGS counts. */
static char *find_auth(const char *flags)
{
	static const char *const options[] = { "--jobserver-auth=", "--jobserver-fds=" };
	char *auth = NULL;

	while (*(flags += strspn(flags, " "))) {
		size_t len = strcspn(flags, " "), i, n;

		/* variables of the command line stand behind this, and are no options */
		if (len == 2 && !strncmp(flags, "--", 2))
			break;
		for (i = 0; i < ARRAY_SIZE(options); i++) {
			n = strlen(options[i]);
			if (len < n || strncmp(flags, options[i], n))
				continue;
			free(auth);
			auth = strndup(flags + n, len - n);
		}
		flags += len;
	}
	return auth;
}

/* --- giving everything back -------------------------------------------------------- */

static void put_back(unsigned char token)
{
	struct pollfd fd = { .fd = server.write, .events = POLLOUT };

	while (write(server.write, &token, 1) < 0) {
		if (errno == EAGAIN)
			poll(&fd, 1, -1);
		else if (errno != EINTR)
			return;
	}
}

/* Another thread may have read a token just now: it needs a moment to say so. */
static void wait_for_takers(void)
{
	while (atomic_load(&server.taking))
		sched_yield();
}

static void give_all_back(int sig)
{
	unsigned int i;
	int token;

	atomic_store(&server.closing, true);
	wait_for_takers();
	for (i = 0; i < MAX_TOKENS; i++) {
		token = atomic_exchange(&server.held[i], NONE);
		if (token != NONE)
			put_back(token);
	}
	/* its action is the default one again: it ends us when we return */
	raise(sig);
}

static const int deadly[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU };

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = give_all_back, .sa_flags = SA_RESETHAND }, old;
	size_t i;

	sigemptyset(&action.sa_mask);
	for (i = 0; i < ARRAY_SIZE(deadly); i++)
		sigaddset(&action.sa_mask, deadly[i]);
	for (i = 0; i < ARRAY_SIZE(deadly); i++)
		if (!sigaction(deadly[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(deadly[i], &action, NULL);
}

static void open_server(void)
{
	const char *flags = getenv("MAKEFLAGS");
	char *auth = flags ? find_auth(flags) : NULL;
	size_t i;

	server.state = ABSENT;
	if (!auth)
		return;
	for (i = 0; i < MAX_TOKENS; i++)
		atomic_store(&server.held[i], NONE);
	server.state = !strncmp(auth, "fifo:", 5) ? open_fifo(auth + 5) : open_pipe(auth);
	free(auth);
	if (server.state == USABLE)
		catch_signals();
}

/* --- teams --------------------------------------------------------------------------- */

unsigned int job_team__begin(struct job_team *team, unsigned int threads)
{
	*team = (struct job_team){ .wake = { -1, -1 } };
	if (threads <= 1)
		return 1;
	pthread_once(&once, open_server);
	if (server.state == ABSENT)
		return threads;
	team->limited = true;
	return server.state == BROKEN || pipe2(team->wake, O_CLOEXEC) ? 1 : threads;
}

static unsigned int hold(unsigned char token)
{
	unsigned int i;

	for (i = 0; i < MAX_TOKENS; i++) {
		int none = NONE;

		if (atomic_compare_exchange_strong(&server.held[i], &none, token))
			return i + 1;
	}
	put_back(token);
	return 0;
}

/*
 * Take a token if there is one.  A signal that comes meanwhile waits, here or in
 * another thread, until the token can be seen in server.held.
 *
 * Return: where it is held, + 1; 0 if there is none.
 */
static unsigned int take(void)
{
	unsigned int number = 0;
	unsigned char token;
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	atomic_fetch_add(&server.taking, 1);
	if (!atomic_load(&server.closing) && read(server.read, &token, 1) == 1)
		number = hold(token);
	atomic_fetch_sub(&server.taking, 1);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return number;
}

unsigned int job_team__join(struct job_team *team)
{
	struct pollfd fds[] = { { .fd = server.read, .events = POLLIN }, { .fd = team->wake[0] } };
	unsigned int number;

	if (!team->limited)
		return 1;
	for (;;) {
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0 && errno != EINTR)
			return 0;
		/* the other end was closed: job_team__end() */
		if (fds[1].revents)
			return 0;
		if (!(fds[0].revents & POLLIN)) {
			if (fds[0].revents)
				return 0;
			continue;
		}
		number = take();
		if (number)
			return number;
	}
}

void job_team__leave(struct job_team *team, unsigned int number)
{
	sigset_t all, old;
	int token;

	if (!team->limited)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	atomic_fetch_add(&server.taking, 1);
	token = atomic_exchange(&server.held[number - 1], NONE);
	if (token != NONE)
		put_back(token);
	atomic_fetch_sub(&server.taking, 1);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void job_team__end(struct job_team *team)
{
	if (team->wake[1] >= 0)
		close(team->wake[1]);
	team->wake[1] = -1;
}

void job_team__destroy(struct job_team *team)
{
	job_team__end(team);
	if (team->wake[0] >= 0)
		close(team->wake[0]);
	team->wake[0] = -1;
}
