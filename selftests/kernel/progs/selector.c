// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks up functions by name with the patched libbpf.
 *
 * selector [OPTION...] SECTION [FILE...]: loads and attaches the program of
 * selector.bpf.o with this section name, reads each FILE, and prints the files that led
 * to calls of the program.  If it cannot be loaded or attached, prints an error such as
 * "load: ESRCH"; libbpf's messages go to stderr.  A program in section "syscall" is run
 * instead, and its return value is printed.  For section "struct_ops/NAME", the map NAME
 * is attached.
 *	-b BPFFS	bpf_token_path
 *	-t NAME		bpf_program__set_attach_target(), or bpf_program__attach_kprobe()
 *	-l		attach a kprobe by tracefs
 *	-o OBJECT	instead of selector.bpf.o
 *	-u		as user nobody with CAP_BPF and CAP_PERFMON, and no other privilege
 *	-v		print all of libbpf's messages, not only warnings
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/capability.h>

static const char *bpffs, *target;
static bool legacy, verbose;

static int print(enum libbpf_print_level level, const char *format, va_list args)
{
	return level <= (verbose ? LIBBPF_INFO : LIBBPF_WARN) ? vfprintf(stderr, format, args) : 0;
}

static void die(const char *what)
{
	fprintf(stderr, "selector: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void become_user(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = {};
	const int keep[] = { CAP_BPF, CAP_PERFMON };

	for (size_t i = 0; i < 2; i++) {
		caps[CAP_TO_INDEX(keep[i])].permitted |= CAP_TO_MASK(keep[i]);
		caps[CAP_TO_INDEX(keep[i])].effective |= CAP_TO_MASK(keep[i]);
	}
	if (prctl(PR_SET_KEEPCAPS, 1) || setresgid(65534, 65534, 65534) ||
	    setresuid(65534, 65534, 65534) || syscall(SYS_capset, &header, caps))
		die("changing the user");
}

static int refused(const char *what, int err)
{
	printf("%s: %s\n", what, strerrorname_np(-err));
	return 1;
}

static int run(const struct bpf_program *program)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	if (bpf_prog_test_run_opts(bpf_program__fd(program), &opts))
		return refused("run", -errno);
	printf("returned %d\n", (int)opts.retval);
	return 0;
}

/* The struct_ops map of a program; NULL if it has none. */
static struct bpf_map *ops(const struct bpf_object *object, const struct bpf_program *program)
{
	const char *section = bpf_program__section_name(program);

	if (bpf_program__type(program) != BPF_PROG_TYPE_STRUCT_OPS)
		return NULL;
	return bpf_object__find_map_by_name(object, strchr(section, '/') + 1);
}

static struct bpf_link *attach(const struct bpf_object *object, const struct bpf_program *program)
{
	LIBBPF_OPTS(bpf_kprobe_opts, opts);
	const char *section = bpf_program__section_name(program);
	const struct bpf_map *map = ops(object, program);

	if (map)
		return bpf_map__attach_struct_ops(map);
	if (target && bpf_program__type(program) == BPF_PROG_TYPE_KPROBE)
		return bpf_program__attach_kprobe(program, false, target);
	if (!legacy)
		return bpf_program__attach(program);
#ifndef UNMODIFIED_LIBBPF
	opts.attach_mode = PROBE_ATTACH_MODE_LEGACY;
#endif
	opts.retprobe = !strncmp(section, "kretprobe/", strlen("kretprobe/"));
	return bpf_program__attach_kprobe_opts(program, strchr(section, '/') + 1, &opts);
}

static void read_all(const char *path)
{
	char buf[4096];
	ssize_t len;
	int fd;

	fd = open(path, O_RDONLY);
	if (fd < 0)
		die(path);
	while ((len = read(fd, buf, sizeof(buf))) > 0)
		;
	if (len < 0)
		die(path);
	close(fd);
}

/* Only load the selected program. */
static struct bpf_program *choose(struct bpf_object *object, const char *section)
{
	struct bpf_program *program, *chosen = NULL;
	struct bpf_map *map;

	bpf_object__for_each_program(program, object) {
		bool this = !strcmp(bpf_program__section_name(program), section);

		bpf_program__set_autoload(program, this);
		if (this)
			chosen = program;
	}
	if (!chosen) {
		fprintf(stderr, "selector: no program in section %s\n", section);
		exit(2);
	}
	/* libbpf loads the programs of all struct_ops maps that will be created. */
	bpf_object__for_each_map(map, object)
		if (bpf_map__type(map) == BPF_MAP_TYPE_STRUCT_OPS)
			bpf_map__set_autocreate(map, map == ops(object, chosen));
	return chosen;
}

static int count(const char *object_path, const char *section, char **paths)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	struct bpf_program *program;
	struct bpf_object *object;
	struct bpf_link *link;
	struct bpf_map *bss;
	const char *gap = "";
	long *calls;
	int err;

#ifndef UNMODIFIED_LIBBPF
	opts.bpf_token_path = bpffs;
#endif
	object = bpf_object__open_file(object_path, &opts);
	if (!object)
		die(object_path);
	program = choose(object, section);
	err = target && bpf_program__type(program) != BPF_PROG_TYPE_KPROBE ?
	      bpf_program__set_attach_target(program, 0, target) : 0;
	if (err)
		return refused("target", err);
	err = bpf_object__load(object);
	if (err)
		return refused("load", err);
	if (bpf_program__type(program) == BPF_PROG_TYPE_SYSCALL)
		return run(program);
	link = attach(object, program);
	if (!link)
		return refused("attach", -errno);

	bss = bpf_object__find_map_by_name(object, ".bss");
	calls = mmap(NULL, sizeof(*calls), PROT_READ | PROT_WRITE, MAP_SHARED,
		     bpf_map__fd(bss), 0);
	if (calls == MAP_FAILED)
		die("variables");
	for (; *paths; paths++) {
		*calls = 0;
		read_all(*paths);
		if (!*calls)
			continue;
		printf("%s%s", gap, *paths);
		gap = " ";
	}
	putchar('\n');
	bpf_link__destroy(link);
	bpf_object__close(object);
	return 0;
}

int main(int argc, char **argv)
{
	const char *object = "/test/selector.bpf.o";
	bool user = false;
	int option;

	while ((option = getopt(argc, argv, "+b:t:o:luv")) != -1) {
		switch (option) {
		case 'b': bpffs = optarg; break;
		case 't': target = optarg; break;
		case 'o': object = optarg; break;
		case 'l': legacy = true; break;
		case 'u': user = true; break;
		case 'v': verbose = true; break;
		default: return 2;
		}
	}
	if (optind == argc) {
		fputs("Usage: selector [OPTION...] SECTION [FILE...]\n", stderr);
		return 2;
	}
	libbpf_set_print(print);
	if (user)
		become_user();
	return count(object, argv[optind], argv + optind + 1);
}
