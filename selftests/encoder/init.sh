#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Init and exit text has FUNCs without an address: nothing is there after boot.
. "${0%/*}/../lib.sh"
unit a <<'C'
int __attribute__((section(".init.text"))) setup(int a) { return a; }
int __attribute__((section(".exit.text"))) leave(int a) { return a; }
int __attribute__((section(".exit.text"))) teardown(int a) { return a + 2; }
int stays(int a) { return a + 1; }
C
unit b <<'C'
static int __attribute__((section(".init.text"), noinline, used)) setup(char *s) { return *s; }
static int __attribute__((section(".init.text"), noinline, used)) first(char *s) { return *s; }
static int __attribute__((noinline, used)) teardown(char *s) { return *s; }
C
image vmlinux a.o b.o

for features in default func_addr,consistent_func; do
	begin "$features: functions in init and exit text have no address, and no twins"
	encode vmlinux --features=$features
	suffix=@b.c
	[ $features != func_addr,consistent_func ] || suffix=
	expect_text "$(funcs vmlinux)" <<-F
	first: int first(char *s)
	leave: int leave(int a)
	stays = stays: int stays(int a)
	teardown$suffix = teardown: int teardown(char *s)
	F
	expect_eq "$(skipped vmlinux)" "$(printf '%s: init_text\n' setup setup teardown)"
	expect 0 "$ABTF" check -d vmlinux vmlinux.btf
	says 'DWARF agrees with 4 prototypes, contradicts 0 .* 0 functions are missing'
	says '4 functions, 2 with an address, . with a file: 0 violations'
done
encode vmlinux

begin 'as pahole has them: the same as others'
expect 0 "$ABTF" encode -q --features=consistent_func -o pahole.btf vmlinux
expect_eq "$("$dump" pahole.btf | grep -c 'FUNC \(first\|leave\|stays\) linkage')" 3

begin 'list shows no address'
expect 0 "$ABTF" list -a vmlinux.btf
says '^ *[0-9]+ +-  static   first '
expect_eq "$("$ABTF" list -j vmlinux.btf first | jq -c '.[].offset')" null

begin 'plain BTF of that is what it was without addresses'
expect 0 "$ABTF" strip vmlinux.btf plain.btf
expect_eq "$(grep -c . <<<"$("$dump" plain.btf)")" "$(grep -c . vmlinux.dump)"

begin 'check finds an address in init text, and one that lacks elsewhere'
# moved NAME SECTION: NAME's record is at the start of a section
moved() {
	local id at text

	id=$(sed -nE "s/^\[([0-9]+)\] FUNC $1 addr .*/\1/p" vmlinux.dump)
	at=$(readelf -SW vmlinux | sed -nE "s/.* \\$2 +PROGBITS +([0-9a-f]+) .*/\1/p")
	text=$(nm vmlinux | sed -n 's/ . _text$//p')
	"$edit" vmlinux.btf moved.btf "$id" 3 $((0x$at - 0x$text))
}
for name in setup teardown; do
	case $name in setup) sec=.init.text ;; *) sec=.exit.text ;; esac
	unit c <<<"int $name(int a) { return a; } int __attribute__((section(\"$sec\"))) gone(int a) { return a; }"
	image vmlinux c.o
	encode vmlinux
	moved $name $sec
	objcopy --redefine-sym $name=x --redefine-sym gone=$name vmlinux other
	expect 1 "$ABTF" check other moved.btf
	says "type [0-9]+ \(FUNC $name\): '$name' is init or exit text, which is to have no address"
	objcopy --redefine-sym $name=gone --redefine-sym gone=$name vmlinux other
	expect 1 "$ABTF" check other moved.btf
	says "type [0-9]+ \(FUNC gone\): has no address, and 'gone' is neither init nor exit text"
done

begin 'a name of several whose FUNC has no address'
sed 's/gone/g@ne/' moved.btf >file.btf
expect 1 "$ABTF" check vmlinux file.btf
says 'FUNC g@ne\): says a file, and has no address'

begin 'a record with a reserved bit'
id=$(sed -nE "s/^\[([0-9]+)\] FUNC teardown .*/\1/p" vmlinux.dump)
"$edit" vmlinux.btf reserved.btf "$id" 4 0xff010000
expect 1 "$ABTF" list -a reserved.btf
says 'guard and reserved bits are 0xff01, expected 0xff00'
