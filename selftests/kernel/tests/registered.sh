#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions that a module registers and no program names: destructors of kptrs, stubs
# that say which arguments of struct_ops may be NULL, what a tracepoint calls.
# A stock kernel takes, of several that share a name, the first.
# kernels: patched debug stock
# timeout: 180
. /test/ktap.sh
case $KERNEL in
stock)	plan=24 gone='-22|-EINVAL' ;;
*)	plan=17 gone='-6|-ENXIO' ;;
esac
plan $plan

names='registered_dtor|registered_ops__may|registered_ops__must|__bpf_trace_registered_event_tp'
tracing=/sys/kernel/tracing
echo 'p:cpumask bpf_cpumask_release_dtor' >$tracing/kprobe_events
echo 1 >$tracing/events/kprobes/cpumask/enable

# load MODULE: and from here on it is meant
load() {
	parameters=/sys/module/$1/parameters
	insmod "/test/$(echo "$1" | tr _ -).ko"
}

functions() {
	bpftool btf dump file "/sys/kernel/btf/$module" | grep -cE "FUNC '($names)'"
}

# until_ok COMMAND...: what a program has goes some time after the program
until_ok() {
	tries=300
	until "$@"; do
		tries=$((tries - 1))
		[ $tries != 0 ] || return 1
		sleep 0.1
	done
}

destroyed() {
	grep -qx "$1" "$parameters/dtors"
}

cpumasks() {
	awk '$1 == "cpumask" { print $2 }' $tracing/kprobe_profile
}

program() {
	selector -o /test/registered.bpf.o "$@" 2>/tmp/said
}

said() {
	grep -qE "$1" /tmp/said
}

for module in registered_alone; do
	check "$module: is loaded" load "$module"
	check_eq "$module: functions of these names" "$(functions)" \
		4
	call=$parameters/call

	before=$(cpumasks)
	check_eq "$module: a map is given three objects" "$(program syscall)" 'returned 3'
	check "$module: its destructors are called" until_ok destroyed 1,1
	check_eq "$module: vmlinux's, too" "$(($(cpumasks) - before))" 1

	selector -v -o /test/registered-init.bpf.o syscall >/tmp/said 2>&1
	check "$module: one in init text is refused ($gone)" \
		said "Error loading .BTF into kernel: ($gone)\."

	check_eq "$module: an argument that may be NULL, looked at" \
		"$(program struct_ops/may_checked "$call")" "$call"
	check_eq "$module: not looked at" "$(program struct_ops/may_unchecked)" 'load: EACCES'
	check "$module: and why" said "invalid mem access 'trusted_ptr_or_null_'"
	check_eq "$module: one that may not, not looked at" \
		"$(program struct_ops/must_unchecked "$call")" "$call"

	check_eq "$module: of a stub with a name of vmlinux's, looked at" \
		"$(program struct_ops/shared_checked "$call")" "$call"
	check_eq "$module: not looked at" "$(program struct_ops/shared_unchecked)" 'load: EACCES'

	check_eq "$module: a tracepoint" "$(program tp_btf/registered_event_tp "$call")" "$call"
	check_eq "$module: its argument, not looked at" \
		"$(program -t registered_event_tp tp_btf)" 'load: EACCES'
	check_not "$module: it has its FUNC" said 'Cannot find btf of tracepoint template'
	# the stock kernel takes the arguments of vmlinux's
	case $KERNEL in
	stock)	class='load: EACCES' ;;
	*)	class=$call ;;
	esac
	check_eq "$module: a tracepoint of a class with a name of vmlinux's" \
		"$(program tp_btf/registered_class_tp "$call")" "$class"

	check "$module: nothing holds it" until_ok rmmod "$module"
done

[ "$KERNEL" = stock ] || exit 0
check 'with others: is loaded' load registered
check_eq 'with others: a map is given three objects' "$(program syscall)" 'returned 3'
check 'with others: one destructor is not called' until_ok destroyed 0,1
# which, if it were called, would follow a null pointer
check_eq 'with others: an argument that may be NULL, not looked at, is no mistake' \
	"$(program struct_ops/may_unchecked)" ''
check_eq 'with others: one that may not is' "$(program struct_ops/must_unchecked)" 'load: EACCES'
check_eq 'with others: no program for the tracepoint' \
	"$(program tp_btf/registered_event_tp)" 'load: EACCES'
check 'with others: its argument is a number' said "invalid mem access 'scalar'"
