#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# examples/abtfprobe, which reads "abtf list --table" in Go, and examples/abtf_probe.h give the
# same answers.
. "${0%/*}/../lib.sh"
have go || { begin 'abtfprobe'; skip 'no go'; exit 77; }

mkdir -p kernel crypto
unit kernel/core <<'C'
static __attribute__((noinline, used)) int dup(int a) { return a; }
int only(int a) { return a; }
C
unit crypto/core <<<'static __attribute__((noinline, used)) long dup(char *p, int n) { return p[n]; }'
image vmlinux kernel/core.o crypto/core.o
objcopy -O binary --only-section=.notes vmlinux notes
[ -s notes ] || objcopy -O binary --only-section=.note.gnu.build-id vmlinux notes
"$ABTF" list --table --all vmlinux >listed
# offset_of NAME
offset_of() {
	awk -v name="$1" '$1 == name { print $2 }' listed
}
cp listed table
id=$(head -n 1 table)
# as from a kernel with more of a name in one file, and functions that reject probes
cat >>table <<'T'
twice@fs/a.c#1 0x100
twice@fs/a.c#2 0x200
twice@b.c 0x300
quiet 0x400 notrace
deaf@a b/c.c 0x500 noprobe
mixed@x/d.c 0x600
mixed@y/d.c 0x700 notrace
untold 0x800 unknown
T

mkdir program
cp -r "$top/examples/abtfprobe" program
# as the comment of the package says
edit=$(sed -n 's,^//\tgo mod edit ,,p' "$top/examples/abtfprobe/abtfprobe.go")
# shellcheck disable=SC2086 # several options
(cd program && go mod init program && go mod edit $edit)
cat >program/main.go <<'G'
package main

import (
	"abtfprobe"
	"fmt"
	"os"
)

func main() {
	notes, _ := os.ReadFile(os.Args[1])
	f, err := os.Open(os.Args[2])
	if err != nil {
		panic(err)
	}
	table, err := abtfprobe.Read(f)
	if err == nil && table.BuildID != abtfprobe.BuildID(notes) {
		err = abtfprobe.ErrStale
	}
	for i := 3; err == nil && i < len(os.Args); i++ {
		var fn abtfprobe.Func
		if fn, err = table.Lookup(os.Args[i]); err == nil {
			fmt.Printf("%s+%#x\n", fn.Symbol, fn.Offset)
		}
	}
	if err != nil {
		fmt.Println(err)
	}
}
G
cat >find.c <<'C'
#define ABTF_NOTES "notes"
#include "abtf_probe.h"
int main(int argc, char **argv)
{
	uint64_t offset = 0;
	int err = abtf_offset(argv[1], argv[2], &offset);

	if (err)
		printf("%s: %s\n", argv[2], abtf_strerror(err));
	else
		printf("_text+0x%lx\n", (unsigned long)offset);
	return 0;
}
C
gcc -O2 -g -Wall -I"$top/examples" -o find find.c -lbpf

begin 'the package builds without a network, is formatted, and go vet is silent'
export GOENV=off GOFLAGS=-mod=mod GOPROXY=off GO111MODULE=on GOCACHE=$PWD/go-cache GOPATH=$PWD/go CGO_ENABLED=0
(cd program && go build -o ../find-go .)
expect_eq "$(gofmt -l "$top/examples/abtfprobe")" ''
expect 0 env -C program/abtfprobe go vet .

begin 'the same answers in Go and C'
while read -r wanted answer; do
	expect_eq "$(./find table "$wanted")" "$answer" "C: $wanted"
	# a reason may follow
	case $answer in
	_text*)	expect_eq "$(./find-go notes table "$wanted")" "$answer" "Go: $wanted" ;;
	*)	expect_eq "$(./find-go notes table "$wanted" | cut -d: -f1-2 | cut -c-60)" \
			"$(sed 's/ (notrace, noprobe, or init)//' <<<"$answer" |
			   cut -c-60)$(sed -nE 's/^quiet$/ (notrace)/p; s/^mixed@y.*/ (notrace)/p' <<<"$wanted")" \
			"Go: $wanted" ;;
	esac
done <<T
dup dup: several functions match
dup@kernel/core.c _text+$(offset_of dup@kernel/core.c)
dup@crypto/core.c _text+$(offset_of dup@crypto/core.c)
dup@/crypto/core.c _text+$(offset_of dup@crypto/core.c)
dup@core.c dup@core.c: several functions match
dup@ore.c dup@ore.c: not in the table
dup@ dup@: not in the table
dup@/ dup@/: not in the table
only _text+$(offset_of only)
only@core.c only@core.c: not in the table
onl onl: not in the table
twice@a.c twice@a.c: several functions match
twice@a.c#2 _text+0x200
twice@fs/a.c#1 _text+0x100
twice@a.c#3 twice@a.c#3: not in the table
twice@b.c _text+0x300
twice@b.c#1 twice@b.c#1: not in the table
mixed@x/d.c _text+0x600
untold _text+0x800
quiet quiet: the kernel rejects probes on it (notrace, noprobe, or init)
mixed@y/d.c mixed@y/d.c: the kernel rejects probes on it (notrace, noprobe, or init)
T

begin 'a table from another kernel, damaged tables, and damaged notes'
sed '1s/.$//' table >stale
expect_eq "$(./find-go notes stale only)" 'the table is from another kernel'
sed '2s/0x.*/0xg/' table >bad
./find-go notes bad only >out
has out '^line 2: '
printf '%s\nonly\n' "$id" >bad
expect_eq "$(./find-go notes bad only)" 'line 2: no offset'
for size in 0 1 11 12 15 16 20 35; do
	head -c $size notes >cut
	expect_eq "$(./find-go cut table only)" 'the table is from another kernel' "$size bytes"
done
printf '\xff\xff\xff\xff' | dd of=notes bs=1 conv=notrunc status=none
expect_eq "$(./find-go notes table only)" 'the table is from another kernel'
