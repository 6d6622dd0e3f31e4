#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# FUNCs in init and exit text have no address: the code is freed after boot.
. "${0%/*}/../lib.sh"
unit a <<'C'
int __attribute__((section(".init.text"))) setup(int a) { return a; }
int __attribute__((section(".exit.text"))) leave(int a) { return a; }
int __attribute__((section(".exit.text"))) teardown(int a) { return a + 2; }
int stays(int a) { return a + 1; }
C
unit b <<'C'
static int __attribute__((section(".init.text"), noinline, used)) setup(char *s) { return *s; }
static int __attribute__((section(".init.text"), noinline, used)) first(char *s) { return *s; }
static int __attribute__((noinline, used)) teardown(char *s) { return *s; }
C
image vmlinux a.o b.o

for features in default func_addr,consistent_func; do
	begin "$features: functions in init and exit text have no address, and no twins"
	encode vmlinux --features=$features
	suffix=@b.c
	[ $features != func_addr,consistent_func ] || suffix=
	expect_text "$(funcs vmlinux)" <<-F
	first: int first(char *s)
	leave: int leave(int a)
	stays = stays: int stays(int a)
	teardown$suffix = teardown: int teardown(char *s)
	F
	expect_eq "$(skipped vmlinux)" "$(printf '%s: init_text\n' setup setup teardown)"
	verify vmlinux vmlinux.btf
	says 'DWARF agrees with 4 prototypes, contradicts 0 .* 0 functions are missing'
	expect 0 "$ABTF" check vmlinux vmlinux.btf
	says '4 functions, 2 with an address, . with a file: 0 violations'
done
encode vmlinux

begin 'list prints no address of a function in init text'
expect 0 "$ABTF" list vmlinux.btf first
says '^ *[0-9]+ +-  static   first '
expect_eq "$("$ABTF" list -j vmlinux.btf first | jq -c '.functions[].offset')" null

begin 'check reports an address in init text, and a missing one elsewhere'
text=$(nm vmlinux | sed -n 's/ . _text$//p')
for sec in init exit; do
	unit c <<<"int here(int a) { return a; } int __attribute__((section(\".$sec.text\"))) gone(int a) { return a; }"
	image vmlinux c.o
	encode vmlinux
	id=$(sed -nE 's/^\[([0-9]+)\] FUNC here .*/\1/p' vmlinux.dump)
	at=$(nm vmlinux | sed -n 's/ T gone$//p')
	"$edit" vmlinux.btf moved.btf "$id" 3 $((0x$at - 0x$text))
	objcopy --redefine-sym here=gone --redefine-sym gone=here vmlinux other
	expect 1 "$ABTF" check other moved.btf
	says "FUNC here\): has an address, but 'here' is not in core text"
	says "FUNC gone\): has no address, but 'gone' is in core text"
done
objcopy --redefine-sym here=gone vmlinux other
expect 1 "$ABTF" check other vmlinux.btf
says 'FUNC gone\): has no address, but 2 function symbols have its name'

begin 'a function that is not between _stext and _etext has no address'
unit d <<'C'
int __attribute__((section(".idmap.text"))) idmap(int a) { return a; }
int core(int a) { return a + 1; }
C
image idmap d.o
start=0x$(nm idmap | sed -n 's/ T core$//p')
image idmap d.o -Wl,--defsym=_stext=$start,--defsym=_etext=$start+8
encode idmap
expect_text "$(funcs idmap)" <<-F
core = core: int core(int a)
idmap: int idmap(int a)
F
verify idmap idmap.btf
start=0x$(nm idmap | sed -n 's/ T idmap$//p')
image other d.o -Wl,--defsym=_stext=$start,--defsym=_etext=$start+8
expect 1 "$ABTF" check other idmap.btf
says "FUNC core\\): has an address, but 'core' is not in core text"
says "FUNC idmap\\): has no address, but 'idmap' is in core text"

begin 'a record with a reserved bit is rejected'
"$edit" vmlinux.btf reserved.btf "$id" 4 0xff010000
expect 1 "$ABTF" list -a reserved.btf
says 'addr_hi is 0xff010000, expected 0xff000000'
