#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list caches the function map of a kernel, so that the second call does not need the image.
. "${0%/*}/../lib.sh"
unset DEBUGINFOD_URLS

mkdir -p kernel fs
unit kernel/core <<'C'
extern int sink(int);
static __attribute__((noinline, used)) int dup(int a) { return a; }
static inline int both(int a) { return sink(a) + 7; }
int only(int a) { return both(a); }
int (*address(void))(int) { return both; }
C
unit fs/core <<'C'
int sink(int a) { __asm__ volatile("" : "+r"(a)); return a; }
static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }
C
image vmlinux kernel/core.o fs/core.o
id=$(build_id vmlinux)
mkdir -p root/usr/lib/debug/boot
cp vmlinux root/usr/lib/debug/boot/vmlinux-6.12
"$ABTF" list -aj vmlinux >list
export XDG_CACHE_HOME=$PWD/cache
file=$XDG_CACHE_HOME/abtf/$id.functions

# lists [SYSROOT]: expect the same output as from the image
lists() {
	expect 0 "$ABTF" list -aj --build-id="$id" --sysroot="${1:-root}"
	cmp -s out list || fail "the output differs: $out"
}

begin 'the first call writes a cache file'
lists
[ -s "$file" ] || fail "no $file"
expect_eq "$(stat -c %a "$XDG_CACHE_HOME/abtf")" 700
expect_eq "$(find cache -type f | wc -l)" 1

begin 'the second call does not need the image'
lists nowhere
expect 0 "$ABTF" list --build-id="$id" --sysroot=nowhere --probe=json dup@fs/core.c
kept=$(grep -v warning out)
expect 0 "$ABTF" list --probe=json vmlinux dup@fs/core.c
expect_eq "$kept" "$(grep -v warning out)"
expect 0 "$ABTF" list --build-id="$id" --sysroot=nowhere
kept=$out
expect 0 "$ABTF" list vmlinux
expect_eq "$kept" "$out"

begin 'from the cache, inlined calls are counted, too'
rm -r cache
expect 0 "$ABTF" list --build-id="$id" --sysroot=root both
says 'warning: 1 call to both was inlined'
expect 0 "$ABTF" list --build-id="$id" --sysroot=nowhere both
says 'warning: 1 call to both was inlined'
expect 0 "$ABTF" list --build-id="$id" --sysroot=nowhere dup
has_not out inlined

begin '--inlined reads the image'
expect 0 "$ABTF" list --inlined -j --build-id="$id" --sysroot=root both
expect_eq "$(jq -r '.calls[].in' <<<"$out")" only
expect 1 "$ABTF" list --inlined --build-id="$id" --sysroot=nowhere both

begin 'with a build id, the image of another release is read'
mkdir -p packed/usr/lib/debug/boot packed/proc/sys/kernel
echo 6.12.1 >packed/proc/sys/kernel/osrelease
xz <vmlinux >packed/usr/lib/debug/boot/vmlinux-6.11.xz
tool objcopy -O binary --only-section=.notes vmlinux packed/notes
for option in --build-id="$id" --notes=packed/notes; do
	expect 4 "$ABTF" list $option --sysroot=packed -p perf only+1
	says 'only\+0x1: no instruction starts there$'
done

begin 'a missing function is reported for the kernel'
expect 3 "$ABTF" list --build-id="$id" --sysroot=nowhere dup@mm.c
says "^abtf: error: kernel $id: 'dup@mm.c' was not found"

begin 'a truncated or changed cache file is generated again'
cp "$file" good
size=$(stat -c %s good)
for to in 0 1 7 8 100 160 200 $((size / 2)) $((size - 1)); do
	head -c "$to" good >"$file"
	lists
	cmp "$file" good || fail "cut off at $to: the cache file was not rewritten"
