#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The patched bpftool on files: dumps, "btf func", in both byte orders, modules on
# their base, errors as bpftool has them, skeletons.  LINUX=DIR is the tree that it is
# built from; build/linux/patched, which is made if it is not there, else.
. "${0%/*}/../lib.sh"
tree=${LINUX:-$top/build/linux/patched}

begin 'it builds'
mkdir -p "$top/build"
make --no-print-directory -s -C "$top" vm-source
build=$top/build/bpftool
mkdir -p "$build"
# Without LLVM, which only "prog dump jited" needs.
env -u MAKEFLAGS make -s -j2 -C "$tree/tools/bpf/bpftool" feature-llvm=0 OUTPUT="$build/" >make.log 2>&1 ||
	{ tail -n 20 make.log; exit 1; }
new=$build/bpftool

cp "$example" vmlinux
encode vmlinux
"$ABTF" strip vmlinux.btf plain.btf

begin 'what it dumps is what the old one dumps of the plain form, and more'
expect 0 "$new" btf dump file vmlinux.btf
sed -E "s/ offset=0x[0-9a-f]+//; s/ flags=init//; s/ unit='[^']*'//" out >new.dump
bpftool btf dump file plain.btf >old.dump
cmp -s new.dump old.dump || { fail 'they differ:'; diff old.dump new.dump | head; }
expect_eq "$(grep -c ' offset=0x' out)" "$(grep -c ' addr ' vmlinux.dump)" 'offsets'
begin '... in JSON: offset, flags and unit are what abtf says'
"$ABTF" list -aj vmlinux.btf | jq -c '.[] | [.id, .name, .offset, .flags, .unit]' >want
"$new" -j btf dump file vmlinux.btf |
	jq -c '.types[] | select(.kind == "FUNC") | [.id, .name, .offset, .flags, .unit]' >got
cmp -s want got || { fail 'they differ:'; diff want got | head; }
begin '... and in C there is no difference'
"$new" btf dump file vmlinux.btf format c >new.h
"$new" btf dump file plain.btf format c >old.h
cmp new.h old.h || fail 'they differ'

begin 'btf func: all that share their name, as abtf lists them'
"$ABTF" list -j vmlinux.btf | jq -c '.[] | [.id, .selector, .rank, .unit, .offset, .flags]' >want
"$new" -j btf func file vmlinux.btf | jq -c '.[] | [.id, .selector, .rank, .unit, .offset, .flags]' >got
expect_eq "$(wc -l <want)" 31
cmp -s want got || { fail 'they differ:'; diff want got | head; }
begin '... and in the plain form, without addresses'
"$new" -j btf func file plain.btf | jq -c '.[] | [.id, .selector, .rank, .unit, .offset, .flags]' >got
cmp -s <(jq -c '.[4] = null | .[5] = null' want) got || fail 'they differ'

begin 'by name, unit, number'
expect 0 "$new" btf func file vmlinux.btf param_setup
id=$(sed -nE "s/^\[([0-9]+)\] FUNC param_setup .*/\1/p" vmlinux.dump | head -n 1)
expect_text "$(sed -E 's/offset 0x[0-9a-f]+/offset O/' out)" <<E
[$id] param_setup@arch/x86/kernel/apic/x2apic_cluster.c  rank 1  offset O  flags init
[$((id + 1))] param_setup@arch/x86/mm/tlb.c  rank 2  offset O  flags init
E
for selector in param_setup@2 param_setup@mm/tlb.c vmlinux:param_setup@2; do
	expect 0 "$new" btf func file vmlinux.btf $selector
	expect_eq "$(cut -d' ' -f1,2 out)" "[$((id + 1))] param_setup@arch/x86/mm/tlb.c" $selector
done
expect 0 "$new" btf func file vmlinux.btf cpumask_weight@core.c
says 'cpumask_weight@kernel/sched/core.c  rank 14 '
[ "$(wc -l <out)" -gt 1 ] || fail 'core.c is not one file'

