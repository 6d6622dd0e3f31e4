// SPDX-License-Identifier: GPL-2.0-only
/*
 * old [module|names]: an unmodified user of the libbpf that Debian ships.  Loads
 * old.bpf.o, attaches to a function of vmlinux, or of the module "target", by name,
 * runs an iterator over tasks, and checks that ids are the same in /sys/kernel/btf and in
 * the BTF of a file descriptor.  With "names", tries NAME@FILE in section names instead.
 * Prints KTAP.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

/* variables of old.bpf.c, laid out as its sections */
struct bss {
	int caller;
	int calls;
	char name[64];
	int module_calls;
	int module_value;
	int file_calls;
};

static int results, failures;

static void result(bool good, const char *what, const char *fmt, ...)
{
	va_list args;

	printf("%sok %d - %s\n", good ? "" : "not ", ++results, what);
	if (good)
		return;
	failures++;
	printf("# ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
}

static struct bpf_object *load(const char *only, struct bss **bss)
{
	struct bpf_object *object = bpf_object__open("/test/old.bpf.o");
	struct bpf_program *program;
	struct bpf_map *map;
	int err;

	if (!object)
		return NULL;
	bpf_object__for_each_program(program, object)
		if (strcmp(bpf_program__name(program), only))
			bpf_program__set_autoload(program, false);
	err = bpf_object__load(object);
	if (err) {
		bpf_object__close(object);
		errno = -err;
		return NULL;
	}
	map = bpf_object__find_map_by_name(object, "old.bss");
	*bss = mmap(NULL, sizeof(**bss), PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
	if (bpf_map__value_size(map) != sizeof(**bss) || *bss == MAP_FAILED) {
		fprintf(stderr, "old: no variables: %s\n", strerror(errno));
		exit(1);
	}
	return object;
}

/* The target's id as the kernel has it must name the function in the file, too. */
static void compare_ids(struct bpf_object *object, const char *prog_name, const char *func,
			const struct btf *btf)
{
	struct bpf_program *program = bpf_object__find_program_by_name(object, prog_name);
	struct bpf_prog_info info = {};
	__u32 len = sizeof(info);
	const struct btf_type *type;
	const char *name;

	if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &len)) {
		result(false, "ids fit", "no info: %s", strerror(errno));
		return;
	}
	type = btf__type_by_id(btf, info.attach_btf_id);
	name = type ? btf__name_by_offset(btf, type->name_off) : "nothing";
	result(type && btf_is_func(type) && !strcmp(name, func), "the target's id names it in the file",
	       "id %u is %s", info.attach_btf_id, name);
}

static void same_by_descriptor(const struct btf *file, __u32 id, struct btf *base)
{
	struct btf *object = btf__load_from_kernel_by_id_split(id, base);
	const void *one, *other;
	__u32 one_size = 0, other_size = 1;

	one = btf__raw_data(file, &one_size);
	other = object ? btf__raw_data(object, &other_size) : NULL;
	result(other && one_size == other_size && !memcmp(one, other, one_size),
	       "a descriptor gives the same as the file", "%u and %u bytes", one_size, other_size);
	btf__free(object);
}

/* The id of the BTF object of that name. */
static __u32 object_id(const char *wanted)
{
	char name[64];
	__u32 id = 0;

	while (!bpf_btf_get_next_id(id, &id)) {
		struct bpf_btf_info info = { .name = (unsigned long)name, .name_len = sizeof(name) };
		__u32 len = sizeof(info);
		int fd = bpf_btf_get_fd_by_id(id);
		bool found = !bpf_obj_get_info_by_fd(fd, &info, &len) && !strcmp(name, wanted);

		close(fd);
		if (found)
			return id;
	}
	return 0;
}

static void attach_to_vmlinux(struct btf *vmlinux)
{
	struct bss *bss;
	struct bpf_object *object = load("looked_up", &bss);
	struct bpf_link *link;

	result(object, "a program with a target in vmlinux loads", "%s", strerror(errno));
	if (!object)
		return;
	link = bpf_program__attach(bpf_object__find_program_by_name(object, "looked_up"));
	result(link, "and is attached", "%s", strerror(errno));
	compare_ids(object, "looked_up", "filename_lookup", vmlinux);
	bss->caller = getpid();
	access("/tmp/no such file", F_OK);
	bss->caller = 0;
	result(bss->calls == 1 && !strcmp(bss->name, "/tmp/no such file"),
	       "it is called, and finds the argument by CO-RE", "%d calls, '%s'", bss->calls, bss->name);
	bpf_link__destroy(link);
	bpf_object__close(object);
}

