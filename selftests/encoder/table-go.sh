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
# as from other kernels; the format of older tables, which have no clones, parts and init text
cat >>table <<'T'
twice@fs/a.c#1 0x100
twice@fs/a.c#2 0x200
twice@b.c 0x300
quiet 0x400 notrace
deaf@a b/c.c 0x500 noprobe
mixed@x/d.c 0x600
mixed@y/d.c 0x700 notrace
untold 0x800 unknown
old 0x900
old.constprop.0 0xa00
T
# what newer ones add
cat >>table <<'T'
hash@ipv4/c.c 0x1000
hash.isra.0@ipv6/c.c 0x1100 clone
merge.isra.0 0x1200 clone
deep.constprop.0.isra.0 0x1300 notrace,clone
sure.isra.0 0x1400 unknown,clone
begin 0x1500 init
begin_clone.isra.0 0x1600 init,clone
shaded.isra.0 0x1700 clone,noprobe
same@m/e.c#1 0x1800
same.constprop.0@m/e.c 0x1900 clone
same.constprop.0.cold 0x1a00
same@n/f.c 0x1b00
store@_text+0x1c00 0x1c00
store@_text+0x1d00 0x1d00
lone@_text+0x1e00 0x1e00
lone.isra.0 0x1f00
split.part.0 0x2000
split.cold 0x2010 clone
warm 0x2020
warm.cold 0x2030
warm.isra.0.cold.5 0x2040
all@g.c#1 0x2100
all@g.c#2 0x2200 notrace
all.isra.0@g.c#1 0x2300 clone
all.isra.0@g.c#2 0x2400 clone
whole.isra.0@h.c 0x2500 clone
whole@i/h.c 0x2600
alias@j.c 0x2700
alias.constprop.0@j.c 0x2700 clone
alias.constprop.1@j.c 0x2700 clone
halias@j.c 0x2800
halias.constprop.0@j.c 0x2800 notrace
.dot 0x2900
.dot.isra.0@k.c 0x2a00 clone
path@a.cold/b.part.c 0x2b00
future 0x2c00 clone,later
longer 0x2d00 clones
shorter 0x2e00 clon
comma 0x2f00 clone,
commas 0x3000 ,clone
more 0x3100 clone 7
garbage 0x3200 ?*
upper 0xABCDEF CLONE
high 0xffffffffffffffff
blank x 0x10 0x3300
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
	"bufio"
	"errors"
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
	// names from standard input, or the error of the table
	names := bufio.NewScanner(os.Stdin)
	for names.Scan() {
		var fn abtfprobe.Func
		failed := err
		if err == nil {
			fn, failed = table.Lookup(names.Text())
		}
		for _, known := range []error{abtfprobe.ErrStale, abtfprobe.ErrNotFound, abtfprobe.ErrAmbiguous,
			abtfprobe.ErrNoProbe, abtfprobe.ErrDamaged} {
			if len(os.Args) == 3 && errors.Is(failed, known) {
				failed = known
			}
		}
		if failed != nil {
			fmt.Println(failed)
		} else {
			fmt.Printf("%s+%#x\n", fn.Symbol, fn.Offset)
		}
	}
}
G
cat >find.c <<'C'
#define ABTF_NOTES "notes"
#include "abtf_probe.h"
int main(int argc, char **argv)
{
	char name[4096];

	while (fgets(name, sizeof(name), stdin)) {
		uint64_t offset = 0;
		int err;

		name[strcspn(name, "\n")] = 0;
		err = abtf_offset(argv[1], name, &offset);
		if (err == -EOPNOTSUPP)
			puts("the kernel rejects probes on it");
		else if (err)
			puts(abtf_strerror(err));
		else
			printf("_text+0x%lx\n", (unsigned long)offset);
	}
	return 0;
}
C
gcc -O2 -g -Wall -fsanitize=address,undefined -I"$top/examples" -o find find.c -lbpf
export ASAN_OPTIONS=detect_leaks=0

begin 'the package builds without a network, is formatted, and go vet is silent'
export GOENV=off GOFLAGS=-mod=mod GOPROXY=off GO111MODULE=on GOCACHE=$PWD/go-cache GOPATH=$PWD/go CGO_ENABLED=0
(cd program && go build -o ../find-go .)
expect_eq "$(gofmt -l "$top/examples/abtfprobe")" ''
expect 0 env -C program/abtfprobe go vet .

# both TABLE: what both readers say about the names in the file names
both() {
	./find "$1" <names >answers
	expect_eq "$(./find-go notes "$1" <names | paste -d '|' names -)" "$(paste -d '|' names answers)" "Go: $1"
}

