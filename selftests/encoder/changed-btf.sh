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

# all_fail ARGUMENT...: damaged, and none of the runs succeeds
all_fail() {
	damaged "$@" | tee runs
	read -r nr _ rejected _ <runs
	expect_eq "$rejected" "$nr" 'rejected'
}

begin 'BTF cut off every 4 bytes: list, check, diff and strip report it'
rm -f s.btf
all_fail vmlinux.btf cut.btf cut:0:END:16 -- "$ABTF_PROGRAM" list --all cut.btf
all_fail --fail=2 vmlinux.btf cut.btf cut:4:END:16 -- "$ABTF_PROGRAM" check vmlinux cut.btf
all_fail --fail=2 vmlinux.btf cut.btf cut:8:END:16 -- "$ABTF_PROGRAM" diff vmlinux.btf cut.btf
all_fail --output=s.btf vmlinux.btf cut.btf cut:12:END:16 -- "$ABTF_PROGRAM" strip cut.btf s.btf

begin 'BTF with single bytes changed: never a crash'
damaged vmlinux.btf hole.btf random:100 -- "$ABTF_PROGRAM" list --all hole.btf
damaged --fail=1,2 vmlinux.btf hole.btf random:100 -- "$ABTF_PROGRAM" check vmlinux hole.btf
damaged --fail=1,2 vmlinux.btf hole.btf random:100 -- "$ABTF_PROGRAM" diff vmlinux.btf hole.btf
damaged --output=s.btf vmlinux.btf hole.btf random:100 -- "$ABTF_PROGRAM" strip hole.btf s.btf
