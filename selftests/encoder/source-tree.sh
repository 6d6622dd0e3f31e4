#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The FILE in NAME@FILE does not depend on how and where a tree was built.
. "${0%/*}/../lib.sh"

dup='static int __attribute__((noinline, used)) dup(int a) { return a; }'
sources='init/main kernel/a fs/mod/m virt/n scripts/module-common'
generated='lib/gen fs/mod/mod.mod'
# make_tree DIR: write the source
make_tree() {
	local f
	for f in $sources; do
		mkdir -p "$1/${f%/*}"
		echo "$dup" >"$1/$f.c"
	done
	echo 'int common;' >"$1/scripts/module-common.c"
}

# build SRC OUT CDIR [FLAG...]: compile in the directory of the objects, like kbuild, with source
# files as SRC/FILE and generated files as FILE
build() {
	local src=$1 out=$2 f
	shift 2
	for f in $generated; do
		mkdir -p "$out/${f%/*}"
		[ "${f%.mod}" = "$f" ] && echo "$dup" >"$out/$f.c" || echo 'int mod;' >"$out/$f.c"
	done
	for f in $sources; do
		mkdir -p "$out/${f%/*}"
		# shellcheck disable=SC2086 # lists of flags
		(cd "$out" && $CC $common $machine "$@" -c -o $f.o "${src:+$src/}$f.c")
	done
	for f in $generated; do
		# shellcheck disable=SC2086
		(cd "$out" && $CC $common $machine "$@" -c -o $f.o $f.c)
	done
	image vmlinux "$out"/{init/main,kernel/a,virt/n,lib/gen}.o
	module mod.ko "$out"/{fs/mod/m,virt/n,fs/mod/mod.mod,scripts/module-common}.o
	module old.ko "$out"/{virt/n,fs/mod/m,fs/mod/mod.mod}.o
	module far.ko "$out"/{virt/n,kernel/a,scripts/module-common}.o
}

# names FILE: print the names of functions that share a name
names() {
	"$ABTF" list ${2:+--base "$2"} -j "$1" | jq -r '.functions[].name' | sort | tr '\n' ' '
}

# expect_names [but-old]: check all names of an image and of its modules, which must not depend on
# where they were built, except in modules before 6.12
expect_names() {
	"$ABTF" encode -q vmlinux
	"$ABTF" encode -q --base vmlinux mod.ko old.ko far.ko
	expect_eq "$(names vmlinux)" 'dup@init/main.c dup@kernel/a.c dup@lib/gen.c dup@virt/n.c ' vmlinux
	expect_eq "$(names mod.ko vmlinux)" 'dup@fs/mod/m.c dup@virt/n.c ' module
	[ -n "${1-}" ] ||
		expect_eq "$(names old.ko vmlinux)" 'dup@fs/mod/m.c dup@virt/n.c ' 'module before 6.12'
	expect_eq "$(names far.ko vmlinux)" 'dup@kernel/a.c dup@virt/n.c ' 'module from other directories'
}

for cc in gcc clang; do
	have $cc || { begin "$cc"; skip "no $cc"; continue; }
	target $cc
	rm -rf "$cc" && mkdir "$cc" && cd "$cc"
	make_tree tree/src
	src=$PWD/tree/src

	begin "$cc: in the tree"
	build '' "$src"
	need_dwarf vmlinux 'DW_AT_name .*: init/main\.c'
	expect_names
	rm -f "$src"/*/*.o "$src"/*/*/*.o "$src/lib" -r

	begin "$cc: O=, next to the tree"
	build "$src" out
	need_dwarf vmlinux 'DW_AT_name .*: /.*/tree/src/init/main\.c'
	expect_names

	begin "$cc: O=, and generated files have an absolute name, too"
	(cd out && $CC $common $machine -c -o lib/gen.o "$PWD/lib/gen.c")
	image vmlinux out/{init/main,kernel/a,virt/n,lib/gen}.o
	need_dwarf vmlinux 'DW_AT_name .*: /.*/out/lib/gen\.c'
	expect_names

	begin "$cc: O=, a directory in the tree, which is then named .."
	build .. "$src/build"
	need_dwarf vmlinux 'DW_AT_name .*: \.\./init/main\.c'
	expect_names

	begin "$cc: O=, deeper in the tree"
	build "$src" "$src/debian/build/amd64"
	expect_names

	begin "$cc: O=, above the tree"
	build "$src" tree
	expect_names

	begin "$cc: prefixes mapped, to other directories and to none"
	nr=-1
	for map in "$src=." "$src=/usr/src/linux" "$src=" "$src/=" "$PWD=/build" "$PWD/="; do
		for from in "$src|$PWD/out" "..|$src/build" "$src|$src/debian/build/amd64" "|$src"; do
			# gcc: each map, from each directory; clang, and gcc in "make test": from one of the four
			nr=$((nr + 1))
			[ $cc$QUICK = gcc ] || [ $((nr % 4)) = $(((nr / 4 + 2) % 4)) ] || continue
			build "${from%|*}" "${from#*|}" "-ffile-prefix-map=$map"
			# if a module's own names do not show the root
			[ "$map" = "$PWD/=" ] && but=but-old || but=
			expect_names $but
			[ -z "$case_failed" ] || { echo "$map, $from"; break; }
		done
	done
	need_dwarf vmlinux 'DW_AT_comp_dir .*: tree/src$'

	cd ..
