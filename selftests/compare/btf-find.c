// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf-find BTF [NAME...]: find functions in plain BTF with the distribution's own
 * btf__find_by_name_kind().
 *
 * Without a NAME: check that every NAME@FILE is found, and that no FUNC is called NAME.
 * The last line counts failures.
 * With names: print a line "NAME ID" for each one that is found.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_each(const struct btf *btf)
{
	__u32 id, with_file = 0, wrong = 0;

	for (id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const char *name = btf__name_by_offset(btf, t->name_off);
		const char *at = strchr(name, '@');
		char *part;

		if (btf_kind(t) != BTF_KIND_FUNC || !at)
			continue;
		with_file++;
		if (btf__find_by_name_kind(btf, name, BTF_KIND_FUNC) != (int)id) {
			wrong++;
			printf("%s is not found\n", name);
		}
		part = strndup(name, at - name);
		if (!part || btf__find_by_name_kind(btf, part, BTF_KIND_FUNC) > 0) {
			wrong++;
			printf("%s: there is also %s\n", name, part);
		}
		free(part);
	}
	printf("%u functions with a file, %u not found or with a bare name\n", with_file, wrong);
	return wrong != 0;
}

int main(int argc, char **argv)
{
	struct btf *btf = argc > 1 ? btf__parse(argv[1], NULL) : NULL;
	int i, id, ret = 0;

	if (!btf) {
		fprintf(stderr, "Usage: btf-find BTF [NAME...]\n");
		return 2;
	}
	if (argc == 2)
		ret = find_each(btf);
	for (i = 2; i < argc; i++) {
		id = btf__find_by_name_kind(btf, argv[i], BTF_KIND_FUNC);
		if (id > 0)
			printf("%s %d\n", argv[i], id);
		else
			ret = 1;
	}
	btf__free(btf);
	return ret;
}
