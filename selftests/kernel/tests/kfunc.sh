#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A kfunc has its bare name, whatever other functions are called so: a program finds it
# where another stands before it in the same module.
# kernels: patched debug
. /test/ktap.sh
plan 2

insmod /test/answer.ko
check_eq 'two functions of one name and prototype, two of one name: all are in BTF' \
	"$(bpftool btf dump file /sys/kernel/btf/answer | grep -oE "FUNC 'answer_(same|differ)(@[^']*answer-twin.c)?'" |
		sort -u | wc -l)" 4
check_eq 'the kfuncs are called' "$(selector -o /test/answer.bpf.o syscall)" 'returned 42'
