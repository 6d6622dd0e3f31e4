#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The layout section has the right contents, and all readers of BTF accept it.
. "${0%/*}/../lib.sh"

cat >small.c <<'C'
struct s { int a; };
int f(struct s *s) { return s->a; }
C
unit small <small.c
image vmlinux small.o
plain='--btf_features=default'
with="$plain,layout"

# word FILE NUMBER: print a 32-bit word of the file, in its byte order
word() {
	local order=little

	[ "$(od -An -N1 -t x1 "$1")" = ' 9f' ] || order=big
	od -An -j $((4 * $2)) -N4 -t u4 --endian=$order "$1" | tr -d ' '
}

# An entry of 4 bytes for each kind, starting at 0: size of the fixed part, size of each element,
# flags.  The sizes are from Documentation/bpf/btf.rst; the table and its
# position between types and strings are from libbpf 1.8's btf.c (layouts[],
# btf_new_empty()).  pahole 1.32 with libbpf 1.8 wrote the same bytes for small.c.
table='00000000 04000000 00000000 0c000000 000c0000 000c0000 00080000 00000000
00000000 00000000 00000000 00000000 00000000 00080000 04000000 000c0000
00000000 04000000 00000000 000c0000'

for where in gcc s390x; do
	target $where
	unit on-$where <small.c
	image $where on-$where.o

	begin "$where: the header has 32 bytes, and the section an entry for each kind"
	"$ABTF_PAHOLE" -J $with --btf_encode_detached=$where.btf $where
	"$ABTF_PAHOLE" -J $plain --btf_encode_detached=$where-without.btf $where
	types=$(word $where-without.btf 3)
	expect_eq "$(word $where.btf 1)" 32 'hdr_len'
	expect_eq "$(word $where.btf 2)" 0 'type_off'
	expect_eq "$(word $where.btf 3)" "$types" 'type_len'
	expect_eq "$(word $where.btf 4)" $((types + 80)) 'str_off'
	expect_eq "$(word $where.btf 6)" "$types" 'layout_off'
	expect_eq "$(word $where.btf 7)" 80 'layout_len'
	expect_eq "$(od -An -v -j $((32 + types)) -N80 -t x1 $where.btf | tr -d ' \n')" \
		"$(tr -d ' \n' <<<"$table")" 'the section'
	expect_eq "$(stat -c %s $where.btf)" $(($(stat -c %s $where-without.btf) + 8 + 80)) 'size'

	begin "$where: the layout section changes no type, and strip keeps it"
	cmp <(tail -c +25 $where-without.btf | head -c "$types") \
		<(tail -c +33 $where.btf | head -c "$types") || fail 'the types differ'
	expect 0 "$ABTF" strip $where.btf stripped.btf
	cmp stripped.btf $where.btf || fail 'strip changed the BTF'
	# libbpf 1.1 accepts a longer header only in its own byte order
	[ $where != gcc ] || expect 0 bpftool btf dump file $where.btf

	begin "$where: list, check, diff and --from-btf read BTF with a layout section"
	expect 0 "$ABTF" list -a $where.btf
	says 'int f\(struct s \*s\)'
	expect 0 "$ABTF" check $where $where.btf
	expect 0 "$ABTF" diff $where.btf $where-without.btf
	cp $where amended
	"$ABTF_PAHOLE" -J $with amended
	expect 0 "$ABTF" encode --from-btf --features=+layout -o again.btf amended
	"$ABTF" encode -q --from-btf -o again-without.btf amended
	cmp again.btf again-without.btf || fail 'BTF with addresses has a layout section'
	expect 0 "$ABTF" encode --from-btf --features=encode_force,var,layout -o again.btf amended
	cmp again.btf $where.btf || fail 'amending BTF with the same features changes it'

	begin "$where: with addresses, no layout section is written, and a warning says so"
	expect 0 "$ABTF" encode --features=+layout -o addressed.btf $where
	says 'warning: .*no layout section'
	"$ABTF" encode -q -o without.btf $where
	cmp addressed.btf without.btf || fail 'the bytes differ'
done

begin 'in place, with padding: the strings remain last'
target gcc
cp vmlinux in-place
for features in $with $plain $with; do
	expect 0 "$ABTF_PAHOLE" -J $features in-place
	expect 0 "$ABTF" check in-place
done
section in-place .BTF in-place.btf
cmp in-place.btf gcc.btf || fail '.BTF differs from the output file'

