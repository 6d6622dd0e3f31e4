// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/bytes.h"
#include "util/cleanup.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"

/* -j goes up to 1024 */
#define MAX_TOKENS	1024

enum server_state { UNKNOWN, ABSENT, BROKEN, USABLE };

static void put_all_back(struct leftover *l);

/*
 * One for the whole program, as its environment is.  cleanup__lock() protects it.
 *
 * @read:	the pipe, opened again, because O_NONBLOCK must not affect other processes
 * @held:	the tokens that this program holds
 */
static struct {
	struct leftover	leftover;
	enum server_state	state;
	int		read;
	int		write;
	unsigned int	nr_held;
	unsigned char	held[MAX_TOKENS];
} server = { .leftover.remove = put_all_back };

/* --- finding it ------------------------------------------------------------------- */

static enum server_state report_broken(const char *why, const char *what)
{
	msg_info("cannot use make's jobserver (%s: %s): using one thread", what, why);
	return BROKEN;
}

/*
 * Test whether these are the two ends of one pipe, rather than unrelated files with the
 * same numbers.
 */
static bool is_pipe(int in, int out)
{
	int in_mode = fcntl(in, F_GETFL), out_mode = fcntl(out, F_GETFL);
	struct stat a, b;

	return in_mode >= 0 && out_mode >= 0 && !fstat(in, &a) && !fstat(out, &b) &&
	       S_ISFIFO(a.st_mode) && S_ISFIFO(b.st_mode) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino &&
	       (in_mode & O_ACCMODE) != O_WRONLY && (out_mode & O_ACCMODE) != O_RDONLY;
}

static enum server_state open_pipe(const char *auth)
{
	char path[64];
	int in, out, end = 0;

	/* make 4.3 closes them unless it considers the command a make ("+" marks one) */
	if (sscanf(auth, "%d,%d%n", &in, &out, &end) != 2 || auth[end])
		return report_broken("expected two file descriptors or fifo:PATH", auth);
	if (in < 0 || out < 0 || !is_pipe(in, out))
		return report_broken("no pipe is open there; start the command with + in the makefile", auth);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", in);
	server.read = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	server.write = out;
	return server.read < 0 ? report_broken(strerror(errno), path) : USABLE;
}

static enum server_state open_fifo(const char *path)
{
	struct stat st;

	/* for reading and writing, so that the FIFO always has both ends */
	server.read = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	server.write = server.read;
	if (server.read < 0)
		return report_broken(strerror(errno), path);
	if (!fstat(server.read, &st) && S_ISFIFO(st.st_mode))
		return USABLE;
	close(server.read);
	return report_broken("not a FIFO", path);
}

/* The last one in MAKEFLAGS counts. */
static char *find_auth(const char *flags)
{
	static const char *const options[] = { "--jobserver-auth=", "--jobserver-fds=" };
	char *auth = NULL;

	while (*(flags += strspn(flags, " "))) {
		size_t len = strcspn(flags, " "), i, n;

		/* command-line variables follow, which are not options */
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

static void open_server(void)
{
	const char *flags = getenv("MAKEFLAGS");
	char *auth = flags ? find_auth(flags) : NULL;

	server.state = ABSENT;
	if (!auth)
		return;
	server.state = !strncmp(auth, "fifo:", 5) ? open_fifo(auth + 5) : open_pipe(auth);
	free(auth);
}

/* --- tokens -------------------------------------------------------------------------- */

static void put_one_back(void)
{
	struct pollfd fd = { .fd = server.write, .events = POLLOUT };

	server.nr_held--;
	while (write(server.write, &server.held[server.nr_held], 1) < 0) {
		if (errno == EAGAIN)
			poll(&fd, 1, -1);
		else if (errno != EINTR)
			return;
	}
}

static void put_all_back(struct leftover *l)
{
	while (server.nr_held)
		put_one_back();
}

static unsigned int acquire_tokens(unsigned int want)
{
	unsigned int room = MAX_TOKENS - server.nr_held;
	ssize_t nr;

	nr = read(server.read, server.held + server.nr_held, want < room ? want : room);
	if (nr <= 0)
		return 0;
	if (!server.nr_held)
		cleanup__add(&server.leftover);
	server.nr_held += nr;
	return nr;
}

static unsigned int may_run(unsigned int threads)
{
	if (threads <= 1)
		return 1;
	cleanup__lock();
	if (server.state == UNKNOWN)
		open_server();
	if (server.state != ABSENT)
		threads = 1 + (server.state == USABLE ? acquire_tokens(threads - 1) : 0);
	cleanup__unlock();
	return threads;
}

static void give_one_back(void)
{
	cleanup__lock();
	if (server.nr_held) {
		put_one_back();
		if (!server.nr_held)
			cleanup__drop(&server.leftover);
	}
	cleanup__unlock();
}

/* --- threads ------------------------------------------------------------------------- */

/**
 * struct task - the work of one jobs__each()
 * @next:	first item that no thread has taken yet
 * @err:	first error
 */
struct task {
	int		(*work)(void *arg, unsigned int thread, uint32_t item);
	void		*arg;
	uint32_t	nr;
	atomic_uint	next;
	atomic_int	err;
};

struct helper {
	struct task	*task;
	unsigned int	number;
	pthread_t	thread;
};

static void do_parts(struct task *task, unsigned int thread)
{
	int err = 0, none = 0;
	uint32_t item;

	while (!err && !atomic_load(&task->err)) {
		item = atomic_fetch_add(&task->next, 1);
		if (item >= task->nr)
			break;
		err = task->work(task->arg, thread, item);
	}
	if (err)
		atomic_compare_exchange_strong(&task->err, &none, err);
}

static void *run_helper(void *arg)
{
	struct helper *h = arg;

	do_parts(h->task, h->number);
	give_one_back();
	return NULL;
}

int jobs__each(unsigned int threads, uint32_t nr_items,
	       int (*work)(void *arg, unsigned int thread, uint32_t item), void *arg)
{
	struct task task = { .work = work, .arg = arg, .nr = nr_items };
	unsigned int nr = may_run(threads < nr_items ? threads : nr_items), started, i;
	struct helper *helpers = xcalloc(nr, sizeof(*helpers));

	for (started = 1; started < nr; started++) {
		helpers[started] = (struct helper){ .task = &task, .number = started };
		if (pthread_create(&helpers[started].thread, NULL, run_helper, &helpers[started]))
			break;
	}
	/* if a thread cannot be started, the others do its work */
	for (i = started; i < nr; i++)
		give_one_back();
	do_parts(&task, 0);
	for (i = 1; i < started; i++)
		pthread_join(helpers[i].thread, NULL);
	free(helpers);
	return atomic_load(&task.err);
}
