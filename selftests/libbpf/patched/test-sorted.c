// SPDX-License-Identifier: GPL-2.0-only
/*
 * Features of libbpf 1.8 that 1.5 lacks: types sorted by name and found by bisection, as in
 * BTF of Linux 7.2 and later, a layout section, and bugs that its series fixes.
 */
#include "test.h"

#if LIBBPF_MAJOR_VERSION > 1 || LIBBPF_MINOR_VERSION >= 8

/* The BTF whose types cmp_names() compares. */
static const struct btf *sorting;

static const char *name_of(const struct btf *btf, __u32 id)
{
	return btf__name_by_offset(btf, btf__type_by_id(btf, id)->name_off);
}

/* By name, and equal names in the order they had, as resolve_btfids sorts. */
static int cmp_names(const void *a, const void *b)
{
	__u32 id_a = *(const __u32 *)a, id_b = *(const __u32 *)b;
	int cmp = strcmp(name_of(sorting, id_a), name_of(sorting, id_b));

	return cmp ?: (id_a > id_b) - (id_a < id_b);
}

/* Sorts the BTF's own types. Return: the new BTF, read from the bytes of the sorted one. */
static struct btf *sort(struct btf *btf)
{
	struct btf *base = (struct btf *)btf__base_btf(btf), *sorted;
	__u32 start = base ? btf__type_cnt(base) : 1, n = btf__type_cnt(btf) - start;
	__u32 *order = calloc(n, sizeof(*order)), *map = calloc(n + 1, sizeof(*map)), i, size;
	const void *data;

	for (i = 0; i < n; i++)
		order[i] = start + i;
	sorting = btf;
	qsort(order, n, sizeof(*order), cmp_names);
	/* a base's map starts with void */
	for (i = 0; i < n; i++)
		map[order[i] - start + !base] = start + i;
	EXPECT_INT(btf__permute(btf, map, n + !base, NULL), 0, "btf__permute()");
	free(order);
	free(map);

	data = btf__raw_data(btf, &size);
	sorted = btf__new_split(data, size, base);
	CHECK(sorted, "%s", said);
	return sorted;
}

static long long offset_of(const struct btf *btf, __u32 id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	return btf_kflag(t) ? (long long)btf_func_offset(btf_func(t)) : -1;
}

/* Check that each FUNC is unchanged: its name contains its offset / 16. */
static void expect_funcs(const struct btf *btf, const struct btf *types, int cnt)
{
	int i, id, number, funcs = 0;
	char name[64];

	for (i = 0; i < cnt; i++) {
		snprintf(name, sizeof(name), "f%d@%d/unit.c", i / 3, i);
		id = btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);
		if (!CHECK(id > 0, "%s: %d", name, id))
			return;
		EXPECT_INT(offset_of(btf, id), i % 5 ? 16LL * i : -1, name);
		CHECK(btf_is_func_proto(btf__type_by_id(btf, btf__type_by_id(btf, id)->type)),
		      "%s: no prototype", name);
		snprintf(name, sizeof(name), "f%d", i / 3);
		EXPECT_INT(btf__find_by_name_kind(btf, name, BTF_KIND_FUNC), -ENOENT, name);
	}
	for (id = btf__type_cnt(types); id < (int)btf__type_cnt(btf); id++)
		funcs += sscanf(name_of(btf, id), "f%d@", &number) == 1;
	EXPECT_INT(funcs, cnt, "FUNCs");
}

static void add_funcs(struct btf *btf, int cnt)
{
	char name[64];
	int i;

	for (i = cnt - 1; i >= 0; i--) {
		snprintf(name, sizeof(name), "f%d@%d/unit.c", i / 3, i);
		add_func(btf, name, i % 2 ? PROTO_INT : PROTO_VOID, i % 5 ? 16 * i : NO_ADDR);
		snprintf(name, sizeof(name), "t%d", (i * 7) % cnt);
		btf__add_typedef(btf, name, 1);
	}
}

