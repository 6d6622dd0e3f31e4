#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# encode --from-btf: input that is rejected, or was changed.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/from-btf.sh"

build_vmlinux
build_module
unit base <<<'struct s { int a:3; unsigned b:5; char c; struct s *next; }; int base_func(struct s *s) { return s->a; }'
image base base.o
"$ABTF" encode -q base
"$ABTF" strip vmlinux plain.btf

begin 'rejected: no BTF, a distilled base, another byte order, languages'
cp vmlinux none
objcopy -R .BTF none
expect 1 "$ABTF" encode --from-btf none
says 'none: no .BTF section, which --from-btf requires; without that option DWARF is read'
cp m.o distilled.ko
"$ABTF" encode -q --base vmlinux distilled.ko
objcopy --add-section .BTF.base=plain.btf distilled.ko
expect 1 "$ABTF" encode --from-btf --base vmlinux distilled.ko
says 'a separate base'
expect 2 "$ABTF" encode --from-btf --lang-exclude=rust vmlinux
says 'BTF does not record the language'
encode vmlinux
target s390x
unit e <<<'int e(int a) { return a; }'
image big e.o
encode big
target gcc
replace_btf vmlinux big.btf
expect 1 "$ABTF" encode --from-btf vmlinux
says 'byte order'

begin 'rejected: a bit-field as an INT'
id=$(sed -nE 's/^\[([0-9]+)\] INT int .*/\1/p' vmlinux.dump)
"$edit" vmlinux.btf lie.btf "$id" 3 0x01000007
cp none lie
replace_btf lie lie.btf
expect 1 "$ABTF" encode --from-btf lie
says 'INT int.*a bit-field as an INT'

begin 'two objects are rejected if the second one is invalid'
{ cat vmlinux.btf; printf '\0\0\0\0not BTF, and long enough for a header'; } >lie.btf
replace_btf lie lie.btf
expect 1 "$ABTF" encode --from-btf lie
says 'object 2: BTF magic is'

begin 'truncated or changed BTF: a message, or valid BTF'
cp vmlinux none
replace_btf none vmlinux.btf
read -r nr at size < <(readelf -SW none |
	sed -nE 's/.*\[ *([0-9]+)\] \.BTF +PROGBITS +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) .*/\1 0x\2 0x\3/p')
changes=("set:$((at)):$((at + size)):13:ff")
# sh_size in the section's header
headers=$(readelf -h none | sed -n 's/.*Start of section headers: *\([0-9]*\).*/\1/p')
for ((cut = 0; cut < size; cut += 23)); do
	to=$((headers + 64 * nr + 32))
	changes+=("set:$to:$((to + 1)):1:$(printf '%02x%02x0000' $((cut & 255)) $((cut >> 8)))")
done
damaged --output=got.btf --then="$ABTF_PROGRAM list -a got.btf" none lie "${changes[@]}" -- \
	"$ABTF_PROGRAM" encode -q --from-btf -o got.btf lie

begin 'endlessly nested unnamed types are compared with a base'
unit nest <<<'struct { int a; void *p; } v; int f(void) { return v.a; }'
encode nest.o --features=default,global_var
id=$(sed -nE 's/^\[([0-9]+)\] STRUCT .*/\1/p' nest.o.dump)
ptr=$(sed -nE 's/^\[([0-9]+)\] PTR .*/\1/p' nest.o.dump)
"$edit" nest.o.btf lie.btf "$ptr" 2 "$id"
cp nest.o lie.o
replace_btf lie.o lie.btf
expect 0 "$ABTF" encode --from-btf -o got.btf lie.o
expect 0 "$ABTF" encode --from-btf --base base -o got.btf lie.o

begin 'pointers to pointers 300,000 deep are compared with a base, in any order'
# orders: each pointer points to the previous one, to the next one, or to these in turn
"$python" - <<'EOF'
import struct
n = 300000
blocks = [k for at in range(0, n, 900) for k in reversed(range(at, min(at + 900, n)))]
for name, order in ('up', list(range(n))), ('down', list(range(n))[::-1]), ('blocks', blocks):
    ids = [0] * n
    for place, k in enumerate(order):
        ids[k] = place + 2
    types = bytearray(struct.pack('<4I', 1, 1 << 24, 4, 1 << 24 | 32))
    for k in order:
        types += struct.pack('<3I', 0, 2 << 24, ids[k - 1] if k else 1)
    strings = b'\0int\0'
    head = struct.pack('<HBB5I', 0xeb9f, 1, 0, 24, 0, len(types), len(types), len(strings))
    open(name + '.chain', 'wb').write(head + types + strings)
EOF
for base in up down blocks; do
	for order in up down blocks; do
		cp nest.o lie.o
		replace_btf lie.o $order.chain
		expect 0 "$ABTF" encode --from-btf --base $base.chain -o got.btf lie.o
	done
	# nothing is written if the base has all of these types, and the comparison reached the end
	[ $base = down ] || expect_eq "$(stat -c %s got.btf)" 24
done
