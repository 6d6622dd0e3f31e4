#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The harness detects failures, warnings and missing results.
# long: a dozen guests
. "${0%/*}/../../lib.sh"
vm=$selftests/kernel/vm.sh

# ktap [STATUS [WHY]] <<'E': print the results of this output on one line
ktap() {
	awk -f "$selftests/kernel/ktap.awk" -v status="${1:-0}" -v why="${2:-}" | tr '\t\n' ' ;'
}

begin 'KTAP: passed, failed and skipped'
cat >tap <<'E'
KTAP version 1
1..3
# a remark
ok 1 - one
    KTAP version 1
    1..1
    not ok 1 of a subtest
not ok 2 two # why
ok 3 - three # SKIP no three here
E
expect_eq "$(ktap <tap)" 'pass one;fail two (why);skip three (no three here);'

begin 'KTAP: a plan for nothing is a skip, with the reason'
expect_eq "$(printf 'KTAP version 1\n1..0 # SKIP no such thing\n' | ktap)" 'skip all (no such thing);'

begin 'KTAP: fewer and more results than planned'
expect_eq "$(printf 'KTAP version 1\n1..2\nok 1 - one\n' | ktap)" \
	'pass one;fail KTAP: planned 2, seen 1;'
expect_eq "$(printf 'KTAP version 1\n1..1\nok 1 - one\nok 2 - two\n' | ktap)" \
	'pass one;pass two;fail KTAP: planned 1, seen 2;'
expect_eq "$(printf 'KTAP version 1\nok 1 - one\n1..1\n' | ktap)" 'pass one;'

begin 'KTAP: no plan, no version, nothing at all'
expect_eq "$(printf 'KTAP version 1\nok 1 - one\n' | ktap)" 'pass one;fail KTAP: no plan;'
expect_eq "$(printf '1..1\nok 1 - one\n' | ktap)" 'pass one;fail KTAP: no version line;'
expect_eq "$(ktap </dev/null)" 'fail KTAP: no version line;fail KTAP: no plan;'

begin 'KTAP: results out of order, without number, and a bail-out'
expect_eq "$(printf 'KTAP version 1\n1..2\nok 2 - two\nok - x\n' | ktap)" \
	'fail KTAP: line 3: result 2, expected 1;pass two;fail KTAP: line 4: result without number, expected 2;pass x;'
expect_eq "$(printf 'KTAP version 1\n1..0\nBail out! why\n' | ktap)" 'fail KTAP: Bail out! why;'

begin 'KTAP: a bad exit status and a bad end fail what passed'
expect_eq "$(printf 'KTAP version 1\n1..1\nok 1 - one\n' | ktap 3)" 'pass one;fail exit status 3;'
expect_eq "$(printf 'KTAP version 1\n1..1\nok 1 - one\n' | ktap 124 timeout)" 'pass one;fail timeout;'

begin 'KTAP: checks of ktap.sh fail, also if two strings are empty'
sed 's|/tmp/|./|g' "$selftests/kernel/tests/ktap.sh" >ktap.sh
cat >checks <<'E'
. ./ktap.sh
plan 8
check succeeds true
check fails false
check_eq equal one one
check_eq different one two
check_eq empty '' ''
check_none nothing true
check_none failed false
check_none text echo text
E
expect 1 sh checks
expect_eq "$(ktap 1 <out)" 'pass succeeds;fail fails;pass equal;fail different;fail empty;pass nothing;fail failed;fail text;'

# progs STATUS: run test-progs.awk on "before" and "after", with output to "out"
progs() {
	expect "$1" awk -v tests='one two three' -v new=three -f "$selftests/kernel/test-progs.awk" before after
}

begin 'test_progs: no result changed, and new tests pass'
cat >before <<'E'
#1/1     one/a sub: test #1:OK
#1/2     one/b:FAIL
#1       one:FAIL
#2       two:SKIP
#3       three:SKIP
All error logs:
#1/2     one/b:FAIL
#1       one:FAIL
Summary: 0/1 PASSED, 2 SKIPPED, 1 FAILED
E
sed '/^#3/i #3/1     three/c:OK
	s/three:SKIP/three:OK/' before >after
cp after good
progs 0
says '^3 passed, 0 failed, 3 skipped'

begin 'test_progs: a subtest that fails, is skipped or missing, in a test that fails on both'
for change in 's/#1:OK/#1:FAIL/' 's/#1:OK/#1:SKIP/' '/#1:OK/d'; do
	sed "$change" good >after
	progs 1
	says '^one/a sub: test #1 +OK +(FAIL|SKIP|none) +<-- FAILED'
	says '^2 passed, 1 failed, 3 skipped'
done

begin 'test_progs: a test that was skipped and fails now, or is missing on both'
sed 's/two:SKIP/two:FAIL/' good >after
progs 1
says '^two +SKIP +FAIL +<-- FAILED'
mv before all
grep -v two all >before
grep -v two good >after
progs 1
says '^two +none +none +<-- FAILED'
mv all before

