// SPDX-License-Identifier: GPL-2.0-only
/* Where addresses cannot be, and what is left alone. */
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>
#include <bpf.h>
#include "test.h"

struct section {
	const char *name;
	__u32 type;
	const void *data;
	size_t size;
};

/* An ELF file with these sections and nothing else. */
static void write_elf(const char *path, const struct section *sections, int cnt)
{
	static char names[256];
	size_t names_len = 1;
	int fd, i;
	Elf *elf;

	elf_version(EV_CURRENT);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	gelf_newehdr(elf, ELFCLASS64);
	elf64_getehdr(elf)->e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
					       ELFDATA2LSB : ELFDATA2MSB;
	elf64_getehdr(elf)->e_type = ET_REL;
	elf64_getehdr(elf)->e_machine = EM_X86_64;
	for (i = 0; i <= cnt; i++) {
		Elf_Scn *scn = elf_newscn(elf);
		Elf_Data *data = elf_newdata(scn);
		Elf64_Shdr *sh = elf64_getshdr(scn);
		const char *name = i < cnt ? sections[i].name : ".shstrtab";

		sh->sh_name = names_len;
		strcpy(names + names_len, name);
		names_len += strlen(name) + 1;
		sh->sh_type = i < cnt ? sections[i].type : SHT_STRTAB;
		sh->sh_addralign = 4;
		data->d_align = 4;
		data->d_version = EV_CURRENT;
		/* notes are bytes in native order already */
		data->d_type = ELF_T_BYTE;
		data->d_buf = i < cnt ? (void *)sections[i].data : names;
		data->d_size = i < cnt ? sections[i].size : names_len;
		if (i == cnt)
			elf64_getehdr(elf)->e_shstrndx = elf_ndxscn(scn);
	}
	if (elf_update(elf, ELF_C_WRITE) < 0) {
		fprintf(stderr, "%s: %s\n", path, elf_errmsg(-1));
		exit(1);
	}
	elf_end(elf);
	close(fd);
}

/* object_path with another .BTF, in which a FUNC has an address */
static void write_addressed_object(const char *path)
{
	struct btf *btf = new_btf(NULL);
	const void *data;
	Elf_Scn *scn = NULL;
	char command[512];
	size_t shstrndx;
	__u32 size;
	Elf *elf;
	int fd;

	add_func(btf, "foo", PROTO_VOID, 0x40, 0);
	data = btf__raw_data(btf, &size);

	snprintf(command, sizeof(command), "cp '%s' '%s'", object_path, path);
	if (system(command))
		exit(1);
	elf_version(EV_CURRENT);
	fd = open(path, O_RDWR);
	elf = elf_begin(fd, ELF_C_RDWR, NULL);
	elf_getshdrstrndx(elf, &shstrndx);
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;

		gelf_getshdr(scn, &sh);
		if (strcmp(elf_strptr(elf, shstrndx, sh.sh_name), ".BTF") != 0)
			continue;
		elf_getdata(scn, NULL)->d_buf = (void *)data;
		elf_getdata(scn, NULL)->d_size = size;
		elf_flagdata(elf_getdata(scn, NULL), ELF_C_SET, ELF_F_DIRTY);
	}
	if (elf_update(elf, ELF_C_WRITE) < 0) {
		fprintf(stderr, "%s: %s\n", path, elf_errmsg(-1));
		exit(1);
	}
	elf_end(elf);
	close(fd);
	btf__free(btf);
}

static void test_object(void)
{
	struct bpf_object *obj;

	obj = bpf_object__open(object_path);
	CHECK(obj, "precondition: the object as it was: %s", said);
	bpf_object__close(obj);

	write_addressed_object("addressed.o");
	forget();
	errno = 0;
	obj = bpf_object__open("addressed.o");
	CHECK(!obj, "an object with addresses was opened");
	EXPECT_INT(errno, EINVAL, "bpf_object__open()");
	EXPECT_SAID(".BTF of object 'addressed' has functions with addresses", "message");
	bpf_object__close(obj);
}

