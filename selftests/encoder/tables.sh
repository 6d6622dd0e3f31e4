#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --table --output: write tables of many images and modules, named by build id.
. "${0%/*}/../lib.sh"

mkdir -p fs
unit fs/core <<'C'
static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }
int only(int a) { return a; }
C
unit core <<<'static __attribute__((noinline, used)) char dup(char *p, long n) { return p[n]; }'
unit mod <<'C'
static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=nf_mod";
__attribute__((noinline, used)) int in_mod(int a) { return a; }
C
# build NAME ID: link an image with this build id
build() {
	link="${link//-Wl,--build-id=*([^ ])/}"
	image "$1" fs/core.o core.o -Wl,--build-id="0x$2"
}
shopt -s extglob
build one 0a0b0c
build two 0a0b0d
cp two again
# shellcheck disable=SC2086 # lists of flags
$CC $machine -r -nostdlib -Wl,--build-id=0x1122 -o mod.ko mod.o
# counts WRITTEN EXISTED DUPLICATES FAILED: check the summary
counts() {
	says "^tables: $1 written, $2 existed, $3 duplicates, $4 failed$"
}
# tables DIR: print names and checksums of all files in DIR
tables() {
	(cd "$1" && find . -type f -exec cksum {} + | sort -k 3)
}

begin 'the file for each build id is the table of that image'
expect 0 "$ABTF" list --table --output=tables one two mod.ko
counts 3 0 0 0
expect_text "$(find tables -type f | sort)" <<'T'
tables/0a/0b0c.table
tables/0a/0b0d.table
tables/11/22.table
T
for image in one:0a/0b0c two:0a/0b0d mod.ko:11/22; do
	"$ABTF" list --table "${image%:*}" >expected
	cmp "tables/${image#*:}.table" expected || fail "the table of ${image%:*} differs"
done

begin 'tables that exist are kept, unless they have other functions or are damaged'
touch -d 2001-01-01 tables/0a/0b0c.table
expect 0 "$ABTF" list --table --output=tables one two mod.ko
counts 0 3 0 0
expect_eq "$(stat -c %Y tables/0a/0b0c.table)" "$(date -d 2001-01-01 +%s)"
rm tables/0a/0b0d.table
expect 0 "$ABTF" list --table --output=tables one two mod.ko
counts 1 2 0 0
expect 0 "$ABTF" list --table --all --output=tables one two mod.ko
counts 3 0 0 0
has tables/0a/0b0c.table '^only '
cksum tables/0a/0b0c.table >before
expect 0 "$ABTF" list --table --output=tables one two mod.ko
counts 0 3 0 0
expect_eq "$(cksum tables/0a/0b0c.table)" "$(cat before)" 'without --all'
for line in '' 'abtf-table 1 0a0b0c vmlinux shared 0' 'abtf-table 2 0a0b0c vmlinux all 0' \
	'abtf-table 1 0a0b0d vmlinux all 0' 'abtf-table 1 0a0b0c all 0' 'abtf-table 1 0a0b0c vmlinux all' \
	"$(sed '$d' tables/0a/0b0c.table)"; do
	printf '%s\n' "$line" >tables/0a/0b0c.table
	expect 0 "$ABTF" list --table --all --output=tables one
	counts 1 0 0 0
done
head -c -1 tables/0a/0b0c.table >cut
mv cut tables/0a/0b0c.table
expect 0 "$ABTF" list --table --all --output=tables one
counts 1 0 0 0

begin 'one failure does not stop the rest'
head -c 1000 one >cut
unit plain <<<'int f(int a) { return a; }'
expect 1 "$ABTF" list --table --output=some nowhere cut plain.o one
counts 1 0 0 3
says '^abtf: error: nowhere: '
says '^abtf: error: cut: '
says '^abtf: error: plain.o: has no build id'
expect_eq "$(find some -type f)" some/0a/0b0c.table
: >file
expect 1 "$ABTF" list --table --output=file one
counts 0 0 0 1

