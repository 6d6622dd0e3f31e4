#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# For clients/*.host: programs of Debian unstable, which need its loader and libraries.
# $sid is the directory to which fetch-clients.sh unpacked them.
set -eu -o pipefail
sid=$TOP/build/clients-sid

# bundle PACKAGE PROGRAM: make /files/bin/NAME, which runs PROGRAM with the libraries of PACKAGE
bundle() {
	local root=$sid/$1 program=$2 name loader libraries

	name=${program##*/}
	loader=$root/lib64/ld-linux-x86-64.so.2
	libraries=$(echo "$root"/usr/lib/*-linux-gnu)
	mkdir -p bin lib programs
	"$loader" --library-path "$libraries" --list "$program" | grep -o '/[^ ]*' |
		while read -r library; do
			cp -Lu "$library" lib/
		done
	cp -L "$loader" lib/loader
	cp "$program" programs/
	printf '#!/bin/sh\nexec /files/lib/loader --library-path /files/lib /files/programs/%s "$@"\n' "$name" >"bin/$name"
	chmod +x "bin/$name"
}

# build_with_libbpf NAME: build progs/NAME.c with unstable's libbpf
build_with_libbpf() {
	local root=$sid/libbpf-dev

	gcc --sysroot="$root" -B"$root/usr/lib/x86_64-linux-gnu" -O2 -w -I. -o "$1.bin" \
		"$TOP/selftests/kernel/progs/$1.c" -lbpf -lelf -lz
	mv "$1.bin" "$1"
	bundle libbpf-dev "$PWD/$1"
	rm "$1"
}
