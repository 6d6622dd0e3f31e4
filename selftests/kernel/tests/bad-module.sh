#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kernel rejects modules with wrong addresses in BTF, and prints the reason.
# kernels: patched debug
. /test/ktap.sh
cd /files || exit 1

tab=$(printf '\t')
plan $(($(wc -l <cases) + 8))
while IFS=$tab read -r name message; do
	dmesg -c >/dev/null
	if [ "${name#pfx}" != "$name" ] && ! [ -e "$name.ko" ]; then
		skip "$name: $message" 'padding has no symbols here'
		continue
	fi
	if insmod "$name.ko" 2>error; then
		fail "$name is rejected" "the module was loaded"
		rmmod bpf_func_addr_test_kmod
		continue
	fi
	dmesg >log
	if ! grep -qF "bpf_func_addr_test_kmod: " log && ! grep -qF "BPF: " log ||
	   ! grep -qF "$message" log; then
		fail "$name is rejected, and the kernel prints: $message" "the kernel printed: $(cat log)"
	elif ! grep -qF 'failed to validate module [bpf_func_addr_test_kmod] BTF: -22' log; then
		fail "$name is rejected because of its BTF" "the kernel printed: $(cat log)"
	elif grep -q '^bpf_func_addr_test_kmod ' /proc/modules ||
	     [ -e /sys/kernel/btf/bpf_func_addr_test_kmod ] ||
	     [ -e /sys/kernel/btf_addr/bpf_func_addr_test_kmod ]; then
		fail "$name leaves nothing"
	else
		pass "$name: $message"
	fi
done <cases

# Its FUNC has a prototype that returns void.
no_base() {
	insmod no-base.module && bpftool btf dump file /sys/kernel/btf/target |
		grep -A1 FUNC_PROTO >/tmp/types
	rmmod target
	cat /tmp/types
	proto=$(sed -n "s/^.\([0-9]*\). FUNC_PROTO '(anon)' ret_type_id=0 vlen=0$/\1/p" /tmp/types)
	grep -q "FUNC 'target_call' type_id=$proto linkage=static$" /tmp/types
}

# rejected MODULE MESSAGE: test that a module is not loaded, and that the kernel prints MESSAGE
rejected() {
	dmesg -c >/dev/null
	! insmod "$1" && dmesg | grep -F "$2"
}

check 'a base with the names of base-addresses, but without addresses, is rejected because of the names' \
	rejected base-plain.module 'Invalid name'
check 'a module with a base, whose ids are beyond all types, is rejected' \
	rejected far-id.module 'failed to validate module [target] BTF: -22'
check 'a module with a base without types behaves as on a stock kernel' no_base
check_none 'nothing is patched' cat /sys/kernel/tracing/enabled_functions
check 'an unmodified module is loaded' insmod good.module
rmmod bpf_func_addr_test_kmod
check 'a module with a base without addresses is loaded' insmod base.module
needs_fentry
check 'a program is attached to a module with a base without addresses' old module
check 'a function with a BPF program is listed as patched' patched vfs_read
