// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a section's name to functions, as far as no kernel is asked.  That is done by static
 * functions of libbpf.c, and what they work on is in its structs: so it is part of this file.
 */
#include <libbpf.c>
#include "test.h"

static struct btf *with_funcs(struct btf *base, const char *const *names)
{
	struct btf *btf = new_btf(base);

	for (; *names; names++)
		add_func(btf, *names, PROTO_INT, NO_ADDR, 0);
	return btf;
}

/* An object that has read the BTF of vmlinux and of these two modules. */
static struct bpf_object *new_object(void)
{
	static const char *const vmlinux[] = {
		"alone", "shared", "shared@a/x.c", "shared@b/x.c", "sharedlonger",
		"twin@a/x.c", "twin@b/x.c", NULL
	};
	/* in the order in which a prefix finds the wrong one first */
	static const char *const nfsd[] = {
		"both", "get@fs/nfsd/proc.c", "only", "only@fs/nfsd/export.c", NULL
	};
	static const char *const nfs[] = { "both", "get@fs/nfs/proc.c", NULL };
	struct bpf_object *obj = calloc(1, sizeof(*obj) + 1);

	obj->btf_vmlinux = with_funcs(NULL, vmlinux);
	obj->btf_modules = calloc(2, sizeof(*obj->btf_modules));
	obj->btf_modules[0] = (struct module_btf){
		.btf = with_funcs(obj->btf_vmlinux, nfsd), .name = strdup("nfsd"), .fd = -11,
	};
	obj->btf_modules[1] = (struct module_btf){
		.btf = with_funcs(obj->btf_vmlinux, nfs), .name = strdup("nfs"), .fd = -12,
	};
	obj->btf_module_cnt = 2;
	obj->btf_modules_loaded = true;
	return obj;
}

static void free_object(struct bpf_object *obj)
{
	int i;

	for (i = obj->btf_module_cnt - 1; i >= 0; i--) {
		btf__free(obj->btf_modules[i].btf);
		free(obj->btf_modules[i].name);
	}
	free(obj->btf_modules);
	btf__free(obj->btf_vmlinux);
	free(obj);
}

static void test_module_name(void)
{
	static const struct {
		const char *name;	int ret, fd;
	} cases[] = {
		{ "alone",			0, 0 },
		{ "vmlinux:alone",		0, 0 },
		{ "vmlinux:shared@/a/x.c",	0, 0 },
		{ "vm:alone",			-ESRCH },
		{ "vm:shared@/a/x.c",		-ESRCH },
		{ "vmlinux2:alone",		-ESRCH },
		{ ":alone",			-ESRCH },
		{ "nfs:both",			0, -12 },
		{ "nfsd:both",			0, -11 },
		{ "nf:both",			-ESRCH },
		{ "nfs:only",			-ESRCH },
		{ "nfs:only@export.c",		-ESRCH },
		{ "nfsd:only@export.c",		0, -11 },
		{ "nfs:only@fs/nfsd/export.c",	-ESRCH },
		{ "nfs:get@proc.c",		0, -12 },
		{ "nfsd:get@proc.c",		0, -11 },
		{ "get@proc.c",			-EADDRNOTAVAIL },
	};
	struct bpf_object *obj = new_object();
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int fd = 0, id = 0;

		EXPECT_INT(find_kernel_btf_id(obj, cases[i].name, BPF_TRACE_FENTRY, &fd, &id),
			   cases[i].ret, cases[i].name);
		EXPECT_INT(fd, cases[i].fd, cases[i].name);
		EXPECT_INT(!id, !!cases[i].ret, cases[i].name);
	}
	free_object(obj);
}

