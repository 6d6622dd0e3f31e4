#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Images and modules are found where distributions install them.  locate.sh has the rest of the search.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/distributions.sh"

begin 'Debian: vmlinux and a module are found'
new_machine
put vmlinux usr/lib/debug/boot/vmlinux-$release
put mod.ko usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko
put stripped.ko lib/modules/$release/kernel/net/nf_mod.ko.xz
expect_found
expect_module_found

begin 'Ubuntu: vmlinux and a module are found'
new_machine
put vmlinux usr/lib/debug/boot/vmlinux-$release
put mod.ko usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko.zst
put stripped.ko lib/modules/$release/kernel/net/nf_mod.ko.zst
expect_found
expect_module_found

begin 'Fedora: vmlinux and a module are found'
new_machine
put vmlinux usr/lib/debug/lib/modules/$release/vmlinux
put eu.ko.debug usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko.debug
put eu.ko lib/modules/$release/kernel/net/nf_mod.ko.xz
expect_found
expect_module_found

for code in usr/lib/modules/$release/vmlinux.xz usr/lib/modules/$release/vmlinux.gz boot/vmlinux-$release.gz \
	boot/vmlinux-$release.xz usr/lib/modules/$release/vmlinux; do
	for dwarf in usr/lib/debug/usr/lib/modules/$release/vmlinux.debug \
		usr/lib/debug/boot/vmlinux-$release.debug; do
		begin "openSUSE: vmlinux and a module are found: /$dwarf, /$code"
		new_machine
		put split $dwarf
		put stripped $code
		put split.ko usr/lib/debug/usr/lib/modules/$release/kernel/net/nf_mod.ko.debug
		put stripped.ko usr/lib/modules/$release/kernel/net/nf_mod.ko.zst
		expect_found
		expect_module_found
	done
done

begin 'Arch: vmlinux and a module are found'
new_machine
put vmlinux usr/lib/modules/$release/build/vmlinux
expect_found
new_machine
put vmlinux usr/src/debug/linux-lts/vmlinux
expect_found
new_machine
put vmlinux usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
put split.ko usr/lib/debug/.build-id/${ko_id:0:2}/${ko_id:2}.debug
put stripped.ko usr/lib/modules/$release/kernel/net/nf_mod.ko.zst
expect_found
expect_module_found

begin 'NixOS: vmlinux and a module are found'
new_machine
put vmlinux nix/store/abc-linux-6.12.1-dev/vmlinux
put mod.ko nix/store/abc-linux-6.12.1/lib/modules/$release/kernel/net/nf_mod.ko.xz
put_link /nix/store/abc-linux-6.12.1/lib/modules/$release/kernel nix/store/def-modules/lib/modules/$release/kernel
put_link /nix/store/def-modules run/booted-system/kernel-modules
expect_found
expect_module_found
new_machine
put vmlinux nix/store/abc-linux-6.12.1-dev/lib/modules/$release/build/vmlinux
put_link /nix/store/abc-linux-6.12.1-dev run/booted-system/kernel-modules
expect_found

new_machine
put vmlinux run/current-system/sw/lib/debug/.build-id/${id:0:2}/${id:2}.debug
put mod.ko run/current-system/sw/lib/debug/.build-id/${ko_id:0:2}/${ko_id:2}.debug
expect_found
expect_module_found

begin 'ChromeOS: vmlinux is found'
for path in usr/lib/debug/boot/vmlinux usr/lib/debug/boot/vmlinux.debug usr/lib/debug/vmlinux; do
	new_machine
	put vmlinux $path
	expect_found
done

begin 'Yocto: vmlinux and a module are found in .debug, next to the stripped files'
mkdir whole linked
cp vmlinux whole/vmlinux-$release
cp mod.ko whole/nf_mod.ko
tool objcopy --add-gnu-debuglink=whole/vmlinux-$release stripped linked/vmlinux-$release
tool objcopy --add-gnu-debuglink=whole/nf_mod.ko stripped.ko linked/nf_mod.ko
new_machine
put whole/vmlinux-$release boot/.debug/vmlinux-$release
expect_found
put linked/vmlinux-$release boot/vmlinux-$release
expect_found
put whole/nf_mod.ko lib/modules/$release/kernel/net/.debug/nf_mod.ko
for name in nf_mod.ko nf_mod.ko.xz; do
	rm -f root/lib/modules/$release/kernel/net/nf_mod.*
	put linked/nf_mod.ko lib/modules/$release/kernel/net/$name
	expect_module_found
