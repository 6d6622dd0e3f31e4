#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# symbolize: convert offsets and addresses to NAME@FILE, also in the output of a tool.
. "${0%/*}/../lib.sh"
unset DEBUGINFOD_URLS
export XDG_CACHE_HOME=$PWD/cache

mkdir -p kernel fs
unit kernel/core <<'C'
static __attribute__((noinline, used)) int dup(int a) { return a * 3; }
int only(int a) { return a; }
asm(".text\n.type blind, @function\nblind: nop; nop; nop; nop\n.size blind, 4\n.space 28");
asm(".text\n.type sizeless, @function\nsizeless: nop; nop\n.space 30");
asm(".text\n.type begins, @function\n.type whole, @function\nbegins: whole: .space 16\n.size begins, 4\n.size whole, 16\n.space 16");
C
unit fs/core <<'C'
static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }
C
image vmlinux kernel/core.o fs/core.o
encode vmlinux
need_symbol vmlinux 't blind'

text=$(nm vmlinux | awk '$3 == "_text" { print $1 }')
second=$(($(offset_of dup@fs/core.c)))
blind=$((0x$(nm vmlinux | awk '$3 == "blind" { print $1 }') - 0x$text))
sizeless=$((0x$(nm vmlinux | awk '$3 == "sizeless" { print $1 }') - 0x$text))
hex=$(printf '%x' $second)
address=$(printf '%x' $((0x$text + second)))

# symbolizes PLACE NAME: symbolize PLACE in the image, and expect NAME
symbolizes() {
	expect 0 "$ABTF" symbolize vmlinux "$1"
	expect_eq "$out" "$2" "$1"
}

begin 'offsets are accepted as --probe and bpftrace print them, and without _text'
for form in _text+0x$hex _text+$second kprobe:_text+$second 0x$hex $second; do
	symbolizes "$form" dup@fs/core.c
done
symbolizes $((second + 2)) dup@fs/core.c+0x2
symbolizes "$(offset_of only)" only

begin 'addresses of the image are accepted with 0x and without'
symbolizes 0x$address dup@fs/core.c
symbolizes "$address" dup@fs/core.c

begin 'NAME+OFFSET is accepted, as in stack traces'
symbolizes only+0x1/0x20 only+0x1
symbolizes dup@fs/core.c+0x2 dup@fs/core.c+0x2
# in vmlinux, unlike in a module, an offset does not lead to another function
expect 3 "$ABTF" symbolize vmlinux only+$((second - $(offset_of only)))
says 'no function is there'
expect 3 "$ABTF" symbolize vmlinux dup+1
says "'dup\+1': 2 functions are called dup"
for empty in '' kprobe:; do
	expect 3 "$ABTF" symbolize vmlinux "$empty"
	says "'$empty': no function is there"
done

begin 'code without a FUNC does not belong to the FUNC before it'
expect_eq "$("$ABTF" list -aj vmlinux.btf | jq '[.functions[] | select(.name == "blind")] | length')" 0
symbolizes $((blind + 3)) blind+0x3
# the first byte after a function may be that of another one, or padding
expect 3 "$ABTF" symbolize vmlinux $((blind + 4))
says '^\?\?$'
expect 3 "$ABTF" symbolize vmlinux $((blind + 9)) nothing 0xffffffffffffffff 99999999999999999999999
expect_eq "$(grep -c '^??$' out)" 4
expect_eq "$(grep -c 'no function is there' out)" 4

begin 'a function of size 0, as in assembly, has its first byte'
symbolizes $sizeless sizeless
expect 3 "$ABTF" symbolize vmlinux $((sizeless + 1))

begin 'the longest of several symbols at an address contains the code'
whole=$((0x$(nm vmlinux | awk '$3 == "whole" { print $1 }') - 0x$text))
symbolizes $((whole + 8)) whole+0x8

begin 'decimal numbers below 2^63 are offsets, even if the image is linked there'
(
	link="${link/IMAGE_BASE=0xffffffff81000000/IMAGE_BASE=0x100000}"
	image low kernel/core.o fs/core.o
	expect_eq "$(echo "@[$((0x100000 + second))]: 1 @[0x$(printf %016x $((0x100000 + second)))]: 1" |
		"$ABTF" symbolize low)" "@[$((0x100000 + second))]: 1 @[dup@fs/core.c]: 1"
)

