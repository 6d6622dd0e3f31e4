// SPDX-License-Identifier: GPL-2.0-only
/* Selectors: their grammar, what they find, what is said, and the iterator. */
#include "test.h"

static void test_parse(void)
{
	static const struct {
		const char *spec;	int err; const char *module, *name, *file; __u32 rank;
	} cases[] = {
		{ "foo",			0, NULL, "foo", NULL, 0 },
		{ "foo.constprop.0",		0, NULL, "foo.constprop.0", NULL, 0 },
		{ "foo@a/b.c",			0, NULL, "foo", "a/b.c", 0 },
		{ "foo@b.c",			0, NULL, "foo", "b.c", 0 },
		{ "foo@1",			0, NULL, "foo", NULL, 1 },
		{ "foo@007",			0, NULL, "foo", NULL, 7 },
		{ "foo@4294967295",		0, NULL, "foo", NULL, 4294967295U },
		/* there are no so many: it fits none */
		{ "foo@4294967296",		0, NULL, "foo", NULL, 4294967295U },
		{ "foo@99999999999999999999",	0, NULL, "foo", NULL, 4294967295U },
		{ "foo@1.c",			0, NULL, "foo", "1.c", 0 },
		{ "foo@a@b.c",			0, NULL, "foo", "a@b.c", 0 },
		{ "foo@a:b.c",			0, NULL, "foo", "a:b.c", 0 },
		{ "foo@a+b.c",			0, NULL, "foo", "a+b.c", 0 },
		{ "foo@/abs/b.c",		0, NULL, "foo", "/abs/b.c", 0 },
		{ "mod:foo",			0, "mod", "foo", NULL, 0 },
		{ "mod:foo@2",			0, "mod", "foo", NULL, 2 },
		{ "mod:foo@a/b.c",		0, "mod", "foo", "a/b.c", 0 },
		{ "vmlinux:foo@b.c",		0, "vmlinux", "foo", "b.c", 0 },
		{ "",				-EINVAL },
		{ ":",				-EINVAL },
		{ "@",				-EINVAL },
		{ ":foo",			-EINVAL },
		{ "mod:",			-EINVAL },
		{ "foo@",			-EINVAL },
		{ "@a.c",			-EINVAL },
		{ "mod:@a.c",			-EINVAL },
		{ "foo@0",			-EINVAL },
		{ "foo@000",			-EINVAL },
		{ "a:b:foo",			-EINVAL },
		{ "a/b:foo",			-EINVAL },
		{ "a/foo",			-EINVAL },
		{ "f*",				-EINVAL },
		{ "fo?",			-EINVAL },
		{ "foo bar",			-EINVAL },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct func_selector sel;

		forget();
		EXPECT_INT(func_selector__parse(&sel, cases[i].spec), cases[i].err, cases[i].spec);
		EXPECT_STR(sel.module, cases[i].module, cases[i].spec);
		EXPECT_STR(sel.name, cases[i].name, cases[i].spec);
		EXPECT_STR(sel.file, cases[i].file, cases[i].spec);
		EXPECT_INT(sel.rank, cases[i].rank, cases[i].spec);
		if (cases[i].err)
			EXPECT_SAID("invalid selector", cases[i].spec);
		else
			EXPECT_STR(said, "", cases[i].spec);
		func_selector__free(&sel);
	}
}

/* IDs count from 4; a unit takes the next one. */
static struct btf *zoo(bool addressed)
{
	static const struct {
		const char *name, *unit;
	} funcs[] = {
		{ "alone", NULL },		/* [4] */
		{ "digits", "123" },		/* [5] */
		{ "digits", "a/b.c" },		/* [7] */
		{ "lone", "a/b.c" },		/* [9]: its twins are not in BTF */
		{ "mixed", NULL },		/* [11] */
		{ "mixed", "a/b.c" },		/* [12] */
		{ "nested", "b.c" },		/* [14] */
		{ "nested", "a/b.c" },		/* [16] */
		{ "plain", NULL },		/* [18] */
		{ "plain", NULL },		/* [19] */
		{ "same", "fs/elf.c" },		/* [20] */
		{ "same", "fs/elf.c" },		/* [22] */
		{ "same", "fs/aout.c" },	/* [24] */
		{ "twin", "a/b.c" },		/* [26] */
		{ "twin", "xa/b.c" },		/* [28] */
		{ "twin", "lib/b.c" },		/* [30] */
		{ "twin", "lib/c.c" },		/* [32] */
		{ "void", "" },			/* [34] */
	};
	struct btf *btf = new_btf(NULL);
	size_t i;

