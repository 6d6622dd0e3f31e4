// SPDX-License-Identifier: GPL-2.0-only
/*
 * leakscan [FILE...]: searches files for run-time addresses of the running kernel or of its
 * modules; without a file, it searches the bytes that BPF_OBJ_GET_INFO_BY_FD returns for
 * each BTF object. It finds quadwords at multiples of 4 bytes, with their words in either
 * order, in a range of text or data. Prints each as "FILE: OFFSET: VALUE", then "N bytes, N
 * ranges, N found". Exits with 0 if there is none, with 1 if there is one, and with 2 after
 * an error.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <linux/bpf.h>

struct range {
	unsigned long start, end;
	char module[64];
};

static struct range ranges[64];
static int nr_ranges;
static unsigned long nr_bytes, nr_found;

static void fail(const char *what)
{
	fprintf(stderr, "leakscan: %s: %s\n", what, strerror(errno));
	exit(2);
}

static struct range *range_of(const char *module)
{
	for (int i = 0; i < nr_ranges; i++)
		if (!strcmp(ranges[i].module, module))
			return &ranges[i];
	if (nr_ranges == sizeof(ranges) / sizeof(ranges[0])) {
		errno = E2BIG;
		fail("modules");
	}
	ranges[nr_ranges].start = -1UL;
	strncpy(ranges[nr_ranges].module, module, sizeof(ranges[0].module) - 1);
	return &ranges[nr_ranges++];
}

static void extend(struct range *range, unsigned long start, unsigned long end)
{
	if (start < range->start)
		range->start = start;
	if (end > range->end)
		range->end = end;
}

/* From _text to _end for the image, and all that has a symbol for a module. */
static void read_symbols(void)
{
	char line[512], name[256], module[64];
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long addr;

	if (!file)
		fail("/proc/kallsyms");
	while (fgets(line, sizeof(line), file)) {
		int n = sscanf(line, "%lx %*c %255s [%63[^]]", &addr, name, module);

		if (n == 3 && strcmp(module, "bpf"))
			extend(range_of(module), addr, addr + 1);
		else if (n == 2 && (!strcmp(name, "_text") || !strcmp(name, "_end")))
			extend(range_of("the image"), addr, addr);
	}
	fclose(file);
	if (!nr_ranges || ranges[0].end <= ranges[0].start) {
		errno = EPERM;
		fail("no addresses in /proc/kallsyms");
	}
}

/* The entry of a module in the module list, and the rest of its pages. */
static void read_modules(void)
{
	char line[512], module[64];
	unsigned long addr, size;
	FILE *file = fopen("/proc/modules", "r");

	if (!file)
		fail("/proc/modules");
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%63s %lu %*s %*s %*s %lx", module, &size, &addr) == 3)
			extend(range_of(module), addr, addr + size);
	fclose(file);
	for (int i = 1; i < nr_ranges; i++) {
		ranges[i].start &= ~4095UL;
		ranges[i].end = (ranges[i].end + 4095) & ~4095UL;
	}
}

static void try(const char *name, size_t offset, unsigned long value)
{
	for (int i = 0; i < nr_ranges; i++) {
		if (value < ranges[i].start || value >= ranges[i].end)
			continue;
		printf("%s: 0x%zx: 0x%lx (%s)\n", name, offset, value, ranges[i].module);
		nr_found++;
		return;
	}
}

static void scan(const char *name, const char *data, size_t size)
{
	unsigned int first, second;

	nr_bytes += size;
	for (size_t at = 0; at + 8 <= size; at += 4) {
		memcpy(&first, data + at, 4);
		memcpy(&second, data + at + 4, 4);
		try(name, at, first | (unsigned long)second << 32);
		try(name, at, second | (unsigned long)first << 32);
	}
}

static void scan_file(const char *name)
{
	size_t size = 0, room = 1 << 20;
	char *data = malloc(room);
	FILE *file = fopen(name, "r");

	if (!file || !data)
		fail(name);
	while (!feof(file)) {
		if (size == room) {
			room *= 2;
			data = realloc(data, room);
			if (!data)
				fail(name);
		}
		size += fread(data + size, 1, room - size, file);
		if (ferror(file))
			fail(name);
	}
	fclose(file);
	scan(name, data, size);
	free(data);
}

static void scan_objects(void)
{
	__u32 id = 0;

	while (!bpf_btf_get_next_id(id, &id)) {
		struct bpf_btf_info info = {};
		__u32 len = sizeof(info);
		int fd = bpf_btf_get_fd_by_id(id);
		char name[32], *data;

		snprintf(name, sizeof(name), "BTF object %u", id);
		if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &len))
			fail(name);
		data = malloc(info.btf_size);
		if (!data)
			fail(name);
		len = info.btf_size;
		memset(&info, 0, sizeof(info));
		info.btf = (unsigned long)data;
		info.btf_size = len;
		len = sizeof(info);
		if (bpf_obj_get_info_by_fd(fd, &info, &len))
			fail(name);
		scan(name, data, info.btf_size);
		free(data);
		close(fd);
	}
}

int main(int argc, char **argv)
{
	read_symbols();
	read_modules();
	if (argc == 1)
		scan_objects();
	for (int i = 1; i < argc; i++)
		scan_file(argv[i]);
	printf("%lu bytes, %d ranges, %lu found\n", nr_bytes, nr_ranges, nr_found);
	if (!nr_bytes) {
		errno = ENODATA;
		fail("nothing to look at");
	}
	return nr_found ? 1 : 0;
}