begin "split BTF has no layout section: readers use the base's"
unit mod <<'C'
struct s { int a; };
struct own { struct s *s; } *own;
int mod_func(struct s *s, struct own *o) { return s->a; }
C
module mod.ko mod.o
expect 0 "$ABTF_PAHOLE" -J $with --btf_base gcc.btf --btf_encode_detached=mod.btf mod.ko
expect_eq "$(word mod.btf 1)" 24 'hdr_len'
"$dump" mod.btf gcc.btf >mod.dump
has mod.dump 'FUNC mod_func'
has_not mod.dump 'STRUCT s '
expect 0 "$ABTF" encode --base gcc.btf -o addressed.btf mod.ko
expect 0 "$ABTF" check --base gcc.btf mod.ko addressed.btf
cp mod.ko distilled.ko
expect 0 "$ABTF_PAHOLE" -J $with,distilled_base --btf_base gcc.btf distilled.ko
section distilled.ko .BTF.base base.bin
section distilled.ko .BTF split.bin
expect_eq "$(word base.bin 1) $(word split.bin 1)" '24 24' 'hdr_len'

# edit_word FILE NUMBER VALUE: copy FILE to edited.btf, with another little-endian word
edit_word() {
	cp "$1" edited.btf
	printf '%b' "$(printf '\\x%02x' $(($3 & 255)) $(($3 >> 8 & 255)) $(($3 >> 16 & 255)) \
		$(($3 >> 24 & 255)))" |
		dd of=edited.btf bs=1 seek=$((4 * $2)) conv=notrunc status=none
}

begin 'a layout section that is not between types and strings is rejected'
types=$(word gcc.btf 3)
for off in 0 $((types - 4)) $((types + 2)) $((types + 4)) 0x7ffffffc 0xfffffffc; do
	edit_word gcc.btf 6 $off
	expect 1 "$ABTF" strip edited.btf -
	says 'edited.btf: BTF layout section at [0-9]+ \(80 bytes\), expected entries of 4 bytes between types and strings'
done
for len in 79 81 84 0x80000000 0xfffffffc; do
	edit_word gcc.btf 7 $((len))
	expect 1 "$ABTF" strip edited.btf -
	says 'BTF layout section at [0-9]+ \([0-9]+ bytes\), expected entries'
done

begin 'a layout section with entries for fewer kinds is accepted'
edit_word gcc.btf 7 52
expect 0 "$ABTF" strip edited.btf stripped.btf
expect_eq "$(word stripped.btf 7)" 52 'layout_len'

begin 'a layout section with entries for unknown kinds is accepted'
{
	head -c $((32 + types + 80)) gcc.btf
	printf '\x08\x04\x00\x00'
	tail -c +$((32 + types + 80 + 1)) gcc.btf
} >more.btf
edit_word more.btf 7 84
cp edited.btf more.btf
edit_word more.btf 4 $((types + 84))
cp edited.btf more.btf
expect 0 "$ABTF" strip more.btf stripped.btf
cmp stripped.btf more.btf || fail 'strip changed the BTF'

begin 'a wrong entry of a layout section is rejected'
# after the header and the types, the entry of FUNC is the 13th
edit_word gcc.btf $(((32 + types) / 4 + 12)) 8
expect 1 "$ABTF" list edited.btf
says 'edited.btf: BTF layout section: FUNC is followed by 8 bytes and 0 for each element, expected 0 and 0'
edit_word gcc.btf $(((32 + types) / 4 + 4)) 0
expect 1 "$ABTF" list edited.btf
says 'BTF layout section: STRUCT is followed by 0 bytes and 0 for each element, expected 0 and 12'

begin 'a layout section is rejected if there are records'
"$ABTF" encode -q -o addressed.btf vmlinux
types=$(word addressed.btf 3)
{
	printf '\x9f\xeb\x01\x00\x20\x00\x00\x00'
	head -c 24 addressed.btf | tail -c 16
	printf '\0\0\0\0\x50\0\0\0'
	head -c $((24 + types)) addressed.btf | tail -c +25
	# shellcheck disable=SC2046 # bytes
	printf '%b' $(tr -d ' \n' <<<"$table" | sed 's/../\\x&/g')
	tail -c +$((24 + types + 1)) addressed.btf
} >both.btf
for word_value in "4 $((types + 80))" "6 $types"; do
	# shellcheck disable=SC2086 # two words
	edit_word both.btf $word_value
	cp edited.btf both.btf
done
expect 1 "$ABTF" list both.btf
says 'both.btf: according to the BTF layout section, nothing follows a FUNC, but FUNCs have addresses'

begin 'a header of more than 32 bytes is accepted'
types=$(word gcc.btf 3)
{
	printf '\x9f\xeb\x01\x00\x28\x00\x00\x00'
	head -c 32 gcc.btf | tail -c +9
	printf '\x01\x02\x03\x04\x05\x06\x07\x08'
	tail -c +33 gcc.btf
} >longer.btf
expect 0 "$ABTF" strip longer.btf stripped.btf
cmp stripped.btf gcc.btf || fail 'the sections of the BTF differ'
edit_word longer.btf 1 0x10000
expect 1 "$ABTF" strip edited.btf stripped.btf
says 'BTF header of 65536 bytes'
