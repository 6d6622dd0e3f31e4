// SPDX-License-Identifier: GPL-2.0-only
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "locate/find.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/memory.h"
#include "util/msg.h"

/*
 * Paths on Debian and Ubuntu, Fedora and its derivatives, SUSE and Arch, and of a kernel
 * built by hand.  The paths most likely to have DWARF come first.  Build ids identify the
 * image.
 */
static const char *const image_places[] = {
	"/usr/lib/debug/boot/vmlinux-*",
	"/usr/lib/debug/lib/modules/*/vmlinux*",
	"/usr/lib/debug/usr/lib/modules/*/vmlinux*",
	"/lib/modules/*/build/vmlinux",
	"/usr/lib/modules/*/build/vmlinux",
	"/lib/modules/*/vmlinux*",
	"/usr/lib/modules/*/vmlinux*",
	"/usr/lib/debug/vmlinux-*",
	"/boot/vmlinux*",
};

static const char *const module_places[] = {
	"usr/lib/debug/lib/modules", "usr/lib/debug/usr/lib/modules", "lib/modules",
	"usr/lib/modules",
};

/* Test for the ELF magic: other files are skipped silently. */
static bool is_elf(const char *path)
{
	int fd __cleanup(close_fd) = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[SELFMAG];
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	       pread(fd, magic, sizeof(magic), 0) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG);
}

/*
 * Test for an image with debug information and this build id, or any if @id is NULL.  If the
 * image is stripped, @link gets the name of the separate debug file (.gnu_debuglink).
 */
static bool is_image(const char *path, const struct build_id *id, char **link)
{
	struct image *img __cleanup(close_image) = NULL;
	const struct section *sec;
	struct build_id found;
	struct cursor c;
	const char *name;

	if (!is_elf(path) || image__open(path, &img) ||
	    (id && !(build_id__of(img, &found) && build_id__equal(&found, id))))
		return false;
	if (image__has_bytes(img, ".debug_info"))
		return true;
	sec = image__section(img, ".gnu_debuglink");
	if (link && sec && sec->data) {
		c = image__cursor(img, sec);
		name = cursor__string(&c);
		if (*name && !strchr(name, '/') && strcmp(name, ".."))
			*link = xstrdup(name);
	}
	return false;
}

/* Set @ret to @path if that is the image with the build id, otherwise free @path. */
static bool try_file(const struct build_id *id, char **ret, char *path)
{
	if (is_image(path, id, NULL))
		*ret = path;
	else
		free(path);
	return *ret;
}

/* Search the same directories as gdb: the file's own, .debug in it, and /usr/lib/debug. */
static bool follow_link(const char *stripped, const char *link, const struct build_id *id,
			const char *sysroot, char **ret)
{
	const char *below = stripped + strlen(sysroot), *slash = strrchr(below, '/');
	int dir = slash ? slash - below : 0;

	return try_file(id, ret, xasprintf("%s%.*s/%s", sysroot, dir, below, link)) ||
	       try_file(id, ret, xasprintf("%s%.*s/.debug/%s", sysroot, dir, below, link)) ||
	       try_file(id, ret, xasprintf("%s/usr/lib/debug%.*s/%s", sysroot, dir, below, link));
}

static bool find_at(const char *place, const struct build_id *id, const char *sysroot, char **ret)
{
	char *pattern __cleanup(free_pointer) = xasprintf("%s%s", sysroot, place);
	glob_t files __cleanup(globfree) = {};
	bool found = false;

	if (glob(pattern, 0, NULL, &files))
		return false;
	for (size_t i = 0; i < files.gl_pathc && !found; i++) {
		char *link __cleanup(free_pointer) = NULL;

		found = is_image(files.gl_pathv[i], id, &link);
		if (found)
			*ret = xstrdup(files.gl_pathv[i]);
		else if (link)
			found = follow_link(files.gl_pathv[i], link, id, sysroot, ret);
	}
	return found;
}

/* --- debuginfod ----------------------------------------------------------------------- */

/*
 * libdebuginfod of elfutils is loaded when it is needed and DEBUGINFOD_URLS names a server,
 * so that nothing depends on it; elfutils' own libdw does the same.  The library caches the
 * files that it fetches.
 */
static bool is_debuginfod_set(void)
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
static void forget_failure(const struct build_id *id)
{
	char hex[BUILD_ID_HEX], *dir __cleanup(free_pointer) = cache_directory();
	char *path __cleanup(free_pointer) = xasprintf("%s/%s/debuginfo", dir,
						       build_id__hex(id, hex));
	struct stat st;

	if (!lstat(path, &st) && S_ISREG(st.st_mode) && !st.st_size)
		unlink(path);
}

/*
 * Fetch the image.  Return: 0; -ENOENT if DEBUGINFOD_URLS is not set, or after a message if no
 * server has the image; another negative errno after a message.
 */