begin 'the same answers in Go and C'
none='not in the table' several='several functions match' rejected='the kernel rejects probes on it'
cat >expected <<T
dup|$several
dup@kernel/core.c|_text+$(offset_of dup@kernel/core.c)
dup@crypto/core.c|_text+$(offset_of dup@crypto/core.c)
dup@/crypto/core.c|_text+$(offset_of dup@crypto/core.c)
dup@core.c|$several
dup@ore.c|$none
dup@|$none
dup@/|$none
|$none
@|$none
.|$none
only|_text+$(offset_of only)
only@core.c|$none
onl|$none
twice@a.c|$several
twice@a.c#2|_text+0x200
twice@fs/a.c#1|_text+0x100
twice@a.c#3|$none
twice@a.c#|$none
twice@b.c|_text+0x300
twice@b.c#1|$none
mixed@x/d.c|_text+0x600
untold|_text+0x800
quiet|$rejected
mixed@y/d.c|$rejected
deaf@c.c|$rejected
old|_text+0x900
old.constprop.0|_text+0xa00
hash|$several
hash@ipv4/c.c|_text+0x1000
hash@ipv6/c.c|_text+0x1100
hash.isra.0|_text+0x1100
hash.isra.0@c.c|_text+0x1100
hash.isra|$none
hash.isra.0@ipv4/c.c|$none
merge|_text+0x1200
merge.isra.0|_text+0x1200
deep|$rejected
deep.constprop.0|$none
deep.constprop.0.isra.0|$rejected
sure|_text+0x1400
begin|$rejected
begin_clone|$rejected
shaded|$rejected
same|$several
same@m/e.c|$several
same@e.c|$several
same@m/e.c#1|_text+0x1800
same@e.c#1|_text+0x1800
same.constprop.0|_text+0x1900
same.constprop.0@m/e.c|_text+0x1900
same.constprop.0.cold|_text+0x1a00
same@n/f.c|_text+0x1b00
store|$several
store@_text+0x1d00|_text+0x1d00
lone|$several
lone@_text+0x1e00|_text+0x1e00
lone.isra.0|_text+0x1f00
split|$none
split.part.0|_text+0x2000
split.cold|_text+0x2010
warm|_text+0x2020
all|$several
all@g.c|$several
all.isra.0@g.c|$several
all@g.c#1|_text+0x2100
all@g.c#2|$rejected
all.isra.0@g.c#2|_text+0x2400
whole|$several
whole@h.c|_text+0x2500
whole@i/h.c|_text+0x2600
alias|_text+0x2700
alias@j.c|_text+0x2700
halias|$rejected
halias@j.c|_text+0x2800
.dot|_text+0x2900
.dot@k.c|_text+0x2a00
path|_text+0x2b00
path@b.part.c|_text+0x2b00
future|$rejected
longer|$rejected
shorter|$rejected
comma|$rejected
commas|$rejected
more|$rejected
garbage|$rejected
upper|$rejected
high|_text+0xffffffffffffffff
blank x 0x10|_text+0x3300
T
cut -d '|' -f 1 expected >names
both table
expect_eq "$(paste -d '|' names answers)" "$(cat expected)"

begin 'a function is found by its own name'
sed 1d table | sed -E 's/ 0x[^ ]*( [^0].*)?$//' >names
expect_eq "$(sort names | uniq -d)" ''
both table
expect_eq "$(paste -d ' ' names answers)" "$(sed 1d table | sed -E 's/ (0x[^ ]*)((,?( |,)(clone|unknown))*)$/ _text+\L\1/
	t
	s/ 0x[^ ]*( [^0].*)$/ the kernel rejects probes on it/')"

begin 'both say why'
expect_eq "$(./find-go notes table text <<<deep)" "deep: $rejected (notrace,clone)"
expect_eq "$(./find-go notes table text <<<same)" "same: $several: same@m/e.c#1, same.constprop.0@m/e.c"

begin 'a table from another kernel, damaged tables, and damaged notes'
echo only >names
expect_answer() {
	both "$1"
	expect_eq "$(cat answers)" "$2" "$1"
}
expect_answer table "_text+$(offset_of only)"
sed 's/$/\r/' table >crlf
expect_answer crlf "_text+$(offset_of only)"
: >empty
head -n 1 table | tr -d '\n' >no-end
sed '1s/.$//' table >short
sed '1s/$/ /' table >long
for file in empty short long; do
	expect_answer $file 'the table is from another kernel'
done
expect_answer no-end 'the table is damaged'
nr=0
# a line that abtf does not print, after the function
while IFS= read -r line; do
	nr=$((nr + 1))
	{ cat listed; printf '%b' "$line"; } >damaged-$nr
	expect_answer damaged-$nr 'the table is damaged'
done <<'T'
other\n
other 1234\n
\n
\r\n
 0x10\n
other 0x\n
other 0xg\n
other 0x10g\n
other 0x10,clone\n
other 0x10 \n
other 0x10 \r\n
other 0x-10\n
other 0x10000000000000000\n
other 0x1\x0023\n
\x00other 0x10\n
other 0x10
other
other 0x10 clone\r
T
# the longest line that is accepted, and a longer line, whose end is not another line
{ cat listed; printf '%8186s 0x1\n' x; } >longest
expect_answer longest "_text+$(offset_of only)"
for size in 8187 10000 70000; do
	{ cat listed; printf '%*s 0x1\n' $size x; } >too-long
	expect_answer too-long 'the table is damaged'
done
{ cat listed; printf '%8191sevil 0x666\n' x; } >too-long
echo evil >names
expect_answer too-long 'the table is damaged'
expect_eq "$(./find-go notes damaged-1 text <names)" "line $(wc -l <damaged-1): the table is damaged: no offset"

for size in 0 1 11 12 15 16 20 35; do
	head -c $size notes >cut
	expect_eq "$(./find-go cut table <names)" 'the table is from another kernel' "$size bytes"
done
printf '\xff\xff\xff\xff' | dd of=notes bs=1 conv=notrunc status=none
expect_eq "$(./find-go notes table <names)" 'the table is from another kernel'