begin 'JSON has the offset and function of each argument'
expect 3 "$ABTF" symbolize -j vmlinux _text+$((second + 2)) nothing
expect_eq "$(jq -c .places out)" \
	"[{\"query\":\"_text+$((second + 2))\",\"name\":\"dup@fs/core.c\",\"into\":2,\"section\":null,\"offset\":$((second + 2))},{\"query\":\"nothing\",\"name\":null,\"into\":null,\"section\":null,\"offset\":null}]"
expect_eq "$(jq -r .error out)" "vmlinux: 'nothing': no function is there"

begin 'the output of a tool: keys are replaced, everything else is copied'
cat >tool <<T
@[kprobe:_text+$second]: 3
@[kprobe:_text+$second, cat]: 4
    _text+0x$hex/0x20 x_text+$second _text+${second}x _text+ _text+0x99999999
    $address 0x$address 0x${address}0 $second +$second
no newline at the end
T
truncate -s -1 tool
"$ABTF" symbolize vmlinux <tool >out
printf '\n' >>out
expect_text "$(cat out)" <<T
@[kprobe:dup@fs/core.c]: 3
@[kprobe:dup@fs/core.c, cat]: 4
    dup@fs/core.c/0x20 x_text+$second _text+${second}x _text+ _text+0x99999999
    dup@fs/core.c dup@fs/core.c 0x${address}0 $second +$second
no newline at the end
T
head -c 100000 /dev/urandom | sed 's/_text+//g' >noise
"$ABTF" symbolize vmlinux <noise | cmp - noise || fail 'other text was changed'

begin 'each line is written before the next one is read'
mkfifo to
"$ABTF" symbolize vmlinux <to >from &
exec 5>to
echo "_text+$second" >&5
for _ in $(seq 100); do
	[ ! -s from ] || break
	sleep 0.1
done
expect_eq "$(cat from)" dup@fs/core.c
exec 5>&-
wait

begin '--running resolves addresses by /proc/kallsyms, with the image or the cache'
mkdir -p root/sys/kernel root/proc root/usr/lib/debug/boot
tool objcopy -O binary --only-section=.note.gnu.build-id vmlinux root/sys/kernel/notes
[ -s root/sys/kernel/notes ] || tool objcopy -O binary --only-section=.notes vmlinux root/sys/kernel/notes
cp vmlinux root/usr/lib/debug/boot/vmlinux-6.12
loaded=0xffffffff9a000000
at=$(printf '%x' $((loaded + second)))
{
	echo '0000000000000000 A fixed_percpu_data'
	printf '%x T _text\n' $((loaded))
} >root/proc/kallsyms
for image in root/usr/lib/debug/boot/vmlinux-6.12 '(kept)'; do
	[ "$image" != '(kept)' ] || rm root/usr/lib/debug/boot/vmlinux-6.12
	expect 0 "$ABTF" symbolize --running --sysroot=root "$at" _text+$second $((blind + 1))
	expect_eq "$out" $'dup@fs/core.c\ndup@fs/core.c\nblind+0x1'
	expect 0 "$ABTF" symbolize --running --sysroot=root "$(printf %d $((0x$at + 2)))" "$(printf %u 0x$at)"
	expect_eq "$out" $'dup@fs/core.c+0x2\ndup@fs/core.c'
	expect 3 "$ABTF" symbolize --running --sysroot=root "$address"
	expect_eq "$(echo "0x$at _text+0x$hex" | "$ABTF" symbolize --running --sysroot=root)" \
		'dup@fs/core.c dup@fs/core.c'
	# bpftrace's reg("ip"): signed in 0.17, unsigned in later versions
	expect_eq "$(printf '@[%d]: 1, @[%u]: 2 a-%d -5 -99999999999999999999\n' $((0x$at)) $((0x$at + 2)) $((-0x$at)) |
		"$ABTF" symbolize --running --sysroot=root)" \
		"@[dup@fs/core.c]: 1, @[dup@fs/core.c+0x2]: 2 a-$((-0x$at)) -5 -99999999999999999999"
done

