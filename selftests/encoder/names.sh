#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Functions that share a name: each has its own FUNC with a unique name.
. "${0%/*}/../lib.sh"
mkdir -p kernel fs
unit kernel/one <<'C'
static int __attribute__((noinline, used)) dup(int a) { return a; }
C
unit kernel/two <<'C'
static long __attribute__((noinline, used)) dup(char *s, int n) { return s[n]; }
C
unit kernel/three <<'C'
static int __attribute__((noinline, used)) dup(int a) { return a + 1; }
int unique(void) { return 0; }
C
image vmlinux kernel/one.o kernel/two.o kernel/three.o
expect_eq "$(nm vmlinux | grep -c ' t dup$')" 3
encode vmlinux

begin 'three static functions: three names, sorted by address'
expect_funcs vmlinux <<'F'
dup@kernel/one.c = dup: int dup(int a)
dup@kernel/two.c = dup: long int dup(char *s, int n)
dup@kernel/three.c = dup: int dup(int a)
unique = unique: int unique(void)
F
expect_eq "$(grep -o 'FUNC dup.* addr 0x[0-9a-f]*' vmlinux.dump | cut -d' ' -f4 | sort -u | wc -l)" 3
expect 0 "$ABTF" check vmlinux vmlinux.btf
says ' 4 functions, 4 with an address, 3 with a file: 0 violations'

begin 'an unmodified libbpf finds each FUNC by its name, none by the bare name, and merges none'
"$ABTF" strip vmlinux.btf plain.btf
expect 0 "${compare%/*}/btf-find" plain.btf
says '^3 functions with a file, 0 not found or with a bare name$'
expect 0 "${compare%/*}/btf-dedup" plain.btf dedup.btf
expect_eq "$("$dump" dedup.btf | grep -c ' FUNC ')" 4

begin 'equal prototypes are one type'
expect_eq "$(types vmlinux 'FUNC_PROTO.*int \(int a\)' | wc -l)" 1

begin 'global and weak functions with a shared name have a file, too'
unit kernel/global <<<'int dup(int a, int b) { return a * b; }'
unit kernel/weak <<<'int __attribute__((weak)) dup(long a) { return a; }'
for kind in global weak; do
	image $kind kernel/one.o kernel/$kind.o kernel/two.o
	encode $kind
	expect_eq "$(funcs $kind | cut -d' ' -f1 | tr '\n' ' ')" "dup@kernel/one.c dup@kernel/$kind.c dup@kernel/two.c "
	expect 0 "$ABTF" check $kind $kind.btf
done

begin "a function with a ThinLTO suffix has the source's name"
tool objcopy --redefine-sym dup=dup.llvm.1234 kernel/two.o kernel/lto.o
tool objcopy --globalize-symbol dup.llvm.1234 kernel/lto.o
image lto kernel/one.o kernel/global.o kernel/lto.o
need_symbol lto 'T dup.llvm.1234'
encode lto
expect_eq "$(funcs lto | cut -d: -f1 | tr '\n' ,)" \
	'dup@kernel/one.c = dup,dup@kernel/global.c = dup,dup@kernel/two.c = dup.llvm.1234,'
expect 0 "$ABTF" check lto lto.btf
image lto kernel/lto.o
encode lto
expect_eq "$(funcs lto | cut -d: -f1)" 'dup = dup.llvm.1234'
expect 0 "$ABTF" check lto lto.btf

begin 'an alias with the same name and address is not a second function'
unit kernel/alias <<'C'
static int __attribute__((noinline, used)) solo(int a) { return a; }
asm(".pushsection .text\n.type solo, @function\n.set solo2, solo\n.popsection");
C
image alias kernel/alias.o
encode alias
expect_eq "$(funcs alias solo)" 'solo = solo/solo2: int solo(int a)'

begin 'a function and one that ThinLTO renamed, folded to one address, are one function'
image folded kernel/one.o
at=$((0x$(nm folded | awk '$3 == "dup" { print $1 }') -
      0x$(readelf -SW folded | sed -nE 's/.* \.text +PROGBITS +([0-9a-f]+) .*/\1/p')))
objcopy --add-symbol "dup.llvm.12=.text:$at,function,local" \
	--add-symbol "dup.llvm.34=.text:$at,function,local" folded
encode folded
expect_eq "$(funcs folded | cut -d: -f1)" 'dup = dup/dup.llvm.12/dup.llvm.34'
expect_eq "$(jq -c '[.encoded, .skipped.alias]' folded.report)" '[1,2]'
expect 0 "$ABTF" check folded folded.btf
objcopy -N dup folded
encode folded
expect_eq "$(funcs folded | cut -d: -f1)" 'dup = dup.llvm.12/dup.llvm.34'
expect 0 "$ABTF" check folded folded.btf

