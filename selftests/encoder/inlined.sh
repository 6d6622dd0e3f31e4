#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --inlined prints the places where a function was inlined into other functions.
# selftests/check-inlined.sh compares the output for a real kernel with llvm-dwarfdump.
. "${0%/*}/../lib.sh"

mkdir -p include kernel fs
cat >include/pair.h <<'C'
extern int sink(int);
static inline __attribute__((always_inline)) int leaf(int a)
{
	return sink(a + 1);
}
static inline __attribute__((always_inline)) int middle(int a)
{
	return leaf(a) * 3;
}
C
unit sink <<'C'
int sink(int a) { __asm__ volatile("" : "+r"(a)); return a; }
C
unit kernel/one -I. <<'C'
#include "include/pair.h"
static inline int both(int a)
{
	return sink(a) + 7;
}
int use_leaf(int a)
{
	return leaf(a) + 1;
}
int use_middle(int a)
{
	return middle(a) - 1;
}
int use_both(int a)
{
	return both(a);
}
int (*address(void))(int)
{
	return both;
}
C
unit fs/two -I. <<'C'
#include "include/pair.h"
__attribute__((section(".init.text"))) int start(int a)
{
	return leaf(a) + 5;
}
int twice(int a)
{
	a = leaf(a);
	return leaf(a);
}
C
for compiler in gcc clang; do
	target $compiler
	for name in sink kernel/one fs/two; do
		# shellcheck disable=SC2086 # lists of flags
		$CC $common $machine -I. -c -o $name.o $name.c
	done
	image vmlinux-$compiler sink.o kernel/one.o fs/two.o
	need_dwarf vmlinux-$compiler 'DW_TAG_inlined_subroutine'
done
target gcc

# within FUNC OFFSET: test whether OFFSET is in the function, by its symbol
within() {
	local start size text
	text=$(nm "$img" | sed -n 's/ [tT] _text$//p')
	read -r start size <<<"$(nm -S "$img" | sed -nE "s/^([0-9a-f]+) ([0-9a-f]+) [tT] $1$/\1 \2/p")"
	(($2 >= 0x$start - 0x$text && $2 < 0x$start - 0x$text + 0x$size))
}

for compiler in gcc clang; do
	img=vmlinux-$compiler

	begin "$compiler: --inlined prints the caller, source line and code of each call"
	expect 0 "$ABTF" list --inlined -j $img leaf
	expect_eq "$(jq -r '.calls[] | "\(.in) \(.caller) \(.file) \(.call_file):\(.call_line)"' <<<"$out" | sort)" \
"start start fs/two.c fs/two.c:4
twice twice fs/two.c fs/two.c:8
twice twice fs/two.c fs/two.c:9
use_leaf use_leaf kernel/one.c kernel/one.c:8
use_middle middle kernel/one.c include/pair.h:8"
	for i in 0 1 2 3 4; do
		within "$(jq -r ".calls[$i].in" <<<"$out")" "$(jq -r ".calls[$i].offset" <<<"$out")" ||
			fail "$(jq -c ".calls[$i]" <<<"$out") is not in it"
	done
	expect_eq "$(jq '.calls | map(.offset) | unique | length' <<<"$out")" 5

	begin "$compiler: --inlined prints the number of calls, and whether there is a body"
	expect 0 "$ABTF" list --inlined --all -j $img
	expect_eq "$(jq -r '.inlined[] | "\(.function) \(.inlined_calls) \(.bodies) \(.decl_file):\(.decl_line)"' <<<"$out")" \
"both 1 1 kernel/one.c:2
leaf 5 0 include/pair.h:2
middle 1 0 include/pair.h:6"
	expect 0 "$ABTF" list --inlined $img
	expect_text "$out" <<'T'
 INLINED  BODIES  NAME  DECLARED
       1       1  both  kernel/one.c:2
