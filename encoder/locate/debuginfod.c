// SPDX-License-Identifier: GPL-2.0-only
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "locate/debuginfod.h"
#include "util/cleanup.h"
#include "util/memory.h"
#include "util/msg.h"

bool debuginfod__is_set(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && urls[strspn(urls, " ")];
}

/*
 * @a of @b bytes were fetched; @b is 0 before the first.  A return value other than 0 makes
 * the library clean up and return.
 */
static int show_progress(void *client, long a, long b)
{
	if (b > 0 && a >= 0)
		msg_progress("KB from debuginfod", a / 1024, b / 1024 + 1);
	else
		msg_progress("waiting for debuginfod", 0, SIZE_MAX);
	return cleanup__is_pending();
}

/* The library's cache of files, see debuginfod_find_debuginfo(3). */
static char *cache_directory(void)
{
	const char *set = getenv("DEBUGINFOD_CACHE_PATH"), *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME") ?: "/";
	char *path;

	if (set && *set)
		return xstrdup(set);
	path = xasprintf("%s/.debuginfod_client_cache", home);
	if (!access(path, F_OK))
		return path;
	free(path);
	return cache && *cache ? xasprintf("%s/debuginfod_client", cache) :
				 xasprintf("%s/.cache/debuginfod_client", home);
}

/*
 * If no server has a file, the library caches that for ten minutes, as an empty file.
 * Version 0.188 also does so if a download was stopped or a connection broke.
 */
static void forget_failure(const struct build_id *id, const char *type)
{
	char hex[BUILD_ID_HEX], *dir __cleanup(free_pointer) = cache_directory();
	char *path __cleanup(free_pointer) = xasprintf("%s/%s/%s", dir,
						       build_id__hex(id, hex), type);
	struct stat st;

	if (!lstat(path, &st) && S_ISREG(st.st_mode) && !st.st_size)
		unlink(path);
}

int debuginfod__fetch(const struct build_id *id, const char *type, char **ret)
{
	/* the ABI of libdebuginfod.so.1, elfutils/debuginfod.h; the client is opaque */
	void *(*begin)(void) = NULL, *lib, *client;
	void (*end)(void *client) = NULL;
	void (*set_progress)(void *client, int (*fn)(void *client, long a, long b)) = NULL;
	int (*find)(void *client, const unsigned char *id, int id_len, char **path) = NULL;
	char *name __cleanup(free_pointer) = xasprintf("debuginfod_find_%s", type);
	char *dir __cleanup(free_pointer) = NULL;
	int fd __cleanup(close_fd) = -1;

	if (!debuginfod__is_set())
		return -ENOENT;
	lib = dlopen("libdebuginfod.so.1", RTLD_LAZY);
	if (lib) {
		begin = dlsym(lib, "debuginfod_begin");
		end = dlsym(lib, "debuginfod_end");
		set_progress = dlsym(lib, "debuginfod_set_progressfn");
		find = dlsym(lib, name);
	}
	if (!begin || !end || !set_progress || !find)
		return msg_fail(-ENOENT, "DEBUGINFOD_URLS is set, but libdebuginfod (of elfutils) is not installed");
	client = begin();
	if (!client)
		out_of_memory();
	set_progress(client, show_progress);
	cleanup__hold();
	fd = find(client, id->bytes, id->size, ret);
	msg_progress("KB from debuginfod", 1, 1);
	end(client);
	if (fd < 0 && (fd != -ENOENT || cleanup__is_pending()))
		forget_failure(id, type);
	cleanup__release();
	if (fd >= 0)
		return 0;
	dir = cache_directory();
	if (access(dir, W_OK))
		return msg_fail(fd, "debuginfod: its cache %s cannot be written: %s", dir,
				strerror(-fd));
	if (fd != -ENOENT && fd != -ENOSYS)
		return msg_fail(fd, "debuginfod: %s", strerror(-fd));
	return msg_fail(-ENOENT, "debuginfod: no server has the image, or the servers failed: DEBUGINFOD_VERBOSE=1 shows their answers");
}