begin '--running: loaded modules may have a function with the same name'
cp root/proc/kallsyms kallsyms
{
	printf '%s\t[%s]\n' 'ffffffffc0000000 t dup' ext4 'ffffffffc0000100 t dup' ext4 'ffffffffc0100000 t dup' fat \
		'ffffffffc0100100 d only' fat 'ffffffffc0100200 t dupe' zlib 'ffffffffc0100300 t only' zlib \
		'ffffffffc0100400 t elsewhere' fat 'ffffffffc0100500 t elsewhere' ext4 \
		'ffffffffc0100600 t dup' bpf 'ffffffffc0100700 t dup' __builtin__ftrace \
		'ffffffffc0100800 t dup' $'x\033[31m'
} >>root/proc/kallsyms
printf '%s\n' dup+1 dup+1/0x20 'only+1' 'only+1 [fat]' 'blind+1' elsewhere+1 >entries
expect_text "$("$ABTF" symbolize --running --sysroot=root <entries)" <<'T'
dup@(kernel/core.c|fs/core.c|[ext4]|[fat])+1
dup@fs/core.c+1/0x20
only@(kernel/core.c|[zlib])+1
only+1 [fat]
blind+1
elsewhere+1
T
expect 3 "$ABTF" symbolize --running --sysroot=root 'only+0x1/0x20 [ext4]'
says "'only\+0x1/0x20 \[ext4\]': is in module ext4: use its image, or --module ext4"
expect 3 "$ABTF" symbolize --running --sysroot=root only+1 dup+1
for line in "'only\+1': functions of vmlinux and of loaded modules are called only" '    only\+0x1 \[zlib\]' \
	'    dup\+0x1 \[ext4\]\|\[fat\]'; do
	says "$line$"
done
expect 3 "$ABTF" symbolize --running --sysroot=root only+1
has_not out '@'
expect 0 "$ABTF" symbolize --running --sysroot=root blind+1 only+1/0x20 only@kernel/core.c+1
expect 3 "$ABTF" list --running --sysroot=root elsewhere dup
says '    elsewhere is in these modules, which are loaded: ext4, fat; select one with --module$'
# they may also have the functions that were found, or a clone
printf '%s\t[%s]\n' 'ffffffffc0200000 t blind.isra.0' zlib 'ffffffffc0200000 t wholes' zlib >>root/proc/kallsyms
for args in dup --probe=libbpf\ dup --table\ dup -j\ dup 'dup dup@fs/core.c blind'; do
	# shellcheck disable=SC2086 # several arguments
	expect 0 "$ABTF" list --running --sysroot=root --all $args
	says 'dup is also in these modules, which are loaded: ext4, fat; select one with --module'
	expect_eq "$(grep -c 'is also in' out)" $([[ $args = *blind ]] && echo 2 || echo 1)
done
says '^abtf: note: blind is also in these modules, which are loaded: zlib; '
# reading the file takes longer than the rest: only if a name needs it
mv root/proc/kallsyms aside
mkfifo root/proc/kallsyms
{ : >root/proc/kallsyms; touch opened; } &
for args in '' dup@fs/core.c; do
	# shellcheck disable=SC2086 # an argument, or none
	expect 0 "$ABTF" list --running --sysroot=root $args
	[ ! -e opened ] || fail "list $args reads /proc/kallsyms"
done
expect 0 "$ABTF" list --running --sysroot=root dup dup@fs/core.c
wait $!
mv aside root/proc/kallsyms
expect 0 "$ABTF" list --running --sysroot=root dup@fs/core.c whole
expect 0 "$ABTF" list vmlinux dup
has_not out 'is also in'
expect 2 "$ABTF" list --running --module=ext4 --sysroot=root --module=fat elsewhere
says "error: list: option '--module' was given twice"
cp kallsyms root/proc/kallsyms

begin 'Ctrl-C ends the tool that writes to a pipe, not the filter, which copies what the tool prints then'
cat >writer <<W
trap 'echo _text+0x$hex; exit' INT
echo writer starts
while :; do sleep 0.1; done
W
# a process group, in which bash has not ignored the signal
setsid env --default-signal=INT bash -c "bash writer | '$ABTF' symbolize vmlinux >copied" &
group=$!
for ((i = 0; i < 600; i++)); do
	! grep -q starts copied 2>/dev/null || break
	sleep 0.1
done
kill -INT -- -$group
wait $group || true
expect_text "$(cat copied)" <<'T'
writer starts
dup@fs/core.c
T

