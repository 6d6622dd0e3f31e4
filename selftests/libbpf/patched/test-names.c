// SPDX-License-Identifier: GPL-2.0-only
/* Names of functions: which one NAME@SUFFIX means, and what is said if none. */
#include "test.h"

/* IDs count from 4. */
static struct btf *zoo(bool addressed)
{
	static const char *const names[] = {
		"alone",			/* [4] */
		"bare",				/* [5] the global one among several */
		"bare@a/b.c",			/* [6] */
		"nested@a/x/b.c",		/* [7] */
		"nested@x/b.c",			/* [8] */
		"same@fs/aout.c",		/* [9] */
		"same@fs/elf.c#1",		/* [10] */
		"same@fs/elf.c#2",		/* [11] */
		"twin@a/b.c",			/* [12] */
		"twin@lib/b.c",			/* [13] */
		"twin@lib/c.c",			/* [14] */
		"twin@xa/b.c",			/* [15] */
		"twin_peak@a/b.c",		/* [16] */
		"clone.isra.0@a/b.c",		/* [17] */
		"odd@a/b@c.c",			/* [18] */
		"pure",				/* [19] equal names, addresses alone */
		"pure",				/* [20] */
		"tail@",			/* [21] nothing that abtf would write */
		"@a/b.c",			/* [22] */
		"put@a/x.c#1",			/* [23] */
		"put@a/x.c#2",			/* [24] */
		"put@b/x.c",			/* [25] */
		"lone@a/x.c#2",			/* [26] there is no #1 in BTF */
		"hash@d#1/e#f.c",		/* [27] */
	};
	struct btf *btf = new_btf(NULL);
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		add_func(btf, names[i], PROTO_INT, addressed ? 16 * i : NO_ADDR, 0);
	btf__add_typedef(btf, "alone@a/type.c", 1);
	return btf;
}

/* The ID of the function that spec means in btf, as what is attached finds it. */
static int find(const struct btf *btf, const char *spec)
{
	struct btf_func_cands list = {};
	int ret;

	ret = btf_add_func_cands(&list, btf, spec, NULL, 0);
	ret = ret ?: btf_pick_func_cand(&list, spec);
	if (ret >= 0)
		ret = list.cands[ret].id;
	free(list.cands);
	return ret;
}

static void test_find(void)
{
	static const struct {
		const char *spec;	int id;
	} cases[] = {
		{ "alone",		4 },
		{ "alone@a/b.c",	-ESRCH },	/* BTF doesn't say its file */
		{ "alone@a/type.c",	-ESRCH },	/* a type, but no FUNC */
		{ "alon",		-ESRCH },
		{ "alonee",		-ESRCH },
		{ "int",		-ESRCH },
		{ "bare",		5 },
		{ "bare@a/b.c",		6 },
		{ "bare@b.c",		6 },
		{ "nested@x/b.c",	8 },		/* the exact name comes first */
		{ "nested@/x/b.c",	8 },
		{ "nested@a/x/b.c",	7 },
		{ "nested@b.c",		-EADDRNOTAVAIL },
		{ "nested",		-ESRCH },
		{ "same@aout.c",	9 },
		{ "same@elf.c",		-EADDRNOTAVAIL },
		{ "same@fs/elf.c",	-EADDRNOTAVAIL },
		{ "same@/fs/elf.c",	-EADDRNOTAVAIL },
		{ "same@/elf.c",	-ESRCH },
		{ "same@elf.c#1",	10 },
		{ "same@fs/elf.c#2",	11 },
		{ "same@/fs/elf.c#2",	11 },
		{ "same@elf.c#3",	-ESRCH },
		{ "same@#2",		-ESRCH },
		{ "same@2",		-ESRCH },
		{ "twin@a/b.c",		12 },		/* not xa/b.c */
		{ "twin@xa/b.c",	15 },
		{ "twin@c.c",		14 },
		{ "twin@/lib/c.c",	14 },
		{ "twin@b.c",		-EADDRNOTAVAIL },
		{ "twin@ib/c.c",	-ESRCH },	/* not at a '/' */
		{ "twin@/c.c",		-ESRCH },	/* that would be all of it */
		{ "twin@//lib/c.c",	-ESRCH },
		{ "twin@x/lib/c.c",	-ESRCH },
		{ "twin@lib",		-ESRCH },
		{ "twin@lib/",		-ESRCH },
		{ "twin@C.C",		-ESRCH },
		{ "twin@",		-ESRCH },
		{ "twin@/",		-ESRCH },
		{ "twin",		-ESRCH },
		{ "twin_peak@b.c",	16 },
		{ "clone.isra.0@b.c",	17 },
		{ "clone@b.c",		-ESRCH },
		{ "odd@b@c.c",		18 },
		{ "odd@c.c",		-ESRCH },
		{ "pure",		-EADDRNOTAVAIL },
		{ "pure@a/b.c",		-ESRCH },
		{ "tail@",		21 },
		{ "tail@x",		-ESRCH },
		{ "@a/b.c",		22 },
		{ "@b.c",		22 },
		{ "put@x.c",		-EADDRNOTAVAIL },	/* any of the three */
		{ "put@a/x.c",		-EADDRNOTAVAIL },
		{ "put@b/x.c",		25 },
		{ "put@x.c#2",		24 },
		{ "put@x.c#",		-ESRCH },
		{ "lone@x.c",		-EADDRNOTAVAIL },	/* #1 was meant, maybe */
		{ "lone@x.c#2",		26 },
		{ "hash@e#f.c",		27 },
		{ "hash@/d#1/e#f.c",	27 },
		{ "hash@e",		-ESRCH },
		{ "hash@d#1",		-ESRCH },
		{ "@",			-ESRCH },
		{ "",			-ESRCH },
	};
	size_t i;
	int addressed;

	for (addressed = 0; addressed < 2; addressed++) {
		struct btf *btf = zoo(addressed);

		for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
			EXPECT_INT(find(btf, cases[i].spec), cases[i].id, cases[i].spec);
		btf__free(btf);
	}
}

