// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "btf/output.h"
#include "util/cleanup.h"
#include "util/file.h"
#include "util/macros.h"
#include "util/memory.h"
#include "util/msg.h"

/* ".NAME.XXXXXXXX" must not be longer than NAME_MAX, so NAME may be cut. */
#define TEMP_NAME_MAX	(NAME_MAX - 10)
#define TEMP_TRIES	100

/*
 * A file that is being written, and then renamed into place.
 *
 * @name:	as given, for messages
 * @path:	the file that is replaced, links resolved
 * @temp:	temporary file in the directory of @path; NULL if @fd is the target itself
 * @leftover:	removes @temp if a signal ends us
 * @fd:		open for writing
 * @old:	the current file at @path
 * @exists:	there is such a file, whose attributes are kept
 * @is_private:	for this user only
 * @own_fd:	@fd is ours to close
 */
struct target {
	const char	*name;
	char		*path;
	char		*temp;
	struct leftover	leftover;
	int		fd;
	struct stat	old;
	bool		exists;
	bool		is_private;
	bool		own_fd;
};

static int target_error(const struct target *t, const char *what, int err)
{
	/* nothing is lost without a cache */
	if (t->is_private) {
		msg_info("%s: %s: %s", t->name, what, strerror(-err));
		return err;
	}
	return msg_fail(err, "%s: %s: %s", t->name, what, strerror(-err));
}

/* Names of open descriptors, which must not be opened again. */
static int open_descriptor(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	unsigned long fd;
	char *end;

	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		size_t len = strlen(folders[i]);

		if (strncmp(path, folders[i], len) || !path[len])
			continue;
		fd = strtoul(path + len, &end, 10);
		return *end || fd > INT_MAX ? -1 : (int)fd;
	}
	return -1;
}

/* The directory that a file is in, or will be in. */
static bool stat_directory(const char *path, struct stat *st)
{
	const char *name = strrchr(path, '/');
	char *dir __cleanup(free_pointer) =
		name ? xstrndup(path, name - path + 1) : xstrdup(".");

	return !stat(dir, st);
}

static bool is_same_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool output__is_same(const char *a, const char *b)
{
	const char *name_a = strrchr(a, '/') ? strrchr(a, '/') + 1 : a;
	const char *name_b = strrchr(b, '/') ? strrchr(b, '/') + 1 : b;
	bool exists_a, exists_b;
	struct stat sa, sb;

	if (open_descriptor(a) >= 0 || open_descriptor(b) >= 0)
		return false;
	exists_a = !stat(a, &sa);
	exists_b = !stat(b, &sb);
	if (exists_a && exists_b)
		return S_ISREG(sa.st_mode) && is_same_inode(&sa, &sb);
	return !exists_a && !exists_b && !strcmp(name_a, name_b) &&
	       stat_directory(a, &sa) && stat_directory(b, &sb) && is_same_inode(&sa, &sb);
}

/* Find out the type of the target, and resolve links. */
static int target__find(struct target *t, const char *path)
{
	struct stat link;

	t->fd = open_descriptor(path);
	t->name = t->fd == STDOUT_FILENO ? "stdout" : path;
	if (t->fd >= 0)
		return 0;
	if (stat(path, &t->old)) {
		if (errno != ENOENT)
			return target_error(t, "cannot write", -errno);
		/* another process may have just written it */
		if (!lstat(path, &link) && S_ISLNK(link.st_mode))
			return msg_fail(-ENOENT,
					"%s: a symbolic link to a file that does not exist", path);
		t->path = xstrdup(path);
		return 0;
	}
	t->exists = true;
	if (S_ISDIR(t->old.st_mode))
		return target_error(t, "cannot write", -EISDIR);
	if (!S_ISREG(t->old.st_mode)) {
		t->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		t->own_fd = t->fd >= 0;
		return t->own_fd ? 0 : target_error(t, "cannot open for writing", -errno);
	}
	/* do not replace a read-only file just because its directory is writable */
	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
		return target_error(t, "cannot write", -errno);
	t->path = realpath(path, NULL);
	return t->path ? 0 : target_error(t, "cannot write", -errno);
}