begin 'a kallsyms without _text is accepted, as on some arm64'
printf '%x d only\n%x T only\n' $((loaded + 5)) $((loaded + $(offset_of only))) >root/proc/kallsyms
expect 0 "$ABTF" symbolize --running --sysroot=root "$at"
expect_eq "$out" dup@fs/core.c

begin 'a kallsyms that hides addresses: a message, and offsets work'
echo '0000000000000000 T _text' >root/proc/kallsyms
expect 0 "$ABTF" symbolize --running --sysroot=root _text+$second
expect_eq "$out" dup@fs/core.c
expect 3 "$ABTF" symbolize --running --sysroot=root "$at"
says '/proc/kallsyms hides addresses \(kernel.kptr_restrict\): run this as root'
expect_eq "$(echo "$at _text+0x$hex" | "$ABTF" symbolize --running --sysroot=root 2>err)" "$at dup@fs/core.c"
has err 'warning: only offsets are replaced, not addresses: /proc/kallsyms hides addresses'
mkdir -p root/proc/sys/kernel
echo 2 >root/proc/sys/kernel/kptr_restrict
expect 3 "$ABTF" symbolize --running --sysroot=root "$at"
says '/proc/kallsyms hides addresses, from root, too: sudo sysctl kernel.kptr_restrict=1'
rm root/proc/sys/kernel/kptr_restrict
rm root/proc/kallsyms
expect 3 "$ABTF" symbolize --running --sysroot=root "$at"
says '/proc/kallsyms cannot be read'

begin "a module: offsets from the module's unique symbols are accepted"
unit drivers_a <<'C'
static const char modinfo[] __attribute__((section(".modinfo"), used)) = "license=GPL\0name=my_mod";
static __attribute__((noinline, used)) int twin(int a) { return a; }
static __attribute__((noinline, used)) int between(int a) { return a + 1; }
C
unit drivers_b <<'C'
static __attribute__((noinline, used)) int twin(long a) { return a; }
static __attribute__((noinline, used, section(".text.unlikely"))) int other(int a) { return a; }
static __attribute__((noinline, used, section(".init.text"))) int starts(int a) { return a; }
C
module mod.ko drivers_a.o drivers_b.o
key=$("$ABTF" list --probe=json mod.ko twin@drivers_b.c 2>/dev/null | jq -r '.probes[] | "\(.symbol)+\(.symbol_offset)"')
expect 0 "$ABTF" symbolize mod.ko "$key" "$key [my_mod]" my_mod:other+0x1 other
expect_eq "$out" $'twin@drivers_b.c\ntwin@drivers_b.c\nother+0x1\nother'
expect_eq "$(echo "@[kprobe:$key]: 1 twin+1 [my_mod]" | "$ABTF" symbolize mod.ko)" \
	'@[kprobe:twin@drivers_b.c]: 1 twin@(drivers_a.c|drivers_b.c)+1 [my_mod]'
expect 3 "$ABTF" symbolize mod.ko 0

begin 'a module: each place in its table, which may be relative to a section'
tool ld -r --build-id=0xabcd -o with-id.ko mod.ko
"$ABTF" list --table --all with-id.ko | sed 1d >places
has places '^twin@drivers_a.c \[\.text\]\+0x0'
while read -r name place _; do
	expect_eq "$("$ABTF" symbolize mod.ko "$place")" "$name" "$place"
done <places
expect 0 "$ABTF" symbolize mod.ko 'my_mod:[.text]+1'
expect_eq "$out" 'twin@drivers_a.c+0x1'
for place in '[.text]+0x10000' '[.nosuch]+0x0' '[.text]+0x0x' '[.text]' '[.text]+' '['; do
	expect 3 "$ABTF" symbolize mod.ko "$place"
done
expect 3 "$ABTF" symbolize vmlinux '[.text]+0x0'

begin 'stack traces: SIZE in NAME+OFFSET/SIZE selects the function'
unit trace_a <<'C'
static __attribute__((noinline, used)) int step(int a) { return a; }
C
for f in b c; do
	unit trace_$f <<-C
		static __attribute__((noinline, used)) int step(int a)
		{
			__asm__ volatile(".space 64, 0x90");
			return a;
		}
		int lone_$f(int a) { return a; }
	C
done
image trace trace_a.o trace_b.o trace_c.o
sizes=($(nm -n trace | awk 'from { print from, $1; from = "" } $3 == "step" { from = $1 }' |
	while read -r from to; do printf '0x%x\n' $((0x$to - 0x$from)); done))