done
target gcc

# The kernel is in tree/src, its objects are in out, and an external module is in mine.
src=$PWD/gcc/tree/src out=$PWD/gcc/out mine=$PWD/mine
mkdir -p mine/sub other
echo "$dup" | tee mine/m.c mine/sub/n.c >/dev/null
echo 'int mod;' | tee mine/mod.mod.c other/mod.mod.c >/dev/null
# compile FROM FILE...: compile in directory FROM, to FROM/*.o
compile() {
	local from=$1 f
	shift
	for f; do
		# shellcheck disable=SC2086
		(cd "$from" && $CC $common $machine -c -o "$(basename "$f" .c).o" "$f")
	done
}
begin 'a module outside of the tree: from where the kernel was built, to Linux 6.12'
mkdir -p gcc/out
compile "$out" "$mine/m.c" "$mine/sub/n.c" "$mine/mod.mod.c" "$src/scripts/module-common.c"
module mine.ko "$out"/{m,n,mod.mod,module-common}.o
cp gcc/vmlinux vmlinux
"$ABTF" encode -q --base vmlinux mine.ko
expect_eq "$(names mine.ko vmlinux)" 'dup@m.c dup@sub/n.c '

begin 'a module outside of the tree: from its own directory, since 6.13'
compile "$mine" m.c sub/n.c mod.mod.c "$src/scripts/module-common.c"
module mine.ko "$mine"/{m,n,mod.mod,module-common}.o
"$ABTF" encode -q --base vmlinux mine.ko
expect_eq "$(names mine.ko vmlinux)" 'dup@m.c dup@sub/n.c '

begin 'a module outside of the tree: from a directory for its objects (MO=)'
compile other "$mine/m.c" "$mine/sub/n.c" mod.mod.c "$src/scripts/module-common.c"
module mine.ko other/{m,n,mod.mod,module-common}.o
"$ABTF" encode -q --base vmlinux mine.ko
expect_eq "$(names mine.ko vmlinux)" 'dup@m.c dup@sub/n.c '

begin 'not a kernel: relative to the common directory of all files'
compile "$out" "$mine/m.c" "$mine/sub/n.c"
image small "$out"/{m,n}.o
"$ABTF" encode -q small
expect_eq "$(names small)" 'dup@m.c dup@sub/n.c '

begin 'files of declarations are relative to the tree, too'
cd gcc
build "$src" out
"$ABTF" encode -q vmlinux
expect_eq "$("$ABTF" list -j vmlinux | jq -r '.functions[].decl_file' | sort | tr '\n' ' ')" \
	'init/main.c kernel/a.c lib/gen.c virt/n.c '
cd ..

begin '--strip-prefix: the first root that matches is removed'
encode gcc/vmlinux --strip-prefix "$PWD/nowhere" --strip-prefix "$PWD/gcc" --strip-prefix "$src"
expect_eq "$(names gcc/vmlinux.btf)" \
	'dup@out/lib/gen.c dup@tree/src/init/main.c dup@tree/src/kernel/a.c dup@tree/src/virt/n.c '
encode gcc/vmlinux --strip-prefix "$src/"
expect_eq "$(names gcc/vmlinux.btf)" 'dup@init/main.c dup@kernel/a.c dup@lib/gen.c dup@virt/n.c '
