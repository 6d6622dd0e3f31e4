// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf-instances BTF <SELECTORS: what the patched libbpf's iterator gives for each
 * line, as "SELECTOR ID..."; with no ID if nothing fits, or "SELECTOR error N".
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char line[4096];
	struct btf *btf;

	btf = argc == 2 ? btf__parse(argv[1], NULL) : NULL;
	if (!btf) {
		fprintf(stderr, "btf-instances: %s\n", argc == 2 ? strerror(errno) : "Usage");
		return 1;
	}
	while (fgets(line, sizeof(line), stdin)) {
		const struct btf_func_instance *inst;
		struct btf_func_iter *iter;

		line[strcspn(line, "\n")] = '\0';
		printf("%s", line);
		iter = btf_func_iter__new(btf, line, NULL);
		if (!iter) {
			printf(" error %d\n", errno);
			continue;
		}
		while ((inst = btf_func_iter__next(iter)))
			printf(" %u", inst->id);
		puts("");
		btf_func_iter__free(iter);
	}
	btf__free(btf);
	return 0;
}