static void remove_temp(struct leftover *l)
{
	unlink(container_of(l, struct target, leftover)->temp);
}

/* Rename @t->temp to @path, or remove it if @path is NULL.  If renaming fails, it stays. */
static int end_temp(struct target *t, const char *path)
{
	int err;

	cleanup__lock();
	err = (path ? rename(t->temp, path) : unlink(t->temp)) ? -errno : 0;
	if (!err || !path)
		cleanup__drop(&t->leftover);
	cleanup__unlock();
	if (err && path)
		return err;
	free(t->temp);
	t->temp = NULL;
	return 0;
}

/* Try names until one is free. */
static int target__make_temp(struct target *t)
{
	const char *slash = strrchr(t->path, '/');
	int folder = slash ? slash + 1 - t->path : 0;
	const char *name = t->path + folder;
	/*
	 * a new file gets its mode from umask and default ACL, unless it is private; an old
	 * file's mode is restored later
	 */
	mode_t mode = t->exists || t->is_private ? 0600 : 0666;
	int err = -EEXIST;

	for (int i = 0; i < TEMP_TRIES && err == -EEXIST; i++) {
		uint32_t number;

		if (getrandom(&number, sizeof(number), 0) != sizeof(number))
			number = getpid() + i;
		t->temp = xasprintf("%.*s.%.*s.%08x", folder, t->path, TEMP_NAME_MAX, name, number);
		/* a signal may come before or after, but not between */
		cleanup__lock();
		t->fd = open(t->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		err = t->fd < 0 ? -errno : 0;
		if (!err)
			cleanup__add(&t->leftover);
		cleanup__unlock();
		t->own_fd = !err;
		if (!err)
			return 0;
		free(t->temp);
		t->temp = NULL;
	}
	return target_error(t, "cannot create a temporary file in its directory", err);
}

/* Close the file, and remove it if it is still temporary. */
static void target__close(struct target *t)
{
	if (t->own_fd)
		close(t->fd);
	if (t->temp)
		end_temp(t, NULL);
	free(t->path);
}

/* The flags that chattr sets, and with which a file can be replaced. */
#define KEPT_FLAGS	(FS_SECRM_FL | FS_UNRM_FL | FS_COMPR_FL | FS_SYNC_FL | FS_NODUMP_FL | \
			 FS_NOATIME_FL | FS_NOCOMP_FL | FS_JOURNAL_DATA_FL | FS_NOTAIL_FL | \
			 FS_NOCOW_FL | FS_DAX_FL)

/* Give the new file the old one's flags, while it is empty: some can only be set then. */
static void keep_flags(const struct target *t)
{
	int from __cleanup(close_fd) = open(t->path, O_RDONLY | O_CLOEXEC);
	unsigned int old, now, lost;

	/* most file systems without flags are not on a disk */
	if (from < 0 || ioctl(from, FS_IOC_GETFLAGS, &old) || ioctl(t->fd, FS_IOC_GETFLAGS, &now))
		return;
	lost = (old ^ now) & KEPT_FLAGS;
	now ^= lost;
	if (lost && ioctl(t->fd, FS_IOC_SETFLAGS, &now))
		msg_warn("%s: file flags 0x%x cannot be kept: %s", t->name, lost, strerror(errno));
	if (old & FS_VERITY_FL)
		msg_warn("%s: fs-verity protects the old content, and is not kept", t->name);
}

#define NEW_TARGET	{ .leftover.remove = remove_temp, .fd = -1 }

static int target__open(struct target *t, const char *path)
{
	int err = target__find(t, path);

	if (err || t->fd >= 0)
		return err;
	err = target__make_temp(t);
	if (!err && t->exists)
		keep_flags(t);
	return err;
}

/* The kernel drops these when a file is written to, or they are hashes of its content. */
static bool is_of_content(const char *attribute)
{
	return !strcmp(attribute, "security.capability") || !strcmp(attribute, "security.ima") ||
	       !strcmp(attribute, "security.evm");
}

