#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Images and modules are found where distributions install them: paths, compression, absolute links,
# and files that are split into one with DWARF and one with code.  locate.sh has the rest of the search.
. "${0%/*}/../lib.sh"
unset DEBUGINFOD_URLS
export XDG_CACHE_HOME=/dev/null
release=6.12.1-amd64

flags='-pg -mfentry -mrecord-mcount'
# shellcheck disable=SC2086 # lists of flags
unit kernel/core $flags <<'C'
struct s { int x; };
static __attribute__((noinline, used)) int dup(struct s *s) { return s->x; }
__attribute__((noinline, no_instrument_function)) int hidden(int a) { __asm__ volatile(""); return a; }
static __attribute__((noinline)) int listed(int a) { __asm__ volatile(""); return a; }
static void *entry __attribute__((section("_kprobe_blacklist"), used)) = listed;
C
# shellcheck disable=SC2086
unit kernel/other $flags <<'C'
static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }
void __attribute__((no_instrument_function)) __fentry__(void) {}
C
link+=' -Wl,--defsym=__start_mcount_loc=__start___mcount_loc,--defsym=__stop_mcount_loc=__stop___mcount_loc'
image vmlinux kernel/core.o kernel/other.o
image another kernel/other.o
tool strip -o stripped vmlinux
tool objcopy --only-keep-debug vmlinux split
id=$(build_id vmlinux)
tool objcopy -O binary --only-section=.notes vmlinux notes
"$ABTF" list -aj vmlinux >list
[ "$(jq -r '.functions[] | "\(.name) \(.flags[0])"' list | sort | tr '\n' ' ')" = \
	'__fentry__ notrace dup@kernel/core.c null dup@kernel/other.c null hidden notrace listed noprobe ' ]
need_no_unknown() { [ "$(jq -r '.functions[].flags[]?' "$1" | grep -c unknown)" = 0 ]; }
need_no_unknown list

# shellcheck disable=SC2086
unit mod $flags <<'C'
static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=nf_mod";
__attribute__((noinline, used)) int in_mod(int a) { return a; }
__attribute__((noinline, no_instrument_function)) int hidden(int a) { __asm__ volatile(""); return a; }
static __attribute__((noinline, used)) int listed(int a) { return a; }
static void *entry __attribute__((section("_kprobe_blacklist"), used)) = listed;
C
# it comes first, so that sections have other numbers in a stripped file
unit first <<<'__asm__(".section .debug_first, \"\", @progbits; .quad 1");'
echo 'SECTIONS { .debug_first 0 : { *(.debug_first) } .text 0 : { *(.text) } }' >first.lds
unit stranger <<<'static __attribute__((noinline, used)) int in_stranger(int a) { return a; }'
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o mod.ko -T first.lds mod.o first.o
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o stranger.ko stranger.o
tool strip --strip-debug -o stripped.ko mod.ko
tool objcopy --only-keep-debug mod.ko split.ko
eu-strip -f eu.ko.debug -o eu.ko mod.ko
ko_id=$(build_id mod.ko)
"$ABTF" list -aj mod.ko >mod.list
[ "$(jq -r '.functions[] | "\(.name) \(.flags[0])"' mod.list | sort | tr '\n' ' ')" = \
	'hidden notrace in_mod null listed noprobe ' ]
# index FILE: print the index of .text
index() { readelf -SW "$1" | sed -nE 's/^ *\[ *([0-9]+)\] \.text .*/\1/p'; }
[ "$(index stripped.ko)" -lt "$(index eu.ko.debug)" ]

# machine: create a root whose running kernel is vmlinux, with nf_mod loaded
machine() {
	rm -rf root
	mkdir -p root/sys/kernel root/proc/sys/kernel root/sys/module/nf_mod/notes
	cp notes root/sys/kernel/notes
	echo $release >root/proc/sys/kernel/osrelease
	tool objcopy -O binary --only-section=.note.gnu.build-id --set-section-flags \
		.note.gnu.build-id=alloc mod.ko root/sys/module/nf_mod/notes/.note.gnu.build-id
}

# put FILE PATH: copy FILE to root/PATH, compressed by its suffix
put() { place "$1" "root/$2"; }

