#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Images and modules that are split into a file with DWARF and a file with code are joined.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/distributions.sh"

begin 'a split module is joined from any two files'
for dwarf in split.ko eu.ko.debug; do
	for code in stripped.ko eu.ko; do
		new_machine
		put $dwarf usr/lib/debug/lib/modules/$release/kernel/nf_mod.ko.debug
		put $code lib/modules/$release/kernel/nf_mod.ko.zst
		expect_module_found
		# without build ids, too
		rm -r root/sys/module
		for file in $dwarf $code; do
			# a debuglink would have the checksum of the file with a build id
			tool objcopy --remove-section .note.gnu.build-id --remove-section .gnu_debuglink \
				$file no-id-$file
		done
		put no-id-$dwarf usr/lib/debug/lib/modules/$release/kernel/nf_mod.ko.debug
		put no-id-$code lib/modules/$release/kernel/nf_mod.ko.zst
		expect_module_found
	done
done

begin 'a section with code and without bytes is not the code'
# (NOLOAD) in a linker script, as in arm64's modules
echo '.section .plt, "ax", @nobits; .zero 1' | $CC -c -x assembler -o plt.o -
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o plt.ko mod.o plt.o
readelf -SW plt.ko | matches -E ' \.plt +NOBITS .* AX '
new_machine
rm -r root/sys/module
put plt.ko lib/modules/$release/kernel/nf_mod.ko
expect 0 "$ABTF" encode -v -o mod.btf --running --module nf_mod --sysroot=root
has_not out 'has no code'

begin 'eu-strip: without the file with the code, the flags are unknown'
new_machine
put eu.ko.debug usr/lib/debug/lib/modules/$release/kernel/nf_mod.ko.debug
expect 0 "$ABTF" list -aj --running --module nf_mod --sysroot=root
expect_eq "$(jq -r '.functions[].flags[0]' <<<"$out" | sort -u)" unknown
# nor is the code of another build used
put stranger.ko lib/modules/$release/kernel/nf_mod.ko
expect 0 "$ABTF" list -aj --running --module nf_mod --sysroot=root
expect_eq "$(jq -r '.functions[].flags[0]' <<<"$out" | sort -u)" unknown

begin 'all commands read a split image'
new_machine
put split usr/lib/debug/boot/vmlinux-$release
put stripped boot/vmlinux-$release
expect_found
"$ABTF" encode -q -o vmlinux.btf vmlinux
expect 0 "$ABTF" encode -q -o split.btf --running --sysroot=root
cmp vmlinux.btf split.btf || fail 'encode writes different BTF'
expect 0 "$ABTF" check --running --sysroot=root split.btf
expect 0 "$ABTF" diff --running --sysroot=root vmlinux.btf
expect 0 "$ABTF" report -o split.html --running --sysroot=root
expect 0 "$ABTF" symbolize --running --sysroot=root _text+0
says '^listed$'
expect 0 "$ABTF" list --inlined --all --running --sysroot=root
says '^ INLINED  BODIES  NAME '
# an error before the image is used
expect 1 "$ABTF" encode -q -o split.btf --base nowhere --running --sysroot=root
says '^abtf: error: nowhere: cannot read'
expect 2 "$ABTF" check --running --sysroot=root a b
expect 0 "$ABTF" encode -q -o many/ --running --sysroot=root vmlinux
cmp "$(find many -name "*$release.btf")" vmlinux.btf || fail 'encode of two images writes different BTF'
expect 4 "$ABTF" list --probe=bpftrace --running --sysroot=root hidden
says 'are omitted: 1 notrace'

