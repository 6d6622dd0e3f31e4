#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --callers prints the calls of a function, with callers and places, and whether a probe sees them.
. "${0%/*}/../lib.sh"

# units FLAG...: twin() in two files; far() is global, and declared where it is called
units() {
	unit kernel/one "$@" <<-'C'
	int far(int a);
	static __attribute__((noinline)) int twin(int a) { __asm__ volatile("" : "+r"(a)); return a; }
	static inline __attribute__((always_inline)) int leaf(int a)
	{
		return twin(a) * 3;
	}
	int call_one(int a)
	{
		a = far(a) + 1;
		return twin(a) + 1;
	}
	int tail_one(int a)
	{
		return twin(a + 2);
	}
	int use_leaf(int a)
	{
		return leaf(a) + 1;
	}
	__attribute__((section(".init.text"))) int start(int a)
	{
		return twin(a) + 5;
	}
	int indirect(int (*f)(int), int a)
	{
		return f(a) + 1;
	}
	int (*address(void))(int) { return twin; }
	C
	unit fs/two "$@" <<-'C'
	typedef __SIZE_TYPE__ size_t;
	static __attribute__((noinline)) int twin(int a) { __asm__ volatile("" : "+r"(a)); return a - 1; }
	int far(int a) { return twin(a) + 2; }
	void *memcpy(void *to, const void *from, size_t n) { *(char *)to = n; return to; }
	C
	unit fs/three "$@" <<-'C'
	void *memcpy(void *to, const void *from, __SIZE_TYPE__ n);
	int copy(void *to, void *from, long n)
	{
		memcpy(to, from, n);
		return 1;
	}
	C
	image vmlinux kernel/one.o fs/two.o fs/three.o
	need_dwarf vmlinux 'DW_TAG_(GNU_)?call_site'
}

# calls SELECTOR...: "NAME: KIND in IN by CALLER at CALL [FLAG]", by line
calls() {
	expect 0 quietly "$ABTF" list --callers -j vmlinux "$@"
	jq -r '.calls | sort_by(.call_file, .call_line)[] |
		"\(.function): \(.kind) in \(.in) by \(.caller) at \(.call_file):\(.call_line)\(if .flags == ["init"] then " init" else "" end)"' out
}

twin_one='twin: call in use_leaf by leaf at kernel/one.c:5
twin: call in call_one by call_one at kernel/one.c:10
twin: tail call in tail_one by tail_one at kernel/one.c:14
twin: call in start by start at kernel/one.c:22 init'