begin 'a file or link at the path of a table is replaced, a directory is kept'
echo precious >victim
# at WHAT...: run this command with the path of a table, then expect the table there
at() {
	rm -rf at
	mkdir -p at/0a
	"$@" at/0a/0b0c.table
	expect 0 limited "$ABTF" list --table --output=at one
	counts 1 0 0 0
	"$ABTF" list --table one | cmp - at/0a/0b0c.table || fail "$*"
	[ -f at/0a/0b0c.table ] && [ ! -L at/0a/0b0c.table ] || fail "$*: not replaced"
}
at ln -s ../../victim
at ln -s nowhere
at ln -s 0b0c.table
at mkfifo
expect_eq "$(cat victim)" precious
[ ! -e at/0a/nowhere ] || fail 'a link was followed'
rm at/0a/*
mkdir at/0a/0b0c.table
expect 1 "$ABTF" list --table --output=at one two
counts 1 0 0 1
says 'at/0a/0b0c.table: cannot replace it: Is a directory'
expect_eq "$(ls -A at/0a)" "$(printf '%s\n' 0b0c.table 0b0d.table)"

begin 'of several images with the same build id, the first is used, for any number of threads'
tool strip -g -o stripped one
for jobs in 1 2 7; do
	rm -rf order
	expect 0 "$ABTF" list --table --jobs=$jobs --output=order stripped one two again
	counts 2 0 2 0
	"$ABTF" list --table stripped >expected
	cmp order/0a/0b0c.table expected || fail "the table differs with $jobs threads"
done

begin 'images are selected by build ids and notes, also of modules'
mkdir -p root/usr/lib/debug/.build-id/{0a,11}
cp two root/usr/lib/debug/.build-id/0a/0b0d.debug
cp one root/usr/lib/debug/.build-id/0a/0b0c.debug
cp mod.ko root/usr/lib/debug/.build-id/11/22.debug
tool objcopy -O binary --only-section=.note.gnu.build-id --set-section-flags .note.gnu.build-id=alloc \
	mod.ko mod.notes
# shellcheck disable=SC2046 # words
expect 1 "$ABTF" list --table --output=found --sysroot=root --build-id=0a0b0d --notes=mod.notes \
	--build-id=0a0b0c --build-id=ffff --build-id=xyz --notes=nowhere $(printf -- '--build-id=0a0b0d %.0s' 1 2 3)
counts 3 0 3 3
says 'no image with debug information was found for build id ffff'
says "build id 'xyz': expected"
for table in 0a/0b0c 0a/0b0d; do
	"$ABTF" list --table root/usr/lib/debug/.build-id/$table.debug >expected
	cmp found/$table.table expected || fail $table
done
# a module of another name, whose table exists, and a kernel
for id in 1122 0a0b0d; do
	for options in --table "--table --output=found"; do
		# shellcheck disable=SC2086 # words
		expect 1 "$ABTF" list $options --sysroot=root --build-id=$id --module=nosuch
		says "root/.*\.debug: is (the module nf_mod|not a module), but --module selects nosuch"
	done
done
expect 0 "$ABTF" list --table --output=found --sysroot=root --build-id=1122 --module=nf-mod
counts 0 1 0 0
# also if the kernel is another image
expect 1 "$ABTF" list --table --output=found --sysroot=root --build-id=0a0b0d --module=nosuch two
counts 0 1 0 1
# without the image
rm root/usr/lib/debug/.build-id/0a/0b0c.debug
expect 0 "$ABTF" list --table --output=found --sysroot=root --build-id=0a0b0c
counts 0 1 0 0
mkdir -p root/sys/kernel
tool objcopy -O binary --only-section=.notes two root/sys/kernel/notes
[ -s root/sys/kernel/notes ] ||
	tool objcopy -O binary --only-section=.note.gnu.build-id two root/sys/kernel/notes
expect 0 "$ABTF" list --table --output=running --sysroot=root --running one
counts 2 0 0 0

begin 'kill -9 leaves complete tables, and the next run adds the others'
mkdir many
for i in $(seq 60); do
	build "many/$i" "$(printf 0c%04x "$i")"
done
expect 0 "$ABTF" list --table --output=whole many/*
counts 60 0 0 0
# on a busy machine, it may end before it is killed
for _ in $(seq 20); do
	rm -rf killed
	"$ABTF" list --table --jobs=1 --output=killed many/* >killed.out &
	pid=$!
	until [ "$(find killed -name '*.table' 2>/dev/null | wc -l)" -gt 5 ]; do
		kill -0 $pid 2>/dev/null || break
	done
	kill -9 $pid 2>/dev/null || true
	status=0
	wait $pid || status=$?
	[ $status != 137 ] || break
done
expect_eq $status 137 'status after kill -9'
find killed -name '*.table' >written
[ -s written ] || fail 'no table was written before the signal'
while read -r table; do
	cmp "$table" "whole/${table#*/}" || fail "$table is incomplete"
done <written
expect 0 "$ABTF" list --table --output=killed many/*
[ -z "$(leftovers)" ] || leftovers | xargs rm
expect_eq "$(tables killed)" "$(tables whole)"

begin 'options that cannot be combined with tables are rejected'
for options in '--output=x' '--table --jobs=2' '--table --output=x --json' '--table --output=x --base=one' \
	'--table --output=x --image=one'; do
	# shellcheck disable=SC2086 # words
	expect 2 "$ABTF" list $options one
done
expect 2 "$ABTF" list --table --output=x
# not the root directory
expect 2 "$ABTF" list --table --output= one
says 'error: list: --output expects a directory'
for options in '--build-id=0a0b0c --build-id=0a0b0d' '--running --build-id=0a0b0c' '--notes=mod.notes --running' \
	'--notes=mod.notes --build-id=0a0b0c'; do
	# shellcheck disable=SC2086 # words
	expect 2 "$ABTF" list $options
	says '--running, --build-id and --notes: expected one of them, unless list --table writes to a directory'
done
expect 2 "$ABTF" symbolize --running --build-id=0a0b0c
expect 2 "$ABTF" encode --running --build-id=0a0b0c -o x
