#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# BTF that is cut off anywhere, or in which single bytes are changed: list, check, diff and
# strip print a message and return status 1 (check and diff 2, as 1 means a difference), or read it;
# they never crash.
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

begin 'BTF cut off every 4 bytes: list, check, diff and strip report it'
size=$(stat -c %s vmlinux.btf)
for offset in $(seq 0 4 $((size - 1))); do
	head -c "$offset" vmlinux.btf >cut.btf
	for cmd in 'list --all cut.btf' 'check vmlinux cut.btf' 'diff vmlinux.btf cut.btf' 'strip cut.btf s.btf'; do
		status=0
		# shellcheck disable=SC2086
		limited "$ABTF" $cmd >t.out 2>&1 </dev/null || status=$?
		case $cmd in
		check*|diff*)	expected=2 ;;
		*)		expected=1 ;;
		esac
		[ $status = $expected ] || { fail "at $offset: $cmd: status $status"; break 2; }
	done
done
[ ! -e s.btf ] || fail 'strip wrote something'

begin 'BTF with single bytes changed: never a crash'
RANDOM=1
for i in $(seq 300); do
	cp vmlinux.btf hole.btf
	printf '%b' "\\x$(printf %02x $((RANDOM % 256)))" |
		dd of=hole.btf bs=1 seek=$((RANDOM % size)) conv=notrunc status=none
	for cmd in 'list --all hole.btf' 'check vmlinux hole.btf' 'diff vmlinux.btf hole.btf' 'strip hole.btf s.btf'; do
		status=0
		# shellcheck disable=SC2086
		limited "$ABTF" $cmd >t.out 2>&1 </dev/null || status=$?
		[ $status -le 2 ] || { fail "$cmd: status $status: $(head -n 3 t.out)"; cp hole.btf "bad-$i.btf"; }
	done
done