static void test_message(void)
{
	static const struct {
		const char *spec, *message;
	} cases[] = {
		{ "twin",
		  "libbpf: 'twin' is none of these functions:\n"
		  "libbpf:   twin@a/b.c\n"
		  "libbpf:   twin@lib/b.c\n"
		  "libbpf:   twin@lib/c.c\n"
		  "libbpf:   twin@xa/b.c\n" },
		{ "nested@b.c",
		  "libbpf: 'nested@b.c' could be any of these functions:\n"
		  "libbpf:   nested@a/x/b.c\n"
		  "libbpf:   nested@x/b.c\n" },
		/* those that fit, if some do */
		{ "twin@b.c",
		  "libbpf: 'twin@b.c' could be any of these functions:\n"
		  "libbpf:   twin@a/b.c\n"
		  "libbpf:   twin@lib/b.c\n"
		  "libbpf:   twin@xa/b.c\n" },
		{ "pure",
		  "libbpf: 'pure' could be any of these functions:\n"
		  "libbpf:   pure\n"
		  "libbpf:   pure\n" },
		{ "alone@x.c",
		  "libbpf: 'alone@x.c' is none of these functions:\n"
		  "libbpf:   alone\n" },
		{ "put@a/x.c",
		  "libbpf: 'put@a/x.c' could be any of these functions:\n"
		  "libbpf:   put@a/x.c#1\n"
		  "libbpf:   put@a/x.c#2\n" },
		{ "twin@c.c", "" },
		{ "nobody", "" },
		{ "nobody@a/b.c", "" },
	};
	struct btf *btf = zoo(true);
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		forget();
		find(btf, cases[i].spec);
		EXPECT_STR(said, cases[i].message, cases[i].spec);
	}
	btf__free(btf);
}

/* One list for all of the kernel: what vmlinux and a module have counts alike. */
static void test_modules(void)
{
	static const struct {
		const char *spec; int fd;	const char *message;
	} cases[] = {
		{ "twin@m.c", 7,		"" },
		{ "twin@c.c", 0,		"" },
		{ "twin@mod/b.c", 7,		"" },
		{ "twin@b.c", -EADDRNOTAVAIL,	"libbpf:   twin@xa/b.c\nlibbpf:   mod:twin@mod/b.c\n" },
		/* the end of a path in vmlinux, but the whole one in the module */
		{ "nested@b.c", 7,		"" },
		{ "twin@d.c", -ESRCH,		"libbpf:   mod:twin@mod/m.c\n" },
	};
	struct btf *base = zoo(true), *split = new_btf(base);
	size_t i;

	add_func(split, "twin@mod/b.c", PROTO_INT, 0x500, 0);
	add_func(split, "twin@mod/m.c", PROTO_INT, 0x510, 0);
	add_func(split, "nested@b.c", PROTO_INT, 0x520, 0);

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct btf_func_cands list = {};
		const char *spec = cases[i].spec;
		int ret;

		forget();
		EXPECT_INT(btf_add_func_cands(&list, base, spec, NULL, 0), 0, spec);
		EXPECT_INT(btf_add_func_cands(&list, split, spec, "mod", 7), 0, spec);
		ret = btf_pick_func_cand(&list, spec);
		EXPECT_INT(ret < 0 ? ret : list.cands[ret].btf_fd, cases[i].fd, spec);
		EXPECT_SAID(cases[i].message, spec);
		if (ret >= 0)
			EXPECT_STR(said, "", spec);
		free(list.cands);
	}
	btf__free(split);
	btf__free(base);
}

/* In BTF of a real image each FUNC is found by its name, and most by the end of it. */
static void test_image(void)
{
	struct btf *btf = btf__parse(image_btf_path, NULL);
	int funcs = 0, by_file = 0, by_end = 0;
	__u32 id;

	if (!CHECK(btf, "%s: %s", image_btf_path, said))
		return;
	CHECK(btf_has_func_addrs(btf), "%s has no addresses", image_btf_path);
	for (id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const char *name = btf__name_by_offset(btf, t->name_off), *at, *slash;
		char spec[512];
		int got;

		if (!btf_is_func(t))
			continue;
		funcs++;
		EXPECT_INT(btf__find_by_name_kind(btf, name, BTF_KIND_FUNC), id, name);
		EXPECT_INT(find(btf, name), id, name);
		at = strchr(name, '@');
		if (!at)
			continue;
		by_file++;
		snprintf(spec, sizeof(spec), "%.*s@/%s", (int)(at - name), name, at + 1);
		EXPECT_INT(find(btf, spec), id, spec);
		slash = strrchr(name, '/');
		snprintf(spec, sizeof(spec), "%.*s@%s", (int)(at - name), name,
			 slash ? slash + 1 : at + 1);
		got = find(btf, spec);
		CHECK(got == (int)id || got == -EADDRNOTAVAIL, "%s: %d", spec, got);
		by_end += got == (int)id;
	}
	CHECK(funcs > by_file && by_file > 20 && by_end > 10, "%d functions, %d by file, %d by its end",
	      funcs, by_file, by_end);
	btf__free(btf);
}

const struct test name_tests[] = {
	{ "name: exact, or NAME@SUFFIX of one, in plain and in addressed BTF", test_find },
	{ "name: what there is of that name is listed", test_message },
	{ "name: vmlinux and modules count alike", test_modules },
	{ "name: each function of a real image is found by its own", test_image },
	{}
};