expect_eq "${#sizes[@]} $([ "${sizes[1]}" = "${sizes[2]}" ] && echo same)" '3 same'
[ "${sizes[0]}" != "${sizes[1]}" ] || fail 'the sizes do not differ'
for form in "step+0x1/${sizes[0]}" "step+0x1/${sizes[0]} [other]"; do
	status=0
	"$ABTF" symbolize trace "$form" >out 2>&1 || status=$?
	expect_eq "$status $(tail -n 1 out)" "$([[ $form = *other* ]] && echo '3 ??' || echo '0 step@trace_a.c+0x1')"
done
expect 3 "$ABTF" symbolize trace "step+0x1/${sizes[1]}"
says ': 2 functions are called step$'
says '    step@trace_b.c\+0x1$'
says '    step@trace_c.c\+0x1$'
# a call at the end of a function returns to its end
expect 0 "$ABTF" symbolize trace "step+${sizes[0]}/${sizes[0]}"
expect_eq "$out" "step@trace_a.c+${sizes[0]}"
expect 0 "$ABTF" symbolize trace step@trace_c.c+0x2 step@trace_c.c+2 "lone_b+0x1/0x9999"
expect_eq "$out" $'step@trace_c.c+0x2\nstep@trace_c.c+0x2\nlone_b+0x1'
cat >dmesg <<T
RIP: 0010:step+0x1/${sizes[0]}
 [<0>] step+0x1/${sizes[1]}
 [step+0x1/${sizes[0]}]
 ? step+0x1/${sizes[0]} [other]
 step+0x1/${sizes[0]} [other 2bbc5ad1e3]
 lone_b+0x1/0x10 unknown+0x1/0x10 step step+ step+x mystep+1 step+0x1/${sizes[0]}x step+99999
    step+1
T
"$ABTF" symbolize trace <dmesg >out
expect_text "$(cat out)" <<T
RIP: 0010:step@trace_a.c+0x1/${sizes[0]}
 [<0>] step@(trace_b.c|trace_c.c)+0x1/${sizes[1]}
 [step@trace_a.c+0x1/${sizes[0]}]
 ? step+0x1/${sizes[0]} [other]
 step+0x1/${sizes[0]} [other 2bbc5ad1e3]
 lone_b+0x1/0x10 unknown+0x1/0x10 step step+ step+x mystep+1 step+0x1/${sizes[0]}x step+99999
    step@(trace_a.c|trace_b.c|trace_c.c)+1
T

begin 'a size that no function has: the entry is of another build, or of a module'
expect_eq "$(echo 'step+0x1/0x999 lone_b+0x1/0x999' | "$ABTF" symbolize trace)" 'step+0x1/0x999 lone_b+0x1/0x999'
expect 3 "$ABTF" symbolize trace step+0x1/0x999
says 'no function is there'
# code without a size, from assembly, does not select a function
unit sizeless <<<'asm(".text\n.type step, @function\nstep: nop; nop; nop; nop");'
image sizeless trace_a.o sizeless.o
expect 3 "$ABTF" symbolize sizeless step+0x1
says ': 2 functions are called step$'

begin 'the output of a filter is not changed by the same filter'
# without DWARF, the files are not known
tool strip --strip-debug -o unknown trace
for image in trace unknown; do
	printf 'step+1\n@[step+1,step+0x1/%s] (step+1|_text+0x1)\n' "${sizes[0]}" | "$ABTF" symbolize $image >once
	has once 'step@\(.*\|.*\)\+1'
	"$ABTF" symbolize $image <once | cmp - once || fail "$image: changed twice"
done
has once 'step@\(_text\+0x'

begin 'an address in the same line selects the function of an entry'
step=$(nm -n trace | awk '$3 == "step" { at = $1 } $3 == "lone_c" { print at }')
at=$(printf %x $((0x$step + 1)))
files='trace_a.c|trace_b.c|trace_c.c'
while IFS=, read -r entry result; do
	expect_eq "$(echo "$entry" | "$ABTF" symbolize trace | sed 's/^[^ ]*step@trace_c.c+0x1 //')" "$result"
