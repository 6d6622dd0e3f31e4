#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The patched libbpf on the patched kernel: NAME@FILE, suggestions for a name that is not found,
# kprobes at an address, modules, and less privilege.  On other kernels, it behaves like the
# unpatched libbpf.
. /test/ktap.sh
. /test/machine.sh

test=/sys/kernel/debug/bpf_func_addr_test
kmod=bpf_func_addr_test_kmod
dir=lib/func_addr_test
twins="${test}_kmod/call_twin_1 ${test}_kmod/call_twin_2 ${test}_kmod/call_twin_3"

# short: shorten the paths on standard input to those in the tests below
short() {
	sed "s|${test}_kmod/|kmod/|g; s|$test/|test/|g"
}

# called ARGS...: print the files whose reading called the program
called() {
	selector "$@" /proc/cpuinfo /proc/consoles /proc/crypto 2>/tmp/said
}

failed() {
	selector "$@" $test/left_fail $test/right_fail 2>/tmp/said | short
}

# shellcheck disable=SC2086 # several files
twin() {
	selector "$@" $twins $test/call_twin ${test}_kmod/call_shared $test/call_shared 2>/tmp/said | short
}

said() {
	grep -q -- "$1" /tmp/said
}

# print the functions that libbpf suggested
listed() {
	sed -n 's/^libbpf:   \([a-z_:]*[^ ]*\)$/\1/p' /tmp/said | sort | tr '\n' ' '
}

case $KERNEL in
patched|debug) plan 41 ;;
*) plan 8 ;;
esac

check_eq 'a unique name: kprobe' "$(called kprobe/cpuinfo_open)" /proc/cpuinfo
lto=
! grep -q ' c_start\.llvm\.' /proc/kallsyms || lto="with LTO they are c_start.llvm.NUMBER"
if [ -n "$lto" ]; then
	skip 'kprobe.multi: all functions with a name' "$lto"
elif grep -q ' register_fprobe_ips$' /proc/kallsyms; then
	# libbpf 1.8 passes a name without wildcards to the kernel unchanged
	check_eq 'kprobe.multi: all functions with a name' "$(called 'kprobe.multi/c_star?')" '/proc/cpuinfo /proc/consoles /proc/crypto'
else
	skip 'kprobe.multi: all functions with a name' 'this kernel has no fprobes'
fi

case $KERNEL in
patched|debug) ;;
*)
	# Debian's pahole keeps one function of each name, newer versions none
	one='load: ESRCH' kept=
	! bpftool btf dump file /sys/kernel/btf/vmlinux | grep -q "FUNC 'c_start'" || one=/proc/cpuinfo kept='c_start '
	check_eq 'fentry: a name that is once in BTF' "$(called fentry/c_start)" "$one"
	check_eq 'fentry: NAME@FILE is not found' "$(called fentry/c_start@crypto/proc.c)" 'load: ESRCH'
	check_eq 'the error lists the FUNCs that exist' "listed: $(listed)" "listed: $kept"
	check_eq 'kprobe: NAME@FILE is not found' "$(called kprobe/c_start@crypto/proc.c)" 'attach: ENOENT'
	check 'the kprobe: the message names the missing file' said "failed to read '/sys/kernel/btf_addr/vmlinux'"
	check_eq 'kprobe: a name that several functions share, and that is once in BTF' "$(called kprobe/c_start; listed)" \
		'attach: EADDRNOTAVAIL'
	exit ;;
esac

all="$(tr '\n' ' ' </files/c_start)"
check_eq 'three share the name' "$all" \
	"c_start@$cpuinfo c_start@crypto/proc.c c_start@fs/proc/consoles.c "

check_eq 'kprobe: that of /proc/cpuinfo' "$(called kprobe/c_start@"$cpuinfo")" /proc/cpuinfo
check_eq 'the end of a path is not enough' "$(called kprobe/c_start@consoles.c)" 'attach: ESRCH'
check_eq 'kretprobe: that of /proc/crypto' "$(called kretprobe/c_start@crypto/proc.c)" /proc/crypto
check_eq 'kprobe by tracefs' "$(called -l kprobe/c_start@crypto/proc.c)" /proc/crypto
check_eq 'kretprobe by tracefs' "$(called -l kretprobe/c_start@crypto/proc.c)" /proc/crypto
check_none 'nothing is left in tracefs' cat /sys/kernel/tracing/kprobe_events
# The place of ftrace's call depends on the compiler.  The lower half of an address is enough.
site=$(awk '$2 == "c_start" { print substr($1, length($1) - 7); exit }' /sys/kernel/tracing/available_filter_functions_addrs)
for start in $(awk '$3 == "c_start" { print substr($1, length($1) - 7) }' /proc/kallsyms); do
	after=$((0x$site - 0x$start + call))
	[ $after -lt 0 ] || [ $after -gt 24 ] || second=$after