done
{ cat good; echo; } >"$file"
lists
cmp "$file" good || fail 'the longer file was not rewritten'
for at in $(seq 0 $((size / 60)) $((size - 1))); do
	cp good "$file"
	byte=$(od -An -tu1 -j"$at" -N1 good | tr -d ' ')
	# shellcheck disable=SC2059 # the format is the byte
	printf "\\x$(printf %02x $((byte ^ 0x55)))" | dd of="$file" bs=1 seek="$at" conv=notrunc status=none
	expect 0 "$ABTF" list -aj --build-id="$id" --sysroot=root
	cmp -s out list || fail "changed at $at: $out"
	cmp "$file" good || fail "changed at $at: the cache file was not rewritten"
done

begin 'a device or a large file instead of the cache file is not read to its end'
device zero
for what in device file; do
	rm "$file"
	if [ $what = device ]; then ln -s "$PWD/zero" "$file"; else truncate -s 900M "$file"; fi
	kib=$(resident "$ABTF" list -aj --build-id="$id" --sysroot=root)
	[ "$kib" -lt 500000 ] || fail "$kib KiB of memory"
	lists
done
rm "$file"
lists

begin 'a cache file that is a link, a pipe, or owned by another user is neither read nor written'
cp "$file" valid
echo mine >mine
rm "$file"
ln -s "$PWD/mine" "$file"
lists
expect_eq "$(cat mine)" mine
[ ! -L "$file" ] || fail 'the link is still there'
ln -sf "$PWD/valid" "$file"
expect 1 "$ABTF" list -aj --build-id="$id" --sysroot=nowhere
rm "$file"
mkfifo "$file"
expect 0 limited "$ABTF" list -aj --build-id="$id" --sysroot=root
cmp -s out list || fail "the output differs: $out"
[ -f "$file" ] || fail 'the pipe is still there'
chmod g+w "$file"
expect 1 "$ABTF" list -aj --build-id="$id" --sysroot=nowhere
lists
expect 0 "$ABTF" list -aj --build-id="$id" --sysroot=nowhere
if [ "$(id -u)" = 0 ]; then
	for what in "$file" "$XDG_CACHE_HOME/abtf"; do
		chown 1234 "$what"
		expect 1 "$ABTF" list -aj --build-id="$id" --sysroot=nowhere
		lists
		chown 0 "$what"
	done
fi
mv "$XDG_CACHE_HOME/abtf" elsewhere
ln -s "$PWD/elsewhere" "$XDG_CACHE_HOME/abtf"
rm "elsewhere/$id.functions"
lists
[ ! -e "elsewhere/$id.functions" ] || fail 'the cache file was written through a link'
rm "$XDG_CACHE_HOME/abtf"
lists

begin 'a cache file of another kernel is ignored'
image another fs/core.o
other=$(build_id another)
cp good "$XDG_CACHE_HOME/abtf/$other.functions"
expect 1 "$ABTF" list --build-id="$other" --sysroot=root
says "no image with debug information was found for build id $other"
rm "$XDG_CACHE_HOME/abtf/$other.functions"

