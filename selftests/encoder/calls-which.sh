#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --callers: only calls of the selected function, even if other functions have its name.
. "${0%/*}/../lib.sh"

# calls IMAGE SELECTOR...: "KIND in IN by CALLER", in output order
calls() {
	quietly "$ABTF" list --callers -j "$@" | jq -r '.calls[] | "\(.kind) in \(.in) by \(.caller)"'
}

mkdir -p kernel fs
asm='__asm__ volatile("" : "+r"(a))'
unit kernel/static <<C
static __attribute__((noinline)) int help(int a) { $asm; return a; }
int use_static(int a) { return help(a) + help(a + 1) + 1; }
C
unit fs/global <<C
__attribute__((noinline)) int help(int a) { $asm; return a - 1; }
C
unit fs/caller <<C
int help(int a);
int use_global(int a) { return help(a) + 1; }
C
image vmlinux kernel/static.o fs/global.o fs/caller.o

begin 'a call in another file refers to the global function, whose file is known'
expect_eq "$(calls vmlinux help@static.c)" 'call in use_static by use_static
call in use_static by use_static'
expect_eq "$(calls vmlinux help@global.c)" 'call in use_global by use_global'

begin 'a function that calls another one twice has one probe'
expect 0 quietly "$ABTF" list --callers --probe=tracefs vmlinux help
expect_eq "$(grep -c _static_ out)" 1
expect_eq "$(grep -c '^p:' out)" 2

begin 'the file of a function outside of the image is not known'
{ echo 'static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=my_mod";'; cat fs/caller.c; } | unit fs/mod
module mod.ko fs/mod.o
expect_eq "$(calls mod.ko help)" 'call in use_global by use_global'
expect 3 "$ABTF" list --callers mod.ko help@mod.c

begin 'clones have the calls of their source function'
unit clone <<C
int sink(int a) { $asm; return a; }
static __attribute__((noinline)) int shrunk(int a, int unused) { return sink(a) + sink(a + 1); }
int use(int a) { return shrunk(a, 1) + shrunk(a + 3, 1); }
C
image clone clone.o
need_symbol clone 't shrunk\.constprop\.0'
expect_eq "$(calls clone shrunk.constprop.0 | uniq)" 'call in use by use'

begin 'calls are sorted by address, inlined or not'
unit order <<C
static __attribute__((noinline)) int first(int a) { $asm; return a; }
static inline __attribute__((always_inline)) int later(int a) { __asm__ volatile("nop"); return a; }
int use(int a) { a = first(a); __asm__ volatile("" : "+r"(a)); a = later(a); __asm__ volatile("" : "+r"(a)); return first(a) + 1; }
C
image order order.o
expect_eq "$(calls order first later)" 'call in use by use
inlined in use by use
call in use by use'

begin 'a call in the cold part of a function is in NAME.cold'
unit cold -freorder-blocks-and-partition <<C
__attribute__((cold, noinline)) void bad(int a) { $asm; }
int rarely(int a) { if (__builtin_expect(a == 77, 0)) { bad(a); bad(a + 1); return 5; } return a; }
C
image cold cold.o
need_symbol cold '[tT] rarely\.cold'
expect_eq "$(calls cold bad | uniq)" 'call in rarely.cold by rarely'

begin 'a caller without a symbol: whether it can be probed is unknown'
cp vmlinux nameless
tool objcopy --strip-symbol=use_global nameless
expect 0 quietly "$ABTF" list --callers -j nameless help@global.c
expect_eq "$(jq -c '.calls[].flags' out)" '["unknown"]'
expect 4 "$ABTF" list --callers --probe=tracefs nameless help@global.c
says 'warning: nameless: use_global calls help, but has no symbol'