begin 'test_progs: a new test that is skipped, and a subtest of one'
sed 's/three:OK/three:SKIP/' good >after
progs 1
says '^three +new +SKIP +<-- FAILED'
sed 's/c:OK/c:SKIP/' good >after
progs 1
says '^three/c +new +SKIP +<-- FAILED'

begin 'a complaint is recognized'
cat >complaints <<'E'
WARNING: CPU: 0 PID: 1 at kernel/bpf/btf.c:1 btf_x+0x1/0x2
BUG: kernel NULL pointer dereference, address: 0000000000000000
BUG: KASAN: slab-use-after-free in x+0x1/0x2
BUG: sleeping function called from invalid context at x.c:1
kernel BUG at mm/slub.c:1!
Oops: general protection fault, probably for non-canonical address
UBSAN: array-index-out-of-bounds in x.c:1:2
WARNING: possible circular locking dependency detected
WARNING: suspicious RCU usage
rcu: INFO: rcu_sched detected stalls on CPUs/tasks:
list_add corruption. next->prev should be prev
INFO: task insmod:53 blocked for more than 120 seconds.
watchdog: BUG: soft lockup - CPU#0 stuck for 22s!
unregister_netdevice: waiting for lo to become free. Usage count = 2
refcount_t: underflow; use-after-free.
ODEBUG: free active (active state 0) object
Kernel panic - not syncing: Fatal exception
E
while read -r line; do
	printf '[    1.000000] before\r\n[    1.000001] %s\r\n' "$line" |
		awk -f "$selftests/kernel/splat.awk" >out
	expect_eq "$(cat out)" "[    1.000001] $line"
done <complaints

begin 'normal kernel messages are not complaints'
cat >daily <<'E'
[    1.000000] tsc: Refined TSC clocksource calibration: 2596.103 MHz
[    1.000000] splat: loading out-of-tree module taints kernel.
[    1.000000] BPF: Invalid btf_info kind_flag
[    1.000000] rcu: Hierarchical SRCU implementation.
[    1.000000] failed to validate module [x] BTF: -22
E
awk -f "$selftests/kernel/splat.awk" daily | expect_none

begin 'exit status and output of a command are passed on'
expect 0 "$vm" 'uname -s; echo $#'
expect_eq "$out" $'Linux\n0'
expect 200 "$vm" 'exit 200'
expect_none <<<"$out"

begin 'a command reaches the guest unchanged, and an empty one is an error'
# shellcheck disable=SC2016 # not for this shell either
command='for i in 1 2; do echo "$i $(id -u) ${$}"; done'
expect_eq "$(printf 'include Makefile\nshow:\n\t@printf %%s "$$CMD"\n' |
	env -u MAKEFLAGS make -s -C "$top" -f - show CMD="$command")" "$command"
expect 0 "$vm" "$command"
expect_eq "$(sed 's/ [0-9]*$//' out)" $'1 0\n2 0'
expect 125 "$vm" ''
says 'usage: vm.sh COMMAND'

begin 'every byte of the output arrives'
for ((i = 0; i < 256; i++)); do
	# shellcheck disable=SC2059 # the format is the byte
	printf "\\x$(printf %x $i)"
done >bytes
FILES=$PWD/bytes "$vm" 'test $(wc -c </files/bytes) = 256 && cat /files/bytes' >bytes.out
cmp bytes bytes.out || fail 'bytes were lost or changed'

begin 'a warning fails a command that succeeds, and is shown'
expect 123 "$vm" 'insmod /test/splat.ko what=warn'
says 'WARNING: .*\[splat\]'
says 'vm.sh: the kernel complained \(taint mask [0-9]+\); .* was 0'

begin 'a warning fails a command even if the console is silent'
expect 123 "$vm" 'dmesg -n 1; insmod /test/splat.ko what=warn'
says 'vm.sh: the kernel complained \(taint mask 4608\); .* was 0'

begin 'an Oops and a panic end the guest'
expect 125 "$vm" 'insmod /test/splat.ko what=oops; sleep 20'
says 'BUG: kernel NULL pointer dereference|KASAN: null-ptr-deref|Unable to handle kernel '
says 'vm.sh: the guest died'
expect 125 "$vm" 'insmod /test/splat.ko what=panic'
says 'Kernel panic - not syncing: as asked for'

begin 'a command that restarts the guest ends it'
expect 125 "$vm" 'reboot -f; sleep 20'
says 'vm.sh: the guest died: it rebooted before the command ended'

begin 'a command that hangs is stopped'
# including the time to boot
limit=$((20 * SLOWNESS))
[ "$KERNEL" != debug ] || limit=$((90 * SLOWNESS))
expect 124 env VM_TIMEOUT=$limit "$vm" 'echo before; insmod /test/splat.ko what=hang'
says '^before'
says "vm.sh: timeout: the guest was killed after $limit s"

begin 'without an image, no guest is started'
expect 125 env VM_IMAGE=nowhere "$vm" true
says 'nowhere is not there'