begin 'a cache file with wrong numbers and a valid checksum: no crash'
# Do not duplicate hash_bytes() of util/hash.h here: compile the original, and compute only the
# checksum with it.
cat >check.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include "util/hash.h"
int main(int argc, char **argv)
{
	static char bytes[1 << 20];
	FILE *f = fopen(argv[1], "r+");
	size_t size = fread(bytes, 1, sizeof(bytes), f);
	uint64_t check = hash_bytes(bytes + 112, size - 112);

	fseek(f, 104, SEEK_SET);
	fwrite(&check, sizeof(check), 1, f);
	return fclose(f);
}
C
gcc -std=gnu11 -O2 -I"$top/encoder" -o fix-check check.c
cp good same && ./fix-check same && cmp same good || fail 'precondition: the checksum differs'
cat >lie.py <<'P'
# Starting at 112: sizes of the five tables (8 bytes each), the offset of a string (8), and the
# tables: functions of 16 bytes, numbers of calls of 4, symbols of 16, the BTF, strings.
import random, struct, subprocess, sys
path, tool, id = sys.argv[1:4]
good = open('good', 'rb').read()
random.seed(7)
rejected = 0
for i in range(200):
    bad = bytearray(good)
    for _ in range(random.choice((1, 1, 2, 8))):
        at = random.choice((random.randrange(112, 160), random.randrange(160, len(bad) - 4))) & ~3
        struct.pack_into('<I', bad, at, random.choice((0, 1, 0xffffffff, 0x7fffffff, random.getrandbits(32))))
    open(path, 'wb').write(bad)
    subprocess.run(['./fix-check', path], check=True)
    r = subprocess.run([tool, 'list', '--all', '--build-id=' + id, '--sysroot=nowhere', 'both'],
                       capture_output=True)
    if r.returncode in (0, 1, 3):
        r = subprocess.run([tool, 'symbolize', '--build-id=' + id, '--sysroot=nowhere', '0', '32', '4096'],
                           capture_output=True)
    rejected += r.returncode == 1
    if r.returncode not in (0, 1, 3) or r.returncode and not r.stderr:
        sys.exit(f'{i}: exit status {r.returncode}: {r.stderr[-2000:].decode()}')
if not 0 < rejected < 200:
    sys.exit(f'{rejected} of 200 are rejected: both must occur')
P
limited "$python" lie.py "$file" "$ABTF" "$id"
# the last change may be valid
echo >>"$file"
lists
cmp "$file" good || fail 'the cache file was not rewritten'

begin 'a cache that cannot be written is not an error'
for where in /proc/nowhere /dev/null relative ''; do
	XDG_CACHE_HOME=$where HOME=/dev/null lists
done
mkdir -p readonly/abtf
chmod 555 readonly/abtf
# root can write to any directory
as=()
[ ! -w readonly/abtf ] || as=(setpriv --bounding-set=-dac_override)
XDG_CACHE_HOME=$PWD/readonly expect 0 "${as[@]}" "$ABTF" list -aj --build-id="$id" --sysroot=root
cmp -s out list || fail "not the list alone: $out"
expect_eq "$(find . -name '*.functions' | wc -l)" 1
# a full disk; the copy that $ABTF makes would be too large, too
XDG_CACHE_HOME=$PWD/full expect 0 bash -c 'ulimit -f 0; exec "$@"' - "$ABTF_PROGRAM" list -aj --build-id="$id" --sysroot=root
cmp -s out list || fail "not the list alone: $out"
XDG_CACHE_HOME=$PWD/full expect 0 bash -c 'ulimit -f 0; exec "$@"' - "$ABTF_PROGRAM" list -a --build-id="$id" --sysroot=root
has_not out error
find full -type f | expect_none
XDG_CACHE_HOME='' HOME=$PWD/home lists
cmp "home/.cache/abtf/$id.functions" good || fail 'the cache file is not below $HOME/.cache'

begin 'several processes at once write one complete file'
rm "$file"
pids=()
for _ in 1 2 3 4 5 6; do
	"$ABTF" list -aj --build-id="$id" --sysroot=root | cmp - list &
	pids+=($!)
done
for pid in "${pids[@]}"; do
	wait "$pid" || fail 'the output of a process differs'
done
cmp "$file" good || fail 'the output differs'
expect_eq "$(find "$XDG_CACHE_HOME/abtf" -type f | wc -l)" 1

begin 'an image given as a file is read, and not cached'
rm -r cache
expect 0 "$ABTF" list vmlinux
[ ! -e cache ] || fail 'the function map was cached'

begin 'an image without code is not cached, because the code may be installed later'
mkdir -p split/usr/lib/debug/boot split/boot
tool objcopy --only-keep-debug vmlinux split/usr/lib/debug/boot/vmlinux-6.12
expect 0 "$ABTF" list -aj --build-id="$id" --sysroot=split
[ ! -e "$file" ] || fail 'the function map was cached'
tool strip -o split/boot/vmlinux-6.12 vmlinux
lists split
cmp "$file" good || fail 'the file is not complete'
