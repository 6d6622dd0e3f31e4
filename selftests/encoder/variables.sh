#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A variable belongs to the symbol with its address, size and name.  Debug information also
# describes data that the linker discarded: on x86-64, it has the address of the first per-CPU
# variables.
. "${0%/*}/../lib.sh"

# encode IMAGE [OPTION...]: write IMAGE.btf, IMAGE.dump and IMAGE.report
encode() {
	rm -f "$1.btf" "$1.dump" "$1.report"
	expect 0 "$ABTF" encode "${@:2}" -o "$1.btf" --report "$1.report" "$1"
	"$dump" "$1.btf" >"$1.dump"
	# the sums are correct, and exactly the encoded variables are in BTF
	expect_eq "$(jq '[.variables_encoded, .variables_skipped[]] | add' "$1.report")" \
		"$(jq '.variables | length' "$1.report")" 'sums'
	expect_eq "$(find_lines -c '^\[[0-9]*\] VAR ' "$1.dump")" "$(jq .variables_encoded "$1.report")" 'VARs'
}

# variables IMAGE: print each variable and why it is not encoded, sorted
variables() {
	jq -r '.variables[] | "\(.name) \(.file | sub(".*/"; "")) \(.reason // "encoded")"' "$1.report" |
		LC_ALL=C sort
}

cat >live.c <<'C'
#define percpu(name) __attribute__((section(".data..percpu" name)))
percpu("") long first = 1;
static percpu("") int second[4] = { 1 };
percpu("") short third = 1;
long *live(void) { second[1]++; return &first; }
long _text_end;
C
# each of these is discarded
cat >dead.c <<'C'
#define percpu(name) __attribute__((section(".data..percpu" name)))
percpu(".dead1") long gone = 1;			/* same size as the variable at its address */
static percpu(".dead2") short third = 1;	/* a name at another address */
static percpu(".dead3") char first[3] = { 1 };	/* same name as the variable at its address */
static percpu(".dead4") int second[4] = { 1 };	/* a name and a size at another address */
void *dead(void) { first[1]++; second[1]++; third++; return &gone; }
C

begin 'GNU ld: discarded per-CPU variables have address 0'
unit live -fno-toplevel-reorder <live.c
unit dead -fdata-sections -ffunction-sections <<<"$(cat dead.c)"
unit root <<<'long *live(void); long *root(void) { return live(); }'
# the linker script keeps only the first unit's variables
sed 's/\*(\(\.data\.\.percpu[^)]*\))/*(.data..percpu)/' "$selftests/example/vmlinux.lds" >part.lds
sed -i 's/DISCARD\/ *: *{/& *(.data..percpu.dead*)/' part.lds
has part.lds 'DISCARD.*percpu[.]dead'
# shellcheck disable=SC2086 # lists of flags
$CC $common $machine $link -Wl,-T,part.lds -Wl,--noinhibit-exec -o ld root.o live.o dead.o 2>ld.log || true
need_symbol ld 'D first'
need_no_symbol ld '. gone'
encode ld
expect_text "$(variables ld)" <<'E'
first dead.c discarded
first live.c encoded
gone dead.c discarded
second dead.c discarded
second live.c encoded
third dead.c discarded
third live.c encoded
E
has ld.dump 'VAR first linkage 1: long'

begin 'a discarded variable is recognized, although one at address 0 in another file has its name and size'
unit bare -g0 <<<'__attribute__((section(".data..percpu"), used)) static long first = 1; long *live(void) { return &first; }'
for storage in '' 'static'; do
	unit other <<<"__attribute__((section(\".data..percpu.dead\"), used)) $storage long first = 1;"
	# shellcheck disable=SC2086 # lists of flags
	$CC $common $machine $link -Wl,-T,part.lds -o bare root.o bare.o other.o
	need_symbol bare 'd first'
	encode bare
	expect_eq "$(variables bare)" 'first other.c discarded' "$storage"
done