	for (i = 0; i < sizeof(funcs) / sizeof(funcs[0]); i++)
		add_func(btf, funcs[i].name, PROTO_INT, addressed ? 16 * i : NO_ADDR, 0,
			 funcs[i].unit);
	return btf;
}

static void test_find(void)
{
	static const struct {
		const char *spec;	int id;
	} cases[] = {
		{ "alone",		4 },
		{ "alone@1",		4 },
		{ "alone@a/b.c",	-ESRCH },	/* BTF doesn't say its unit */
		{ "alone@2",		-ESRCH },
		{ "nobody",		-ENOENT },
		{ "nobody@1",		-ENOENT },
		{ "nobody@a/b.c",	-ENOENT },
		{ "alon",		-ENOENT },
		{ "alonee",		-ENOENT },
		{ "int",		-ENOENT },	/* a type, but no FUNC */
		{ "digits@123",		-ESRCH },	/* digits are a rank */
		{ "digits@1",		5 },
		{ "digits@b.c",		7 },
		{ "lone",		-EADDRNOTAVAIL },
		{ "lone@b.c",		9 },
		{ "lone@1",		9 },
		{ "lone@2",		-ESRCH },
		{ "mixed",		-EADDRNOTAVAIL },
		{ "mixed@a/b.c",	12 },
		{ "mixed@1",		11 },
		{ "nested@b.c",		-EADDRNOTAVAIL },
		{ "nested@a/b.c",	16 },
		{ "nested@1",		14 },
		{ "plain",		-EADDRNOTAVAIL },
		{ "plain@1",		18 },
		{ "plain@2",		19 },
		{ "plain@3",		-ESRCH },
		{ "same@elf.c",		-EADDRNOTAVAIL },
		{ "same@fs/elf.c",	-EADDRNOTAVAIL },
		{ "same@2",		22 },
		{ "same@aout.c",	24 },
		{ "twin",		-EADDRNOTAVAIL },
		{ "twin@b.c",		-EADDRNOTAVAIL },
		{ "twin@a/b.c",		26 },		/* not xa/b.c */
		{ "twin@xa/b.c",	28 },
		{ "twin@lib/b.c",	30 },
		{ "twin@c.c",		32 },
		{ "twin@ib/b.c",	-ESRCH },	/* not at a '/' */
		{ "twin@/b.c",		-ESRCH },	/* nor with one */
		{ "twin@x/lib/b.c",	-ESRCH },
		{ "twin@lib",		-ESRCH },
		{ "twin@lib/",		-ESRCH },
		{ "twin@B.C",		-ESRCH },
		{ "twin@4",		32 },
		{ "twin@5",		-ESRCH },
		{ "twin@4294967295",	-ESRCH },
		{ "void",		-EADDRNOTAVAIL },
		{ "void@1",		34 },
	};
	size_t i;
	int addressed;

	for (addressed = 0; addressed < 2; addressed++) {
		struct btf *btf = zoo(addressed);

		for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			struct func_selector sel;

			if (func_selector__parse(&sel, cases[i].spec))
				continue;
			EXPECT_INT(func_selector__find(&sel, btf), cases[i].id, cases[i].spec);
			func_selector__free(&sel);
		}
		btf__free(btf);
	}
}

