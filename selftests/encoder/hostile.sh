#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Handwritten DWARF that no compiler generates: cycles, deep nesting, wrong numbers and offsets.
# The result is a message and status 1, or BTF; never a crash, never a hang.
. "${0%/*}/../lib.sh"

unit good <<'C'
int f(int a) { return a; }
C

# dwarf NAME <<'S': assemble the DIEs of a unit.  Abbreviations:
#	1 unit, 2 typedef(name, type), 3 pointer(type), 4 struct(name, size) with
#	children, 5 member(name, type, offset), 6 subprogram(name, low_pc, type) with
#	children, 7 parameter(type), 8 int, 9 array(type) with children,
#	10 subrange(count), 11 block with children, 12 const(type),
#	13 subprogram(abstract_origin, low_pc), 14 enum(name, size) with children,
#	15 enumerator(name, value), 16 an invalid form (no-form only)
dwarf() {
	{
		cat <<-'S'
		.section .note.GNU-stack,""
		.section .debug_abbrev,""
		.macro abbrev nr, tag, children, rest:vararg
		.uleb128 \nr, \tag
		.byte \children
		.uleb128 \rest
		.endm
		abbrev 1, 0x11, 1, 0x13, 0x05, 0x03, 0x08, 0, 0
		abbrev 2, 0x16, 0, 0x03, 0x08, 0x49, 0x13, 0, 0
		abbrev 3, 0x0f, 0, 0x49, 0x13, 0, 0
		abbrev 4, 0x13, 1, 0x03, 0x08, 0x0b, 0x0f, 0, 0
		abbrev 5, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x0f, 0, 0
		abbrev 6, 0x2e, 1, 0x03, 0x08, 0x11, 0x01, 0x49, 0x13, 0, 0
		abbrev 7, 0x05, 0, 0x03, 0x08, 0x49, 0x13, 0, 0
		abbrev 8, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0
		abbrev 9, 0x01, 1, 0x49, 0x13, 0, 0
		abbrev 10, 0x21, 0, 0x37, 0x0f, 0, 0
		abbrev 11, 0x0b, 1, 0, 0
		abbrev 12, 0x26, 0, 0x49, 0x13, 0, 0
		abbrev 13, 0x2e, 0, 0x31, 0x13, 0x11, 0x01, 0, 0
		abbrev 14, 0x04, 1, 0x03, 0x08, 0x0b, 0x0f, 0, 0
		abbrev 15, 0x28, 0, 0x03, 0x08, 0x1c, 0x0d, 0, 0
		S
		[ "$1" != no-form ] || echo 'abbrev 16, 0x16, 0, 0x03, 0x77, 0, 0'
		cat <<-'S'
		.byte 0
		.text
		.globl hand
		.type hand, @function
		hand: ret
		.size hand, 1
		.section .debug_info,""
		.macro ref label
		.long \label - unit
		.endm
		.macro str s
		.asciz "\s"
		.endm
		unit: .long end - begin
		begin: .short 4
		.long .debug_abbrev
		.byte 8
		.uleb128 1
		.short 0x1d
		str "hand.c"
		int: .uleb128 8
		str "int"
		.byte 4, 5
		S
		cat
		cat <<-'S'
		.byte 0
		end:
		S
	} >"$1.s"
	gcc -c -o "$1.o" "$1.s"
	image "$1" good.o "$1.o"
}

# survives NAME STATUS
survives() {
	local status=0
	rm -f t.btf
	limited "$ABTF" encode -q -o t.btf "$1" >out 2>&1 </dev/null || status=$?
	[ $status = "$2" ] || fail "$1: status $status, expected $2: $(head -n 3 out)"
	if [ $status = 1 ]; then
		[ -s out ] || fail "$1: no message"
		[ ! -e t.btf ] || fail "$1: wrote something"
	elif [ $status = 0 ]; then
		limited "$dump" t.btf >t.dump
	fi
	status=0
	limited "$ABTF_PAHOLE" -J --btf_features=default --btf_encode_detached=t2.btf "$1" \
		>out2 2>&1 </dev/null || status=$?
	[ $status = "$2" ] || fail "$1, as pahole: status $status, expected $2: $(head -n 3 out2)"
}

# function_of LABEL: DIEs of a function with the type LABEL, as result and parameter
function_of() {
	printf '.uleb128 6\nstr "hand"\n.quad hand\nref %s\n.uleb128 7\nstr "a"\nref %s\n.byte 0\n' "$1" "$1"
}

begin 'valid handwritten DWARF has the expected result'
{
	echo 'td: .uleb128 2; str "mine"; ref int'
	echo 'p: .uleb128 3; ref td'
	function_of p
} | dwarf fine
survives fine 0
has t.dump 'FUNC hand addr .*: mine \*hand\(mine \*a\)'

