// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a section's name to functions, as far as no kernel is needed.  Static functions of
 * libbpf.c do this, on its own structs: so this file includes it.  The kernel's data that they
 * read is made up here.
 */
#include <stdio.h>

struct btf;

static FILE *open_kernel_file(const char *path, const char *mode);
static struct btf *load_vmlinux_btf(void);
static struct btf *load_module_btf(const char *name, struct btf *vmlinux_btf);

#define fopen			open_kernel_file
#define btf__load_vmlinux_btf	load_vmlinux_btf
#define btf__load_module_btf	load_module_btf
#include <libbpf.c>
#undef fopen
#include "test.h"

/* A kernel of vmlinux and the modules nfsd and nfs */
static const struct func {
	const char *name;
	__u32 offset;	/* 0: the table has no entry */
} vmlinux[] = {
	{ "above", 0x900 }, { "alone", 0x100 }, { "below", 0x80 }, { "freed@a/x.c" },
	{ "shared@a/x.c", 0x200 }, { "shared@b/x.c", 0x50 }, { "sharedlonger", 0x300 },
	{ "twin@a/x.c", 0x250 }, { "twin@b/x.c", 0x100 }, {}
}, nfsd[] = {	/* ordered so that a prefix matches the wrong one first */
	{ "both", 0x40 }, { "get@fs/nfsd/proc.c", 0x60 }, { "only@fs/nfsd/export.c", 0x20 },
	{ "only@fs/nfsd/xdr.c", 0x70 }, {}
}, nfs[] = {
	{ "both", 0x40 }, { "get@fs/nfs/proc.c", 0x44 }, {}
};
static const char *kallsyms;
static const char hidden[] = "";	/* the value of kallsyms if it cannot be opened */
static int tables_read, btfs_read;

static struct btf *with_funcs(struct btf *base, const struct func *funcs)
{
	struct btf *btf = new_btf(base);

	for (; funcs->name; funcs++)
		add_func(btf, funcs->name, PROTO_INT, NO_ADDR);
	return btf;
}

static struct btf *load_vmlinux_btf(void)
{
	btfs_read++;
	return with_funcs(NULL, vmlinux);
}

static struct btf *load_module_btf(const char *name, struct btf *vmlinux_btf)
{
	btfs_read++;
	return with_funcs(vmlinux_btf, strcmp(name, "nfs") ? nfsd : nfs);
}

static FILE *open_kernel_file(const char *path, const char *mode)
{
	const struct func *funcs = !strcmp(path, "/sys/kernel/btf_addr/vmlinux") ? vmlinux :
				   !strcmp(path, "/sys/kernel/btf_addr/nfsd") ? nfsd :
				   !strcmp(path, "/sys/kernel/btf_addr/nfs") ? nfs : NULL;
	/* a module's IDs follow those of its base, where FUNCs start at [4] */
	struct btf_func_addr addr = {
		.id = funcs == vmlinux ? 4 : 4 + ARRAY_SIZE(vmlinux) - 1,
	};
	FILE *f;

	if (kallsyms == hidden && !strcmp(path, "/proc/kallsyms")) {
		errno = EPERM;
		return NULL;
	}
	if (kallsyms && !strcmp(path, "/proc/kallsyms"))
		return fmemopen((void *)kallsyms, strlen(kallsyms), "r");
	if (!funcs || !kallsyms)
		return fopen(path, mode);
	tables_read++;
	f = tmpfile();
	for (; funcs->name; funcs++, addr.id++) {
		addr.offset = funcs->offset;
		if (addr.offset)
			fwrite(&addr, sizeof(addr), 1, f);
	}
	rewind(f);
	return f;
}

