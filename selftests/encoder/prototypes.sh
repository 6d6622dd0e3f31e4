#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Instances of one name: each has its own address, prototype and unit.
. "${0%/*}/../lib.sh"
mkdir -p kernel fs
unit kernel/one <<'C'
static int __attribute__((noinline, used)) dup(int a) { return a; }
C
unit kernel/two <<'C'
static long __attribute__((noinline, used)) dup(char *s, int n) { return s[n]; }
C
unit kernel/three <<'C'
static int __attribute__((noinline, used)) dup(int a) { return a + 1; }
int unique(void) { return 0; }
C
image vmlinux kernel/one.o kernel/two.o kernel/three.o
expect_eq "$(nm vmlinux | grep -c ' t dup$')" 3
encode vmlinux

begin 'two prototypes under one name, three bodies, in the order of addresses'
expect_funcs vmlinux dup <<'F'
dup = dup: int dup(int a)
dup = dup: long int dup(char *s, int n)
dup = dup: int dup(int a)
F
expect_eq "$(grep -o 'FUNC dup addr 0x[0-9a-f]*' vmlinux.dump | sort -u | wc -l)" 3

begin 'equal prototypes are one type'
expect_eq "$(types vmlinux 'FUNC_PROTO.*int \(int a\)' | wc -l)" 1

begin 'each has a unit: tag, unique names have none'
expect_eq "$(types vmlinux 'DECL_TAG unit:' | sed 's/ on .*//')" \
	"$(printf 'DECL_TAG unit:kernel/%s.c\n' one three two)"

begin 'selectors pick each of them'
"$ABTF" list -j vmlinux.btf dup >list.json
expect_eq "$(jq length list.json)" 3
expect 0 "$ABTF" list vmlinux.btf dup@kernel/two.c
says 'long.* dup\(char \*s, int n\)'
expect 0 "$ABTF" list vmlinux.btf dup@two.c
expect_eq "$(grep -c 'dup(' out)" 1
expect 0 "$ABTF" list vmlinux.btf dup@2
says 'kernel/two\.c'
expect 1 "$ABTF" list vmlinux.btf dup@4
expect 1 "$ABTF" list vmlinux.btf dup@wo.c
expect 1 "$ABTF" list vmlinux.btf nothing

begin 'ids: types, then one run of FUNCs by name and address, then the rest'
awk '$2 == "FUNC" { if (ended) exit 1; in_run = 1; next } in_run { ended = 1 }
     ended && $2 !~ /^(VAR|DATASEC|DECL_TAG)$/ { exit 1 }' vmlinux.dump ||
	fail 'not in order'
expect_eq "$(grep ' FUNC ' vmlinux.dump | cut -d' ' -f3)" "$(printf 'dup\ndup\ndup\nunique')"

begin 'the same unit compiled twice: two instances, told apart by number'
mkdir -p twice
cat >twice/fill.c <<'C'
#ifdef COMPAT
typedef int word;
#else
typedef long word;
#endif
static word __attribute__((noinline, used)) fill(word w) { return w; }
C
unit fs/binfmt <twice/fill.c
mv fs/binfmt.o fs/native.o
unit fs/binfmt -DCOMPAT <twice/fill.c
mv fs/binfmt.o fs/compat.o
image vmlinux2 fs/native.o fs/compat.o
encode vmlinux2
expect_funcs vmlinux2 fill <<'F'
fill = fill: word fill(word w)
fill = fill: word fill(word w)
F
expect_eq "$(types vmlinux2 '^TYPEDEF word')" \
	"$(printf 'TYPEDEF word -> int\nTYPEDEF word -> long int')"
expect_eq "$(types vmlinux2 'unit:fs/binfmt.c' | wc -l)" 2
"$ABTF" list -j vmlinux2.btf >list.json
expect_eq "$(jq -r '.[].selector' list.json)" "$(printf 'fill@1\nfill@2')"

begin 'a twin that is skipped: what is left is tagged all the same'
unit kernel/five <<'C'
static __attribute__((noinline, used)) int gone(int x) { return x; }
C
unit kernel/six <<'C'
asm(".pushsection .text\n.type gone, @function\n.local gone\ngone: nop\n.size gone, 1\n.popsection");
C
image vmlinux3 kernel/five.o kernel/six.o
expect_eq "$(nm vmlinux3 | grep -c ' t gone$')" 2
encode vmlinux3
expect_eq "$(funcs vmlinux3 gone)" 'gone = gone: int gone(int x)'
expect_eq "$(types vmlinux3 'unit:kernel/five.c' | wc -l)" 1
expect_eq "$(skipped vmlinux3 | grep '^gone:')" 'gone: no_dwarf'
expect 0 "$ABTF" check vmlinux3 vmlinux3.btf

begin 'func_addr=ambiguous: only names with several instances have addresses'
"$ABTF" encode -q --features=+func_addr=ambiguous -o some.btf vmlinux
"$dump" some.btf >some.dump
expect_eq "$(grep -c 'FUNC dup addr' some.dump)" 3
expect_eq "$(grep -c 'FUNC unique linkage' some.dump)" 1
has some.dump 'FUNC unique linkage'
expect_eq "$(grep ' FUNC ' some.dump | cut -d' ' -f3 | head -n 1)" unique 'unaddressed ones come first'
expect 0 "$ABTF" check vmlinux some.btf