for variant in 'gcc' 'gcc -gdwarf-4' 'clang' 'clang -gdwarf-4'; do
	compiler=${variant%% *} flags=${variant#"$compiler"}
	target $compiler
	# shellcheck disable=SC2086 # flags, or none
	units $flags

	begin "$variant: calls of a static function are in its unit"
	expect_eq "$(calls twin@one.c)" "$twin_one"
	expect_eq "$(calls twin@fs/two.c)" 'twin: call in far by far at fs/two.c:3'
	expect_eq "$(calls twin | wc -l)" 5

	begin "$variant: a call ends where the next instruction starts; clang has the start of a jump"
	text=$(nm vmlinux | sed -n 's/ [tT] _text$//p')
	calls twin@one.c >/dev/null
	jq -r '.calls[] | "\(.offset) \(.kind)"' out >offsets
	expect_eq "$(wc -l <offsets)" "$(wc -l <<<"$twin_one")" 'calls'
	objdump -d --no-show-raw-insn vmlinux |
		sed -nE 's/^ *([0-9a-f]+):\t([a-z]+) .*<(.*)>$/\1 \2 \3/p; s/^ *([0-9a-f]+):.*/\1/p' >code
	while read -r offset kind; do
		place=$(printf '%x' $((0x$text + offset)))
		expect_eq "$kind: $(awk -v at="$place" '$1 == at { print $2 == "jmp" ? $2 " " $3 : last }
			{ last = $2 " " $3 }' code)" "$kind: $([ "$kind" = call ] && echo call || echo jmp) twin"
	done <offsets

	begin "$variant: calls of a global function are found in all files"
	expect_eq "$(calls far)" 'far: call in call_one by call_one at kernel/one.c:9'
	expect_eq "$(calls far@fs/two.c)" 'far: call in call_one by call_one at kernel/one.c:9'
	expect_eq "$(calls memcpy)" 'memcpy: call in copy by copy at fs/three.c:4'

	begin "$variant: calls of a function that was inlined everywhere are printed"
	expect_eq "$(calls leaf)" 'leaf: inlined in use_leaf by use_leaf at kernel/one.c:18'
	expect_eq "$(calls leaf@one.c)" 'leaf: inlined in use_leaf by use_leaf at kernel/one.c:18'
	expect_eq "$(calls leaf twin@two.c | wc -l)" 2

	begin "$variant: --callers prints a table"
	expect 0 "$ABTF" list --callers vmlinux far
	has out '^ *OFFSET  FLAGS +KIND  IN +CALLER +CALL$'
	has out '^ *0x[0-9a-f]+  [a-z-]+ +call  call_one  call_one  kernel/one.c:9$'
	expect_eq "$(tail -n 1 out)" \
		'calls through pointers, static calls, and calls in assembly are not in DWARF'
	expect 0 "$ABTF" list --callers vmlinux far twin
	has out '^ *OFFSET  FLAGS +KIND +NAME  IN'

	begin "$variant: one probe on each function that has a call"
	expect 0 quietly "$ABTF" list --callers --probe=json vmlinux 'twin*' leaf
	expect_eq "$(jq -r '.probes[].name' out | sort | tr '\n' ' ')" 'call_one far tail_one use_leaf '
	expect 0 "$ABTF" list --callers --probe=tracefs --retprobe vmlinux twin
	says '^r:abtf/tail_one_[0-9a-f]+_ret _text\+0x[0-9a-f]+$'
	says 'at 1 of 5 functions, which are omitted: 1 init'
	says 'warning: vmlinux: calls through pointers, static calls, and calls in assembly are not in DWARF'

	begin "$variant: a function without calls, and an unknown function, are errors"
	expect 3 "$ABTF" list --callers vmlinux indirect
	says "vmlinux: no call of 'indirect' was found; calls through pointers"
	expect 3 "$ABTF" list --callers vmlinux twn
	says 'did you mean twin[?]'
	expect 3 "$ABTF" list --callers vmlinux twn far
	says "no function named 'twn'"
	expect 3 "$ABTF" list --callers vmlinux twin@three.c
	says "'twin@three.c' was not found"
done
target gcc

begin 'wrong usage of --callers is rejected'
expect 2 "$ABTF" list --callers vmlinux
says '--callers needs a SELECTOR'
expect 2 "$ABTF" list --callers --inlined vmlinux far
expect 2 "$ABTF" list --callers --table vmlinux far
expect 2 "$ABTF" list --callers --probe=perf vmlinux far+4
says 'a place in a function needs --probe, without'
tool objcopy --strip-debug vmlinux bare
expect 1 "$ABTF" list --callers bare far
says 'no debug information'

begin 'a module may call functions outside of it'
modinfo='static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=my_mod";'
{ echo "$modinfo"; sed '/^int far(/!d' kernel/one.c; cat kernel/one.c; } | unit kernel/mod -ffunction-sections
module mod.ko kernel/mod.o
expect 0 "$ABTF" list --callers -j mod.ko far
expect_eq "$(jq -r '.calls[] | "\(.in) \(.call_file):\(.call_line)"' <<<"$out")" 'call_one kernel/mod.c:11'
expect 0 quietly "$ABTF" list --callers --probe=json mod.ko twin
expect_eq "$(jq -r '"\(.module) \(.probes[] | "\(.symbol) \(.symbol_offset)")"' out)" 'my_mod call_one 0
my_mod tail_one 0
my_mod use_leaf 0'

begin 'a call of a split-off part (.part) is not a call of the function'
unit kernel/split <<'C'
int warn(const char *fmt, ...);
#define MUCH warn("%d %d", p[i], x); p[i] += warn("again %d", i);
static int split(int *p, int x)
{
	int i;
	if (__builtin_expect(!p, 1))
		return 0;
	for (i = 0; i < x; i++) { MUCH MUCH MUCH MUCH MUCH MUCH MUCH MUCH MUCH MUCH MUCH MUCH }
	return p[0];
}
int first(int *p, int x) { return split(p, x); }
int second(int *p, int x) { return split(p, x + 1); }
int third(int *p, int x) { return split(p, x + 2); }
C
unit kernel/warn <<<'int warn(const char *fmt, ...) { return *fmt; }'
image split kernel/split.o kernel/warn.o
need_symbol split '[tT] split[.]part[.]0'
expect 0 "$ABTF" list --callers -j split split
expect_eq "$(jq -r '.calls[] | "\(.kind) \(.in)"' <<<"$out" | sort | tr '\n' ',')" \
	'inlined first,inlined second,inlined third,'

begin 'a caller that is a clone is marked as one, as in the list of functions'
target gcc
unit kernel/clone <<'C'
int far(int a);
static __attribute__((noinline)) int cut(int a, int unused) { return far(a) + 1; }
int whole(int a) { return cut(a, a * 3) + far(a + 1) * cut(a + 2, 0); }
C
unit kernel/far <<<'int far(int a) { return a * 5; }'
image clone kernel/clone.o kernel/far.o
need_symbol clone 't cut[.](constprop|isra)[.]0'
expect 0 "$ABTF" list --callers -j clone far
expect_eq "$(jq -r '.calls[] | "\(.in) \(.flags | contains(["clone"]))"' <<<"$out" | sort | tr '\n' ',')" \
	"$(nm clone | grep -o 'cut[.].*') true,whole false,"

begin '--callers prints the same for any number of threads'
"$ABTF" list --callers -j vmlinux '*' >many
[ "$(jq '.calls | length' many)" -gt 0 ] || fail 'no calls'
taskset -c 0 "$ABTF" list --callers -j vmlinux '*' | cmp - many || fail 'the output differs'

begin 'line number programs that are cut off or changed: an error or an answer, never a crash'
limited "$python" - vmlinux "$ABTF" <<'P'
import random, subprocess, sys
data = bytearray(open(sys.argv[1], 'rb').read())
out = subprocess.run(['readelf', '-SW', sys.argv[1]], capture_output=True, text=True).stdout
off, size = [(int(w[4], 16), int(w[5], 16)) for w in
	     (l.replace('[ ', '[').split() for l in out.splitlines() if '.debug_line ' in l)][0]
random.seed(1)
failed = 0
for i in range(150):
    copy = bytearray(data)
    for _ in range(1 + i % 4):
        copy[off + random.randrange(size)] = random.randrange(256)
    open('bad', 'wb').write(copy)
    r = subprocess.run([sys.argv[2], 'list', '--callers', '-j', 'bad', 'twin'], capture_output=True)
    failed += r.returncode == 1
    if r.returncode not in (0, 1, 3) or r.returncode and b'error' not in r.stdout + r.stderr:
        sys.exit(f'exit status {r.returncode}: {(r.stdout + r.stderr)[-2000:].decode()}')
if not 0 < failed < 150:
    sys.exit(f'{failed} of 150 fail: both must occur')
P