begin 'a typedef of itself, a pointer to itself, const of itself'
{ echo 't: .uleb128 2; str "loop"; ref t'; function_of t; } | dwarf typedef-loop
survives typedef-loop 0
{ echo 't: .uleb128 3; ref t'; function_of t; } | dwarf pointer-loop
survives pointer-loop 0
{ echo 't: .uleb128 12; ref u'; echo 'u: .uleb128 12; ref v'; echo 'v: .uleb128 3; ref t'; function_of t; } | dwarf const-loop
survives const-loop 0
{ echo 't: .uleb128 2; str "a"; ref u'; echo 'u: .uleb128 2; str "b"; ref t'; function_of u; } | dwarf two-loop
survives two-loop 0

begin 'an array of itself, a structure that contains itself'
{ echo 't: .uleb128 9; ref t; .uleb128 10, 3; .byte 0'; function_of t; } | dwarf array-loop
survives array-loop 0
{ echo 't: .uleb128 4; str "s"; .uleb128 8; .uleb128 5; str "me"; ref t; .uleb128 0; .byte 0'; function_of t; } | dwarf struct-loop
survives struct-loop 0
{ echo 't: .uleb128 4; str ""; .uleb128 8; .uleb128 5; str "me"; ref t; .uleb128 0; .byte 0'; function_of t; } | dwarf anonymous-loop
survives anonymous-loop 0

begin 'a function that is its own origin'
{ echo 't: .uleb128 13; ref t; .quad hand'; } | dwarf origin-loop
survives origin-loop 0
{ echo 't: .uleb128 13; ref u; .quad hand'; echo 'u: .uleb128 13; ref t; .quad hand'; } | dwarf origin-loop2
survives origin-loop2 0
{ echo 't: .uleb128 13; ref int; .quad hand'; } | dwarf origin-int
survives origin-int 0

begin 'references to nowhere: outside the unit, into a DIE, to the wrong kind'
for where in 0x7fffffff 0 1 0x0b 0xffffffff; do
	{ echo "t: .uleb128 3; .long $where"; function_of t; } | dwarf nowhere
	survives nowhere 0
done
{ echo "t: .uleb128 3; .long int + 1 - unit"; function_of t; } | dwarf into
survives into 0
{ echo "m: .uleb128 3; ref f"; echo "f:"; function_of m; } | dwarf to-function
survives to-function 0

begin 'a chain of 200,000 pointers'
{
	echo 't0: .uleb128 3; ref int'
	awk 'BEGIN { for (i = 1; i <= 200000; i++) printf "t%d: .uleb128 3; ref t%d\n", i, i - 1 }'
	function_of t200000
} | dwarf chain
survives chain 0
# In reverse order, every reference is a forward reference.
{
	awk 'BEGIN { for (i = 200000; i; i--) printf "t%d: .uleb128 3; ref t%d\n", i, i - 1 }'
	echo 't0: .uleb128 3; ref int'
	function_of t200000
} | dwarf chain-forward
survives chain-forward 0

begin 'blocks nested 200,000 deep'
{
	echo '.rept 200000; .uleb128 11; .endr'
	echo '.rept 200000; .byte 0; .endr'
	function_of int
} | dwarf deep
survives deep 1
has out 'DIEs are nested deeper than 65536'
{
	echo '.rept 200000; .uleb128 11; .endr'
} | dwarf deep-open
survives deep-open 1
has out 'DIEs are nested deeper than 65536'

begin 'structures nested 50,000 deep by value'
{
	echo 't0: .uleb128 2; str "base"; ref int'
	awk 'BEGIN {
		member = ".uleb128 5; str \"m\"; ref"
		for (i = 1; i <= 50000; i++)
			printf "t%d: .uleb128 4; str \"\"; .uleb128 4; %s t%d; .uleb128 0; .byte 0\n", i, member, i - 1
	}'
	function_of t50000
} | dwarf nested
survives nested 0

begin 'more than BTF can represent: 70,000 members, values, parameters'
{
	echo 't: .uleb128 4; str "many"; .uleb128 280000'
	echo '.set i, 0; .rept 70000; .uleb128 5; str "m"; ref int; .uleb128 i; .set i, i + 4; .endr; .byte 0'
	function_of t
} | dwarf members
survives members 0
{
	echo 't: .uleb128 14; str "many"; .uleb128 4'
	echo '.rept 70000; .uleb128 15; str "v"; .sleb128 1; .endr; .byte 0'
	function_of t
} | dwarf values
survives values 0
{
	echo '.uleb128 6; str "hand"; .quad hand; ref int'
	echo '.rept 70000; .uleb128 7; str "a"; ref int; .endr; .byte 0'
} | dwarf parameters
survives parameters 0

