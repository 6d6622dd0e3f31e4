#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The verifier's checks for __user, __percpu and __rcu, if the compiler records the tags.
# kernels: patched debug
. /test/ktap.sh
. /test/machine.sh
needs_fentry

bpftool btf dump file /sys/kernel/btf/vmlinux >/tmp/dump
if ! grep -q "TYPE_TAG 'rcu'" /tmp/dump; then
	echo 'KTAP version 1'
	echo "1..0 # SKIP the kernel's BTF has no type tags: see VARIANT=gcc16-tags and clang22"
	exit
fi
plan 4
check_eq 'BTF has each of the tags' "$(grep -o "TYPE_TAG '[a-z]*'" /tmp/dump | sort -u | tr '\n' ' ')" \
	"TYPE_TAG 'percpu' TYPE_TAG 'rcu' TYPE_TAG 'user' "

# load NAME: load it, and write the verifier's log to /tmp/log
load() {
	bpftool -d prog load "/test/tag-$1.bpf.o" "/sys/fs/bpf/tag-$1" >/tmp/log 2>&1
}

# rejected NAME TEXT: test that the verifier rejects a program, with TEXT in its log
rejected() {
	! load "$1" && grep -q "$2" /tmp/log
}

check 'the verifier rejects a read through a __user pointer' rejected user 'access user memory'
check 'the verifier rejects a read through a __percpu pointer' rejected percpu 'access percpu memory'
# without the tag, it would be untrusted
is_rcu_pointer() {
	load rcu && grep 'rcu_ptr_or_null_sighand_struct' /tmp/log
}
check 'the verifier trusts a __rcu pointer' is_rcu_pointer