T

	begin "$compiler: the file in a selector is the unit's"
	expect 0 "$ABTF" list --inlined -j $img leaf@one.c
	expect_eq "$(jq -r '.calls[].in' <<<"$out" | sort | tr '\n' ' ')" 'use_leaf use_middle '
	expect 3 "$ABTF" list --inlined $img leaf@pair.h
	says "no call to 'leaf@pair.h' was inlined"
	expect 3 "$ABTF" list --inlined $img use_leaf
	says "no call to 'use_leaf' was inlined"

	begin "$compiler: --probe prints a probe at each call, except in init text"
	expect 0 "$ABTF" list --inlined --probe=json $img leaf
	says 'the kernel rejects kprobes at 1 of 5 places, which are omitted: 1 init'
	cp out probes
	expect 0 "$ABTF" list --inlined -j $img leaf
	expect_eq "$(jq -c '.probes | map(.offset)' probes)" \
		  "$(jq -c '.calls | map(select(.in != "start").offset)' <<<"$out")"
	expect_eq "$(jq -r '.probes[].symbol' probes | sort -u)" _text
	expect 0 "$ABTF" list --inlined --probe=libbpf $img leaf@one.c
	says '^SEC\("kprobe/_text\+0x[0-9a-f]+"\)	// leaf in use_leaf at kernel/one.c:8$'

	begin "$compiler: list warns that a probe misses calls"
	expect 0 "$ABTF" list $img both
	says '^abtf: warning: 1 call to both was inlined, so a probe will not see it: see list --inlined$'
	expect 0 "$ABTF" list $img both --probe=bpftrace
	says 'warning: 1 call to both was inlined'
	expect 0 "$ABTF" list $img use_leaf
	has_not out inlined
	expect 3 "$ABTF" list $img leaf
	says "no function named 'leaf'"
	says 'if it was inlined everywhere, list --inlined shows where'

	begin "$compiler: --inlined needs DWARF"
	"$ABTF" encode -q -o only.btf $img
	expect 1 "$ABTF" list --inlined only.btf both
	says 'not an ELF file'
	tool objcopy --strip-debug $img bare
	expect 1 "$ABTF" list --inlined bare both
	says 'no debug information'
	tool objcopy --only-keep-debug $img debug
	expect 0 "$ABTF" list --inlined -j debug leaf
	expect_eq "$(jq '.calls | length' <<<"$out")" 5
done

begin 'the warning counts the calls that --inlined lists for the same selector'
unit kernel/three <<'C'
extern int sink(int);
static inline int both(int a) { return sink(a) - 7; }
int first(int a) { return both(a) + 1; }
int second(int a) { return both(a) + 2; }
int (*three(void))(int) { return both; }
C
image several sink.o kernel/one.o kernel/three.o
for selector in both both@one.c both@kernel/three.c 'bo*@three.c'; do
	expect 0 "$ABTF" list --inlined -j several "$selector"
	nr=$(jq '.calls | length' <<<"$out")
	expect 0 "$ABTF" list several "$selector"
	says "^abtf: warning: $nr calls? to both (was|were) inlined"
done
expect_eq "$nr" 2
expect 0 "$ABTF" list several both@one.c
says 'warning: 1 call to both was inlined'

begin 'the warning does not count calls of functions that are not selected, because their bodies are elsewhere'
unit kernel/four <<'C'
extern int sink(int);
static inline int both(int a) { return sink(a) - 9; }
int third(int a) { return both(a) + 3; }
C
image elsewhere sink.o kernel/one.o kernel/four.o
expect 0 "$ABTF" list -j elsewhere '*@four.c'
expect_eq "$(jq -r '.functions[].name' <<<"$out")" third
expect 0 "$ABTF" list elsewhere '*@four.c'
has_not out inlined
expect 0 "$ABTF" list elsewhere '*@*r.c' both
says 'warning: 2 calls to both were inlined'

begin 'a part of a function that gcc inlines into the rest of it is not a call'
unit part <<'C'
int sink(int a) { asm volatile("" : "+r"(a)); return a; }
int split(int a)
{
	if (__builtin_expect(a > 0, 1))
		return 1;
	a = sink(a * 3) + sink(a + 5) + sink(a * 7) + sink(a + 9) + sink(a * 11) + sink(a + 13);
	a += sink(a * 5) ^ sink(a + 3) ^ sink(a * 9) ^ sink(a + 7) ^ sink(a * 13) ^ sink(a + 11);
	return a;
}
int use(int a) { return split(7) + a; }
C
image part part.o
need_dwarf part "DW_AT_call_line +: 2"
expect 0 "$ABTF" list --inlined -j part '*'
expect_eq "$(jq -r '[.calls[].function] | unique[]' out)" sink