begin 'sizes, counts and offsets of 2^32 and more'
{ echo 't: .uleb128 4; str "huge"; .uleb128 0x123456789abcdef; .uleb128 5; str "m"; ref int; .uleb128 0x7fffffffffffff; .byte 0'; function_of t; } | dwarf huge
survives huge 0
{ echo 't: .uleb128 9; ref int; .uleb128 10, 0xffffffffffffffff, 10, 0x100000001, 10, 0x80000000; .byte 0'; function_of t; } | dwarf huge-array
survives huge-array 0

begin 'unterminated numbers, unterminated strings'
{ echo 't: .uleb128 4; str "s"; .rept 100; .byte 0x80; .endr; .byte 1, 0'; function_of t; } | dwarf long-number
survives long-number 0
{ echo 't: .uleb128 4; str "s"; .rept 100; .byte 0xff; .endr'; } | dwarf no-end
survives no-end 0
{ function_of int; echo '.uleb128 2; .rept 5000; .ascii "x"; .endr'; } | dwarf no-nul
survives no-nul 1
has out 'a DIE that is cut off'

begin 'unknown abbreviations and forms'
{ echo '.uleb128 99'; } | dwarf no-abbreviation
survives no-abbreviation 1
{ echo '.uleb128 0xffffffffffffffff'; } | dwarf huge-abbreviation
survives huge-abbreviation 1
{ echo '.uleb128 16; str "x"; .long 0'; } | dwarf no-form
survives no-form 1

begin 'lists of children that are not terminated, or terminated twice'
{ echo '.uleb128 4; str "open"; .uleb128 8; .uleb128 5; str "m"; ref int; .uleb128 0'; } | dwarf open
survives open 0
{ echo '.byte 0, 0, 0, 0, 0, 0'; function_of int; } | dwarf closed
survives closed 0

begin 'names: long, strange, not UTF-8'
{ echo 't: .uleb128 2; .rept 70000; .ascii "n"; .endr; .byte 0; ref int'; function_of t; } | dwarf long-name
survives long-name 0
{ printf 't: .uleb128 2; .byte 0xff, 0xfe, 0x0a, 0x1b, 0x5b, 0; ref int\n'; function_of t; } | dwarf strange-name
survives strange-name 1
has out 'a name that is not text'
has_not out "$(printf '\033')"

begin 'names in .debug_str that are not text'
unit strange <<'C'
struct strange_name { int a; };
int f(struct strange_name *p) { return p->a; }
C
image strange strange.o
for file in strange.o strange; do
	for byte in 01 1f 7f 80 ff; do
		for name in "\\x${byte}trange_name" "strange\\x${byte}name" "strange_nam\\x$byte"; do
			LC_ALL=C sed "s/strange_name/$name/g" $file >no-text
			expect 1 "$ABTF" encode -o no-text.btf no-text
			says 'a name that is not text'
			[ ! -e no-text.btf ] || fail "$name: BTF was written"
		done
	done
	# UTF-8 is text, and becomes an identifier
	LC_ALL=C sed 's/strange_name/strang\xc3\xa9name/g' $file >text
	expect 0 "$ABTF" encode -o text.btf text
	"$dump" text.btf >text.dump
	has text.dump 'STRUCT strang__name size 4'
done

begin 'a table of section names that is called like a compressed section'
"$python" - <<'P'
import struct
d = bytearray(open('good.o', 'rb').read().replace(b'.shstrtab', b'.zdebug_b'))
start, = struct.unpack_from('<Q', d, 0x28)
nr, last = struct.unpack_from('<HH', d, 0x3c)
# its header becomes the first one, so that the names of the other sections are read after its own
first, table = start + 64, start + 64 * last
d[first:first + 64], d[table:table + 64] = d[table:table + 64], d[first:first + 64]
struct.pack_into('<H', d, 0x3e, 1)
open('zdebug-names', 'wb').write(d)
P
readelf -SW zdebug-names 2>&1 | matches '\.zdebug_b ' || fail 'no such section'
rm -f t.btf
expect 0 "$ABTF" encode -o t.btf zdebug-names
"$dump" t.btf >t.dump
has t.dump 'INT int'

begin 'types that BTF cannot represent: only that type is omitted'
{ echo 'v: .uleb128 4; str "s"; .uleb128 8; .uleb128 5; str "m"; .long 0; .uleb128 0; .byte 0'; function_of v; } | dwarf void-member
survives void-member 0
has t.dump 'STRUCT s size 8 \{ \}'
{ echo 't: .uleb128 4; str "two words"; .uleb128 8; .uleb128 5; str "m"; ref int; .uleb128 0; .byte 0'; function_of t; } | dwarf blank
survives blank 0
has t.dump 'STRUCT two_words size 8 \{ int m @0; \}'
