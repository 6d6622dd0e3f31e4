#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Init and exit text keeps its FUNCs, flagged: they are not there after boot.
. "${0%/*}/../lib.sh"
unit a <<'C'
int __attribute__((section(".init.text"))) setup(int a) { return a; }
int __attribute__((section(".exit.text"))) teardown(int a) { return a; }
int stays(int a) { return a + 1; }
C
unit b <<'C'
static int __attribute__((section(".init.text"), noinline, used)) setup(char *s) { return *s; }
static int __attribute__((noinline, used)) teardown(char *s) { return *s; }
C
image vmlinux a.o b.o
encode vmlinux

begin 'functions in init and exit text are flagged, others are not'
expect_funcs vmlinux setup stays teardown <<'F'
setup = setup (init): int setup(int a)
setup@b.c = setup (init): int setup(char *s)
stays = stays: int stays(int a)
teardown@b.c = teardown: int teardown(char *s)
teardown = teardown (init): int teardown(int a)
F

begin 'check agrees'
expect 0 "$ABTF" check vmlinux vmlinux.btf
says '0 violations'

begin 'list shows the flag'
expect 0 "$ABTF" list vmlinux.btf setup
expect_eq "$(grep -c ' init ' out)" 2

begin 'check finds a flag that is missing and one too many'
image vmlinux2 a.o b.o
objcopy --add-section .BTF=vmlinux.btf vmlinux2
expect 0 "$ABTF" check vmlinux2
setup=$(sed -n 's/^.\([0-9]*\)\] FUNC setup .*/\1/p' vmlinux.dump | head -n 1)
stays=$(sed -n 's/^.\([0-9]*\)\] FUNC stays .*/\1/p' vmlinux.dump)
"$edit" vmlinux.btf reserved.btf "$setup" 4 0xff020000
expect 1 "$ABTF" check vmlinux reserved.btf
"$edit" vmlinux.btf unflagged.btf "$setup" 4 0xff000000
expect 1 "$ABTF" check vmlinux unflagged.btf
says setup
"$edit" vmlinux.btf flagged.btf "$stays" 4 0xff010000
expect 1 "$ABTF" check vmlinux flagged.btf
says stays
