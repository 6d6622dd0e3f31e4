#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Link-time optimisation: units refer to each other, and are read as one.
. "${0%/*}/../lib.sh"
target clang
have ld.lld || { begin 'link-time optimisation'; skip 'no ld.lld'; exit 77; }

# what only GNU ld knows
link=${link/-Wl,--no-warn-rwx-segments/}

mkdir -p kernel
cat >shared.h <<'C'
struct shared { int a; struct shared *next; };
static inline int helper(struct shared *s, int k)
{
	return s->a * k + (s->next ? s->next->a : 0);
}
int in_a(struct shared *s);
int in_b(struct shared *s, long x);
C
unit kernel/a -flto -I. <<'C'
#include "shared.h"
static __attribute__((noinline, used)) int twin(struct shared *s) { return s->a; }
__attribute__((noinline)) int in_a(struct shared *s) { return helper(s, 3) + twin(s); }
C
unit kernel/b -flto -I. <<'C'
#include "shared.h"
static __attribute__((noinline, used)) long twin(struct shared *s, long x) { return s->a * x; }
__attribute__((noinline)) int in_b(struct shared *s, long x) { return helper(s, x) + twin(s, x); }
int start(struct shared *s) { return helper(s, 9) + in_a(s) + in_b(s, s->a); }
C
for jobs in 1 4; do
	begin "references across units, -j $jobs"
	image vmlinux -fuse-ld=lld -flto -Wl,-u,start kernel/a.o kernel/b.o
	readelf --debug-dump=abbrev vmlinux 2>/dev/null | grep -q DW_FORM_ref_addr ||
		{ echo 'precondition: no DW_FORM_ref_addr'; false; }
	encode vmlinux -j $jobs
	expect 0 "$ABTF" check vmlinux vmlinux.btf
	expect_eq "$(types vmlinux '^STRUCT shared' | wc -l)" 1 'struct shared'
	expect 0 "$compare" -a vmlinux.btf vmlinux.btf
	# the linker renames one of the twins; each keeps its own prototype
	need_symbol vmlinux 't twin'
	need_symbol vmlinux 't twin\.[0-9]+'
	expect 0 "$ABTF" list --all vmlinux.btf
	says ' twin .* int twin\(struct shared \*s\)$'
	says ' twin\.[0-9]+ .* long( int)? twin\.[0-9]+\(struct shared \*s, long( int)? x\)$'
	mv vmlinux.btf "$jobs.btf"
done

begin 'the same bytes from any number of threads'
cmp 1.btf 4.btf || fail 'differ'

begin 'the types that pahole finds'
expect 0 pahole -J --btf_encode_detached=pahole.btf vmlinux
expect 0 "$ABTF_PAHOLE" -J --btf_encode_detached=ours.btf vmlinux
expect 0 "$compare" pahole.btf ours.btf
