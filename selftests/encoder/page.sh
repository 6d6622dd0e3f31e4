#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# report: generate the page, and open it in headless Chromium, with searches in the fragment.
. "${0%/*}/../lib.sh"
cp "$example" vmlinux

# data PAGE: print the JSON in it
data() {
	sed -n 's|^<script id="data" type="text/plain">\(.*\)</script>$|\1|p' "$1" | base64 -d | gunzip
}

# functions FILE: print the functions in the JSON of a page, one per line
functions() {
	jq -c '. as $d | (.shared, .others)[] | .[0] as $name | .[1][] |
		{name: ($name + (if .[0] == 0 then "@" + $d.files[.[1]] else .[0] end)),
		file: $d.files[.[1]], offset: .[2], proto: $d.protos[.[3] // 0],
		verdict: $d.verdicts[.[4] // 0], reason: $d.reasons[.[5] // 0][0], clone: ((.[6] // 0) == 1),
		declared: $d.files[.[7] // 0], line: (.[8] // 0)}' "$1"
}

# same_as_list JSON IMAGE: expect the functions of `abtf list --all` in the page, without parts
same_as_list() {
	expect_eq "$(functions "$1" | jq -r '"\(.name) \(.offset) \([.verdict, if .clone then "clone" else "" end |
		select(. != "")])"' | LC_ALL=C sort)" \
		"$("$ABTF" list --all -j "$2" 2>/dev/null | jq -r '.functions[] | select(.name | test("[.](part|cold)") | not) |
		"\(.name) \(.offset) \(.flags)"' | LC_ALL=C sort)"
}

# dom PAGE [FRAGMENT]: run the scripts of the page, and write its elements to the file "dom", one
# per line
dom() {
	limited chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
		--user-data-dir="$PWD/chromium" --virtual-time-budget=5000 --dump-dom \
		"file://$PWD/$1#${2:-}" 2>chromium.log | sed 's/</\n</g' | sed '/^<script/,/^<\/script/d' >dom
	[ -s dom ] || { fail 'Chromium shows nothing:'; tail -n 5 chromium.log; }
}

# doms PAGE FRAGMENT...: like dom, for several fragments, to the files dom.1, dom.2...
# One Chromium opens all of them, in frames: it takes longer to start than to show a page.
doms() {
	local page=$1 fragment nr=0
	shift
	{
		echo '<!DOCTYPE html><body>'
		printf "<iframe src=\"$page#%s\"></iframe>\n" "$@" | sed 's/&/\&amp;/g'
		cat <<-'HTML'
		<script>const timer = setInterval(() => {
			const pages = [...document.querySelectorAll("iframe")].map((frame) => frame.contentDocument);
			if (!pages.every((page) => page.querySelector("#main > *"))) {
				// virtual time passes at once, but other processes need real time
				for (let i = 0; i < 1e7; i++);
				return;
			}
			clearInterval(timer);
			document.body.textContent = pages.map((page) => {
				const html = page.documentElement.outerHTML;
				return "dom " + btoa(String.fromCharCode(...new TextEncoder().encode(html)));
			}).join("\n");
		}, 50);</script>
		HTML
	} >frames.html
	limited chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --allow-file-access-from-files \
		--user-data-dir="$PWD/chromium" --virtual-time-budget=60000 --dump-dom \
		"file://$PWD/frames.html" 2>chromium.log | sed -nE 's/.*dom ([0-9A-Za-z+/=]+).*/\1/p' >frames.out
	rm -f dom.*
	while read -r fragment; do
		nr=$((nr + 1))
		base64 -d <<<"$fragment" | sed 's/</\n</g' | sed '/^<script/,/^<\/script/d' >dom.$nr
	done <frames.out
	[ $nr = $# ] || { fail "Chromium shows $nr of $# pages:"; tail -n 5 chromium.log; }
}

# each_tool PAGE FRAGMENT FUNCTION: call the function for each of the tools, with $tool and the dom
each_tool() {
	local fragments nr=0

	mapfile -t fragments < <(printf "$2&tool=%s\n" "${tools[@]}")
	doms "$1" "${fragments[@]}"
	for tool in "${tools[@]}"; do
		nr=$((nr + 1))
		mv dom.$nr dom
		"$3"
	done
}

# shown: print the text of the dom without markup, in one line
shown() {
	sed 's/<[^>]*>//' dom | tr -d '\n'
}

begin 'report: one file, without network access; the image is unchanged'
cksum vmlinux >before
expect 0 "$ABTF" report -q -o page.html vmlinux
expect_eq "$(cksum vmlinux)" "$(cat before)"
has_not page.html 'https?:|@import|url\(|<link rel="stylesheet|<script src'
has page.html "default-src 'none'"
"$ABTF" report -q -j 1 -o - vmlinux | cmp - page.html || fail 'the page differs on stdout, with one thread'

begin 'report: the data has each function once'
data page.html >data.json
encode vmlinux
same_as_list data.json vmlinux
functions data.json | jq -r .name | sort | uniq -d | expect_none
expect_eq "$(functions data.json | jq -r 'select(.name | startswith("type_show@")) | .offset' | sort)" \
	"$("$ABTF" list -j vmlinux.btf type_show | jq -r '.functions[].offset' | sort)"
expect_eq "$(jq -r '.shared[] | select(.[0] == "cpumask_weight") | .[1] | length' data.json)" 22
expect_eq "$(functions data.json | jq -r 'select(.name | startswith("cpumask_weight@")) |
	"\(.declared):\(.line)"' | sort -u)" 'include/linux/cpumask.h:26'
expect_eq "$(functions data.json | jq -r 'select(.name == "type_show@kernel/irq/irqdesc.c") | .proto')" \
	'ssize_t @(struct kobject *kobj, struct kobj_attribute *attr, char *buf)'

unit net/one <<'C'
static __attribute__((noinline, used)) int dup(int *p) { return *p; }
C
unit net/other <<'C'
static __attribute__((noinline, used)) long dup(char *p) { return *p; }
C

begin 'report: functions that are not in BTF have an offset, and the same reason as in --report'
jq -e '[.skipped[]] | add > 0' vmlinux.report >/dev/null || fail 'precondition'
text=$(nm vmlinux | sed -n 's/ . _text$//p')
expect_eq "$(functions data.json | jq -r 'select(.reason != "encoded") | "\(.name | split("@")[0]) \(.offset) \(.reason)"' | sort)" \
	"$(jq -r '.functions[] | select(.encoded | not) | select(.reason != "fragment") |
	"\(.symbol) \(.address) \(.reason)"' vmlinux.report | while read -r name address reason; do
		echo "$name $((address - 16#$text)) $reason"; done | sort)"
expect_eq "$(functions data.json | jq -r 'select(.clone) | "\(.name): \(.proto)"')" \
	'sched_domain_debug_one.isra.0: '"$("$ABTF" list -j vmlinux sched_domain_debug_one | jq -r '.functions[0].prototype |
	sub("sched_domain_debug_one(.isra.0)?"; "@")')"

begin 'report: the page has the inlined functions of list --inlined'
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
jq -e '.inlined | any(.bodies > 0) and any(.bodies == 0)' inl.list >/dev/null || fail 'precondition'
expect_eq "$(jq -c '.inlined[] | [.[0], .[3], .[4]]' inl.json)" \
	"$(jq -c '.inlined[] | select(.bodies > 0) | [.function, .inlined_calls, .bodies]' inl.list)"
expect_eq "$(jq -c '.gone[]' inl.json)" \
	"$(jq -c '.inlined[] | select(.bodies == 0) | [.function, .inlined_calls]' inl.list)"

begin 'report: the page has the inlined calls of list --inlined NAME'
expect_eq "$(jq -c '. as $d | .inlined[] | .[5][] |
	[.[0], $d.callers[.[1]], $d.files[.[2]], $d.callers[.[3]], $d.files[.[4]], .[5]]' inl.json)" \
	"$("$ABTF" list --inlined -j inl both | jq -c '.calls[] | [.offset, .in, .file, .caller, .call_file, .call_line]')"
expect_eq "$(jq '[.inlined[] | .[3] == (.[5] | length)] | all' inl.json)" true

begin 'report: the page has the numbers of list and --table'
counts=$(jq -r .counts data.json)
expect_eq "$("$ABTF" list vmlinux 2>/dev/null | tail -n 2)" "$counts"
functions data.json >functions.json
expect_eq "$(head -n 1 <<<"$counts" | grep -o '[0-9]* [fw]')" "$(jq -sr '[.[] | select(.clone or .proto == "")] as $not |
	"\(length) f", "\(length - ($not | length)) w", "\($not | map(select(.clone)) | length) w",
	"\($not | map(select(.clone | not)) | length) w"' functions.json)"
expect_eq "$(tail -n 1 <<<"$counts")" \
	"$(jq -r '.shared | "\([.[][1][]] | length) functions share \(length) names."' data.json)"
expect_eq "$("$ABTF" list --table --all vmlinux 2>/dev/null | sed 1d | wc -l)" \
	"$(jq -s 'map(select(.offset != null)) | length' functions.json)"

begin 'report: the page shows release and build id'
expect_eq "$(jq -r .build_id data.json)" "$(build_id vmlinux)"
expect_eq "$(jq -r .release data.json)" null
unit banner <<'C'
const char linux_banner[] = "Linux version 6.12.1-test (gcc) #1";
int f(void) { return linux_banner[0]; }
C
image banner banner.o
expect 0 "$ABTF" report -q -o banner.html banner
expect_eq "$(data banner.html | jq -r .release)" 6.12.1-test
unit local <<'C'
static const char linux_banner[] __attribute__((used)) = "Linux version 6.12.2-local (gcc) #1";
C
image two local.o banner.o
expect 0 "$ABTF" report -q -o two.html two
expect_eq "$(data two.html | jq -r .release)" 6.12.1-test 'of the global symbol'
unit info <<'C'
static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=m\0vermagic=6.12.2-test SMP";
int f(void) { return 1; }
C
module info.ko info.o
expect 0 "$ABTF" report -q -o info.html info.ko
expect_eq "$(data info.html | jq -r .release)" 6.12.2-test

begin 'report: a module: offsets are in sections'
module dup.ko net/one.o net/other.o
expect 0 "$ABTF" report -q -o module.html dup.ko
expect_eq "$(data module.html | jq -c '[.linked, .shared[0][0], (.shared[0][1] | length)]')" '[false,"dup",2]'

begin 'report: bad input and wrong usage are errors'
expect 1 "$ABTF" report -q -o vmlinux vmlinux
says 'is the image itself'
cmp -s vmlinux "$example" || fail 'the image was written'
unit plain -g0 <<<'int f(void) { return 1; }'
expect 1 "$ABTF" report -q -o no.html plain.o
says 'no debug information'
strip -g -o stripped vmlinux
objcopy --add-section .debug_info=/dev/null stripped empty
expect 1 "$ABTF" report -q -o no.html empty
says 'no debug information'
[ ! -e no.html ] || fail 'an empty page was written'
expect 2 "$ABTF" report
expect 2 "$ABTF" report -j x vmlinux
device full
expect 1 "$ABTF" report -q -o full vmlinux

begin 'report: names and files that look like HTML are escaped'

# shellcheck disable=SC1112
hostile=$'net/<!--<script>&"\'\t\xff\xfe'
unit "$hostile" <<'C'
static __attribute__((noinline, used)) int dup(int *p) { return *p; }
__asm__(".pushsection .text\n.type one, @function\none: ret\n.size one, 1\n"
	".type two, @function\ntwo: ret\n.size two, 1\n"
	".type three, @function\nthree: ret\n.size three, 1\n"
	".type four, @function\nfour: ret\n.size four, 1\n.popsection");
C
image hostile "$hostile.o" net/other.o
objcopy --redefine-sym "one=</script><img src=x onerror=alert(1)>" \
	--redefine-sym $'two=bad\xff\x01"name' \
	--redefine-sym $'three=same\x01' --redefine-sym $'four=same\x02' hostile
need_symbol hostile 't </script><img src=x onerror=alert\(1\)>'
expect 0 "$ABTF" report -q -o hostile.html hostile
data hostile.html >hostile.json
jq -e . hostile.json >/dev/null || fail 'the data is not valid JSON'
expect_eq "$(grep -c '</script>' hostile.html)" 2
functions hostile.json >functions.json
expect_eq "$(jq -r 'select(.file == "") | .name' functions.json | sed 's/+0x[0-9a-f]*$/+/' | LC_ALL=C sort)" \
	"$(printf '%s\n' '??script??img?src?x?onerror?alert?1??' 'bad???name' 'same?@_text+' 'same?@_text+')"
jq -r .name functions.json | sort | uniq -d | expect_none
expect_eq "$(jq -r 'select(.name | startswith("dup@")).file' functions.json | LC_ALL=C sort)" \
	"$(printf '%s\n' 'net/??--?script???????.c' net/other.c)"

begin 'report: a page without shared names has the other functions'
unit alone <<<'int f(void) { return 1; }'
image alone alone.o
expect 0 "$ABTF" report -q -o alone.html alone
expect_eq "$(data alone.html | jq -c '[.shared, [.others[][0]]]')" '[[],["f"]]'

# copied REGEX: print the text that buttons with such a label copy
copied() {
	sed -nE 's|^<button class="copy".* title="(.*)" aria-label="'"$1"'".*|\1|p' dom |
		sed 's/&quot;/"/g; s/&gt;/>/g; s/&lt;/</g; s/&amp;/\&/g'
}

begin 'report: Chromium shows the functions that a search finds'
have chromium || { skip 'no chromium'; exit 77; }
dom page.html
has dom '^<button .*role="tab".*>Shared names'
has dom '^<button .*id="open-of-[0-9]+" aria-expanded="false".*>cpumask_weight'
expect_eq "$(shown | grep -o '[0-9]* names, [0-9]* functions' | sort -u)" \
	"$(jq -r '[.shared | length, ([.[][1][]] | length)] | "\(.[0]) names, \(.[1]) functions"' data.json)"
dom page.html 'q=type_show'
expect_eq "$(grep -c '^<section class="proto">' dom)" \
	"$("$ABTF" list -j vmlinux.btf type_show | jq -r '.functions[].prototype' | sort -u | wc -l)"
"$ABTF" list -j vmlinux.btf type_show | jq -r '.functions[].offset' >offsets
expect_eq "$(wc -l <offsets)" 3 'functions'
while read -r offset; do
	has dom "^<code class=\"place\">_text\\+$(printf 0x%x "$offset")\$"
done <offsets
has dom '^<mark class="differs">kobject$'
has dom '^<mark>type_show$'
shown | matches -F 'type_show@kernel/irq/irqdesc.c' || fail 'the file is not shown'
dom page.html 'q=cpumask_weight%40kernel/cpu.c'
shown | matches -F '1 name, 1 function' || fail 'NAME@FILE is not found'
dom page.html 'q=no_such_function'
shown | matches -F '0 names, 0 functions' || fail 'functions were found'
dom page.html 'sort=name'
expect_eq "$(sed -n 's/^<button class="open".*>//p' dom)" "$(jq -r '.shared[][0]' data.json)"
has dom 'aria-sort="ascending"'
dom page.html 'differ=1&theme=dark'
has dom '^<html .*data-theme="dark"'
has_not dom '^<button .*id="open-.*>cpumask_weight'
has dom '^<button .*id="open-.*>type_show'

begin 'report: a search finds the same functions as a selector of list'
mkdir -p net/core
unit net/sel <<'C'
static __attribute__((noinline, used)) int twin(int a) { return a; }
static __attribute__((noinline, used)) int twin_more(int a) { return a; }
int vfs_lone(int a) { return a; }
C
unit sel <<'C'
static __attribute__((noinline, used)) int twin(long a) { return a; }
C
unit net/core/sel <<<'static __attribute__((noinline, used)) int twin(char a) { return a; } int twin2(int a) { return a; }'
unit clone -O3 -fipa-cp-clone <<'C'
int sink;
__attribute__((noinline)) int both(int a, int b)
{
	for (int i = 0; i < b; i++)
		sink += a ^ i;
	return a + b;
}
int both_1(int a) { return both(a, 3); }
int both_2(int a) { return both(a + 1, 3); }
C
asm='asm(".text; .type blank, @function; blank: nop; .size blank, 1");'
unit asm_1 <<<"$asm"
unit asm_2 <<<"$asm"
unit parts <<<'
int split(int a) { return a; }
asm(".text; .type split.part.0, @function; split.part.0: nop; .size split.part.0, 1;"
    ".type split.cold, @function; split.cold: nop; .size split.cold, 1;"
    ".type twin.isra.0.cold, @function; twin.isra.0.cold: nop; .size twin.isra.0.cold, 1");'
unit llvm_1 <<<'int promoted(int a) { return a; } int lone_promoted(int a) { return a; }'
unit llvm_2 <<<'int promoted(int a) { return a; }'
tool objcopy --redefine-sym promoted=promoted.llvm.123 --redefine-sym lone_promoted=lone_promoted.llvm.77 llvm_1.o
tool objcopy --redefine-sym promoted=promoted.llvm.45 llvm_2.o
image sels net/sel.o sel.o net/core/sel.o clone.o asm_1.o asm_2.o parts.o llvm_1.o llvm_2.o
need_symbol sels 't both\.constprop\.0'
expect 0 "$ABTF" report -q -o sels.html sels
blank=$("$ABTF" list -j sels blank 2>/dev/null | jq -r '.functions[1].name')
cat >selectors <<T
twin
twin@sel.c
twin@/sel.c
twin@net/sel.c
twin@core/sel.c
twin@/net/core/sel.c
twin*
tw?n
twin[!_]
*@net/sel.c
*@/net/*
*@sel.[ch]
[[:lower:]]*e
both
both.constprop.0
both@clone.c
vfs_lone@sel.c
twin@net/sel.c:1
twin@sel.c:1
twin*@/sel.c:1
twin_more@sel.c:2
vfs_lone@net/sel.c:3
vfs_lone
$blank
split
split*
split.part.0
split.cold
*.part.*
*.cold
*.isra.*
promoted
promoted.llvm.45
promoted.llvm.123@llvm_1.c
lone_promoted.llvm.77
*.llvm.*
*.*
T
mapfile -t fragments < <(jq -Rr '"q=" + @uri' selectors)
doms sels.html "${fragments[@]}"
nr=0
while read -r selector; do
	nr=$((nr + 1))
	mv dom.$nr dom
	"$ABTF" list -j sels "$selector" 2>/dev/null >list.json || { fail "precondition: $selector"; continue; }
	names=$(jq -r '.functions[].name' list.json | sed 's/@.*//; s/\(.\)[.].*/\1/' | sort -u | wc -l)
	functions=$(jq '.functions | length' list.json)
	shown | matches -F "$names name$([ "$names" = 1 ] || echo s), $functions function$([ "$functions" = 1 ] || echo s)" ||
		fail "$selector: the page has '$(shown | grep -o '[0-9]* names\?, [0-9]* functions\?' | head -n 1)', list $names and $functions"
	has dom "^<option value=\"\" selected=\"\">any \($functions\)"
	[ "$names" != 1 ] || jq -r '.functions[].name' list.json | while read -r name; do
		shown | matches -F "$name" || fail "$selector: $name is not shown"
	done
done <selectors
# no match: no name contains the text
nothing=(twin@net/sel.c:2 twin@net/sel.c:01 twin@net/sel.c:)
doms sels.html "${nothing[@]/#/q=}"
for nr in 1 2 3; do
	selector=${nothing[nr - 1]}
	expect 3 "$ABTF" list sels "$selector"
	mv dom.$nr dom
	shown | matches -F '0 names, 0 functions' || fail "$selector finds a function"
done
dom sels.html 'q=win'
shown | matches -F '3 names, 5 functions' || fail 'a part of a name'
shown | matches -F 'win selects no function. It is in these names or files:' || fail 'no reason'
dom sels.html 'q=twin'
has dom '^<button .*id="contain".*>Also names with twin in them'

begin 'report: the page has the lines of list --probe for each tool'
tools=(bpftrace libbpf cilium bcc aya tracefs perf)
same_lines() {
	"$ABTF" list --probe=json vmlinux type_show 2>/dev/null | jq -r '.probes[].name' | while read -r name; do
		"$ABTF" list --probe=$tool vmlinux "$name" 2>/dev/null
	done | sort >lines
	[ "$(wc -l <lines)" = 3 ] || fail 'precondition'
	expect_eq "$(sed -nE 's/^<button class="copy".* title="([^"]*type_show[^"]*|kprobe:[^"]*)" aria-label="Copy the line for '$tool': type_show@.*/\1/p' dom |
		sed 's/&quot;/"/g; s/&gt;/>/g; s/&amp;/\&/g' | sort)" "$(cat lines)"
}
each_tool page.html 'q=type_show' same_lines

begin 'report: the line for a function at _text equals the line of list --probe'
first=$("$ABTF" list --all -j sels 2>/dev/null | jq -r '[.functions[] | select(.offset == 0)][0].name')
[ "$first" != null ]
first_line() {
	copied "Copy the line for $tool: $first" >line
	"$ABTF" list --probe=$tool --all sels "$first" 2>/dev/null | diff - line || fail $tool
}
each_tool sels.html "q=$first" first_line

begin 'report: commands that print a program with arguments, JSON, and callers'
tools+=(json)
same_command() {
	# aya cannot read arguments
	[ $tool = aya ] && args=0 || args=1
	copied "Copy the line for $tool: type_show@.*" >lines
	[ "$(wc -l <lines)" = 3 ] || fail "$tool: $(cat lines)"
	while read -r line; do
		expect_eq "$(find_lines -c "^abtf list --probe=$tool --args vmlinux type_show@" <<<"$line")" "$args" "$tool"
		[ "$args" = 0 ] || bash -c "${line/#abtf/\"$ABTF\"}" >program 2>&1 || fail "$line: $(cat program)"
		[ "$args" = 0 ] || has program 'type_show'
	done <lines
}
each_tool page.html 'q=type_show&args=1' same_command
copied 'Copy the command that lists the callers of type_show@.*' >lines
[ "$(wc -l <lines)" = 3 ] || fail 'not every function has a command'
find_lines -v '^abtf list --callers vmlinux type_show@[^ ]*$' lines | expect_none 'a copied command'
expect 3 "$ABTF" list --callers vmlinux type_show@irqdesc.c
says "no call of 'type_show@irqdesc.c' was found"

begin 'report: a module: the page shows the command that prints the line'
dom module.html 'q=dup'
has dom "title=\"abtf list --probe=bpftrace dup.ko dup@net/one.c\""

begin 'report: one page can show vmlinux and modules'
expect 0 "$ABTF" report -q -o both.html vmlinux dup.ko
doms both.html q=type_show image=nosuch 'image=dup.ko&q=dup'
for nr in 1 2 3; do
	mv dom.$nr dom
	has dom '^<option value="vmlinux"'
	if [ $nr = 3 ]; then
		has dom '^<option value="dup.ko" selected'
		has dom 'title="abtf list --probe=bpftrace dup.ko dup@net/one.c"'
	else
		has dom '^<option value="vmlinux" selected'
	fi
done
dom both.html q=nosuch
shown | matches -F 'Only vmlinux was searched.' || fail 'it does not say what was searched'
# another image is chosen
sed 's|</body>|<script>const timer = setInterval(() => {\
	const select = document.querySelector("select#image");\
	if (!select) return;\
	clearInterval(timer);\
	if (select.value !== "dup.ko") { select.value = "dup.ko"; select.dispatchEvent(new Event("change")); }\
}, 50)</script></body>|' both.html >choose.html
dom choose.html
has dom '^<option value="dup.ko" selected'
mkdir -p again && cp dup.ko again
expect 1 "$ABTF" report -q -o twice.html vmlinux dup.ko again/dup.ko
says 'again/dup.ko: another image of the page has this name'
expect 1 "$ABTF" report -q -o twice.html vmlinux stripped
says '^abtf: error: stripped: no debug information'
expect 1 "$ABTF" report -q -o dup.ko vmlinux dup.ko
says 'dup.ko: is the image itself'
[ ! -e twice.html ] || fail 'a page was written without the second image'

begin 'report: the button copies the line, or shows it'
sed 's|</body>|<script>const timer = setInterval(() => {\
	if (document.querySelector(".copy")) { clearInterval(timer); document.querySelector(".copy").click(); }\
}, 50)</script></body>|' page.html >click.html
dom click.html 'q=type_show&tool=tracefs'
shown | matches -E 'p:abtf/type_show_[0-9a-f]+ _text\+0x' || fail 'the line for the tool is not shown'
has_not dom 'id="copied" role="status" hidden'

begin 'report: keyboard: "Show all" focuses the next row; End selects the last tab'
for i in {100..179}; do echo "__attribute__((noinline, used)) static int name_$i(int a) { return a + $i; }"; done >many.h
unit net/many <many.h
unit fs/many <many.h
image many net/many.o fs/many.o
expect 0 "$ABTF" report -q -o many.html many
sed 's|</body>|<script>const timer = setInterval(() => {\
	const more = document.querySelector(".more"), end = new KeyboardEvent("keydown", {key: "End", bubbles: true});\
	if (!more) return;\
	clearInterval(timer); more.focus(); more.click();\
	const row = document.activeElement.textContent;\
	document.getElementById("tab-names").focus(); document.activeElement.dispatchEvent(end);\
	document.title = `row ${row} tab ${document.activeElement.id}`;\
}, 50)</script></body>|' many.html >keys.html
dom keys.html 'sort=name'
has dom '^<title>row name_16021fs, net tab tab-folders$'

begin 'report: functions that reject kprobes have a badge, a filter and a count'
flags='-pg -mfentry -mrecord-mcount'
# shellcheck disable=SC2086 # several flags
unit fs/traced $flags <<'C'
static __attribute__((noinline, used)) int dup(int *p) { return *p; }
static void *entry __attribute__((used, section("_kprobe_blacklist"))) = dup;
__attribute__((noinline)) int lone(int a) { return a; }
C
# shellcheck disable=SC2086 # several flags
unit fs/not $flags <<'C'
static __attribute__((noinline, used, no_instrument_function)) int dup(char *p) { return *p; }
static __attribute__((noinline, used, section(".init.text"))) int begin(int a) { return a; }
C
unit fentry <<<'void __fentry__(void) {}'
link+=' -Wl,--defsym=__start_mcount_loc=__start___mcount_loc,--defsym=__stop_mcount_loc=__stop___mcount_loc'
image traced fs/traced.o fs/not.o fentry.o
"$ABTF" report -q -o traced.html traced
"$ABTF" list --all -j traced | jq -r '.functions[] | "\(.name) \(.flags[0] // "accepted")"' >flags.list
for flag in notrace init accepted; do
	grep -q " $flag$" flags.list || fail "precondition: no $flag"
done
data traced.html >traced.json
same_as_list traced.json traced
encode traced
jq -e '.skipped.not_traceable == 1' traced.report >/dev/null || fail 'precondition: not_traceable'
expect_eq "$(functions traced.json | jq -r 'select(.reason == "not_traceable").name')" dup@fs/not.c
dom traced.html 'q=dup&probe=notrace'
shown | matches -F '1 name, 1 function' || fail 'the filter does not show 1 function'
has dom '^<span class="badge notrace"'
has_not dom 'aria-label="Copy the line'
has dom '^<option value="notrace" selected="">notrace \(1\)'
dom traced.html 'q=lone&probe=accepted'
has dom '^<span class="badge accepted"'
has dom '^<td class="wide">'
shown | matches -F 'int lone(int a)' || fail 'no prototype for a function with a unique name'
has dom "^<code class=\"place\">_text(\+0x[0-9a-f]+)?"

begin 'report: title, and an example that exists'
dom banner.html
has dom '^<title>banner 6\.12\.1-test'
shown | matches -F 'Linux 6.12.1-test' || fail 'no release'
dom page.html
example_name=$(sed -nE 's/^<input id="query".* placeholder="([^,]*), .*/\1/p' dom)
jq -e --arg n "$example_name" 'any(.shared[]; .[0] == $n)' data.json >/dev/null || fail "'$example_name' is not a shared name"

begin 'report: functions that are not in BTF, and directories'
dom page.html 'view=missing'
has dom '^<button .*role="tab".*>Not in BTF'
shown | matches -F 'sched_domain_debug_one.isra.0 clone unproven_signature' || fail 'the clone is not listed'
has dom '^<span class="warn" title="A clone: .*"> clone '
has dom 'data-reason="unproven_signature"'
has dom '^<button class="copy" .*sched_domain_debug_one\.isra\.0'
missing=$(functions data.json | jq -s 'map(select(.reason != "encoded")) | length')
shown | matches -F "Not in BTF$missing functions" || fail 'the number in the tab is wrong'
shown | matches -F "$missing function$([ "$missing" = 1 ] && echo ' is' || echo 's are') not in BTF" || fail 'the number in the text is wrong'
has_not dom 'mitted'
dom page.html 'view=folders&folder=kernel'
has dom '^<button .*aria-label="sched: [0-9]+ functions, [0-9]+ share a name"'

begin 'report: Chromium shows inlined calls'
dom inl.html 'view=inlined'
shown | matches -F '1 function, ' || fail 'not exactly the function with a body is shown'
dom inl.html 'view=inlined&open=inlined-0'
has dom "^<code class=\"place\">_text\+$(printf 0x%x "$(jq '.inlined[0][5][0][0]' inl.json)")\$"
has dom '^<code>inl\.c:4$'
dom inl.html 'view=inlined&every=1&sort=name'
shown | matches -E '2 functions, [0-9]+ inlined calls.*both.*gone' || fail 'not both functions are shown'

begin 'report: a search finds the same inlined calls as list --inlined'
selectors=(cpumask_weight 'cpumask_*' cpumask_weight@net/core/dev.c cpumask_weight@dev.c cpumask_weight@/net/core/dev.c
	'*@dev.c' 'cpumask_weight@*/[a-d]*.c' cpumask_weight@net/core/dev.c:1)
mapfile -t fragments < <(printf '%s\n' "${selectors[@]}" | jq -Rr '"view=inlined&q=" + @uri')
doms page.html "${fragments[@]}"
nr=0
for selector in "${selectors[@]}"; do
	nr=$((nr + 1))
	mv dom.$nr dom
	"$ABTF" list --inlined -j vmlinux "$selector" >list.json || { fail "precondition: $selector"; continue; }
	calls=$(jq '.calls | length' list.json)
	expect_eq "$(shown | grep -oE '[0-9]+ functions?, [0-9]+ inlined calls?' | sort -u)" \
		"1 function, $calls inlined call$([ "$calls" = 1 ] || echo s)" "$selector"
done
dom page.html 'view=inlined&q=weigh'
shown | matches -F '1 function, 23 inlined calls' || fail 'a part of a name'

begin 'report: Chromium shows names as text'
dom hostile.html 'view=missing'
shown | matches -F '??script??img?src?x?onerror?alert?1??' || fail 'the name is not shown'
has_not dom '^<img'
shown | matches -F 'bad???name' || fail 'the name with other characters is not shown'
shown | matches -E 'same\?@_text\+0x[0-9a-f]+' || fail 'two names that look the same have no addresses'
dom hostile.html 'q=dup'
shown | matches -F 'net/??--?script???????.c' || fail 'the name of the file is not shown as text'
has_not dom '^<img'
dom alone.html 'view=folders'
shown | matches -F '1 function in all folders' || fail 'the page of one function does not count it'