/* Only "unit:" tags of the FUNC itself count, wherever in BTF they stand. */
static void test_tags(void)
{
	struct btf *btf = new_btf(NULL);
	struct func_selector sel;
	int id;

	btf__add_decl_tag(btf, "unit:early.c", 6, -1);		/* [4], of [6] */
	btf__add_decl_tag(btf, "bpf_kfunc", 6, -1);		/* [5] */
	id = add_func(btf, "foo", PROTO_INT, NO_ADDR, 0, NULL);	/* [6] */
	EXPECT_INT(id, 6, "its ID");
	add_func(btf, "bar", PROTO_INT, NO_ADDR, 0, NULL);	/* [7] */
	btf__add_decl_tag(btf, "unit:arg.c", 7, 0);		/* of bar's argument */
	btf__add_decl_tag(btf, "bpf_kfunc", 7, -1);
	btf__add_decl_tag(btf, "unit", 7, -1);

	func_selector__parse(&sel, "foo");
	EXPECT_INT(func_selector__find(&sel, btf), -EADDRNOTAVAIL, "foo has a unit");
	func_selector__free(&sel);
	func_selector__parse(&sel, "foo@early.c");
	EXPECT_INT(func_selector__find(&sel, btf), 6, "foo@early.c");
	func_selector__free(&sel);
	func_selector__parse(&sel, "bar");
	EXPECT_INT(func_selector__find(&sel, btf), 7, "bar has none");
	func_selector__free(&sel);
	btf__free(btf);
}

static void test_explain(void)
{
	static const struct {
		const char *spec, *module, *message;
	} cases[] = {
		{ "twin", NULL,
		  "libbpf: 'twin' matches 4 functions in BTF of vmlinux, select one by:\n"
		  "libbpf:   twin@a/b.c\n"
		  "libbpf:   twin@xa/b.c\n"
		  "libbpf:   twin@lib/b.c\n"
		  "libbpf:   twin@lib/c.c\n" },
		{ "same@elf.c", NULL,
		  "libbpf: 'same@elf.c' matches 2 functions in BTF of vmlinux, select one by:\n"
		  "libbpf:   same@1\n"
		  "libbpf:   same@2\n" },
		{ "nested", NULL,
		  "libbpf: 'nested' matches 2 functions in BTF of vmlinux, select one by:\n"
		  "libbpf:   nested@1\n"
		  "libbpf:   nested@a/b.c\n" },
		{ "digits", "mod",
		  "libbpf: 'digits' matches 2 functions in BTF of mod, select one by:\n"
		  "libbpf:   mod:digits@1\n"
		  "libbpf:   mod:digits@a/b.c\n" },
		{ "lone", NULL,
		  "libbpf: 'lone' is the name of several functions in vmlinux, of which BTF has one, select it by:\n"
		  "libbpf:   lone@a/b.c\n" },
		{ "alone@x.c", NULL,
		  "libbpf: 'alone@x.c' matches no function 'alone' in BTF of vmlinux, select one by:\n"
		  "libbpf:   alone\n" },
		{ "plain@7", NULL,
		  "libbpf: 'plain@7' matches no function 'plain' in BTF of vmlinux, select one by:\n"
		  "libbpf:   plain@1\n"
		  "libbpf:   plain@2\n" },
		{ "void", NULL,
		  "libbpf: 'void' is the name of several functions in vmlinux, of which BTF has one, select it by:\n"
		  "libbpf:   void@1\n" },
		{ "nobody@1", NULL,
		  "libbpf: 'nobody@1': BTF of vmlinux has no function 'nobody'\n" },
	};
	struct btf *btf = zoo(true);
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct func_selector sel;

		forget();
		func_selector__parse(&sel, cases[i].spec);
		func_selector__explain(&sel, btf, cases[i].module);
		EXPECT_STR(said, cases[i].message, cases[i].spec);
		func_selector__free(&sel);
	}
	btf__free(btf);
}

/* BTF of a kernel that was built without units says so. */
static void test_explain_no_units(void)
{
	struct btf *btf = new_btf(NULL);
	struct func_selector sel;

	add_func(btf, "foo", PROTO_INT, NO_ADDR, 0, NULL);
	func_selector__parse(&sel, "foo@a/b.c");
	func_selector__explain(&sel, btf, NULL);
	EXPECT_SAID("matches no function 'foo'", "foo@a/b.c");
	EXPECT_SAID("does not say compile units", "foo@a/b.c");
	EXPECT_SAID("CONFIG_DEBUG_INFO_BTF_FUNC_ADDR", "foo@a/b.c");
	func_selector__free(&sel);
	btf__free(btf);
}

