// SPDX-License-Identifier: GPL-2.0-only
/* Writing, reading, swapping and rejecting records. */
#include <byteswap.h>
#include "test.h"

static void test_words(void)
{
	static const struct {
		__u64 offset;	__u32 lo, hi;
	} cases[] = {
		{ 0,			0x00000000, 0xff000000 },
		{ 0x62f40,		0x00062f40, 0xff000000 },
		{ 0xffffffff,		0xffffffff, 0xff000000 },
	};
	struct btf *btf = new_btf(NULL);
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int id = add_func(btf, "foo", PROTO_INT, cases[i].offset);
		const struct btf_type *t = btf__type_by_id(btf, id);
		const __u32 *words = (const __u32 *)t;

		EXPECT_STR(btf__name_by_offset(btf, words[0]), "foo", "name");
		EXPECT_INT(words[1], 0x8c000000, "info: kind_flag, FUNC, static");
		EXPECT_INT(words[2], PROTO_INT, "type");
		EXPECT_INT(words[3], cases[i].lo, "low word");
		EXPECT_INT(words[4], cases[i].hi, "high word");
		EXPECT_INT(btf_func_offset(btf_func(t)), cases[i].offset, "offset");
	}
	btf__free(btf);
}

/* Compare bytes, because both swaps could have the same bug. */
static void test_bytes(void)
{
	static const struct {
		enum btf_endianness order; unsigned char bytes[8];
	} cases[] = {
		{ BTF_LITTLE_ENDIAN, { 0x78, 0x56, 0x34, 0x12, 0x00, 0x00, 0x00, 0xff } },
		{ BTF_BIG_ENDIAN,    { 0x12, 0x34, 0x56, 0x78, 0xff, 0x00, 0x00, 0x00 } },
	};
	size_t i;

	for (i = 0; i < 2; i++) {
		struct btf *btf = new_btf(NULL);
		const struct btf_header *hdr;
		const unsigned char *data;
		__u32 size, str_len;

		add_func(btf, "foo", PROTO_INT, 0x12345678);
		hdr = btf__raw_data(btf, &size);
		str_len = hdr->str_len;
		btf__set_endianness(btf, cases[i].order);
		data = btf__raw_data(btf, &size);
		CHECK(memcmp(data + size - str_len - 8, cases[i].bytes, 8) == 0,
		      "byte order %d", cases[i].order);
		btf__free(btf);
	}
}

/* cnt FUNCs in a row, one in three without a record, then a VAR. */
static struct btf *row(int cnt)
{
	struct btf *btf = new_btf(NULL);
	char name[16];
	int i;

	for (i = 0; i < cnt; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		add_func(btf, name, PROTO_INT, i % 3 ? 0x1000000 * i + 16 * i : NO_ADDR);
	}
	btf__add_var(btf, "last", BTF_VAR_STATIC, 1);
	return btf;
}

static void test_byte_orders(void)
{
	enum btf_endianness native = BTF_LITTLE_ENDIAN, other = BTF_BIG_ENDIAN;
	int counts[] = { 1, 2, 3, 4, 100 };
	__u32 size, swapped_size, again_size;
	size_t i;

	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) {
		native = BTF_BIG_ENDIAN;
		other = BTF_LITTLE_ENDIAN;
	}
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct btf *btf = row(counts[i]), *swapped;
		const void *data = btf__raw_data(btf, &size);
		void *native_data = malloc(size);
		const char *want;
		char *want_copy;

		memcpy(native_data, data, size);
		want = funcs_of(btf);
		want_copy = strdup(want);

		btf__set_endianness(btf, other);
		data = btf__raw_data(btf, &swapped_size);
		EXPECT_INT(swapped_size, size, "size in the other byte order");
		EXPECT_INT(*(const __u16 *)data, bswap_16(BTF_MAGIC), "magic");

		/* written by us in the other byte order, and read back */
		swapped = btf__new(data, swapped_size);
		if (!CHECK(swapped, "%s", said))
			goto next;
		EXPECT_INT(btf__endianness(swapped), other, "byte order");
		EXPECT_STR(funcs_of(swapped), want_copy, "read back");
		EXPECT_INT(btf__find_by_name_kind(swapped, "last", BTF_KIND_VAR),
			   btf__type_cnt(btf) - 1, "the type after the FUNCs");

		/* and again in the native one */
		btf__set_endianness(swapped, native);
		data = btf__raw_data(swapped, &again_size);
		EXPECT_INT(again_size, size, "size");
		CHECK(memcmp(data, native_data, size) == 0, "bytes differ after two swaps");
next:
		btf__free(swapped);
		btf__free(btf);
		free(native_data);
		free(want_copy);
	}
}

/*
 * One FUNC with an address is all there is after [3], so it ends the type data.
 * Each case changes its words, or how many bytes of it belong to the types.
 */