# place FILE PATH: copy FILE to PATH, compressed by its suffix
place() {
	mkdir -p "${2%/*}"
	case $2 in
	*.gz)	gzip -c "$1" >"$2" ;;
	*.xz)	xz -c "$1" >"$2" ;;
	*.zst)	zstd -qc "$1" >"$2" ;;
	*)	cp "$1" "$2" ;;
	esac
}

# to TARGET PATH: create the link root/PATH to TARGET
to() {
	mkdir -p "root/${2%/*}"
	ln -s "$1" "root/$2"
}

# finds: expect list --running to print the list of vmlinux
finds() {
	expect 0 "$ABTF" list -aj --running --sysroot=root
	cmp -s out list || fail "vmlinux: the list differs: $out"
}

# same_module: check that the last output lists the module; a file may have no build id
same_module() {
	cmp -s <(jq -c .functions out) <(jq -c .functions mod.list) || fail "nf_mod: the functions differ: $out"
}

finds_module() {
	expect 0 "$ABTF" list -aj --running --module nf_mod --sysroot=root
	same_module
}

begin 'Debian: vmlinux and a module are found'
machine
put vmlinux usr/lib/debug/boot/vmlinux-$release
put mod.ko usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko
put stripped.ko lib/modules/$release/kernel/net/nf_mod.ko.xz
finds
finds_module

begin 'Ubuntu: vmlinux and a module are found'
machine
put vmlinux usr/lib/debug/boot/vmlinux-$release
put mod.ko usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko.zst
put stripped.ko lib/modules/$release/kernel/net/nf_mod.ko.zst
finds
finds_module

begin 'Fedora: vmlinux and a module are found'
machine
put vmlinux usr/lib/debug/lib/modules/$release/vmlinux
put eu.ko.debug usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko.debug
put eu.ko lib/modules/$release/kernel/net/nf_mod.ko.xz
finds
finds_module

for code in usr/lib/modules/$release/vmlinux.xz usr/lib/modules/$release/vmlinux.gz boot/vmlinux-$release.gz \
	boot/vmlinux-$release.xz usr/lib/modules/$release/vmlinux; do
	for dwarf in usr/lib/debug/usr/lib/modules/$release/vmlinux.debug \
		usr/lib/debug/boot/vmlinux-$release.debug; do
		begin "openSUSE: vmlinux and a module are found: /$dwarf, /$code"
		machine
		put split $dwarf
		put stripped $code
		put split.ko usr/lib/debug/usr/lib/modules/$release/kernel/net/nf_mod.ko.debug
		put stripped.ko usr/lib/modules/$release/kernel/net/nf_mod.ko.zst
		finds
		finds_module
	done
done

begin 'Arch: vmlinux and a module are found'
machine
put vmlinux usr/lib/modules/$release/build/vmlinux
finds
machine
put vmlinux usr/src/debug/linux-lts/vmlinux
finds
machine
put vmlinux usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
put split.ko usr/lib/debug/.build-id/${ko_id:0:2}/${ko_id:2}.debug
put stripped.ko usr/lib/modules/$release/kernel/net/nf_mod.ko.zst
finds
finds_module

begin 'NixOS: vmlinux and a module are found'
machine
put vmlinux nix/store/abc-linux-6.12.1-dev/vmlinux
put mod.ko nix/store/abc-linux-6.12.1/lib/modules/$release/kernel/net/nf_mod.ko.xz
to /nix/store/abc-linux-6.12.1/lib/modules/$release/kernel nix/store/def-modules/lib/modules/$release/kernel
to /nix/store/def-modules run/booted-system/kernel-modules
finds
finds_module
machine
put vmlinux nix/store/abc-linux-6.12.1-dev/lib/modules/$release/build/vmlinux
to /nix/store/abc-linux-6.12.1-dev run/booted-system/kernel-modules
finds

machine
put vmlinux run/current-system/sw/lib/debug/.build-id/${id:0:2}/${id:2}.debug
put mod.ko run/current-system/sw/lib/debug/.build-id/${ko_id:0:2}/${ko_id:2}.debug
finds
finds_module

begin 'ChromeOS'
for place in usr/lib/debug/boot/vmlinux usr/lib/debug/boot/vmlinux.debug usr/lib/debug/vmlinux; do
	machine
	put vmlinux $place
	finds
done

