#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# After any failure, the target is the complete old file or the complete new one.
. "${0%/*}/../lib.sh"

unit a <<'C'
struct s { int a, b; };
int f(struct s *s) { return s->a; }
static __attribute__((noinline, used)) int g(struct s *s) { return s->b; }
C
image vmlinux a.o
encode vmlinux
cp vmlinux pristine

begin 'in place: .BTF is added, and the rest of the image does not change'
cp pristine in-place
"$ABTF" encode -q in-place
section in-place .BTF got.btf
cmp got.btf vmlinux.btf || fail '.BTF differs from -o'
for s in .text .debug_info .debug_str .notes; do
	section pristine "$s" a.bin
	section in-place "$s" b.bin
	cmp a.bin b.bin || fail "$s changed"
done
expect_eq "$(readelf -lW in-place | grep LOAD)" "$(readelf -lW pristine | grep LOAD)" segments
expect_eq "$(nm in-place)" "$(nm pristine)" symbols
expect 0 readelf -aW in-place
! grep -iE 'warning|error' out || fail 'readelf prints warnings'
expect 0 "$ABTF" check in-place

begin 'inactive section headers and the alignment of section names stay'
cp pristine inactive
limited "$python" - <<'P'
import struct
d = bytearray(open('inactive', 'rb').read())
start, = struct.unpack_from('<Q', d, 0x28)
nr, names = struct.unpack_from('<HH', d, 0x3c)
d += bytes(-len(d) % 8)
struct.pack_into('<Q', d, 0x28, len(d))
struct.pack_into('<H', d, 0x3c, nr + 4)
d += d[start:start + 64 * nr] + bytes(64 * 4)
struct.pack_into('<Q', d, len(d) - 64 * (nr + 4 - names) + 48, 8)
open('inactive', 'wb').write(d)
P
nr=$(readelf -h inactive | sed -n 's/.*Number of section headers: *//p')
expect_eq "$nr" $(($(readelf -h pristine | sed -n 's/.*Number of section headers: *//p') + 4))
expect 0 "$ABTF" encode inactive
expect_eq "$(readelf -h inactive | sed -n 's/.*Number of section headers: *//p')" "$nr"
expect_eq "$(readelf -SW inactive | awk '$2 == ".shstrtab" || $3 == ".shstrtab" { print $NF }')" 8
expect 0 "$ABTF" check inactive
"$ABTF" encode -q inactive
expect_eq "$(readelf -h inactive | sed -n 's/.*Number of section headers: *//p')" "$nr" again

begin 'program headers of another file, as in debug files, do not make the file larger'
limited "$python" - <<'P'
import struct
d = bytearray(open('pristine', 'rb').read())
start, = struct.unpack_from('<Q', d, 0x20)
struct.pack_into('<Q', d, start + 56 + 8, 1 << 40)
struct.pack_into('<Q', d, start + 56 + 32, 0x1000)
open('split', 'wb').write(d)
P
expect 0 "$ABTF" encode split
[ "$(stat -c %s split)" -lt 20000 ] || fail "$(stat -c %s split) bytes"
expect 0 "$ABTF" check split

begin 'in place again: the file does not change'
cp in-place twice
"$ABTF" encode -q twice
cmp in-place twice || fail 'the file differs'
expect_eq "$(readelf -SW twice | grep -c '\.BTF ')" 1

begin 'mode, owner and symbolic links are kept'
cp pristine moded
chmod 640 moded
[ "$(id -u)" != 0 ] || chown 1234:2345 moded
before=$(stat -c '%a %u %g' moded)
ln -s moded link
"$ABTF" encode -q link
expect_eq "$(stat -c '%a %u %g' moded)" "$before"
[ -L link ] || fail 'the link was replaced'
expect 0 "$ABTF" check moded
echo old >old.btf
chmod 604 old.btf
"$ABTF" encode -q -o old.btf pristine
expect_eq "$(stat -c %a old.btf)" 604
umask 027
rm -f new.btf
"$ABTF" encode -q -o new.btf pristine
expect_eq "$(stat -c %a new.btf)" 640 'a new file, umask 027'
umask 022