static int fetch_image(const struct build_id *id, char **ret)
{
	/* the ABI of libdebuginfod.so.1, elfutils/debuginfod.h; the client is opaque */
	void *(*begin)(void) = NULL, *lib, *client;
	void (*end)(void *client) = NULL;
	void (*set_progress)(void *client, int (*fn)(void *client, long a, long b)) = NULL;
	int (*find)(void *client, const unsigned char *id, int id_len, char **path) = NULL;
	int fd __cleanup(close_fd) = -1;

	if (!is_debuginfod_set())
		return -ENOENT;
	lib = dlopen("libdebuginfod.so.1", RTLD_LAZY);
	if (lib) {
		begin = dlsym(lib, "debuginfod_begin");
		end = dlsym(lib, "debuginfod_end");
		set_progress = dlsym(lib, "debuginfod_set_progressfn");
		find = dlsym(lib, "debuginfod_find_debuginfo");
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
		forget_failure(id);
	cleanup__release();
	if (fd >= 0)
		return 0;
	if (fd != -ENOENT && fd != -ENOSYS)
		return msg_fail(fd, "debuginfod: %s", strerror(-fd));
	return msg_fail(-ENOENT, "debuginfod: no server has the image");
}

/* --- vmlinux -------------------------------------------------------------------------- */

int find_image(const struct build_id *id, const char *sysroot, char **ret)
{
	char hex[BUILD_ID_HEX];
	int err;

	*ret = NULL;
	build_id__hex(id, hex);
	if (id->size >= 2 &&
	    (try_file(id, ret, xasprintf("%s/usr/lib/debug/.build-id/%.2s/%s.debug", sysroot,
					 hex, hex + 2)) ||
	     try_file(id, ret, xasprintf("%s/usr/lib/debug/.build-id/%.2s/%s", sysroot,
					 hex, hex + 2))))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(image_places); i++)
		if (find_at(image_places[i], id, sysroot, ret))
			return 0;
	err = fetch_image(id, ret);
	if (!err && is_image(*ret, id, NULL))
		return 0;
	if (!err) {
		msg_error("%s: debuginfod returned a file from another build, or without debug information",
			  *ret);
		free(no_free_ptr(*ret));
		return -EINVAL;
	}
	if (err == -ENOENT) {
		msg_error("no image with debug information was found for build id %s", hex);
		msg_error("    install the debug package of the kernel (Debian: linux-image-*-dbg, Ubuntu: linux-image-*-dbgsym, Fedora: kernel-debuginfo, SUSE: kernel-default-debuginfo)");
		if (!is_debuginfod_set())
			msg_error("    or set DEBUGINFOD_URLS to your distribution's debuginfod server");
	}
	return err;
}

/* --- modules -------------------------------------------------------------------------- */

/* The arguments of try_module(), because nftw() does not pass any. */
static struct {
	const char	*name;
	struct build_id	id;	/* its size is 0 if it is not known */
	char		*found;
} wanted;

/* "nf_tables" is nf-tables.ko or nf_tables.ko.debug. */
static bool is_named(const char *file, const char *name)
{
	for (; *name; file++, name++)
		if (*file != *name && !(*file == '-' && *name == '_'))
			return false;
	return !strcmp(file, ".ko") || !strcmp(file, ".ko.debug");
}

static int try_module(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	if (type != FTW_F || !S_ISREG(st->st_mode) || !is_named(path + ftw->base, wanted.name) ||
	    !is_image(path, wanted.id.size ? &wanted.id : NULL, NULL))
		return 0;
	wanted.found = xstrdup(path);
	return 1;
}

int find_module(const char *name, const char *sysroot, char **ret)
{
	char *notes __cleanup(free_pointer) = NULL, *path __cleanup(free_pointer) = NULL;
	uint8_t *bytes __cleanup(free_pointer) = NULL;
	char *release;
	size_t size;

	*ret = NULL;
	if (!*name || strchr(name, '/') || *name == '.')
		return msg_fail(-EINVAL, "--module: expected the name of a module: '%s'", name);
	wanted = (typeof(wanted)){ .name = name };
	notes = xasprintf("%s/sys/module/%s/notes/.note.gnu.build-id", sysroot, name);
	if (!access(notes, R_OK))
		build_id__read_notes(notes, &wanted.id);
	/* the release of the kernel is the name of a directory */
	path = xasprintf("%s/proc/sys/kernel/osrelease", sysroot);
	if (file__read(path, O_NONBLOCK, NAME_MAX, NULL, &bytes, &size) || !size)
		return msg_fail(-ENOENT, "%s: cannot read the release of the kernel", path);
	release = (char *)bytes;
	release[strcspn(release, "\n")] = 0;
	if (strchr(release, '/'))
		return -ENOENT;
	for (size_t i = 0; i < ARRAY_SIZE(module_places) && !wanted.found; i++) {
		char *dir __cleanup(free_pointer) = xasprintf("%s/%s/%s", sysroot,
							      module_places[i], release);

		nftw(dir, try_module, 16, FTW_PHYS);
	}
	*ret = wanted.found;
	if (*ret)
		return 0;
	msg_error("no file with debug information was found for module %s of Linux %s", name,
		  release);
	return msg_fail(-ENOENT, "    install the debug package of the kernel, as for vmlinux, or name the .ko file");
}
