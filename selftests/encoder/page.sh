#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# report: the page, opened in headless Chromium and searched by what its address says.
. "${0%/*}/../lib.sh"
cp "$example" vmlinux

# data PAGE: the JSON in it
data() {
	sed -n 's|^<script id="data" type="application/json">\(.*\)</script>$|\1|p' "$1"
}

# dom PAGE [FRAGMENT]: what is there when its scripts have run, one element a line, in
# the file "dom"
dom() {
	limited chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
		--user-data-dir="$PWD/chromium" --virtual-time-budget=5000 --dump-dom \
		"file://$PWD/$1#${2:-}" 2>chromium.log | sed 's/</\n</g' | sed '/^<script/,/^<\/script/d' >dom
	[ -s dom ] || { fail 'Chromium shows nothing:'; tail -n 5 chromium.log; }
}

# shown: the text of the dom, markup aside, in one line
shown() {
	sed 's/<[^>]*>//' dom | tr -d '\n'
}

begin 'report: one file, without a word from a network; the image stays as it is'
cksum vmlinux >before
expect 0 "$ABTF" report -q -o page.html vmlinux
expect_eq "$(cksum vmlinux)" "$(cat before)"
has_not page.html 'https?:|@import|url\(|<link rel="stylesheet|<script src'
has page.html "default-src 'none'"
"$ABTF" report -q -j 1 -o - vmlinux | cmp - page.html || fail 'stdout, one thread'

begin 'report: the data: every function is there once'
data page.html >data.json
encode vmlinux
expect_eq "$(jq '[.shared[][1][]] + .skipped | length + ($d | length)' \
	--argjson d "$(jq '[.units[][1] | split(" ")[] | select(. != "")]' data.json)" data.json)" \
	"$(jq '[.functions[] | select(.reason != "fragment")] | length' vmlinux.report)"
expect_eq "$(jq '.reasons[0][2]' data.json)" "$(jq .encoded vmlinux.report)"
expect_eq "$(jq -r '.shared[] | select(.[0] == "type_show") | .[1][][1]' data.json | sort)" \
	"$("$ABTF" list -j vmlinux.btf type_show | jq -r '.[].offset' | sort)"
expect_eq "$(jq -r '.shared[] | select(.[0] == "cpumask_weight") | .[1] | length' data.json)" 22
expect_eq "$(jq -r '. as $d | .shared[] | select(.[0] == "cpumask_weight") | .[1][] |
	"\($d.files[.[5]]):\(.[6])"' data.json | sort -u)" 'include/linux/cpumask.h:26'

unit net/one <<'C'
static __attribute__((noinline, used)) int dup(int *p) { return *p; }
C
unit net/other <<'C'
static __attribute__((noinline, used)) long dup(char *p) { return *p; }
C

begin 'report: what was inlined is what list --inlined has'
unit inl <<'C'
volatile int v;
static inline __attribute__((always_inline)) int gone(int a) { v = a; return v + a; }
static inline int both(int a) { v = 2; return v * gone(a); }
int f(int a) { return gone(a) + both(a); }
int (*g(void))(int) { return both; }
C
image inl inl.o
expect 0 "$ABTF" report -q -o inl.html inl
data inl.html >inl.json
"$ABTF" list --inlined --all -j inl >inl.list
jq -e 'any(.[]; .bodies > 0) and any(.[]; .bodies == 0)' inl.list >/dev/null || fail 'precondition'
expect_eq "$(jq -c '.inlined[] | [.[0], .[3], .[4]]' inl.json)" \
	"$(jq -c '.[] | select(.bodies > 0) | [.name, .inlined, .bodies]' inl.list)"
expect_eq "$(jq -c '.gone[] | [.[1][], .[0]]' inl.json)" \
	"$(jq -c '.[] | select(.bodies == 0) | [.name, .inlined]' inl.list)"

begin 'report: a module: offsets are in sections'
module dup.ko net/one.o net/other.o
expect 0 "$ABTF" report -q -o module.html dup.ko
expect_eq "$(data module.html | jq -c '[.linked, .shared[0][0], (.shared[0][1] | length)]')" '[false,"dup",2]'

begin 'report: bad input and usage'
expect 1 "$ABTF" report -q -o vmlinux vmlinux
says 'is the image itself'
cmp -s vmlinux "$example" || fail 'the image was written'
unit plain -g0 <<<'int f(void) { return 1; }'
expect 1 "$ABTF" report -q -o no.html plain.o
[ ! -e no.html ] || fail 'a page of nothing'
expect 2 "$ABTF" report
expect 2 "$ABTF" report -j x vmlinux
expect 1 "$ABTF" report -q -o /dev/full vmlinux

begin 'report: names and files that would like to be something else'