/* The instances that the iterator gives for spec, in words. */
static const char *iterate(const struct btf *btf, const char *spec, const char *module)
{
	LIBBPF_OPTS(btf_func_iter_opts, opts, .module = module);
	const struct btf_func_instance *inst;
	static char text[8192];
	struct btf_func_iter *it;
	size_t len = 0;

	it = btf_func_iter__new(btf, spec, &opts);
	if (!it)
		return errno == EINVAL ? "EINVAL" : "error";
	text[0] = '\0';
	while ((inst = btf_func_iter__next(it))) {
		len += snprintf(text + len, sizeof(text) - len, "%s%u %s #%u %s %s",
				len ? ", " : "", inst->id, inst->selector, inst->rank,
				inst->name, inst->unit ?: "-");
		if (inst->has_offset)
			len += snprintf(text + len, sizeof(text) - len, " %llx",
					(unsigned long long)inst->offset);
		CHECK(!inst->addr, "a run-time address that nobody asked for");
		EXPECT_STR(inst->module, module, "module");
	}
	EXPECT_INT(errno, 0, "at the end");
	CHECK(!btf_func_iter__next(it), "more after the end");
	btf_func_iter__free(it);
	return text;
}

static void test_iterator(void)
{
	struct btf *btf = zoo(true), *plain = zoo(false), *empty = new_btf(NULL);

	EXPECT_STR(iterate(btf, "alone", NULL), "4 alone #1 alone - 0", "alone");
	EXPECT_STR(iterate(plain, "alone", NULL), "4 alone #1 alone -", "without addresses");
	EXPECT_STR(iterate(btf, "lone", NULL), "9 lone@a/b.c #1 lone a/b.c 30", "lone");
	EXPECT_STR(iterate(btf, "same", NULL),
		   "20 same@1 #1 same fs/elf.c a0, 22 same@2 #2 same fs/elf.c b0, "
		   "24 same@fs/aout.c #3 same fs/aout.c c0", "same");
	EXPECT_STR(iterate(btf, "same@aout.c", NULL), "24 same@fs/aout.c #3 same fs/aout.c c0",
		   "same@aout.c");
	EXPECT_STR(iterate(btf, "same@elf.c", NULL),
		   "20 same@1 #1 same fs/elf.c a0, 22 same@2 #2 same fs/elf.c b0", "same@elf.c");
	EXPECT_STR(iterate(btf, "same@2", NULL), "22 same@2 #2 same fs/elf.c b0", "same@2");
	EXPECT_STR(iterate(btf, "plain@2", "mod"), "19 mod:plain@2 #2 plain - 90", "in mod");
	EXPECT_STR(iterate(btf, "mod:plain@2", "mod"), "19 mod:plain@2 #2 plain - 90", "mod:");
	EXPECT_STR(iterate(btf, "vmlinux:alone", NULL), "4 alone #1 alone - 0", "vmlinux:");
	EXPECT_STR(iterate(btf, "nobody", NULL), "", "nobody");
	EXPECT_STR(iterate(btf, "alone@9", NULL), "", "alone@9");
	EXPECT_STR(iterate(empty, NULL, NULL), "", "all of nothing");
	EXPECT_STR(iterate(btf, "mod:alone", NULL), "EINVAL", "another module");
	EXPECT_STR(iterate(btf, "alone", "mod"), "4 mod:alone #1 alone - 0", "any module");
	EXPECT_STR(iterate(btf, "vmlinux:alone", "mod"), "EINVAL", "another module");
	EXPECT_STR(iterate(btf, "alone@", NULL), "EINVAL", "malformed");
	EXPECT_STR(iterate(NULL, "alone", NULL), "EINVAL", "no BTF");

	btf_func_iter__free(NULL);
	btf__free(empty);
	btf__free(plain);
	btf__free(btf);
}

