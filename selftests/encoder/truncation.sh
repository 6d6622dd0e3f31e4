#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# An image that is cut off anywhere leads to a message and status 1 (or the complete output if the
# missing part is not needed); no file is written, and there is no crash.
. "${0%/*}/../lib.sh"

unit a <<'C'
struct s { struct s *next; int n[2][3]; union { int a; float b; }; };
static __attribute__((noinline, used)) int dup(struct s *s, const char *c) { return s->a; }
int f(int x, ...) { return x; }
C
unit b <<'C'
struct s { long other; };
static __attribute__((noinline, used)) long dup(struct s *s) { return s->other; }
C
image vmlinux a.o b.o
encode vmlinux

# cut CHANGE...: expect that encode rejects each changed image, or does not need the missing bytes
cut() {
	damaged --output=t.btf --same=vmlinux.btf vmlinux cut-off "$@" -- "$ABTF_PROGRAM" encode -q -o t.btf cut-off
	leftovers | expect_none
}

begin 'an image cut off every 64 bytes is an error, or gives the whole BTF'
cut cut:0:END:64

begin 'an image cut off at, one before and one after each section boundary is an error, or gives the whole BTF'
# offset and size of each section
sections() {
	readelf -SW vmlinux | sed -nE 's/^ *\[ *[0-9]+\] +([^ ]+) +[^ ]+ +[0-9a-f]{16} ([0-9a-f]+) ([0-9a-f]+) .*/\1 0x\2 0x\3/p'
}
mapfile -t changes < <(sections | while read -r _ off len; do
	printf 'cut:%d:%d:1\n' $((off - 1)) $((off + 2)) $((off + len - 1)) $((off + len + 2))
done | grep -v ':-1:' | sort -u)
[ ${#changes[@]} -gt 10 ] || fail "only ${#changes[@]} boundaries found"
cut "${changes[@]}"

# Section headers stay, so the message must be about the contents of the section.
begin 'each debug section truncated, with complete headers, is an error, or gives the whole BTF'
for section in .debug_info .debug_abbrev .debug_str .debug_line_str .debug_line .debug_loclists \
	       .debug_rnglists .symtab .strtab; do
	if ! sections | grep "^$section " >place; then
		# gcc only writes these for variables and functions in several pieces
		[[ $section = .debug_*lists ]] || fail "precondition: no $section"
		continue
	fi
	read -r _ off len <place
	changes=()
	for keep in 0 1 7 $((len / 3)) $((len / 2)) $((len - 1)); do
		changes+=({zero,ones}":$((off + keep)):$((off + len))")
	done
	damaged --output=t.btf vmlinux hole "${changes[@]}" -- "$ABTF_PROGRAM" encode -q -o t.btf hole
done

begin 'a file that is not an image is rejected'
rm -f t.btf
: >empty
expect 1 "$ABTF" encode -o t.btf empty
echo 'not an ELF file' >text
expect 1 "$ABTF" encode -o t.btf text
says text
expect 1 "$ABTF" encode -o t.btf .
expect 1 "$ABTF" encode -o t.btf nowhere
says nowhere
expect 1 "$ABTF" encode -o t.btf /dev/null
[ ! -e t.btf ] || fail 'a file was written'