/* An object that has read the BTF of vmlinux and of these two modules. */
static struct bpf_object *new_object(void)
{
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
		{ "vmlinux:shared@a/x.c",	0, 0 },
		{ "shared@x.c",			-ESRCH },
		{ "shared@/a/x.c",		-ESRCH },
		{ "shared",			-ESRCH },
		{ "vm:alone",			-ESRCH },
		{ "vmlinux2:alone",		-ESRCH },
		{ ":alone",			-ESRCH },
		{ "nfs:both",			0, -12 },
		{ "nfsd:both",			0, -11 },
		{ "nf:both",			-ESRCH },
		{ "nfs:only",			-ESRCH },
		{ "nfs:only@fs/nfsd/export.c",	-ESRCH },
		{ "nfsd:only@fs/nfsd/export.c",	0, -11 },
		{ "get@fs/nfs/proc.c",		0, -12 },
	};
	struct bpf_object *obj = new_object();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int fd = 0, id = 0;

		EXPECT_INT(find_kernel_btf_id(obj, cases[i].name, BPF_TRACE_FENTRY, &fd, &id),
			   cases[i].ret, cases[i].name);
		EXPECT_INT(fd, cases[i].fd, cases[i].name);
		EXPECT_INT(!id, !!cases[i].ret, cases[i].name);
	}
	free_object(obj);
}

/* If a function is not found, the message has those that share its name. */
static void test_list(void)
{
	static const struct {
		const char *name; enum bpf_attach_type type;	const char *message;
	} cases[] = {
		{ "shared", BPF_TRACE_FENTRY,
		  "libbpf: functions named 'shared' in kernel BTF:\n"
		  "libbpf:   shared@a/x.c\nlibbpf:   shared@b/x.c\n" },
		{ "shared@x.c", BPF_MODIFY_RETURN,
		  "libbpf: functions named 'shared' in kernel BTF:\n"
		  "libbpf:   shared@a/x.c\nlibbpf:   shared@b/x.c\n" },
		{ "get", BPF_TRACE_FEXIT,
		  "libbpf: functions named 'get' in kernel BTF:\n"
		  "libbpf:   nfsd:get@fs/nfsd/proc.c\nlibbpf:   nfs:get@fs/nfs/proc.c\n" },
		{ "nfs:only@x.c", BPF_TRACE_FENTRY,
		  "libbpf: functions named 'only' in kernel BTF:\n"
		  "libbpf:   nfsd:only@fs/nfsd/export.c\nlibbpf:   nfsd:only@fs/nfsd/xdr.c\n" },
		{ "alone@a/x.c", BPF_TRACE_FENTRY,
		  "libbpf: functions named 'alone' in kernel BTF:\nlibbpf:   alone\n" },
		{ "share", BPF_TRACE_FENTRY, "" },
		{ "none@a/x.c", BPF_TRACE_FENTRY, "" },
		{ "shared", BPF_TRACE_RAW_TP, "" },
		{ "shared", BPF_LSM_MAC, "" },
	};
	struct bpf_object *obj = new_object();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int fd, id;

		forget();
		EXPECT_INT(find_kernel_btf_id(obj, cases[i].name, cases[i].type, &fd, &id), -ESRCH,
			   cases[i].name);
		EXPECT_STR(said, cases[i].message, cases[i].name);
	}
	free_object(obj);
}

/* Where a kprobe is set: at _text or, where there is none, at a function with a unique name. */
static void test_kprobe_symbol(void)
{
	static const char with_text[] = "0 A a\n0 T _text\n0 T _stext\n";
	static const char without_text[] = "0 A a\n0 T _stext\n";
	static const struct {
		const char *spec; int ret; const char *symbol; size_t offset;
		const char *symbol2; size_t offset2;	/* without _text */
	} cases[] = {
		{ "shared@a/x.c", 0,		"_text", 0x209,		"alone", 0x109 },
		{ "vmlinux:shared@a/x.c", 0,	"_text", 0x209,		"alone", 0x109 },
		{ "twin@b/x.c", 0,		"_text", 0x109,		"alone", 9 },
		{ "nfsd:get@fs/nfsd/proc.c", 0,	"nfsd:both", 0x29,	"nfsd:both", 0x29 },
		{ "nfs:get@fs/nfs/proc.c", 0,	"nfs:both", 0xd,	"nfs:both", 0xd },
		{ "nfsd:only@fs/nfsd/export.c", -ENXIO },	/* no such function before it */
		{ "freed@a/x.c", -ENXIO },
		{ "nfsd:shared@a/x.c", -ESRCH },	/* a function of its base */
		{ "get@fs/nfs/proc.c", -ESRCH },
		{ "shared@x.c", -ESRCH },
		{ "no_module:x@x.c", -ENOENT },
	};
	int text;
	size_t i;

	for (text = 0; text < 2; text++) {
		kallsyms = text ? with_text : without_text;
		btfs_read = tables_read = 0;
		for (i = 0; i < ARRAY_SIZE(cases); i++) {
			const char *want = text ? cases[i].symbol : cases[i].symbol2;
			char symbol[100] = "";
			size_t offset = 9;

			EXPECT_INT(find_kprobe_symbol(cases[i].spec, symbol, sizeof(symbol),
						      &offset), cases[i].ret, cases[i].spec);
			EXPECT_STR(symbol, want ?: "", cases[i].spec);
			if (want)
				EXPECT_INT(offset, text ? cases[i].offset : cases[i].offset2,
					   cases[i].spec);
		}
		/* nothing is kept: vmlinux each time, and four times a module */
		EXPECT_INT(btfs_read, ARRAY_SIZE(cases) + 4, "BTF read");
		EXPECT_INT(tables_read, ARRAY_SIZE(cases) + 4, "tables read");
	}

	kallsyms = without_text;
	CHECK(find_kprobe_symbol("shared@b/x.c", NULL, 0, &(size_t){ 0 }) == -ENXIO,
	      "nothing is below it");
	forget();
	CHECK(find_kprobe_symbol("no_module:x@x.c", NULL, 0, &(size_t){ 0 }) == -ENOENT,
	      "there is no such module");
	EXPECT_SAID("failed to read '/sys/kernel/btf_addr/no_module'", "no module");
	kallsyms = NULL;
}