/* Return: 0, or the reason why this attribute of the old file is lost. */
static int copy_attribute(const struct target *t, const char *name)
{
	ssize_t size = getxattr(t->path, name, NULL, 0), has;
	char *value __cleanup(free_pointer) = NULL, *now __cleanup(free_pointer) = NULL;

	if (size < 0)
		return -errno;
	value = xmalloc(size);
	now = xmalloc(size);
	size = getxattr(t->path, name, value, size);
	if (size < 0)
		return -errno;
	/* new files may inherit it */
	has = fgetxattr(t->fd, name, now, size);
	if (has == size && !memcmp(value, now, size))
		return 0;
	return fsetxattr(t->fd, name, value, size, 0) ? -errno : 0;
}

/* Copy POSIX ACLs, SELinux labels and other extended attributes, of any size. */
static void copy_attributes(const struct target *t)
{
	ssize_t size = listxattr(t->path, NULL, 0);
	char *names __cleanup(free_pointer) = size > 0 ? xmalloc(size) : NULL;

	if (names)
		size = listxattr(t->path, names, size);
	if (size < 0 && errno != ENOTSUP)
		msg_warn("%s: extended attributes cannot be kept: %s", t->name, strerror(errno));
	for (ssize_t i = 0; i < size; i += strlen(names + i) + 1) {
		int err = is_of_content(names + i) ? 0 : copy_attribute(t, names + i);

		if (is_of_content(names + i))
			msg_warn("%s: extended attribute %s is of the old content, and is not kept",
				 t->name, names + i);
		else if (err)
			msg_warn("%s: extended attribute %s cannot be kept: %s", t->name, names + i,
				 strerror(-err));
	}
}

/* A new file inherits the directory's default ACL; the old file may not have one. */
static int drop_inherited_acl(const struct target *t)
{
	static const char acl[] = "system.posix_acl_access";

	if (getxattr(t->path, acl, NULL, 0) >= 0 || !fremovexattr(t->fd, acl) ||
	    errno == ENODATA || errno == ENOTSUP)
		return 0;
	return target_error(t, "cannot remove the ACL that its directory sets", -errno);
}

static int keep_owner_and_mode(const struct target *t)
{
	mode_t mode = t->old.st_mode & 07777;
	struct stat now;
	int err;

	if (fstat(t->fd, &now))
		return target_error(t, "cannot keep mode and owner", -errno);
	if ((now.st_uid != t->old.st_uid || now.st_gid != t->old.st_gid) &&
	    fchown(t->fd, t->old.st_uid, t->old.st_gid)) {
		if (errno != EPERM)
			return target_error(t, "cannot keep the owner", -errno);
		msg_warn("%s: owner %u:%u cannot be kept, it becomes %u:%u", t->name,
			 t->old.st_uid, t->old.st_gid, now.st_uid, now.st_gid);
		/* set-user-ID must not apply to another owner */
		mode &= 0777;
	}
	/* before fchmod(), after which users in the ACL could read the file */
	err = drop_inherited_acl(t);
	if (err)
		return err;
	if (fchmod(t->fd, mode))
		return target_error(t, "cannot keep the mode", -errno);
	copy_attributes(t);
	if (t->old.st_nlink > 1)
		msg_warn("%s: %lu other hard link%s to this file keep%s the old content", t->name,
			 (unsigned long)t->old.st_nlink - 1, t->old.st_nlink == 2 ? "" : "s",
			 t->old.st_nlink == 2 ? "s" : "");
	return 0;
}

/* Close the target, and rename a temporary file into place. */
static int target__commit(struct target *t)
{
	int err = 0;

	if (t->temp && t->exists)
		err = keep_owner_and_mode(t);
	if (err)
		return err;
	if (t->own_fd) {
		t->own_fd = false;
		/* NFS and quotas report errors only now */
		if (close(t->fd))
			return target_error(t, "cannot write", -errno);
	}
	err = t->temp ? end_temp(t, t->path) : 0;
	return err ? target_error(t, "cannot replace it", err) : 0;
}

static int write_all(const struct target *t, const void *bytes, size_t size)
{
	int err = file__write(t->fd, bytes, size);

	/* as for all output: if the reader has exited, do not print a message */
	if (err == -EPIPE && t->fd == STDOUT_FILENO)
		return err;
	return err ? target_error(t, "cannot write", err) : 0;
}