/* So many FUNCs that linear searches for all of them would take minutes. */
static void test_sort(void)
{
	struct btf *none = btf__new_empty(), *btf = new_btf(NULL), *split, *sorted, *sorted_split;
	int cnt = 50000;

	add_funcs(btf, cnt);
	sorted = sort(btf);
	if (sorted)
		expect_funcs(sorted, none, cnt);

	/* a module on an unsorted base, which sorting it leaves alone */
	btf__free(btf);
	btf = new_btf(NULL);
	split = new_btf(btf);
	add_funcs(split, 1000);
	sorted_split = sort(split);
	if (sorted_split)
		expect_funcs(sorted_split, btf, 1000);
	btf__free(sorted_split);
	btf__free(split);
	btf__free(sorted);
	btf__free(btf);
	btf__free(none);
}

/* Sorted BTF of a real image has the same functions at the same places. */
static void test_sort_image(void)
{
	struct btf *btf = btf__parse(image_btf_path, NULL), *copy, *sorted;
	int funcs = 0, id, got;

	copy = btf__parse(image_btf_path, NULL);
	if (!CHECK(btf && copy, "%s: %s", image_btf_path, said))
		return;
	sorted = sort(copy);
	for (id = 1; sorted && id < (int)btf__type_cnt(btf); id++) {
		const char *name = name_of(btf, id);

		if (!btf_is_func(btf__type_by_id(btf, id)))
			continue;
		funcs++;
		got = btf__find_by_name_kind(sorted, name, BTF_KIND_FUNC);
		if (CHECK(got > 0, "%s: %d", name, got))
			EXPECT_INT(offset_of(sorted, got), offset_of(btf, id), name);
	}
	CHECK(funcs > 20, "%d functions", funcs);
	btf__free(sorted);
	btf__free(copy);
	btf__free(btf);
}

/* Types can be added after sorting: a sanitizer would detect an overflow. */
static void test_add_after_sort(void)
{
	struct btf *btf = new_btf(NULL), *read;
	int i, cnt;

	add_funcs(btf, 50);
	cnt = btf__type_cnt(btf);
	btf__free(sort(btf));
	for (i = 0; i < 100; i++)
		EXPECT_INT(btf__add_typedef(btf, "added", 1), cnt + i, "added");
	read = sort(btf);
	EXPECT_INT(read ? btf__type_cnt(read) : 0, cnt + 100, "types read back");
	btf__free(read);
	btf__free(btf);
}

/* A FUNC with an address cannot be added to BTF with a layout section, in either order. */
static void test_layout_add(void)
{
	LIBBPF_OPTS(btf_new_opts, opts, .add_layout = true);
	struct btf *btf = btf__new_empty_opts(&opts), *src = new_btf(NULL), *copy;
	const void *data;
	__u32 cnt, size;
	int id;

	btf__add_btf(btf, src);
	cnt = btf__type_cnt(btf);
	id = add_func(src, "foo", PROTO_INT, 0x40);
	EXPECT_INT(add_func(btf, "foo", PROTO_INT, 0x40), -EOPNOTSUPP, "same BTF");
	EXPECT_INT(btf__add_type(btf, src, btf__type_by_id(src, id)), -EOPNOTSUPP, "add_type()");
	EXPECT_INT(btf__add_btf(btf, src), -EOPNOTSUPP, "add_btf()");
	EXPECT_INT(btf__type_cnt(btf), cnt, "nothing was added");
	EXPECT_INT(add_func(btf, "foo", PROTO_INT, NO_ADDR), cnt, "without address");

	data = btf__raw_data(btf, &size);
	copy = btf__new(data, size);
	if (CHECK(copy, "%s", said))
		EXPECT_STR(funcs_of(copy), "foo:2", "read back");
	id = btf__add_typedef(btf, "longer_name", 1);
	EXPECT_STR(btf__name_by_offset(btf, btf__type_by_id(btf, id)->name_off), "longer_name",
		   "what is added next");
	btf__free(copy);
	btf__free(src);
	btf__free(btf);
}

/* Bytes of btf with a layout section, in which no kind has anything after the type. */
static struct btf *with_layout(const struct btf *btf, struct btf *base)
{
	const struct btf_layout layout[NR_BTF_KINDS] = {};
	const struct btf_header *old;
	struct btf_header *hdr;
	struct btf *copy;
	__u32 size, head;

	old = btf__raw_data(btf, &size);
	head = old->hdr_len + old->type_len;
	hdr = malloc(size + sizeof(layout));
	memcpy(hdr, old, head);
	memcpy((char *)hdr + head, layout, sizeof(layout));
	memcpy((char *)hdr + head + sizeof(layout), (char *)old + head, size - head);
	hdr->layout_off = hdr->type_len;
	hdr->layout_len = sizeof(layout);
	hdr->str_off += sizeof(layout);
	copy = btf__new_split(hdr, size + sizeof(layout), base);
	free(hdr);
	return copy;
}