# shellcheck disable=SC1112
hostile=$'net/<!--<script>&"\'\t\xff\xfe'
unit "$hostile" <<'C'
static __attribute__((noinline, used)) int dup(int *p) { return *p; }
__asm__(".pushsection .text\n.type one, @function\none: ret\n.size one, 1\n"
	".type two, @function\ntwo: ret\n.size two, 1\n.popsection");
C
image hostile "$hostile.o" net/other.o
objcopy --redefine-sym "one=</script><img src=x onerror=alert(1)>" \
	--redefine-sym $'two=bad\xff\x01"name' hostile
need_symbol hostile 't </script><img src=x onerror=alert\(1\)>'
expect 0 "$ABTF" report -q -o hostile.html hostile
data hostile.html >hostile.json
jq -e . hostile.json >/dev/null || fail 'no JSON'
has_not hostile.json '<'
expect_eq "$(grep -c '</script>' hostile.html)" 2
expect_eq "$(jq -r '.skipped[][0]' hostile.json | LC_ALL=C sort)" \
	"$(printf '%s\n' '</script><img src=x onerror=alert(1)>' 'bad??"name')"
expect_eq "$(jq -r '. as $d | .shared[][1][] | $d.files[.[0]]' hostile.json)" \
	"$(printf '%s\n' "net/<!--<script>&\"'???.c" net/other.c)"

begin 'report: a page without a name that several functions bear'
unit alone <<<'int f(void) { return 1; }'
image alone alone.o
expect 0 "$ABTF" report -q -o alone.html alone
expect_eq "$(data alone.html | jq -c '[.shared, .skipped]')" '[[],[]]'

begin 'report: opened and searched in Chromium'
have chromium || { skip 'no chromium'; exit 77; }
dom page.html
has dom '^<button .*role="tab".*>Shared names'
has dom '^<button .*id="open-of-[0-9]+" aria-expanded="false".*>cpumask_weight'
expect_eq "$(shown | grep -o '[0-9]* names, [0-9]* functions' | sort -u)" \
	"$(jq -r '[.shared | length, ([.[][1][]] | length)] | "\(.[0]) names, \(.[1]) functions"' data.json)"
dom page.html 'q=type_show'
expect_eq "$(grep -c '^<section class="proto">' dom)" \
	"$("$ABTF" list -j vmlinux.btf type_show | jq -r '.[].prototype' | sort -u | wc -l)"
for offset in $("$ABTF" list -j vmlinux.btf type_show | jq -r '.[].offset'); do
	has dom "^<code>_text\\+$(printf 0x%x "$offset")\$"
done
has dom '^<mark>kobject$'
shown | grep -qF 'type_show@kernel/irq/irqdesc.c' || fail 'no file'
dom page.html 'q=cpumask_weight%40kernel/cpu.c'
shown | grep -qF '1 name, 22 functions' || fail 'NAME@FILE is not found'
dom page.html 'q=no_such_function'
shown | grep -qF '0 names, 0 functions' || fail 'something is found'
dom page.html 'sort=name'
expect_eq "$(sed -n 's/^<button class="open".*>//p' dom)" "$(jq -r '.shared[][0]' data.json)"
has dom 'aria-sort="ascending"'
dom page.html 'differ=1&theme=dark'
has dom '^<html .*data-theme="dark"'
has_not dom '^<button .*id="open-.*>cpumask_weight'
has dom '^<button .*id="open-.*>type_show'

begin 'report: what is not in BTF, and folders'
dom page.html 'view=skipped'
shown | grep -qF 'sched_domain_debug_one.isra.0' || fail 'the function that is left out'
has dom 'data-reason="unproven_signature"'
dom page.html 'view=folders&folder=kernel'
has dom '^<button .*aria-label="sched: [0-9]+ functions, [0-9]+ share a name"'

begin 'report: in Chromium, inlined calls'
dom inl.html 'view=inlined'
shown | grep -qF '1 function, ' || fail 'one has a body'
dom inl.html 'view=inlined&every=1&sort=name'
shown | grep -qE '2 functions, [0-9]+ inlined calls.*both.*gone' || fail 'both'

begin 'report: in Chromium, names are only names'
dom hostile.html 'view=skipped'
shown | grep -qF '&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;' || fail 'the name is not shown'
has_not dom '^<img'
shown | grep -qF 'bad??"name' || fail 'the other name'
dom hostile.html 'q=dup'
shown | grep -qF "dup@net/&lt;!--&lt;script&gt;&amp;\"'???.c" || shown | grep -qF "dup in net/&lt;!--" || fail 'the file'
has_not dom '^<img'
dom alone.html 'view=folders'
shown | grep -qF '1 function in all folders' || fail 'a page of one function'
