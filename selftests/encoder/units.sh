#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What stands in unit: tags, however the tree was built.
. "${0%/*}/../lib.sh"

src='static int __attribute__((noinline, used)) dup(int a) { return a; }'
tags() { types "$1" 'DECL_TAG unit:' | sed 's/DECL_TAG unit:\([^ ]*\) .*/\1/'; }

begin 'relative names stay as they are'
mkdir -p tree/kernel tree/fs
for f in kernel/a kernel/b fs/a; do echo "$src" >tree/$f.c; done
(cd tree && for f in kernel/a kernel/b fs/a; do unit $f <<<"$src"; done)
image vmlinux tree/kernel/a.o tree/kernel/b.o tree/fs/a.o
encode vmlinux
expect_eq "$(tags vmlinux)" "$(printf 'fs/a.c\nkernel/a.c\nkernel/b.c')"

begin 'absolute names below the compilation directory lose it'
objects=
for f in kernel/a kernel/b; do
	# shellcheck disable=SC2086
	(cd tree && $CC $common $machine -c -o abs-${f#*/}.o "$PWD/$f.c")
	objects="$objects tree/abs-${f#*/}.o"
done
# shellcheck disable=SC2086
image vmlinux2 $objects
need_dwarf vmlinux2 'DW_AT_name.*: /.*/tree/kernel/a\.c'
encode vmlinux2
expect_eq "$(tags vmlinux2)" "$(printf 'kernel/a.c\nkernel/b.c')"

begin 'a tree built elsewhere (O=): --strip-prefix cuts it'
mkdir -p out
for f in kernel/a kernel/b; do
	# shellcheck disable=SC2086
	(cd out && $CC $common $machine -c -o ${f#*/}.o "${PWD%/*}/tree/$f.c")
done
image vmlinux3 out/a.o out/b.o
encode vmlinux3
has vmlinux3.dump "unit:.*tree/kernel/a\.c"
encode vmlinux3 --strip-prefix "$PWD/nowhere" --strip-prefix "$PWD/tree"
expect_eq "$(tags vmlinux3)" "$(printf 'kernel/a.c\nkernel/b.c')"
encode vmlinux3 --strip-prefix "$PWD/tree/"
expect_eq "$(tags vmlinux3)" "$(printf 'kernel/a.c\nkernel/b.c')"
