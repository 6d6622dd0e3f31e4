#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# If a record of the kernel's BTF, or all of it, is malformed, the kernel uses no BTF, and prints
# why. (tests/bad-vmlinux.sh tests wrong addresses.)
# kernels: patched debug
. "${0%/*}/../../lib.sh"
TOP=$top
. "$selftests/kernel/edit-btf.sh"

# In the guest: check MESSAGE ID
cat >check <<'E2'
. /test/ktap.sh
plan 7

dmesg >log
check 'the kernel prints a message' grep -F "BPF:" log
check "the kernel's message contains: $1" grep -F "$1" log
check_not 'sysfs has no BTF of vmlinux' [ -e /sys/kernel/btf/vmlinux ]
check_not 'sysfs has no addresses' [ -e /sys/kernel/btf_addr/vmlinux ]
check_eq 'no program can be loaded for the function' \
	"$(attach "$2" /sys/kernel/debug/bpf_func_addr_test/call_alone)" 'load: EINVAL'
check 'the kernel works' [ "$(cat /sys/kernel/debug/bpf_func_addr_test/call_alone)" = 6 ]
check_none 'nothing is patched' cat /sys/kernel/tracing/enabled_functions
E2

# Everything that must fail with edited BTF succeeds with the unmodified BTF.
id=$("$ABTF" list -j "$KERNEL_OUT/vmlinux" func_addr_alone | jq '.functions[].id')
if grep -q ' register_ftrace_direct$' "$KERNEL_OUT/System.map"; then
	begin 'well-formed: a program is attached by that id'
	expect 0 "$selftests/kernel/vm.sh" "attach $id /sys/kernel/debug/bpf_func_addr_test/call_alone"
	says '^1 /sys/kernel/debug/bpf_func_addr_test/call_alone$'

	begin 'well-formed: a function with a program is listed as patched'
	expect 0 "$selftests/kernel/vm.sh" '. /test/ktap.sh; patched func_addr_alone'
else
	begin 'well-formed: a program is attached by that id'
	skip "this kernel's ftrace has no direct calls"
fi

# bad WHAT MESSAGE FUNC COMMAND [ARGUMENT]
bad() {
	local what=$1 message=$2

	shift 2
	begin "$what: $message"
	edit_kernel
	edit "$@"
	finish_kernel
	VM_IMAGE=$PWD/image FILES=$PWD/check expect 0 "$selftests/kernel/vm.sh" \
		"sh /files/check \"$message\" $id"
	says '^ok 7 '
	rm image
}

# named WHAT NAME: rename func_addr_alone@FILE.c to NAME
named() {
	begin "$1: Invalid name"
	edit_kernel
	printf 'func_addr_alone@FILE.c 0 func_addr_alone\n' >list
	edit @first make list
	edit func_addr_alone@FILE.c string "func_addr_alone@FILE.c=$2"
	finish_kernel
	VM_IMAGE=$PWD/image FILES=$PWD/check expect 0 "$selftests/kernel/vm.sh" \
		"sh /files/check 'Invalid name' $id"
	says '^ok 7 '
	rm image
}

alone=func_addr_alone
bad 'wrong guard' 'Invalid function address' $alone high 0x0f000000
bad 'reserved bits' 'Invalid function address' $alone high 0xff020000
bad 'types end within a record' 'meta_left:4 meta_needed:8' $alone cut
bad 'NAME@FILE without an address' 'Invalid name' cpumask_weight@lib/func_addr_test/weight_01.c plain
bad 'strings before types' 'String section is not at the end' $alone strings-first
named "nothing after '@'" func_addr_alone@
named "nothing before '@'" @FILE.c
named "a space after '@'" 'func_addr_alone@a b.c'
named "bytes after '@' that are not ASCII" $'func_addr_alone@\303\244.c'
named "an invalid character before '@'" 'func_addr-alone@a.c'