static void test_layout_read(void)
{
	struct btf *btf = new_btf(NULL), *plain, *split, *copy;
	const void *data;
	__u32 size;

	plain = with_layout(btf, NULL);
	if (!CHECK(plain, "%s", said))
		return;
	/* split BTF may have addresses although its base has a layout section */
	split = new_btf(plain);
	add_func(split, "foo", PROTO_INT, 0x40);
	data = btf__raw_data(split, &size);
	copy = btf__new_split(data, size, plain);
	if (CHECK(copy, "%s", said))
		EXPECT_STR(funcs_of(copy), "foo:2+40", "on a base with a layout section");
	btf__free(copy);

	forget();
	CHECK(!with_layout(split, plain), "split BTF with both was read");
	EXPECT_INT(errno, EINVAL, "split BTF with both");
	EXPECT_SAID("address record in BTF with a layout section", "split BTF with both");

	add_func(btf, "foo", PROTO_INT, 0x40);
	forget();
	CHECK(!with_layout(btf, NULL), "BTF with both was read");
	EXPECT_SAID("address record in BTF with a layout section", "BTF with both");
	btf__free(split);
	btf__free(plain);
	btf__free(btf);
}

/* In the other byte order, the section is swapped, but not the bytes after it. */
static void test_layout_swapped(void)
{
	struct btf *btf = new_btf(NULL), *layout, *copy;
	const void *data;
	__u32 size;

	add_func(btf, "a_name_that_is_longer_than_all_of_the_section", PROTO_INT, NO_ADDR);
	layout = with_layout(btf, NULL);
	if (!CHECK(layout, "%s", said))
		goto out;
	btf__set_endianness(layout, btf__endianness(btf) == BTF_BIG_ENDIAN ? BTF_LITTLE_ENDIAN :
			    BTF_BIG_ENDIAN);
	data = btf__raw_data(layout, &size);
	copy = btf__new(data, size);
	if (CHECK(copy, "%s", said))
		EXPECT_STR(funcs_of(copy), "a_name_that_is_longer_than_all_of_the_section:2",
			   "swapped");
	btf__free(copy);
out:
	btf__free(layout);
	btf__free(btf);
}

/* BTF that 1.8 accepts, although it then reads and writes past the ends of arrays. */
static void test_insane(void)
{
	struct btf *btf = new_btf(NULL), *got;
	struct btf_header *hdr;
	void *data, *copy;
	__u32 size, len;

	data = (void *)btf__raw_data(btf, &size);
	hdr = copy = malloc(size);

	/* the last type, void(void), returns a type that does not exist */
	memcpy(copy, data, size);
	*(__u32 *)(copy + hdr->hdr_len + hdr->type_len - 4) = 4;
	got = btf__new(copy, size);
	EXPECT_INT(got ? 0 : -errno, -EINVAL, "no return type");
	EXPECT_SAID("type [3]", "no return type");
	btf__free(got);

	/* a FWD instead of it, which has no ID */
	*(__u32 *)(copy + hdr->hdr_len + hdr->type_len - 8) = BTF_KIND_FWD << 24;
	forget();
	got = btf__new(copy, size);
	EXPECT_INT(got ? 0 : -errno, -EINVAL, "a FWD of nothing");
	EXPECT_SAID("type [3]", "a FWD of nothing");
	btf__free(got);
	*(__u32 *)(copy + hdr->hdr_len + hdr->type_len - 4) = 0;
	got = btf__new(copy, size);
	CHECK(got, "a FWD: %s", said);
	btf__free(got);

	/* fields that the header lacks are 0, which is enough for a module without types */
	for (len = 0; len < 24; len += 4) {
		memcpy(copy, data, size);
		hdr->hdr_len = len;
		got = btf__new_split(copy, size, btf);
		EXPECT_INT(got ? 0 : -errno, -EINVAL, "short header");
		btf__free(got);
	}
	free(copy);
	btf__free(btf);
}

