#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kernel accepts and rejects kprobes as abtf predicts, at functions, at clones and parts, and
# inside of functions.  Some predictions are reversed on purpose: only these must differ.
# kernels: stock patched debug
# memory: 1024
. /test/ktap.sh
plan 5

check 'the module is loaded' insmod /test/probed.ko
sh /files/try-probes.sh /files/vmlinux >/tmp/vmlinux
sh /files/try-probes.sh /files/modules >/tmp/modules
head -n 1 /tmp/vmlinux /tmp/modules
check 'at least 1,000 places in vmlinux are tried' [ "$(wc -l </files/vmlinux)" -ge 1000 ]
check_eq 'the kernel accepts and rejects kprobes in vmlinux' \
	"$(sed -n '1s/vmlinux: [0-9]\{3,\} accepted, [0-9]\{3,\} rejected, .*/as expected/p' /tmp/vmlinux)" 'as expected'
check 'the kernel accepts and rejects kprobes in the module' grep -q '^modules: [0-9]\{1,\} accepted, [1-9]' /tmp/modules
check_eq 'only the deliberately reversed predictions are wrong' \
	"$(cat /tmp/vmlinux /tmp/modules | grep '^[-+]' | sort)" "$(sort /files/wrong)"
