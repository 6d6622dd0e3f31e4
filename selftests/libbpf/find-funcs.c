// SPDX-License-Identifier: GPL-2.0-only
/*
 * find-funcs BTF <NAMES: what libbpf finds for each line, as "NAME ID".  Built with
 * any libbpf, that is btf__find_by_name_kind().  Built with the patched one and
 * -DPATCHED it is what NAME@SUFFIX means, and "NAME ID OFFSET".
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef PATCHED
#include <linux/err.h>
#include <btf.h>
#include <libbpf.h>
#include <libbpf_internal.h>
#else
#include <bpf/btf.h>
#endif

#ifdef PATCHED
static int find(const struct btf *btf, const char *name)
{
	struct btf_func_cands list = {};
	int ret;

	ret = btf_add_func_cands(&list, btf, name, NULL, 0);
	ret = ret ?: btf_pick_func_cand(&list, name);
	if (ret >= 0)
		ret = list.cands[ret].id;
	free(list.cands);
	return ret;
}
#else
static int find(const struct btf *btf, const char *name)
{
	return btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);
}
#endif

int main(int argc, char **argv)
{
	char line[4096];
	struct btf *btf;

	btf = argc == 2 ? btf__parse(argv[1], NULL) : NULL;
	if (!btf) {
		fprintf(stderr, "find-funcs: %s\n", argc == 2 ? strerror(errno) : "Usage");
		return 1;
	}
	while (fgets(line, sizeof(line), stdin)) {
		int id;

		line[strcspn(line, "\n")] = '\0';
		id = find(btf, line);
		printf("%s %d", line, id);
#ifdef PATCHED
		if (id > 0)
			printf(" %lld", (long long)btf__func_offset(btf, id, NULL));
#endif
		putchar('\n');
	}
	btf__free(btf);
	return 0;
}