begin 'Yocto: next to the stripped files, with the same names'
mkdir whole linked
cp vmlinux whole/vmlinux-$release
cp mod.ko whole/nf_mod.ko
tool objcopy --add-gnu-debuglink=whole/vmlinux-$release stripped linked/vmlinux-$release
tool objcopy --add-gnu-debuglink=whole/nf_mod.ko stripped.ko linked/nf_mod.ko
machine
put whole/vmlinux-$release boot/.debug/vmlinux-$release
finds
put linked/vmlinux-$release boot/vmlinux-$release
finds
put whole/nf_mod.ko lib/modules/$release/kernel/net/.debug/nf_mod.ko
for name in nf_mod.ko nf_mod.ko.xz; do
	rm -f root/lib/modules/$release/kernel/net/nf_mod.*
	put linked/nf_mod.ko lib/modules/$release/kernel/net/$name
	finds_module
done

begin 'Android: modules are in one directory of a partition, without a release'
for partition in vendor vendor_dlkm system system_dlkm odm odm_dlkm; do
	machine
	put mod.ko $partition/lib/modules/nf_mod.ko
	put stranger.ko $partition/lib/modules/stranger.ko
	finds_module
	# not loaded, so without a build id in /sys
	rm -r root/sys/module
	finds_module
	expect 0 "$ABTF" list -aj --build-id="$ko_id" --module nf_mod --sysroot=root
	same_module
done
machine
put mod.ko system_dlkm/lib/modules/$release/kernel/net/nf_mod.ko
put mod.ko lib/modules/6.11/nf_mod.ko
finds_module
# not of another release
rm -r root/system_dlkm root/sys/module
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root

begin 'Flatcar, Clear Linux, Photon, CachyOS: vmlinux is found'
for place in usr/lib/debug/usr/boot/vmlinux-$release usr/boot/vmlinux-$release usr/lib/kernel/vmlinux-$release \
	usr/lib/debug/lib/modules/$release/vmlinux-$release usr/lib/debug/usr/lib/modules/$release/build/vmlinux; do
	machine
	put vmlinux $place
	finds
done

begin 'compressed files in .build-id'
for suffix in .gz .xz .zst; do
	machine
	put vmlinux usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug$suffix
	put mod.ko usr/lib/debug/.build-id/${ko_id:0:2}/${ko_id:2}.debug$suffix
	finds
	finds_module
done

begin 'compressed images whose paths have no release'
for place in boot/vmlinux.gz usr/lib/debug/boot/vmlinux.debug.xz usr/lib/debug/vmlinux.zst; do
	machine
	put vmlinux $place
	finds
done
# to see the build id of another release would take seconds
machine
put vmlinux boot/vmlinux-6.11.xz
expect 1 "$ABTF" list --running --sysroot=root

begin 'OpenWrt, Void: modules of a release in one directory, debug information without a suffix'
machine
put stripped.ko lib/modules/$release/nf_mod.ko
put split.ko usr/lib/debug/lib/modules/nf_mod.ko
finds_module
put split.ko usr/lib/debug/usr/lib/modules/$release/kernel/net/nf_mod.ko
rm root/usr/lib/debug/lib/modules/nf_mod.ko
finds_module

begin 'Gentoo, and built by hand: absolute links stay below --sysroot'
machine
put vmlinux usr/src/linux-6.12.1/vmlinux
finds
mv root/usr/src/linux-6.12.1 root/opt
# a link that leads to another kernel of this machine must not be followed
mkdir -p outside
cp another outside/vmlinux
to /opt lib/modules/$release/build
finds
to "$PWD/outside" lib/modules/6.11/build
expect 0 "$ABTF" list -aj --sysroot=root --build-id="$id"
rm -r root/lib
to "$PWD/outside" lib/modules/6.11/build
other=$(build_id another)
expect 1 "$ABTF" list --sysroot=root --build-id="$other"
# a link to an image outside of --sysroot is followed
to "$PWD/outside/vmlinux" usr/lib/debug/boot/vmlinux-6.11
expect 0 "$ABTF" list --sysroot=root --build-id="$other"
to "$PWD/outside/nothing" usr/lib/debug/boot/vmlinux-6.12
expect 0 "$ABTF" list --sysroot=root --build-id="$other"
for up in /a/../b ../../../../../b; do
	machine
	mkdir -p root/a root/b
	put vmlinux b/vmlinux
	to $up lib/modules/$release/build
	finds
	# a path with a directory above
	expect 0 "$ABTF" list -aj --running --sysroot="$PWD/root"
	cmp -s out list || fail "the list differs: $out"
