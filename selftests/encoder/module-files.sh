#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Which of several files is used for a module: build ids, checksums of debuglinks, and names; files that are
# compressed, or cannot be used.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/distributions.sh"

begin 'compressed files in .build-id are found'
for suffix in .gz .xz .zst; do
	new_machine
	put vmlinux usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug$suffix
	put mod.ko usr/lib/debug/.build-id/${ko_id:0:2}/${ko_id:2}.debug$suffix
	expect_found
	expect_module_found
done

begin 'of several modules with the same name, the one that the kernel loads is used'
unit older <<<'const char info[] __attribute__((section(".modinfo"), used)) = "name=nf_mod"; int older(int a) { return a; }'
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o older.ko older.o
for strip in -p --remove-section=.note.gnu.build-id; do
	for loaded in kernel/net/nf_mod.ko.xz updates/dkms/nf-mod.ko extra/nf_mod.ko weak-updates/nf_mod.ko; do
		new_machine
		rm -r root/sys/module
		put older.ko usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko
		for path in kernel/net/nf_mod.ko.xz updates/dkms/nf-mod.ko extra/nf_mod.ko weak-updates/nf_mod.ko; do
			put older.ko lib/modules/$release/$path
		done
		tool objcopy $strip mod.ko copy.ko
		put copy.ko lib/modules/$release/$loaded
		printf '%s\n' "kernel/nf_mod_2.ko: $loaded" "$loaded: kernel/fs/nf_mod.ko" 'kernel/fs/nf_mod.ko:' \
			>root/lib/modules/$release/modules.dep
		expect_module_found
	done
	# without the list, depmod's default
	put older.ko lib/modules/$release/weak-updates/nf_mod.ko
	put copy.ko lib/modules/$release/updates/dkms/nf-mod.ko
	rm root/lib/modules/$release/modules.dep
	expect_module_found
done
# a stripped module determines which debug file belongs to it
new_machine
rm -r root/sys/module
put stripped.ko lib/modules/$release/updates/nf_mod.ko
put older.ko usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
says "error:     root/usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko: is of another build, with build id"
put mod.ko usr/lib/debug/lib/modules/$release/updates/nf_mod.ko
expect_module_found

