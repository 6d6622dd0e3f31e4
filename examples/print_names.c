// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_names TABLE NAME@FILE -- COMMAND: for each call of this function, and of no other with its
 * name, while a shell command runs: the name of the kobject that is its first argument.
 */
#include <unistd.h>

#include "abtf_probe.h"
#include "print_names.h"
#include "print_names.skel.h"

static int print(void *ctx, void *name, size_t size)
{
	puts(name);
	return 0;
}

int main(int argc, char **argv)
{
	struct print_names *skel;
	struct ring_buffer *names;

	if (argc != 5 || strcmp(argv[3], "--")) {
		fprintf(stderr, "usage: print_names TABLE NAME@FILE -- COMMAND\n");
		return 2;
	}
	skel = print_names__open_and_load();
	if (!skel) {
		perror("load");
		return 1;
	}
	names = ring_buffer__new(bpf_map__fd(skel->maps.names), print, NULL, NULL);
	if (!names) {
		perror("ring buffer");
		return 1;
	}
	if (!abtf_attach_kprobe(skel->progs.read_name, argv[1], argv[2], false)) {
		fprintf(stderr, "%s: %s\n", argv[2], abtf_strerror(errno));
		return 1;
	}
	if (system(argv[4]))
		fprintf(stderr, "%s: failed\n", argv[4]);
	ring_buffer__consume(names);
	if (skel->bss->lost)
		fprintf(stderr, "the names of %ld calls are missing: the buffer was full\n",
			skel->bss->lost);
	ring_buffer__free(names);
	print_names__destroy(skel);
	return 0;
}
