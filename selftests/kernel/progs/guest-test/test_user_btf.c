// SPDX-License-Identifier: GPL-2.0-only
/* BTF that a user loads cannot have addresses. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "guest.h"

#define INFO(kind, flag, vlen) ((__u32)(flag) << 31 | (kind) << 24 | (vlen))

/* "static void f(void)", and where it is */
struct user_btf {
	struct btf_header hdr;
	struct btf_type proto, func;
	__u32 record[2];
	char strs[4];
};

static struct user_btf make(__u32 func_info)
{
	struct user_btf btf = {
		.hdr = {
			.magic = BTF_MAGIC,
			.version = BTF_VERSION,
			.hdr_len = sizeof(btf.hdr),
			.type_len = offsetof(struct user_btf, strs) - sizeof(btf.hdr),
			.str_off = offsetof(struct user_btf, strs) - sizeof(btf.hdr),
			.str_len = sizeof(btf.strs),
		},
		.proto = { .info = INFO(BTF_KIND_FUNC_PROTO, 0, 0) },
		.func = { .name_off = 1, .info = func_info, .type = 1 },
		.record = { 0x1000, 0xff000000 },
		.strs = "\0f\0",
	};

	return btf;
}

/* Return: a descriptor or a negative errno; prog_log has the kernel's message. */
static int load(const void *btf, size_t size)
{
	LIBBPF_OPTS(bpf_btf_load_opts, opts, .log_buf = prog_log, .log_size = 4096,
		    .log_level = 1);
	int fd;

	prog_log[0] = '\0';
	fd = bpf_btf_load(btf, size, &opts);
	return fd < 0 ? -errno : fd;
}

static void plain(void)
{
	struct user_btf btf = make(INFO(BTF_KIND_FUNC, 0, BTF_FUNC_STATIC));
	int fd;

	/* The same, without the record. */
	memmove(btf.record, btf.strs, sizeof(btf.strs));
	btf.hdr.type_len -= sizeof(btf.record);
	btf.hdr.str_off -= sizeof(btf.record);
	fd = load(&btf, sizeof(btf) - sizeof(btf.record));
	need(fd >= 0, "loading: %s; the kernel printed:\n%s", strerror(-fd), prog_log);
	close(fd);
}

static void address(void)
{
	struct user_btf btf = make(INFO(BTF_KIND_FUNC, 1, BTF_FUNC_STATIC));

	expect_eq(load(&btf, sizeof(btf)), -EINVAL, "loading");
	expect(strstr(prog_log, "Invalid btf_info kind_flag"), "the kernel printed:\n%s",
	       prog_log);
}

/* Like load(), for a file of BTF; without a log, which has a line for each type. */
static int load_file(const char *path)
{
	FILE *file = fopen(path, "r");
	void *btf = NULL;
	long size = -1;
	int fd;

	need(file, "%s: %s", path, strerror(errno));
	if (!fseek(file, 0, SEEK_END))
		size = ftell(file);
	rewind(file);
	if (size > 0)
		btf = malloc(size);
	need(btf && fread(btf, 1, size, file) == (size_t)size, "%s: cannot be read", path);
	fd = bpf_btf_load(btf, size, NULL);
	if (fd < 0)
		fd = -errno;
	free(btf);
	fclose(file);
	return fd;
}

static void loadable(void)
{
	int fd = load_file("/files/vmlinux.loadable");

	need(fd >= 0, "loading: %s", strerror(-fd));
	close(fd);
}

static void not_loadable(void)
{
	expect_eq(load_file("/files/vmlinux.plain"), -EINVAL, "loading");
}

static const struct guest_case cases[] = {
	{ "a FUNC without an address is loaded", plain },
	{ "a FUNC with an address is rejected", address },
	{ "vmlinux's BTF is loaded after \"abtf strip --loadable\"", loadable },
	{ "vmlinux's BTF after \"abtf strip\" is rejected because of names", not_loadable },
	{ },
};

const struct guest_test test_user_btf = { "user-btf", cases, NULL };