begin 'without build ids, the checksum in a debuglink has to match'
tool objcopy --remove-section .note.gnu.build-id stripped.ko plain.ko
for file in mod.ko split.ko; do
	for path in updates/fat.dbg updates/.debug/fat.dbg updates/nf_mod.ko.debug \
		/usr/lib/debug/lib/modules/$release/updates/nf_mod.ko.debug; do
		tool objcopy --remove-section .note.gnu.build-id $file "${path##*/}"
		tool objcopy --add-gnu-debuglink="${path##*/}" plain.ko linked.ko
		[[ $path == /* ]] || path=/lib/modules/$release/$path
		new_machine
		rm -r root/sys/module
		put linked.ko lib/modules/$release/updates/nf_mod.ko
		put "${path##*/}" "${path#/}"
		expect_module_found
		# one byte more; a file with a build id that has another name is only found by the link
		for another in "${path##*/}" $file; do
			[ "$another" != $file ] || [[ $path == *fat.dbg ]] || continue
			{ cat "$another"; echo; } >longer
			put longer "${path#/}"
			expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
			says "error:     root$path: is of another build: the debuglink of root/lib/modules/$release/updates/nf_mod.ko has another checksum"
		done
	done
done
# bytes after the end of a file with the same build id are accepted, as a signature would be
new_machine
tool objcopy --add-gnu-debuglink=fat.dbg stripped.ko linked.ko
put linked.ko lib/modules/$release/updates/nf_mod.ko
{ cat split.ko; echo; } >longer
put longer lib/modules/$release/updates/fat.dbg
expect_module_found
# the module has no build id, and a file with debug information has one
for file in mod.ko split.ko; do
	cp $file nf_mod.ko.debug
	tool objcopy --add-gnu-debuglink=nf_mod.ko.debug plain.ko linked.ko
	new_machine
	rm -r root/sys/module
	put linked.ko lib/modules/$release/kernel/net/nf_mod.ko
	path=usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko.debug
	put $file $path
	expect_module_found
	echo >>root/$path
	expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
	says "error:     root/$path: is of another build: the debuglink of root/lib/modules/$release/kernel/net/nf_mod.ko has another checksum"
done
# a link without a checksum
printf 'fat.dbg\0' >link.bin
tool objcopy --add-section .gnu_debuglink=link.bin plain.ko linked.ko
new_machine
rm -r root/sys/module
put linked.ko lib/modules/$release/updates/nf_mod.ko
put mod.ko lib/modules/$release/updates/fat.dbg
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
says 'root/lib/modules/.*/updates/nf_mod.ko: has no debug information$'

begin 'INSTALL_MOD_STRIP: unstripped modules are found in the build directory'
new_machine
put mod.ko opt/linux/net/nf-mod.ko
put_link /opt/linux lib/modules/$release/build
for installed in nf-mod.ko nf-mod.ko.xz; do
	rm -rf root/lib/modules/$release/kernel
	put stripped.ko lib/modules/$release/kernel/net/$installed
	expect_module_found
	expect 0 "$ABTF" list -aj --module nf_mod --build-id="$ko_id" --sysroot=root
	expect_module_listed
done
# the build directory was rebuilt
put stranger.ko opt/linux/net/nf-mod.ko
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
says "error:     root/opt/linux/net/nf-mod.ko: is of another build"

begin 'files are found with each suffix'
for name in nf_mod.ko nf_mod.ko.debug nf-mod.ko.gz nf_mod.ko.xz nf_mod.ko.zst nf_mod.ko.debug.xz \
	nf_mod.ko.zst.debug; do
	new_machine
	put mod.ko lib/modules/$release/kernel/$name
	expect_module_found
done
for name in nf_mod.ko.bak nf_mod.ko.debug~ xnf_mod.ko nf_mod.o nf_mod; do
	new_machine
	put mod.ko lib/modules/$release/kernel/$name
	expect 1 "$ABTF" list -aj --running --module nf_mod --sysroot=root
	says 'no file with debug information was found for module nf_mod'
done

begin 'files that cannot be used are named'
printf '\x04\x22\x4d\x18' >lz4
head -c 100 vmlinux >start
while IFS=, read -r file suffix reason; do
	for path in usr/lib/debug/boot/vmlinux-$release lib/modules/$release/kernel/nf_mod.ko; do
		new_machine
		case $file in
		link)	put_link /nowhere "$path" ;;
		*)	put "$file" "$path$suffix" ;;
		esac
		case $path in
		*.ko)	module=--module=nf_mod wanted=$ko_id ;;
		*)	module= wanted=$id ;;
		esac
		# with --build-id, the release is not known
		for option in --running --build-id="$wanted"; do
			# shellcheck disable=SC2086 # $module may be empty
			expect 1 "$ABTF" list $option $module --sysroot=root
			# lib/modules/ is searched for any release
			says "error:     root/${path/modules/modules/*}$suffix: $reason"
			[ "$file" != link ] || says 'install the debug package'
		done
	done
done <<'E'
lz4,.lz4,is compressed [(]lz4[)], expected an ELF file: unpack it first
start,.xz,section header table at
link,,is a link to a file that does not exist$
E
# a file whose DWARF is in other files, and a whole one
for section in .gnu_debugaltlink .debug_sup .debug_info.dwo; do
	tool objcopy --add-section $section=notes vmlinux partial
	tool objcopy --add-section $section=notes mod.ko partial.ko
	new_machine
	put partial usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
	put partial.ko usr/lib/debug/.build-id/${ko_id:0:2}/${ko_id:2}.debug
	expect 1 "$ABTF" list --running --sysroot=root
	says "error:     root/usr/lib/debug/.build-id/.*: section .* $section: some DWARF is not read"
	has_not out 'install'
	put vmlinux usr/lib/debug/boot/vmlinux-$release
	expect_found
	put mod.ko lib/modules/$release/kernel/nf_mod.ko
	expect_module_found
done
# the same for the file with the code
new_machine
put split usr/lib/debug/boot/vmlinux-$release
put lz4 boot/vmlinux-$release.lz4
expect 0 "$ABTF" list -a --running --sysroot=root
says 'warning: .*: has no code, and no file with the code was found$'
says 'warning:     root/boot/vmlinux.*lz4: is compressed'