/* Each instance's selector, given back, finds it and no other. */
static void check_all(const struct btf *btf, const char *what, int at_least)
{
	const struct btf_func_instance *inst;
	struct btf_func_iter *it;
	char last[256] = "";
	__u32 last_rank = 0;
	int cnt = 0;

	it = btf_func_iter__new(btf, NULL, NULL);
	while (it && (inst = btf_func_iter__next(it))) {
		const struct btf_type *t = btf__type_by_id(btf, inst->id);
		struct func_selector sel;

		cnt++;
		EXPECT_STR(btf__name_by_offset(btf, t->name_off), inst->name, inst->selector);
		if (strcmp(last, inst->name) == 0)
			EXPECT_INT(inst->rank, last_rank + 1, inst->selector);
		else
			EXPECT_INT(inst->rank, 1, inst->selector);
		snprintf(last, sizeof(last), "%s", inst->name);
		last_rank = inst->rank;
		/* a look-up goes through all types, so of a big BTF take those that count */
		if (at_least > 1000 && !inst->unit && cnt % 100)
			continue;
		if (!func_selector__parse(&sel, inst->selector))
			EXPECT_INT(func_selector__find(&sel, btf), inst->id, inst->selector);
		func_selector__free(&sel);
	}
	btf_func_iter__free(it);
	CHECK(cnt >= at_least, "%s has %d functions", what, cnt);
}

static void test_all(void)
{
	struct btf *btf = zoo(true);

	check_all(btf, "the zoo", 17);
	btf__free(btf);

	btf = btf__parse(image_btf_path, NULL);
	if (!CHECK(btf, "%s: %s", image_btf_path, said))
		return;
	CHECK(btf_has_func_addrs(btf), "%s has no addresses", image_btf_path);
	check_all(btf, image_btf_path, 5);
	btf__free(btf);
}

/* A module has functions of its own only; those of the base are vmlinux's. */
static void test_split(void)
{
	struct btf *base = zoo(true), *split = new_btf(base);
	__u32 first = btf__type_cnt(base);
	struct func_selector sel;
	char want[64];

	add_func(split, "alone", PROTO_INT, 0x500, 0, NULL);
	add_func(split, "plain", PROTO_INT, 0x510, 0, NULL);

	snprintf(want, sizeof(want), "%u mod:alone #1 alone - 500", first);
	EXPECT_STR(iterate(split, "alone", "mod"), want, "alone");
	snprintf(want, sizeof(want), "%u mod:plain #1 plain - 510", first + 1);
	EXPECT_STR(iterate(split, "plain", "mod"), want, "plain");
	EXPECT_STR(iterate(split, "twin", "mod"), "", "twin");

	func_selector__parse(&sel, "mod:plain");
	EXPECT_INT(func_selector__find(&sel, split), first + 1, "mod:plain");
	CHECK(func_selector__takes(&sel, "mod"), "mod");
	CHECK(!func_selector__takes(&sel, "mo"), "a prefix of the name");
	CHECK(!func_selector__takes(&sel, "mod2"), "a longer name");
	CHECK(!func_selector__takes(&sel, NULL), "vmlinux");
	func_selector__free(&sel);
	func_selector__parse(&sel, "vmlinux:plain");
	CHECK(func_selector__takes(&sel, NULL), "vmlinux");
	CHECK(!func_selector__takes(&sel, "mod"), "mod");
	func_selector__free(&sel);
	func_selector__parse(&sel, "plain");
	CHECK(func_selector__takes(&sel, NULL) && func_selector__takes(&sel, "mod"), "any");
	func_selector__free(&sel);

	btf__free(split);
	btf__free(base);
}

const struct test select_tests[] = {
	{ "selector: every form is read as what it is, and everything else is refused",
	  test_parse },
	{ "selector: finds the one that it fits, in plain and in addressed BTF", test_find },
	{ "selector: a unit is a unit: tag of the FUNC itself", test_tags },
	{ "selector: the candidates are listed with what selects them", test_explain },
	{ "selector: BTF without units is told to be that", test_explain_no_units },
	{ "iterator: instances of a name, with ID, rank, unit, offset and selector",
	  test_iterator },
	{ "iterator: each function's selector finds it again, also in a real image", test_all },
	{ "iterator: BTF of a module has the module's functions", test_split },
	{}
};
