// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btf/base_cache.h"
#include "btf/output.h"
#include "util/msg.h"

/* To be counted up whenever the tables change, or how shapes are hashed. */
#define VERSION		2U
#define BYTE_ORDER_MARK	0x01020304U

static const char magic[8] = "abtfbase";

/* FOLDER/HASH.base; to be freed. */
static char *make_path(const char *folder, struct hash content)
{
	char *path;

	if (asprintf(&path, "%s/%016" PRIx64 "%016" PRIx64 ".base", folder, content.hi,
		     content.lo) < 0)
		return NULL;
	return path;
}

static struct hash hash_header(const struct base_header *h)
{
	const size_t start = offsetof(struct base_header, content);

	return hash_block((const uint8_t *)h + start, h->size - start);
}

static bool is_power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

/* Is this a whole file that we wrote for this BTF? */
static bool is_good(const struct base_header *h, uint64_t size, struct hash content)
{
	return size >= sizeof(*h) && !memcmp(h->magic, magic, sizeof(magic)) &&
	       h->version == VERSION && h->byte_order == BYTE_ORDER_MARK && h->size == size &&
	       hash__equal(h->content, content) && h->end_id &&
	       is_power_of_two(h->nr_shapes) && is_power_of_two(h->nr_names) &&
	       is_power_of_two(h->nr_strings) && base_index__size(h) == size &&
	       hash__equal(h->check, hash_header(h));
}

/* Return: the mapped file, NULL if there is none. */
static void *map_file(const char *path, uint64_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *map = MAP_FAILED;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size) {
		*size = st.st_size;
		map = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

int base_cache__read(const char *folder, const struct btf_file *file, struct btf_data **btf,
		     struct base_index *index)
{
	struct hash content = hash_block(file->bytes, file->size);
	char *path = make_path(folder, content);
	uint64_t size;
	void *map;
	int err = -ENOENT;

	if (!path)
		return -ENOMEM;
	map = map_file(path, &size);
	if (map && is_good(map, size, content)) {
		base_index__at(index, map);
		err = btf_data__in_place(file->bytes, file->size, file->path, index->offsets,
					 index->header->end_id, btf);
	} else if (map) {
		msg_info("%s: not a good index, made anew", path);
	}
	if (!err)
		msg_info("%s: the index of %s", path, file->path);
	if (map && err) {
		munmap(map, size);
		index->header = NULL;
	}
	free(path);
	return err;
}

void base_cache__close(struct base_index *index)
{
	if (index->header)
		munmap(index->header, index->header->size);
	index->header = NULL;
}

void base_cache__write(const char *folder, const struct btf_file *file,
		       const struct base_index *index)
{
	struct base_header *h = index->header;
	char *path;

	memcpy(h->magic, magic, sizeof(magic));
	h->version = VERSION;
	h->byte_order = BYTE_ORDER_MARK;
	h->content = hash_block(file->bytes, file->size);
	h->check = hash_header(h);
	path = make_path(folder, h->content);
	if (mkdir(folder, 0777) && errno != EEXIST)
		msg_warn("%s: cannot make this folder, so no index of the base is kept: %s",
			 folder, strerror(errno));
	else if (!path || output__file(path, h, h->size))
		msg_warn("%s: no index of the base is kept", folder);
	free(path);
}
