#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The image is at a different address in each boot, and a program attached to each of the 22
# cpumask_weight() only sees calls of its own function.
. "${0%/*}/../../lib.sh"
vm=$selftests/kernel/vm.sh

# The guest prints _text, and whether each function starts at its offset in the image.
cat >command <<'E2'
text=$(sed -n 's/ [Tt] _text$//p' /proc/kallsyms)
echo "text $text"
while read -r name offset; do
	printf '%s %016x\n' "$name" $((0x$text + offset))
done </files/offsets | sort >/tmp/expected
sed -n 's/^\([0-9a-f]*\) [Tt] \(c_start\|type_show\|m_start\)$/\2 \1/p' /proc/kallsyms | sort >/tmp/got
diff /tmp/expected /tmp/got && echo "fits"
E2
case $KERNEL in
patched|debug)	echo '/test/guest-test weight-fentry' >>command ;;
esac
text=$("${CROSS}nm" "$KERNEL_OUT/vmlinux" | sed -n 's/ [Tt] _text$//p')
"${CROSS}nm" "$KERNEL_OUT/vmlinux" | sed -nE 's/^([0-9a-f]+) [Tt] (c_start|type_show|m_start)$/\2 \1/p' |
	while read -r name addr; do
		echo "$name $((0x$addr - 0x$text))"
	done >offsets
[ "$(wc -l <offsets)" -ge 8 ]

# Boot again if two boots have the same address by chance.
begin 'five boots, five values of _text'
: >texts
for ((boot = 1; boot <= 10 && $(sort -u texts | wc -l) < 5; boot++)); do
	VM_DIR=$PWD/boot FILES=$PWD/offsets expect 0 "$vm" "$(cat command)"
	why=$(grep -aom 1 'KASLR disabled[^\r]*' boot/console) || why=
	sed -n 's/^text //p' out | tee -a texts
	has out '^fits$'
	mv out "out.$boot"
	if [ -n "$why" ]; then
		skip "$why"
		break
	fi
done
if [ -z "$why" ]; then
	expect_eq "$(sort -u texts | wc -l)" 5
	[ "$(wc -l <texts)" -le 8 ] || fail "it took $(wc -l <texts) boots to see five values of _text"
fi

case $KERNEL in
patched|debug)
	begin 'in each boot, each of 22 fentry programs only sees calls of its own function'
	for file in out.*; do
		has "$file" '^ok 1 weight-fentry: each of 22 fentry programs'
	done
	;;
esac