/* The function does not exist, and the message names it. */
static void test_kprobe_section(void)
{
	static const struct {
		const char *section, *said;
	} cases[] = {
		/* without an '@' a name ends as before */
		{ "kprobe/no_such_fn",		"kprobe 'no_such_fn+0x0'" },
		{ "kprobe/no_such_fn+0x9",	"kprobe 'no_such_fn+0x9'" },
		{ "kprobe/no_such_fn/2",	"kprobe 'no_such_fn+0x0'" },
		{ "kprobe/no_such_fn-alt",	"kprobe 'no_such_fn+0x0'" },
		{ "kprobe/no_such_fn#2",	"kprobe 'no_such_fn+0x0'" },
		{ "kretprobe/no_such_fn/2",	"kretprobe 'no_such_fn+0x0'" },
		/* with one it ends at a '+' */
		{ "kprobe/no_such_fn@a/b.c",	"failed to find address of 'no_such_fn@a/b.c'" },
		{ "kprobe/no_such_fn@a/b.c+9",	"failed to find address of 'no_such_fn@a/b.c'" },
		{ "kprobe/no_such_fn@a+-,b.c",	"failed to find address of 'no_such_fn@a'" },
		{ "kprobe/no_such_fn@a+5-b.c",	"failed to find address of 'no_such_fn@a'" },
		{ "kprobe/no_such_fn@a+5-b.c+9", "failed to find address of 'no_such_fn@a'" },
		{ "kprobe/no_such_fn@b.c+",	"failed to find address of 'no_such_fn@b.c'" },
		{ "kprobe/no_such_fn+4@b.c",	"kprobe 'no_such_fn+0x4'" },
		{ "kprobe/no_such_fn/2@b.c",	"failed to find address of 'no_such_fn/2@b.c'" },
		{ "kretprobe/no_such_fn@a b,c.c#2", "failed to find address of 'no_such_fn@a b,c.c#2'" },
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

#if LIBBPF_MAJOR_VERSION > 1 || LIBBPF_MINOR_VERSION >= 8

/* Return: the names that a pattern of tracing_multi finds */
static const char *found(const struct btf *btf, const char *module, const char *pattern)
{
	static char text[256];
	__u32 *ids = NULL;
	int i, n, len = 0;

	n = collect_btf_func_ids_by_glob(btf, module, pattern, &ids);
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
		{ "shared",	"" },
		{ "shared*",	"shared@a/x.c shared@b/x.c sharedlonger" },
		{ "shared@*",	"shared@a/x.c shared@b/x.c" },
		{ "shared@a/*",	"shared@a/x.c" },
		{ "twin@*",	"twin@a/x.c twin@b/x.c" },
		{ "alone@*",	"" },
		{ "alone",	"alone" },
		{ "@*",		"" },
	};
	struct bpf_object *obj = new_object();
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		EXPECT_STR(found(obj->btf_vmlinux, NULL, cases[i].pattern), cases[i].found,
			   cases[i].pattern);
	EXPECT_STR(found(obj->btf_modules[0].btf, "nfsd", "only@*"),
		   "only@fs/nfsd/export.c only@fs/nfsd/xdr.c", "nfsd");
	EXPECT_STR(found(obj->btf_modules[0].btf, "nfsd", "shared@*"), "", "a name of vmlinux");
	free_object(obj);
}

/* An encoder may describe a function of a module only in the base. */
static void test_pattern_merged(void)
{
	static const struct {
		const char *kallsyms, *pattern, *found;
	} cases[] = {
		{ "0 T alone\n",				"alone", "" },
		{ "0 T alone\n0 t alone\t[nfsd]\n",		"alone", "alone" },
		{ "0 T alone\n0 t alone\t[nfsd]\n",		"al*", "alone" },
		{ "0 T alone\n0 t alone\t[nfs]\n",		"alone", "" },
		{ "0 T alone\n0 t alone\t[nfsd2]\n",		"alone", "" },
		{ "0 d alone\t[nfsd]\n",			"alone", "" },
		/* the kernel would use the first of them */
		{ "0 t alone\t[nfsd]\n0 t alone\t[nfsd]\n",	"alone", "" },
		/* the module has a FUNC of its own */
		{ "0 t both\t[nfsd]\n",			"both", "both" },
		{ "0 t twin\t[nfsd]\n",			"twin*", "" },
	};
	struct bpf_object *obj = new_object();
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		kallsyms = cases[i].kallsyms;
		EXPECT_STR(found(obj->btf_modules[0].btf, "nfsd", cases[i].pattern),
			   cases[i].found, cases[i].kallsyms);
	}

	/* without kallsyms, only the module's own */
	kallsyms = hidden;
	forget();
	EXPECT_STR(found(obj->btf_modules[0].btf, "nfsd", "*"),
		   "both get@fs/nfsd/proc.c only@fs/nfsd/export.c only@fs/nfsd/xdr.c", "hidden");
	EXPECT_SAID("failed to open /proc/kallsyms: -EPERM; skipping functions", "hidden");
	forget();
	EXPECT_STR(found(obj->btf_vmlinux, NULL, "alone"), "alone", "vmlinux");
	EXPECT_STR(said, "", "vmlinux does not need kallsyms");
	kallsyms = NULL;
	free_object(obj);
}

