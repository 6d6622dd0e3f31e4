// SPDX-License-Identifier: GPL-2.0-only
/*
 * A skeleton of bpf/autoattach.bpf.c by Debian's bpftool, or, in light-skeleton.c, a light
 * skeleton, for which the kernel looks up the names.
 *
 * skeleton FILE...: loads and attaches its programs, reads each FILE three times, and
 * prints the number of calls of each program for each file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef LIGHT
#include "autoattach.lskel.h"
#else
#include "autoattach.skel.h"
#endif

static int read_all(const char *path)
{
	char buf[4096];
	ssize_t len;
	int fd;

	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	while ((len = read(fd, buf, sizeof(buf))) > 0)
		;
	close(fd);
	return len;
}

static int count(struct autoattach_bpf *skeleton, const char *path)
{
	skeleton->bss->entered = 0;
	skeleton->bss->left = 0;
	for (int i = 0; i < 3; i++) {
		if (read_all(path)) {
			perror(path);
			return 1;
		}
	}
	if (skeleton->bss->entered || skeleton->bss->left)
		printf("%s: fentry %ld, fexit %ld\n", strrchr(path, '/') + 1,
		       (long)skeleton->bss->entered, (long)skeleton->bss->left);
	return 0;
}

int main(int argc, char **argv)
{
	struct autoattach_bpf *skeleton;
	int err;

	skeleton = autoattach_bpf__open_and_load();
	if (!skeleton) {
		perror("load");
		return 1;
	}
	err = autoattach_bpf__attach(skeleton);
	if (err < 0)
		perror("attach");
	for (int i = 1; i < argc && err >= 0; i++)
		err = count(skeleton, argv[i]) ? -1 : 0;
	autoattach_bpf__destroy(skeleton);
	return err < 0;
}
