// SPDX-License-Identifier: GPL-2.0-only
/*
 * helper [-f FILE] PROGRAM [COMMAND...]: loads and attaches that program of
 * helper.bpf.o with Debian's libbpf and libbpf-patch/helper, runs each shell
 * command and prints
 *
 *	CALLS COMMAND
 *
 * with how often the program was called meanwhile.  If it cannot be loaded or
 * attached, that is printed as "load: ESRCH"; the reason goes to stderr.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include "../../../libbpf-patch/helper/btf_func_sel.c"

static int print(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

int main(int argc, char **argv)
{
	struct btf_func_sel_opts opts = { .sz = sizeof(opts) };
	struct bpf_program *program, *chosen = NULL;
	struct bpf_object *object;
	struct bpf_link *link;
	struct bpf_map *bss;
	long *calls;
	int err;

	if (argc > 2 && !strcmp(argv[1], "-f")) {
		opts.btf_path = argv[2];
		argv += 2;
		argc -= 2;
	}
	if (argc < 2) {
		fputs("Usage: helper [-f FILE] PROGRAM [COMMAND...]\n", stderr);
		return 2;
	}
	libbpf_set_print(print);
	err = btf_func_sel__register(&opts);
	object = err ? NULL : bpf_object__open("/test/helper.bpf.o");
	if (!object) {
		fprintf(stderr, "helper: %s\n", strerror(err ? -err : errno));
		return 2;
	}
	bpf_object__for_each_program(program, object) {
		if (!strcmp(bpf_program__name(program), argv[1]))
			chosen = program;
		else
			bpf_program__set_autoload(program, false);
	}
	if (!chosen) {
		fprintf(stderr, "helper: no program %s\n", argv[1]);
		return 2;
	}
	err = bpf_object__load(object);
	if (err) {
		printf("load: %s\n", strerrorname_np(-err));
		return 1;
	}
	link = bpf_program__attach(chosen);
	if (!link) {
		printf("attach: %s\n", strerrorname_np(errno));
		return 1;
	}
	btf_func_sel__release();
	bss = bpf_object__find_map_by_name(object, "helper.bss");
	calls = mmap(NULL, sizeof(*calls), PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(bss), 0);
	if (calls == MAP_FAILED) {
		fprintf(stderr, "helper: variables: %s\n", strerror(errno));
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		*calls = 0;
		if (system(argv[i]))
			fprintf(stderr, "helper: %s failed\n", argv[i]);
		printf("%ld %s\n", *calls, argv[i]);
		fflush(stdout);
	}
	bpf_link__destroy(link);
	bpf_object__close(object);
	return 0;
}
