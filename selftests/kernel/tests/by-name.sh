#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# NAME@FILE with Debian's unmodified libbpf: a program attaches to each of the 22 cpumask_weight()
# by its name, and to none by the bare name.
# kernels: patched debug
. /test/ktap.sh
. /test/machine.sh
needs_fentry
plan 19

test=/sys/kernel/debug/bpf_func_addr_test
kmod=bpf_func_addr_test_kmod
weights=$(seq -w 22)

# called ARGS...: print the files whose reading called the program
called() {
	by-name -o /test/by-name.bpf.o "$@" /proc/cpuinfo /proc/consoles /proc/crypto 2>/tmp/said
}

# shellcheck disable=SC2046 # several files
weight() {
	by-name -o /test/by-name.bpf.o "$@" $(echo "$weights" | sed "s|^|$test/weight_|") 2>/tmp/said | sed "s|$test/||g"
}

# each TYPE: print each NN for which a program sees only the calls of weight_NN.c
each() {
	for i in $weights; do
		[ "$(weight -t "cpumask_weight@lib/func_addr_test/weight_$i.c" "$1")" != "weight_$i" ] ||
			echo "$i"
	done
}

check_eq 'each of 22 fentry programs only sees calls of its own function' "$(each fentry)" "$weights"
check_eq 'each of 22 fexit programs only sees calls of its own function' "$(each fexit)" "$weights"
check_eq 'fentry: a section name selects one of the 22' \
	"$(weight fentry/cpumask_weight@lib/func_addr_test/weight_14.c)" weight_14
check_eq 'fexit: a section name selects one of the 22' "$(weight fexit/cpumask_weight@lib/func_addr_test/weight_09.c)" weight_09
check_eq 'the bare name is not found: fentry' "$(weight fentry/cpumask_weight)" 'load: ESRCH'
check_eq 'the bare name is not found: fexit' "$(weight fexit/cpumask_weight)" 'load: ESRCH'
check_eq 'the bare name is not found: set_attach_target()' "$(weight -t cpumask_weight fentry)" 'target: ESRCH'
check_eq 'a file that does not exist is not found' "$(weight -t cpumask_weight@lib/a.c fentry)" 'target: ESRCH'

check_eq 'fentry/c_start@crypto/proc.c only sees reads of /proc/crypto' "$(called fentry/c_start@crypto/proc.c)" /proc/crypto
check_eq 'fentry/c_start@... only sees reads of /proc/cpuinfo' "$(called fentry/c_start@"$cpuinfo")" /proc/cpuinfo
check_eq 'fexit/c_start@fs/proc/consoles.c only sees reads of /proc/consoles' "$(called fexit/c_start@fs/proc/consoles.c)" /proc/consoles
check_eq 'user nobody can attach with CAP_BPF and CAP_PERFMON' "$(called -u fentry/c_start@crypto/proc.c)" /proc/crypto

# failed PROGRAM: print the files for which an error was injected
failed() {
	by-name -o /test/by-name.bpf.o "$@" $test/left_fail $test/right_fail 2>/tmp/said | sed "s|$test/||g"
}

# Error injection is not allowed in right.c.
left=func_addr_fail@lib/func_addr_test/left.c right=func_addr_fail@lib/func_addr_test/right.c
check_eq 'fmod_ret only sees calls of its own function' "$(failed fmod_ret/$left)" left_fail
check_eq 'fmod_ret is rejected if the function does not allow error injection' "$(failed fmod_ret/$right)" 'load: EINVAL'
check_eq 'a sleepable program only sees calls of its own function' "$(failed fentry.s/$left)" left_fail
check_eq 'a sleepable program is rejected if the function does not allow error injection' "$(failed fentry.s/$right)" 'load: EINVAL'

twins=
for file in call_twin_1 call_twin_2 call_twin_3 call_shared; do
	twins="$twins ${test}_kmod/$file"
done
# shellcheck disable=SC2086 # several files
twin() {
	by-name -o /test/by-name.bpf.o "$@" $twins $test/call_twin $test/call_shared 2>/tmp/said | sed "s|${test}_kmod|kmod|g; s|$test|test|g"
}

modprobe $kmod
check_eq 'fentry only sees calls of its own function in a module' "$(twin fentry/func_addr_twin@lib/func_addr_test/twin_2.c)" kmod/call_twin_2
check_eq 'fexit only sees calls of its own function in a module' "$(twin fexit/func_addr_twin@lib/func_addr_test/twin_3.c)" kmod/call_twin_3
check_eq 'a name in vmlinux and in a module selects the function in vmlinux' "$(twin fentry/func_addr_shared)" test/call_shared