done <<E
$at step+1 ([kernel.kallsyms]),step@trace_c.c+1 ([kernel.kallsyms])
0x$at step+0x1/${sizes[1]} [kernel],step@trace_c.c+0x1/${sizes[1]} [kernel]
#5 step+1 at $at,#5 step@trace_c.c+1 at step@trace_c.c+0x1
$at step+2,step@($files)+2
$at lone_b+1,lone_b+1
x$at step+1,x$at step@($files)+1
E
expect_eq "$(echo "$step  k  step+0x0    [FTRACE]" | "$ABTF" symbolize trace)" \
	'step@trace_c.c  k  step@trace_c.c    [FTRACE]'

begin 'bcc and SystemTap: [kernel] selects vmlinux'
expect_eq "$(echo 'step+1 [kernel]' | "$ABTF" symbolize trace)" "step@($files)+1 [kernel]"
expect_eq "$(echo 'twin+1 [kernel]' | "$ABTF" symbolize mod.ko)" 'twin+1 [kernel]'
expect 0 "$ABTF" symbolize trace "step+1/${sizes[0]} [kernel]"

begin "probes: MODULE: selects the module's image"
expect_eq "$(echo "@[kprobe:my_mod:twin+1] my_mod:twin+1 other:twin+1 kprobe:twin+1 0010:twin+1 vmlinux:twin+1 a.b:twin+1" |
	"$ABTF" symbolize mod.ko | sed 's/@(drivers_a.c|drivers_b.c)/@/g')" \
	'@[kprobe:my_mod:twin@+1] my_mod:twin@+1 other:twin+1 kprobe:twin@+1 0010:twin@+1 vmlinux:twin+1 a.b:twin@+1'
expect_eq "$(echo "kprobe:ext4:step+1 ext4:step+1 vmlinux:step+1 kprobe:step+1 caller:step+0x1/${sizes[0]}" |
	"$ABTF" symbolize trace | sed "s#@($files)#@#g")" \
	"kprobe:ext4:step+1 ext4:step+1 vmlinux:step@+1 kprobe:step@+1 caller:step@trace_a.c+0x1/${sizes[0]}"
for place in ext4:other kprobe:ext4:other+1 'ext4:[.text]+1' ext4:twin@drivers_b.c; do
	expect 3 "$ABTF" symbolize mod.ko "$place"
	says "'.*': is in module ext4: use its image, or --module ext4"
done
expect 0 "$ABTF" symbolize mod.ko my_mod:other kprobe:my_mod:other+1 'my_mod:[.text]+1' my_mod:twin@drivers_b.c
for place in ext4:lone_b kretprobe:ext4:lone_b+1 ext4:step@trace_b.c; do
	expect 3 "$ABTF" symbolize trace "$place"
	says ': is in module ext4'
done
expect 0 "$ABTF" symbolize trace vmlinux:lone_b kprobe:lone_b+1 x:lone_b+0x1/0x10

begin 'perf script: the object in parentheses selects the image'
files='trace_a.c|trace_b.c|trace_c.c'
while IFS=, read -r object result; do
	expect_eq "$(echo "step+0x1 ($object)" | "$ABTF" symbolize trace)" "$result ($object)"
done <<E
[kernel.kallsyms],step@($files)+0x1
/usr/lib/debug/boot/vmlinux-6.12,step@($files)+0x1
[other],step+0x1
/lib/modules/6.12/kernel/other.ko.xz,step+0x1
/usr/bin/a b (deleted),step+0x1
[unknown],step+0x1
[guest.kernel.kallsyms],step+0x1
P,step@($files)+0x1
E
while IFS=, read -r object result; do
	expect_eq "$(echo "twin+1 ($object)" | "$ABTF" symbolize mod.ko)" "$result ($object)"
done <<'E'
[my_mod],twin@(drivers_a.c|drivers_b.c)+1
/lib/modules/6.12/extra/my-mod.ko.xz,twin@(drivers_a.c|drivers_b.c)+1
[other],twin+1
[kernel.kallsyms],twin+1
/usr/lib/libc.so.6,twin+1
E

