// SPDX-License-Identifier: GPL-2.0-only
/*
 * test OBJECT BTF: unit tests of the patched libbpf, on the host.  OBJECT is a
 * BPF object, BTF has addresses of a real image's functions.  Prints a line for
 * each test: "pass" or "fail", a tab and the test's title.
 */
#include <stdarg.h>
#include "test.h"

const char *object_path, *image_btf_path;
char said[1 << 16];

static size_t said_len;
static bool failed;

void fail(const char *file, int line, const char *format, ...)
{
	const char *name = strrchr(file, '/');
	va_list args;

	failed = true;
	fprintf(stderr, "%s:%d: ", name ? name + 1 : file, line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

void forget(void)
{
	said_len = 0;
	said[0] = '\0';
}

static int listen(enum libbpf_print_level level, const char *format, va_list args)
{
	int n;

	if (level == LIBBPF_DEBUG)
		return 0;
	n = vsnprintf(said + said_len, sizeof(said) - said_len, format, args);
	if (n > 0 && said_len + n < sizeof(said))
		said_len += n;
	return n;
}

struct btf *new_btf(struct btf *base)
{
	struct btf *btf = base ? btf__new_empty_split(base) : btf__new_empty();

	if (!btf) {
		perror("btf__new_empty");
		exit(1);
	}
	if (base)
		return btf;
	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);		/* [1] */
	btf__add_func_proto(btf, 1);				/* [2] */
	btf__add_func_param(btf, "a", 1);
	btf__add_func_proto(btf, 0);				/* [3] */
	return btf;
}

int add_func(struct btf *btf, const char *name, int proto, __u64 offset)
{
	struct {
		struct btf_type type;
		struct btf_func addr;
	} func = {
		.type = { .info = 1U << 31 | BTF_KIND_FUNC << 24, .type = proto },
		.addr = { offset, offset >> 32 | (__u32)BTF_FUNC_GUARD << 24 },
	};

	if (offset == NO_ADDR)
		return btf__add_func(btf, name, BTF_FUNC_STATIC, proto);
	func.type.name_off = btf__add_str(btf, name);
	return btf__add_type(btf, btf, &func.type);
}

const char *funcs_of(const struct btf *btf)
{
	static char text[4096];
	const struct btf *base = btf__base_btf(btf);
	__u32 id = base ? btf__type_cnt(base) : 1;
	size_t len = 0;

	text[0] = '\0';
	for (; id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		if (!btf_is_func(t))
			continue;
		len += snprintf(text + len, sizeof(text) - len, "%s%s:%u", len ? " " : "",
				btf__name_by_offset(btf, t->name_off), t->type);
		if (btf_kflag(t))
			len += snprintf(text + len, sizeof(text) - len, "+%llx",
					(unsigned long long)btf_func_offset(btf_func(t)));
	}
	return text;
}

static bool run(const struct test *tests)
{
	bool all = true;

	for (; tests->title; tests++) {
		failed = false;
		forget();
		tests->run();
		printf("%s\t%s\n", failed ? "fail" : "pass", tests->title);
		fflush(stdout);
		all &= !failed;
	}
	return all;
}

int main(int argc, char **argv)
{
	bool all = true;

	if (argc != 3) {
		fprintf(stderr, "usage: test OBJECT BTF\n");
		return 2;
	}
	object_path = argv[1];
	image_btf_path = argv[2];
	libbpf_set_print(listen);

	all &= run(record_tests);
	all &= run(copy_tests);
	all &= run(sorted_tests);
	all &= run(attach_tests);
	all &= run(refuse_tests);
	return all ? 0 : 1;
}
