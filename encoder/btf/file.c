// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btf/file.h"
#include "util/memory.h"
#include "util/msg.h"

/* initial buffer size; vmlinux has 5 MB */
#define READ_CHUNK	(4UL << 20)
/* More than any kernel has; limits reading from a device or pipe. */
#define MAX_FILE	(1UL << 30)

static struct section *find_btf(const struct image *img)
{
	struct section *sec = image__section(img, ".BTF");

	if (sec && sec->type != SHT_NOBITS)
		return sec;
	if (sec)
		msg_error("%s: section %s has no bytes (objcopy --only-keep-debug omits them): use a separate BTF file, written by `abtf encode -o`",
			  img->path, sec->name);
	else if (image__section(img, ".debug_info"))
		msg_error("%s: no .BTF section; run `abtf encode %s` to make one from its DWARF",
			  img->path, img->path);
	else
		msg_error("%s: no .BTF section, and no DWARF to make one from", img->path);
	return NULL;
}

static int load_and_parse(const struct image *img, struct section *sec,
			  const struct btf_data *base, struct btf_data **ret)
{
	int err = image__load_section(img, sec);

	if (err)
		return err;
	return btf_data__parse(sec->data, sec->data ? sec->size : 0, img->path, base, ret);
}

/* Read .BTF.base, with which out-of-tree modules come. */
static int load_own_base(const struct image *img, struct section *sec, struct btf_data **ret)
{
	int err = load_and_parse(img, sec, NULL, ret);

	if (err || !(*ret)->nr_funcs)
		return err;
	msg_error("%s: section [%u] %s: has functions, which a base cannot have", img->path,
		  sec->index, sec->name);
	btf_data__free(*ret);
	*ret = NULL;
	return -EINVAL;
}

int btf_data__from_image(const struct image *img, const struct btf_data *base,
			 struct btf_data **ret)
{
	struct section *sec = find_btf(img);
	struct section *base_sec = image__section(img, ".BTF.base");
	struct btf_data *own = NULL;
	int err = 0;

	*ret = NULL;
	if (!sec)
		return -ENOENT;
	if (base_sec && base_sec->size)
		err = load_own_base(img, base_sec, &own);
	err = err ?: load_and_parse(img, sec, own ?: base, ret);
	if (err)
		btf_data__free(own);
	else
		(*ret)->owned_base = own;
	return err;
}

/*
 * The magic in either byte order.  Other files are not read to the end, because they may be
 * endless.
 */
static bool may_be_btf(const uint8_t *bytes, size_t len)
{
	return len < 2 || (bytes[0] == 0x9f && bytes[1] == 0xeb) ||
	       (bytes[0] == 0xeb && bytes[1] == 0x9f);
}

/* Map a file with a size if possible: older kernels do not support this for /sys/kernel/btf. */
static bool map_file(struct btf_file *file, int fd)
{
	struct stat st;
	void *map;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    (uint64_t)st.st_size > MAX_FILE)
		return false;
	map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return false;
	file->map = map;
	file->bytes = map;
	file->size = st.st_size;
	return true;
}

static int read_to_end(struct btf_file *file, int fd)
{
	size_t room = READ_CHUNK;
	ssize_t n;

	file->buf = xmalloc(room);
	file->bytes = file->buf;
	while (may_be_btf(file->buf, file->size) &&
	       (n = read(fd, file->buf + file->size, room - file->size)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		file->size += n;
		if (file->size < room)
			continue;
		if (room >= MAX_FILE)
			return -EFBIG;
		room *= 2;
		file->buf = xrealloc(file->buf, room, 1);
		file->bytes = file->buf;
	}
	return 0;
}

static int read_file(struct btf_file *file)
{
	int fd = open(file->path, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 ? -errno : 0;

	if (!err && !map_file(file, fd))
		err = read_to_end(file, fd);
	if (fd >= 0)
		close(fd);
	return err ? msg_fail(err, "%s: %s", file->path, strerror(-err)) : 0;
}

static int find_in_image(struct btf_file *file)
{
	struct section *sec;
	int err;

	err = image__open(file->path, &file->img);
	if (err)
		return err;
	sec = find_btf(file->img);
	err = sec ? image__load_section(file->img, sec) : -ENOENT;
	if (!err) {
		file->bytes = sec->data;
		file->size = sec->data ? sec->size : 0;
	}
	return err;
}

int btf_file__open(struct btf_file *file, const char *path)
{
	int err = image__is_elf(path);

	*file = (struct btf_file){ .path = path };
	if (err < 0)
		return err;
	err = err ? find_in_image(file) : read_file(file);
	if (err)
		btf_file__close(file);
	return err;
}

void btf_file__close(struct btf_file *file)
{
	image__close(file->img);
	free(file->buf);
	if (file->map)
		munmap(file->map, file->size);
	*file = (struct btf_file){};
}

bool btf_file__has_base(const struct btf_file *file)
{
	const struct section *sec = file->img ? image__section(file->img, ".BTF.base") : NULL;

	return sec && sec->size;
}

int btf_data__open(const char *path, const struct btf_data *base, struct btf_data **ret)
{
	struct btf_file file;
	int err;

	*ret = NULL;
	err = btf_file__open(&file, path);
	if (err)
		return err;
	if (file.img)
		err = btf_data__from_image(file.img, base, ret);
	else
		err = btf_data__parse(file.bytes, file.size, path, base, ret);
	btf_file__close(&file);
	return err;
}
