#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The patched libbpf on the patched kernel: selectors without a file, of what is
# attached by BTF id and of what is in a module, and with less privilege.
# kernels: patched debug
. /test/ktap.sh
plan 54

test=/sys/kernel/debug/bpf_func_addr_test
kmod=bpf_func_addr_test_kmod
twins="${test}_kmod/call_twin_1 ${test}_kmod/call_twin_2 ${test}_kmod/call_twin_3"

# short FILES: as the tests below write them
short() {
	sed "s|${test}_kmod/|kmod/|g; s|$test/|test/|g"
}

# called ARGS...: which files led to calls
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

listed() {
	sed -n 's/^libbpf:   \([a-z_:]*@[^ ]*\)$/\1/p' /tmp/said | tr '\n' ' '
}

# as kallsyms has them: ADDRESS of NAME [MODULE]
symbols() {
	awk -v name="$1" -v module="${2:+[$2]}" '$3 == name && $4 == module { print $1 }' /proc/kallsyms | sort
}

check_eq 'kprobe: that of /proc/cpuinfo' "$(called kprobe/c_start@kernel/cpu/proc.c)" /proc/cpuinfo
check_eq 'kretprobe: that of /proc/crypto' "$(called kretprobe/c_start@crypto/proc.c)" /proc/crypto
check_eq 'kprobe by tracefs' "$(called -l kprobe/c_start@fs/proc/consoles.c)" /proc/consoles
check_eq 'kprobe.session: that of /proc/crypto' "$(called kprobe.session/c_start@crypto/proc.c)" /proc/crypto
check_eq 'kprobe.multi: all of a name' "$(called kprobe.multi/c_start)" '/proc/cpuinfo /proc/consoles /proc/crypto'
check_eq 'kprobe: a name of several' "$(called kprobe/c_start)" 'attach: EADDRNOTAVAIL'
candidates='c_start@arch/x86/kernel/cpu/proc.c c_start@fs/proc/consoles.c c_start@crypto/proc.c '
check_eq 'they are listed' "$(listed)" "$candidates"

check_eq 'fentry: that of /proc/crypto' "$(called fentry/c_start@crypto/proc.c)" /proc/crypto
check_eq 'the third of the name' "$(called fentry/c_start@3)" /proc/crypto
check_eq 'fexit: that of /proc/consoles' "$(called fexit/c_start@fs/proc/consoles.c)" /proc/consoles
check_eq 'a name of several' "$(called fentry/c_start)" 'load: EADDRNOTAVAIL'
check_eq 'they are listed' "$(listed)" "$candidates"
check_eq 'set_attach_target(): that of /proc/cpuinfo' "$(called -t c_start@cpu/proc.c fentry)" /proc/cpuinfo
check_eq 'it overrules the section' "$(called -t c_start@2 fentry/c_start@3)" /proc/consoles
check_eq 'a file without c_start' "$(called -t c_start@crypto/nowhere.c fentry)" 'target: EADDRNOTAVAIL'
check_eq 'they are listed' "$(listed)" "$candidates"
check_eq 'a name that nothing bears' "$(called -t no_such_function@crypto/proc.c fentry)" 'target: ESRCH'

# In right.c, no error may be injected.
check_eq 'fmod_ret' "$(failed fmod_ret/func_addr_fail@left.c)" test/left_fail
check_eq 'fmod_ret of what may not be modified' "$(failed fmod_ret/func_addr_fail@right.c)" 'load: EINVAL'
check_eq 'fentry.s' "$(failed fentry.s/func_addr_fail@left.c)" test/left_fail
check_eq 'fexit.s' "$(failed fexit.s/func_addr_fail@left.c)" test/left_fail
check_eq 'fmod_ret.s' "$(failed fmod_ret.s/func_addr_fail@left.c)" test/left_fail
check_eq 'fentry.s of what may not sleep' "$(failed fentry.s/func_addr_fail@right.c)" 'load: EINVAL'
check 'the verifier says so' said 'func_addr_fail is not sleepable'

