#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Generates the fuzz targets' initial corpus from the C code in the tests, with the
# tests' compilers: corpus.sh DIR puts objects and linked images into DIR/image, and
# BTF, alone and split with its base in front, into DIR/btf, and expressions and lists into
# DIR/expr.  DIR/base.btf and
# DIR/image.elf are not mutated: a base for images, an image for BTF.
set -eu
shopt -s nullglob
selftests=$(cd "$(dirname "$0")/.." && pwd)
abtf=$selftests/../encoder/abtf
dir=$1

# Small inputs only: large inputs are mutated less often.
max_image=24000 max_btf=8000

mkdir -p "$dir/work" "$dir/image" "$dir/btf" "$dir/expr"
cd "$dir/work"

# Each here-document that a test feeds to the compiler becomes a file. Shell variables in it are not
# expanded; files that do not compile are ignored.
awk '
	/^[ \t]*unit .*<<-?[\047"]?[A-Z]/ && !end {
		end = $0
		sub(/.*<<-?[\047"]?/, "", end)
		sub(/[^A-Z].*/, "", end)
		out = sprintf("%03d.c", ++nr)
		next
	}
	end && $1 == end { close(out); end = ""; next }
	end { print >out }' "$selftests"/encoder/{lib/,}*.sh

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

n=0 compiled=()
for source in [0-9]*.c; do
	compiler=${compilers[n++ % ${#compilers[@]}]}
	name=${source%.c}
	# shellcheck disable=SC2086 # lists of flags
	$compiler $common -c -o "$name.o" "$source" 2>/dev/null || continue
	compiled[$(((n - 1) % ${#compilers[@]}))]+=x
	# shellcheck disable=SC2086
	case $compiler in
	gcc\ -gdwarf-[45])
		gcc $common $link -o "$name.elf" "$name.o" 2>/dev/null || true ;;
	esac
done

# a compiler that is missing would only make the corpus smaller
for i in "${!compilers[@]}"; do
	[ "$(wc -c <<<"${compiled[i]:-}")" -gt 20 ] || { echo "corpus.sh: ${compilers[i]} compiles hardly any source" >&2; exit 1; }
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
# expr NAME HEADER BYTES SECTION: see expr.c
expr() {
	{
		printf '%b' "$2$3"
		cat "$4"
	} >"$dir/expr/$1"
}

# The lists start after the header in DWARF 5, or at 0.
for image in *.o; do
	for section in loclists:043:014 rnglists:043:014 loc:042:0 ranges:042:0; do
		IFS=: read -r name version start <<<"$section"
		objcopy -O binary --set-section-flags ".debug_$name=alloc" -j ".debug_$name" "$image" list \
			2>/dev/null && [ -s list ] && [ "$(stat -c %s list)" -le 4000 ] || continue
		expr "$image.$name" "\\0$version\\0\\0$start\\0" '' list
	done
done
# Expressions by gcc and clang, for versions 2 to 5, addresses of 4 bytes, and big endian
printf '\010\0\0\0\005\0\010\0\001\002\003\004\005\006\007\010' >addresses
n=0
while read -r length bytes; do
	for header in 00 03 04 07 020 023 043; do
		expr "by-hand-$n-$header" "\\0$header\\0$length\\010\\0" "$bytes" addresses
	done
	n=$((n + 1))
done <<'BYTES'
01 \x55
02 \x75\x00
03 \x91\x80\x7f
03 \xa3\x01\x55
04 \xa3\x01\x55\x9f
02 \x30\x9f
05 \x71\x08\x06\x23\x10
011 \x03\x01\x02\x03\x04\x05\x06\x07\x08
013 \x03\x01\x02\x03\x04\x05\x06\x07\x08\x23\x10
04 \xa1\x00\x23\x10
06 \x55\x93\x08\x54\x93\x08
05 \x93\x08\x54\x93\x04
03 \x9c\x23\x08
05 \x11\x7e\x08\x03\x1e
06 \x0c\xff\xff\xff\xff\x1f
06 \x70\x00\x71\x00\x22\x9f
05 \x30\x31\x16\x1c\x9f
06 \x90\x21\x9e\x01\x07\x96
04 \x31\x34\x24\x9f
010 \x0c\xff\xff\xff\xff\x34\x26\x9f
05 \x09\xf0\x34\x25\x9f
BYTES
# the largest of each
cp "$(ls -S [0-9]*-elf.btf | head -n 1)" "$dir/base.btf"
cp "$(ls -S [0-9]*.elf | head -n 1)" "$dir/image.elf"
cd ..
rm -r work
echo "  $(find image -type f | wc -l) images, $(find btf -type f | wc -l) files of BTF, $(find expr -type f | wc -l) expressions and lists"