static void test_pattern_section(void)
{
	static const struct {
		const char *section, *said;
	} cases[] = {
		/* found, so it requests a link from the kernel, which fails without a program */
		{ "fentry.multi/alone",		"prog 'multi': failed to attach" },
		{ "fentry.multi/alone-alt",	"prog 'multi': failed to attach" },
		{ "fexit.multi.s/alone/2",	"prog 'multi': failed to attach" },
		{ "fentry.multi/twin@*",	"prog 'multi': failed to attach" },
		{ "fentry.multi/twin@a/x.c",	"prog 'multi': failed to attach" },
		{ "fentry.multi/nfs:get@*",	"prog 'multi': failed to attach" },
		/* all of it, so no function matches */
		{ "fentry.multi/twin@*,x.c",	NULL },
		{ "fentry.multi/twin@a/x.c x",	NULL },
		{ "fentry.multi/alone@x.c",	NULL },
		{ "fentry.multi/nfs:get@*+,",	NULL },
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
		if (cases[i].said)
			EXPECT_SAID(cases[i].said, cases[i].section);
		else
			EXPECT_STR(said, "", cases[i].section);
		free_object(obj);
	}
}

#endif

const struct test attach_tests[] = {
	{ "attach: MODULE: only matches a whole module name", test_module_name },
	{ "kprobe: NAME@FILE in a section name ends at a '+', other names end as before",
	  test_kprobe_section },
	{ "attach: functions that share the name are listed if none is found", test_list },
	{ "kprobe: NAME@FILE becomes an offset from a symbol that the kernel finds",
	  test_kprobe_symbol },
#if LIBBPF_MAJOR_VERSION > 1 || LIBBPF_MINOR_VERSION >= 8
	{ "multi: a pattern matches NAME@FILE like other names", test_pattern },
	{ "multi: a pattern for a module matches functions that only the base describes",
	  test_pattern_merged },
	{ "multi: NAME@FILE in a section name is used unchanged, other names end as before",
	  test_pattern_section },
#endif
	{}
};
