#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# examples/abtfprobe, which reads "abtf list --table" in Go, and examples/abtf_probe.h return the
# same results.
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
id=$(build_id vmlinux)
mkdir -p root/sys/kernel
ln -s ../../../notes root/sys/kernel/notes
"$ABTF" list --table --all vmlinux >listed
# listed_offset NAME
listed_offset() {
	awk -v name="$1" '$1 == name { print $2 }' listed
}
cp listed table
# tables of other kernels; the older format, without clones, parts and init text
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
# additions of the newer format
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
garbage 0x3200 ?*
upper 0xABCDEF CLONE
high 0xffffffffffffffff
blank x 0x10 0x3300
T

mkdir program
cp -r "$top/examples/abtfprobe" program
# the example in the comment of the package
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
	if err == nil && table.Module == "" && table.BuildID != abtfprobe.BuildID(notes) {
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
			abtfprobe.ErrNoProbe, abtfprobe.ErrDamaged, abtfprobe.ErrVersion} {
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
#ifndef ABTF_ROOT
#define ABTF_ROOT "root"
#endif
#include "abtf_probe.h"
int main(int argc, char **argv)
{
	char name[4096];

	while (fgets(name, sizeof(name), stdin)) {
		struct abtf_place place;
		int err;

		name[strcspn(name, "\n")] = 0;
		err = abtf_find(argv[1], name, &place);
		if (err == -EOPNOTSUPP)
			puts("the kernel rejects probes on it");
		else if (err)
			puts(abtf_strerror(err));
		else
			printf("%s+0x%lx\n", place.start, (unsigned long)place.offset);
	}
	return 0;
}
C
gcc -O2 -g -Wall -fsanitize=address,undefined -I"$top/examples" -o find find.c -lbpf
export ASAN_OPTIONS=detect_leaks=0

begin 'the package builds without a network, is formatted, and go vet is silent'
export GOENV=off GOFLAGS=-mod=mod GOPROXY=off GO111MODULE=on GOCACHE=$PWD/go-cache GOPATH=$PWD/go CGO_ENABLED=0
(cd program && go build -o ../find-go .)
gofmt -l "$top/examples/abtfprobe" | expect_none
expect 0 env -C program/abtfprobe go vet .

# both TABLE: compare the results of both readers for the names in the file "names"
both() {
	./find "$1" <names >answers
	expect_eq "$(./find-go notes "$1" <names | paste -d '|' names -)" "$(paste -d '|' names answers)" "Go: $1"
}

begin 'Go and C give the same results'
none='not in the table' several='several functions match' rejected='the kernel rejects probes on it'
cat >expected <<T
dup|$several
dup@kernel/core.c|_text+$(listed_offset dup@kernel/core.c)
dup@crypto/core.c|_text+$(listed_offset dup@crypto/core.c)
dup@/crypto/core.c|_text+$(listed_offset dup@crypto/core.c)
dup@/core.c|$none
dup@//crypto/core.c|$none
dup@core.c|$several
dup@ore.c|$none
dup@|$none
dup@/|$none
|$none
@|$none
.|$none
only|_text+$(listed_offset only)
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
sort names | uniq -d | expect_none
both table
expect_eq "$(paste -d ' ' names answers)" "$(sed 1d table | sed -E 's/ (0x[^ ]*)((,?( |,)(clone|unknown))*)$/ _text+\L\1/
	t
	s/ 0x[^ ]*( [^0].*)$/ the kernel rejects probes on it/')"

begin 'Go and C print the same reason for an error'
expect_eq "$(./find-go notes table text <<<deep)" "deep: $rejected (notrace,clone)"
expect_eq "$(./find-go notes table text <<<same)" "same: $several: same@m/e.c#1, same.constprop.0@m/e.c"

begin 'a table from another kernel, damaged tables and damaged notes are rejected'
echo only >names
# expect_answer TABLE ANSWER: both readers must print ANSWER
expect_answer() {
	both "$1"
	expect_eq "$(cat answers)" "$2" "$1"
}
expect_answer table "_text+$(listed_offset only)"
sed 's/$/\r/' table >crlf
expect_answer crlf "_text+$(listed_offset only)"
: >empty
head -n 1 table | tr -d '\n' >no-end
sed '1s/. vmlinux/ vmlinux/' table >short
sed '1s/ vmlinux/0 vmlinux/' table >long
for file in short long; do
	expect_answer $file 'the table is from another kernel'
done
expect_answer empty 'the table is damaged'
{ cut -d ' ' -f 3 listed | head -n 1; sed 1d listed; } >unversioned
expect_answer unversioned "_text+$(listed_offset only)"
sed '1s/.$//' unversioned >stale
expect_answer stale 'the table is from another kernel'
for line in 'abtf-table 1' 'abtf-table 2' "$(cut -d ' ' -f 3,4 listed | head -n 1)" 'abtf-table  1 x'; do
	{ echo "$line"; sed 1d listed; } >version
	expect_answer version 'the table is from another version of abtf'
done
for line in 'abtf-table 1 ' 'abtf-table 1 x' 'abtf-table 1 x ' 'abtf-table 1 x  y'; do
	{ echo "$line"; sed 1d listed; } >damaged
	expect_answer damaged 'the table is damaged'
done
expect_answer no-end 'the table is damaged'
for lines in $(seq $(($(wc -l <listed) - 1))); do
	head -n "$lines" listed >cut
	expect_answer cut 'the table is damaged'
done
head -n 1 listed >cut
expect_eq "$(./find-go notes cut text <names)" \
	"line 2: the table is damaged: it has 0 of $(($(wc -l <listed) - 1)) functions"
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
other 0x10 clone 7\n
other a/b+0x10\n
other +0x10\n
other a+b\n
other a+0x\n
T
# the longest symbol, and the longest name of a module, that are accepted, and longer ones
printf -v long '%0511d' 0
{ cat listed; echo "last $long+0x1"; } >longest
echo last >names
expect_answer longest "$long+0x1"
{ cat listed; echo "last 0$long+0x1"; } >too-long
expect_answer too-long 'the table is damaged'
sed "1s/ vmlinux / ${long:448} /" listed >longest
expect_eq "$(./find-go notes longest <names) $(./find longest <names)" 'not in the table the module is not loaded'
sed "1s/ vmlinux / ${long:447} /" listed >too-long
expect_answer too-long 'the table is damaged'
echo only >names
# the longest line that is accepted, and a longer line, whose end is not another line
{ cat listed; printf '%8186s 0x1\n' x; } >longest
expect_answer longest "_text+$(listed_offset only)"
for size in 8187 10000 70000; do
	{ cat listed; printf '%*s 0x1\n' $size x; } >too-long
	expect_answer too-long 'the table is damaged'
done
{ cat listed; printf '%8191sevil 0x666\n' x; } >too-long
echo evil >names
expect_answer too-long 'the table is damaged'
expect_eq "$(./find-go notes damaged-1 text <names)" "line $(wc -l <damaged-1): the table is damaged: 'other'"

for size in 0 1 11 12 15 16 20 35; do
	head -c $size notes >cut
	expect_eq "$(./find-go cut table <names)" 'the table is from another kernel' "$size bytes"
done
printf '\xff\xff\xff\xff' | dd of=notes bs=1 conv=notrunc status=none
expect_eq "$(./find-go notes table <names)" 'the table is from another kernel'

begin 'Go: tables are found in a directory, also for modules, with addresses'
cat >program/abtfprobe/load_test.go <<'G'
package abtfprobe

import (
	"errors"
	"fmt"
	"os"
	"testing"
)

func TestLoad(t *testing.T) {
	root = "../../live"
	f, _ := os.Create("../../answers")
	wanted, _ := os.Create("../../wanted")
	found, _ := os.Create("../../found")
	for _, args := range [][3]string{
		{"../../table", "", "only"}, {"tables", "", "only"}, {"tables", "my_mod", "between"},
		{"tables", "my_mod", "twin@left.c"}, {"tables", "other", "between"},
		{"tables", "../my_mod", "between"}, {"none", "", "only"}, {"tables", "late", "between"},
		{"tables/my_mod", "", "between"}, {"tables/my_mod", "other", "between"},
		{"others", "", "only"}, {"swapped", "", "only"}, {"newer", "", "only"},
		{"../../table", "vmlinux", "only"}, {"tables", "vmlinux", "only"},
		{"tables/my_mod", "vmlinux", "between"}, {"tables", "bare", "between"}, {"fifo", "", "only"},
	} {
		var fn Func
		var addr uintptr
		table, err := LoadModule(args[0], args[1])
		if err == nil {
			fn, err = table.Lookup(args[2])
		}
		fmt.Fprintf(wanted, "%s %s:%s\n", args[0], args[1], args[2])
		result := fmt.Sprintf("%s+%#x", fn.Symbol, fn.Offset)
		if err == nil {
			addr, err = fn.Address()
		}
		for _, known := range []error{ErrNoTable, ErrNotLoaded, ErrNotFound, ErrStale, ErrVersion,
			ErrNoBuildID, ErrDamaged} {
			if errors.Is(err, known) {
				fmt.Fprint(f, "known: ")
				result = known.Error()
			}
		}
		fmt.Fprintln(found, result)
		fmt.Fprintf(f, "%s+%#x %#x %v\n", fn.Symbol, fn.Offset, addr, err)
	}
}
G
tables=program/abtfprobe/tables
mkdir -p live/sys/kernel live/proc live/sys/module/{my_mod,late,bare}/{notes,sections} $tables/{ab,${id:0:2}}
# a note with a build id
note() {
	printf '\4\0\0\0\2\0\0\0\3\0\0\0GNU\0%b\0\0' "$1"
}
note '\xab\xcd' >live/sys/module/my_mod/notes/.note.gnu.build-id
note '\xab\xce' >live/sys/module/late/notes/.note.gnu.build-id
: >live/sys/module/bare/notes/.note.gnu.build-id
objcopy -O binary --only-section=.notes vmlinux live/sys/kernel/notes
[ -s live/sys/kernel/notes ] ||
	objcopy -O binary --only-section=.note.gnu.build-id vmlinux live/sys/kernel/notes
cp listed "$tables/${id:0:2}/${id:2}.table"
cat >$tables/ab/cd.table <<'T'
abtf-table 1 abcd my_mod all
between between+0x0
twin@left.c [.text]+0x10
twin@right.c between+0x10
T
cp $tables/ab/cd.table $tables/my_mod
# directories without a table of this kernel, with another kernel's by that name, of another version, and with a FIFO
mkdir -p program/abtfprobe/{others,swapped,newer,fifo}/"${id:0:2}"
mkfifo "program/abtfprobe/fifo/${id:0:2}/${id:2}.table"
cp listed "program/abtfprobe/others/${id:0:2}/0${id:2}.table"
sed "1s/ $id / 0$id /" listed >"program/abtfprobe/swapped/${id:0:2}/${id:2}.table"
sed '1s/1/2/' listed >"program/abtfprobe/newer/${id:0:2}/${id:2}.table"
printf '%s\n' '0000000000001000 T _text' '0000000000002000 t between' \
	$'0000000000004000 t between\t[my_mod]' >live/proc/kallsyms
echo 0x8000 >live/sys/module/my_mod/sections/.text
only=$(listed_offset only)
expect 0 limited env -C program/abtfprobe go test -count=1 .
expect_text "$(cat answers)" <<T
_text+$only $(printf 0x%x $((0x1000 + only))) <nil>
_text+$only $(printf 0x%x $((0x1000 + only))) <nil>
between+0x0 0x4000 <nil>
[.text]+0x10 0x8010 <nil>
known: +0x0 0x0 other: the module is not loaded
known: +0x0 0x0 ../my_mod: the module is not loaded
known: +0x0 0x0 none: no table for this kernel or module
known: +0x0 0x0 tables/ab/ce.table: no table for this kernel or module
between+0x0 0x4000 <nil>
known: +0x0 0x0 tables/my_mod: module other: not in the table
known: +0x0 0x0 others/${id:0:2}/${id:2}.table: no table for this kernel or module
known: +0x0 0x0 swapped/${id:0:2}/${id:2}.table: the table is from another kernel
known: +0x0 0x0 newer/${id:0:2}/${id:2}.table: line 1: the table is from another version of abtf
_text+$only $(printf 0x%x $((0x1000 + only))) <nil>
_text+$only $(printf 0x%x $((0x1000 + only))) <nil>
known: +0x0 0x0 tables/my_mod: module vmlinux: not in the table
known: +0x0 0x0 the build id of the kernel or module cannot be read: there is no build id in ../../live/sys/module/bare/notes/.note.gnu.build-id
known: +0x0 0x0 fifo/${id:0:2}/${id:2}.table: the table is damaged: not a regular file
T

begin 'C: tables are found in a directory, also for modules'
gcc -O2 -g -Wall -DABTF_ROOT='"../../live"' -I"$top/examples" -o find-live find.c -lbpf
while read -r table name; do
	(cd program/abtfprobe && limited ../../find-live "$table" <<<"${name#:}")
done <wanted >answers
expect_eq "$(wc -l <wanted)" 18
expect_text "$(cat answers)" <found

begin 'Go: addresses that the kernel hides are an error'
printf '%s\n' '0000000000000000 T _text' >live/proc/kallsyms
echo 0x0 >live/sys/module/my_mod/sections/.text
expect 0 env -C program/abtfprobe go test -count=1 .
expect_text "$(head -n 4 answers)" <<T
_text+$only 0x0 the kernel hides addresses
_text+$only 0x0 the kernel hides addresses
known: between+0x0 0x0 /proc/kallsyms: between: not in the table
[.text]+0x10 0x0 the kernel hides addresses
T
# as without root's rights
rm live/proc/kallsyms live/sys/module/my_mod/sections/.text
expect 0 env -C program/abtfprobe go test -count=1 .
sed 's/ open .*: no such/ no such/' answers | head -n 4 >hidden
expect_text "$(cat hidden)" <<T
_text+$only 0x0 the kernel hides addresses: no such file or directory
_text+$only 0x0 the kernel hides addresses: no such file or directory
between+0x0 0x0 the kernel hides addresses: no such file or directory
[.text]+0x10 0x0 the kernel hides addresses: no such file or directory
T
rm live/sys/kernel/notes
expect 0 env -C program/abtfprobe go test -count=1 .
has answers '^known: \+0x0 0x0 the build id of the kernel or module cannot be read: open .*/notes: no such file'
