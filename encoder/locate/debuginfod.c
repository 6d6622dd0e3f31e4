// SPDX-License-Identifier: GPL-2.0-only
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "locate/debuginfod.h"
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

static int load(struct library *lib)
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
	msg_error("DEBUGINFOD_URLS is set, but libdebuginfod (of elfutils) is not installed");
	return -ENOENT;
}

/* @a of @b bytes, or of an unknown number while it waits.  0: go on. */
static int show_progress(void *client, long a, long b)
{
	if (b > 0 && a >= 0)
		msg_progress("KB from debuginfod", a / 1024, b / 1024 + 1);
	return 0;
}

int debuginfod__find(const struct build_id *id, char **ret)
{
	struct library lib;
	void *client;
	int fd, err;

	*ret = NULL;
	if (!debuginfod__is_asked())
		return -ENOENT;
	err = load(&lib);
	if (err)
		return err;
	client = lib.begin();
	if (!client) {
		msg_error("out of memory");
		return -ENOMEM;
	}
	lib.set_progress(client, show_progress);
	fd = lib.find(client, id->bytes, id->size, ret);
	msg_progress("KB from debuginfod", 1, 1);
	lib.end(client);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (fd != -ENOENT && fd != -ENOSYS) {
		msg_error("debuginfod: %s", strerror(-fd));
		return fd;
	}
	msg_error("debuginfod: no server has it");
	return -ENOENT;
}
