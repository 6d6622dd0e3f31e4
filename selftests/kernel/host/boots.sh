#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The image is at another address in each boot, and BTF fits every time.
# timeout: 600
. "${0%/*}/../../lib.sh"
vm=$selftests/kernel/vm.sh

# What the guest prints: _text, and that each function starts where the image says.
cat >command <<'E2'
text=$(sed -n 's/ [Tt] _text$//p' /proc/kallsyms)
echo "text $text"
while read -r name offset; do
	printf '%s %x\n' "$name" $((0x$text + offset))
done </files/offsets | sort >/tmp/expected
sed -n 's/^\([0-9a-f]*\) [Tt] \(c_start\|type_show\|m_start\)$/\2 \1/p' /proc/kallsyms | sort >/tmp/got
diff /tmp/expected /tmp/got && echo "fits"
E2
text=$(nm "$KERNEL_OUT/vmlinux" | sed -n 's/ [Tt] _text$//p')
nm "$KERNEL_OUT/vmlinux" | sed -nE 's/^([0-9a-f]+) [Tt] (c_start|type_show|m_start)$/\2 \1/p' |
	while read -r name addr; do
		echo "$name $((0x$addr - 0x$text))"
	done >offsets
[ "$(wc -l <offsets)" -ge 9 ]

# Two boots may well get the same address by chance: that is one boot more then.
begin 'five boots, five values of _text'
: >texts
for ((boot = 1; boot <= 10 && $(sort -u texts | wc -l) < 5; boot++)); do
	FILES=$PWD/offsets expect 0 "$vm" "$(cat command)"
	sed -n 's/^text //p' out | tee -a texts
	has out '^fits$'
done
expect_eq "$(sort -u texts | wc -l)" 5
[ "$(wc -l <texts)" -le 8 ] || fail "that took $(wc -l <texts) boots"
