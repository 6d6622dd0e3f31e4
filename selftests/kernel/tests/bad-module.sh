#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Modules whose BTF lies about addresses are not loaded; the kernel says why.
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
		fail "$name is refused" "it was loaded"
		rmmod bpf_func_addr_test_kmod
		continue
	fi
	dmesg >log
	if ! grep -qF "bpf_func_addr_test_kmod: " log && ! grep -qF "BPF: " log ||
	   ! grep -qF "$message" log; then
		fail "$name is refused, and the kernel says: $message" "it said: $(cat log)"
	elif ! grep -qF 'failed to validate module [bpf_func_addr_test_kmod] BTF: -22' log; then
		fail "$name is refused because of its BTF" "it said: $(cat log)"
	elif grep -q '^bpf_func_addr_test_kmod ' /proc/modules ||
	     [ -e /sys/kernel/btf/bpf_func_addr_test_kmod ] ||
	     [ -e /sys/kernel/btf_addr/bpf_func_addr_test_kmod ]; then
		fail "$name leaves nothing"
	else
		pass "$name: $message"
	fi
done <cases

# Its FUNC has a prototype, which returns nothing.
no_base() {
	insmod no-base.module && bpftool btf dump file /sys/kernel/btf/target |
		grep -A1 FUNC_PROTO >/tmp/types
	rmmod target
	cat /tmp/types
	proto=$(sed -n "s/^.\([0-9]*\). FUNC_PROTO '(anon)' ret_type_id=0 vlen=0$/\1/p" /tmp/types)
	grep -q "FUNC 'target_call' type_id=$proto linkage=static$" /tmp/types
}

# refused MODULE MESSAGE
refused() {
	dmesg -c >/dev/null
	! insmod "$1" && dmesg | grep -F "$2"
}

check 'a base like base-addresses, but without them, is refused for its names' \
	refused base-plain.module 'Invalid name'
check 'one whose ids are beyond all types, with a base, is refused' \
	refused far-id.module 'failed to validate module [target] BTF: -22'
check 'one with a base that has no types is what it was' no_base
check_eq 'nothing is patched' "$(cat /sys/kernel/tracing/enabled_functions)" ''
check 'one that was not edited is loaded' insmod good.module
rmmod bpf_func_addr_test_kmod
check 'one that brings a base without addresses is loaded' insmod base.module
needs_fentry
check 'and attached to' old module
check 'what BPF is attached to is patched' patched vfs_read
