#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# abtf predicts where the kernel accepts a kprobe and where it rejects one: it does exactly
# that, in vmlinux and in a module.
# kernels: stock patched debug
# memory: 1024
. /test/ktap.sh
plan 6

events=/sys/kernel/tracing/kprobe_events
check 'the module is loaded' insmod /test/probed.ko

# try FILE: its lines, with the kernel's verdict in the place of the predicted one
try() {
	nr=0
	while read -r place predicted; do
		nr=$((nr + 1))
		if echo "p:v$1/e$nr $place" 2>/dev/null >>$events; then
			echo "$place accepted"
		else
			echo "$place rejected"
		fi
	done <"/files/$1"
}

for file in vmlinux probed; do
	try $file >/tmp/$file
	check "$file: some are accepted" [ "$(grep -c " accepted$" /tmp/$file)" -ge 3 ]
	# busybox has unified diffs only
	check_eq "$file: the kernel does what was predicted" \
		"$(diff -U 0 "/files/$file" /tmp/$file | grep '^[-+][^-+]' | head -n 20)" ''
done
check 'some are rejected in both' [ "$(grep -l " rejected$" /tmp/vmlinux /tmp/probed | wc -l)" = 2 ]
