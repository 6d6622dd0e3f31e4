#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# An image in which single bytes are changed: BTF that can be read, or a message and status 1,
# never a crash.
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

begin 'single bytes changed: a result or a message, never a crash'
RANDOM=1
for i in $(seq 200); do
	cp vmlinux hole
	offset=$(((RANDOM * 32768 + RANDOM) % size))
	printf '%b' "\\x$(printf %02x $((RANDOM % 256)))" |
		dd of=hole bs=1 seek=$offset conv=notrunc status=none
	status=0
	limited "$ABTF" encode -q -o t.btf hole >t.out 2>&1 </dev/null || status=$?
	[ $status -le 1 ] || { fail "offset $offset: status $status: $(head -n 3 t.out)"; cp hole "bad-$i"; }
done

begin 'an image with single bytes changed: a message, or BTF that can be read'
read -r info_at info_size <<<"$(readelf -SW vmlinux |
	sed -nE 's/.* \.debug_info +PROGBITS +[0-9a-f]{16} ([0-9a-f]+) ([0-9a-f]+) .*/\1 \2/p')"
[ -n "$info_size" ]
nr=0 refused=0 values=('\x00' '\xff' '\x05')
for at in $(seq 0 2 $((0x$info_size - 1))); do
	value=${values[nr % 3]}
	nr=$((nr + 1))
	cp vmlinux changed
	printf '%b' "$value" | dd of=changed bs=1 seek=$((0x$info_at + at)) conv=notrunc status=none
	status=0
	rm -f t.btf
	limited "$ABTF" encode -q -o t.btf changed >t.out 2>&1 </dev/null || status=$?
	if [ $status = 1 ]; then
		refused=$((refused + 1))
		[ -s t.out ] || fail "$value at $at: no message"
		[ ! -e t.btf ] || fail "$value at $at: wrote something"
	elif [ $status != 0 ]; then
		fail "$value at $at: status $status"
	else
		"$ABTF" list --all t.btf >/dev/null 2>t.out ||
			fail "$value at $at: wrote what cannot be read: $(head -n 1 t.out)"
	fi
done
echo "$nr images, $refused rejected"
[ $refused -gt 0 ] && [ $refused -lt $nr ] || fail "$refused of $nr rejected: both must occur"
