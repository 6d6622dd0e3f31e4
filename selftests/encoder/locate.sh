#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# --running, --build-id, --notes: abtf finds the image by its build id, in the directories that
# distributions use.  Messages explain files that contain a kernel, but are not images.
. "${0%/*}/../lib.sh"
unset DEBUGINFOD_URLS
# do not use a cache between cases
export XDG_CACHE_HOME=/dev/null

mkdir -p kernel
unit kernel/core <<'C'
struct s { int x; };
static __attribute__((noinline, used)) int dup(struct s *s) { return s->x; }
int only(int a) { return a; }
C
unit kernel/other <<'C'
static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }
C
image vmlinux kernel/core.o kernel/other.o
image another kernel/core.o
id=$(build_id vmlinux)
[ ${#id} = 40 ]
"$ABTF" list -aj vmlinux >list
tool strip -o stripped vmlinux
tool objcopy -O binary --only-section=.note.gnu.build-id vmlinux notes
[ -s notes ] || tool objcopy -O binary --only-section=.notes vmlinux notes

# sysroot: create the root directory of a system whose kernel is vmlinux, without images
sysroot() {
	rm -rf root
	mkdir -p root/sys/kernel root/boot root/usr/lib/debug/boot
	cp notes root/sys/kernel/notes
	# an image of another kernel, a file that is not an image, and one without debug information
	cp another root/usr/lib/debug/boot/vmlinux-6.1
	echo 'no image' >root/usr/lib/debug/boot/vmlinux-6.2
	cp stripped root/boot/vmlinux-6.3
}

# found: --running lists the functions of that kernel
found() {
	expect 0 "$ABTF" list -aj --running --sysroot=root
	cmp -s out list || fail "the output differs: $out"
}

begin 'an image is found in each path that distributions use'
for place in usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug usr/lib/debug/boot/vmlinux-6.12.1-amd64 \
	usr/lib/debug/lib/modules/6.12.1/vmlinux usr/lib/debug/usr/lib/modules/6.12.1/vmlinux.debug \
	lib/modules/6.12.1/build/vmlinux usr/lib/modules/6.12.1/build/vmlinux \
	usr/lib/debug/lib/modules/6.12.1/vmlinux.debug lib/modules/6.12.1/vmlinux \
	usr/lib/debug/vmlinux-6.12.1 boot/vmlinux-6.12.1; do
	sysroot
	mkdir -p "root/${place%/*}"
	cp vmlinux "root/$place"
	found
done

begin 'the debuglink of a stripped image is followed'
for place in boot/vmlinux.dbg boot/.debug/vmlinux.dbg usr/lib/debug/boot/vmlinux.dbg; do
	sysroot
	rm root/boot/vmlinux-6.3
	mkdir -p "root/${place%/*}"
	tool objcopy --only-keep-debug vmlinux "root/$place"
	cp "root/$place" vmlinux.dbg
	tool objcopy --add-gnu-debuglink=vmlinux.dbg stripped root/boot/vmlinux-6.3
	found
done

begin 'a debuglink to another directory is not followed'
sysroot
mkdir -p root/boot/sub
cp vmlinux root/boot/sub/dbg
printf 'sub/dbg\0\0\0\0\0' >link.bin
tool objcopy --add-section .gnu_debuglink=link.bin stripped root/boot/vmlinux-6.3
expect 1 "$ABTF" list --running --sysroot=root

begin 'the image of another build is not used'
sysroot
expect 1 "$ABTF" list --running --sysroot=root
says "no image with debug information was found for build id $id"
says 'linux-image-\*-dbg'
says 'or set DEBUGINFOD_URLS'

begin '--build-id and --notes find an image of another machine'
sysroot
cp vmlinux root/usr/lib/debug/boot/vmlinux-6.12
rm root/sys/kernel/notes
expect 1 "$ABTF" list --running --sysroot=root
says 'root/sys/kernel/notes: cannot read'
expect 0 "$ABTF" list -aj --build-id="$id" --sysroot=root
cmp -s out list || fail 'the output differs'
expect 0 "$ABTF" list -aj --build-id="${id^^}" --sysroot=root
expect 0 "$ABTF" list -aj --notes=notes --sysroot=root
cmp -s out list || fail 'the output differs'
for bad in '' 1 12x4 "$(printf '0%.0s' {1..130})"; do
	expect 1 "$ABTF" list --build-id="$bad" --sysroot=root
	says 'expected an even number of hex digits'
done
head -c 20 notes >cut.bin
: >empty
for bad in cut.bin empty vmlinux; do
	expect 1 "$ABTF" list --notes=$bad --sysroot=root
	says "$bad: no build id among its notes"
done

begin '--notes reads notes of the other byte order'
target s390x
unit big <<<'int f(int a) { return a; }'
image big big.o
tool objcopy -O binary --only-section=.notes big big.notes
[ -s big.notes ] || tool objcopy -O binary --only-section=.note.gnu.build-id big big.notes
target gcc
expect 1 "$ABTF" list --notes=big.notes --sysroot=root
says "for build id $(build_id big)"

begin '--running works with a selector and a probe'
sysroot
cp vmlinux root/usr/lib/debug/boot/vmlinux-6.12
expect 0 "$ABTF" list --running --sysroot=root --probe=bpftrace dup@other.c
says '^kprobe:_text\+0x'
expect 0 "$ABTF" list dup@other.c --sysroot=root -p bpftrace --running
says '^kprobe:_text\+0x'

begin 'encode, check and diff find the running image'
expect 0 "$ABTF" encode -q --running --sysroot=root -o running.btf
"$ABTF" encode -q -o vmlinux.btf vmlinux
cmp running.btf vmlinux.btf || fail 'encode writes different BTF'
expect 2 "$ABTF" encode -q --running --sysroot=root
says 'an image found by its build id is not written to'
cmp vmlinux root/usr/lib/debug/boot/vmlinux-6.12 || fail 'the image was written to'
expect 0 "$ABTF" check --running --sysroot=root running.btf
says '0 violations'
expect 0 "$ABTF" diff --running --sysroot=root vmlinux
expect 1 "$ABTF" diff -n --running --sysroot=root another
says '^- dup@kernel/other.c'

begin 'compressed images are read like uncompressed ones'
for name in xz gzip zstd; do
	"$name" -c <vmlinux >vmlinux.$name
	expect 0 "$ABTF" list -aj vmlinux.$name
	cmp -s out list || fail "$name: the output differs: $out"
	expect 0 "$ABTF" encode -q -o packed.btf vmlinux.$name
	cmp packed.btf vmlinux.btf || fail "$name: the BTF differs"
	expect 0 "$ABTF" check vmlinux.$name vmlinux.btf
	expect 0 "$ABTF" report -o report.html vmlinux.$name
	expect 0 "$ABTF" symbolize vmlinux.$name _text+0x0
	expect 0 "$ABTF" list --image vmlinux.$name vmlinux.btf
	# several concatenated streams
	{ head -c 5000 vmlinux | "$name"; tail -c +5001 vmlinux | "$name"; } >two.$name
	expect 0 "$ABTF" list -aj two.$name
	cmp -s out list || fail "two $name: the output differs"
done

begin 'encode does not write to a compressed image'
for how in 'xz xz -dk' 'gzip gzip -dk' 'zstd zstd -d'; do
	read -r name unpack <<<"$how"
	cp vmlinux.$name before
	expect 1 "$ABTF" encode -q vmlinux.$name
	says "^abtf: error: vmlinux.$name: is compressed \($name\), so BTF cannot be added to it: unpack it first, \`$unpack vmlinux.$name\`, or"
	expect 1 "$ABTF_PAHOLE" -J vmlinux.$name
	says 'is compressed'
	cmp before vmlinux.$name || fail 'the image was written to'
done

begin 'other compressed images: a message explains what they are, and what to do'
for how in 'bzip2 bzip2 -dk' 'lz4 lz4 -d' 'lzop lzop -d'; do
	read -r name unpack <<<"$how"
	case $name in
	bzip2)	bzip2 -c <vmlinux ;;
	# the first bytes that their tools write
	lz4)	printf '\x04\x22\x4d\x18'; cat vmlinux ;;
	lzop)	printf '\x89LZO\0\r\n\x1a\n'; cat vmlinux ;;
	esac >vmlinux.$name
	for command in '1 list' '2 check' '1 encode -q'; do
		# shellcheck disable=SC2086 # words
		expect ${command%% *} "$ABTF" ${command#* } vmlinux.$name
		says "^abtf: error: vmlinux.$name: is compressed \($name\), expected an ELF file: unpack it first, \`$unpack vmlinux.$name\`$"
		expect_eq "$(grep -c . out)" 1
	done
done
xz --format=lzma -c vmlinux >vmlinux.lzma
expect 1 "$ABTF" list --base vmlinux.lzma vmlinux
says 'is compressed \(lzma\)'

begin 'truncated and damaged compressed images are rejected'
for name in xz gzip zstd; do
	size=$(stat -c %s vmlinux.$name)
	for to in 20 100 $((size / 2)) $((size - 1)); do
		head -c "$to" vmlinux.$name >cut
		expect 1 "$ABTF" list cut
		says "^abtf: error: cut: its $name data: (is truncated|is damaged)$"
	done
	{ cat vmlinux.$name; echo 'more than a byte'; } >longer
	expect 1 "$ABTF" list longer
	says "^abtf: error: longer: its $name data: "
	for at in 30 $((size / 3)) $((size / 2)) $((size - 6)); do
		cp vmlinux.$name bad
		byte=$(od -An -tu1 -j"$at" -N1 bad | tr -d ' ')
		# shellcheck disable=SC2059 # the format is the byte
		printf "\\x$(printf %02x $((byte ^ 0x55)))" | dd of=bad bs=1 seek="$at" conv=notrunc status=none
		expect 1 "$ABTF" list bad
		says "^abtf: error: bad: its $name data: "
	done
	: | "$name" >nothing
	expect 1 "$ABTF" list nothing
	says 'nothing: is empty if uncompressed'
	echo text | "$name" >text
	expect 1 "$ABTF" list text
	says 'text: not an ELF file if uncompressed'
done

begin 'the memory for a compressed image is limited'
for name in xz gzip zstd; do
	head -c 300M /dev/zero | "$name" -1 >bomb
	expect 1 "$ABTF" list bomb
	says '^abtf: error: bomb: would take more than 256 MB uncompressed, the file has [01]; --max-uncompressed=MB raises the limit$'
	kib=$(resident "$ABTF" list bomb)
	[ "$kib" -lt 400000 ] || fail "$kib KiB of memory"
	expect 1 "$ABTF" list --max-uncompressed=20 bomb
	says 'would take more than 20 MB'
	expect 1 "$ABTF" list --max-uncompressed=400 bomb
	says 'not an ELF file'
done
# a dictionary of 1 GB
"$python" - <<'P'
import binascii, lzma, struct
b = bytearray(lzma.compress(b'text'))
assert b[14:16] == b'\x21\x01'
b[16] = 36
end = 12 + 4 * (b[12] + 1)
struct.pack_into('<I', b, end - 4, binascii.crc32(b[12:end - 4]))
open('needy', 'wb').write(b)
P
expect 1 "$ABTF" list needy
says 'needy: its xz data: needs more than 256 MB of memory'
head -c 60M /dev/zero >zeros
tool objcopy --add-section .debug_zeros=zeros vmlinux with
tool objcopy --compress-debug-sections=zlib with
tool objcopy --add-section .plain=zeros with
xz -c with >with.xz
expect 0 "$ABTF" list -aj with.xz
cmp -s out list || fail 'the output differs'
# neither is too large, but their sum is
expect 1 "$ABTF" list --max-uncompressed=100 with.xz
says 'with.xz: section .* compressed sections would take more than 100 MB'
expect 0 "$ABTF" list --max-uncompressed=130 with.xz
rm -f zeros with with.xz bomb

begin 'an object for link-time optimization is rejected by name'
target gcc
echo 'int f(int x) { return x; }' | unit lto -flto -fno-fat-lto-objects
for command in encode list report; do
	expect 1 "$ABTF" $command lto.o
	says "lto.o: (no .BTF section; )?only the input of gcc's link-time optimization .*link it first"
done
for magic in 'BC\xc0\xde' '\xde\xc0\x17\x0b'; do
	printf "${magic}and more than the first bytes" >bitcode.o
	for command in encode list report; do
		expect 1 "$ABTF" $command bitcode.o
		says 'bitcode.o: is LLVM bitcode .*: link it first'
	done
done

begin 'a boot image is not accepted'
{ head -c 514 /dev/zero; printf HdrS; head -c 1000 /dev/zero; } >bzImage
{ head -c 56 /dev/zero; printf 'ARM\x64'; head -c 1000 /dev/zero; } >Image
{ printf 'MZ\0\0zimg'; head -c 1000 /dev/zero; } >vmlinuz.efi
{ head -c 56 /dev/zero; printf 'RSC\x05'; head -c 1000 /dev/zero; } >Image.riscv
{ head -c 36 /dev/zero; printf '\x18\x28\x6f\x01'; head -c 1000 /dev/zero; } >zImage
{ printf MZ; head -c 1000 /dev/zero; } >linux.efi
for file in bzImage Image vmlinuz.efi Image.riscv zImage linux.efi; do
	for command in '1 list' '2 check' '1 encode -q'; do
		# shellcheck disable=SC2086 # words
		expect ${command%% *} "$ABTF" ${command#* } $file
		says "$file: is a boot image, without symbols"
	done
done

begin '--module finds the file of a module of the running kernel'
unit mod <<'C'
static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=nf_mod";
static __attribute__((noinline, used)) int in_mod(int a) { return a; }
C
# shellcheck disable=SC2086 # lists of flags
$CC $machine -r -nostdlib -Wl,--build-id -o mod.ko mod.o
unit stranger <<<'static __attribute__((noinline, used)) int in_stranger(int a) { return a; }'
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o stranger.ko stranger.o
sysroot
mkdir -p root/proc/sys/kernel root/lib/modules/6.12.1-amd64/kernel/net root/sys/module/nf_mod/notes
ln -s /dev/zero root/proc/sys/kernel/osrelease
kib=$(resident "$ABTF" list -aj --running --module nf_mod --sysroot=root)
[ "$kib" -lt 500000 ] || fail "$kib KiB of memory"
rm root/proc/sys/kernel/osrelease
echo 6.12.1-amd64 >root/proc/sys/kernel/osrelease
expect 1 "$ABTF" list -aj --running --module nf_mod --sysroot=root
says 'no file with debug information was found for module nf_mod of Linux 6.12.1-amd64'
tool strip --strip-debug -o root/lib/modules/6.12.1-amd64/kernel/net/nf_mod.ko mod.ko
expect 1 "$ABTF" list -aj --running --module nf_mod --sysroot=root
for place in usr/lib/debug/lib/modules/6.12.1-amd64/kernel/net/nf-mod.ko.debug \
	usr/lib/debug/usr/lib/modules/6.12.1-amd64/nf_mod.ko lib/modules/6.12.1-amd64/updates/nf_mod.ko; do
	mkdir -p "root/${place%/*}"
	cp mod.ko "root/$place"
	for name in nf_mod nf-mod; do
		expect 0 "$ABTF" list -aj --running --module $name --sysroot=root
		expect_eq "$(jq -r '.functions[].name' <<<"$out")" in_mod
	done
	rm "root/$place"
done
mkdir -p root/usr/lib/debug/lib/modules/6.12.1-amd64
cp mod.ko root/lib/modules/6.12.1-amd64/nf_mod.ko
# a file that is not ELF is skipped without a message
echo text >root/usr/lib/debug/lib/modules/6.12.1-amd64/nf_mod.ko
expect 0 "$ABTF" list -aj --running --module nf_mod --sysroot=root
expect_eq "$(jq -r '.functions[].name' <<<"$out")" in_mod
rm root/usr/lib/debug/lib/modules/6.12.1-amd64/nf_mod.ko
expect 0 "$ABTF" symbolize --running --module nf_mod --sysroot=root in_mod+0x1
expect_eq "$out" in_mod+0x1
# from another build than the loaded module
tool objcopy -O binary --only-section=.note.gnu.build-id --set-section-flags .note.gnu.build-id=alloc \
	stranger.ko root/sys/module/nf_mod/notes/.note.gnu.build-id
[ -s root/sys/module/nf_mod/notes/.note.gnu.build-id ]
expect 1 "$ABTF" list -aj --running --module nf_mod --sysroot=root
cp stranger.ko root/usr/lib/debug/lib/modules/6.12.1-amd64/nf_mod.ko
expect 0 "$ABTF" list -aj --running --module nf_mod --sysroot=root
expect_eq "$(jq -r '.functions[].name' <<<"$out")" in_stranger
for bad in '' ../x . nf_mod.ko a-b/nf_mod.ko.xz; do
	expect 1 "$ABTF" list --running --module "$bad" --sysroot=root
	says "expected the name of a module, not a file: '$bad'$"
done

begin '--module with --notes or --build-id finds a module of another machine, below any release'
cp root/sys/module/nf_mod/notes/.note.gnu.build-id module.notes
module_id=$(build_id stranger.ko)
rm -r root/sys/module root/proc
for option in --notes=module.notes --build-id="$module_id"; do
	expect 0 "$ABTF" list -aj --module nf_mod $option --sysroot=root
	expect_eq "$(jq -r '.functions[].name' <<<"$out")" in_stranger
	expect 0 "$ABTF" symbolize --module nf_mod $option --sysroot=root </dev/null
	says 'only offsets are replaced, not addresses: the image was found by its build id'
done
rm root/usr/lib/debug/lib/modules/6.12.1-amd64/nf_mod.ko
expect 1 "$ABTF" list --module nf_mod --notes=module.notes --sysroot=root
says "^abtf: error: no file with debug information was found for module nf_mod with build id $module_id$"
says 'root/lib/modules/6.12.1-amd64/nf_mod.ko: is of another build'
# without the name, the build id is enough
mkdir -p "root/usr/lib/debug/.build-id/${module_id:0:2}"
cp stranger.ko "root/usr/lib/debug/.build-id/${module_id:0:2}/${module_id:2}.debug"
expect 0 "$ABTF" list -aj --notes=module.notes --sysroot=root
expect_eq "$(jq -r '.functions[].name' <<<"$out")" in_stranger

# expect_named REGEX...: --running finds no image, names these files, and does not suggest a package
expect_named() {
	expect 1 "$ABTF" list --running --sysroot=root
	for line; do
		says "^abtf: error:     $line$"
	done
	has_not out 'install'
	expect_eq "$(wc -l <out)" $(($# + 1))
}

begin 'a file that exists, but cannot be used, is named with the reason'
place=usr/lib/debug/boot/vmlinux-6.12.1-amd64
# machine: create a system without other kernels
machine() {
	sysroot
	rm root/usr/lib/debug/boot/* root/boot/*
	mkdir -p root/proc/sys/kernel
	echo 6.12.1-amd64 >root/proc/sys/kernel/osrelease
}
machine
cp another root/$place
expect_named "root/$place: is of another build, with build id $(build_id another)"
# its path has a build id, but no release
machine
id=$(build_id vmlinux)
mkdir -p "root/usr/lib/.build-id/${id:0:2}"
cp another "root/usr/lib/.build-id/${id:0:2}/${id:2}"
expect 1 "$ABTF" list --running --sysroot=root
says "error:     root/usr/lib/.build-id/${id:0:2}/${id:2}: is of another build, with build id $(build_id another)$"
machine
cp stripped root/$place
expect_named "root/$place: has no debug information"
echo 'no image' >root/$place
expect_named "root/$place: not an ELF file"
bzip2 <vmlinux >root/$place
expect_named "root/$place: is compressed \(bzip2\), .*"
xz <vmlinux >whole.xz
head -c 600 whole.xz >root/$place.xz
rm root/$place
expect_named "root/$place.xz: its xz data: is truncated"
rm root/$place.xz
mkfifo root/$place
expect_named "root/$place: is not a regular file, expected an ELF file"
rm root/$place
mkdir root/$place
expect_named "root/$place: is a directory, expected an ELF file"
rmdir root/$place
head -c 5000 vmlinux >root/$place
expect_named "root/$place: section .*"
# the same file, by two paths
mkdir -p root/usr/lib/debug/.build-id/${id:0:2}
ln -s ../../../../../$place root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
expect_named "root/$place: section .*"
tool objcopy --remove-section=.notes vmlinux root/$place
expect_named "root/$place: has no build id"

begin 'a file without read permission is named, for any release'
machine
cp vmlinux root/boot/vmlinux-6.10
chmod 0 root/boot/vmlinux-6.10
# root can read any file
as=()
[ ! -r root/boot/vmlinux-6.10 ] || as=(setpriv --bounding-set=-dac_override,-dac_read_search)
# unreadable PATH: list must name a file that it may not read, and must not suggest a package
unreadable() {
	expect 1 "${as[@]}" "$ABTF" list --running --sysroot=root
	says "^abtf: error:     root/$1: .*Permission denied$"
	has_not out 'install'
}
unreadable boot/vmlinux-6.10
rm root/boot/vmlinux-6.10
mkdir -p root/usr/src/linux
cp vmlinux root/usr/src/linux
mkdir -p root/lib/modules/6.12.1-amd64
ln -s /usr/src/linux root/lib/modules/6.12.1-amd64/build
chmod 0 root/usr/src/linux
unreadable lib/modules/6.12.1-amd64/build/vmlinux
chmod 755 root/usr/src/linux

begin 'a directory without permission is named, too'
machine
for dir in usr/lib/debug/boot usr/lib/debug/lib/modules/6.12.1-amd64/kernel; do
	mkdir -p root/$dir
	chmod 0 root/$dir
	expect 1 "${as[@]}" "$ABTF" list --running --module=nf_mod --sysroot=root
	[[ $dir == */boot ]] || says "^abtf: error:     root/$dir: .*Permission denied$"
	expect 1 "${as[@]}" "$ABTF" list --running --sysroot=root
	[[ $dir != */boot ]] || says "^abtf: error:     root/$dir: .*Permission denied$"
	chmod 755 root/$dir
done

begin 'files of other releases are not named'
machine
cp another root/usr/lib/debug/boot/vmlinux-6.1
echo 'no image' >root/usr/lib/debug/boot/vmlinux-6.2
expect 1 "$ABTF" list --running --sysroot=root
says 'install the debug package'
expect_eq "$(wc -l <out)" 3
# a release that starts or ends like that of the running kernel
for release in 6.12.1-amd64-cloud 6.12.1-amd64.2 6.12.1-amd640 16.12.1-amd64; do
	machine
	cp another root/usr/lib/debug/boot/vmlinux-$release
	expect 1 "$ABTF" list --running --sysroot=root
	says 'install the debug package'
	expect_eq "$(wc -l <out)" 3
done
# a stripped image is not a debug package
cp stripped root/boot/vmlinux-6.12.1-amd64
expect 1 "$ABTF" list --running --sysroot=root
says '^abtf: error:     root/boot/vmlinux-6.12.1-amd64: has no debug information$'
says 'install the debug package'

begin 'control characters in paths are not printed'
machine
file=$(printf 'root/lib/modules/6.12.1-amd64/vmlinux\nabtf: error: x\033[31m')
mkdir -p "${file%/*}"
cp another "$file"
expect 1 "$ABTF" list --running --sysroot=root
says '^abtf: error:     root/lib/modules/6.12.1-amd64/vmlinux\?abtf: error: x\?\[31m: is of another build'
ln -sf nowhere "$file"
expect 1 "$ABTF" list --running --sysroot=root
says '^abtf: error:     root/lib/modules/6.12.1-amd64/vmlinux\?abtf: error: x\?\[31m: is a link'
rm "$file"
cp vmlinux "$file"
expect 0 "$ABTF" encode -v -o x.btf --running --sysroot=root
says '^abtf: root/lib/modules/6.12.1-amd64/vmlinux\?abtf: error: x\?\[31m: is the image$'
printf '6.12.1\033[31m\n' >root/proc/sys/kernel/osrelease
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
says 'nf_mod of Linux 6.12.1\?\[31m$'

begin 'modules that cannot be used are named, too'
machine
mkdir -p root/sys/module/nf_mod/notes root/lib/modules/6.12.1-amd64/kernel
tool objcopy -O binary --only-section=.note.gnu.build-id --set-section-flags .note.gnu.build-id=alloc \
	mod.ko root/sys/module/nf_mod/notes/.note.gnu.build-id
# expect_module_named REGEX: like expect_named, for a module
expect_module_named() {
	expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
	says '^abtf: error: no file with debug information was found for module nf_mod of Linux 6.12.1-amd64$'
	says "^abtf: error:     $1$"
}
debug=root/usr/lib/debug/lib/modules/6.12.1-amd64
mkdir -p $debug
xz <mod.ko >whole.xz
head -c 1000 whole.xz >$debug/nf_mod.ko.debug.xz
expect_module_named "$debug/nf_mod.ko.debug.xz: its xz data: is truncated"
has_not out install
rm $debug/*
tool strip --strip-debug -o root/lib/modules/6.12.1-amd64/kernel/nf-mod.ko mod.ko
expect_module_named 'root/lib/modules/6.12.1-amd64/kernel/nf-mod.ko: has no debug information'
says 'install the debug package'
cp stranger.ko $debug/nf_mod.ko
expect_module_named "$debug/nf_mod.ko: is of another build, with build id .*"
has_not out install

begin 'a built-in module: a message'
for builtin in lib/modules usr/lib/modules; do
	machine
	mkdir -p root/$builtin/6.12.1-amd64
	echo kernel/net/other.ko >root/$builtin/6.12.1-amd64/modules.builtin
	expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
	has_not out 'built into'
	echo kernel/net/nf-mod.ko >>root/$builtin/6.12.1-amd64/modules.builtin
	expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
	expect_eq "$out" 'abtf: error: module nf_mod is built into the kernel: its functions are in vmlinux, omit --module'
done
machine
mkdir -p root/sys/module/nf_mod/parameters
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
says 'is built into the kernel'
echo live >root/sys/module/nf_mod/initstate
expect 1 "$ABTF" list --running --module nf_mod --sysroot=root
says 'install the debug package'