begin 'errors: status, message, JSON'
expect 255 "$new" btf func file vmlinux.btf nobody
expect_text "$out" <<<"Error: no function matches 'nobody'"
expect 255 "$new" btf func file vmlinux.btf type_show@9
says "^Error: no function matches 'type_show@9', a bare name shows all of that name"
expect 255 "$new" btf func file vmlinux.btf type_show@
says "^Error: can't find functions 'type_show@': Invalid argument"
expect 255 "$new" btf func file not.there type_show
says '^Error: failed to load BTF from not.there: No such file or directory'
expect 255 "$new" btf func file vmlinux.btf type_show more
says "^Error: what is 'more'"
expect_eq "$("$new" -j btf func file vmlinux.btf nobody)" "{\"error\":\"no function matches 'nobody'\"}"
expect_eq "$("$new" -j btf func file not.there 2>/dev/null | jq -r 'keys[]')" error
unit alone <<<'int alone(int a) { return a; }'
image one alone.o
encode one
expect_eq "$("$new" -j btf func file one.btf)" '[]'
expect_eq "$("$new" btf func file one.btf alone)" '[3] alone  rank 1  offset 0x0'

begin 'a module, on its base; its name is that of the file'
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
expect 0 "$new" -B kernel btf func file my-mod.ko twin
expect_text "$(sed -E 's/^\[[0-9]+\] //; s/offset 0x[0-9a-f]+/offset O/' out)" <<'E'
my_mod:twin@left.c  rank 1  offset O
my_mod:twin@right.c  rank 2  offset O
E
expect_eq "$("$new" -j -B kernel btf func file my-mod.ko my_mod:twin@2 | jq -c '.[] | [.module, .unit, .rank]')" \
	'["my_mod","right.c",2]'
expect 255 "$new" -B kernel btf func file my-mod.ko other:twin
expect 0 "$new" -B kernel btf dump file my-mod.ko
says "FUNC 'twin' type_id=[0-9]+ linkage=static offset=0x[0-9a-f]+ unit='right.c'"

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
"$ABTF" list -aj big.btf | jq -c '.[] | [.id, .name, .offset, .flags, .unit]' >want
expect_eq "$(wc -l <want)" 3
"$new" -j btf dump file big.btf |
	jq -c '.types[] | select(.kind == "FUNC") | [.id, .name, .offset, .flags, .unit]' >got
cmp -s want got || { fail 'they differ:'; diff want got; }
expect_eq "$("$new" btf func file big.btf | cut -d' ' -f2 | tr '\n' ' ')" 'twin@a.c twin@b.c '

begin 'the man pages have it'
for page in btf prog link; do
	rst2man --halt=warning "$tree/tools/bpf/bpftool/Documentation/bpftool-$page.rst" $page.8 ||
		fail "bpftool-$page.rst"
done
expect 0 man -l --warnings btf.8
says 'bpftool btf func \[file FILE\] \[FUNC\]'

begin 'so has the completion'
cat >complete <<'E'
. /usr/share/bash-completion/bash_completion
. "$1"
words() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMPREPLY=()
	_bpftool bpftool "${!#}" "${@: -2:1}"
	echo "${COMPREPLY[*]}"
}
words bpftool btf f
words bpftool btf func ''
words bpftool btf func file plain.
E
expect 0 bash complete "$tree/tools/bpf/bpftool/bash-completion/bpftool"
expect_text "$out" <<'E'
func
file
plain.btf
E

# Skeletons are compared with those of the bpftool that was patched, not of Debian's.
begin 'skeletons are what they were, of objects with selectors, too'
have clang || { skip 'no clang'; exit 77; }
build=$top/build/bpftool-stock
mkdir -p "$build"
env -u MAKEFLAGS make -s -j2 -C "$top/build/linux/src/tools/bpf/bpftool" feature-llvm=0 OUTPUT="$build/" \
	bootstrap >make.log 2>&1 || { tail -n 20 make.log; exit 1; }
old=$build/bootstrap/bpftool
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
sed 's|fexit/bar|fexit/bar@b.c|; s|kprobe/foo|kprobe/foo@2|' names.c >selectors.c
object names
object selectors
for what in names.o selectors.o '-L names.o'; do
	# shellcheck disable=SC2086 # the option is a word
	"$old" gen skeleton $what >old.h
	# shellcheck disable=SC2086
	"$new" gen skeleton $what >new.h
	cmp old.h new.h || fail "they differ: $what"
	has new.h '^(names|selectors)__attach'
done

begin 'light ones cannot select: refused, and what is written by then does not compile'
expect 161 "$new" -L gen skeleton selectors.o
says "^libbpf: prog 'leave': light skeletons can't select which function 'bar@b.c' is"
says '^Error: failed to load object file$'
"$new" -L gen skeleton selectors.o >light.h 2>light.err && fail 'exit status 0'
expect 1 gcc -fsyntax-only -x c light.h
says 'error: unterminated #ifndef'
