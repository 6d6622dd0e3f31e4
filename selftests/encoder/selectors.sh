#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Which functions a name means: NAME, NAME@FILE, NAME@END-OF-FILE, NAME@/FILE.
. "${0%/*}/../lib.sh"

mkdir -p kernel/sched drivers/net
for f in core kernel/core kernel/sched/core kernel/events; do
	mkdir -p $f && rmdir $f
	unit $f <<<'static __attribute__((noinline, used)) int dup(int a) { return a; }'
done
unit drivers/net/global <<<'int dup(int a) { return a; } int lone(void) { return 0; }'
image vmlinux core.o kernel/core.o kernel/sched/core.o kernel/events.o drivers/net/global.o
encode vmlinux

# means SELECTOR NAME...
means() {
	expect 0 "$ABTF" list -j vmlinux.btf "$1"
	expect_eq "$(jq -r '.[].name' out | tr '\n' ' ')" "${*:2} " "$1"
}

begin 'NAME: every function of that name'
means dup dup@core.c dup@kernel/core.c dup@kernel/sched/core.c dup@kernel/events.c \
	dup@drivers/net/global.c
means lone lone

begin 'NAME@FILE: the one of that file'
means dup@kernel/sched/core.c dup@kernel/sched/core.c
means dup@kernel/core.c dup@kernel/core.c
# though it is the end of others
means dup@core.c dup@core.c

begin 'NAME@END-OF-FILE, from a / on'
means dup@events.c dup@kernel/events.c
means dup@sched/core.c dup@kernel/sched/core.c
expect 1 "$ABTF" list vmlinux.btf dup@vents.c

begin 'several that end so are listed'
unit fs/core <<<'static __attribute__((noinline, used)) int dup(int a) { return a; }'
image two kernel/core.o fs/core.o
encode two
expect 0 "$ABTF" list -j two.btf dup@core.c
expect_eq "$(jq -r '.[].name' out | tr '\n' ' ')" 'dup@kernel/core.c dup@fs/core.c '

begin 'NAME@/FILE: of exactly that file'
means dup@/kernel/core.c dup@kernel/core.c
means dup@/core.c dup@core.c
expect 1 "$ABTF" list vmlinux.btf dup@/events.c
expect 1 "$ABTF" list vmlinux.btf dup@/sched/core.c

begin 'without a file the functions of the name that have one are listed, too'
expect 0 "$ABTF" list vmlinux.btf
expect_eq "$(grep -c ' dup' out)" 5
has_not out lone

begin 'what is not found: an error that tells what would do'
expect 1 "$ABTF" list vmlinux.btf dup@mm/slub.c
expect_text "$out" <<'T'
abtf: error: vmlinux.btf: 'dup@mm/slub.c' was not found; functions of that name are
abtf: error:     dup@core.c
abtf: error:     dup@kernel/core.c
abtf: error:     dup@kernel/sched/core.c
abtf: error:     dup@kernel/events.c
abtf: error:     dup@drivers/net/global.c
T
expect 1 "$ABTF" list vmlinux.btf nothing
says "no function is called 'nothing'"
expect 1 "$ABTF" list vmlinux.btf nothing@core.c
says "no function is called 'nothing'"

begin 'a bare name, where all functions of the name say files, is that of all'
expect 0 "$ABTF" list -j two.btf dup
expect_eq "$(jq length out)" 2

begin 'what is malformed'
for text in '' @ @core.c dup@ dup@/; do
	expect 2 "$ABTF" list vmlinux.btf "$text"
	says "selector '$text': expected NAME or NAME@FILE"
done

begin 'of modules, too'
"$ABTF" encode -q vmlinux
module mod.ko kernel/events.o drivers/net/global.o core.o
"$ABTF" encode -q --base vmlinux mod.ko
expect 0 "$ABTF" list -j --base vmlinux mod.ko dup@events.c
expect_eq "$(jq -r '.[].name' out)" dup@kernel/events.c
