// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcore SYMBOL SIZE: writes the kernel's memory at SYMBOL to stdout. Exits with 77 if
 * /proc/kcore does not have that address.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void die(const char *what)
{
	fprintf(stderr, "kcore: %s: %s\n", what, strerror(errno));
	exit(2);
}

static unsigned long address_of(const char *symbol)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long addr;
	char name[512];

	if (!file)
		die("/proc/kallsyms");
	while (fscanf(file, "%lx %*c %511[^\n]", &addr, name) == 2)
		if (!strcmp(name, symbol) && addr)
			return addr;
	errno = ENOENT;
	die(symbol);
	return 0;
}

static void copy(int fd, off_t at, size_t size)
{
	static char buf[1 << 16];

	while (size) {
		ssize_t len = pread(fd, buf, size < sizeof(buf) ? size : sizeof(buf), at);

		if (len <= 0 || fwrite(buf, 1, len, stdout) != (size_t)len)
			die("reading");
		at += len;
		size -= len;
	}
}

int main(int argc, char **argv)
{
	unsigned long addr, size;
	Elf64_Ehdr ehdr;
	Elf64_Phdr ph;
	int fd, i;

	if (argc != 3)
		return 2;
	addr = address_of(argv[1]);
	size = strtoul(argv[2], NULL, 10);
	fd = open("/proc/kcore", O_RDONLY);
	if (fd < 0 || pread(fd, &ehdr, sizeof(ehdr), 0) != sizeof(ehdr))
		die("/proc/kcore");
	for (i = 0; i < ehdr.e_phnum; i++) {
		if (pread(fd, &ph, sizeof(ph), ehdr.e_phoff + i * sizeof(ph)) != sizeof(ph))
			die("program headers");
		if (ph.p_type != PT_LOAD || addr < ph.p_vaddr || addr - ph.p_vaddr >= ph.p_filesz)
			continue;
		copy(fd, ph.p_offset + (addr - ph.p_vaddr), size);
		return fclose(stdout) ? 2 : 0;
	}
	return 77;
}