/* No such function is there, and the message says which one it was. */
static void test_kprobe_section(void)
{
	static const struct {
		const char *section, *said;
	} cases[] = {
		/* without an '@' a name ends as ever */
		{ "kprobe/no_such_fn",		"kprobe 'no_such_fn+0x0'" },
		{ "kprobe/no_such_fn+0x9",	"kprobe 'no_such_fn+0x9'" },
		{ "kprobe/no_such_fn/2",	"kprobe 'no_such_fn+0x0'" },
		{ "kprobe/no_such_fn-alt",	"kprobe 'no_such_fn+0x0'" },
		{ "kprobe/no_such_fn#2",	"kprobe 'no_such_fn+0x0'" },
		{ "kretprobe/no_such_fn/2",	"kretprobe 'no_such_fn+0x0'" },
		/* with one it is all that stands there */
		{ "kprobe/no_such_fn@a/b.c",	"kprobe 'no_such_fn@a/b.c'" },
		{ "kprobe/no_such_fn@a/b.c+9",	"kprobe 'no_such_fn@a/b.c'" },
		{ "kprobe/no_such_fn@a+-,b.c",	"kprobe 'no_such_fn@a+-,b.c'" },
		{ "kprobe/no_such_fn@a+5-b.c",	"kprobe 'no_such_fn@a+5-b.c'" },
		{ "kprobe/no_such_fn@a+5-b.c+9", "kprobe 'no_such_fn@a+5-b.c'" },
		{ "kprobe/no_such_fn@b.c+",	"kprobe 'no_such_fn@b.c+'" },
		{ "kprobe/no_such_fn+4@b.c",	"kprobe 'no_such_fn+4@b.c'" },
		{ "kprobe/no_such_fn/2@b.c",	"kprobe 'no_such_fn/2@b.c'" },
		{ "kretprobe/no_such_fn@a b,c.c#2", "kretprobe 'no_such_fn@a b,c.c#2'" },
		{ "kretprobe/no_such_fn@b.c+9",	"kretprobes do not support offset" },
		{ "kprobe/no_such_fn@b.c+-9",	"offset must be a non-negative integer: -9" },
	};
	struct bpf_object *obj = new_object();
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bpf_program prog = {
			.obj = obj, .name = "probe", .fd = -1, .sec_name = (char *)cases[i].section,
		};
		struct bpf_link *link;

		forget();
		CHECK(attach_kprobe(&prog, 0, &link) < 0, "%s", cases[i].section);
		EXPECT_SAID(cases[i].said, cases[i].section);
	}
	free_object(obj);
}

/* What is listed if the kernel says that a plain name is that of several. */
static void test_kprobe_list(void)
{
	struct bpf_object *obj = new_object();

	forget();
	list_funcs(obj->btf_vmlinux, "shared");
	EXPECT_STR(said, "libbpf: 'shared' could be any of these functions:\nlibbpf:   shared\n"
			 "libbpf:   shared@a/x.c\nlibbpf:   shared@b/x.c\n", "with a global one");
	forget();
	list_funcs(obj->btf_vmlinux, "alone");
	list_funcs(obj->btf_vmlinux, "none");
	EXPECT_STR(said, "", "no choice");
	free_object(obj);
}

#if LIBBPF_MAJOR_VERSION > 1 || LIBBPF_MINOR_VERSION >= 8

/* The names of what a pattern of tracing_multi has found */
static const char *found(const struct btf *btf, const char *pattern)
{
	static char text[256];
	__u32 *ids = NULL;
	int i, n, len = 0;

	n = collect_btf_func_ids_by_glob(btf, pattern, &ids);
	text[0] = '\0';
	for (i = 0; i < n; i++)
		len += sprintf(text + len, "%s%s", i ? " " : "",
			       btf__str_by_offset(btf, btf__type_by_id(btf, ids[i])->name_off));
	free(ids);
	return text;
}