begin 'two paths of a header are treated as one file'
mkdir -p include/sub
unit paths_a -I. <<'C'
#include "include/pair.h"
int paths_a(int a) { return leaf(a); }
C
unit paths_b -I. <<'C'
#include "include/sub/../pair.h"
int paths_b(int a) { return leaf(a) - 1; }
C
image paths sink.o paths_a.o paths_b.o
readelf --debug-dump=rawline paths >paths.txt
has paths.txt 'include/sub/\.\.'
expect 0 "$ABTF" list --inlined -aj paths
expect_eq "$(jq -c '.inlined[] | [.function, .inlined_calls]' out)" '["leaf",2]'

begin 'an empty range, as gcc sometimes writes it, contains no code'
cat >ranges.c <<'C'
extern int sink(int), slow(int, int), other(int);
static inline __attribute__((always_inline)) int leaf(int a)
{
	if (__builtin_expect(a > 100, 0))
		return slow(a, a + 1) + other(a);
	return sink(a + 1);
}
int use(int a, int b) { int r = sink(b); r += leaf(a); return other(r) + sink(r); }
C
# shellcheck disable=SC2086 # lists of flags
gcc $common $machine -dA -S -o ranges.s ranges.c
gcc -c -o plain.o ranges.s
# insert an empty range at the start of the unit before the first range, and drop DW_AT_entry_pc
sed -E 's/^(\.LLRL[0-9]+:)$/\1\n\t.byte 0x4\n\t.uleb128 0\n\t.uleb128 0/; /\(DW_AT_entry_pc\)/s/0x52/0x3ff0/' \
	ranges.s >empty.s
gcc -c -o empty.o empty.s
expect_eq "$(grep -c 0x3ff0 empty.s) $(grep -c '^.LLRL' empty.s)" '1 1'
expect 0 "$ABTF" list --inlined -j plain.o leaf
where=$(jq -c '.calls | map(.offset)' <<<"$out")
expect 0 "$ABTF" list --inlined -j empty.o leaf
# without DW_AT_entry_pc, it is the lowest address of the ranges
where=$(jq -c "[.calls[0].offset | . > 0 and . <= $where[0]]" <<<"$out")
expect_eq "$where" '[true]'

begin 'inlined calls are found in DWARF 4 and compressed sections'
unit kernel/one4 -I. -gdwarf-4 <kernel/one.c
image four sink.o kernel/one4.o
tool objcopy --compress-debug-sections four
expect 0 "$ABTF" list --inlined -j four leaf
expect_eq "$(jq -r '.calls[] | "\(.in) \(.call_line)"' <<<"$out" | sort | tr '\n' ' ')" 'use_leaf 8 use_middle 8 '

begin 'link-time optimization: references to other units are followed'
unit lto_a -flto -fno-fat-lto-objects -I. <<'C'
__attribute__((noinline)) int sink(int a) { __asm__ volatile("" : "+r"(a)); return a; }
int across(int a) { return sink(a) * 5; }
C
unit lto_b -flto -fno-fat-lto-objects <<'C'
int across(int);
int user(int a) { return across(a) + 1; }
C
# shellcheck disable=SC2086 # lists of flags
gcc $common $machine $link -flto -flto-partition=one -Wl,-T,"$selftests/example/vmlinux.lds" \
	-Wl,-u,user -Wl,-u,across -o lto lto_a.o lto_b.o
readelf --debug-dump=info lto 2>/dev/null >dwarf.txt
if grep -q DW_TAG_inlined_subroutine dwarf.txt; then
	expect 0 "$ABTF" list --inlined -j lto across
	expect_eq "$(jq -r '.calls[] | "\(.function) in \(.in)"' <<<"$out")" 'across in user'
	expect 0 "$ABTF" list --inlined -aj lto
	expect_eq "$(jq -r '.inlined[] | select(.function == "across").decl_file' <<<"$out")" lto_a.c
else
	skip 'the compiler inlined nothing across units'
fi

