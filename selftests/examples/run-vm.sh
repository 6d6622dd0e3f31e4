#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs which_cpumask_weight in the patched guest: lists the 22 functions named cpumask_weight,
# attaches to the one that INSTANCE selects, and then makes the kernel call each of them once.
# Fails unless exactly the calls of the chosen function were counted, at its address in kallsyms.
#	INSTANCE='cpumask_weight@...'	the function to attach to
#	CALL='weight_03 weight_07'	only call these functions
# shellcheck source=../kernel/env.sh
. "$(dirname "$0")/../kernel/env.sh"
cd "$top"

instance=${INSTANCE:-cpumask_weight@lib/func_addr_test/weight_14.c}
files=build/which_cpumask_weight-$arch
mkdir -p "$files"
bpftool=
if [ -z "$skeletons" ]; then
	# the bpftool of a newer kernel generates them for either byte order
	KVER=newest ARCH='' selftests/kernel/source.sh
	mkdir -p build/bpftool
	make -s -C "build/linux-$newest/src/tools/bpf/bpftool" OUTPUT="$top/build/bpftool/" bootstrap \
		>build/bpftool.log 2>&1 || die "bpftool of $newest does not build; see build/bpftool.log"
	bpftool=$top/build/bpftool/bootstrap/bpftool
fi
make --no-print-directory -s -C selftests/examples/which_cpumask_weight OUT="$top/$files" \
	BPF="$bpf" ${bpftool:+BPFTOOL="$bpftool"} \
	CC="${cross}gcc${sysroot:+ --sysroot=$sysroot}" >"$files.log"

# The functions' offsets in the image's symbol table: "weight_14.c OFFSET".
text=$("${cross}nm" "$out/vmlinux" | sed -n 's/ [Tt] _text$//p')
readelf -sW "$out/vmlinux" | awk '
	$4 == "FILE" { file = $8 }
	$4 == "FUNC" && $8 == "cpumask_weight" { print file, $2 }' |
	while read -r file address; do
		echo "$file $((0x$address - 0x$text))"
	done >"$files/offsets"

cat >"$files/show.sh" <<'S'
# show.sh INSTANCE [CALL...]
instance=$1
shift
cd /files
echo "\$ which_cpumask_weight cpumask_weight"
./which_cpumask_weight cpumask_weight | tee /tmp/list
[ -s /tmp/list ] || exit 1
echo
echo "\$ which_cpumask_weight '$instance' 3 &"
./which_cpumask_weight "$instance" 3 >/tmp/out 2>/tmp/err &
pid=$!
n=0
until grep -q ^attached /tmp/out || ! kill -0 $pid 2>/dev/null || [ $n -gt 100 ]; do
	n=$((n + 1))
	usleep 100000
done
if grep -q ^attached /tmp/out; then
	head -n 1 /tmp/out
	cd /sys/kernel/debug/bpf_func_addr_test
	if [ $# = 0 ]; then
		set -- weight_*
		echo "\$ cat $PWD/weight_*   # calls each of the 22, once"
	else
		echo "\$ cd $PWD; cat $*"
	fi
	cat "$@" >/dev/null
	cd /files
fi
wait $pid
status=$?
sed -n '2,$p' /tmp/out
cat /tmp/err
[ $status = 0 ] || exit $status

file=${instance##*[@/]}
wanted=0
for call; do
	[ "$call.c" != "$file" ] || wanted=$((wanted + 1))
done
counted=$(sed -n 's/.*: calls counted: //p' /tmp/out)
if [ "$counted" != $wanted ]; then
	echo "show.sh: $file was called $wanted times, but $counted calls were counted"
	exit 1
fi
[ $wanted != 0 ] || exit 0
at=$(sed -n 's/.* at 0x\([0-9a-f]*\): .*/\1/p' /tmp/out)
text=$(sed -n 's/ [Tt] _text$//p' /proc/kallsyms)
offset=$(sed -n "s/^$file //p" offsets)
wanted=$(printf '%x' $((0x$text + offset)))
if [ -z "$offset" ] || [ "$at" != "$wanted" ] || ! grep -q "^0*$wanted [Tt] cpumask_weight$" /proc/kallsyms; then
	echo "show.sh: cpumask_weight of $file is at $wanted, but the program is attached at $at"
	exit 1
fi
S
FILES="$files/which_cpumask_weight $files/show.sh $files/offsets" \
	selftests/kernel/vm.sh "sh /files/show.sh '$instance' ${CALL:-}"
