// SPDX-License-Identifier: GPL-2.0-only
/*
 * The patched libbpf's readers: one BTF object, or two in sequence, the second one split
 * from the first.
 *
 * All input is opened.  The rest of libbpf trusts opened BTF more than it should (the
 * return type of a FUNC_PROTO, for one, is not checked, with or without the patches), so
 * it only gets input that the encoder's reader accepts.  The dumper, which the patches do
 * not change, is not called: for members far apart, it takes minutes, or shifts in ways
 * that C does not define.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fuzz.h"
#include "mutate-btf.h"

static int say_nothing(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	char text[1000];

	vsnprintf(text, sizeof(text), fmt, ap);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	/* silence libbpf by default */
	if (!getenv("FUZZ_VERBOSE"))
		libbpf_set_print(say_nothing);
	return 0;
}

static void ask(const struct btf *btf)
{
	__u32 id;

	for (id = 0; id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		MUST(t && btf__name_by_offset(btf, t->name_off));
		if (btf_is_func(t) && btf_kflag(t))
			MUST(btf_func_offset(btf_func(t)) >> 32 == 0);
		btf__resolve_size(btf, id);
		btf__find_by_name(btf, btf__name_by_offset(btf, t->name_off));
	}
}

/* In the other byte order and back. */
static void swap(struct btf *btf, struct btf *base)
{
	enum btf_endianness was = btf__endianness(btf);
	struct btf *other;
	const void *raw;
	__u32 size;

	MUST(!btf__set_endianness(btf, was == BTF_LITTLE_ENDIAN ? BTF_BIG_ENDIAN :
								BTF_LITTLE_ENDIAN));
	raw = btf__raw_data(btf, &size);
	MUST(raw);
	other = btf__new_split(raw, size, base);
	/* with a gap before its strings, other BTF comes out: libbpf's own fault */
	MUST(!other || btf__type_cnt(other) == btf__type_cnt(btf));
	btf__free(other);
	btf__set_endianness(btf, was);
}

static void distill(struct btf *split, struct btf *base)
{
	struct btf *new_base, *new_split;

	if (btf__distill_base(split, &new_base, &new_split))
		return;
	/*
	 * If the new base has no type, a stock libbpf bug treats the split BTF as a base when it
	 * adds types to it, omits them, and relocates ids of nothing.
	 */
	if (btf__type_cnt(new_base) > 1) {
		ask(new_split);
		btf__relocate(new_split, base);
	}
	btf__free(new_split);
	btf__free(new_base);
}

static void copy(const struct btf *btf)
{
	struct btf *to = btf__new_empty();

	if (!btf__base_btf(btf) && btf__add_btf(to, btf) >= 0)
		ask(to);
	btf__free(to);
}

static void all(struct btf *btf, struct btf *base)
{
	ask(btf);
	swap(btf, base);
	copy(btf);
	if (base)
		distill(btf, base);
	/* last, since it changes all */
	if (!btf__dedup(btf, NULL))
		ask(btf);
}

/* Bytes of the first object. */
static size_t first_of(const uint8_t *data, size_t size)
{
	struct btf_header h;
	uint64_t len;

	if (size < sizeof(h))
		return size;
	memcpy(&h, data, sizeof(h));
	len = (uint64_t)h.hdr_len + h.str_off + h.str_len;
	return len < size ? len : size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btf *first, *second = NULL;
	size_t len = first_of(data, size);
	unsigned int good;

	first = btf__new(data, len);
	if (first && len < size)
		second = btf__new_split(data + len, size - len, first);
	good = good_objects(data, len, size);
	if (second && good > 1)
		all(second, first);
	btf__free(second);
	if (first && good)
		all(first, NULL);
	btf__free(first);
	return 0;
}
