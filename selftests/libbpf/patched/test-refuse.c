// SPDX-License-Identifier: GPL-2.0-only
/* Where addresses cannot be, and which files of addresses are not believed. */
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

/* object_path with an addressed FUNC more in its .BTF */
static void write_addressed_object(const char *path)
{
	struct btf *btf = btf__parse(object_path, NULL);
	const void *data;
	Elf_Scn *scn = NULL;
	char command[512];
	size_t shstrndx;
	__u32 size;
	Elf *elf;
	int fd;

	if (!btf) {
		fprintf(stderr, "%s: %s\n", object_path, strerror(errno));
		exit(1);
	}
	btf__add_func_addr(btf, "foo", BTF_FUNC_STATIC, btf__add_func_proto(btf, 0), 0x40, 0);
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

static void test_light_skeleton(void)
{
	static const struct {
		const char *name; int err;
	} cases[] = {
		{ "select", -EOPNOTSUPP },	/* SEC("fentry/foo@a/b.c") */
		{ "by_name", 0 },		/* SEC("fentry/foo") */
		{ "probe", -EOPNOTSUPP },	/* SEC("kprobe/foo@a/b.c") */
		{ "probe_by_name", 0 },		/* SEC("kprobe/foo") */
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		LIBBPF_OPTS(gen_loader_opts, opts);
		struct bpf_object *obj = bpf_object__open(object_path);
		struct bpf_program *prog;

		bpf_object__for_each_program(prog, obj)
			bpf_program__set_autoload(prog, !strcmp(bpf_program__name(prog),
								cases[i].name));
		forget();
		EXPECT_INT(bpf_object__gen_loader(obj, &opts), 0, cases[i].name);
		EXPECT_INT(bpf_object__load(obj), cases[i].err, cases[i].name);
		if (cases[i].err)
			EXPECT_SAID("light skeletons can't select which function 'foo@a/b.c' is",
				    cases[i].name);
		bpf_object__close(obj);
	}
}

static void test_set_attach_target(void)
{
	LIBBPF_OPTS(gen_loader_opts, opts);
	struct bpf_object *obj = bpf_object__open(object_path);
	struct bpf_program *prog = bpf_object__find_program_by_name(obj, "unnamed");

	bpf_object__gen_loader(obj, &opts);
	EXPECT_INT(bpf_program__set_attach_target(prog, 0, "foo@a/b.c"), -EOPNOTSUPP,
		   "in a light skeleton");
	EXPECT_SAID("light skeletons find functions of the kernel by name", "message");
	/* There is no BTF of a kernel to find a name in either. */
	EXPECT_INT(bpf_program__set_attach_target(prog, 0, "foo"), -EOPNOTSUPP,
		   "a name alone, in a light skeleton");
	bpf_object__close(obj);
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
		CHECK(!bpf_program__attach_kprobe_opts(prog, NULL, &opts) && errno,
		      "attached at address 1");
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
			add_func(base, "foo", PROTO_INT, 0x40, 0, NULL);
		split = new_btf(base);
		add_func(split, "bar", PROTO_INT, 0x50, 0, NULL);
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

#define GNU	0x00554e47	/* "GNU", in words as the rest, little endian */

static void test_notes(void)
{
	static const struct {
		const char *what; __u32 words[12]; size_t size;	bool found; __u32 id; size_t id_len;
	} cases[] = {
		{ "a build ID", { 4, 8, 3, GNU, 0x11, 0x22 }, 24,	true, 0x11, 8 },
		{ "behind another note", { 4, 4, 1, GNU, 9, 4, 4, 3, GNU, 0x33 }, 40, true, 0x33, 4 },
		{ "behind one of odd size", { 4, 3, 1, GNU, 9, 4, 4, 3, GNU, 0x33 }, 40, true, 0x33, 4 },
		{ "nothing", { 0 }, 0,					false },
		{ "half a header", { 4, 4, 3 }, 8,			false },
		{ "no room for the name", { 4, 4, 3 }, 12,		false },
		{ "no room for the ID", { 4, 8, 3, GNU, 1 }, 20,	false },
		{ "name beyond all", { 0xffffffff, 4, 3, GNU, 1 }, 20,	false },
		{ "ID beyond all", { 4, 0xffffffff, 3, GNU, 1 }, 20,	false },
		{ "both beyond", { 0xfffffffd, 0xfffffffd, 3, GNU, 1 }, 20, false },
		{ "no ID in it", { 4, 0, 3, GNU }, 16,			false },
		{ "another owner", { 4, 4, 3, 0x41424344, 1 }, 20,	false },
		{ "another type", { 4, 4, 4, GNU, 1 }, 20,		false },
		{ "empty notes", { 0, 0, 0, 0, 0, 0, 0, 0, 0 }, 36,	false },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		/* of the exact size, so that reading beyond it is seen */
		void *data = malloc(cases[i].size ?: 1);
		struct build_id id = {};

		memcpy(data, cases[i].words, cases[i].size);
		EXPECT_INT(find_build_id(data, cases[i].size, &id), cases[i].found, cases[i].what);
		if (cases[i].found) {
			EXPECT_INT(id.len, cases[i].id_len, cases[i].what);
			EXPECT_INT(*(__u32 *)id.bytes, cases[i].id, cases[i].what);
		}
		free(data);
	}
}

static void test_file(void)
{
	static const __u32 note[] = { 4, 8, 3, GNU, 0x11, 0x22 };
	struct btf *plain = new_btf(NULL), *addressed = new_btf(NULL), *got;
	struct section sections[2] = {};
	const void *data;
	__u32 size;

	add_func(plain, "foo", PROTO_INT, NO_ADDR, 0, NULL);
	data = btf__raw_data(plain, &size);
	sections[0] = (struct section){ ".BTF", SHT_PROGBITS, data, size };
	write_elf("plain.elf", sections, 1);
	got = btf_load_file_addrs("plain.elf");
	CHECK(got == ERR_PTR(-ENODATA), "without addresses: %ld", PTR_ERR(got));
	EXPECT_STR(said, "", "without addresses");

	add_func(addressed, "foo", PROTO_INT, 0x40, 0, NULL);
	data = btf__raw_data(addressed, &size);
	sections[0] = (struct section){ ".BTF", SHT_PROGBITS, data, size };
	write_elf("noid.elf", sections, 1);
	got = btf_load_file_addrs("noid.elf");
	CHECK(got == ERR_PTR(-EINVAL), "without a build ID: %ld", PTR_ERR(got));
	EXPECT_SAID("'noid.elf' has no build ID", "without a build ID");

	sections[1] = (struct section){ ".note.gnu.build-id", SHT_NOTE, note, sizeof(note) };
	write_elf("other.elf", sections, 2);
	forget();
	got = btf_load_file_addrs("other.elf");
	if (access("/sys/kernel/notes", R_OK) == 0) {
		CHECK(got == ERR_PTR(-ESTALE), "of another kernel: %ld", PTR_ERR(got));
		EXPECT_SAID("its build ID is 1100000022000000, that of the running kernel is ",
			    "of another kernel");
	} else {
		CHECK(IS_ERR(got), "believed, though the kernel's build ID is not known");
		EXPECT_SAID("failed to read build ID of the running kernel", "of another kernel");
	}

	forget();
	got = btf_load_file_addrs("nothing.elf");
	CHECK(got == ERR_PTR(-ENOENT), "no such file: %ld", PTR_ERR(got));
	EXPECT_SAID("failed to parse BTF 'nothing.elf'", "no such file");
	btf__free(addressed);
	btf__free(plain);
}

const struct test refuse_tests[] = {
	{ "refuse: a BPF object has no addresses", test_object },
	{ "refuse: the linker takes no addresses", test_linker },
	{ "refuse: .BTF.base has no addresses", test_base_section },
	{ "refuse: a light skeleton takes a name, but no selector", test_light_skeleton },
	{ "refuse: nor as target that is set for it", test_set_attach_target },
	{ "kprobe: one at an address has no name", test_kprobe_without_name },
	{ "file: a build ID is found in notes, and no byte beyond them is read", test_notes },
	{ "file: addresses need the running kernel's build ID", test_file },
	{}
};