modprobe $kmod
check_eq 'a module: fentry' "$(twin fentry/$kmod:func_addr_twin@twin_2.c)" kmod/call_twin_2
check_eq 'fexit, by the file alone' "$(twin fexit/func_addr_twin@twin_3.c)" kmod/call_twin_3
check_eq 'set_attach_target()' "$(twin -t $kmod:func_addr_twin@1 fentry)" kmod/call_twin_1
check_eq 'a name that vmlinux has, too' "$(twin fentry/$kmod:func_addr_shared)" kmod/call_shared
check_eq 'kprobe' "$(twin kprobe/$kmod:func_addr_twin@twin_2.c)" kmod/call_twin_2
check_eq 'kretprobe' "$(twin kretprobe/$kmod:func_addr_twin@3)" kmod/call_twin_3
check_eq 'kprobe by tracefs' "$(twin -l kprobe/$kmod:func_addr_twin@twin_2.c)" kmod/call_twin_2
check_eq 'kretprobe by tracefs' "$(twin -l kretprobe/$kmod:func_addr_twin@3)" kmod/call_twin_3
check_eq 'nothing is left in tracefs' "$(cat /sys/kernel/tracing/kprobe_events)" ''
check_eq 'kprobe of a name that vmlinux has, too' "$(twin kprobe/$kmod:func_addr_shared@1)" kmod/call_shared
check_eq 'kprobe.multi' "$(twin kprobe.multi/$kmod:func_addr_twin@twin_2.c)" kmod/call_twin_2
check_eq 'kprobe.session' "$(twin kprobe.session/$kmod:func_addr_twin@twin_2.c)" kmod/call_twin_2
check_eq 'a file that is not in the module' "$(twin -t $kmod:func_addr_twin@main.c fentry)" 'target: EADDRNOTAVAIL'
check_eq 'what is there is listed' "$(listed | sed "s|$kmod:func_addr_twin@kernel/bpf/func_addr_test/||g")" \
	'twin_1.c twin_2.c twin_3.c '
selector -i -m $kmod func_addr_twin >/tmp/instances
check_eq 'instances: ranks and selectors' \
	"$(awk '{ print $2, $5 }' /tmp/instances | sed "s|$kmod:func_addr_twin@kernel/bpf/func_addr_test/||" | tr '\n' ' ')" \
	'1 twin_1.c 2 twin_2.c 3 twin_3.c '
check_eq 'where they are' "$(awk '{ print $4 }' /tmp/instances | sort)" "$(symbols func_addr_twin $kmod)"
rmmod $kmod
check_eq 'a module that is gone: fentry' "$(twin fentry/$kmod:func_addr_twin@twin_2.c)" 'load: ESRCH'
check_eq 'kprobe' "$(twin kprobe/$kmod:func_addr_twin@twin_2.c)" 'attach: ENOENT'

insmod /test/target.ko
insmod /test/other.ko
check_eq 'in two modules: fentry' "$(selector fentry/target_call@1 2>/tmp/said)" 'load: EADDRNOTAVAIL'
check 'one is listed' said ' target:target_call'
check 'and the other' said ' other:target_call'
check_eq 'kprobe' "$(selector kprobe/target_call@1 2>/tmp/said)" 'attach: EADDRNOTAVAIL'
check 'they are named' said "'[a-z]*:target_call@1' or '[a-z]*:target_call@1'"
check_eq 'with the module' "$(selector fentry/other:target_call@1 2>&1)" ''
check_eq 'kprobe' "$(selector kprobe/other:target_call@1 2>&1)" ''

selector -i c_start >/tmp/instances
check_eq 'instances of vmlinux' "$(awk '{ print $4 }' /tmp/instances | sort)" "$(symbols c_start)"

# Choosing an id takes what all may read, an address what root may.
check_eq 'nobody with CAP_BPF and CAP_PERFMON: fentry' "$(called -u fentry/c_start@crypto/proc.c)" /proc/crypto
check_eq 'fexit' "$(called -u fexit/c_start@fs/proc/consoles.c)" /proc/consoles
check_eq 'kprobe' "$(called -u kprobe/c_start@crypto/proc.c)" 'attach: EACCES'
check 'and why' said "failed to read '/sys/kernel/btf_addr/vmlinux', which has addresses of functions and is for root only"
