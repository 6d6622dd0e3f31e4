#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# pwru of Debian unstable traces packets in functions with unique names, but not
# in NAME@FILE: it looks names up in ftrace's list.
# kernels: patched
# memory: 1024
. /test/ktap.sh
PATH=/files/bin:$PATH
plan 9

lengths=/sys/module/skbs/parameters/lengths
insmod /test/skbs.ko

# traced COMMAND ARGS...: runs COMMAND when pwru is ready, and prints the functions that
# pwru printed, or its last message
traced() {
	command=$1
	shift
	: >/tmp/pwru.err
	timeout -s INT 300 pwru "$@" >/tmp/pwru.out 2>/tmp/pwru.err &
	pid=$!
	until grep -q 'Listening for events' /tmp/pwru.err; do
		kill -0 $pid 2>/dev/null || break
		sleep 0.1
	done
	$command >/dev/null
	wait $pid
	# the name of a function in a module is followed by [MODULE]
	sed -n 's/^0x[^]]*\][[:space:]]*\([[:alnum:]_.]*\).*/\1/p' /tmp/pwru.out | tr '\n' ' '
	[ -s /tmp/pwru.out ] || sed -n '$s/^[0-9/]* [0-9:]* //p' /tmp/pwru.err
}

ping='ping -c 1 127.0.0.1'
one='--output-limit-lines 3 --filter-func ip_rcv|icmp_rcv|icmp_echo'
none='Cannot find a matching kernel function'
# shellcheck disable=SC2086 # several words
{
	check_eq 'pwru traces a packet with kprobe.multi' "$(traced "$ping" $one icmp)" 'ip_rcv icmp_rcv icmp_echo '
	check 'kprobe.multi is the default' grep -q 'via kprobe-multi' /tmp/pwru.err
	check_eq 'pwru traces a packet with kprobes' "$(traced "$ping" $one --backend kprobe icmp)" 'ip_rcv icmp_rcv icmp_echo '
}
# skb_clone() and skb_copy() are traced by fexit then
check_eq 'pwru traces a packet with --filter-track-skb' \
	"$(traced "$ping" --output-limit-lines 2 --filter-track-skb --filter-func 'ip_rcv|icmp_rcv' icmp)" \
	'ip_rcv icmp_rcv '
traced "$ping" --output-limit-lines 20 icmp >/tmp/all
check 'pwru traces a packet in all functions with an skb parameter' grep -q 'ip_local_out .*loopback_xmit .*ip_rcv ' /tmp/all
check_eq 'pwru traces a function of a module' \
	"$(traced "cat $lengths" --output-limit-lines 1 --all-kmods --filter-func skbs_single)" 'skbs_single '
bpftool -B /sys/kernel/btf/vmlinux btf dump file /sys/kernel/btf/skbs >/tmp/btf
check_eq 'BTF has two NAME@FILE' "$(grep -c "FUNC 'skbs_twin@.*skbs-.*\.c'" /tmp/btf)" 2
check_eq 'pwru does not find NAME@FILE' \
	"$(traced "cat $lengths" --all-kmods --filter-func 'skbs_twin.*')" "$none"
check 'pwru cannot read BTF with addresses' \
	eval "traced true --kernel-btf /files/addresses.btf --filter-func ip_rcv | grep 'Failed to load BTF spec'"