begin 'functions with the same name and file are numbered by address'
cat >fs/fill.c <<'C'
#ifdef COMPAT
typedef int word;
#else
typedef long word;
#endif
static word __attribute__((noinline, used)) fill(word w) { return w; }
C
unit fs/binfmt <fs/fill.c
mv fs/binfmt.o fs/native.o
unit fs/binfmt -DCOMPAT <fs/fill.c
mv fs/binfmt.o fs/compat.o
unit fs/other <<<'static int __attribute__((noinline, used)) fill(void) { return 0; }'
image twice fs/native.o fs/other.o fs/compat.o
encode twice
expect_funcs twice fill <<'F'
fill@fs/binfmt.c#1 = fill: word fill(word w)
fill@fs/other.c = fill: int fill(void)
fill@fs/binfmt.c#2 = fill: word fill(word w)
F
expect_eq "$(types twice '^TYPEDEF word')" \
	"$(printf 'TYPEDEF word -> int\nTYPEDEF word -> long int')"
expect 0 "$ABTF" check twice twice.btf

begin 'BTF_ID() of a shared name is an error'
unit kernel/id -I"$selftests/example/include" <<'C'
#include <linux/btf_ids.h>
__attribute__((used)) int fo1(int a) { return a; }
__attribute__((used)) int fo12(int a) { return a + 2; }
BTF_KFUNCS_START(set)
BTF_ID_FLAGS(func, fo1, "0")
BTF_KFUNCS_END(set)
C
unit kernel/twin <<'C'
static __attribute__((noinline, used)) int fo(int a) { return a + 3; }
static __attribute__((noinline, used)) int fo12(int a) { return a + 4; }
int clone(int a) __asm__("fo1.isra.0");
int clone(int a) { return a + 5; }
C
unit kernel/third <<<'static __attribute__((noinline, used)) int fo(int a) { return a + 6; }'
image ids kernel/id.o kernel/twin.o kernel/third.o
encode ids
has ids.dump 'DECL_TAG bpf_kfunc '
unit kernel/third <<'C'
static __attribute__((noinline, used)) int fo(int a) { return a + 6; }
static __attribute__((noinline, used)) int fo1(int a) { return a + 7; }
C
image two kernel/id.o kernel/twin.o kernel/third.o
expect 1 "$ABTF" encode -o none.btf two
says 'BTF_ID\(func, fo1\): the name is shared'
[ ! -e none.btf ] || fail 'a file was written'
# reports do not fail, because no kernel is built from them; without files, no name is shared
expect 0 "$ABTF" report -q -o page.html two
expect 0 "$ABTF" encode -q --features=func_addr,decl_tag_kfuncs -o one.btf two

begin 'a function in a file with a name like odd#2 is skipped'
unit 'kernel/odd#2' <<<'static __attribute__((noinline, used)) int dup(int a) { return a + 9; }'
echo 'static __attribute__((noinline, used)) int dup(int a) { return a + N; }' >kernel/odd.c
for n in 1 2; do
	# shellcheck disable=SC2086
	$CC $common $machine -DN=$n -c -o kernel/odd$n.o kernel/odd.c
done
image odd 'kernel/odd#2.o' kernel/odd1.o kernel/odd2.o
encode odd
expect_eq "$(funcs odd | cut -d' ' -f1 | tr '\n' ' ')" 'dup@kernel/odd.c#1 dup@kernel/odd.c#2 '
expect_eq "$(skipped odd)" 'dup: invalid_name'

begin 'a skipped function is numbered, too'
unit fs/binfmt <<'C'
struct __attribute__((packed)) s { long a, b, c; char d; };
static int __attribute__((noinline, used)) fill(long a, long b, long c, long d, long e, long f,
						struct s s, long g) { return s.d + g; }
C
image third fs/binfmt.o fs/native.o fs/compat.o
encode third
expect_eq "$(skipped third)" 'fill: uncertain_location'
expect_eq "$(funcs third fill | cut -d' ' -f1 | tr '\n' ' ')" 'fill@fs/binfmt.c#2 fill@fs/binfmt.c#3 '

begin 'a twin without debug information: the other FUNC still has a file'
unit kernel/five <<'C'
static __attribute__((noinline, used)) int gone(int x) { return x; }
C
unit kernel/six <<'C'
asm(".pushsection .text\n.type gone, @function\n.local gone\ngone: nop\n.size gone, 1\n.popsection");
C
image twin kernel/five.o kernel/six.o
expect_eq "$(nm twin | grep -c ' t gone$')" 2
encode twin
expect_eq "$(funcs twin gone)" 'gone@kernel/five.c = gone: int gone(int x)'
expect_eq "$(skipped twin)" 'gone: no_dwarf'
expect 0 "$ABTF" check twin twin.btf