begin 'a variable at a tombstone of lld, also with an addend, is discarded; other expressions are unknown'
# as -1 of lld in DW_OP_addr, or of DW_OP_addrx with the offset of a merged variable
for expression in '.byte 3; .quad -1; .byte 0x23, 1' '.byte 3; .quad -2; .byte 0x23, 26' \
		  '.byte 3; .quad 0; .byte 0x23, 24' '.byte 3; .quad 1; .byte 0x23, 23' \
		  '.byte 3; .quad 0' '.byte 3; .quad third; .byte 6' \
		  '.byte 3; .quad third; .byte 0x93, 1; .byte 3; .quad first; .byte 0x93, 1'; do
	case $expression in
	*third*) reason=unknown_location ;;
	*) reason=discarded ;;
	esac
	unit other <<-'C'
	__attribute__((section(".data..percpu"))) char stray[2] = { 1 };
	C
	# shellcheck disable=SC2086 # lists of flags
	$CC $common $machine -S -dA -o other.S other.c
	EXPRESSION=$expression perl -0pe '
		$n += s{\.uleb128[ \t]0x9(\s+\#[ ]DW_AT_location\n).*?stray\n}{
			".uleb128 889f - 888f$1\n888: " . join("\n\t", split(/; */, $ENV{EXPRESSION})) . "\n889:\n"
		}xse;
		s/(\.\w+)[ \t]0x[0-9a-f]+(?=\s+\# Length of Compilation Unit)/$1 887f - 886f\n886:/;
		s/(?=\s+\.section\s+\.debug_abbrev)/\n887:/;
		END { exit !$n }' other.S >tomb.S
	$CC -c -o tomb.o tomb.S
	image tomb root.o live.o tomb.o
	encode tomb
	expect_eq "$(variables tomb | grep -v live.c)" "stray other.c $reason" "$expression"
done

begin 'a variable is skipped if the symbols have another object at its address'
for expression in 'second' 'first + 4' 'second + 8' 'third - 1' 'second - 1'; do
	sed "s/^888:/889:/; s/\.quad.*stray$/.quad $expression/" other.S >over.S
	! cmp -s other.S over.S || fail 'nothing was replaced'
	$CC -c -o over.o over.S
	sed 's/static //' live.c | unit shown -fno-toplevel-reorder
	image over root.o shown.o over.o
	encode over
	expect_eq "$(variables over | grep -v shown.c)" 'stray other.c hidden' "$expression"
	expect_eq "$(grep -c '^\[[0-9]*\] VAR' over.dump)" 3 'others'
done
# the name of the symbol at its address, but larger
sed 's/stray.2./stray[4]/' other.c >wide.c
# shellcheck disable=SC2086 # lists of flags
$CC $common $machine -S -dA -o wide.S wide.c
sed -i 's/\.string[ \t]"stray"/.string "third"/; s/\.quad.*stray$/.quad third/' wide.S
$CC -c -o wide.o wide.S
image wide root.o shown.o wide.o
encode wide
expect_eq "$(variables wide | grep -v shown.c)" 'third wide.c hidden'

begin 'variables with an asm label, and with a flexible array, are encoded'
for compiler in gcc clang; do
	target $compiler
	unit named-$compiler <<-'C'
	#define percpu __attribute__((section(".data..percpu")))
	percpu long label asm("symbol") = 1;
	static percpu struct { int n; char rest[]; } flexible = { 1, { 1, 2, 3 } };
	int f(int i) { return flexible.rest[i] += label; }
	C
	image named-$compiler named-$compiler.o
	encode named-$compiler
	expect_eq "$(variables named-$compiler | cut -d' ' -f1,3 | tr '\n' ' ')" \
		'flexible encoded label encoded '
done

begin 'merged variables have no symbols (clang -mglobal-merge)'
target gcc
unit merged -fno-toplevel-reorder <<-'C'
	#define percpu __attribute__((section(".data..percpu")))
	percpu long one, two, three;
C
image merged merged.o
# their common symbol may be local, and then has the address of one of them
objcopy --strip-symbol=two --strip-symbol=three \
	--add-symbol _MergedGlobals=.data..percpu:8,local,object merged stripped
need_no_symbol stripped '. (two|three)'
need_symbol stripped 'd _MergedGlobals'
encode stripped
expect_eq "$(variables stripped | cut -d' ' -f1,3 | tr '\n' ' ')" 'one encoded three encoded two encoded '

begin 'name and type of a variable are in another DIE (gcc -flto), or only the definition has the size'
unit early -flto <<-'C'
	#define percpu __attribute__((section(".data..percpu")))
	percpu long first = 1;
	static percpu int second[4] = { 1 };
	extern short sized[];
	percpu short sized[3] = { 1 };
	long *live(void) { second[1]++; sized[1]++; return &first; }
C
# shellcheck disable=SC2086 # lists of flags
$CC $common -flto -nostdlib -r -flinker-output=nolto-rel -o lto.o early.o
unit plain <<-'C'
	#define percpu __attribute__((section(".data..percpu")))
	extern short known[];
	percpu short known[3] = { 1 };
	int *const f(void) { return 0; }
C
image lto lto.o plain.o
encode lto
expect_eq "$(variables lto | cut -d' ' -f1,3 | tr '\n' ' ')" \
	'first encoded known encoded second encoded sized encoded '
expect_text "$(grep -o 'VAR .*' lto.dump | LC_ALL=C sort)" <<'E'
VAR first linkage 1: long int first
VAR known linkage 1: short int known[3]
VAR second linkage 0: int second[4]
VAR sized linkage 1: short int sized[3]
E