begin 'colours are copied, and end a word'
expect_eq "$(printf '\033[31mstep+0x1/%s\033[0m\r\n\033[1;7m\033[Kstep+1\033[31xstep+1\033[' "${sizes[0]}" |
	"$ABTF" symbolize trace | cat -v)" \
	"^[[31mstep@trace_a.c+0x1/${sizes[0]}^[[0m^M
^[[1;7m^[[Kstep@($files)+1^[[31xstep+1^[["

begin 'dots after an entry or address end a sentence, not a word'
expect_eq "$(echo "step+0x1/${sizes[0]}. In step+0x1/${sizes[0]}... ${step}. step+0x1/${sizes[0]}.c step+1.5" |
	"$ABTF" symbolize trace)" \
	"step@trace_a.c+0x1/${sizes[0]}. In step@trace_a.c+0x1/${sizes[0]}... step@trace_c.c. step+0x1/${sizes[0]}.c step+1.5"

begin 'a path component is not replaced; the caller in a function trace is'
text='/src/step+1 http://host/step+0x1/%s b-step+1 dso/step+1;x'
# shellcheck disable=SC2059 # it has the size
expect_eq "$(printf "$text f <-step+0x1/%s" "${sizes[0]}" "${sizes[0]}" | "$ABTF" symbolize trace)" \
	"$(printf "$text f <-step@trace_a.c+0x1/%s" "${sizes[0]}" "${sizes[0]}")"

begin "a module: addresses, if the kernel shows its sections' addresses"
dir=root/proc/sys/kernel
mkdir -p $dir root/lib/modules/6.1 root/sys/module/my_mod/sections
echo 6.1 >$dir/osrelease
cp mod.ko root/lib/modules/6.1/my-mod.ko
echo 0xffffffffc0100000 >root/sys/module/my_mod/sections/.text
echo 0xffffffffc0200000 >root/sys/module/my_mod/sections/.text.unlikely
second=$((0xffffffffc0100000 + $("$ABTF" list -j mod.ko twin@drivers_b.c | jq '.functions[].offset')))
running="symbolize --running --sysroot=root --module=my-mod"
# shellcheck disable=SC2086 # several options
expect 0 "$ABTF" $running "$(printf %x $second)" $second ffffffffc0200001
expect_eq "$out" $'twin@drivers_b.c\ntwin@drivers_b.c\nother+0x1'
# shellcheck disable=SC2086
expect_eq "$(echo "@[$second]: 3 0xffffffffc0300000" | "$ABTF" $running)" \
	'@[twin@drivers_b.c]: 3 0xffffffffc0300000'
# a filter of another object may follow, which must not take "other" for its own
# shellcheck disable=SC2086
expect_text "$(printf '%s\n' ffffffffc0200001 'ffffffffc0200001 [my_mod]' ffffffffc0200000 "$((second + 1))" |
	"$ABTF" $running | tee chained)" <<'T'
other+0x1 [my_mod]
other+0x1 [my_mod]
other
twin@drivers_b.c+0x1
T
unit others <<<'int other(int a) { return a; } int twin(int a) { return a; }'
unit others_2 <<<'static __attribute__((noinline, used)) int other(int a) { return a; }'
image others others.o others_2.o
"$ABTF" symbolize others <chained | cmp - chained || fail 'replaced twice'
# init text has been freed, and another module may be there; the next section may follow at once
size=$(readelf -SW mod.ko | awk '$2 == ".text" || $3 == ".text" { print $(NF - 5) }')
printf '0x%x\n' $((0xffffffffc0100000 + 0x$size)) | tee root/sys/module/my_mod/sections/.text.unlikely >out
echo 0xffffffffc0400000 >root/sys/module/my_mod/sections/.init.text
# shellcheck disable=SC2086
expect_eq "$(echo "$(cat out) 0xffffffffc0400000" | "$ABTF" $running)" 'other 0xffffffffc0400000'
# as for users other than root
echo 0x0 | tee root/sys/module/my_mod/sections/.text* >/dev/null
# shellcheck disable=SC2086
expect 3 "$ABTF" $running $second
says '/sys/module hides addresses: run this as root$'

begin 'wrong usage, and BTF without an image, are errors'
expect 2 "$ABTF" symbolize
expect 2 "$ABTF" symbolize -j vmlinux
expect 1 "$ABTF" symbolize vmlinux.btf 0
says 'vmlinux.btf: expected an image'

begin 'a malformed argument decides the exit status, in any order'
expect 1 "$ABTF" symbolize vmlinux dup@ nothing
expect 1 "$ABTF" symbolize vmlinux nothing dup@
expect 3 "$ABTF" symbolize vmlinux nothing only
