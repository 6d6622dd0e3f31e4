#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make bench-kernel": measures the cost of addresses in BTF for the kernel, as Markdown. It boots three
# kernels in turns: the stock source, and the patched source without the option (KERNEL=off) and with
# it. All are encoded by abtf-pahole, and VARIANT=bench omits functions for tests, so that only the
# series makes a difference. The guest's clock counts instructions, one nanosecond each, so load on the
# host does not matter.
#   ROUNDS=N    number of boots of each kernel (3)
# shellcheck disable=SC2154 # env.sh sets out and image
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
. "$top/selftests/measure.sh"
rounds=${ROUNDS:-3}
bench=$top/build/bench-kernel
rm -rf "$bench"
mkdir -p "$bench"

# The guest measures the initcalls that can parse the kernel's BTF (if it has addresses, the
# initcall for its file in sysfs parses it; otherwise cubictcp_register is the first user; both
# do little else), the remaining memory (MemTotal includes memory that boot freed), the time to
# boot, and the cost of attaching.  That early, initcall_debug measures in steps of 4 ms; the
# time stamps of its messages are finer, and with "quiet" no console delays them.
# shellcheck disable=SC2016 # the guest expands it
in_guest='dmesg | tr -d "[]" | awk "/calling +(btf_vmlinux_init|cubictcp_register)[+]/ { start = \$1 }
	/initcall (btf_vmlinux_init|cubictcp_register)[+]/ { parse += \$1 - start }
	/Run .* as init process/ { init = \$1 }
	END { printf \"parse %d\\nboot %d\\n\", parse * 1000000, init * 1000000 }"
sed -n "s/^MemTotal: */memory /p" /proc/meminfo
echo "types $(bpftool btf dump file /sys/kernel/btf/vmlinux | grep -c "^\[")"
/test/attach-cost vfs_read'

export VM_APPEND='initcall_debug log_buf_len=2M quiet' VM_QEMU='-icount shift=0,sleep=off'
for ((i = 0; i < rounds; i++)); do
	for kernel in patched off stock; do
		KERNEL=$kernel "$here/vm.sh" "$in_guest" >>"$bench/$kernel"
	done
done
for kernel in patched off stock; do
	(
		export KERNEL=$kernel
		# shellcheck source=env.sh
		. "$here/env.sh"
		echo "btf $((0x$(objdump -h "$out/vmlinux" | awk '$2 == ".BTF" { print $3 }')))"
		echo "bzimage $(stat -c %s "$image")"
	) >>"$bench/$kernel"
done

# typical KERNEL WHAT: print the median; for "parse", the minimum, because a worker of
# ftrace, which takes 41 ms at boot, may run in between.
typical() {
	awk -v what="$2" '$1 == what { print $2 }' "$1" |
		if [ "$2" = parse ]; then sort -n | head -n 1; else median; fi
}

cd "$bench"
echo '| | stock | option off | on | on / stock |'
echo '|---|---:|---:|---:|---:|'
# row TITLE WHAT: print a row of the table
row() {
	local stock off on

	stock=$(typical stock "$2") off=$(typical off "$2") on=$(typical patched "$2")
	awk -v what="$1" -v stock="$stock" -v off="$off" -v on="$on" \
		'BEGIN { printf "| %s | %s | %s | %s | %.3f |\n", what, stock, off, on, on / stock }'
}
row '`.BTF` of vmlinux, bytes' btf
row 'bzImage, bytes' bzimage
row 'types in BTF' types
row 'MemTotal after boot, KiB' memory
row 'parsing BTF of vmlinux at boot, us' parse
row 'boot until init is run, us' boot
row 'loading a program for one function, us' load
row 'attaching it, us' attach
