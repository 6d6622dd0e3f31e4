#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions that the kernel looks up by name for a module: kptr destructors, struct_ops stubs (they
# mark nullable arguments), tracepoint functions.
# kernels: patched debug stock
. /test/ktap.sh
einval='-22|-EINVAL'
plan 14

names='registered_dtor|registered_ops__may|registered_ops__must|__bpf_trace_registered_event_tp'
tracing=/sys/kernel/tracing
echo 'p:cpumask bpf_cpumask_release_dtor' >$tracing/kprobe_events
echo 1 >$tracing/events/kprobes/cpumask/enable

# load MODULE: load it; it is the current module for the functions below
load() {
	parameters=/sys/module/$1/parameters
	insmod "/test/$(echo "$1" | tr _ -).ko"
}

count_functions() {
	bpftool btf dump file "/sys/kernel/btf/$module" | grep -cE "FUNC '($names)'"
}

# until_ok COMMAND...: retry a command, because a program's resources are released after it ends
until_ok() {
	tries=300
	until "$@"; do
		tries=$((tries - 1))
		[ $tries != 0 ] || return 1
		sleep 0.1
	done
}

# destroyed NAME: test whether the kptr's destructor with this name was called
destroyed() {
	grep -qx "$1" "$parameters/dtors"
}

cpumasks() {
	awk '$1 == "cpumask" { print $2 }' $tracing/kprobe_profile
}

# program ARGUMENT...: attach a program
program() {
	selector -o /test/registered.bpf.o "$@" 2>/tmp/said
}

# said REGEX: test whether the last program printed a matching line to stderr
said() {
	grep -qE "$1" /tmp/said
}

module=registered
check "the module is loaded" load "$module"
check_eq "BTF has the four registered functions" "$(count_functions)" \
	4
call=$parameters/call

before=$(cpumasks)
check_eq "a program stores three kptrs in a map" "$(program syscall)" 'returned 3'
check "the module's destructors run" until_ok destroyed 1,1
check_eq "vmlinux's destructor runs" "$(($(cpumasks) - before))" 1

selector -v -o /test/registered-init.bpf.o syscall >/tmp/said 2>&1
check "a destructor in init text is rejected ($einval)" \
	said "Error loading .BTF into kernel: ($einval)\."

check_eq "struct_ops, nullable argument, checked: accepted" \
	"$(program struct_ops/may_checked "$call")" "$call"
check_eq "struct_ops, nullable argument, unchecked: rejected" "$(program struct_ops/may_unchecked)" 'load: EACCES'
check "struct_ops, nullable argument, unchecked: the verifier's message" said "invalid mem access 'trusted_ptr_or_null_'"
check_eq "struct_ops, argument that is never NULL, unchecked: accepted" \
	"$(program struct_ops/must_unchecked "$call")" "$call"

check_eq "tp_btf: a program is attached" "$(program tp_btf/registered_event_tp "$call")" "$call"
check_eq "tp_btf, nullable argument, unchecked: rejected" \
	"$(program -t registered_event_tp tp_btf)" 'load: EACCES'
check_not "tp_btf: the verifier finds the tracepoint's FUNC" said 'Cannot find btf of tracepoint template'

check "the module can be unloaded" until_ok rmmod "$module"
