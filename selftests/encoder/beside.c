// SPDX-License-Identifier: GPL-2.0-only
/*
 * For LD_PRELOAD: test if the process writes two files at a time. The first file that is
 * nearly ready waits until another one is started, two minutes at most. At the end, print
 * to stderr whether that happened, and the number of writes that had to reach the disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int begun, waits, syncs;
static atomic_bool together;

__attribute__((destructor))
static void say(void)
{
	fprintf(stderr, "%d files, %s, %d syncs\n", atomic_load(&begun),
		atomic_load(&together) ? "two at a time" : "one by one", atomic_load(&syncs));
}

int open(const char *path, int flags, ...)
{
	int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
	mode_t mode;
	va_list ap;

	va_start(ap, flags);
	mode = va_arg(ap, int);
	va_end(ap);
	if (flags & O_EXCL)
		atomic_fetch_add(&begun, 1);
	if (flags & O_DSYNC)
		atomic_fetch_add(&syncs, 1);
	return real(path, flags, mode);
}

/* fchmod() is the last call for a file before it is renamed. */
int fchmod(int fd, mode_t mode)
{
	int (*real)(int, mode_t) = dlsym(RTLD_NEXT, "fchmod");

	if (!atomic_fetch_add(&waits, 1)) {
		for (int i = 0; i < 12000 && atomic_load(&begun) < 2; i++)
			usleep(10000);
		atomic_store(&together, atomic_load(&begun) >= 2);
	}
	return real(fd, mode);
}

#define SYNC(type, name, params, ...)					\
type name params							\
{									\
	type (*real) params = dlsym(RTLD_NEXT, #name);			\
									\
	atomic_fetch_add(&syncs, 1);					\
	return real(__VA_ARGS__);					\
}

SYNC(int, fsync, (int fd), fd)
SYNC(int, fdatasync, (int fd), fd)
SYNC(int, syncfs, (int fd), fd)
SYNC(int, sync_file_range, (int fd, off_t at, off_t n, unsigned int f), fd, at, n, f)
SYNC(int, msync, (void *p, size_t n, int f), p, n, f)