begin 'a module: --inlined prints the section of each call'
modinfo='static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=my_mod";'
{ echo "$modinfo"; cat kernel/one.c; } | unit kernel/mod -I.
module mod.ko sink.o kernel/mod.o
expect 0 "$ABTF" list --inlined --probe=json mod.ko leaf
expect_eq "$(jq -r '"\(.module) \(.probes[].symbol)"' out)" "my_mod use_leaf
my_mod use_middle"

begin '--inlined prints the same for any number of threads'
"$ABTF" list --inlined -aj vmlinux-gcc >many
[ "$(jq '.inlined | length' many)" -gt 0 ] || fail 'no functions'
taskset -c 0 "$ABTF" list --inlined -aj vmlinux-gcc | cmp - many || fail 'the output differs'

begin 'DWARF that is cut off or changed anywhere: an error or an answer, never a crash'
limited "$python" - vmlinux-gcc "$ABTF" <<'P'
import random, subprocess, sys
data = bytearray(open(sys.argv[1], 'rb').read())
out = subprocess.run(['readelf', '-SW', sys.argv[1]], capture_output=True, text=True).stdout
where = [l.replace('[ ', '[').split() for l in out.splitlines()
         if '.debug_info ' in l or '.debug_abbrev ' in l or '.debug_line ' in l or '.debug_rnglists ' in l]
random.seed(1)
failed = 0
for i in range(150):
    copy = bytearray(data)
    name, off, size = [(w[1], int(w[4], 16), int(w[5], 16)) for w in where][i % len(where)]
    for _ in range(1 + i % 4):
        copy[off + random.randrange(size)] = random.randrange(256)
    open('bad', 'wb').write(copy)
    r = subprocess.run([sys.argv[2], 'list', '--inlined', '-j', 'bad', 'leaf'], capture_output=True)
    failed += r.returncode
    if r.returncode not in (0, 1) or r.returncode and b'error' not in r.stdout + r.stderr:
        sys.exit(f'{name}: exit status {r.returncode}: {(r.stdout + r.stderr)[-2000:].decode()}')
if not 0 < failed < 150:
    sys.exit(f'{failed} of 150 fail: both must occur')
P

begin 'functions that the linker discarded have address 0: nothing is inlined there'
target gcc
unit fs/dead -I. <<'C'
#include "include/pair.h"
__attribute__((section(".dead.text"))) int dead(int a) { return leaf(a) + 9; }
C
sed 's/DISCARD\/ *: *{/& *(.dead.text)/' "$selftests/example/vmlinux.lds" >dead.lds
for name in live dead; do
	lds=$selftests/example/vmlinux.lds
	[ $name = live ] || lds=dead.lds
	# shellcheck disable=SC2086 # lists of flags
	$CC $common $machine $link -Wl,-T,"$lds" -Wl,--noinhibit-exec -o $name sink.o fs/dead.o
	"$ABTF" list --inlined $name leaf >$name.txt 2>&1 || true
done
need_symbol live 'T dead'
need_no_symbol dead '. dead'
has live.txt ' dead .*fs/dead.c'
has_not dead.txt ' dead '

begin 'in an image that is linked at 0, the first function is there, too'
unit fs/first -I. <<'C'
#include "include/pair.h"
int first(int a) { return leaf(a) + 1; }
C
link=$(sed -E 's/(IMAGE_BASE=)0x[0-9a-f]+/\10/; s/(PERCPU_BASE=)0/\10x10000000/' <<<"$link")
link=$(tr '\n' ' ' <<<"$link") machine=-mno-red-zone
unit sink <sink.c
for order in 'fs/first.o fs/dead.o' 'fs/dead.o fs/first.o'; do
	# shellcheck disable=SC2086 # lists of flags
	$CC $common $machine $link -Wl,-T,dead.lds -Wl,--noinhibit-exec -o zero $order sink.o 2>zero.log
	expect_eq "$(nm zero | grep ' T first')" '0000000000000000 T first'
	expect 0 "$ABTF" list --inlined zero leaf
	says ' first +first +fs.first.c'
	has_not out ' dead '
	expect 0 "$ABTF" list --callers zero sink
	says ' first +leaf +include'
	has_not out ' dead '
done