done

begin 'Android: a module is found in the directory of a partition, without a release'
for partition in vendor vendor_dlkm system system_dlkm odm odm_dlkm; do
	new_machine
	put mod.ko $partition/lib/modules/nf_mod.ko
	put stranger.ko $partition/lib/modules/stranger.ko
	expect_module_found
	# not loaded, so without a build id in /sys
	rm -r root/sys/module
	expect_module_found
	expect 0 "$ABTF" list -aj --build-id="$ko_id" --module nf_mod --sysroot=root
	expect_module_listed
done
new_machine
put mod.ko system_dlkm/lib/modules/$release/kernel/net/nf_mod.ko
put mod.ko lib/modules/6.11/nf_mod.ko
expect_module_found
# not of another release
rm -r root/system_dlkm root/sys/module
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root

begin 'Flatcar, Clear Linux, Photon, CachyOS: vmlinux is found'
for path in usr/lib/debug/usr/boot/vmlinux-$release usr/boot/vmlinux-$release usr/lib/kernel/vmlinux-$release \
	usr/lib/debug/lib/modules/$release/vmlinux-$release usr/lib/debug/usr/lib/modules/$release/build/vmlinux; do
	new_machine
	put vmlinux $path
	expect_found
done

begin 'compressed images are found at paths without a release'
for place in boot/vmlinux.gz usr/lib/debug/boot/vmlinux.debug.xz usr/lib/debug/vmlinux.zst; do
	new_machine
	put vmlinux $place
	expect_found
done
# reading the build id of a compressed image of another release would take seconds
new_machine
put vmlinux boot/vmlinux-6.11.xz
expect 1 "$ABTF" list --running --sysroot=root

begin 'OpenWrt, Void: a module is found in the directory of the release, and its debug file without a suffix'
new_machine
put stripped.ko lib/modules/$release/nf_mod.ko
put split.ko usr/lib/debug/lib/modules/nf_mod.ko
expect_module_found
put split.ko usr/lib/debug/usr/lib/modules/$release/kernel/net/nf_mod.ko
rm root/usr/lib/debug/lib/modules/nf_mod.ko
expect_module_found

begin 'make bindeb-pkg: vmlinux and a module are found'
new_machine
put vmlinux usr/lib/debug/lib/modules/$release/vmlinux
put split.ko usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko
expect_found
expect_module_found
put stripped.ko lib/modules/$release/kernel/net/nf_mod.ko
expect_module_found

begin 'DKMS: a module is found by build id, by debuglink, and in the directories of external modules'
new_machine
put mod.ko usr/lib/debug/.build-id/${ko_id:0:2}/${ko_id:2}.debug
expect_module_found
for path in lib/modules/$release/updates/dkms/fat.dbg lib/modules/$release/updates/dkms/.debug/fat.dbg \
	usr/lib/debug/lib/modules/$release/updates/dkms/fat.dbg; do
	new_machine
	put mod.ko "$path"
	cp mod.ko fat.dbg
	tool objcopy --add-gnu-debuglink=fat.dbg stripped.ko linked.ko
	put linked.ko lib/modules/$release/updates/dkms/nf-mod.ko
	expect_module_found
done
# if the module is not loaded, the file's build id is used
rm -r root/sys/module/nf_mod
expect_module_found
# RHEL links modules of other releases
new_machine
path=usr/lib/debug/lib/modules/6.11/extra/fat.dbg
put mod.ko $path
put linked.ko lib/modules/6.11/extra/nf_mod.ko
put_link /lib/modules/6.11/extra/nf_mod.ko lib/modules/$release/weak-updates/nf_mod.ko
expect_module_found
for path in updates/dkms extra weak-updates/net kernel/drivers/a/b/c; do
	new_machine
	put mod.ko lib/modules/$release/$path/nf-mod.ko.gz
	expect_module_found
done
