#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# abtf writes the same types as pahole; both are compared as graphs.  Debian's pahole is 1.24: these
# units avoid kinds that it handles differently (see the documentation).
. "${0%/*}/../lib.sh"
have pahole || { begin 'the same types as pahole'; skip 'no pahole'; exit 77; }
options='--btf_gen_floats'

# same TITLE OBJECT: a case: abtf and pahole write the same types
same() {
	begin "the types of $1 are pahole's"
	# shellcheck disable=SC2086
	pahole -J $options --btf_encode_detached="$2.pahole" "$2"
	# shellcheck disable=SC2086
	"$ABTF_PAHOLE" -J $options --btf_encode_detached="$2.abtf" "$2"
	expect 0 "$compare" "$2.pahole" "$2.abtf"

	begin "the functions of $1 are pahole's${3:+, except for shared names}"
	status=0
	"$compare" --funcs "$2.pahole" "$2.abtf" >out || status=$?
	[ $status -le 1 ] || fail "btf-compare ended with status $status"
	sed -n 's/^missing in B: //; T; s/^[^(]*[ *]\([^ *(]*\)(.*/\1/; p' out | sort | tr '\n' ' ' >missing
	expect_eq "missing: $(cat missing)" "missing: ${3:-}"
	expect 0 "$compare" --funcs "$2.abtf" "$2.pahole"
}

# the array of two dimensions is one array, as in pahole before 1.32
cp -r "$selftests/example" source
sed -i -e 's/history\[4\]\[8\]/history[32]/' -e 's/history\[weight & 3\]\[/history[/' \
	source/kernel/sched/rt.c
make -s -C source out="$PWD/built"
cp built/vmlinux example
# pahole before 1.26 wrote them once, with one of the prototypes
several=$(nm example | awk '$2 ~ /[tT]/ { print $3 }' | sort | uniq -d | tr '\n' ' ')
same 'the example' example "$several"

unit a <<'C'
struct list { struct list *next, *prev; };
struct opaque;
enum e { A = -1, B };
union u { int i; float f; struct { short a, b; }; };
typedef int (*fn_t)(struct list *, union u, ...);
struct bits { unsigned a:3; int b:29; long long c:20; };
struct all { struct list l; union u u; fn_t fn; struct bits *b; char name[16]; const void *p; struct opaque *o; enum e e; };
int use(struct all *a, const char *s, int n) { return a->e + n; }
static __attribute__((noinline, used)) int hidden(struct all *a) { return 1; }
int dots(const char *fmt, ...) { return 0; }
C
unit b <<'C'
struct list { struct list *next, *prev; };
struct bits { unsigned a:3; int b:29; long long c:20; };
struct opaque { struct list l; };
int use_b(struct opaque *o, struct bits b, volatile struct list *const *l) { return b.a; }
C
unit conflict <<'C'
struct list { struct list *next; };
int use_c(struct list *l) { return l != 0; }
C
image three a.o b.o conflict.o
same 'three units with a conflict' three

for version in 4 5; do
	target clang
	unit a$version -gdwarf-$version <a.c
	unit b$version -gdwarf-$version <b.c
	image clang$version a$version.o b$version.o
	same "clang's DWARF $version" clang$version
done
for machine_name in m32 aarch64 s390x; do
	target $machine_name
	unit a-$machine_name <a.c
	unit b-$machine_name <b.c
	image vmlinux-$machine_name a-$machine_name.o b-$machine_name.o
	same $machine_name vmlinux-$machine_name
done