begin 'in place: a file does not get the default ACL of its directory'
mkdir acl
cp pristine acl/image
cp pristine acl/other
chmod 640 acl/image
cat >acl.py <<'P'
import os, struct, sys
NONE = 0xffffffff
def entries(user, mask):
    # owner, a user, group, mask, others
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in (
        (1, 6, NONE), (2, 7, user), (4, 4, NONE), (0x10, mask, NONE), (0x20, 0, NONE)))
if sys.argv[1] == "set":
    os.setxattr("acl", "system.posix_acl_default", entries(4321, 7))
    os.setxattr("acl/other", "system.posix_acl_access", entries(1234, 6))
else:
    for file in "image", "other":
        names = [name for name in os.listxattr("acl/" + file) if "acl" in name]
        print(file, names, [os.getxattr("acl/" + file, name) == entries(1234, 6) for name in names])
P
if "$python" acl.py set 2>/dev/null; then
	"$ABTF" encode -q acl/image
	"$ABTF" encode -q acl/other
	expect_text "$("$python" acl.py get)" <<-'E'
	image [] []
	other ['system.posix_acl_access'] [True]
	E
	expect_eq "$(stat -c %a acl/image)" 640
else
	skip 'the file system has no ACLs'
fi

begin 'in place: other hard links keep the old content, and a message counts them'
cp pristine linked
ln linked linked.2
ln linked linked.3
expect 0 "$ABTF" encode linked
says 'warning: linked: 2 other hard links to this file keep the old content'
cmp linked.2 pristine || fail 'the file was written to'
cmp linked in-place || fail 'the new file differs'
cat >attributes.py <<'P'
import os, sys
file, act = sys.argv[1:]
if act == "set":
    for i, size in enumerate((1, 5000, 60000)):
        os.setxattr(file, f"user.size{size}", b"v" * size)
    for i in range(30):
        os.setxattr(file, "user." + "n" * 200 + str(i), b"v")
    # version 2 of VFS_CAP: no capability
    os.setxattr(file, "security.capability", bytes.fromhex("0000000200000000000000000000000000000000"))
else:
    print(sorted((name, len(os.getxattr(file, name))) for name in os.listxattr(file)))
P

begin 'in place: attributes of any size and number are kept, but not capabilities'
# not all file systems support large attributes
cp pristine large
mkdir -p tmpfs
clean_up() { ! mountpoint -q tmpfs || umount tmpfs; }
if mount -t tmpfs -o size=8m tmpfs tmpfs 2>/dev/null; then
	mv large tmpfs
	if "$python" attributes.py tmpfs/large set; then
		"$python" attributes.py tmpfs/large get | sed "s/('security.capability', 20), //" >before
		expect 0 "$ABTF" encode tmpfs/large
		says 'warning: tmpfs/large: extended attribute security.capability is of the old content, and is not kept'
		expect_eq "$(grep -c warning out)" 1
		expect_eq "$("$python" attributes.py tmpfs/large get)" "$(cat before)"
	else
		skip 'tmpfs has no user attributes'
	fi
	clean_up
else
	skip 'only root can mount a tmpfs'
fi

begin 'flags of the file are kept, or a message names them'
cp pristine flags
if chattr +A flags 2>/dev/null; then
	for option in '' '-o flags'; do
		cp pristine image
		# shellcheck disable=SC2086 # none or two
		expect 0 "$ABTF" encode $option "$([ -z "$option" ] && echo flags || echo image)"
		expect_none <<<"$out"
		expect_eq "$(lsattr flags | grep -c '^[^ ]*A')" 1 "encode $option"
		chattr +d flags
	done
	expect_eq "$(lsattr flags | grep -c '^[^ ]*d')" 1 'encode -o'
	chattr -Ad flags
	cp pristine flags
	if chattr +i flags 2>/dev/null; then
		expect 1 "$ABTF" encode flags
		chattr -i flags
		cmp flags pristine || fail 'the file was written to'
	else
		skip 'no file can be made immutable'
	fi
else
	skip 'the file system has no flags'
fi

