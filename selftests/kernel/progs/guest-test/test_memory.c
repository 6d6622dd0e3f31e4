// SPDX-License-Identifier: GPL-2.0-only
/* Reading or mapping the kernel's BTF does not cost memory for good. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guest.h"

#define BTF "/sys/kernel/btf/vmlinux"
#define BOUND 1024 /* kB; BTF has 2,500 and more */

static const char *const fields[] = { "MemFree:", "Slab:", "VmallocUsed:" };

/* Read fields of /proc/meminfo, in kB, with empty caches. */
static void meminfo(long *values)
{
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	char *text;
	size_t i;

	need(fd >= 0 && write(fd, "3", 1) == 1, "drop_caches: %s", strerror(errno));
	close(fd);
	text = read_file("/proc/meminfo", NULL);
	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		const char *line = strstr(text, fields[i]);

		need(line, "/proc/meminfo has no %s", fields[i]);
		values[i] = strtol(line + strlen(fields[i]), NULL, 10);
	}
	free(text);
}

static void read_it(void)
{
	free(read_file(BTF, NULL));
}

static void map_it(void)
{
	int fd = open(BTF, O_RDONLY | O_CLOEXEC);
	volatile char sum = 0;
	size_t len, i;
	char *p;

	free(read_file(BTF, &len));
	p = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED && errno == ENODEV)
		skip_case("BTF cannot be mapped here");
	need(p != MAP_FAILED, "mapping: %s", strerror(errno));
	for (i = 0; i < len; i += 4096)
		sum += p[i];
	munmap(p, len);
	close(fd);
}

static void measure(void (*use)(void))
{
	long before[ARRAY_SIZE(fields)], after[ARRAY_SIZE(fields)];
	int tries = 0;
	bool grown;
	size_t i;

	/* the memory for reading any file */
	free(read_file("/proc/kallsyms", NULL));
	meminfo(before);
	use();
	/* Freed pages stay in lists of each CPU for some seconds, and MemFree does not count them. */
	do {
		sleep(tries ? 1 : 0);
		meminfo(after);
		grown = false;
		for (i = 0; i < ARRAY_SIZE(fields); i++)
			grown |= (i ? after[i] - before[i] : before[i] - after[i]) >= BOUND;
	} while (grown && tries++ < 60);

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		note("%s %ld kB before, %ld after", fields[i], before[i], after[i]);
	expect(!grown, "after %d seconds, %d kB or more are still missing", tries, BOUND);
}

static void reading(void)
{
	measure(read_it);
}

static void mapping(void)
{
	measure(map_it);
}

static const struct guest_case cases[] = {
	{ "reading BTF of vmlinux does not use memory permanently", reading },
	{ "mapping BTF of vmlinux does not use memory permanently", mapping },
	{ },
};

const struct guest_test test_memory = { "memory", cases, NULL };
