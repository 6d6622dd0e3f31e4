#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tests of the patched bpftool with files: dumps in both byte orders, modules with a base, errors,
# skeletons. It is built from LINUX=DIR (default: build/linux-KVER/patched, which is created if needed).
. "${0%/*}/../lib.sh"
tree=${LINUX:-$top/build/linux-${KVER:-6.12}/patched}

begin 'the patched bpftool builds'
mkdir -p "$top/build"
[ -n "${LINUX:-}" ] || make --no-print-directory -s -C "$top" vm-source
build=$top/build/bpftool/${KVER:-6.12}/patched
mkdir -p "$build"
# LLVM is only used by "prog dump jited". Without optimization, compiling takes half the time.
env -u MAKEFLAGS make -s -j2 -C "$tree/tools/bpf/bpftool" feature-llvm=0 EXTRA_CFLAGS=-O0 OUTPUT="$build/" >make.log 2>&1 ||
	{ tail -n 20 make.log; exit 1; }
new=$build/bpftool

cp "$example" vmlinux
encode vmlinux
"$ABTF" strip vmlinux.btf plain.btf

begin "the dump is the old bpftool's dump of plain BTF plus offsets"
expect 0 "$new" btf dump file vmlinux.btf
sed -E 's/ offset=0x[0-9a-f]+//' out >new.dump
bpftool btf dump file plain.btf >old.dump
cmp -s new.dump old.dump || { fail 'the dumps differ by more than offsets:'; diff old.dump new.dump | head; }
expect_eq "$(grep -c ' offset=0x' out)" "$(grep -c ' addr ' vmlinux.dump)" 'offsets'
begin "JSON: offsets equal abtf's"
# wanted IMAGE: print id, name and offset of its functions, by abtf
wanted() {
	"$ABTF" list -aj "$1" | jq -c '.functions[] | [.id, .name, .offset]'
}
# dumped FILE: print id, name and offset of its FUNCs, by bpftool
dumped() {
	"$new" -j btf dump file "$1" |
		jq -c '.types[] | select(.kind == "FUNC") | [.id, .name, .offset]'
}
wanted vmlinux.btf >want
dumped vmlinux.btf >got
cmp -s want got || { fail "the offsets differ from abtf's:"; diff want got | head; }
grep -q ',null\]$' want || fail 'each function has an address'
grep -q '[0-9]\]$' want || fail 'no function has an address'
begin 'plain BTF: no offsets'
expect 0 "$new" btf dump file plain.btf
cmp -s out old.dump || fail "the dump of plain BTF differs from the old bpftool's"
expect_eq "$("$new" -j btf dump file plain.btf | jq -c '[.types[] | select(has("offset"))] | length')" 0
begin 'format c: no difference'
"$new" btf dump file vmlinux.btf format c >new.h
"$new" btf dump file plain.btf format c >old.h
cmp new.h old.h || fail 'addresses change the C header'

begin 'a module: -B reads the base'
unit base <<'C'
static __attribute__((noinline, used)) int twin(int a) { return a; }
C
unit left <<'C'
static __attribute__((noinline, used)) int pad(void) { return 7; }
static __attribute__((noinline, used)) int twin(int a) { return a + 1; }
C
unit right <<'C'
static __attribute__((noinline, used)) long twin(long a) { return a + 2; }
C
image kernel base.o
"$ABTF" encode -q kernel
module my-mod.ko left.o right.o
"$ABTF" encode -q --base kernel my-mod.ko
expect 0 "$new" -B kernel btf dump file my-mod.ko
says "FUNC 'twin@left.c' type_id=[0-9]+ linkage=static offset=0x[0-9a-f]+$"
says "FUNC 'twin@right.c' type_id=[0-9]+ linkage=static offset=0x[0-9a-f]+$"

begin 'the other byte order'
target s390x
unit a <<'C'
static __attribute__((noinline, used)) int twin(int a) { return a; }
int __attribute__((section(".init.text"))) setup(void) { return 1; }
C
unit b <<'C'
static __attribute__((noinline, used)) long twin(long a) { return a; }
C
image big a.o b.o
encode big
wanted big.btf >want
expect_eq "$(wc -l <want)" 3
dumped big.btf >got
cmp -s want got || { fail "the offsets differ from abtf's:"; diff want got; }

begin 'a malformed record is rejected, with an error'
id=$("$ABTF" list -aj vmlinux.btf | jq '[.functions[] | select(.offset)][0].id')
# words of a FUNC: name, info, type, and the words of its record
for word in 4:0 4:0xff010000 1:0x0c000000; do
	"$edit" vmlinux.btf bad.btf "$id" "${word%:*}" "${word#*:}"
	expect 234 "$new" btf dump file bad.btf # -EINVAL
	expect_text "$(grep ^Error out)" <<<'Error: failed to load BTF from bad.btf: Invalid argument'
	expect_eq "$("$new" -j btf dump file bad.btf 2>/dev/null | jq -r 'keys[]' || true)" error
done

begin 'the man pages document the fields'
for page in btf prog link; do
	rst2man --halt=warning "$tree/tools/bpf/bpftool/Documentation/bpftool-$page.rst" $page.8 ||
		fail "bpftool-$page.rst"
done
expect 0 man -l --warnings btf.8
says 'Raw output then shows offset'
expect 0 man -l --warnings link.8
says 'target_func +\(also +in'
expect 0 man -l --warnings prog.8
says 'attach_func +\(also +in'

have clang || { begin 'skeletons'; skip 'no clang'; exit 77; }

# Compare skeletons with those that the unpatched bpftool of this tree generates.
begin 'skeletons are unchanged, also with NAME@FILE'
build=$top/build/bpftool/${KVER:-6.12}/stock
mkdir -p "$build"
env -u MAKEFLAGS make -s -j2 -C "$top/build/linux-${KVER:-6.12}/src/tools/bpf/bpftool" feature-llvm=0 EXTRA_CFLAGS=-O0 OUTPUT="$build/" \
	bootstrap >make.log 2>&1 || { tail -n 20 make.log; exit 1; }
old=$build/bootstrap/bpftool
# object NAME: compile NAME.c for BPF
object() {
	clang -target bpf -O2 -g -I"/usr/include/$(uname -m)-linux-gnu" -c -o "$1.o" "$1.c"
}
cat >names.c <<'C'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8);
	__type(key, int);
	__type(value, long);
} counts SEC(".maps");

long calls;
const volatile int step = 1;

SEC("fentry/foo") int enter(void *ctx) { calls += step; return 0; }
SEC("fexit/bar") int leave(void *ctx) { return 0; }
SEC("lsm/file_open") int hook(void *ctx) { return 0; }
SEC("kprobe/foo+4") int probe(void *ctx) { return 0; }
char _license[] SEC("license") = "GPL";
C
sed 's|fexit/bar|fexit/bar@b.c|; s|kprobe/foo|kprobe/foo@b.c|' names.c >files.c
object names
object files
for what in names.o files.o '-L names.o' '-L files.o'; do
	# shellcheck disable=SC2086 # the option is a word
	"$old" gen skeleton $what >old.h
	# shellcheck disable=SC2086
	"$new" gen skeleton $what >new.h
	cmp old.h new.h || fail "the skeletons of $what differ"
	has new.h '^(names|files)__attach'
done
