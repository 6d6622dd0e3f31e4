/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's lookup of a name, in BTF that libbpf has read: kernel-lookup.inc has the
 * functions, which lookup.sh takes from kernel/bpf/btf.c of the tree under test. This file
 * defines what they use.
 */
#include <errno.h>
#include <stdbool.h>
#include <linux/btf.h>

typedef __u32 u32;
typedef __s32 s32;
typedef __u8 u8;

/* the members of the kernel's that a look-up reads */
struct kernel_btf {
	const struct btf_type **types;
	const char *strings;
	struct btf_header hdr;
	u32 nr_types;
	u32 named_start_id;
	struct kernel_btf *base_btf;
	u32 start_id;
	u32 start_str_off;
};

static struct kernel_btf *btf_base_btf(const struct kernel_btf *btf);
static const char *btf_str_by_offset(const struct kernel_btf *btf, u32 offset);
static const char *btf_name_by_offset(const struct kernel_btf *btf, u32 offset);
static const struct btf_type *btf_type_by_id(const struct kernel_btf *btf, u32 type_id);

#include "kernel-lookup.inc"

/* As the kernel's parser leaves it for vmlinux: sorted from the first name on. */
static struct kernel_btf *kernel_btf_of(const struct btf *from)
{
	struct kernel_btf *btf = calloc(1, sizeof(*btf));
	const struct btf_header *raw;
	u32 id, size;

	raw = btf__raw_data(from, &size);
	if (!btf || !raw)
		return NULL;
	btf->hdr = *raw;
	btf->strings = (const char *)raw + raw->hdr_len + raw->str_off;
	btf->nr_types = btf__type_cnt(from);
	btf->types = calloc(btf->nr_types, sizeof(*btf->types));
	for (id = 0; btf->types && id < btf->nr_types; id++) {
		btf->types[id] = btf__type_by_id(from, id);
		if (!btf->named_start_id && *btf_name_by_offset(btf, btf->types[id]->name_off))
			btf->named_start_id = id;
	}
	return btf->types ? btf : NULL;
}