static void test_linker(void)
{
	struct bpf_linker *linker;

	linker = bpf_linker__new("linked.o", NULL);
	EXPECT_INT(bpf_linker__add_file(linker, object_path, NULL), 0, "as it was");
	EXPECT_INT(bpf_linker__finalize(linker), 0, "as it was");
	bpf_linker__free(linker);

	write_addressed_object("addressed.o");
	forget();
	linker = bpf_linker__new("linked.o", NULL);
	EXPECT_INT(bpf_linker__add_file(linker, "addressed.o", NULL), -EINVAL, "with addresses");
	EXPECT_SAID(".BTF of addressed.o has functions with addresses", "message");
	bpf_linker__free(linker);
}

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
		EXPECT_INT(bpf_object__load(obj), 0, names[i]);
		if (!strcmp(names[i], "by_file"))
			CHECK(memmem(opts.data, opts.data_sz, "foo@a/b.c", sizeof("foo@a/b.c")),
			      "the name is not what the loader has");
		bpf_object__close(obj);
	}
}

/* As ever, opts.offset may be an address: then there is no name. */
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
		/* libbpf 1.8 says nothing if only a legacy probe could be */
		if (errno != EOPNOTSUPP)
			EXPECT_SAID("prog 'unnamed': failed to", "mode");
	}
	bpf_object__close(obj);
}

static void test_base_section(void)
{
	struct btf *base = new_btf(NULL), *split, *got;
	const void *base_data, *data;
	__u32 base_size, size;
	int addressed;

	for (addressed = 0; addressed < 2; addressed++) {
		struct section sections[2] = {};

		if (addressed)
			add_func(base, "foo", PROTO_INT, 0x40, 0);
		split = new_btf(base);
		add_func(split, "bar", PROTO_INT, 0x50, 0);
		base_data = btf__raw_data(base, &base_size);
		data = btf__raw_data(split, &size);
		sections[0] = (struct section){ ".BTF", SHT_PROGBITS, data, size };
		sections[1] = (struct section){ ".BTF.base", SHT_PROGBITS, base_data, base_size };
		write_elf("module.ko", sections, 2);
		forget();
		got = btf__parse("module.ko", NULL);
		EXPECT_INT(got ? 0 : -errno, addressed ? -EINVAL : 0, ".BTF.base");
		if (addressed)
			EXPECT_SAID(".BTF.base of module.ko has functions with addresses", "message");
		btf__free(got);
		btf__free(split);
	}
	btf__free(base);
}

/* On the host, there is no BTF with addresses. The name must not be cut at the '@'. */
static void test_kprobe_by_file(void)
{
	struct bpf_object *obj = bpf_object__open(object_path);
	struct bpf_program *prog = bpf_object__find_program_by_name(obj, "probe");

	EXPECT_INT(access("/sys/kernel/btf_addr/vmlinux", F_OK), -1, "precondition");
	errno = 0;
	CHECK(!bpf_program__attach_kprobe(prog, false, "foo@a/b.c"), "attached");
	EXPECT_INT(errno, ENOENT, "attach_kprobe()");
	EXPECT_SAID("failed to read '/sys/kernel/btf_addr/vmlinux'", "attach_kprobe()");
	EXPECT_SAID("prog 'probe': failed to find where to attach kprobe 'foo@a/b.c'", "name");
	bpf_object__close(obj);
}

const struct test refuse_tests[] = {
	{ "refuse: a BPF object has no addresses", test_object },
	{ "refuse: the linker takes no addresses", test_linker },
	{ "refuse: .BTF.base has no addresses", test_base_section },
	{ "refuse: a light skeleton keeps the name for when it runs", test_light_skeleton },
	{ "kprobe: one at an address has no name", test_kprobe_without_name },
	{ "kprobe: one of NAME@FILE needs BTF with addresses", test_kprobe_by_file },
	{}
};
