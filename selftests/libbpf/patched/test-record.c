// SPDX-License-Identifier: GPL-2.0-only
/* The record itself: how it is written, read, swapped, and when it is refused. */
#include <byteswap.h>
#include "test.h"

static void test_words(void)
{
	static const struct {
		__u64 offset; __u32 flags;	__u32 lo, hi;
	} cases[] = {
		{ 0, 0,				0x00000000, 0xff000000 },
		{ 0x62f40, 0,			0x00062f40, 0xff000000 },
		{ 0x62f40, BTF_FUNC_INIT,	0x00062f40, 0xff010000 },
		{ 0xffffffff, 0,		0xffffffff, 0xff000000 },
		{ 0x123456789abc, 0,		0x56789abc, 0xff001234 },
		{ 0xffffffffffff, BTF_FUNC_INIT, 0xffffffff, 0xff01ffff },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct btf *btf = new_btf(NULL);
		int id = btf__add_func_addr(btf, "foo", BTF_FUNC_GLOBAL, PROTO_INT,
					    cases[i].offset, cases[i].flags);
		const struct btf_type *t = btf__type_by_id(btf, id);
		const __u32 *words = (const __u32 *)t;
		__u32 flags = 9;

		EXPECT_STR(btf__name_by_offset(btf, words[0]), "foo", "name");
		EXPECT_INT(words[1], 0x8c000001, "info: kind_flag, FUNC, global");
		EXPECT_INT(words[2], PROTO_INT, "type");
		EXPECT_INT(words[3], cases[i].lo, "low word");
		EXPECT_INT(words[4], cases[i].hi, "high word");
		EXPECT_INT(btf__func_offset(btf, id, &flags), cases[i].offset, "offset");
		EXPECT_INT(flags, cases[i].flags, "flags");
		EXPECT_INT(btf__func_offset(btf, id, NULL), cases[i].offset, "offset alone");
		btf__free(btf);
	}
}

static void test_add_refuses(void)
{
	static const struct {
		const char *what, *name; int linkage, proto; __u64 offset; __u32 flags;
	} cases[] = {
		{ "no name",		NULL,  0, PROTO_INT, 0, 0 },
		{ "empty name",		"",    0, PROTO_INT, 0, 0 },
		{ "linkage",		"foo", 3, PROTO_INT, 0, 0 },
		{ "negative prototype",	"foo", 0, -1, 0, 0 },
		{ "49 bits",		"foo", 0, PROTO_INT, 1ULL << 48, 0 },
		{ "64 bits",		"foo", 0, PROTO_INT, ~0ULL, 0 },
		{ "unknown flag",	"foo", 0, PROTO_INT, 0, 2 },
		{ "wide flag",		"foo", 0, PROTO_INT, 0, 0x101 },
	};
	struct btf *btf = new_btf(NULL);
	__u32 before = btf__type_cnt(btf);
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		errno = 0;
		EXPECT_INT(btf__add_func_addr(btf, cases[i].name, cases[i].linkage, cases[i].proto,
					      cases[i].offset, cases[i].flags),
			   -EINVAL, cases[i].what);
		EXPECT_INT(errno, EINVAL, cases[i].what);
	}
	EXPECT_INT(btf__type_cnt(btf), before, "nothing was added");
	btf__free(btf);
}

static void test_offset_of(void)
{
	struct btf *btf = new_btf(NULL), *split;
	int addressed = add_func(btf, "addressed", PROTO_INT, 0x40, 0), plain;
	__u32 flags = 7;

	split = new_btf(btf);
	plain = add_func(split, "plain", PROTO_INT, NO_ADDR, 0);
	EXPECT_INT(btf__func_offset(btf, 0, &flags), -EINVAL, "void");
	EXPECT_INT(btf__func_offset(btf, PROTO_INT, &flags), -EINVAL, "no FUNC");
	EXPECT_INT(btf__func_offset(btf, 99, &flags), -EINVAL, "no type");
	EXPECT_INT(errno, EINVAL, "no type");
	EXPECT_INT(btf__func_offset(split, plain, &flags), -ENOENT, "no address");
	EXPECT_INT(errno, ENOENT, "no address");
	EXPECT_INT(flags, 7, "not touched");
	EXPECT_INT(btf__func_offset(split, addressed, &flags), 0x40, "FUNC of the base");
	EXPECT_INT(flags, 0, "FUNC of the base");
	btf__free(split);
	btf__free(btf);
}

/* The bytes are what another reader gets, so both swaps cannot be wrong alike. */
static void test_bytes(void)
{
	static const struct {
		enum btf_endianness order; unsigned char bytes[8];
	} cases[] = {
		{ BTF_LITTLE_ENDIAN, { 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12, 0x01, 0xff } },
		{ BTF_BIG_ENDIAN,    { 0x56, 0x78, 0x9a, 0xbc, 0xff, 0x01, 0x12, 0x34 } },
	};
	size_t i;

	for (i = 0; i < 2; i++) {
		struct btf *btf = new_btf(NULL);
		const struct btf_header *hdr;
		const unsigned char *data;
		__u32 size, str_len;

		add_func(btf, "foo", PROTO_INT, 0x123456789abc, BTF_FUNC_INIT);
		hdr = btf__raw_data(btf, &size);
		str_len = hdr->str_len;
		btf__set_endianness(btf, cases[i].order);
		data = btf__raw_data(btf, &size);
		CHECK(memcmp(data + size - str_len - 8, cases[i].bytes, 8) == 0,
		      "byte order %d", cases[i].order);
		btf__free(btf);
	}
}

