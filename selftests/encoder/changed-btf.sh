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

# run_one NR FILE: run one of the commands on FILE, in turn: all read BTF with the same functions.
# Sets cmd and status.
run_one() {
	local cmds=("list --all $2" "check vmlinux $2" "diff vmlinux.btf $2" "strip $2 s.btf")

	cmd=${cmds[$1 % 4]}
	status=0
	# shellcheck disable=SC2086
	limited "$ABTF" $cmd >t.out 2>&1 </dev/null || status=$?
}

begin 'BTF cut off every 4 bytes: list, check, diff and strip report it'
size=$(stat -c %s vmlinux.btf)
for offset in $(seq 0 4 $((size - 1))); do
	head -c "$offset" vmlinux.btf >cut.btf
	run_one $((offset / 4)) cut.btf
	case $cmd in
	check*|diff*)	expected=2 ;;
	*)		expected=1 ;;
	esac
	[ $status = $expected ] || { fail "at $offset: $cmd: status $status"; break; }
done
[ ! -e s.btf ] || fail 'strip wrote a file'

begin 'BTF with single bytes changed: never a crash'
RANDOM=1
for i in $(seq 400); do
	cp vmlinux.btf hole.btf
	printf '%b' "\\x$(printf %02x $((RANDOM % 256)))" |
		dd of=hole.btf bs=1 seek=$((RANDOM % size)) conv=notrunc status=none
	run_one "$i" hole.btf
	[ $status -le 2 ] || { fail "$cmd: status $status: $(head -n 3 t.out)"; cp hole.btf "bad-$i.btf"; }
done
