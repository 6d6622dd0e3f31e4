// SPDX-License-Identifier: GPL-2.0-only
/* Whatever copies or merges types: FUNCs keep their address, or stay apart. */
#include "test.h"

static void test_add_type(void)
{
	struct btf *src = new_btf(NULL), *dst = new_btf(NULL), *third;
	const void *data;
	__u32 size;
	int id;

	add_func(src, "foo", PROTO_INT, 0x40);
	id = add_func(src, "bar", PROTO_VOID, 0x50);

	EXPECT_INT(btf__add_type(dst, src, btf__type_by_id(src, id)), 4, "its ID in dst");
	EXPECT_STR(funcs_of(dst), "bar:3+50", "btf__add_type()");

	EXPECT_INT(btf__add_btf(dst, src), 5, "first ID of the added types");
	EXPECT_STR(funcs_of(dst), "bar:3+50 foo:6+40 bar:7+50", "btf__add_btf()");

	/* a copy is BTF as good as the first */
	data = btf__raw_data(dst, &size);
	third = btf__new(data, size);
	if (CHECK(third, "%s", said))
		EXPECT_STR(funcs_of(third), "bar:3+50 foo:6+40 bar:7+50", "read back");
	btf__free(third);
	btf__free(dst);
	btf__free(src);
}

/* With hash collisions, the comparison has to distinguish the types. */
static void dedup_twins(bool collisions)
{
	LIBBPF_OPTS(btf_dedup_opts, opts, .force_collisions = collisions);
	struct btf *btf = new_btf(NULL);
	int other;

	/* a second unit adds the same types again */
	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);				/* [4] */
	other = btf__add_func_proto(btf, 4);					/* [5] */
	btf__add_func_param(btf, "a", 4);

	add_func(btf, "foo", PROTO_INT, 0x10);		/* stays */
	add_func(btf, "foo", other, 0x20);		/* stays: other address */
	add_func(btf, "foo", other, 0x10);		/* goes: same function */
	add_func(btf, "foo", PROTO_VOID, 0x10);	/* stays: other prototype */
	add_func(btf, "bar", PROTO_INT, 0x10);		/* stays: other name */
	add_func(btf, "foo", PROTO_INT, 0x10000000010);/* stays: other high bits */

	EXPECT_INT(btf__dedup(btf, &opts), 0, "btf__dedup()");
	EXPECT_STR(funcs_of(btf),
		   "foo:2+10 foo:2+20 foo:3+10 bar:2+10 foo:2+10000000010",
		   collisions ? "with collisions" : "after deduplication");
	btf__free(btf);
}

static void test_dedup(void)
{
	dedup_twins(false);
	dedup_twins(true);
}

/* A module's FUNC is folded into the base only if neither has an address. */
static void test_dedup_split(void)
{
	static const struct {
		const char *what; __u64 base, split;	const char *left;
	} cases[] = {
		{ "no address: merged",		NO_ADDR, NO_ADDR,	"" },
		{ "other address",		0x10, 0x20,		"foo:2+20" },
		{ "same offset in another text", 0x10, 0x10,	"foo:2+10" },
		{ "only the base has an address", 0x10, NO_ADDR,		"foo:2" },
		{ "only the module has an address", NO_ADDR, 0x10,		"foo:2+10" },
	};
	LIBBPF_OPTS(btf_dedup_opts, opts);
	size_t i;

	for (i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		struct btf *base = new_btf(NULL), *split;

		opts.force_collisions = i & 1;
		add_func(base, "foo", PROTO_INT, cases[i / 2].base);
		split = new_btf(base);
		add_func(split, "foo", PROTO_INT, cases[i / 2].split);
		/* duplicates within the module are still merged */
		add_func(split, "foo", PROTO_INT, cases[i / 2].split);
		EXPECT_INT(btf__dedup(split, &opts), 0, cases[i / 2].what);
		EXPECT_STR(funcs_of(split), cases[i / 2].left, cases[i / 2].what);
		btf__free(split);
		btf__free(base);
	}
}

static void test_distill_and_relocate(void)
{
	struct btf *base = new_btf(NULL), *split, *dist_base = NULL, *dist_split = NULL, *other;
	int id, ptr, st;

	st = btf__add_struct(base, "st", 4);
	btf__add_field(base, "a", 1, 0, 0);
	add_func(base, "foo", PROTO_INT, 0x10);
	split = new_btf(base);
	ptr = btf__add_ptr(split, st);
	id = btf__add_func_proto(split, 1);
	btf__add_func_param(split, "p", ptr);
	add_func(split, "foo", id, 0x10);
	add_func(split, "foo", id, 0x30);

	EXPECT_INT(btf__distill_base(split, &dist_base, &dist_split), 0, "btf__distill_base()");
	if (!dist_base || !dist_split)
		goto out;
	EXPECT_STR(funcs_of(dist_base), "", "no function is a type that a module needs");
	CHECK(strstr(funcs_of(dist_split), "+10 ") && strstr(funcs_of(dist_split), "+30"),
	      "%s", funcs_of(dist_split));

	/* another build of vmlinux, where the struct has another ID */
	other = btf__new_empty();
	btf__add_int(other, "long", 8, BTF_INT_SIGNED);
	btf__add_int(other, "int", 4, BTF_INT_SIGNED);
	btf__add_struct(other, "st", 4);
	btf__add_field(other, "a", 2, 0, 0);
	btf__add_func_proto(other, 2);
	add_func(other, "foo", 4, 0x77);
	EXPECT_INT(btf__relocate(dist_split, other), 0, "btf__relocate()");
	CHECK(btf__base_btf(dist_split) == other, "the base differs");
	CHECK(strstr(funcs_of(dist_split), "+10 ") && strstr(funcs_of(dist_split), "+30"),
	      "%s", funcs_of(dist_split));
	CHECK(!strstr(funcs_of(dist_split), "+77"), "%s", funcs_of(dist_split));
	btf__free(dist_split);
	dist_split = NULL;
	btf__free(other);
out:
	btf__free(dist_split);
	btf__free(dist_base);
	btf__free(split);
	btf__free(base);
}

const struct test copy_tests[] = {
	{ "copy: btf__add_type() and btf__add_btf() copy the address", test_add_type },
	{ "dedup: only FUNCs of the same function are merged", test_dedup },
	{ "dedup: a FUNC with another address than the base's FUNC is kept", test_dedup_split },
	{ "distill and relocate: addresses in split BTF do not change",
	  test_distill_and_relocate },
	{}
};
