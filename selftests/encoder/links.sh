#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Images and modules are found through symbolic links, which stay below --sysroot.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/distributions.sh"

begin 'Gentoo, and built by hand: absolute links stay below --sysroot'
new_machine
put vmlinux usr/src/linux-6.12.1/vmlinux
expect_found
mv root/usr/src/linux-6.12.1 root/opt
# a link that leads to another kernel of this machine must not be followed
mkdir -p outside
cp another outside/vmlinux
put_link /opt lib/modules/$release/build
expect_found
put_link "$PWD/outside" lib/modules/6.11/build
expect 0 "$ABTF" list -aj --sysroot=root --build-id="$id"
rm -r root/lib
put_link "$PWD/outside" lib/modules/6.11/build
other=$(build_id another)
expect 1 "$ABTF" list --sysroot=root --build-id="$other"
# a link to an image outside of --sysroot is followed
put_link "$PWD/outside/vmlinux" usr/lib/debug/boot/vmlinux-6.11
expect 0 "$ABTF" list --sysroot=root --build-id="$other"
put_link "$PWD/outside/nothing" usr/lib/debug/boot/vmlinux-6.12
expect 0 "$ABTF" list --sysroot=root --build-id="$other"
for up in /a/../b ../../../../../b; do
	new_machine
	mkdir -p root/a root/b
	put vmlinux b/vmlinux
	put_link $up lib/modules/$release/build
	expect_found
	# a path with a directory above
	expect 0 "$ABTF" list -aj --running --sysroot="$PWD/root"
	cmp -s out list || fail "the list differs: $out"
done

begin 'links in the middle of a path and links to links are followed, loops are an error'
new_machine
put vmlinux data/modules/$release/vmlinux
put_link /data usr/lib/debug/lib
expect_found
new_machine
put_link /b/two a/one
put_link ../c b/two
put vmlinux c/$release/build/vmlinux
put_link /a/one lib/modules
expect_found
new_machine
put_link build lib/modules/$release/build
put_link /lib/modules/$release lib/modules/$release/kernel
put_link /nowhere usr/lib/debug/boot/vmlinux-$release
expect 1 limited "$ABTF" list --running --sysroot=root
says "root/lib/modules/$release/build/vmlinux: Too many levels of symbolic links"
limited "$ABTF" list --running --module nf_mod --sysroot=root >out 2>&1 || :
has out 'no file with debug information was found for module nf_mod'

begin 'modules are found through links to directories, and to each file'
new_machine
put mod.ko opt/x/y/nf_mod.ko.xz
put_link /opt/x lib/modules/$release/updates
expect_module_found
# below all releases, and several links
new_machine
put mod.ko opt/x/nf_mod.ko
put_link /store/net lib/modules/$release/kernel/net
put_link /store/vendor store/net/vendor
put_link ../../opt/x store/vendor/x
expect_module_found
expect 0 "$ABTF" list -aj --module nf_mod --build-id="$ko_id" --sysroot=root
expect_module_listed
new_machine
put mod.ko store/abc-net/nf_mod.ko.xz
put_link /store/abc-net/nf_mod.ko.xz lib/modules/$release/kernel/net/nf_mod.ko.xz
expect_module_found
# a directory of this machine, which is not below --sysroot
new_machine
mkdir -p outside/modules
cp mod.ko outside/modules/nf_mod.ko
put_link "$PWD/outside/modules" lib/modules/$release/updates
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
says 'no file with debug information was found for module nf_mod'
# cycles: without a check, 8^16 directories
for i in {1..8}; do
	put_link .. lib/modules/$release/kernel/net/up$i
	put_link . lib/modules/$release/kernel/net/same$i
done
expect 1 limited "$ABTF" list --running --module nf_mod --sysroot=root
put mod.ko lib/modules/$release/kernel/net/x/nf_mod.ko
expect 0 limited "$ABTF" list -aj --running --module nf_mod --sysroot=root
expect_module_listed
