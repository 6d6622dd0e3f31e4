#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Selectors of functions: NAME, NAME@FILE, NAME@END-OF-FILE, NAME@/FILE and patterns; and the
# messages if a selector does not match.
. "${0%/*}/../lib.sh"

mkdir -p kernel/sched drivers/net
for f in core kernel/core kernel/sched/core kernel/events; do
	mkdir -p $f && rmdir $f
	unit $f <<<'static __attribute__((noinline, used)) int dup(int a) { return a; }'
done
unit drivers/net/global <<<'int dup(int a) { return a; } int lone(void) { return 0; }'
image vmlinux core.o kernel/core.o kernel/sched/core.o kernel/events.o drivers/net/global.o
encode vmlinux

# means SELECTOR NAME...: SELECTOR selects exactly these functions
means() {
	expect 0 "$ABTF" list -j vmlinux.btf "$1"
	expect_eq "$(jq -r '.functions[].name' out | tr '\n' ' ')" "${*:2} " "$1"
}

begin 'NAME selects every function with that name'
means dup dup@core.c dup@kernel/core.c dup@kernel/sched/core.c dup@kernel/events.c \
	dup@drivers/net/global.c
means lone lone

begin 'NAME@FILE selects the function in that file'
means dup@kernel/sched/core.c dup@kernel/sched/core.c
means dup@kernel/core.c dup@kernel/core.c
# although other files end with it
means dup@core.c dup@core.c

begin 'NAME@FILE accepts the end of a path that starts after a /'
means dup@events.c dup@kernel/events.c
means dup@sched/core.c dup@kernel/sched/core.c
expect 3 "$ABTF" list vmlinux.btf dup@vents.c

begin 'NAME@FILE lists the functions in all files with that end'
unit fs/core <<<'static __attribute__((noinline, used)) int dup(int a) { return a; }'
image two kernel/core.o fs/core.o
encode two
expect 0 "$ABTF" list -j two.btf dup@core.c
expect_eq "$(jq -r '.functions[].name' out | tr '\n' ' ')" 'dup@kernel/core.c dup@fs/core.c '

begin 'NAME@/FILE selects exactly that file'
means dup@/kernel/core.c dup@kernel/core.c
means dup@/core.c dup@core.c
expect 3 "$ABTF" list vmlinux.btf dup@/events.c
expect 3 "$ABTF" list vmlinux.btf dup@/sched/core.c

begin 'a name without a file also lists the functions that have one'
expect 0 "$ABTF" list vmlinux.btf
expect_eq "$(grep -c ' dup' out)" 5
has_not out lone

begin 'an unknown name: an error that suggests names'
expect 3 "$ABTF" list vmlinux.btf dup@mm/slub.c
expect_text "$out" <<'T'
abtf: error: vmlinux.btf: 'dup@mm/slub.c' was not found; functions with that name:
abtf: error:     dup@core.c
abtf: error:     dup@drivers/net/global.c
abtf: error:     dup@kernel/core.c
abtf: error:     dup@kernel/events.c
abtf: error:     dup@kernel/sched/core.c
T
expect 3 "$ABTF" list vmlinux.btf nothing
says "no function named 'nothing'"
expect 3 "$ABTF" list vmlinux.btf nothing@core.c
says "no function named 'nothing'"

begin 'a bare name selects all functions if each has a file'
expect 0 "$ABTF" list -j two.btf dup
expect_eq "$(jq '.functions | length' out)" 2

begin 'NAME and FILE may be patterns'
means 'd?p@*events*' dup@kernel/events.c
means '*@drivers/net/global.c' dup@drivers/net/global.c
means 'l*' lone
means '[kl]one' lone
means '*' dup@core.c dup@kernel/core.c dup@kernel/sched/core.c dup@kernel/events.c \
	dup@drivers/net/global.c lone