done
check_eq 'kprobe: an offset after the call of ftrace' "$(called kprobe/c_start@crypto/proc.c+"$second")" /proc/crypto
check_eq 'kprobe: no offset inside an instruction' "$(called kprobe/c_start@crypto/proc.c+"$between")" \
	"attach: $between_error"
if [ -n "$lto" ]; then
	skip 'a name of several' "$lto"
else
	check_eq 'kprobe: a name that several functions share' "$(called kprobe/c_start)" 'attach: EADDRNOTAVAIL'
fi
check_eq 'kprobe: a file without c_start' "$(called kprobe/c_start@crypto/nowhere.c)" 'attach: ESRCH'
check_eq 'kprobe: the error lists the three c_start' "$(listed)" "$all"
check_eq 'kprobe.multi does not attach to all where one is named' \
	"$(called kprobe.multi/c_start@crypto/proc.c)" 'attach: ENOENT'
check_eq 'kprobe.session does not attach to all where one is named' "$(called kprobe.session/c_start@crypto/proc.c)" 'attach: ENOENT'
echo 2 >/proc/sys/kernel/kptr_restrict
check_eq 'addresses hidden from all: the kprobe' "$(called kprobe/c_start@crypto/proc.c)" /proc/crypto
echo 0 >/proc/sys/kernel/kptr_restrict

needs_fentry
check_eq 'fentry: that of /proc/crypto' "$(called fentry/c_start@crypto/proc.c)" /proc/crypto
check_eq 'fexit: that of /proc/consoles' "$(called fexit/c_start@fs/proc/consoles.c)" /proc/consoles
check_eq 'fentry: a name that several functions share' "$(called fentry/c_start)" 'load: ESRCH'
check_eq 'fentry: the error lists the three c_start' "$(listed)" "$all"
check_eq 'set_attach_target(): that of /proc/cpuinfo' "$(called -t c_start@"$cpuinfo" fentry)" /proc/cpuinfo
check_eq 'set_attach_target() overrides the section' "$(called -t c_start@fs/proc/consoles.c fentry/c_start@crypto/proc.c)" /proc/consoles
check_eq 'set_attach_target(): a file without c_start' "$(called -t c_start@crypto/nowhere.c fentry)" 'target: ESRCH'
check_eq 'a name without a function' "$(called -t no_such_function@crypto/proc.c fentry; listed)" 'target: ESRCH'

# Error injection is not allowed in right.c.
check_eq 'fmod_ret' "$(failed fmod_ret/func_addr_fail@$dir/left.c)" test/left_fail
check_eq 'fmod_ret of a function that must not be modified' "$(failed fmod_ret/func_addr_fail@$dir/right.c)" 'load: EINVAL'
check_eq 'fentry.s' "$(failed fentry.s/func_addr_fail@$dir/left.c)" test/left_fail
check_eq 'fexit.s' "$(failed fexit.s/func_addr_fail@$dir/left.c)" test/left_fail
check_eq 'fmod_ret.s' "$(failed fmod_ret.s/func_addr_fail@$dir/left.c)" test/left_fail
check_eq 'fentry.s of a function that must not sleep' "$(failed fentry.s/func_addr_fail@$dir/right.c)" 'load: EINVAL'

modprobe $kmod
check_eq 'a module: fentry' "$(twin fentry/$kmod:func_addr_twin@$dir/twin_2.c)" kmod/call_twin_2
check_eq 'fexit: a function of a module, without the name of the module' "$(twin fexit/func_addr_twin@$dir/twin_3.c)" kmod/call_twin_3
check_eq 'set_attach_target(): a function of a module' "$(twin -t $kmod:func_addr_twin@$dir/twin_1.c fentry)" kmod/call_twin_1
check_eq 'a name that vmlinux has, too' "$(twin fentry/$kmod:func_addr_shared)" kmod/call_shared
check_eq 'a file that is not in the module' "$(twin -t $kmod:func_addr_twin@$dir/main.c fentry)" 'target: ESRCH'
check_eq 'the error lists functions of modules and of vmlinux' "$(listed | sed "s|$kmod:func_addr_twin@[^ ]*/||g")" \
	'twin_1.c twin_2.c twin_3.c func_addr_twin '
rmmod $kmod
check_eq 'a module that was unloaded' "$(twin fentry/$kmod:func_addr_twin@$dir/twin_2.c)" 'load: ESRCH'

# Selecting an id needs files that all users may read, an address needs files for root only.
check_eq 'a user with CAP_BPF and CAP_PERFMON: fentry' "$(called -u -t c_start@crypto/proc.c fentry)" /proc/crypto
check_eq 'a user with CAP_BPF and CAP_PERFMON: kprobe' "$(called -u kprobe/c_start@crypto/proc.c)" 'attach: EACCES'
check 'the kprobe: the message names the unreadable file' said "failed to read '/sys/kernel/btf_addr/vmlinux'"