begin 'in place: an object of BPF, whose .BTF.ext refers to .BTF, is rejected'
clang -target bpf -g -O2 -c -o bpf.o -x c - <<'C'
struct s { int a; } *map __attribute__((section(".maps"), used));
__attribute__((section("kprobe/x"), used)) int prog(struct s *s) { return s->a; }
C
readelf -SW bpf.o >sections.txt
has sections.txt '\.BTF\.ext '
cp bpf.o bpf.before
for command in "$ABTF encode" "$ABTF_PAHOLE -J"; do
	expect 1 $command bpf.o
	says 'section .*\.BTF\.ext.* refers to the current \.BTF of this BPF object; write to a file with -o'
	cmp bpf.o bpf.before || fail 'the file was written to'
done
llvm-objcopy -R .BTF.ext -R .rel.BTF.ext bpf.o bare.o
readelf -SW bare.o >sections.txt
has sections.txt '\.rel\.BTF '
expect 1 "$ABTF" encode bare.o
says '\.rel\.BTF.* contains relocations of the current \.BTF; write to a file with -o'
expect 0 "$ABTF" encode -o bpf.btf bpf.o

begin 'in place: an image whose .BTF_ids has ids of another .BTF is rejected'
unit ids -I"$selftests/example/include" <<'C'
#include <linux/btf_ids.h>
__attribute__((used)) int kfunc(int a) { return a; }
BTF_KFUNCS_START(set)
BTF_ID_FLAGS(func, kfunc, "1")
BTF_KFUNCS_END(set)
C
image ids ids.o
# flags are not ids
expect 0 "$ABTF" encode ids
# like resolve_btfids: one entry with the id of the function
objcopy -O binary --only-section=.BTF_ids ids set
expect_eq "$(od -An -tx4 -v set | xargs)" '00000000 00000001 00000000 00000001'
printf '\1\0\0\0\1\0\0\0\7\0\0\0\1\0\0\0' >set
objcopy --update-section .BTF_ids=set ids resolved
cp resolved before
# the same .BTF
expect 0 "$ABTF" encode resolved
cmp resolved before || fail 'the output differs'
expect 1 "$ABTF" encode --features=var resolved
says 'resolved: \.BTF_ids contains ids of another \.BTF: link the image again, or write to a file with -o'
cmp resolved before || fail 'the file was written to'
expect 0 "$ABTF" encode --features=var -o resolved.btf resolved
expect 0 "$ABTF_PAHOLE" -J resolved
says 'warning: resolved: \.BTF_ids contains ids of another \.BTF: run resolve_btfids again'
objcopy -R .BTF before none
expect 1 "$ABTF" encode none

begin 'in place: a signed module is rejected, or its signature is removed'
unit module <<<'int in_module(int a) { return a; }'
cp module.o unsigned.ko
"$ABTF" encode -q unsigned.ko
signature() {
	printf 'PKCS7 %.0s' 1 2 3 4 5
	printf '\0\0\2\0\0\0\0\0\0\0\0\36~Module signature appended~\n'
}
for bare in module.o unsigned.ko; do
	{ cat $bare; signature; } >signed.ko
	cp signed.ko signed.before
	for command in "$ABTF encode" "$ABTF_PAHOLE -J"; do
		expect 1 $command signed.ko
		says 'signed.ko: is signed, .* remove it with `abtf encode --strip-signature`'
		cmp signed.ko signed.before || fail 'the file was written to'
	done
	expect 0 "$ABTF" encode -o signed.btf signed.ko
	expect 0 "$ABTF" encode --strip-signature signed.ko
	cmp signed.ko unsigned.ko || fail 'the module differs from the unsigned module'
done
# the file keeps its sections for any size of the signature
{ cat module.o; signature | sed 's/\x00\x1e~/\xff\xff~/'; } >signed.ko
expect 0 "$ABTF" encode --strip-signature signed.ko
expect 0 "$ABTF" check signed.ko
{ cat module.o; signature | sed 's/\x00\x00\x1e~/\x00\x04\x00~/'; } >signed.ko
expect 0 "$ABTF" encode --strip-signature signed.ko
expect 0 "$ABTF" check signed.ko

begin '- is stdout; pipes and devices are written to, not replaced'
"$ABTF" encode -q -o - pristine | cat >stdout.btf
cmp stdout.btf vmlinux.btf || fail 'stdout differs'
device null
"$ABTF" encode -q -o null pristine
[ -c null ] || fail 'the device was replaced'
mkfifo pipe
cat pipe >from-pipe.btf &
"$ABTF" encode -q -o pipe pristine
wait
cmp from-pipe.btf vmlinux.btf || fail 'the data in the pipe differs'
[ -p pipe ] || fail 'the pipe was replaced'
"$ABTF" encode -q -o /dev/stdout pristine | cmp - vmlinux.btf || fail 'the BTF written to /dev/stdout differs'
expect 2 "$ABTF" encode -o - --report - pristine