means 'dup@sched/*' dup@kernel/sched/core.c
means 'dup@/*core.c' dup@core.c dup@kernel/core.c dup@kernel/sched/core.c
means 'dup@/core.?' dup@core.c
means '*@core.c' dup@core.c
for none in 'x*' 'dup@ched/*' 'dup@/sched/*' '*@mm/slub.c'; do
	expect 3 "$ABTF" list vmlinux.btf "$none"
	expect_eq "$(head -n 1 out)" "abtf: error: vmlinux.btf: $(case $none in
		dup*) echo "'$none' was not found; functions with that name:" ;;
		*) echo "no function matches '$none'" ;; esac)"
done

begin 'a printed name whose FILE looks like a pattern selects one function'
mkdir -p odd
for file in 'a;b' 'a[x]b' axb; do
	unit "odd/$file" <<<'static __attribute__((noinline, used)) int odd(int a) { return a; }'
done
image odd-files 'odd/a;b.o' 'odd/a[x]b.o' odd/axb.o
expect 0 "$ABTF" list -j odd-files odd
expect_eq "$(jq '.functions | length' out)" 3
jq -r '.functions[].name' out >printed
while read -r selector; do
	expect 0 "$ABTF" list -j odd-files "$selector"
	expect_eq "$(jq -r '.functions[].name' out)" "$selector"
done <printed
expect 0 "$ABTF" list -j odd-files 'odd@odd/a*b.c'
expect_eq "$(jq '.functions | length' out)" 3

begin 'FILE of a function with a unique name is where it is declared'
for selector in lone@drivers/net/global.c lone@global.c 'l*@net/*'; do
	expect 0 "$ABTF" list -j vmlinux $selector
	expect_eq "$(jq -r '.functions[].name' out)" lone $selector
done
expect 0 "$ABTF" list -j vmlinux '*@global.c'
expect_eq "$(jq -r '.functions[].name' out | tr '\n' ' ')" 'dup@drivers/net/global.c lone '
expect 3 "$ABTF" list vmlinux lone@core.c
says "'lone@core.c' was not found"
# in BTF alone, it is unknown
expect 3 "$ABTF" list vmlinux.btf lone@global.c

begin 'NAME@FILE:LINE: the function that is declared there, as printed on a terminal'
cat >twice.h <<'C'
static __attribute__((noinline, used)) int dup(int a) { return a; }
C
unit kernel/twice <<'C'
#include "../twice.h"
int lone2(int a) { return a; }
C
unit kernel/lines <<'C'

static __attribute__((noinline, used)) int dup(int a) { return a; }
C
mkdir -p fs/kernel
unit fs/kernel/lines <<'C'


static __attribute__((noinline, used)) int dup(int a) { return a; }
C
image lines kernel/twice.o kernel/lines.o fs/kernel/lines.o
while read -r selector wanted; do
	expect 0 "$ABTF" list -j lines "$selector"
	expect_eq "$(jq -r '.functions[].name' out | tr '\n' ' ')" "$wanted " "$selector"
done <<'T'
dup@kernel/lines.c:2 dup@kernel/lines.c
dup@lines.c:2 dup@kernel/lines.c
dup@lines.c:3 dup@fs/kernel/lines.c
dup@/fs/kernel/lines.c:3 dup@fs/kernel/lines.c
d?p@*lines.c:3 dup@fs/kernel/lines.c
lone2@twice.c:2 lone2
T
# printed names are accepted, also for a probe, for a table and by symbolize
NO_COLOR=1 script -qc "stty cols 70; '$ABTF' list lines dup 2>/dev/null" /dev/null | tr -d '\r' >seen
[ "$(grep -oE 'dup@[^ ]+:[0-9]+$' seen | tee printed | wc -l)" = 2 ] || fail "on a terminal: $(cat seen)"
while read -r selector; do
	expect 0 "$ABTF" list -j lines "$selector"
	expect_eq "$(jq -r '.functions[].name' out)" "${selector%:*}"
	expect 0 "$ABTF" list --probe=bpftrace lines "$selector+0"
	expect 0 "$ABTF" list --table lines "$selector"
	expect_eq "$(grep -c dup out)" 1
	expect 0 "$ABTF" symbolize lines "$selector"
	expect_eq "$out" "${selector%:*}"
	expect 0 "$ABTF" symbolize lines "kprobe:$selector"
	expect_eq "$out" "${selector%:*}"
