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
size=$(stat -c %s vmlinux)

# try IMAGE: set $why if the encoder violates this
try() {
	local status=0
	rm -f t.btf
	limited "$ABTF" encode -q -o t.btf "$1" >t.out 2>&1 </dev/null || status=$?
	case $status in
	0)	cmp -s t.btf vmlinux.btf || why="$2: status 0 and another result" ;;
	1)	[ -s t.out ] || why="$2: no message"
		[ ! -e t.btf ] || why="$2: wrote something" ;;
	*)	why="$2: status $status: $(head -n 3 t.out)" ;;
	esac
	leftovers=(t.btf?*)
	[ ! -e "${leftovers[0]}" ] || why="$2: left ${leftovers[*]} behind"
}

# cut_all WHAT OFFSET...: try the image cut off at each OFFSET
cut_all() {
	local what=$1 offset nr=0
	shift
	for offset; do
		[ "$offset" -lt "$size" ] || continue
		why=
		head -c "$offset" vmlinux >cut-off
		try cut-off "$what $offset"
		[ -z "$why" ] || { fail "$why"; nr=$((nr + 1)); }
		[ $nr -lt 5 ] || break
	done
}

begin 'cut off every 64 bytes'
# shellcheck disable=SC2046
cut_all 'cut at' $(seq 0 64 "$size")

begin 'cut off at, one before and one after each section boundary'
# "NAME TYPE ADDRESS OFFSET SIZE": offset and size of each section, in hexadecimal
sections() {
	readelf -SW vmlinux | sed -nE \
		's/^ *\[ *[0-9]+\] +([^ ]+) +[^ ]+ +[0-9a-f]{16} ([0-9a-f]+) ([0-9a-f]+) .*/\1 \2 \3/p'
}
bounds=$(sections | while read -r _ off len; do echo $((0x$off)) $((0x$off + 0x$len)); done)
n=0
for b in $bounds; do
	n=$((n + 1))
	[ "$b" -gt 0 ] || continue
	cut_all 'boundary' $((b - 1)) "$b" $((b + 1))
done
[ $n -gt 20 ] || fail "only $n boundaries found"

# Section headers stay, so the message must be about the contents of the section.
begin 'each debug section truncated, with complete headers'
for section in .debug_info .debug_abbrev .debug_str .debug_line_str .debug_line .debug_loclists \
	       .debug_rnglists .symtab .strtab; do
	sections | grep "^$section " >place || continue
	read -r _ off len <place
	off=$((0x$off)) len=$((0x$len))
	for keep in 0 1 7 $((len / 3)) $((len / 2)) $((len - 1)); do
		# zeroes from there to the section's end
		cp vmlinux hole
		dd if=/dev/zero of=hole bs=1 seek=$((off + keep)) count=$((len - keep)) \
			conv=notrunc status=none
		status=0
		limited "$ABTF" encode -q -o t.btf hole >t.out 2>&1 </dev/null || status=$?
		[ $status -le 1 ] || fail "$section zeroed from $keep: status $status: $(head -n 3 t.out)"
		cp vmlinux hole
		head -c $((len - keep)) /dev/zero | tr '\0' '\377' |
			dd of=hole bs=1 seek=$((off + keep)) conv=notrunc status=none
		status=0
		limited "$ABTF" encode -q -o t.btf hole >t.out 2>&1 </dev/null || status=$?
		[ $status -le 1 ] || fail "$section 0xff from $keep: status $status: $(head -n 3 t.out)"
	done
done

begin 'a file that is not an image'
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

