// SPDX-License-Identifier: GPL-2.0-only
/*
 * One BTF, which may be any bytes: if libbpf accepts it, it must be able to walk, sort and
 * deduplicate it, to write it in both byte orders, and to read it again.
 */
#include "fuzz.h"

/* Types in reverse order: every ID in them changes, and the size of each type is computed. */
static void turn_round(struct btf *btf)
{
	__u32 n = btf__type_cnt(btf), *map = calloc(n, sizeof(*map)), i;

	for (i = 1; i < n; i++)
		map[i] = n - i;
	btf__permute(btf, map, n, NULL);
	free(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btf *btf, *copy;
	__u64 funcs;

	libbpf_set_print(NULL);
	btf = btf__new(data, size);
	if (!btf)
		return 0;
	funcs = sum_of_funcs(btf);
	look_up_all(btf);
	copy = write_and_read(btf);
	if (copy && sum_of_funcs(copy) != funcs)
		abort();
	btf__free(copy);

	/* with an address or without, a function stays the same one */
	turn_round(btf);
	if (sum_of_funcs(btf) != funcs)
		abort();
	copy = btf__new_empty();
	if (btf__add_btf(copy, btf) > 0 && sum_of_funcs(copy) != funcs)
		abort();
	btf__dedup(btf, NULL);
	sum_of_funcs(btf);
	btf__free(write_and_read(btf));
	btf__free(copy);
	btf__free(btf);
	return 0;
}
