#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The function map: every function symbol can be selected and probed, including clones, assembly and
# functions whose prototype or file is not known.
. "${0%/*}/../lib.sh"

# Three functions are named "hash": one stays, and gcc clones the two others.  "opaque" is in
# assembly; "again" is defined twice there, and DWARF describes one of them.
cat >common.h <<'C'
struct pair { int first, second; long rest[8]; };
int sink(int a);
C
unit a <<'C'
#include "common.h"
int sink(int a) { __asm__ volatile("" : "+r"(a)); return a; }
static __attribute__((noinline)) int hash(struct pair *p, int x) { return sink(p->first + x) + sink(p->second); }
int (*address)(struct pair *, int) = hash;
int use_a(struct pair *p) { return hash(p, 1); }
C
for f in b c; do
	unit $f <<-C
	#include "common.h"
	static __attribute__((noinline)) int hash(struct pair *p, int x) { return sink(p->first) + sink(x) + ${#f}; }
	int use_$f(struct pair *p) { return sink(hash(p, 1) + hash(p + 1, 2)); }
	C
done
unit d <<'C'
#include "common.h"
static __attribute__((noinline)) int again(int x) { return sink(x) + 1; }
static __attribute__((noinline)) void rare(int x) { sink(x); }
int use_d(int x) { rare(x); return again(x); }
asm(".section .text\n"
    ".type opaque, @function\nopaque: nop; nop\n.size opaque, . - opaque\n"
    "entry_code: nop; nop; nop\n.size entry_code, . - entry_code\n"
    "label: nop\n"
    ".type __pfx_opaque, @function\n__pfx_opaque: nop; nop\n.size __pfx_opaque, . - __pfx_opaque\n"
    ".type __pfx_split.part.0, @function\n__pfx_split.part.0: nop\n.size __pfx_split.part.0, 1\n"
    ".type split.part.0, @function\nsplit.part.0: nop; nop\n.size split.part.0, . - split.part.0\n"
    ".type wide, @function\n.type twice, @function\n.type twice.isra.0, @function\n"
    "wide: twice: twice.isra.0: nop; nop; nop; nop\n"
    ".size wide, 4\n.size twice, 2\n.size twice.isra.0, 2\n"
    ".type split.cold, @function\nsplit.cold: nop; nop\n.size split.cold, . - split.cold\n"
    ".type opaque.cold, @function\nopaque.cold: nop; nop\n.size opaque.cold, 2\n");
C
# without debug information
echo 'int sink(int a);
static __attribute__((noinline)) int again(int x) { return sink(x) + 2; }
int use_e(int x) { return again(x); }' >e.c
tool gcc -O2 -c -o e.o e.c -fno-pie
image vmlinux a.o b.o c.o d.o e.o
need_symbol vmlinux 't hash\.isra\.0'
need_symbol vmlinux 't hash'
need_symbol vmlinux 't again'
expect_eq "$(nm vmlinux | grep -c ' t hash\.isra\.0$')" 2
text=$(nm vmlinux | awk '$3 == "_text" { print $1 }')

# names SELECTOR...: print the names of the selected functions
names() {
	expect 0 "$ABTF" list -j vmlinux "$@"
	jq -r '.functions[].name' out | tr '\n' ' '
}

begin 'NAME selects every body of the source function'
expect_eq "$(names hash)" 'hash hash.isra.0@b.c hash.isra.0@c.c '
expect_eq "$(names 'ha*')" 'hash hash.isra.0@b.c hash.isra.0@c.c '

begin 'NAME@FILE selects the functions in FILE, which may be a pattern'
expect_eq "$(names hash@a.c)" 'hash '
expect_eq "$(names hash@b.c)" 'hash.isra.0@b.c '
expect_eq "$(names 'hash@[bc].c')" 'hash.isra.0@b.c hash.isra.0@c.c '

begin 'the full name of a symbol selects only that symbol'
expect_eq "$(names hash.isra.0)" 'hash.isra.0@b.c hash.isra.0@c.c '
expect_eq "$(names hash.isra.0@c.c)" 'hash.isra.0@c.c '
expect_eq "$(names 'hash.isra*@b*')" 'hash.isra.0@b.c '

begin 'a clone has the flag, and the prototype of its source'
expect 0 "$ABTF" list -j vmlinux hash
expect_eq "$(jq -c '.functions[1] | [.flags[-1], .prototype]' out)" '["clone","int hash.isra.0(struct pair *p, int x)"]'
expect_eq "$(jq -c '.functions[0] | [(.flags | index("clone")), .prototype]' out)" '[null,"int hash(struct pair *p, int x)"]'
expect 0 "$ABTF" list vmlinux hash@b.c
says ' unknown,clone +hash.isra.0@b.c '

begin 'assembly, also without a symbol type, and functions without DWARF: no prototype'
for name in opaque entry_code; do
	expect 0 "$ABTF" list -j vmlinux $name
	expect_eq "$(jq -c '.functions[] | [.name, .prototype]' out)" "[\"$name\",null]"
done
expect 3 "$ABTF" list vmlinux label
expect 3 "$ABTF" list vmlinux __pfx_opaque
says "'__pfx_opaque' is padding before a function, or a trampoline"

begin 'a shared name in an unknown file: the offset distinguishes and selects it'
offset=$(printf '0x%x' $((0x$(nm vmlinux | awk '$3 == "again" { print $1 }' | tail -n 1) - 0x$text)))
expect_eq "$(names again)" "again@d.c again@_text+$offset "
expect_eq "$(names "again@_text+$offset")" "again@_text+$offset "
expect_eq "$(names again@d.c)" 'again@d.c '
expect 0 quietly "$ABTF" list --probe=tracefs vmlinux "again@_text+$offset"
expect_eq "$out" "p:abtf/again_${offset#0x} _text+$offset"
# its second instruction
next=$(objdump -dw --start-address=$((0x$text + offset)) vmlinux |
	awk '/^ *[0-9a-f]+:\t/ && ++n == 2 { sub(/:/, ""); print $1 }')
into=$((0x$next - 0x$text - offset))
expect 0 quietly "$ABTF" list --probe=tracefs vmlinux "again@_text+$offset+$into"
says "_text\+0x$(printf %x $((offset + into)))$"

begin 'parts: listed by --all and by name, and named if only a part is left'
expect 3 "$ABTF" list vmlinux split
says "'split' was split, and only parts of it have code: split.cold, split.part.0$"
expect_eq "$(names --all split)" 'split.cold split.part.0 '
# another part
expect 3 "$ABTF" list vmlinux split.part.7
says "'split.part.7' was split, and only parts of it have code: split.cold, split.part.0$"
# a clone or part of another build, of a function that has parts
for name in opaque.isra.0 opaque.part.0; do
	expect 3 "$ABTF" list vmlinux $name
	says "'$name' was not found; functions with that name:$"
	says '^abtf: error:     opaque$'
done
expect_eq "$(names split.part.0)" 'split.part.0 '
expect 0 "$ABTF" list vmlinux use_d
has_not out split

begin 'printed names are unique, and select exactly their function'
expect 0 "$ABTF" list -aj vmlinux
cp out all
jq -r '.functions[].name' all | sort | uniq -d | expect_none
jq -r '.functions[].name | select(contains("@") or contains("."))' all >qualified
[ "$(wc -l <qualified)" -gt 3 ] || fail 'too few names with a file or a suffix'
while read -r name; do
	expect_eq "$(names "$name")" "$name "
done <qualified

begin 'every function symbol is listed'
readelf -sW vmlinux | awk '($4 == "FUNC" || ($4 == "NOTYPE" && $3 > 0)) && $8 !~ /^__pfx_/ { print $2, $8 }' |
	sort -u >symbols
has symbols ' entry_code$'
jq -r --arg text "$((0x$text))" '.functions[] | "\(.offset + ($text | tonumber)) \(.name | sub("@.*"; ""))"' all |
	while read -r address name; do printf '%016x %s\n' "$address" "$name"; done | sort -u >listed
comm -3 listed symbols | expect_none

begin 'all selected functions have a probe'
expect 0 quietly "$ABTF" list --probe=tracefs vmlinux hash
expect_eq "$(grep -c '^p:' out) $(cut -d' ' -f1 out | sort -u | wc -l)" '3 3'

begin 'two names of one body: one probe'
expect_eq "$(names twice)" 'twice twice.isra.0 '
for selector in twice twice+1; do
	expect 0 quietly "$ABTF" list --probe=tracefs vmlinux $selector
	expect_eq "$(grep -c '^p:' out)" 1
done
expect 0 quietly "$ABTF" list --probe=tracefs vmlinux twice wide
expect_eq "$(grep -c '^p:' out)" 2

begin 'a name is shared if it has several bodies, not if one body has several symbols'
expect 0 "$ABTF" list vmlinux
says '^5 functions share 2 names\.$'
says ' unknown,clone +hash\.isra\.0@b\.c '
has_not out twice

begin 'flags are separated by commas'
expect 0 "$ABTF" list -a vmlinux
says ' unknown,clone '
awk '$3 ~ /,$|^,/' out | expect_none

begin '--table lists the same functions'
expect 0 "$ABTF" list --all --table vmlinux
for name in opaque entry_code "again@_text+$offset"; do
	has out "^${name/+/\\+} 0x"
done
expect_eq "$(awk 'NR > 1 { print $3 }' out | sort -u | xargs)" 'unknown unknown,clone'

begin 'symbolize uses these names'
for name in hash.isra.0@b.c hash.isra.0@c.c entry_code "again@_text+$offset"; do
	at=$(jq --arg name "$name" '.functions[] | select(.name == $name) | .offset' all)
	expect 0 "$ABTF" symbolize vmlinux $((at + 1))
	expect_eq "$out" "$name+0x1"
done

begin 'without DWARF and BTF: symbols'
tool objcopy --strip-debug vmlinux stripped
expect 0 "$ABTF" list -j stripped hash
expect_eq "$(jq -c '.functions | map([.name, .prototype]) | .[0]' out)" '["hash",null]'
expect_eq "$(jq -r '.functions | length' out)" 3
jq -r '.functions[].name' out | sort | uniq -d | expect_none
expect 0 quietly "$ABTF" list --probe=tracefs stripped hash
expect_eq "$(grep -c '^p:' out)" 3

begin 'without DWARF: BTF may call a clone like its source'
unit g <<'C'
#include "common.h"
int sink(int a) { __asm__ volatile("" : "+r"(a)); return a; }
static __attribute__((noinline)) int only(struct pair *p, int x) { return sink(p->first) + sink(x); }
int use_g(struct pair *p) { return sink(only(p, 1) + only(p + 1, 2)); }
C
image single g.o
need_symbol single 't only\.isra\.0'
"$ABTF" encode -q --features=default,optimized_func -o single.btf single
"$ABTF_PAHOLE" -J --btf_features=encode_force,var,float,optimized_func --btf_encode_detached=single.btf single
tool objcopy --strip-debug --add-section .BTF=single.btf single
expect 0 "$ABTF" list -j single only
expect_eq "$(jq -r '.functions | map(.name) | join(" ")' out)" only.isra.0

begin 'without DWARF: a FUNC without an address describes none of several functions'
unit several <<'C'
static __attribute__((noinline, used)) int first(int x) { return x; }
static __attribute__((noinline, used)) long second(long x) { return x * 2; }
static __attribute__((noinline, used)) long lone(long x) { return x * 3; }
C
image several several.o
"$ABTF" encode -q --features=encode_force,var,float -o several.btf several
tool objcopy --strip-debug --redefine-sym second=first --add-section .BTF=several.btf several
expect_eq "$(nm several | grep -c ' t first$')" 2
expect 0 "$ABTF" list -aj several
expect_eq "$(jq -r '.functions[] | select(.prototype).name' out | tr '\n' ' ')" 'lone second '
expect_eq "$(jq -r '[.functions[] | select(.name | startswith("first"))] | length' out)" 2

begin 'the cache has the same functions, and they are completed'
mkdir -p root/sys/kernel root/usr/lib/debug/boot
id=$(build_id vmlinux)
cp vmlinux root/usr/lib/debug/boot/vmlinux-1
export XDG_CACHE_HOME=$PWD/cache
for cached in '' yes; do
	[ -z "$cached" ] || rm root/usr/lib/debug/boot/vmlinux-1
	expect 0 "$ABTF" list -aj --build-id="$id" --sysroot=root
	expect_eq "$(sha256sum <out)" "$(sha256sum <all)" "list $cached"
done
expect 0 "$ABTF" list --build-id="$id" --sysroot=root --complete=hash
expect_eq "$(tr '\n' ' ' <out)" 'hash hash@ '
expect 0 "$ABTF" list --build-id="$id" --sysroot=root --complete=hash@
expect_eq "$(tr '\n' ' ' <out)" 'hash@a.c hash@b.c hash@c.c '
expect 0 "$ABTF" list --build-id="$id" --sysroot=root --complete=hash.
expect_eq "$(sort -u out | tr '\n' ' ')" 'hash.isra.0 '

begin 'a module: functions with a shared name are listed, and selected by the listed name'
printf 'static const char m[] __attribute__((section(".modinfo"), used)) = "name=m";\n' >m.c
tool gcc -c -o m.o m.c
module m.ko a.o b.o c.o d.o e.o m.o
expect 0 "$ABTF" list -j m.ko hash again
expect_eq "$(jq -r '.functions[].name' out | tr '\n' ' ' | sed 's/+0x[0-9a-f]*/+X/')" \
	'again@d.c again@.text+X hash hash.isra.0@b.c hash.isra.0@c.c '
name=$(jq -r '.functions[1].name' out)
expect 0 "$ABTF" list -j m.ko "$name"
expect_eq "$(jq -r '.functions[].name' out)" "$name"
expect_eq "$("$ABTF" list -j m.ko hash@b.c | jq -r '.functions[].decl_file')" b.c

# timely IMAGE: 100,000 symbols must not take quadratic time, which was more than a minute
timely() {
	expect 0 timeout $((10 * SLOWNESS)) "$ABTF" list "$1" only
	says ' only '
}

begin 'many symbols at one address, and many clones of one function, do not take quadratic time'
"$python" >many.s -c '
print(".text\n.globl only\n.type only, @function\nonly: nop\n.size only, 1\nplace:")
for i in range(100000):
    print(f".type n{i}, @function\n.set n{i}, place\n.size n{i}, 4")
print(".rept 4\nnop\n.endr")'
gcc -c -o many.o many.s
image many many.o
timely many
"$python" >many.s -c '
print(".text\n.globl only\n.type only, @function\nonly: nop\n.size only, 1")
for i in range(100000):
    print(f".type n.isra.{i}, @function\nn.isra.{i}: nop\n.size n.isra.{i}, 1")'
gcc -c -o many.o many.s
image many many.o
timely many
