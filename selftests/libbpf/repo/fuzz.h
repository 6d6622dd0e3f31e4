/* SPDX-License-Identifier: GPL-2.0-only */
/* Uses of all of a BTF, for the fuzz targets. */
#ifndef ABTF_LIBBPF_FUZZ_H
#define ABTF_LIBBPF_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "btf.h"
#include "libbpf.h"

/*
 * A number that is the same for the same own FUNCs, in whatever order they are: of each
 * its name, linkage and offset count.
 */
static inline __u64 sum_of_funcs(const struct btf *btf)
{
	const struct btf *base = btf__base_btf(btf);
	__u32 id = base ? btf__type_cnt(base) : 1;
	__u64 sum = 0;

	for (; id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const char *name;
		__u64 h = 14695981039346656037ULL;

		if (!btf_is_func(t))
			continue;
		for (name = btf__name_by_offset(btf, t->name_off); *name; name++)
			h = (h ^ (unsigned char)*name) * 1099511628211ULL;
		h = (h ^ btf_vlen(t)) * 1099511628211ULL;
		h = (h ^ (btf_kflag(t) ? btf_func_offset(btf_func(t)) : ~0ULL)) * 1099511628211ULL;
		sum += h * 1099511628211ULL;
	}
	return sum;
}

/* Each type, by the name it has, sorted or not. */
static inline void look_up_all(const struct btf *btf)
{
	__u32 id, n = btf__type_cnt(btf);

	for (id = 1; id < n && id < 1000; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const char *name = btf__name_by_offset(btf, t->name_off);

		if (name && *name && btf__find_by_name_kind(btf, name, btf_kind(t)) <= 0 &&
		    strcmp(name, "void"))
			abort();
	}
}

/* Write it in the other byte order, and read it back. Return: the copy that was read. */
static inline struct btf *write_and_read(struct btf *btf)
{
	enum btf_endianness other = btf__endianness(btf) == BTF_LITTLE_ENDIAN ?
				    BTF_BIG_ENDIAN : BTF_LITTLE_ENDIAN;
	const void *data;
	__u32 size;

	btf__set_endianness(btf, other);
	data = btf__raw_data(btf, &size);
	return data ? btf__new_split(data, size, (struct btf *)btf__base_btf(btf)) : NULL;
}

#endif /* ABTF_LIBBPF_FUZZ_H */
