// SPDX-License-Identifier: GPL-2.0-only
/*
 * helper-test [-f FILE] OBJECT: what the helper makes of each section of a BPF
 * object, without a kernel.
 *
 * The helper is included, so that it reads root/sys and root/proc in the
 * current folder, and the few calls that need a kernel can be replaced.  The object is
 * opened by libbpf itself, which must have found the helper's handlers.
 *
 *	SECTION<tab>id 218, fd of m1, sleepable		fentry and its kind
 *	SECTION<tab>kretprobe _text+0x1f0		kprobe and kretprobe
 *	SECTION<tab>EADDRNOTAVAIL
 *
 * Messages go to stderr.  TARGET_ID=N in the environment: as if
 * bpf_program__set_attach_target() had been called.
 */
#define BTF_FUNC_SEL_ROOT		"root"
#define bpf_program__attach_kprobe_opts	fake_attach_kprobe
#define bpf_btf_get_next_id		fake_btf_get_next_id
#define bpf_btf_get_fd_by_id		fake_btf_get_fd_by_id
#define bpf_obj_get_info_by_fd		fake_obj_get_info_by_fd
#include <fcntl.h>
#include "../../libbpf-patch/helper/btf_func_sel.c"

#undef bpf_program__attach_kprobe_opts
#undef bpf_btf_get_next_id
#undef bpf_btf_get_fd_by_id
#undef bpf_obj_get_info_by_fd

/* BTF objects of the kernel we play: a program's, vmlinux, m1, m2 */
static const char * const kernel_objects[] = { "", "m1", "vmlinux", "m1", "m2" };
static int object_of_fd[1024];

static char probed[256];

struct bpf_link *fake_attach_kprobe(const struct bpf_program *prog, const char *func_name,
				    const struct bpf_kprobe_opts *opts)
{
	(void)prog;
	snprintf(probed, sizeof(probed), "%s %s+0x%zx", opts->retprobe ? "kretprobe" : "kprobe",
		 func_name ?: "NULL", opts->offset);
	return (struct bpf_link *)probed;
}

int fake_btf_get_next_id(__u32 start_id, __u32 *next_id)
{
	*next_id = start_id + 1;
	errno = ENOENT;
	return *next_id <= 5 ? 0 : -ENOENT;
}

int fake_btf_get_fd_by_id(__u32 id)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fd >= 1024)
		abort();
	object_of_fd[fd] = id - 1;
	return fd;
}

/* The first m1 is not the kernel's, but of a program that calls it so. */
int fake_obj_get_info_by_fd(int fd, void *data, __u32 *len)
{
	struct bpf_btf_info *info = data;

	if (*len < sizeof(*info))
		abort();
	info->kernel_btf = object_of_fd[fd] > 1;
	snprintf((char *)(uintptr_t)info->name, info->name_len, "%s",
		 kernel_objects[object_of_fd[fd]]);
	return 0;
}

static int print(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

static void show_tracing(struct bpf_program *prog, const struct handler *h)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts);
	const char *given = getenv("TARGET_ID");
	int err;

	if (bpf_program__type(prog) != h->type ||
	    bpf_program__expected_attach_type(prog) != h->attach_type) {
		puts("libbpf did not take our handler");
		return;
	}
	opts.attach_btf_id = given ? atoi(given) : 0;
	err = prepare_tracing(prog, &opts, h->flags);
	if (err) {
		puts(strerrorname_np(-err));
		return;
	}
	printf("id %u", opts.attach_btf_id);
	if (opts.attach_btf_obj_fd)
		printf(", fd of %s", kernel_objects[object_of_fd[opts.attach_btf_obj_fd]]);
	puts(opts.prog_flags == BPF_F_SLEEPABLE ? ", sleepable" : opts.prog_flags ? "?" : "");
}

/* libbpf calls the handler; newer ones only for a program that the kernel has. */
static int attach(struct bpf_program *prog, const struct handler *h)
{
	struct bpf_link *link = NULL;

	if (LIBBPF_MAJOR_VERSION == 1 && LIBBPF_MINOR_VERSION == 1)
		return bpf_program__attach(prog) ? 0 : -errno;
	/* a handler that attaches nothing is no error, but for the caller it is */
	return attach_kprobe(prog, h->flags, &link) ?: link ? 0 : -EOPNOTSUPP;
}

static void show(struct bpf_program *prog)
{
	const char *section = bpf_program__section_name(prog);
	size_t prefix = strcspn(section, "/");
	int err;

	printf("%s\t", section);
	for (int i = 0; i < NR_HANDLERS; i++) {
		const struct handler *h = &handlers[i];

		if (strlen(h->section) - 1 != prefix || strncmp(h->section, section, prefix))
			continue;
		if (h->type == BPF_PROG_TYPE_TRACING) {
			show_tracing(prog, h);
			return;
		}
		err = attach(prog, h);
		puts(err ? strerrorname_np(-err) : probed);
		return;
	}
	puts("no handler");
}

int main(int argc, char **argv)
{
	struct btf_func_sel_opts opts = { .sz = sizeof(opts) };
	struct bpf_program *prog;
	struct bpf_object *obj;
	int err;

	if (argc > 2 && !strcmp(argv[1], "-f")) {
		opts.btf_path = argv[2];
		argv += 2;
		argc -= 2;
	}
	if (argc != 2) {
		fputs("Usage: helper-test [-f FILE] OBJECT\n", stderr);
		return 2;
	}
	libbpf_set_print(print);
	/* once is enough; twice is no harm, and the last options count */
	err = btf_func_sel__register(NULL) ?: btf_func_sel__register(&opts);
	if (err) {
		fprintf(stderr, "registering: %d\n", err);
		return 1;
	}
	obj = bpf_object__open(argv[1]);
	if (!obj)
		return 1;
	bpf_object__for_each_program(prog, obj)
		show(prog);
	bpf_object__close(obj);
	btf_func_sel__release();
	return 0;
}
