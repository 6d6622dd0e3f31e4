// SPDX-License-Identifier: GPL-2.0-only
/* NAME@FILE on a kernel without addresses, or in a light skeleton. */
#include <unistd.h>
#include <bpf.h>
#include "test.h"

/* A light skeleton has the kernel find the name when it runs, whatever is in it. */
static void test_light_skeleton(void)
{
	static const char *const names[] = {
		"by_file", "by_long_file", "by_name", "probe", "probe_by_name",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		LIBBPF_OPTS(gen_loader_opts, opts);
		struct bpf_object *obj = bpf_object__open(object_path);
		struct bpf_program *prog;

		bpf_object__for_each_program(prog, obj)
			bpf_program__set_autoload(prog, !strcmp(bpf_program__name(prog), names[i]));
		EXPECT_INT(bpf_object__gen_loader(obj, &opts), 0, names[i]);
		/* the generated program has room for 127 bytes of a name */
		EXPECT_INT(bpf_object__load(obj), strcmp(names[i], "by_long_file") ? 0 : -ENOSPC,
			   names[i]);
		if (!strcmp(names[i], "by_file"))
			CHECK(memmem(opts.data, opts.data_sz, "foo@a/b.c", sizeof("foo@a/b.c")),
			      "the name is not what the loader has");
		bpf_object__close(obj);
	}
}

/* As before, opts.offset can be an address, without a name. */
static void test_kprobe_without_name(void)
{
	LIBBPF_OPTS(bpf_kprobe_opts, opts, .offset = 1);
	struct bpf_object *obj = bpf_object__open(object_path);
	struct bpf_program *prog = bpf_object__find_program_by_name(obj, "unnamed");
	static const enum probe_attach_mode modes[] = {
		PROBE_ATTACH_MODE_DEFAULT, PROBE_ATTACH_MODE_LEGACY,
	};
	size_t i;

	for (i = 0; i < 2; i++) {
		opts.attach_mode = modes[i];
		forget();
		errno = 0;
		CHECK(!bpf_program__attach_kprobe_opts(prog, NULL, &opts) && errno,
		      "attached at address 1");
		/* libbpf 1.8 prints nothing if only a legacy probe is possible */
		if (errno != EOPNOTSUPP)
			EXPECT_SAID("prog 'unnamed': failed to", "mode");
	}
	bpf_object__close(obj);
}

/* The host's kernel has no table of addresses. */
static void test_kprobe_by_file(void)
{
	struct bpf_object *obj = bpf_object__open(object_path);
	struct bpf_program *prog = bpf_object__find_program_by_name(obj, "probe");

	EXPECT_INT(access("/sys/kernel/btf_addr/vmlinux", F_OK), -1, "precondition");
	errno = 0;
	CHECK(!bpf_program__attach_kprobe(prog, false, "foo@a/b.c"), "attached");
	EXPECT_INT(errno, ENOENT, "attach_kprobe()");
	EXPECT_SAID("failed to read '/sys/kernel/btf_addr/vmlinux'", "attach_kprobe()");
	EXPECT_SAID("prog 'probe': failed to find address of 'foo@a/b.c'", "name");
	bpf_object__close(obj);
}

const struct test refuse_tests[] = {
	{ "refuse: a light skeleton contains the name, to look it up at run time",
	  test_light_skeleton },
	{ "kprobe: a kprobe at an address needs no name", test_kprobe_without_name },
	{ "kprobe: NAME@FILE needs a kernel that shows addresses", test_kprobe_by_file },
	{}
};
