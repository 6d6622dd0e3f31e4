// SPDX-License-Identifier: GPL-2.0-only
/*
 * count_calls [-m] TABLE NAME@FILE... -- COMMAND...: how often are these functions, and
 * no others of their names, called while a shell command runs?  With -m by kprobe.multi.
 */
#include <unistd.h>

#include "abtf_probe.h"
#include "count_calls.skel.h"

static int attach(struct count_calls *skel, bool multi, const char *table,
		  const char *const *names, int nr)
{
	if (multi)
		return abtf_attach_kprobe_multi(skel->progs.count_multi, table, names, nr) ? 0 : -1;
	for (int i = 0; i < nr; i++)
		if (!abtf_attach_kprobe(skel->progs.count, table, names[i], false))
			return -1;
	return 0;
}

int main(int argc, char **argv)
{
	bool multi = argc > 1 && !strcmp(argv[1], "-m");
	int first = 1 + multi, end = first;
	struct count_calls *skel;

	while (end < argc && strcmp(argv[end], "--"))
		end++;
	if (end + 1 >= argc || end - first < 2) {
		fprintf(stderr, "usage: count_calls [-m] TABLE NAME@FILE... -- COMMAND\n");
		return 2;
	}
	skel = count_calls__open();
	if (skel)
		bpf_program__set_autoload(multi ? skel->progs.count : skel->progs.count_multi, false);
	if (!skel || count_calls__load(skel)) {
		perror("load");
		return 1;
	}
	if (attach(skel, multi, argv[first], (const char *const *)argv + first + 1,
		   end - first - 1)) {
		perror(argv[first + 1]);
		return 1;
	}
	if (system(argv[end + 1]))
		fprintf(stderr, "%s: failed\n", argv[end + 1]);
	printf("%ld\n", skel->bss->calls);
	count_calls__destroy(skel);
	return 0;
}
