// SPDX-License-Identifier: GPL-2.0-only
/*
 * For LD_PRELOAD: sends the process signal SIGNAL at moment MOMENT of its writing. Moments
 * are counted from the first temporary file, before and after each call that changes a
 * file. With AGAIN, it is sent at each later moment, too. Without SIGNAL, prints the number
 * of moments to stderr.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int armed, moments;

static void moment(void)
{
	const char *at = getenv("MOMENT"), *sig = getenv("SIGNAL");
	int now;

	if (!atomic_load(&armed))
		return;
	now = atomic_fetch_add(&moments, 1) + 1;
	if (sig && (getenv("AGAIN") ? now >= atoi(at) : now == atoi(at)))
		kill(getpid(), atoi(sig));
}

__attribute__((destructor))
static void say(void)
{
	if (!getenv("SIGNAL"))
		fprintf(stderr, "%d moments\n", atomic_load(&moments));
}

/*
 * libc's function, looked up once, before there are threads.  dlsym() takes a lock; a signal
 * handler that calls it waits forever if its own thread was about to take or release that lock.
 */
#define REAL(type, name, params)					\
static type (*real_##name) params;					\
									\
__attribute__((constructor))						\
static void look_up_##name(void)					\
{									\
	real_##name = dlsym(RTLD_NEXT, #name);				\
}

#define WRAP(type, name, params, ...)					\
REAL(type, name, params)						\
									\
type name params							\
{									\
	type ret;							\
									\
	moment();							\
	if (!real_##name)						\
		look_up_##name();					\
	ret = real_##name(__VA_ARGS__);					\
	moment();							\
	return ret;							\
}

WRAP(int, ftruncate, (int fd, off_t size), fd, size)
WRAP(int, fchmod, (int fd, mode_t mode), fd, mode)
WRAP(int, rename, (const char *from, const char *to), from, to)
WRAP(int, unlink, (const char *path), path)
WRAP(ssize_t, write, (int fd, const void *p, size_t n), fd, p, n)
WRAP(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at), fd, p, n, at)
WRAP(int, fsync, (int fd), fd)
WRAP(ssize_t, copy_file_range, (int in, off_t *from, int out, off_t *to, size_t n, unsigned int f),
     in, from, out, to, n, f)

REAL(int, open, (const char *path, int flags, ...))

int open(const char *path, int flags, ...)
{
	mode_t mode;
	va_list ap;
	int fd;

	va_start(ap, flags);
	mode = va_arg(ap, int);
	va_end(ap);
	if (flags & O_EXCL)
		atomic_store(&armed, 1);
	moment();
	if (!real_open)
		look_up_open();
	fd = real_open(path, flags, mode);
	moment();
	return fd;
}
