/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Expectations, libbpf's messages, and functions that build BTF, for the unit tests of the
 * patched libbpf.
 */
#ifndef ABTF_LIBBPF_TEST_H
#define ABTF_LIBBPF_TEST_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/err.h>
#include <linux/btf.h>
#include <btf.h>
#include <libbpf.h>
#include <libbpf_internal.h>

struct test {
	const char *title;
	void (*run)(void);
};

/* Each test file ends with the list of its tests, which a title of NULL ends. */
extern const struct test record_tests[], copy_tests[], sorted_tests[], attach_tests[],
			 refuse_tests[];

/* BPF objects and an addressed BTF of a real image, from the command line. */
extern const char *object_path, *image_btf_path;

void fail(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#define CHECK(cond, ...) \
	((cond) ? true : (fail(__FILE__, __LINE__, "" #cond ": " __VA_ARGS__), false))

#define EXPECT_INT(got, want, what) do {						\
	long long got_ = (got), want_ = (want);						\
	if (got_ != want_)								\
		fail(__FILE__, __LINE__, "%s: " #got " is %lld, expected %lld",		\
		     what, got_, want_);						\
} while (0)

#define EXPECT_STR(got, want, what) do {						\
	const char *got_ = (got), *want_ = (want);					\
	if (!got_ != !want_ || (got_ && strcmp(got_, want_)))				\
		fail(__FILE__, __LINE__, "%s: " #got " is '%s', expected '%s'",		\
		     what, got_ ?: "(null)", want_ ?: "(null)");			\
} while (0)

/* libbpf's warnings since the last forget(). */
extern char said[];
void forget(void);

#define EXPECT_SAID(want, what) do {							\
	if (!strstr(said, want))							\
		fail(__FILE__, __LINE__, "%s: no '%s' in what was said:\n%s",		\
		     what, want, said);							\
} while (0)

/* A BTF with [1] INT, [2] FUNC_PROTO int(int), [3] FUNC_PROTO void(void). */
#define PROTO_INT	2
#define PROTO_VOID	3
struct btf *new_btf(struct btf *base);

/* FUNC without an address if offset is NO_ADDR */
#define NO_ADDR		(~0ULL)
int add_func(struct btf *btf, const char *name, int proto, __u64 offset);

/* The BTF's own FUNCs, in words: "name:proto+offset ..." */
const char *funcs_of(const struct btf *btf);

#endif /* ABTF_LIBBPF_TEST_H */
