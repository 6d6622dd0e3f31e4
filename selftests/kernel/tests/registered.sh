#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions that a module registers, and no program names: destructors of kptrs, stubs that define
# which arguments of struct_ops may be NULL, the function of a tracepoint.
# kernels: patched debug stock
. /test/ktap.sh
gone='-22|-EINVAL'
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

functions() {
	bpftool btf dump file "/sys/kernel/btf/$module" | grep -cE "FUNC '($names)'"
}

# until_ok COMMAND...: retry, because resources of a program are released some time after it ends
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

module=registered
check "is loaded" load "$module"
check_eq "functions of these names" "$(functions)" \
	4
call=$parameters/call

before=$(cpumasks)
check_eq "a map is given three objects" "$(program syscall)" 'returned 3'
check "its destructors are called" until_ok destroyed 1,1
check_eq "vmlinux's destructor is called, too" "$(($(cpumasks) - before))" 1

selector -v -o /test/registered-init.bpf.o syscall >/tmp/said 2>&1
check "a destructor in init text is rejected ($gone)" \
	said "Error loading .BTF into kernel: ($gone)\."

check_eq "an argument that may be NULL, checked" \
	"$(program struct_ops/may_checked "$call")" "$call"
check_eq "an argument that may be NULL, not checked" "$(program struct_ops/may_unchecked)" 'load: EACCES'
check "an argument that may be NULL, not checked: the verifier's message" said "invalid mem access 'trusted_ptr_or_null_'"
check_eq "an argument that is never NULL, not checked" \
	"$(program struct_ops/must_unchecked "$call")" "$call"

check_eq "a tracepoint" "$(program tp_btf/registered_event_tp "$call")" "$call"
check_eq "a tracepoint's argument, not checked" \
	"$(program -t registered_event_tp tp_btf)" 'load: EACCES'
check_not "the tracepoint has its FUNC" said 'Cannot find btf of tracepoint template'

check "the module can be unloaded" until_ok rmmod "$module"