done <printed
# no declaration in that line; none in that file; lines are unknown without DWARF
for none in dup@kernel/lines.c:3 dup@kernel/twice.c:1 dup@lines.c:02 dup@lines.c: dup@lines.c:2x dup@lines.c:99999999999; do
	expect 3 "$ABTF" list lines "$none"
	says "'$none' was not found"
done
"$ABTF" encode -q -o lines.btf lines
expect 3 "$ABTF" list lines.btf dup@kernel/lines.c:2
says 'did you mean dup@kernel/lines.c or dup@fs/kernel/lines.c\?'

begin 'several selectors print each function once, by id, or fail if one finds nothing'
expect 0 "$ABTF" list -j vmlinux.btf lone dup@events.c 'dup@/*e.c' dup@/core.c
expect_eq "$(jq -r '.functions[].name' out | tr '\n' ' ')" \
	'dup@core.c dup@kernel/core.c dup@kernel/sched/core.c dup@kernel/events.c lone '
expect 3 "$ABTF" list vmlinux.btf lone nothing dup@no.c
says "no function named 'nothing'"
says "'dup@no.c' was not found"
has_not out ' lone$'

begin 'errors suggest similar names'
unit spell <<'C'
int type_show(int a) { return a; }
int type_store(int a) { return a; }
int type_shop(int a) { return a; }
int unlike_any(int a) { return a; }
C
image spell spell.o kernel/sched/core.o kernel/events.o
encode spell
while IFS=: read -r typed meant; do
	expect 3 "$ABTF" list spell.btf "$typed"
	suggestion=$(sed -n 's/^abtf: error:     did you mean //p' out)
	expect_eq "did you mean $suggestion" "did you mean $meant" "$typed"
done <<'T'
type_shwo:type_show?
type_shot:type_shop or type_show?
type_sore:type_store?
typeshow:type_show?
tpye_store:type_store?
unlike_anny:unlike_any?
nothing_like_it:
dup@kernel/sched/cor.c:dup@kernel/sched/core.c?
dup@evnets.c:dup@kernel/events.c?
dup@mm/slub.c:
dpu@events.c:dup@kernel/events.c?
dpu@mm/slub.c:dup?
T
unit clone <<'C'
int sink(int a) { __asm__ volatile("" : "+r"(a)); return a; }
static __attribute__((noinline)) int cloned(int a, int b) { return sink(a) + sink(a * b); }
int call(int a) { return cloned(a, 5) + 1; }
C
image clone clone.o
need_symbol clone 't cloned\.constprop\.0'
encode clone
expect 3 "$ABTF" list clone.btf cloend
says 'did you mean cloned\?'

begin 'NAME@FILE that matches several functions: no probe unless --all is given'
expect 1 "$ABTF" list --probe=tracefs two.btf dup@core.c
expect_text "$out" <<'T'
abtf: error: two.btf: 'dup@core.c' matches 2 functions: name one of them, or use --all
abtf: error:     dup@fs/core.c
abtf: error:     dup@kernel/core.c
T
for args in '--all dup@core.c' dup 'dup@*core.c' 'dup@/kernel/core.c dup@/fs/core.c'; do
	read -ra words <<<"$args"
	expect 0 "$ABTF" list --probe=tracefs two.btf "${words[@]}"
	expect_eq "$(grep -c '^p:' out)" 2 "$args"
done
expect 0 "$ABTF" list --probe=tracefs vmlinux.btf dup@core.c
expect_eq "$(grep -c '^p:' out)" 1

