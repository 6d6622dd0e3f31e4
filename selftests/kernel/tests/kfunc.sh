#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The patched libbpf finds the kfunc among functions that share its name, where
# another stands before it: in vmlinux, or in the same module.
# kernels: patched debug
. /test/ktap.sh
plan 5

check_eq 'only vmlinux has the name, and it is no kfunc' \
	"$(selector -o /test/kfunc.bpf.o syscall 2>/tmp/said)" 'load: EACCES'
check 'so it is not called' grep -q 'calling kernel function func_addr_answer is not allowed' /tmp/said
modprobe bpf_func_addr_test_kmod
check_eq "a module's kfunc is called" "$(selector -o /test/kfunc.bpf.o syscall)" 'returned 42'

insmod /test/answer.ko
check_eq 'two functions of one name and prototype, two of one name: all are in BTF' \
	"$(bpftool btf dump file /sys/kernel/btf/answer | grep -cE "FUNC 'answer_(same|differ)'")" 4
check_eq 'the kfuncs are called' "$(selector -o /test/answer.bpf.o syscall)" 'returned 42'