static void test_malformed(void)
{
	static const struct {
		const char *what; __u32 info, type, lo, hi; int cut;	int err; const char *message;
	} cases[] = {
		{ "good", 0x8c000000, PROTO_INT, 0x40, 0xff000000, 0,	0, "" },
		{ "no guard", 0x8c000000, PROTO_INT, 0x40, 0, 0,
			-EINVAL, "type [4]: invalid address record 0x00000040 0x00000000" },
		{ "guard 0xfe", 0x8c000000, PROTO_INT, 0x40, 0xfe000000, 0,
			-EINVAL, "type [4]: invalid address record" },
		{ "words swapped", 0x8c000000, PROTO_INT, 0xff000000, 0x40, 0,
			-EINVAL, "invalid address record" },
		/* the kernel is smaller than 4 GB */
		{ "bit 32", 0x8c000000, PROTO_INT, 0x40, 0xff000001, 0,
			-EINVAL, "type [4]: invalid address record 0x00000040 0xff000001" },
		{ "bit 47", 0x8c000000, PROTO_INT, 0x40, 0xff008000, 0,
			-EINVAL, "invalid address record" },
		{ "bit 48", 0x8c000000, PROTO_INT, 0x40, 0xff010000, 0,
			-EINVAL, "type [4]: invalid address record 0x00000040 0xff010000" },
		{ "bit 55", 0x8c000000, PROTO_INT, 0x40, 0xff800000, 0,
			-EINVAL, "invalid address record" },
		{ "no prototype", 0x8c000000, 1, 0x40, 0xff000000, 0,
			-EINVAL, "is not FUNC_PROTO" },
		{ "high word cut off", 0x8c000000, PROTO_INT, 0x40, 0xff000000, 4,
			-EINVAL, "BTF type [4] is malformed" },
		{ "record cut off", 0x8c000000, PROTO_INT, 0x40, 0xff000000, 8,
			-EINVAL, "BTF type [4] is malformed" },
		{ "half the type cut off", 0x8c000000, PROTO_INT, 0x40, 0xff000000, 12,
			-EINVAL, "BTF types data is malformed" },
		/* without kind_flag the record is read as a type, and stops the reader */
		{ "kind_flag clear", 0x0c000000, PROTO_INT, 0x40, 0xff000000, 0,
			-EINVAL, "" },
	};
	size_t i;
	int swap;

	for (i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		struct btf *btf = new_btf(NULL), *got;
		__u32 size, words[4], j, n;
		struct btf_header *hdr;
		void *data;

		swap = i & 1;
		add_func(btf, "foo", PROTO_INT, 0x40);
		data = (void *)btf__raw_data(btf, &size);
		hdr = data;
		words[0] = cases[i / 2].info;
		words[1] = cases[i / 2].type;
		words[2] = cases[i / 2].lo;
		words[3] = cases[i / 2].hi;
		memcpy(data + hdr->hdr_len + hdr->type_len - sizeof(words), words, sizeof(words));
		/* the strings stay where they are */
		hdr->type_len -= cases[i / 2].cut;

		/* after magic, version and flags, header and types are words */
		n = (hdr->hdr_len + hdr->str_off) / 4;
		for (j = 1; swap && j < n; j++)
			((__u32 *)data)[j] = bswap_32(((__u32 *)data)[j]);
		if (swap)
			hdr->magic = bswap_16(hdr->magic);

		forget();
		got = btf__new(data, size);
		EXPECT_INT(got ? 0 : -errno, cases[i / 2].err, cases[i / 2].what);
		EXPECT_SAID(cases[i / 2].message, cases[i / 2].what);
		if (got)
			EXPECT_STR(funcs_of(got), "foo:2+40", cases[i / 2].what);
		btf__free(got);
		btf__free(btf);
	}
}

/* FUNCs with an address next to FUNCs without one */
static void test_mixed(void)
{
	static const struct {
		__u64 base, first, second;	const char *funcs;
	} cases[] = {
		{ 0x10, 0x20, 0x30,		"first:2+20 second:2+30" },
		{ NO_ADDR, NO_ADDR, NO_ADDR,	"first:2 second:2" },
		{ 0x10, NO_ADDR, NO_ADDR,	"first:2 second:2" },
		{ NO_ADDR, 0x20, 0x30,		"first:2+20 second:2+30" },
		{ 0x10, NO_ADDR, 0x30,		"first:2 second:2+30" },
		{ 0x10, 0x20, NO_ADDR,		"first:2+20 second:2" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct btf *base = new_btf(NULL), *split, *got;
		const void *data;
		__u32 size;

		add_func(base, "base", PROTO_INT, cases[i].base);
		split = new_btf(base);
		add_func(split, "first", PROTO_INT, cases[i].first);
		add_func(split, "second", PROTO_INT, cases[i].second);
		data = btf__raw_data(split, &size);
		got = btf__new_split(data, size, base);
		if (CHECK(got, "%s: %s", cases[i].funcs, said))
			EXPECT_STR(funcs_of(got), cases[i].funcs, "read back");
		btf__free(got);
		btf__free(split);
		btf__free(base);
	}
}

/* In BTF of a real image each FUNC is found by its name. */
static void test_image(void)
{
	struct btf *btf = btf__parse(image_btf_path, NULL);
	int funcs = 0, by_file = 0, addrs = 0;
	__u32 id;

	if (!CHECK(btf, "%s: %s", image_btf_path, said))
		return;
	for (id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const char *name = btf__name_by_offset(btf, t->name_off);

		if (!btf_is_func(t))
			continue;
		funcs++;
		by_file += !!strchr(name, '@');
		addrs += btf_kflag(t);
		EXPECT_INT(btf__find_by_name_kind(btf, name, BTF_KIND_FUNC), id, name);
	}
	CHECK(funcs > by_file && by_file > 20 && addrs > by_file, "%d functions, %d by file, %d addresses",
	      funcs, by_file, addrs);
	btf__free(btf);
}

const struct test record_tests[] = {
	{ "record: offset and guard are in the right bits", test_words },
	{ "record: the low half comes first in both byte orders", test_bytes },
	{ "record: one to a hundred in a row are written and read in both byte orders",
	  test_byte_orders },
	{ "record: a bad guard, reserved bit, prototype or length is rejected in both byte orders",
	  test_malformed },
	{ "record: FUNCs with and without an address can be mixed", test_mixed },
	{ "record: each function of a real image is found by its name", test_image },
	{}
};