/* Types of a kind that only the layout section knows. */
static void test_large_kind(void)
{
	static const struct {
		const char *what; __u32 vlen, elem_sz; bool sane;
	} cases[] = {
		{ "correct length",	2,		4,	true },
		{ "one too many",	3,		4,	false },
		{ "more than an int",	0xffffff,	252,	false },
	};
	struct {
		struct btf_header hdr;
		struct btf_type type;
		__u32 elems[2];
		struct btf_layout layout[31];
		char strs[4];
	} data = {
		.hdr = { .magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(data.hdr),
			 .type_len = sizeof(data.type) + sizeof(data.elems),
			 .layout_off = sizeof(data.type) + sizeof(data.elems),
			 .layout_len = sizeof(data.layout), .str_len = sizeof(data.strs) },
	};
	size_t i;

	data.hdr.str_off = data.hdr.layout_off + sizeof(data.layout);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct btf *btf;

		data.type.info = 30 << 24 | cases[i].vlen;
		data.layout[30].elem_sz = cases[i].elem_sz;
		btf = btf__new(&data, offsetof(typeof(data), strs) + sizeof(data.strs));
		if (cases[i].sane)
			EXPECT_INT(btf ? btf__type_cnt(btf) : -errno, 2, cases[i].what);
		else if (CHECK(!btf, "%s: %p", cases[i].what, btf))
			EXPECT_INT(-errno, -EINVAL, cases[i].what);
		if (cases[i].sane)
			btf__free(btf);
	}
}

/* A module that needs no named type of vmlinux has a distilled base without types. */
static void test_distill_none(void)
{
	struct btf *base = new_btf(NULL), *split = btf__new_empty_split(base);
	struct btf *dist_base = NULL, *dist_split = NULL;

	add_func(split, "foo", PROTO_VOID, 0x40);
	EXPECT_INT(btf__distill_base(split, &dist_base, &dist_split), 0, "distill");
	if (dist_base && dist_split) {
		EXPECT_INT(btf__type_cnt(dist_base), 1, "types of the distilled base");
		EXPECT_INT(btf__type_cnt(dist_split), 3, "types of the module, and its own");
		EXPECT_STR(funcs_of(dist_split), "foo:2+40", "distilled");
		EXPECT_INT(btf__relocate(dist_split, base), 0, "relocate");
		EXPECT_STR(funcs_of(dist_split), "foo:5+40", "relocated");
	}
	btf__free(dist_split);
	btf__free(dist_base);
	btf__free(split);
	btf__free(base);
}

/* The kernel relocates BTF before it has looked at all of it. */
static void test_relocate_insane(void)
{
	static const struct { const char *what; int type, err; } cases[] = {
		{ "typedef of int",			1,	0 },
		{ "typedef of itself",			3,	-EINVAL },
		{ "typedef of a typedef of it",		4,	-EINVAL },
		{ "typedef of an endless array",	5,	-EINVAL },
		{ "typedef of nothing",			99,	-EINVAL },
	};
	struct btf *base = new_btf(NULL);
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct btf *dist = btf__new_empty(), *split;

		btf__add_int(dist, "int", 4, BTF_INT_SIGNED);
		split = btf__new_empty_split(dist);
		btf__add_struct(split, "s", 4);
		btf__add_field(split, "f", 3, 0, 0);
		btf__add_typedef(split, "t", cases[i].type);
		btf__add_typedef(split, "t2", 3);
		btf__add_array(split, 1, 5, 1);
		EXPECT_INT(btf__relocate(split, base), cases[i].err, cases[i].what);
		btf__free(split);
		btf__free(dist);
	}
	btf__free(base);
}

const struct test sorted_tests[] = {
	{ "sorted: 50,000 FUNCs are found by name, also in a module", test_sort },
	{ "sorted: the FUNCs of a real image do not change", test_sort_image },
	{ "sorted: types can be added to sorted BTF", test_add_after_sort },
	{ "layout: a FUNC with an address cannot be added", test_layout_add },
	{ "layout: a layout section is rejected with addresses, but ignored in the base",
	  test_layout_read },
	{ "layout: a layout section is read in the other byte order", test_layout_swapped },
	{ "layout: a type of an unknown kind is rejected if it is too large", test_large_kind },
	{ "read: references to missing types, and a short header, are rejected", test_insane },
	{ "distill: a base without types", test_distill_none },
	{ "relocate: references to missing types, and typedefs of themselves, are rejected",
	  test_relocate_insane },
	{}
};

#else

const struct test sorted_tests[] = { {} };

#endif