static void test_pattern(void)
{
	static const struct {
		const char *pattern, *found;
	} cases[] = {
		{ "shared",	"shared" },
		{ "shared*",	"shared shared@a/x.c shared@b/x.c sharedlonger" },
		/* the global one is one of them */
		{ "shared@*",	"shared shared@a/x.c shared@b/x.c" },
		{ "shared@?*",	"shared@a/x.c shared@b/x.c" },
		{ "shared@a/*",	"shared@a/x.c" },
		{ "shared@**",	"shared@a/x.c shared@b/x.c" },
		{ "twin@*",	"twin@a/x.c twin@b/x.c" },
		{ "*@*",	"shared@a/x.c shared@b/x.c twin@a/x.c twin@b/x.c" },
		/* nobody shares its name */
		{ "alone@*",	"" },
		{ "sharedl@*",	"" },
		{ "@*",		"" },
	};
	struct bpf_object *obj = new_object();
	__u32 *ids = NULL;
	size_t i;
	int id;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		EXPECT_STR(found(obj->btf_vmlinux, cases[i].pattern), cases[i].found,
			   cases[i].pattern);
	EXPECT_STR(found(obj->btf_modules[0].btf, "only@*"), "only only@fs/nfsd/export.c", "nfsd");
	EXPECT_STR(found(obj->btf_modules[0].btf, "both@*"), "", "nfsd");
	/* by the end of its file, and only if it can be traced */
	EXPECT_INT(collect_func_id_by_name(obj->btf_vmlinux, "twin@/b/x.c", &ids), 1, "twin");
	free(ids);
	id = btf__add_func_proto(obj->btf_vmlinux, 0);
	btf__add_func_param(obj->btf_vmlinux, "", 0);
	btf__add_func(obj->btf_vmlinux, "variadic@a/x.c", BTF_FUNC_STATIC, id);
	EXPECT_INT(collect_func_id_by_name(obj->btf_vmlinux, "variadic@x.c", &ids), 0, "variadic");
	free_object(obj);
}

static void test_pattern_section(void)
{
	static const struct {
		const char *section, *said;
	} cases[] = {
		/* found, so the kernel is asked for a link with what is no program */
		{ "fentry.multi/alone",		"prog 'multi': failed to attach" },
		{ "fentry.multi/alone-alt",	"prog 'multi': failed to attach" },
		{ "fexit.multi.s/alone/2",	"prog 'multi': failed to attach" },
		{ "fentry.multi/twin@*",	"prog 'multi': failed to attach" },
		{ "fentry.multi/twin@a/x.c",	"prog 'multi': failed to attach" },
		{ "fentry.multi/nfs:get@*",	"prog 'multi': failed to attach" },
		/* never less than what stands there */
		{ "fentry.multi/twin@*,x.c",	"'twin@*,x.c' is none of these" },
		{ "fentry.multi/twin@a/x.c x",	"'twin@a/x.c x' is none of these" },
		{ "fexit.multi/twin@[ab]/x.c",	"'twin@[ab]/x.c' is none of these" },
		{ "fentry.multi/nfs:get@*+,",	"'get@*+,' is none of these" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bpf_object *obj = new_object();
		struct bpf_program prog = {
			.obj = obj, .name = "multi", .fd = INT_MAX,
			.sec_name = (char *)cases[i].section,
		};
		struct bpf_link *link;

		forget();
		CHECK(attach_tracing_multi(&prog, 0, &link) < 0, "%s", cases[i].section);
		EXPECT_SAID(cases[i].said, cases[i].section);
		free_object(obj);
	}
}

#endif

const struct test attach_tests[] = {
	{ "attach: MODULE: is all of a module's name", test_module_name },
	{ "kprobe: a section with NAME@FILE is taken as it is, one without as ever",
	  test_kprobe_section },
	{ "kprobe: those that share a plain name are listed, a global one among them",
	  test_kprobe_list },
#if LIBBPF_MAJOR_VERSION > 1 || LIBBPF_MINOR_VERSION >= 8
	{ "multi: NAME@* is all that share NAME", test_pattern },
	{ "multi: a section with NAME@FILE is taken as it is, one without as ever",
	  test_pattern_section },
#endif
	{}
};