begin 'NAME@FILE+OFFSET: an address inside a function, for a probe'
at=$("$ABTF" list -j two.btf dup@fs/core.c | jq '.functions[].offset')
for place in +0x1 +1; do
	expect 0 "$ABTF" list --probe=json two.btf dup@fs/core.c$place
	expect_eq "$(grep -v ^abtf out | jq '.probes[].offset')" $((at + 1))
done
expect 0 "$ABTF" list --probe=json two.btf dup@fs/core.c+2 dup@fs/core.c dup@fs/core.c+0x2
expect_eq "$(grep -v ^abtf out | jq -c '.probes | map(.offset)')" "[$at,$((at + 2))]"
first=$("$ABTF" list -j two.btf dup@kernel/core.c | jq '.functions[].offset')
[ "$first" -lt "$at" ]
expect 0 "$ABTF" list --probe=json two.btf dup@kernel/core.c+$((at - first - 1))
expect 1 "$ABTF" list --probe=json two.btf dup@kernel/core.c+$((at - first))
says "dup@kernel/core.c\+0x[0-9a-f]+: is not in this function, which has 0x[0-9a-f]+ bytes"
for args in 'dup@fs/core.c+1' '--inlined --probe=json dup+1' '--table dup+1'; do
	# shellcheck disable=SC2086
	expect 2 "$ABTF" list two.btf $args
	says "a place in a function needs --probe"
done

begin 'a "+" with digits in FILE is not an offset'
for f in 1.0+1/a 1.0+0x1/a; do
	mkdir -p $f && rmdir $f
	unit $f <<<'static __attribute__((noinline, used)) int dup(int a) { return a; }'
done
image plus 1.0+1/a.o 1.0+0x1/a.o
encode plus
for f in 1.0+1/a.c 1.0+0x1/a.c; do
	at=$("$ABTF" list -j plus.btf dup@$f | jq '.functions[].offset')
	for place in '' +1; do
		expect 0 "$ABTF" list --probe=json plus.btf dup@$f$place
		expect_eq "$(grep -v ^abtf out | jq '.probes[].offset')" $((at + place)) "$f$place"
	done
done

# at the end, it is one, unless FILE is a pattern
cp 1.0+1/a.c a+16
# shellcheck disable=SC2086
$CC $common $machine -c -x c -o plus.o a+16
image plus plus.o 1.0+1/a.o
expect 0 "$ABTF" list -j plus 'dup@a[+]16'
expect_eq "$(jq -r '.functions[].name' out)" 'dup@a+16'
expect 2 "$ABTF" list -j plus 'dup@a+16'
says 'a place in a function needs --probe'

begin 'plain BTF does not have shared names'
"$ABTF" encode -q --features=var,float,enum64 -o stock.btf two
expect 3 "$ABTF" list stock.btf dup
says "no function named 'dup'"
says 'BTF without addresses omits names that several functions share: use --running'
has_not out inlined
# BTF without addresses has no shared names, like the output of pahole 1.24
"$ABTF" encode -q --features=var,float,enum64 -o one.btf vmlinux
expect 0 "$ABTF" list one.btf lone
says 'one.btf: BTF without addresses has no other functions with the same name: use --running'
expect 0 "$ABTF" list vmlinux lone
has_not out 'without addresses'
expect 0 "$ABTF" strip vmlinux.btf plain.btf
expect 0 "$ABTF" list plain.btf lone
has_not out 'without addresses'

begin 'malformed selectors are rejected'
for text in '' @ @core.c dup@ dup@/; do
	expect 2 "$ABTF" list vmlinux.btf "$text"
	says "selector '$text': expected NAME or NAME@FILE"
done

begin 'selectors work for modules'
"$ABTF" encode -q vmlinux
module mod.ko kernel/events.o drivers/net/global.o core.o
"$ABTF" encode -q --base vmlinux mod.ko
expect 0 "$ABTF" list -j --base vmlinux mod.ko dup@events.c
expect_eq "$(jq -r '.functions[].name' out)" dup@kernel/events.c