begin 'a file that is unknown or invalid in a name: skipped, with a reason'
long=$(printf 'x%.0s' $(seq 250))
mkdir -p 'a blank' "$long/$long/$long"
# shellcheck disable=SC2086 # lists of flags
$CC $common $machine -c -o kernel/noname.o -x c - <<'C'
static int __attribute__((noinline, used)) dup(unsigned a) { return a; }
C
need_dwarf kernel/noname.o 'DW_AT_name .*: <stdin>'
for name in 'a blank/x' "$long/$long/$long/x"; do
	echo 'static int __attribute__((noinline, used)) dup(short a) { return a; }' >"$name.c"
	# shellcheck disable=SC2086
	$CC $common $machine -c -o "$(basename "$(dirname "$name")").o" "$name.c"
done
image nofile kernel/one.o kernel/noname.o 'a blank.o' "$long.o"
encode nofile
expect_eq "$(funcs nofile dup)" 'dup@kernel/one.c = dup: int dup(int a)'
expect_eq "$(skipped nofile)" "$(printf 'dup: %s\n' invalid_name invalid_name unknown_file)"

begin 'a file that a shell or another program would interpret is not in a name of BTF'
unit plain/one <<<'static __attribute__((noinline, used)) int twin(int a) { return a; }'
odd=' !"#$%&()*:;<>?[\]^`{|}'"'"$'\t\e\303\274'
even='_-.+,=@~'
objects=(plain/one.o)
for ((i = 0; i < ${#odd} + ${#even}; i++)); do
	char=${odd:i:1}${even:$((i < ${#odd} ? ${#even} : i - ${#odd})):1}
	unit "plain/x${char}y" <<<"static __attribute__((noinline, used)) int twin(int a) { return a + $i; }"
	mv "plain/x${char}y.o" plain/$i.o
	objects+=(plain/$i.o)
done
image plain/image "${objects[@]}"
encode plain/image
expect_eq "$(funcs plain/image twin | cut -d' ' -f1 | sort | tr '\n' ' ')" \
	"twin@plain/one.c $(for ((i = 0; i < ${#even}; i++)); do printf 'twin@plain/x%sy.c\n' "${even:i:1}"; done | sort | tr '\n' ' ')"
expect_eq "$(skipped plain/image | sort | uniq -c | sed 's/ *//')" "${#odd} twin: invalid_name"

begin 'such a function is selected by its file, with ? instead of these characters'
expect 0 "$ABTF" list plain/image twin
expect_eq "$(grep -o '@plain/x??*y.c#[0-9]*' out | sort -u | wc -l)" ${#odd}
expect 0 "$ABTF" list --table plain/image
has_not out '[^-_.+,=@~/#?0-9a-zA-Z ]'
awk 'NR > 1 && NF != 2 && NF != 3' out | expect_none
expect 0 "$ABTF" list -j plain/image 'twin@plain/x?y.c#2'
expect_eq "$(jq '.functions | length' <<<"$out")" 1

begin 'func_addr alone: equal names, sorted by address'
encode vmlinux --features=func_addr,consistent_func
expect_eq "$(funcs vmlinux | cut -d: -f1 | tr '\n' ,)" 'dup = dup,dup = dup,dup = dup,unique = unique,'
expect 0 "$ABTF" check vmlinux vmlinux.btf
expect_eq "$("$ABTF" list -j vmlinux.btf dup | jq '.functions | length')" 3

begin 'without addresses, names have no files, with or without func_unit'
for list in consistent_func consistent_func,func_unit; do
	encode vmlinux --features=$list
	expect_eq "$(funcs vmlinux)" 'unique: int unique(void)'
	expect_eq "$(skipped vmlinux | sort -u)" 'dup: ambiguous_address'
done

begin 'a function below _text has no offset, so it has no FUNC in BTF with addresses'
# shellcheck disable=SC2086
$CC $common $machine -nostdlib -static -Wl,-e,0,-Ttext=0xffffffff81000000,--defsym=_text=unique \
	-o low kernel/one.o kernel/three.o
encode low
expect_eq "$(funcs low)" 'unique = unique: int unique(void)'
expect_eq "$(skipped low | grep -v '^_text:')" "$(printf 'dup: %s\n' no_offset no_offset)"
# the first function is at the last offset; the kernel rejects BTF with an offset of 4 GB
# shellcheck disable=SC2086
$CC $common $machine -nostdlib -static -Wl,-e,0,-Ttext=0xffffffff81000000,--defsym=_text=0xfffffffe81000001 \
	-o far kernel/one.o kernel/three.o
encode far
expect_eq "$(funcs far | sed 's/ .*//')" dup@kernel/one.c
expect_eq "$(skipped far | grep -v '^_text:')" "$(printf '%s: no_offset\n' dup unique)"
encode low --features=consistent_func,func_unit
expect_eq "$(funcs low)" 'unique: int unique(void)'

# words NUMBER...: write the numbers as words of BTF
words() {
	local n
	for n; do
		# shellcheck disable=SC2059
		printf "\\x$(printf %x $((n & 255)))\\x$(printf %x $((n >> 8 & 255)))\\x$(printf %x $((n >> 16 & 255)))\\x$(printf %x $((n >> 24)))"
	done
}

# btf STRINGS WORD...: write BTF with these types
btf() {
	local strings=$1
	shift
	words 0x0001eb9f 24 0 $(($# * 4)) $(($# * 4)) $((${#strings} + 2))
	words "$@"
	printf '\0%s\0' "$strings" | tr '|' '\0'
}

proto='0 0x0d000000 0'
begin 'FUNCs with and without an address can be in one BTF'
# shellcheck disable=SC2086 # words
{
btf 'a|b' $proto 1 0x8c000001 1 0 0xff000000  3 0x8c000001 1 4 0xff000000 >both.btf
btf 'a|b' $proto 1 0x0c000001 1  3 0x0c000001 1 >neither.btf
btf 'a|b' $proto 1 0x8c000001 1 0 0xff000000  3 0x0c000001 1 >first.btf
btf 'a|b' $proto 1 0x0c000001 1  3 0x8c000001 1 0 0xff000000 >last.btf
}
for which in both neither first last; do
	expect 0 "$ABTF" strip $which.btf plain.btf
	cmp plain.btf neither.btf || fail $which
done
expect_eq "$("$ABTF" list -aj first.btf | jq -c '.functions | map(.offset)')" '[0,null]'
expect_eq "$("$ABTF" list -aj last.btf | jq -c '.functions | map(.offset)')" '[null,0]'

begin 'only names of FUNCs may contain @, after a valid name and before printable characters'
# shellcheck disable=SC2086 # words
for name in a@b a@/ 'a@!~@#' a.b@c; do
	btf "$name" $proto 1 0x0c000000 1 >t.btf
	expect 0 "$ABTF" list -a t.btf
	says "  $name  "
	btf "$name" 1 0x04000000 0 >t.btf
	expect 1 "$ABTF" list -a t.btf
	says 'type 1 .*STRUCT.*: name contains byte 0x40'
done
# shellcheck disable=SC2086 # words
for name in a@ @a @ 1@a 'a@b c' $'a@b\tc' $'a@\303\244'; do
	btf "$name" $proto 1 0x0c000000 1 >t.btf
	expect 1 "$ABTF" list -a t.btf
	says 'type 2 .*FUNC.*: name '
done
# also if a FUNC has the string first
# shellcheck disable=SC2086 # words
btf a@b $proto 1 0x0c000000 1  1 0x04000000 0 >t.btf
expect 1 "$ABTF" list -a t.btf
says 'type 3 '

begin 'check: a FUNC with the name of another function is a violation'
encode vmlinux
# address FUNC: print the offset in its record
address() {
	sed -nE "s|^.* FUNC $1 addr (0x[0-9a-f]+) .*|\1|p" vmlinux.dump
}
one=$(address dup@kernel/one.c) two=$(address dup@kernel/two.c) unique=$(address unique)
# lie STRINGS OFFSET OFFSET MESSAGE: write two FUNCs with adjacent names; check prints MESSAGE
lie() {
	local first=${1%|*}
	# shellcheck disable=SC2086 # words
	btf "$1" $proto 1 0x8c000000 1 $(($2)) 0xff000000 \
		$((${#first} + 2)) 0x8c000000 1 $(($3)) 0xff000000 >lie.btf
	expect 1 "$ABTF" check vmlinux lie.btf
	says "$4"
}
lie 'dup@a.c|dup@a.c' "$one" "$two" 'type 2 has the same name'
lie 'dup@a.c|dup' "$one" "$two" 'has no file in its name, but 3 function symbols have that name'
lie 'dup@a.c|unique@a.c' "$one" "$unique" 'has a file in its name, but is the only function with that name'
lie 'dup@a.c|nosuch@a.c' "$one" "$two" "where 'dup' starts"
lie 'dup|dup' "$two" "$one" 'expected FUNCs with the same name to be sorted by address'
lie 'dup|dup' "$two" "$two" 'is also the address of type 2, which has the same name'
# check finds each of these, because earlier validation accepts them
says '1 violation$'
