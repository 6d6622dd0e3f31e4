#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Several symbols at one address: each symbol that DWARF describes has a FUNC.
. "${0%/*}/../lib.sh"

# gcc writes no DWARF for an alias attribute, so only the symbol table has the other name.
begin 'two names of one body: the one that DWARF describes has a FUNC'
unit a <<'C'
int real_name(int a) { return a; }
extern int other_name(int a) __attribute__((alias("real_name")));
int user(void) { return other_name(1); }
C
unit b <<'C'
extern int other_name(int a);
int remote(void) { return other_name(2); }
C
image vmlinux a.o b.o
need_symbol vmlinux 'T other_name'
expect_eq "$(nm vmlinux | awk '/_name$/ { print $1 }' | uniq | wc -l)" 1
encode vmlinux
expect_funcs vmlinux real_name other_name <<'F'
real_name = other_name/real_name: int real_name(int a)
F
expect_eq "$(skipped vmlinux)" 'other_name: no_dwarf'
expect 0 "$ABTF" check vmlinux vmlinux.btf

begin 'an alias never gets the prototype of the body that it refers to'
unit c <<'C'
long __se_sys_x(long fd) { return fd; }
long sys_x(int fd) __attribute__((alias("__se_sys_x")));
C
image vmlinux2 c.o
need_symbol vmlinux2 'T sys_x'
encode vmlinux2
expect_funcs vmlinux2 sys_x __se_sys_x <<'F'
__se_sys_x = __se_sys_x/sys_x: long int __se_sys_x(long int fd)
F

begin 'a symbol whose body has another name in DWARF is skipped'
unit d <<'C'
int in_source(int a) __asm__("in_symbols");
int in_source(int a) { return a; }
int as_is(int a) { return in_source(a); }
int same(int a) __attribute__((alias("as_is")));
C
image other d.o
need_dwarf other 'DW_AT_name *: .*in_source'
for features in func_addr encode_force; do
	encode other --features=$features
	expect_text "$(skipped other)" <<-'E'
	in_symbols: other_name
	same: no_dwarf
	E
done

begin 'the report lists every symbol'
expect_eq "$(jq '.instances == .encoded + ([.skipped[]] | add)' vmlinux.report)" true
expect_eq "$(jq '.instances == (.functions | length)' vmlinux.report)" true
