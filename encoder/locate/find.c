// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "locate/debuginfod.h"
#include "locate/find.h"
#include "util/memory.h"
#include "util/msg.h"

/*
 * Paths on Debian and Ubuntu, Fedora and its kin, SUSE, Arch, and of a kernel built by
 * hand.  Those most likely to have DWARF come first.  Build ids identify the image.
 */
static const char *const places[] = {
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

/* Test for the ELF magic: other files are skipped silently. */
static bool is_elf(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[SELFMAG];
	struct stat st;
	bool is = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
		  pread(fd, magic, sizeof(magic), 0) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG);

	if (fd >= 0)
		close(fd);
	return is;
}

/* Read the name of the separate debug file from .gnu_debuglink, or return NULL. */
static char *read_debuglink(const struct image *img)
{
	const struct section *sec = image__section(img, ".gnu_debuglink");
	struct cursor c;
	const char *name;

	if (!sec || !sec->data)
		return NULL;
	c = image__cursor(img, sec);
	name = cursor__string(&c);
	return *name && !strchr(name, '/') && strcmp(name, "..") ? xstrdup(name) : NULL;
}

/* Return: whether this is the one; @link gets where else to look, if it is stripped. */
static bool is_image(const char *path, const struct build_id *id, char **link)
{
	struct build_id found;
	struct image *img;
	bool good = false;

	if (link)
		*link = NULL;
	if (!is_elf(path) || image__open(path, &img))
		return false;
	if (build_id__of(img, &found) && build_id__equal(&found, id)) {
		good = image__has_bytes(img, ".debug_info");
		if (!good && link)
			*link = read_debuglink(img);
	}
	image__close(img);
	return good;
}

static bool try_file(const struct build_id *id, char **ret, const char *sysroot,
		     const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static bool try_file(const struct build_id *id, char **ret, const char *sysroot,
		     const char *fmt, ...)
{
	char *rest __cleanup(free_pointer) = NULL, *path __cleanup(free_pointer) = NULL;
	va_list args;

	va_start(args, fmt);
	rest = xvasprintf(fmt, args);
	va_end(args);
	path = xasprintf("%s%s", sysroot, rest);
	if (!is_image(path, id, NULL))
		return false;
	*ret = no_free_ptr(path);
	return true;
}

/* Search where gdb does: in the same directory, in .debug, and below /usr/lib/debug. */
static bool follow_link(const char *stripped, const char *link, const struct build_id *id,
			const char *sysroot, char **ret)
{
	const char *below = stripped + strlen(sysroot), *slash = strrchr(below, '/');
	int dir = slash ? slash - below : 0;

	return try_file(id, ret, sysroot, "%.*s/%s", dir, below, link) ||
	       try_file(id, ret, sysroot, "%.*s/.debug/%s", dir, below, link) ||
	       try_file(id, ret, sysroot, "/usr/lib/debug%.*s/%s", dir, below, link);
}

static bool find_by_id(const struct build_id *id, const char *sysroot, char **ret)
{
	char hex[BUILD_ID_HEX];

	if (id->size < 2)
		return false;
	build_id__hex(id, hex);
	return try_file(id, ret, sysroot, "/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2) ||
	       try_file(id, ret, sysroot, "/usr/lib/debug/.build-id/%.2s/%s", hex, hex + 2);
}

static bool find_at(const char *place, const struct build_id *id, const char *sysroot, char **ret)
{
	char *pattern __cleanup(free_pointer) = xasprintf("%s%s", sysroot, place), *link;
	bool found = false;
	glob_t files;

	if (!glob(pattern, 0, NULL, &files)) {
		for (size_t i = 0; i < files.gl_pathc && !found; i++) {
			found = is_image(files.gl_pathv[i], id, &link);
			if (found)
				*ret = xstrdup(files.gl_pathv[i]);
			else if (link)
				found = follow_link(files.gl_pathv[i], link, id, sysroot, ret);
			free(link);
		}
		globfree(&files);
	}
	return found;
}

static void say_what_to_do(const struct build_id *id)
{
	char hex[BUILD_ID_HEX];

	msg_error("no image with debug information was found for build id %s",
		  build_id__hex(id, hex));
	msg_error("    install the debug package of the kernel (Debian: linux-image-*-dbg, Ubuntu: linux-image-*-dbgsym, Fedora: kernel-debuginfo, SUSE: kernel-default-debuginfo)");
	if (!debuginfod__is_asked())
		msg_error("    or set DEBUGINFOD_URLS to your distribution's debuginfod server");
}

int find_image(const struct build_id *id, const char *sysroot, char **ret)
{
	int err;

	*ret = NULL;
	if (find_by_id(id, sysroot, ret))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (find_at(places[i], id, sysroot, ret))
			return 0;
	err = debuginfod__find(id, ret);
	if (!err && is_image(*ret, id, NULL))
		return 0;
	if (!err) {
		msg_error("%s: debuginfod gave a file of another build, or without debug information",
			  *ret);
		free(*ret);
		*ret = NULL;
		return -EINVAL;
	}
	if (err == -ENOENT)
		say_what_to_do(id);
	return err;
}
