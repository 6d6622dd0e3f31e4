#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# btf-symbols, which "make check-images" relies on, must find wrong FUNCs.
. "${0%/*}/../lib.sh"

unit u <<'C'
int one(int a) { return a + 1; }
int two(int a) { return a + 2; }
int three(int a) { return a + 3; }
int lto(int a) __asm__("lto.llvm.1234");
int lto(int a) { return a + 4; }
int clone(int a) __asm__("three.isra.0");
int clone(int a) { return a + 5; }
int almost(int a) __asm__("three.llvm.12c");
int almost(int a) { return a + 6; }
int two_of_u(int a) { return a + 7; }
C
image vmlinux u.o
need_symbol vmlinux 'T lto.llvm.1234'
encode vmlinux
objcopy --redefine-sym lto.llvm.1234=three.llvm.1234 vmlinux
"$ABTF" strip vmlinux.btf plain.btf

# mismatches BTF...: print the lines of btf-symbols about one, two and three, without addresses
mismatches() {
	readelf -sW vmlinux | "$top/build/compare/btf-symbols" "$@" |
		sed -nE 's/\t0x[0-9a-f]*//; s/\t/ /g; /^[a-z]+ (one|two|three)([@ ]|$)/p'
}

# moved NAME SYMBOL: moved.btf is vmlinux.btf with NAME's record at SYMBOL
moved() {
	local id at text

	id=$(sed -nE "s/^\[([0-9]+)\] FUNC $1 addr .*/\1/p" vmlinux.dump)
	at=$(nm vmlinux | sed -n "s/ T $2\$//p")
	text=$(nm vmlinux | sed -n 's/ . _text$//p')
	"$edit" vmlinux.btf moved.btf "$id" 3 $((0x$at - 0x$text))
}

begin 'FUNCs at symbols with their names: no output'
moved three three
cmp vmlinux.btf moved.btf
mismatches vmlinux.btf plain.btf | expect_none

begin 'a FUNC at a symbol with another name, and the function without a FUNC, are printed'
moved one two
expect_text "$(mismatches moved.btf plain.btf)" <<'E'
other one two
missing one
E

begin 'only .llvm. and digits may follow the name'
moved three three.llvm.1234
mismatches moved.btf | expect_none
moved three three.isra.0
expect_eq "$(mismatches moved.btf)" 'other three three.isra.0'
moved three three.llvm.12c
expect_eq "$(mismatches moved.btf)" 'other three three.llvm.12c'

begin 'the part after an @ is ignored'
moved two_of_u two
LC_ALL=C sed 's/two_of_u/two@of_u/' moved.btf >named.btf
mismatches named.btf | expect_none
LC_ALL=C sed 's/two_of_u/two@of_u/' vmlinux.btf >named.btf
expect_eq "$(mismatches named.btf)" 'other two@of_u two_of_u'

begin 'NAME@FILE does not replace the bare name that the peer has'
cp vmlinux.btf whole.btf
moved two_of_u two
mv moved.btf vmlinux.btf
moved two three
LC_ALL=C sed 's/two_of_u/two@of_u/' moved.btf >named.btf
expect_eq "$(mismatches named.btf plain.btf)" "$(printf 'other two three\nmissing two')"
mv whole.btf vmlinux.btf

begin 'FUNCs without addresses are printed'
expect_text "$(mismatches plain.btf | sort)" <<'E'
plain one
plain three
plain two
E

begin 'a FUNC that only the peer has, without a symbol with exactly its name, is called a clone'
objcopy --redefine-sym one=one.isra.0 vmlinux
expect_text "$(mismatches vmlinux.btf plain.btf)" <<'E'
other one one.isra.0
clone one
E
