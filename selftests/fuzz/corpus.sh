#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Generates the fuzz targets' initial corpus from the C code in the tests, with the
# tests' compilers: corpus.sh DIR puts objects and linked images into DIR/image, and
# BTF, alone and split with its base in front, into DIR/btf.  DIR/base.btf and
# DIR/image.elf are not mutated: a base for images, an image for BTF.
set -eu
shopt -s nullglob
selftests=$(cd "$(dirname "$0")/.." && pwd)
abtf=$selftests/../encoder/abtf
dir=$1

# Small ones: what takes longer to read is mutated less often.
max_image=24000 max_btf=8000

mkdir -p "$dir/work" "$dir/image" "$dir/btf"
cd "$dir/work"

# Each here-document that a test feeds to the compiler becomes a file.
awk '
	/^[ \t]*unit .*<<-?.?[A-Z]+/ && !end {
		end = $0
		sub(/.*<<-?.?/, "", end)
		sub(/[^A-Z].*/, "", end)
		out = sprintf("%03d.c", ++nr)
		next
	}
	end && $1 == end { close(out); end = ""; next }
	end { print >out }' "$selftests"/encoder/*.sh

common='-O2 -g -std=gnu11 -ffreestanding -fno-pie -fno-stack-protector
	-fno-asynchronous-unwind-tables -fno-common -w'
# One after the other, so that every compiler sees every kind of source.
compilers=('gcc -gdwarf-5' 'clang-19 -gdwarf-5' 'gcc -gdwarf-4' 'aarch64-linux-gnu-gcc -gdwarf-5'
	   's390x-linux-gnu-gcc -gdwarf-5' 'gcc -m32 -gdwarf-5' 'gcc -gdwarf-5 -gbtf'
	   'clang-19 -gdwarf-5 -gdwarf64')
link="-nostdlib -static -Wl,--build-id=sha1 -Wl,-z,max-page-size=4096 -Wl,-e,0
	-Wl,--no-warn-rwx-segments -Wl,--unresolved-symbols=ignore-all
	-Wl,--defsym=IMAGE_BASE=0xffffffff81000000 -Wl,--defsym=PERCPU_BASE=0
	-Wl,-T,$selftests/example/vmlinux.lds"

n=0
for source in [0-9]*.c; do
	compiler=${compilers[n++ % ${#compilers[@]}]}
	name=${source%.c}
	# shellcheck disable=SC2086 # lists of flags
	$compiler $common -c -o "$name.o" "$source" 2>/dev/null || continue
	# shellcheck disable=SC2086
	case $compiler in
	gcc\ -gdwarf-[45])
		gcc $common $link -o "$name.elf" "$name.o" 2>/dev/null || true ;;
	esac
done

for image in *.o *.elf; do
	[ "$(stat -c %s "$image")" -le $max_image ] || continue
	cp "$image" "$dir/image"
	# the last byte selects the features (image.c): as pahole, with true_signature
	{ cat "$image"; printf '\014'; } >"$dir/image/$image.pahole"
	"$abtf" encode -q -o "${image//./-}.btf" "$image" 2>/dev/null || continue
	cp "$image" "$dir/image/$image.btf"
	"$abtf" encode -q "$dir/image/$image.btf" 2>/dev/null || rm "$dir/image/$image.btf"
done

base=''
for btf in *.btf; do
	[ "$(stat -c %s "$btf")" -le $max_btf ] || continue
	cp "$btf" "$dir/btf"
	image=${btf%.btf} image=${image%-*}.${image##*-}
	[ -z "$base" ] || ! "$abtf" encode -q --base "$base" -o split "$image" 2>/dev/null ||
		cat "$base" split >"$dir/btf/$btf.split"
	base=$btf
done
# the largest of each
cp "$(ls -S [0-9]*-elf.btf | head -n 1)" "$dir/base.btf"
cp "$(ls -S [0-9]*.elf | head -n 1)" "$dir/image.elf"
cd ..
rm -r work
echo "  $(find image -type f | wc -l) images, $(find btf -type f | wc -l) files of BTF"