/* cnt FUNCs in a row, then a VAR behind them. */
static struct btf *row(int cnt)
{
	struct btf *btf = new_btf(NULL);
	char name[16];
	int i;

	for (i = 0; i < cnt; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		add_func(btf, name, PROTO_INT, 0x100000000ULL * i + 16 * i, i % 2 ? BTF_FUNC_INIT : 0);
	}
	btf__add_var(btf, "behind", BTF_VAR_STATIC, 1);
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
		EXPECT_INT(btf__find_by_name_kind(swapped, "behind", BTF_KIND_VAR),
			   btf__type_cnt(btf) - 1, "what is behind the FUNCs");

		/* and once more in the native one */
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
		{ "good, init", 0x8c000000, PROTO_INT, 0x40, 0xff010000, 0, 0, "" },
		{ "no guard", 0x8c000000, PROTO_INT, 0x40, 0, 0,
			-EINVAL, "type [4]: invalid guard 0x00 of FUNC's address, expected 0xff" },
		{ "guard 0xfe", 0x8c000000, PROTO_INT, 0x40, 0xfe000000, 0,
			-EINVAL, "type [4]: invalid guard 0xfe" },
		{ "words swapped", 0x8c000000, PROTO_INT, 0xff000000, 0x40, 0,
			-EINVAL, "invalid guard" },
		{ "flag 2", 0x8c000000, PROTO_INT, 0x40, 0xff020000, 0,
			-EINVAL, "type [4]: unknown flags 0x02 of FUNC's address" },
		{ "all flags", 0x8c000000, PROTO_INT, 0x40, 0xffff0000, 0,
			-EINVAL, "unknown flags 0xff" },
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
		add_func(btf, "foo", PROTO_INT, 0x40, 0);
		data = (void *)btf__raw_data(btf, &size);
		hdr = data;
		words[0] = cases[i / 2].info;
		words[1] = cases[i / 2].type;
		words[2] = cases[i / 2].lo;
		words[3] = cases[i / 2].hi;
		memcpy(data + hdr->hdr_len + hdr->type_len - sizeof(words), words, sizeof(words));
		/* the strings stay where they are */
		hdr->type_len -= cases[i / 2].cut;

		/* behind magic, version and flags, header and types are words */
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
			EXPECT_STR(funcs_of(got), cases[i / 2].hi & 0x10000 ? "foo:2+40i" : "foo:2+40",
				   cases[i / 2].what);
		btf__free(got);
		btf__free(btf);
	}
}

/* Some FUNCs with an address and some without: of one object that is refused. */
static void test_mixed(void)
{
	static const struct {
		const char *what; __u64 base, first, second;	const char *message;
	} cases[] = {
		{ "all", 0x10, 0x20, 0x30,		NULL },
		{ "none", NO_ADDR, NO_ADDR, NO_ADDR,	NULL },
		{ "base only", 0x10, NO_ADDR, NO_ADDR,	NULL },
		{ "split only", NO_ADDR, 0x20, 0x30,	NULL },
		{ "second only", 0x10, NO_ADDR, 0x30,
			"type [6]: FUNC with address, but the first one is without" },
		{ "first only", NO_ADDR, 0x20, NO_ADDR,
			"type [6]: FUNC without address, but the first one is with" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct btf *base = new_btf(NULL), *split, *got;
		const void *data;
		__u32 size;

		add_func(base, "base", PROTO_INT, cases[i].base, 0);
		split = new_btf(base);
		add_func(split, "first", PROTO_INT, cases[i].first, 0);
		add_func(split, "second", PROTO_INT, cases[i].second, 0);
		data = btf__raw_data(split, &size);
		forget();
		got = btf__new_split(data, size, base);
		EXPECT_INT(got ? 0 : -errno, cases[i].message ? -EINVAL : 0, cases[i].what);
		EXPECT_SAID(cases[i].message ?: "", cases[i].what);
		if (got)
			EXPECT_INT(btf_has_func_addrs(got), cases[i].first != NO_ADDR, cases[i].what);
		btf__free(got);
		btf__free(split);
		btf__free(base);
	}
}

const struct test record_tests[] = {
	{ "record: offset, flags and guard are in the bits that the format says", test_words },
	{ "record: btf__add_func_addr() refuses what does not fit", test_add_refuses },
	{ "record: btf__func_offset() tells no FUNC, no address and address apart", test_offset_of },
	{ "record: its bytes in both byte orders, low half first", test_bytes },
	{ "record: written and read in both byte orders, one to a hundred in a row",
	  test_byte_orders },
	{ "record: a bad guard, flag, prototype or length is refused in both byte orders",
	  test_malformed },
	{ "record: all FUNCs of an object have an address, or none has", test_mixed },
	{}
};
