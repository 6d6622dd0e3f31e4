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

# failed ARGS...: print the files for which an error was injected
failed() {
	selector "$@" $test/left_fail $test/right_fail 2>/tmp/said | short
}

# shellcheck disable=SC2086 # several files
twin() {
	selector "$@" $twins $test/call_twin ${test}_kmod/call_shared $test/call_shared 2>/tmp/said | short
}

# said TEXT: test whether the last program printed TEXT to stderr
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

check_eq 'kprobe: a unique name is found' "$(called kprobe/cpuinfo_open)" /proc/cpuinfo
lto=
! grep -q ' c_start\.llvm\.' /proc/kallsyms || lto="with LTO, the symbols are c_start.llvm.NUMBER"
if [ -n "$lto" ]; then
	skip 'kprobe.multi with a pattern attaches to all functions with a name' "$lto"
elif grep -q ' register_fprobe_ips$' /proc/kallsyms; then
	# libbpf 1.8 passes a name without wildcards to the kernel unchanged
	check_eq 'kprobe.multi with a pattern attaches to all functions with a name' "$(called 'kprobe.multi/c_star?')" '/proc/cpuinfo /proc/consoles /proc/crypto'
else
	skip 'kprobe.multi with a pattern attaches to all functions with a name' 'this kernel has no fprobes'
fi

case $KERNEL in
patched|debug) ;;
*)
	# Debian's pahole keeps one function with each name, newer versions keep none
	one='load: ESRCH' kept=
	! bpftool btf dump file /sys/kernel/btf/vmlinux | grep -q "FUNC 'c_start'" || one=/proc/cpuinfo kept='c_start '
	check_eq 'fentry: a name with a single FUNC is found' "$(called fentry/c_start)" "$one"
	check_eq 'fentry: NAME@FILE is not found' "$(called fentry/c_start@crypto/proc.c)" 'load: ESRCH'
	check_eq 'the error lists the FUNCs that exist' "listed: $(listed)" "listed: $kept"
	check_eq 'kprobe: NAME@FILE is not found' "$(called kprobe/c_start@crypto/proc.c)" 'attach: ENOENT'
	check 'the kprobe: the message names the missing file' said "failed to read '/sys/kernel/btf_addr/vmlinux'"
	check_eq 'kprobe: a shared name with a single FUNC is ambiguous' "$(called kprobe/c_start; listed)" \
		'attach: EADDRNOTAVAIL'
	exit ;;
esac

all="$(tr '\n' ' ' </files/c_start)"
check_eq 'three functions are named c_start' "$all" \
	"c_start@$cpuinfo c_start@crypto/proc.c c_start@fs/proc/consoles.c "

check_eq 'kprobe/c_start@... only sees reads of /proc/cpuinfo' "$(called kprobe/c_start@"$cpuinfo")" /proc/cpuinfo
check_eq 'a partial path is not found' "$(called kprobe/c_start@consoles.c)" 'attach: ESRCH'
check_eq 'kretprobe/c_start@crypto/proc.c only sees reads of /proc/crypto' "$(called kretprobe/c_start@crypto/proc.c)" /proc/crypto
check_eq 'a kprobe by tracefs only sees reads of /proc/crypto' "$(called -l kprobe/c_start@crypto/proc.c)" /proc/crypto
check_eq 'a kretprobe by tracefs only sees reads of /proc/crypto' "$(called -l kretprobe/c_start@crypto/proc.c)" /proc/crypto
check_none 'nothing is left in tracefs' cat /sys/kernel/tracing/kprobe_events
# The place of ftrace's call depends on the compiler.  The lower half of an address is enough.
site=$(awk '$2 == "c_start" { print substr($1, length($1) - 7); exit }' /sys/kernel/tracing/available_filter_functions_addrs)
for start in $(awk '$3 == "c_start" { print substr($1, length($1) - 7) }' /proc/kallsyms); do
	after=$((0x$site - 0x$start + call))
	[ $after -lt 0 ] || [ $after -gt 24 ] || second=$after
done
check_eq 'kprobe: an offset after the call of ftrace is accepted' "$(called kprobe/c_start@crypto/proc.c+"$second")" /proc/crypto
check_eq 'kprobe: an offset inside an instruction is rejected' "$(called kprobe/c_start@crypto/proc.c+"$between")" \
	"attach: $between_error"
if [ -n "$lto" ]; then
	skip 'kprobe: a shared name is ambiguous' "$lto"
else
	check_eq 'kprobe: a shared name is ambiguous' "$(called kprobe/c_start)" 'attach: EADDRNOTAVAIL'
