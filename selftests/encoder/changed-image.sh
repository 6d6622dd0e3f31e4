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

begin 'single bytes changed: a result or a message, never a crash'
damaged --output=t.btf vmlinux hole random:200 -- "$ABTF_PROGRAM" encode -q -o t.btf hole

begin 'bytes of .debug_info changed: a message, or BTF that can be read'
read -r info_at info_size <<<"$(readelf -SW vmlinux |
	sed -nE 's/.* \.debug_info +PROGBITS +[0-9a-f]{16} ([0-9a-f]+) ([0-9a-f]+) .*/\1 \2/p')"
[ -n "$info_size" ]
damaged --output=t.btf --then="$ABTF_PROGRAM list --all t.btf" vmlinux changed \
	"set:$((0x$info_at)):$((0x$info_at + 0x$info_size)):2:00/ff/05" -- \
	"$ABTF_PROGRAM" encode -q -o t.btf changed | tee runs
read -r nr _ rejected _ <runs
[ "$rejected" -gt 0 ] && [ "$rejected" -lt "$nr" ] || fail "$rejected of $nr rejected: both must occur"
