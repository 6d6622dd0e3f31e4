// SPDX-License-Identifier: GPL-2.0-only
/*
 * count_calls [-m | -r] TABLE NAME@FILE... -- COMMAND: how often are these functions, and
 * no others of their names, called while a shell command runs?  With -m by kprobe.multi,
 * with -r counted when they return.  abtf_probe.h explains how to name one of several bodies.
 */
#include <unistd.h>

#include "abtf_probe.h"
#include "count_calls.skel.h"

/* One link for all. Where addresses are hidden, one link for each, which needs none. */
static int attach(struct count_calls *skel, char how, const char *table,
		  const char *const *names, int nr)
{
	size_t bad;

	if (how == 'm') {
		if (abtf_attach_kprobe_multi(skel->progs.count_multi, table, names, nr, &bad))
			return 0;
		if (errno != EPERM || bad < (size_t)nr) {
			fprintf(stderr, "%s: %s\n", bad < (size_t)nr ? names[bad] : "kprobe.multi",
				abtf_strerror(errno));
			return -1;
		}
	}
	for (int i = 0; i < nr; i++) {
		if (!abtf_attach_kprobe(skel->progs.count, table, names[i], how == 'r')) {
			fprintf(stderr, "%s: %s\n", names[i], abtf_strerror(errno));
			return -1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	char how = argc > 1 && (!strcmp(argv[1], "-m") || !strcmp(argv[1], "-r")) ? argv[1][1] : 0;
	int first = how ? 2 : 1, end = first;
	struct count_calls *skel;

	while (end < argc && strcmp(argv[end], "--"))
		end++;
	if (end + 1 >= argc || end - first < 2) {
		fprintf(stderr, "usage: count_calls [-m | -r] TABLE NAME@FILE... -- COMMAND\n");
		return 2;
	}
	skel = count_calls__open();
	if (skel && how != 'm')
		bpf_program__set_autoload(skel->progs.count_multi, false);
	if (!skel || count_calls__load(skel)) {
		perror("load");
		return 1;
	}
	if (attach(skel, how, argv[first], (const char *const *)argv + first + 1,
		   end - first - 1))
		return 1;
	if (system(argv[end + 1]))
		fprintf(stderr, "%s: failed\n", argv[end + 1]);
	printf("%ld\n", skel->bss->calls);
	count_calls__destroy(skel);
	return 0;
}
