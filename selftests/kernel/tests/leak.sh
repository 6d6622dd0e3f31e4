#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# BTF contains no run-time address, for any reader.  First, show that leakscan finds such
# addresses.
. /test/ktap.sh
modprobe md5
insmod /test/splat.ko what=nothing 2>/dev/null
insmod /test/target.ko

case $KERNEL in
patched|debug)	plan 9 ;;
*)		plan 8 ;;
esac

# in the machine's byte order
bytes='7 5 3 1'
[ "$(printf '\1\0' | od -An -tu2 | tr -d ' ')" = 1 ] || bytes='1 3 5 7'

# word DIGITS: convert eight digits to bytes for printf
word() {
	for i in $bytes; do
		printf '\\x%s' "$(echo "$1" | cut -c"$i"-$((i + 1)))"
	done
}

# plant SYMBOL OFFSET: write the address of SYMBOL to a copy of a BTF file.  Adjacent words cannot
# form an address of the image with either half, in any alignment: they would be 2 GiB away.
plant() {
	planted=$(sed -n "s/ [a-zA-Z] $1\$//p; s/ [a-zA-Z] $1	.*//p" /proc/kallsyms | head -n 1)
	high=$(echo "$planted" | cut -c1-8) low=$(echo "$planted" | cut -c9-16)
	far=$(printf %08x $((0x$low ^ 0x80000000)))
	cp /sys/kernel/btf/vmlinux /tmp/copy
	[ "$bytes" = '7 5 3 1' ] && halves="$low $high" || halves="$high $low"
	# shellcheck disable=SC2059 # the format is the bytes
	for digits in $far $halves $far; do
		printf "$(word "$digits")"
	done | dd of=/tmp/copy bs=1 seek=$(($2 - 4)) conv=notrunc 2>/dev/null
	planted=$(echo "$planted" | sed 's/^0*//')
	leakscan /tmp/copy >/tmp/found
	tail -n 2 /tmp/found
}

plant vfs_read 65540 >/tmp/planted
check 'leakscan finds an address of the image' \
	grep -q "^/tmp/copy: 0x10004: 0x$planted (the image)" /tmp/planted
check 'leakscan finds nothing else' grep -q '^[0-9]* bytes, [0-9]* ranges, 1 found' /tmp/planted
plant init_task 65544 >/tmp/planted
check 'leakscan finds an address of data' grep -q "^/tmp/copy: 0x10008: 0x$planted (the image)" /tmp/planted
plant target_call 65548 >/tmp/planted
check 'leakscan finds an address of a module' grep -q "^/tmp/copy: 0x1000c: 0x$planted (target)" /tmp/planted
plant target_calls 1048576 >/tmp/planted
check "leakscan finds an address of a module's data" grep -q "^/tmp/copy: 0x100000: 0x$planted (target)" /tmp/planted

check 'BTF of modules exists' [ -s /sys/kernel/btf/md5 -a -s /sys/kernel/btf/target ]
check '/sys/kernel/btf has no run-time address' leakscan /sys/kernel/btf/*
check 'BTF from a file descriptor has no run-time address' leakscan
case $KERNEL in
patched|debug)
	check '/sys/kernel/btf_addr, which only root can read, has no run-time address' leakscan /sys/kernel/btf_addr/*
	;;
esac
