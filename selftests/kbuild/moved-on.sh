#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Debian's source differs from the source that the series were made for: they are merged
# into Debian's if possible, with a message.  The source here is a separate tarball with only the
# files that the patches touch and that "make kernelversion" needs.
. "${0%/*}/../lib.sh"
export KVER=${KVER:-6.12}
pristine=$top/build/linux-$KVER/src
[ -e "$pristine/Makefile" ]

# Copy the scripts and the series, so that they write to a separate build/.
mkdir -p copy/selftests
cp -a "$top/selftests/kernel" "$top/selftests/patch" "$top/selftests/versions.sh" copy/selftests
cp -a "$top/kernel-patch" "$top/libbpf-patch" copy

# touched SERIES: print the files that its patches change
touched() {
	sed -nE 's|^--- a/||p' "$top/$1"/0*.patch
}

mkdir linux
(
	cd "$pristine"
	for series in {libbpf,kernel}-patch/$KVER{/fixes,} kernel-patch/$KVER/parsing selftests/patch/$KVER; do touched $series; done
	printf '%s\n' Makefile lib/Makefile lib/Kconfig.debug
	find scripts arch/x86 -maxdepth 1 -name '*.include' -o -maxdepth 1 -name 'Makefile*' -o -maxdepth 1 -name Kbuild
) | sort -u | while read -r file; do
	[ ! -e "$pristine/$file" ] || (cd "$pristine" && cp --parents "$file" "$OLDPWD/linux")
done

# source_is: use linux/ as the source
source_is() {
	tar -cf source.tar linux
	LINUX_TARBALL=$PWD/source.tar copy/selftests/kernel/source.sh
}
patched=copy/build/linux-$KVER/patched

begin 'unrelated changes: the patches apply, and a message names the version'
sed -i -E 's/^SUBLEVEL = .*/SUBLEVEL = 99/' linux/Makefile
source_is
expect 0 copy/selftests/kernel/patched.sh
says "made for another source, and could be merged into this one: Linux $KVER.99"
has $patched/kernel/bpf/btf.c nr_func_addrs

begin 'a second run does nothing'
expect 0 copy/selftests/kernel/patched.sh
cat out | expect_none

begin 'changed context: the patches are merged'
sed -i -E 's/^SUBLEVEL = .*/SUBLEVEL = 100/' linux/Makefile
# move all context of a file that several patches change
sed -i '0,/^#include/s//\/* another line *\/\n\n&/' linux/kernel/bpf/btf.c linux/tools/lib/bpf/btf.c
source_is
expect 0 copy/selftests/kernel/patched.sh
says "could be merged into this one: Linux $KVER.100"
has $patched/kernel/bpf/btf.c 'another line'
has $patched/kernel/bpf/btf.c nr_func_addrs

begin 'conflicting changes: an error, each time'
sed -i -E 's/^SUBLEVEL = .*/SUBLEVEL = 101/' linux/Makefile
sed -i 's/^int btf_get_info_by_fd(const/int btf_get_info_by_fd(volatile/' linux/kernel/bpf/btf.c
source_is
for _ in 1 2; do
	expect 125 copy/selftests/kernel/patched.sh
	says "a patch does not apply to Debian's source \\(Linux $KVER.101[- ]"
	says 'patch does not apply'
	[[ $out != *'could be merged'* ]] || fail 'a message claims that the patches could be merged'
done

begin 'the original source again: the patches apply again'
sed -i 's/^int btf_get_info_by_fd(volatile/int btf_get_info_by_fd(const/' linux/kernel/bpf/btf.c
source_is
expect 0 copy/selftests/kernel/patched.sh
has $patched/kernel/bpf/btf.c nr_func_addrs
