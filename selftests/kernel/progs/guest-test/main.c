// SPDX-License-Identifier: GPL-2.0-only
/* guest-test NAME runs one test and prints KTAP; guest-test --list names them. */
#include <stdio.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "guest.h"

static const struct guest_test *const tests[] = {
	&test_weight, &test_weight_fentry, &test_weight_module, &test_twins, &test_kinds,
	&test_module, &test_lookup, &test_bad_vmlinux, &test_plain_module,
	&test_stress, &test_user_btf, &test_info, &test_lsm, &test_security, &test_deny,
	&test_alias, &test_clones, &test_multi, &test_multi_module,
	&test_table, &test_prefix, &test_memory,
};

int main(int argc, char **argv)
{
	size_t i;

	/* The tests print errors; libbpf's messages are not needed. */
	libbpf_set_print(NULL);
	for (i = 0; argc == 2 && i < ARRAY_SIZE(tests); i++) {
		if (!strcmp(argv[1], "--list"))
			puts(tests[i]->name);
		else if (!strcmp(argv[1], tests[i]->name))
			return run_test(tests[i]);
	}
	if (argc == 2 && !strcmp(argv[1], "--list"))
		return 0;
	fprintf(stderr, "Usage: guest-test NAME, or --list\n");
	return 2;
}
