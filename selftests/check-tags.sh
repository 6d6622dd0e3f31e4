#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make check-tags: encode btf_type_tag and btf_decl_tag of gcc 16 and clang 22, whose DWARF differs,
# with abtf-pahole and with pahole 1.32. All types, tags and functions have to be equal.
# Downloads 200 MB from Debian unstable.
set -eu -o pipefail
cd "$(dirname "$0")/.."
selftests/fetch-pahole.sh
selftests/fetch-compilers.sh gcc-16 clang-22
pahole=$PWD/build/pahole-sid/pahole compilers=$PWD/build/compilers
rm -rf build/tags
mkdir -p build/tags
cd build/tags
. ../../selftests/lib.sh

cat >a.c <<'C'
#define __t(x) __attribute__((btf_type_tag(x)))
#define __d(x) __attribute__((btf_decl_tag(x)))
#define __user __t("user")
#define __percpu __t("percpu")
#define __rcu __t("rcu")

struct list {
	struct list __rcu *next;
	struct list __rcu * __percpu *pp;
	void __user *buf;
	char __user * __user *argv;
	const char __user *string;
	unsigned int b1:3 __d("bits"), b2:5 __d("more") __d("bits");
	union { int i __d("in_union"); long l; };
	int __user *array[4];
	int (*fn)(void __user *p, int x __d("lost"));
} __d("list");
union both { int a __d("a") __d("b"); long b __d("a"); } __d("union");
struct __t("on_struct") tagged { int x; };
typedef char __user *user_string;
typedef void __percpu *percpu;
typedef struct list __rcu *rcu_list __d("typedef");
typedef int __t("of_int") tagged_int;
struct many {
	user_string a;
	percpu b;
	rcu_list c;
	user_string __rcu *d;
	const user_string e;
	struct list __t("late") f;
	tagged_int g;
	int __t("plain") h;
	int __t("1") __t("2") __t("3") __t("4") *four;
	int __t("1") __t("2") *two;
	int __t("2") *one;
};

/* a copy, constants, a parameter that is not used, a body and its inlined copies */
static __attribute__((noinline)) __d("clone") int clone(int a __d("a"), int b __d("b"), int c __d("c"))
{
	return a * c + (b ? 7 : 8) * a;
}

static __attribute__((noinline)) __d("dropped") int dropped(struct list *l __d("l"), int b __d("b"))
{
	return l->b1 + l->b2 + l->i;
}

static inline __d("inline") long twice(struct many *m __d("m"), long y)
{
	return m->four[0] * y + *m->one;
}

long (*taken)(struct many *m, long y) = twice;

long calls(struct many *m, union both *u, struct tagged *t, char __user *user __d("user"), ...)
{
	return clone(m->g, 1, 2) + clone(m->h, 1, 2) + clone(t->x, 1, 2) + dropped(m->c, 1) +
	       dropped(m->c + 1, u->a) + twice(m, (long)user) + twice(m, m->two[0]);
}

__d("outer") __d("inner") void __user *tags(void __percpu *p, long n __d("n") __d("m"), struct list __rcu **l)
{
	return (void *)n;
}
C

for name in gcc-16 clang-22; do
	for flags in '-O2' '-O0' '-Os' '-O3' '-O2 -gdwarf-4'; do
		for features in default default,attributes default,true_signature; do
			begin "$name $flags, $features"
			# shellcheck disable=SC2086 # lists of flags
			"$compilers/$name" -g -w -ffreestanding -fno-pie -mcmodel=kernel $flags -c -o a.o a.c
			image vmlinux a.o
			"$pahole" -J --btf_features=$features --btf_encode_detached=theirs.btf vmlinux
			expect 0 "$ABTF_PAHOLE" -J --btf_features=$features --btf_encode_detached=ours.btf \
				vmlinux
			# with clang, 1.32 writes tags of parameters that the prototype lacks, and
			# no kernel accepts that
			all=--all
			[ "$name $features" != 'clang-22 default,true_signature' ] || all=
			# shellcheck disable=SC2086 # nothing, or one flag
			expect 0 "$compare" $all theirs.btf ours.btf
			expect 0 "$compare" --funcs theirs.btf ours.btf
			expect 0 "$compare" --funcs ours.btf theirs.btf
			expect 0 "$ABTF" encode -q -o vmlinux.btf vmlinux
			verify vmlinux vmlinux.btf
			"$dump" ours.btf >ours.dump
			has ours.dump 'TYPE_TAG percpu'
			has ours.dump 'DECL_TAG outer'
		done
	done
done