int output__file(const char *path, const void *bytes, size_t size)
{
	struct target t __cleanup(target__close) = NEW_TARGET;
	int err = target__open(&t, path);

	err = err ?: write_all(&t, bytes, size);
	return err ?: target__commit(&t);
}

static int replace_file(const char *path, bool is_private, const void *bytes, size_t size)
{
	struct target t __cleanup(target__close) = NEW_TARGET;
	int err;

	t.name = path;
	t.path = xstrdup(path);
	t.is_private = is_private;
	err = target__make_temp(&t);
	err = err ?: write_all(&t, bytes, size);
	return err ?: target__commit(&t);
}

int output__private(const char *path, const void *bytes, size_t size)
{
	return replace_file(path, true, bytes, size);
}

int output__replace(const char *path, const void *bytes, size_t size)
{
	return replace_file(path, false, bytes, size);
}

int output__elf(const char *path, const struct image *img, const void *bytes, size_t size)
{
	size_t file_size;
	uint8_t *file __cleanup(free_pointer) = elf_edit__wrap(img, bytes, size, &file_size);

	return output__file(path, file, file_size);
}

/* Test whether the file is still the one that was mapped. */
static bool is_image(int fd, const struct stat *st, const struct image *img)
{
	uint8_t head[64];
	size_t want = img->size < sizeof(head) ? img->size : sizeof(head);

	return S_ISREG(st->st_mode) && (uint64_t)st->st_size == img->size &&
	       pread(fd, head, want, 0) == (ssize_t)want && !memcmp(head, img->map, want);
}

/*
 * Copy a range of the image: without reading it, and as a clone, where that is possible.  It is
 * not between other file systems, for example.
 */
static int copy_range(const struct target *t, const struct image *img, int from, off_t offset,
		      off_t end)
{
	off_t to = offset;

	while (offset < end) {
		ssize_t n = copy_file_range(from, &offset, t->fd, &to, end - offset, 0);

		if (n == 0 || (n < 0 && errno != EINTR))
			break;
	}
	/* the file may have grown */
	if (offset >= end)
		return 0;
	if (lseek(t->fd, offset, SEEK_SET) < 0)
		return target_error(t, "cannot write", -errno);
	return write_all(t, img->map + offset, end - offset);
}

/* Copy the image, with its holes, to the empty temporary file. */
static int copy_image(const struct target *t, const struct image *img)
{
	int from __cleanup(close_fd) = open(t->path, O_RDONLY | O_CLOEXEC), err = 0;
	off_t start, end, size = img->size;
	struct stat st;

	if (from < 0 || fstat(from, &st))
		return target_error(t, "cannot read", -errno);
	if (!is_image(from, &st, img))
		return msg_fail(-ESTALE, "%s: has changed since it was opened", t->name);
	if (ftruncate(t->fd, size))
		return target_error(t, "cannot write", -errno);
	for (end = 0; !err && end < size; ) {
		start = lseek(from, end, SEEK_DATA);
		if (start < 0 && errno == ENXIO)
			break; /* only a hole is left */
		/* not all file systems know their holes */
		start = start < 0 ? end : start;
		end = lseek(from, start, SEEK_HOLE);
		if (end <= start || end > size)
			end = size;
		err = copy_range(t, img, from, start, end);
	}
	return err;
}

int output__in_place(const char *path, const struct image *img, const struct btf_bytes *new)
{
	struct target t __cleanup(target__close) = NEW_TARGET;
	int err = target__open(&t, path);

	if (err)
		return err;
	if (!t.temp)
		return msg_fail(-EINVAL, "%s: not a regular file, so no section in it can be replaced",
				t.name);
	err = copy_image(&t, img);
	err = err ?: elf_edit__set_btf(t.fd, img, new);
	return err ?: target__commit(&t);
}

int output__make_directories(const char *path)
{
	char *copy __cleanup(free_pointer) = xstrdup(path);
	struct stat st;

	if (stat_directory(path, &st))
		return 0;
	for (char *p = copy; (p = strchr(p + 1, '/')); *p = '/') {
		*p = '\0';
		if (mkdir(copy, 0777) && errno != EEXIST)
			return msg_fail(-errno, "%s: cannot create this directory: %s", copy,
					strerror(errno));
	}
	return 0;
}