begin 'eu-strip -g: symbols are read from the file with the code'
# there, sections have other numbers
sed 's/^SECTIONS$/&{.debug_abbrev 0:{*(.debug_abbrev)}}&/' "$selftests/example/vmlinux.lds" >shifted.lds
# shellcheck disable=SC2086
$CC $common $machine $link -Wl,-T,shifted.lds -o shifted kernel/core.o kernel/other.o
eu-strip -g -f eu.debug -o eu shifted
readelf -SW eu.debug | matches -E ' \.symtab +NOBITS'
[ "$(text_index eu)" -lt "$(text_index eu.debug)" ]
rm -rf named
copy_to eu.debug named/vmlinux.debug
expect 0 "$ABTF" list -a named/vmlinux.debug
says 'vmlinux.debug: has no symbols, so its functions are not known$'
copy_to eu named/vmlinux
"$ABTF" list -aj shifted >shifted.list
expect 0 "$ABTF" list -aj named/vmlinux.debug
cmp -s out shifted.list || fail "the list differs: $out"

begin 'a split image that is named is joined with its code'
for debug in vmlinux.debug .debug/vmlinux usr/lib/debug/boot/vmlinux.debug; do
	code=${debug##*/}
	code=named/${code%.debug}
	[[ $debug != usr/* ]] || code=named/boot/${code#named/}
	rm -rf named
	copy_to split "named/$debug"
	expect 0 "$ABTF" list -aj "named/$debug"
	grep -q unknown out
	for suffix in '' .gz .xz .zst; do
		copy_to stripped "$code$suffix"
		expect 0 "$ABTF" list -aj "named/$debug"
		cmp -s out list || fail "$debug and $code$suffix: the list differs"
		rm "$code$suffix"
	done
	# of another build
	copy_to another "$code"
	expect 0 "$ABTF" list -a "named/$debug"
	grep -q unknown out
	says "warning:     .*/$code: is of another build, with build id"
done
for suffix in '' .gz .xz .zst; do
	rm -rf named
	copy_to split.ko named/nf_mod.ko.debug$suffix
	copy_to stripped.ko named/nf_mod.ko
	expect 0 "$ABTF" list -aj named/nf_mod.ko.debug$suffix
	cmp -s out mod.list || fail "nf_mod.ko.debug$suffix: the functions differ"
	rm named/nf_mod.ko
	copy_to stripped.ko named/nf_mod.ko.zst
	expect 0 "$ABTF" list -aj named/nf_mod.ko.debug$suffix
	cmp -s out mod.list || fail "nf_mod.ko.debug$suffix: the functions differ"
done

begin 'files from different builds are not joined'
# equal build ids, different files: sections with another size are not used
# shellcheck disable=SC2086
unit changed $flags < <(sed 's/return a/return a * 3 + 77/' mod.c)
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o changed.ko changed.o
section mod.ko .note.gnu.build-id note
tool objcopy --update-section .note.gnu.build-id=note changed.ko
[ "$(build_id changed.ko)" = "$ko_id" ]
new_machine
put eu.ko.debug usr/lib/debug/lib/modules/$release/kernel/nf_mod.ko.debug
tool strip --strip-debug changed.ko
put changed.ko lib/modules/$release/kernel/nf_mod.ko
expect 0 "$ABTF" list -aj --running --module nf_mod --sysroot=root
expect_eq "$(jq -r '.functions[].flags[0]' <<<"$out" | sort -u)" unknown
# by name, without build ids
for change in '--remove-section=.note.gnu.build-id --rename-section .text=.text2' \
	'--remove-section=.note.gnu.build-id --remove-section=_kprobe_blacklist'; do
	new_machine
	rm -r root/sys/module
	put no-id-split.ko usr/lib/debug/lib/modules/$release/kernel/nf_mod.ko.debug
	# shellcheck disable=SC2086
	tool objcopy $change stripped.ko changed.ko
	put changed.ko lib/modules/$release/kernel/nf_mod.ko
	# objcopy keeps relocations, so the flags are known in both cases
	expect_module_found
	expect 0 "$ABTF" encode -v -o mod.btf --running --module nf_mod --sysroot=root
	has_not out 'has the code of'
	says 'nf_mod.ko.debug: has no code, and no file with the code was found'
done
