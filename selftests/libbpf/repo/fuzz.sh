#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# fuzz.sh SECONDS [TARGET...]: runs libbpf's own fuzz target and two of ours on BTF with addresses by abtf,
# for this number of seconds each. check.sh makes the tree. Inputs that crash are in
# build/libbpf-repo/fuzz/TARGET/. If no patched function is in the stack trace, it is a bug in libbpf.
#
#	bpf-object-fuzzer	libbpf's own: a BPF object
#	fuzz-btf		BTF
#	fuzz-split		a base and split BTF
set -eu
set -o pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
tree=$top/build/libbpf-repo/tree
out=$top/build/libbpf-repo/fuzz
cc=${CLANG:-clang}
# Disable these checks: libbpf reads unaligned BTF, shifts into the sign, and copies 0 bytes from NULL.
flags=(-g -O1 -std=gnu11 -fno-omit-frame-pointer "-fsanitize=address,undefined,fuzzer-no-link"
	"-fno-sanitize=alignment,shift,nonnull-attribute" -fno-sanitize-recover=undefined)

die() {
	echo "fuzz.sh: $*" >&2
	exit 1
}

[ $# -ge 1 ] || die 'usage: fuzz.sh SECONDS [TARGET...]'
seconds=$1
shift
[ $# != 0 ] || set -- bpf-object-fuzzer fuzz-btf fuzz-split
[ -d "$tree/src" ] || die 'no tree; check.sh creates it'

# --- targets ------------------------------------------------------------------

mkdir -p "$out/lib"
env -u MAKEFLAGS make -s -j2 -C "$tree/src" CC="$cc" CFLAGS="${flags[*]}" BUILD_STATIC_ONLY=y \
	OBJDIR="$out/lib" >"$out/build.log" 2>&1 || { cat "$out/build.log" >&2; die 'libbpf does not build'; }
cp "$tree/fuzz/bpf-object-fuzzer.c" "$here"/fuzz-*.c "$out/"
for target in bpf-object-fuzzer fuzz-btf fuzz-split; do
	"$cc" "${flags[@]}" -fsanitize=fuzzer -isystem "$tree/src" -isystem "$tree/include" \
		-isystem "$tree/include/uapi" -I"$here" -o "$out/$target" "$out/$target.c" \
		"$out/lib/libbpf.a" -lelf -lz
done

# --- corpus -------------------------------------------------------------------

seeds=$out/seeds
rm -rf "$seeds"
mkdir -p "$seeds"/{bpf-object-fuzzer,fuzz-btf,fuzz-split}
cd "$seeds"

cat >unit.c <<'C'
enum e { A, B };
struct s { int a; struct s *next; enum e e : 2; const char *names[3]; };
int variable;
static __attribute__((noinline, used)) int twin(struct s *s) { return s->a; }
int whole(struct s *s, long n, ...) { return twin(s) + n; }
__attribute__((section(".init.text"))) int setup(int (*f)(struct s *)) { return f((void *)0); }
C
sed 's/whole/half/; s/setup/setdown/; s/variable/other/; s/->a/->e/' unit.c >unit2.c

# image NAME COMPILER: NAME.btf and NAME.plain of two units
image() {
	local cflags=(-O2 -g -ffreestanding -fno-pie -fno-asynchronous-unwind-tables)

	"$2" "${cflags[@]}" -c -o "$1.1.o" unit.c && "$2" "${cflags[@]}" -c -o "$1.2.o" unit2.c &&
		"$2" -nostdlib -static -no-pie -Wl,-e,0,--defsym=_text=0x1000000,-Ttext=0x1000000 \
			-o "$1" "$1.1.o" "$1.2.o"
	"$top/encoder/abtf" encode -q -o "$1.btf" "$1"
	"$top/encoder/abtf" strip "$1.btf" "$1.plain"
}

image small gcc
! command -v s390x-linux-gnu-gcc >/dev/null || image big s390x-linux-gnu-gcc
"$top/encoder/abtf" encode -q -o example.btf "$top/build/example/vmlinux"
"$top/encoder/abtf" strip example.btf example.plain
"$top/encoder/abtf" encode -q --features=encode_force,var,float,decl_tag,type_tag,enum64,optimized_func,consistent_func,func_addr \
	-o equal.btf "$top/build/example/vmlinux"
cp ./*.btf ./*.plain fuzz-btf/

ld -r -o module.ko small.1.o small.2.o
"$top/encoder/abtf" encode -q small
"$top/encoder/abtf" encode -q --base small module.ko
objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc module.ko module.btf
objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc small base.btf
# split NAME BASE SPLIT
split() {
	local len

	len=$(stat -c %s "$2")
	# shellcheck disable=SC2059 # the bytes of a number
	printf "$(printf '\\x%02x\\x%02x\\x%02x\\x00' $((len & 255)) $((len >> 8 & 255)) $((len >> 16)))" |
		cat - "$2" "$3" >"fuzz-split/$1"
}
split module base.btf module.btf
split plain-base small.plain module.btf

cat >prog.c <<'C'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8);
	__type(key, int);
	__type(value, long);
} map SEC(".maps");
long calls;
extern int kfunc(int a) __ksym;
static __attribute__((noinline)) int sub(int a) { return a + calls; }
SEC("fentry/foo@a/b.c") int by_file(void *ctx) { calls++; return sub(3); }
SEC("kprobe/foo@b.c+4") int probe(void *ctx) { return kfunc(calls); }
SEC("fentry.multi/foo@*") int multi(void *ctx) { return 0; }
char _license[] SEC("license") = "GPL";
C
clang -target bpf -O2 -g -I"/usr/include/$(uname -m)-linux-gnu" -c -o prog.o prog.c
cp prog.o bpf-object-fuzzer/
for btf in small.btf small.plain module.btf; do
	objcopy --update-section .BTF=$btf prog.o "bpf-object-fuzzer/$btf.o" 2>/dev/null ||
		llvm-objcopy --update-section .BTF=$btf prog.o "bpf-object-fuzzer/$btf.o"
done
(cd bpf-object-fuzzer && python3 -m zipfile -e "$tree/fuzz/bpf-object-fuzzer_seed_corpus.zip" .)

# --- run ----------------------------------------------------------------------

status=0
for target; do
	dir=$out/$target.work
	rm -rf "$dir"
	mkdir -p "$dir/corpus" "$dir/crashes"
	cp "$seeds/$target"/* "$dir/corpus/"
	echo "$target: $(find "$dir/corpus" -type f | wc -l) seeds, $seconds s"
	# Keep the input and continue after a crash, so that one bug does not hide another.
	(cd "$dir" && nice -n 10 "$out/$target" -fork=1 -ignore_crashes=1 -ignore_timeouts=1 \
		-ignore_ooms=1 -timeout=20 -rss_limit_mb=2048 -max_len=65536 \
		-max_total_time="$seconds" -artifact_prefix=crashes/ corpus) >"$dir/log" 2>&1 || :
	grep '^#' "$dir/log" | tail -n 1
	found=$(find "$dir/crashes" -type f | wc -l)
	echo "$target: $found crashes, timeouts and the like, in $dir/crashes"
	[ "$found" = 0 ] || status=1
done
exit $status