done

begin 'links in the middle of a path and links to links are followed, loops are an error'
machine
put vmlinux data/modules/$release/vmlinux
to /data usr/lib/debug/lib
finds
machine
to /b/two a/one
to ../c b/two
put vmlinux c/$release/build/vmlinux
to /a/one lib/modules
finds
machine
to build lib/modules/$release/build
to /lib/modules/$release lib/modules/$release/kernel
to /nowhere usr/lib/debug/boot/vmlinux-$release
expect 1 limited "$ABTF" list --running --sysroot=root
says "root/lib/modules/$release/build/vmlinux: Too many levels of symbolic links"
limited "$ABTF" list --running --module nf_mod --sysroot=root >out 2>&1 || :
has out 'no file with debug information was found for module nf_mod'

begin 'make bindeb-pkg: vmlinux and a module are found'
machine
put vmlinux usr/lib/debug/lib/modules/$release/vmlinux
put split.ko usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko
finds
finds_module
put stripped.ko lib/modules/$release/kernel/net/nf_mod.ko
finds_module

begin 'DKMS: a module is found by build id, by debuglink, and in the directories of external modules'
machine
put mod.ko usr/lib/debug/.build-id/${ko_id:0:2}/${ko_id:2}.debug
finds_module
for place in lib/modules/$release/updates/dkms/fat.dbg lib/modules/$release/updates/dkms/.debug/fat.dbg \
	usr/lib/debug/lib/modules/$release/updates/dkms/fat.dbg; do
	machine
	put mod.ko "$place"
	cp mod.ko fat.dbg
	tool objcopy --add-gnu-debuglink=fat.dbg stripped.ko linked.ko
	put linked.ko lib/modules/$release/updates/dkms/nf-mod.ko
	finds_module
done
# if the module is not loaded, the file's build id is used
rm -r root/sys/module/nf_mod
finds_module
# RHEL links modules of other releases
machine
place=usr/lib/debug/lib/modules/6.11/extra/fat.dbg
put mod.ko $place
put linked.ko lib/modules/6.11/extra/nf_mod.ko
to /lib/modules/6.11/extra/nf_mod.ko lib/modules/$release/weak-updates/nf_mod.ko
finds_module
for place in updates/dkms extra weak-updates/net kernel/drivers/a/b/c; do
	machine
	put mod.ko lib/modules/$release/$place/nf-mod.ko.gz
	finds_module
done

begin 'of several modules with the same name, the one that the kernel loads is used'
unit older <<<'const char info[] __attribute__((section(".modinfo"), used)) = "name=nf_mod"; int older(int a) { return a; }'
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o older.ko older.o
for strip in -p --remove-section=.note.gnu.build-id; do
	for loaded in kernel/net/nf_mod.ko.xz updates/dkms/nf-mod.ko extra/nf_mod.ko weak-updates/nf_mod.ko; do
		machine
		rm -r root/sys/module
		put older.ko usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko
		for place in kernel/net/nf_mod.ko.xz updates/dkms/nf-mod.ko extra/nf_mod.ko weak-updates/nf_mod.ko; do
			put older.ko lib/modules/$release/$place
		done
		tool objcopy $strip mod.ko copy.ko
		put copy.ko lib/modules/$release/$loaded
		printf '%s\n' "kernel/nf_mod_2.ko: $loaded" "$loaded: kernel/fs/nf_mod.ko" 'kernel/fs/nf_mod.ko:' \
			>root/lib/modules/$release/modules.dep
		finds_module
	done
	# without the list, depmod's default
	put older.ko lib/modules/$release/weak-updates/nf_mod.ko
	put copy.ko lib/modules/$release/updates/dkms/nf-mod.ko
	rm root/lib/modules/$release/modules.dep
	finds_module
done
# a stripped one decides about the debug package
machine
rm -r root/sys/module
put stripped.ko lib/modules/$release/updates/nf_mod.ko
put older.ko usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
says "error:     root/usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko: is of another build, with build id"
put mod.ko usr/lib/debug/lib/modules/$release/updates/nf_mod.ko
finds_module