fi
check_eq 'kprobe: NAME@FILE with a wrong file is not found' "$(called kprobe/c_start@crypto/nowhere.c)" 'attach: ESRCH'
check_eq 'kprobe: the error lists the three c_start' "$(listed)" "$all"
check_eq 'kprobe.multi with NAME@FILE does not attach to every c_start' \
	"$(called kprobe.multi/c_start@crypto/proc.c)" 'attach: ENOENT'
check_eq 'kprobe.session with NAME@FILE does not attach to every c_start' "$(called kprobe.session/c_start@crypto/proc.c)" 'attach: ENOENT'
echo 2 >/proc/sys/kernel/kptr_restrict
check_eq 'a kprobe attaches even if kptr_restrict hides all addresses' "$(called kprobe/c_start@crypto/proc.c)" /proc/crypto
echo 0 >/proc/sys/kernel/kptr_restrict

needs_fentry
check_eq 'fentry/c_start@crypto/proc.c only sees reads of /proc/crypto' "$(called fentry/c_start@crypto/proc.c)" /proc/crypto
check_eq 'fexit/c_start@fs/proc/consoles.c only sees reads of /proc/consoles' "$(called fexit/c_start@fs/proc/consoles.c)" /proc/consoles
check_eq 'fentry: a shared name is not found' "$(called fentry/c_start)" 'load: ESRCH'
check_eq 'fentry: the error lists the three c_start' "$(listed)" "$all"
check_eq 'set_attach_target("c_start@...") only sees reads of /proc/cpuinfo' "$(called -t c_start@"$cpuinfo" fentry)" /proc/cpuinfo
check_eq 'set_attach_target() overrides the section' "$(called -t c_start@fs/proc/consoles.c fentry/c_start@crypto/proc.c)" /proc/consoles
check_eq 'set_attach_target(): NAME@FILE with a wrong file is not found' "$(called -t c_start@crypto/nowhere.c fentry)" 'target: ESRCH'
check_eq 'a name without a function is not found, and none is suggested' "$(called -t no_such_function@crypto/proc.c fentry; listed)" 'target: ESRCH'

# Error injection is not allowed in right.c.
check_eq 'fmod_ret only sees calls of its own function' "$(failed fmod_ret/func_addr_fail@$dir/left.c)" test/left_fail
check_eq 'fmod_ret is rejected if the function does not allow error injection' "$(failed fmod_ret/func_addr_fail@$dir/right.c)" 'load: EINVAL'
check_eq 'fentry.s only sees calls of its own function' "$(failed fentry.s/func_addr_fail@$dir/left.c)" test/left_fail
check_eq 'fexit.s only sees calls of its own function' "$(failed fexit.s/func_addr_fail@$dir/left.c)" test/left_fail
check_eq 'fmod_ret.s only sees calls of its own function' "$(failed fmod_ret.s/func_addr_fail@$dir/left.c)" test/left_fail
check_eq 'fentry.s is rejected if the function does not allow error injection' "$(failed fentry.s/func_addr_fail@$dir/right.c)" 'load: EINVAL'

modprobe $kmod
check_eq 'fentry/MODULE:NAME@FILE only sees calls of its own function' "$(twin fentry/$kmod:func_addr_twin@$dir/twin_2.c)" kmod/call_twin_2
check_eq 'fexit/NAME@FILE without MODULE: finds the function of a module' "$(twin fexit/func_addr_twin@$dir/twin_3.c)" kmod/call_twin_3
check_eq 'set_attach_target("MODULE:NAME@FILE") selects a function of a module' "$(twin -t $kmod:func_addr_twin@$dir/twin_1.c fentry)" kmod/call_twin_1
check_eq 'MODULE:NAME selects the function in the module, not the one in vmlinux' "$(twin fentry/$kmod:func_addr_shared)" kmod/call_shared
check_eq 'MODULE:NAME@FILE with a wrong file is not found' "$(twin -t $kmod:func_addr_twin@$dir/main.c fentry)" 'target: ESRCH'
check_eq 'the error lists functions of modules and of vmlinux' "$(listed | sed "s|$kmod:func_addr_twin@[^ ]*/||g")" \
	'twin_1.c twin_2.c twin_3.c func_addr_twin '
rmmod $kmod
check_eq 'a function of an unloaded module is not found' "$(twin fentry/$kmod:func_addr_twin@$dir/twin_2.c)" 'load: ESRCH'

# Selecting an id needs files that all users may read, an address needs files for root only.
check_eq 'a user with CAP_BPF and CAP_PERFMON can attach fentry' "$(called -u -t c_start@crypto/proc.c fentry)" /proc/crypto
check_eq 'a user with CAP_BPF and CAP_PERFMON cannot attach a kprobe by NAME@FILE' "$(called -u kprobe/c_start@crypto/proc.c)" 'attach: EACCES'
check 'the kprobe: the message names the unreadable file' said "failed to read '/sys/kernel/btf_addr/vmlinux'"