static void iterate(void)
{
	struct bss *bss;
	struct bpf_object *object = load("tasks", &bss);
	struct bpf_link *link = NULL;
	char line[64], wanted[64];
	bool found = false;
	FILE *file;
	int fd = -1;

	if (object)
		link = bpf_program__attach(bpf_object__find_program_by_name(object, "tasks"));
	if (link)
		fd = bpf_iter_create(bpf_link__fd(link));
	result(fd >= 0, "an iterator is loaded and attached", "%s", strerror(errno));
	if (fd < 0)
		return;
	snprintf(wanted, sizeof(wanted), "%d old user\n", getpid());
	file = fdopen(fd, "r");
	while (fgets(line, sizeof(line), file))
		found = found || !strcmp(line, wanted);
	result(found, "it finds this process", "no line '%s'", wanted);
	fclose(file);
	bpf_link__destroy(link);
	bpf_object__close(object);
}

static void attach_to_module(struct btf *vmlinux)
{
	struct btf *module = btf__load_module_btf("target", vmlinux);
	struct bss *bss;
	struct bpf_object *object;
	struct bpf_link *link;
	int fd;

	result(module, "the module's BTF is read", "%s", strerror(errno));
	object = load("module_called", &bss);
	result(object, "a program with a target in the module loads", "%s", strerror(errno));
	if (!object || !module)
		return;
	link = bpf_program__attach(bpf_object__find_program_by_name(object, "module_called"));
	result(link, "and is attached", "%s", strerror(errno));
	compare_ids(object, "module_called", "target_call", module);
	same_by_descriptor(module, object_id("target"), vmlinux);
	fd = open("/sys/module/target/parameters/call", O_WRONLY);
	if (fd < 0 || write(fd, "42", 2) != 2)
		printf("# write: %s\n", strerror(errno));
	close(fd);
	result(bss->module_calls == 1 && bss->module_value == 42, "it is called, with the argument",
	       "%d calls, %d", bss->module_calls, bss->module_value);
	bpf_link__destroy(link);
	bpf_object__close(object);
	btf__free(module);
}

static struct bpf_link *attach(struct bpf_object *object, const char *name)
{
	return bpf_program__attach(bpf_object__find_program_by_name(object, name));
}

/* Names that no FUNC has: see docs/libbpf.md. */
static void with_names(void)
{
	struct bss *bss;
	struct bpf_object *object = load("fentry_file", &bss);
	struct bpf_link *link;

	result(!object && errno == ESRCH, "fentry/NAME@FILE is not found when it is loaded", "%s",
	       object ? "it is loaded" : strerror(errno));

	object = load("kprobe_file", &bss);
	link = object ? attach(object, "kprobe_file") : NULL;
	result(link, "kprobe/NAME@FILE is attached, whatever FILE is", "%s", strerror(errno));
	if (link) {
		bss->caller = getpid();
		access("/tmp/no such file", F_OK);
		bss->caller = 0;
	}
	result(link && bss->file_calls == 1, "to NAME", "%d calls", link ? bss->file_calls : -1);
	bpf_link__destroy(link);
	bpf_object__close(object);

	object = load("kprobe_ambiguous", &bss);
	result(object, "if there are several NAME, it is loaded", "%s", strerror(errno));
	link = object ? attach(object, "kprobe_ambiguous") : NULL;
	result(object && !link && errno == EADDRNOTAVAIL, "but not attached", "%s",
	       link ? "it is attached" : strerror(errno));
	bpf_link__destroy(link);
	bpf_object__close(object);
}

int main(int argc, char **argv)
{
	struct btf *vmlinux = btf__load_vmlinux_btf();
	bool of_module = argc > 1 && !strcmp(argv[1], "module");
	bool names = argc > 1 && !strcmp(argv[1], "names");

	libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
	prctl(PR_SET_NAME, "old user");
	printf("KTAP version 1\n1..%d\n", of_module ? 7 : names ? 6 : 8);
	result(vmlinux, "libbpf reads /sys/kernel/btf/vmlinux", "%s", strerror(errno));
	if (!vmlinux)
		return 1;
	if (of_module) {
		attach_to_module(vmlinux);
	} else if (names) {
		with_names();
	} else {
		same_by_descriptor(vmlinux, object_id("vmlinux"), NULL);
		attach_to_vmlinux(vmlinux);
		iterate();
	}
	btf__free(vmlinux);
	return failures ? 1 : 0;
}
