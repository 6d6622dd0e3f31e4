#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of the patched libbpf: built with ASan and UBSan, run without a kernel.
#	LINUX=DIR	the source tree (build/linux-KVER/patched, made if it is not there)
#	LIBBPF=DIR	or this patched checkout of libbpf's repository: repo/check.sh makes it
. "${0%/*}/../lib.sh"
have clang || { begin 'the patched libbpf'; skip 'no clang'; exit 77; }

begin 'the patched libbpf builds with ASan and UBSan'
unit=$top/build/libbpf/${KVER:-6.12}
header=${LINUX:-$top/build/linux-${KVER:-6.12}/patched}/tools/lib/bpf/btf.h
if [ -n "${LIBBPF:-}" ]; then
	unit=$top/build/libbpf-repo/tests
	header=$LIBBPF/src/btf.h
elif [ -z "${LINUX:-}" ]; then
	make --no-print-directory -s -C "$top" vm-source
fi
make --no-print-directory -C "$selftests/libbpf/patched"

# These programs are never loaded, so their targets need not exist.
cat >object.c <<'E_C'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
SEC("?fentry/foo@a/b.c") int by_file(void *ctx) { return 0; }
SEC("?fentry/foo@LONG/b.c") int by_long_file(void *ctx) { return 0; }
SEC("?fentry/foo") int by_name(void *ctx) { return 0; }
SEC("?kprobe/foo@a/b.c") int probe(void *ctx) { return 0; }
SEC("?kprobe/foo") int probe_by_name(void *ctx) { return 0; }
SEC("?fentry") int unnamed(void *ctx) { return 0; }
char _license[] SEC("license") = "GPL";
E_C
# the longest name that the kernel can have, cut off
sed -i "s|LONG|$(printf 'x%.0s' {1..503})|" object.c
clang -target bpf -O2 -g -I"/usr/include/$(uname -m)-linux-gnu" -c -o object.o object.c
"$ABTF" encode -q -o image.btf "$example"

# The test never exits with 99, so no report of a sanitizer is missed.
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99:halt_on_error=1:print_stacktrace=1
status=0
"$unit/test" object.o image.btf >results || status=$?
end_case
cat results >&3

begin 'the unit tests ran to the end'
case $status in
0)	;;
1)	grep -q '^fail' results || fail 'exit status 1, though no test failed' ;;
*)	fail "exit status $status" ;;
esac
# libbpf 1.8 can sort types and write a layout section
wanted=17
! grep -q btf__new_empty_opts "$header" || wanted=30
expect_eq "$(grep -c . results)" $wanted 'number of tests'
