// SPDX-License-Identifier: GPL-2.0-only
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "locate/debuginfod.h"
#include "util/cleanup.h"
#include "util/memory.h"
#include "util/msg.h"

/* The ABI of libdebuginfod.so.1, elfutils/debuginfod.h; opaque but for its pointer. */
struct library {
	void	*handle;
	void	*(*begin)(void);
	void	(*end)(void *client);
	void	(*set_progress)(void *client, int (*fn)(void *client, long a, long b));
	int	(*find)(void *client, const unsigned char *id, int id_len, char **path);
};

bool debuginfod__is_asked(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && urls[strspn(urls, " ")];
}

static int load_library(struct library *lib)
{
	lib->handle = dlopen("libdebuginfod.so.1", RTLD_LAZY);
	if (lib->handle) {
		lib->begin = dlsym(lib->handle, "debuginfod_begin");
		lib->end = dlsym(lib->handle, "debuginfod_end");
		lib->set_progress = dlsym(lib->handle, "debuginfod_set_progressfn");
		lib->find = dlsym(lib->handle, "debuginfod_find_debuginfo");
	}
	if (lib->handle && lib->begin && lib->end && lib->set_progress && lib->find)
		return 0;
	return msg_fail(-ENOENT,
			"DEBUGINFOD_URLS is set, but libdebuginfod (of elfutils) is not installed");
}

/* @a of @b bytes, or anything of 0 while it waits.  0: go on; else the library tidies up. */
static int show_progress(void *client, long a, long b)
{
	if (b > 0 && a >= 0)
		msg_progress("KB from debuginfod", a / 1024, b / 1024 + 1);
	else
		msg_progress("waiting for debuginfod", 0, SIZE_MAX);
	return cleanup__is_asked();
}

/* The library's cache of files, as debuginfod_find_debuginfo(3) has it. */
static char *cache_folder(void)
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
 * If no server has a file, the library remembers that for ten minutes, with an empty
 * file.  Version 0.188 also does so if a download was stopped or a connection broke.
 */
static void forget_failure(const struct build_id *id)
{
	char hex[BUILD_ID_HEX], *folder = cache_folder();
	char *path = xasprintf("%s/%s/debuginfo", folder, build_id__hex(id, hex));
	struct stat st;

	if (!lstat(path, &st) && S_ISREG(st.st_mode) && !st.st_size)
		unlink(path);
	free(path);
	free(folder);
}

int debuginfod__find(const struct build_id *id, char **ret)
{
	struct library lib;
	void *client;
	int fd, err;

	*ret = NULL;
	if (!debuginfod__is_asked())
		return -ENOENT;
	err = load_library(&lib);
	if (err)
		return err;
	client = lib.begin();
	if (!client)
		out_of_memory();
	lib.set_progress(client, show_progress);
	cleanup__hold();
	fd = lib.find(client, id->bytes, id->size, ret);
	msg_progress("KB from debuginfod", 1, 1);
	lib.end(client);
	if (fd < 0 && (fd != -ENOENT || cleanup__is_asked()))
		forget_failure(id);
	cleanup__release();
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (fd != -ENOENT && fd != -ENOSYS) {
		msg_error("debuginfod: %s", strerror(-fd));
		return fd;
	}
	return msg_fail(-ENOENT, "debuginfod: no server has the image");
}
