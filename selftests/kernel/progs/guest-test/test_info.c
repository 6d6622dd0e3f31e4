// SPDX-License-Identifier: GPL-2.0-only
/*
 * BPF_OBJ_GET_INFO_BY_FD of the kernel's BTF: the contents of the file, byte by byte, in
 * a buffer of any size, and the contents of mappings of the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "guest.h"

#define FILLED 0xa5

/* Return: a descriptor of the kernel's BTF with this name; the case ends if there is none. */
static int open_btf(const char *name)
{
	char got[64];
	struct bpf_btf_info info;
	__u32 id = 0, len;
	int fd;

	while (!bpf_btf_get_next_id(id, &id)) {
		fd = bpf_btf_get_fd_by_id(id);
		if (fd < 0)
			continue;
		memset(&info, 0, sizeof(info));
		info.name = (unsigned long)got;
		info.name_len = sizeof(got);
		len = sizeof(info);
		if (!bpf_obj_get_info_by_fd(fd, &info, &len) && info.kernel_btf && !strcmp(got, name))
			return fd;
		close(fd);
	}
	give_up("the kernel has no BTF %s", name);
}

/* Request @size bytes. Return: 0 or a negative errno; *@whole is the length of the BTF. */
static int get(int fd, void *buf, __u32 size, __u32 *whole)
{
	struct bpf_btf_info info = { .btf = (unsigned long)buf, .btf_size = size };
	__u32 len = sizeof(info);
	int err = bpf_obj_get_info_by_fd(fd, &info, &len) ? -errno : 0;

	*whole = info.btf_size;
	return err;
}

/* The first @size bytes are the file's, and the kernel writes no byte after them. */
static void get_part(int fd, const char *file, size_t file_len, __u32 size)
{
	__u32 len = size < file_len ? size : file_len, whole, i;
	unsigned char *buf = malloc(size + 1);

	memset(buf, FILLED, size + 1);
	expect_eq(get(fd, buf, size, &whole), 0, "return value");
	expect_eq(whole, file_len, "length of the whole BTF");
	expect(!memcmp(buf, file, len), "the first %u bytes differ from the file", len);
	for (i = len; i <= size && buf[i] == FILLED; i++)
		;
	expect_eq(i, size + 1, "first byte that was written beyond the requested size or the BTF");
	free(buf);
}

static void compare(const char *name, const char *path)
{
	static const __u32 sizes[] = { 0, 1, 24, 1021, 4096, 4097, 12289 };
	int fd = open_btf(name);
	size_t len, i;
	char *file = read_file(path, &len);
	__u32 whole;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		get_part(fd, file, len, sizes[i]);
	get_part(fd, file, len, len - 1);
	get_part(fd, file, len, len);
	get_part(fd, file, len, len + 5000);

	expect_eq(get(fd, (void *)8, len, &whole), -EFAULT, "with a bad address");
	expect_eq(get(fd, NULL, 0, &whole), 0, "without a buffer");
	expect_eq(whole, len, "length, without a buffer");
	free(file);
	close(fd);
}

static void of_vmlinux(void)
{
	compare("vmlinux", "/sys/kernel/btf/vmlinux");
}

static void of_module(void)
{
	const char *name = lone_module("md5", "libmd5");
	char path[64];

	need(!module_load(module_path(name)), "%s cannot be loaded", name);
	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", name);
	compare(name, path);
	module_unload(name);
}

/* Ends at every byte of two FUNCs, which in the kernel are 40 bytes long, not 24. */
static void inside(void)
{
	const struct btf *btf = vmlinux()->btf;
	int fd = open_btf("vmlinux"), i;
	__u32 id = func(vmlinux(), "vfs_read"), size, off;
	size_t len;
	char *file = read_file("/sys/kernel/btf/vmlinux", &len);

	off = (const char *)btf__type_by_id(btf, id) - (const char *)btf__raw_data(btf, &size);
	for (i = 0; i <= 24; i++)
		get_part(fd, file, len, off + i);
	free(file);
	close(fd);
}

/* Return: 0 or a negative errno */
static int map(int fd, size_t len, int prot, int flags, void **ret)
{
	*ret = mmap(NULL, len, prot, flags, fd, 0);
	return *ret == MAP_FAILED ? -errno : 0;
}

/* The rest of the last page belongs to the kernel. */
static void mapped(void)
{
	size_t page = getpagesize(), len, room, i;
	char *file = read_file("/sys/kernel/btf/vmlinux", &len), *at;
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY), err;
	void *p;

	room = (len + page - 1) / page * page;
	err = map(fd, room, PROT_READ, MAP_PRIVATE, &p);
	if (err == -ENODEV)
		skip_case("BTF cannot be mapped here");
	need(!err, "mapping: %s", strerror(-err));
	at = p;
	expect(!memcmp(at, file, len), "the mapping differs from the file");
	for (i = len; i < room && !at[i]; i++)
		;
	expect_eq(i, room, "first byte after the BTF that is not 0");
	munmap(p, room);
	expect_eq(map(fd, room + page, PROT_READ, MAP_PRIVATE, &p), -EINVAL,
		  "mapping one more page");
	expect_eq(map(fd, page, PROT_READ, MAP_SHARED, &p), -EACCES, "a shared mapping");
	expect_eq(map(fd, page, PROT_READ | PROT_WRITE, MAP_PRIVATE, &p), -EACCES,
		  "a writable mapping");
	close(fd);
	free(file);
}

static const struct guest_case cases[] = {
	{ "vmlinux: info returns part of BTF, or all of it", of_vmlinux },
	{ "module: info returns part of BTF, or all of it", of_module },
	{ "vmlinux: info returns BTF that ends inside a FUNC", inside },
	{ "vmlinux: BTF can be mapped", mapped },
	{ },
};

const struct guest_test test_info = { "info", cases, NULL };