begin 'a full disk: status 1, a message, and the old file is unchanged'
device full
expect 1 "$ABTF" encode -o full pristine
says '^abtf: error: full: '
[ -c full ] || fail 'the device was replaced'
echo old >old.btf
expect 1 bash -c "ulimit -f 0; trap '' XFSZ; exec \"\$1\" encode -o old.btf pristine" - "$ABTF"
expect_eq "$(cat old.btf)" old
cp pristine small
expect 1 bash -c "ulimit -f 1; trap '' XFSZ; exec \"\$1\" encode small" - "$ABTF"
cmp pristine small || fail 'the image changed'
leftovers | expect_none leftovers

begin 'a directory that is not writable is an error'
mkdir -p ro
cp pristine ro/vmlinux
chmod 555 ro
# root can write to any directory
as=()
[ ! -w ro ] || as=(setpriv --bounding-set=-dac_override)
expect 1 "${as[@]}" "$ABTF" encode ro/vmlinux
says 'ro/'
cmp pristine ro/vmlinux || fail 'the image changed'
expect 1 "${as[@]}" "$ABTF" encode -o ro/new.btf pristine
says 'ro/'
expect 1 "$ABTF" encode -o /proc/nothing.btf pristine
says '/proc/nothing.btf'

begin 'kill -9 at any time: the old file or the new one'
cp pristine killed
old=$(cksum <pristine) new=$(cksum <in-place)
seen_old=0 seen_new=0 nr_killed=0
for i in $(seq 120); do
	cp pristine killed
	"$ABTF" encode -q killed &
	pid=$!
	sleep "0.00$((i % 10))$((i % 7))"
	kill -9 $pid 2>/dev/null || true
	status=0
	wait $pid 2>/dev/null || status=$?
	[ $status != 137 ] || nr_killed=$((nr_killed + 1))
	case $(cksum <killed) in
	"$old")	seen_old=1 ;;
	"$new")	seen_new=1 ;;
	*)	fail "round $i: neither the old image nor the new"; break ;;
	esac
done
echo "$nr_killed of 120 killed, old seen: $seen_old, new seen: $seen_new"
[ $nr_killed != 0 ] || fail 'no process was killed, each ended before'
# SIGKILL leaves a temporary file
leftovers | xargs -r rm

begin 'two threads write two files at a time, without waiting for the disk'
gcc -O2 -w -shared -fPIC -o beside.so "$selftests/encoder/beside.c" -ldl
cp pristine first
cp pristine second
# let ASan start although another library is preloaded first
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0" LD_PRELOAD=$PWD/beside.so \
	expect 0 "$ABTF" encode -q -j2 first second
says '2 files, two at a time, 0 syncs'
cmp first in-place && cmp second in-place || fail 'the files differ'

begin 'the output file appears after abtf checked for it'
cat >late.c <<'C'
#include <errno.h>
#include <sys/stat.h>
/* the next lookup of a file finds it */
int stat(const char *path, struct stat *st)
{
	errno = ENOENT;
	return -1;
}
C
gcc -shared -fPIC -o late.so late.c
echo theirs >late.btf
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0" LD_PRELOAD=$PWD/late.so \
	expect 0 "$ABTF" encode -q -o late.btf pristine
cmp late.btf vmlinux.btf || fail 'the new file was not replaced'
rm late.btf
ln -s nowhere late.btf
expect 1 "$ABTF" encode -q -o late.btf pristine
says 'late.btf: a symbolic link to a file that does not exist'

begin '-o FILE.elf: .BTF and the build id'
"$ABTF" encode -q -o small.elf pristine
section small.elf .BTF got.btf
cmp got.btf vmlinux.btf || fail '.BTF differs'
expect_eq "$(readelf -n small.elf | grep 'Build ID')" "$(readelf -n pristine | grep 'Build ID')"
expect_eq "$(readelf -h small.elf | grep -E 'Class|Data|Machine')" \
	"$(readelf -h pristine | grep -E 'Class|Data|Machine')"
