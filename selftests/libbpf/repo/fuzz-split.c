// SPDX-License-Identifier: GPL-2.0-only
/*
 * A base and split BTF on it, which may be any bytes: after the base was distilled and
 * relocated, the split BTF's functions have the same addresses. Input: the length of the
 * base in four bytes, little endian; the base; the split BTF.
 */
#include "fuzz.h"

static void distill(struct btf *split, struct btf *base)
{
	struct btf *new_base = NULL, *new_split = NULL;
	__u64 funcs = sum_of_funcs(split);

	if (btf__distill_base(split, &new_base, &new_split))
		return;
	if (sum_of_funcs(new_split) != funcs)
		abort();
	btf__free(write_and_read(new_base));
	if (!btf__relocate(new_split, base) && sum_of_funcs(new_split) != funcs)
		abort();
	btf__free(new_split);
	btf__free(new_base);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btf *base, *split;
	size_t len;

	if (size < 4)
		return 0;
	len = data[0] | data[1] << 8 | data[2] << 16;
	data += 4;
	size -= 4;
	if (len > size)
		return 0;

	libbpf_set_print(NULL);
	base = btf__new(data, len);
	if (!base)
		return 0;
	split = btf__new_split(data + len, size - len, base);
	if (split) {
		look_up_all(split);
		distill(split, base);
		btf__free(write_and_read(split));
		btf__dedup(split, NULL);
		sum_of_funcs(split);
	}
	btf__free(split);
	btf__free(base);
	return 0;
}