begin 'without build ids, the checksum in a debuglink has to match'
tool objcopy --remove-section .note.gnu.build-id stripped.ko plain.ko
for file in mod.ko split.ko; do
	for place in updates/fat.dbg updates/.debug/fat.dbg updates/nf_mod.ko.debug \
		/usr/lib/debug/lib/modules/$release/updates/nf_mod.ko.debug; do
		tool objcopy --remove-section .note.gnu.build-id $file "${place##*/}"
		tool objcopy --add-gnu-debuglink="${place##*/}" plain.ko linked.ko
		[[ $place == /* ]] || place=/lib/modules/$release/$place
		machine
		rm -r root/sys/module
		put linked.ko lib/modules/$release/updates/nf_mod.ko
		put "${place##*/}" "${place#/}"
		finds_module
		# one byte more; a file with a build id that has another name is only found by the link
		for another in "${place##*/}" $file; do
			[ "$another" != $file ] || [[ $place == *fat.dbg ]] || continue
			{ cat "$another"; echo; } >longer
			put longer "${place#/}"
			expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
			says "error:     root$place: is of another build: the debuglink of root/lib/modules/$release/updates/nf_mod.ko has another checksum"
		done
	done
done
# a file with the same build id was added to, as for signatures
machine
tool objcopy --add-gnu-debuglink=fat.dbg stripped.ko linked.ko
put linked.ko lib/modules/$release/updates/nf_mod.ko
{ cat split.ko; echo; } >longer
put longer lib/modules/$release/updates/fat.dbg
finds_module
# the module has no build id, and a file with debug information has one
for file in mod.ko split.ko; do
	cp $file nf_mod.ko.debug
	tool objcopy --add-gnu-debuglink=nf_mod.ko.debug plain.ko linked.ko
	machine
	rm -r root/sys/module
	put linked.ko lib/modules/$release/kernel/net/nf_mod.ko
	place=usr/lib/debug/lib/modules/$release/kernel/net/nf_mod.ko.debug
	put $file $place
	finds_module
	echo >>root/$place
	expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
	says "error:     root/$place: is of another build: the debuglink of root/lib/modules/$release/kernel/net/nf_mod.ko has another checksum"
done
# a link without a checksum
printf 'fat.dbg\0' >link.bin
tool objcopy --add-section .gnu_debuglink=link.bin plain.ko linked.ko
machine
rm -r root/sys/module
put linked.ko lib/modules/$release/updates/nf_mod.ko
put mod.ko lib/modules/$release/updates/fat.dbg
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
says 'root/lib/modules/.*/updates/nf_mod.ko: has no debug information$'

begin 'INSTALL_MOD_STRIP: the build directory has the modules that are not stripped'
machine
put mod.ko opt/linux/net/nf-mod.ko
to /opt/linux lib/modules/$release/build
for installed in nf-mod.ko nf-mod.ko.xz; do
	rm -rf root/lib/modules/$release/kernel
	put stripped.ko lib/modules/$release/kernel/net/$installed
	finds_module
	expect 0 "$ABTF" list -aj --module nf_mod --build-id="$ko_id" --sysroot=root
	same_module
done
# the build directory was rebuilt
put stranger.ko opt/linux/net/nf-mod.ko
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
says "error:     root/opt/linux/net/nf-mod.ko: is of another build"

begin 'modules are found through links to directories, and to each file'
machine
put mod.ko opt/x/y/nf_mod.ko.xz
to /opt/x lib/modules/$release/updates
finds_module
# below all releases, and several links
machine
put mod.ko opt/x/nf_mod.ko
to /store/net lib/modules/$release/kernel/net
to /store/vendor store/net/vendor
to ../../opt/x store/vendor/x
finds_module
expect 0 "$ABTF" list -aj --module nf_mod --build-id="$ko_id" --sysroot=root
same_module
machine
put mod.ko store/abc-net/nf_mod.ko.xz
to /store/abc-net/nf_mod.ko.xz lib/modules/$release/kernel/net/nf_mod.ko.xz
finds_module
# a directory of this machine, which is not below --sysroot
machine
mkdir -p outside/modules
cp mod.ko outside/modules/nf_mod.ko
to "$PWD/outside/modules" lib/modules/$release/updates
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
says 'no file with debug information was found for module nf_mod'
# circles: without a check, 8^16 directories
for i in {1..8}; do
	to .. lib/modules/$release/kernel/net/up$i
	to . lib/modules/$release/kernel/net/same$i
done
expect 1 limited "$ABTF" list --running --module nf_mod --sysroot=root
put mod.ko lib/modules/$release/kernel/net/x/nf_mod.ko
expect 0 limited "$ABTF" list -aj --running --module nf_mod --sysroot=root
same_module

begin 'files are found with each suffix'
for name in nf_mod.ko nf_mod.ko.debug nf-mod.ko.gz nf_mod.ko.xz nf_mod.ko.zst nf_mod.ko.debug.xz \
	nf_mod.ko.zst.debug; do
	machine
	put mod.ko lib/modules/$release/kernel/$name
	finds_module
done
for name in nf_mod.ko.bak nf_mod.ko.debug~ xnf_mod.ko nf_mod.o nf_mod; do
	machine
	put mod.ko lib/modules/$release/kernel/$name
	expect 1 "$ABTF" list -aj --running --module nf_mod --sysroot=root
	says 'no file with debug information was found for module nf_mod'
done

begin 'files that cannot be used are named'
printf '\x04\x22\x4d\x18' >lz4
head -c 100 vmlinux >start
while IFS=, read -r file suffix reason; do
	for path in usr/lib/debug/boot/vmlinux-$release lib/modules/$release/kernel/nf_mod.ko; do
		machine
		case $file in
		link)	to /nowhere "$path" ;;
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
	machine
	put partial usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
	put partial.ko usr/lib/debug/.build-id/${ko_id:0:2}/${ko_id:2}.debug
	expect 1 "$ABTF" list --running --sysroot=root
	says "error:     root/usr/lib/debug/.build-id/.*: section .* $section: some DWARF is not read"
	has_not out 'install'
	put vmlinux usr/lib/debug/boot/vmlinux-$release
	finds
	put mod.ko lib/modules/$release/kernel/nf_mod.ko
	finds_module
done
# the same for the file with the code
machine
put split usr/lib/debug/boot/vmlinux-$release
put lz4 boot/vmlinux-$release.lz4
expect 0 "$ABTF" list -a --running --sysroot=root
says 'warning: .*: has no code, and no file with the code was found$'
says 'warning:     root/boot/vmlinux.*lz4: is compressed'

begin 'a split module is joined from any two files'
for dwarf in split.ko eu.ko.debug; do
	for code in stripped.ko eu.ko; do
		machine
		put $dwarf usr/lib/debug/lib/modules/$release/kernel/nf_mod.ko.debug
		put $code lib/modules/$release/kernel/nf_mod.ko.zst
		finds_module
		# without build ids, too
		rm -r root/sys/module
		for file in $dwarf $code; do
			# a debuglink would have the checksum of the file with a build id
			tool objcopy --remove-section .note.gnu.build-id --remove-section .gnu_debuglink \
				$file no-id-$file
		done
		put no-id-$dwarf usr/lib/debug/lib/modules/$release/kernel/nf_mod.ko.debug
		put no-id-$code lib/modules/$release/kernel/nf_mod.ko.zst
		finds_module
	done
done

begin 'a section with code and without bytes is not the code'
# (NOLOAD) in a linker script, as in arm64's modules
echo '.section .plt, "ax", @nobits; .zero 1' | $CC -c -x assembler -o plt.o -
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o plt.ko mod.o plt.o
readelf -SW plt.ko | matches -E ' \.plt +NOBITS .* AX '
machine
rm -r root/sys/module
put plt.ko lib/modules/$release/kernel/nf_mod.ko
expect 0 "$ABTF" encode -v -o mod.btf --running --module nf_mod --sysroot=root
has_not out 'has no code'

begin 'eu-strip without the code: the kernel may reject probes'
machine
put eu.ko.debug usr/lib/debug/lib/modules/$release/kernel/nf_mod.ko.debug
expect 0 "$ABTF" list -aj --running --module nf_mod --sysroot=root
expect_eq "$(jq -r '.functions[].flags[0]' <<<"$out" | sort -u)" unknown
# nor is the code of another build used
put stranger.ko lib/modules/$release/kernel/nf_mod.ko
expect 0 "$ABTF" list -aj --running --module nf_mod --sysroot=root
expect_eq "$(jq -r '.functions[].flags[0]' <<<"$out" | sort -u)" unknown

begin 'all commands read a split image'
machine
put split usr/lib/debug/boot/vmlinux-$release
put stripped boot/vmlinux-$release
finds
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

begin 'eu-strip -g: only the file with the code has symbols'
# there, sections have other numbers
sed 's/^SECTIONS$/&{.debug_abbrev 0:{*(.debug_abbrev)}}&/' "$selftests/example/vmlinux.lds" >shifted.lds
# shellcheck disable=SC2086
$CC $common $machine $link -Wl,-T,shifted.lds -o shifted kernel/core.o kernel/other.o
eu-strip -g -f eu.debug -o eu shifted
readelf -SW eu.debug | matches -E ' \.symtab +NOBITS'
[ "$(index eu)" -lt "$(index eu.debug)" ]
rm -rf named
place eu.debug named/vmlinux.debug
expect 0 "$ABTF" list -a named/vmlinux.debug
says 'vmlinux.debug: has no symbols, so its functions are not known$'
place eu named/vmlinux
"$ABTF" list -aj shifted >shifted.list
expect 0 "$ABTF" list -aj named/vmlinux.debug
cmp -s out shifted.list || fail "the list differs: $out"

begin 'a split image that is named is joined with its code'
for debug in vmlinux.debug .debug/vmlinux usr/lib/debug/boot/vmlinux.debug; do
	code=${debug##*/}
	code=named/${code%.debug}
	[[ $debug != usr/* ]] || code=named/boot/${code#named/}
	rm -rf named
	place split "named/$debug"
	expect 0 "$ABTF" list -aj "named/$debug"
	grep -q unknown out
	for suffix in '' .gz .xz .zst; do
		place stripped "$code$suffix"
		expect 0 "$ABTF" list -aj "named/$debug"
		cmp -s out list || fail "$debug and $code$suffix: the list differs"
		rm "$code$suffix"
	done
	# of another build
	place another "$code"
	expect 0 "$ABTF" list -a "named/$debug"
	grep -q unknown out
	says "warning:     .*/$code: is of another build, with build id"
done
for suffix in '' .gz .xz .zst; do
	rm -rf named
	place split.ko named/nf_mod.ko.debug$suffix
	place stripped.ko named/nf_mod.ko
	expect 0 "$ABTF" list -aj named/nf_mod.ko.debug$suffix
	cmp -s out mod.list || fail "nf_mod.ko.debug$suffix: the functions differ"
	rm named/nf_mod.ko
	place stripped.ko named/nf_mod.ko.zst
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
machine
put eu.ko.debug usr/lib/debug/lib/modules/$release/kernel/nf_mod.ko.debug
tool strip --strip-debug changed.ko
put changed.ko lib/modules/$release/kernel/nf_mod.ko
expect 0 "$ABTF" list -aj --running --module nf_mod --sysroot=root
expect_eq "$(jq -r '.functions[].flags[0]' <<<"$out" | sort -u)" unknown
# by name, without build ids
for change in '--remove-section=.note.gnu.build-id --rename-section .text=.text2' \
	'--remove-section=.note.gnu.build-id --remove-section=_kprobe_blacklist'; do
	machine
	rm -r root/sys/module
	put no-id-split.ko usr/lib/debug/lib/modules/$release/kernel/nf_mod.ko.debug
	# shellcheck disable=SC2086
	tool objcopy $change stripped.ko changed.ko
	put changed.ko lib/modules/$release/kernel/nf_mod.ko
	# objcopy keeps relocations, so the flags are known in both cases
	finds_module
	expect 0 "$ABTF" encode -v -o mod.btf --running --module nf_mod --sysroot=root
	has_not out 'has the code of'
	says 'nf_mod.ko.debug: has no code, and no file with the code was found'
done

begin "no file has the code: the running kernel's lists are used"
# lists [SLIDE]: write kallsyms and the lists of ftrace and kprobes, relocated by SLIDE
lists() {
	local trace=root/sys/kernel/tracing kprobes=root/sys/kernel/debug/kprobes

	mkdir -p $trace $kprobes
	# shellcheck disable=SC2016 # the variables are perl's
	nm vmlinux | grep -v __fentry__ | sort | perl -ne '
		BEGIN { $slide = hex shift; ($trace, $kprobes) = splice @ARGV, 0, 2;
			open K, ">root/proc/kallsyms"; open A, ">$trace/available_filter_functions_addrs";
			open N, ">$trace/available_filter_functions"; open B, ">$kprobes/blacklist";
			print K "0000000000000000 D __per_cpu_start\n" }
		my ($at, $type, $name) = split;
		my $to = sprintf "%016x", hex($at) + $slide;
		print K "$to $type $name\n";
		next if $type !~ /^[tT]$/ || $name !~ /^(dup|listed)$/;
		print A "$to $name\n";
		print N "$name\n";
		printf B "0x$to-0x%016x\t$name\n", hex($to) + 16 if $name eq "listed";
		END { print K "ffffffffc0000000 t in_mod\t[nf_mod]\n"; print A "ffffffffc0000000 hidden [nf_mod]\n";
			print N "hidden [nf_mod]\n"; print B "0xffffffffc0000000-0xffffffffc0000010\tin_mod [nf_mod]\n" }' \
		"${1:-0}" $trace $kprobes
}
for slide in 0 1c000000; do
	machine
	put split usr/lib/debug/boot/vmlinux-$release
	lists $slide
	finds
	# before Linux 6.5, and with a kallsyms without _text
	rm root/sys/kernel/tracing/*_addrs
	sed -i '/ _s*text$/d' root/proc/kallsyms
	finds
done

begin "the running kernel's lists are not used for other kernels, or if the image has the code"
expect 0 "$ABTF" list -aj --build-id="$id" --sysroot=root
expect_eq "$(jq -r '.functions[].flags[0]' <<<"$out" | sort -u)" unknown
expect 0 "$ABTF" list -aj --notes=notes --sysroot=root
expect_eq "$(jq -r '.functions[].flags[0]' <<<"$out" | sort -u)" unknown
echo hidden >root/sys/kernel/tracing/available_filter_functions
put stripped boot/vmlinux-$release
finds
rm root/boot/vmlinux-$release

# flags: print the first flag of each function
flags() {
	"$ABTF" list -aj --running --sysroot=root | jq -r '.functions[] | "\(.name)=\(.flags[0] // "-")"' |
		sort | tr '\n' ' '
}

begin 'hidden addresses: names are known, but the blacklist is not'
machine
put split usr/lib/debug/boot/vmlinux-$release
lists
sed -i 's/^[0-9a-f]*/0000000000000000/' root/proc/kallsyms
sed -i 's/^[0-9a-f]*/0000000000000000/' root/sys/kernel/tracing/*_addrs
sed -i 's/0x[0-9a-f]*/0x0000000000000000/g' root/sys/kernel/debug/kprobes/blacklist
expect_eq "$(flags)" '__fentry__=notrace dup@kernel/core.c=unknown dup@kernel/other.c=unknown hidden=notrace listed=unknown '

begin 'names that occur less often in the list than in the image'
machine
put split usr/lib/debug/boot/vmlinux-$release
lists
rm root/sys/kernel/tracing/*_addrs
expect_eq "$(nm -n vmlinux | awk '$3 ~ /^(dup|listed|hidden|__fentry__)$/ { print $3 }' | tr '\n' ' ')" \
	'listed dup hidden dup __fentry__ '
# in the list: which of them can be patched
while IFS=: read -r names first second; do
	tr ' ' '\n' <<<"$names" >root/sys/kernel/tracing/available_filter_functions
	expect_eq "$(flags | tr ' ' '\n' | grep dup | tr '\n' ' ')" \
		"dup@kernel/core.c=$first dup@kernel/other.c=$second " "$names"
done <<'E'
listed dup hidden:-:notrace
listed hidden dup:notrace:-
listed dup hidden dup:-:-
listed hidden:notrace:notrace
listed dup __fentry__:unknown:unknown
listed dup dup:-:-
dup hidden:-:notrace
E

begin 'lists that are empty, unsorted or not lists'
unknown='__fentry__=unknown dup@kernel/core.c=unknown dup@kernel/other.c=unknown hidden=unknown listed=noprobe '
for list in '' 'dup' '[nf_mod]\n' 'x\0y\n' 'hidden\nlisted\n' 'listed\nhidden\nlisted\n' '\n\n\n'; do
	# shellcheck disable=SC2059
	printf "$list" >root/sys/kernel/tracing/available_filter_functions
	expect_eq "$(flags)" "$unknown" "$list"
done
for device in /dev/zero /dev/null /nowhere; do
	ln -sf $device root/sys/kernel/tracing/available_filter_functions
	expect_eq "$(flags)" "$unknown" "$device"
done