expect 0 readelf -aW small.elf
! grep -iE 'warning|error' out || fail 'readelf prints warnings'
expect 0 "$ABTF" list --all small.elf
says 'f\(struct s \*s\)'

begin 'an allocated .BTF has a fixed size: larger BTF is rejected, with advice'
cat >alloc.lds <<'L'
SECTIONS {
	. = 0xffffffff81000000;
	.text : { _text = .; *(.text) }
	.rodata : { *(.rodata) }
	.BTF : { __start_BTF = .; *(.BTF) __stop_BTF = .; }
	.data : { marker = .; *(.data) LONG(0x12345678) }
}
L
for room in 8 "$(stat -c %s vmlinux.btf)" 4096; do
	printf '.section .BTF,"a"\n.zero %s\n.section .note.GNU-stack,""\n' "$room" >room.s
	gcc -c -o room.o room.s
	# shellcheck disable=SC2086
	gcc $common $machine -nostdlib -static -Wl,-T,alloc.lds -Wl,-z,max-page-size=4096 -o "room$room" a.o room.o
	"$ABTF" encode -q -o "want$room.btf" "room$room"
done
cp room8 before
expect 1 "$ABTF" encode room8
says '-o'
cmp room8 before || fail 'the image changed'
for room in "$(stat -c %s vmlinux.btf)" 4096; do
	[ "$(stat -c %s "want$room.btf")" -le "$room" ] || { fail 'precondition: the size differs'; continue; }
	before=$(readelf -SW "room$room" | grep -E '\.(text|BTF|data) '; readelf -lW "room$room"; nm "room$room")
	expect 0 "$ABTF" encode "room$room"
	expect_eq "$(readelf -SW "room$room" | grep -E '\.(text|BTF|data) '; readelf -lW "room$room"; nm "room$room")" "$before"
	section "room$room" .BTF got.btf
	# The string section includes the rest, because the kernel rejects gaps.
	expect_eq "$(stat -c %s got.btf)" "$room"
	expect_eq "$("$dump" got.btf)" "$("$dump" "want$room.btf")" BTF
	expect 0 "$ABTF" check "room$room"
done

begin 'the image is never overwritten with its BTF, nor with its report'
cp pristine victim
ln -sf victim link-to-it
expect 1 "$ABTF" encode -o victim victim
says 'image itself'
expect 1 "$ABTF" encode -o link-to-it victim
expect 1 "$ABTF" encode -o fine.btf --report victim victim
cmp victim pristine || fail 'the image changed'

begin 'no output replaces an input or another output'
unit extra <<<'struct extra { int e; }; int extra(struct extra *e) { return e->e; }'
cp pristine base
"$ABTF" encode -q base
cp base base.kept
mkdir -p sub
ln -s ../base sub/link
# rejected ARGUMENT...: abtf must fail, and must not write to any input
rejected() {
	expect 1 "$ABTF" "$@"
	cmp base base.kept || fail "base was written by: $*"
	expect_eq "$(sha256sum <extra.o)" "$sum"
	[ ! -e one ] || fail 'one of two outputs was written'
}
sum=$(sha256sum <extra.o)
rejected encode -o one --report=one extra.o
says 'one: two outputs cannot be written to one file'
rejected encode -o one --report=./one extra.o
rejected encode -o one --report=sub/../one extra.o
rejected encode --base base -o base extra.o
says 'base: is the base, and would be overwritten'
rejected encode --base base -o sub/link extra.o
rejected encode --base base --report=base extra.o
rejected encode --base base base
rejected encode --report=extra.o extra.o
says 'extra.o: is the image itself'
rejected strip base base
says 'base: is an input, and would be overwritten'
rejected strip base sub/link
"$ABTF" encode -q --base base -o split.btf extra.o
rejected strip --base base split.btf base
expect 1 "$ABTF_PAHOLE" -J --btf_base=base --btf_encode_detached=base extra.o
cmp base base.kept || fail 'abtf-pahole wrote to base'
expect 0 "$ABTF" encode -o null --report=null extra.o
expect 0 "$ABTF" encode -q -o sub/one --report=one extra.o
