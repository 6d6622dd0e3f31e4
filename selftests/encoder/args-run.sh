#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args: run a program, and compare the values at the printed locations with the arguments
# that its functions and inlined calls received, and with their results.
. "${0%/*}/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { begin 'arguments of a running program'; skip 'not on x86-64'; exit 77; }

generator=$selftests/kernel/modules/args.py
cp "$selftests/kernel/modules/"{args,opaque}.h .
"$python" "$generator" types >args-types.h
for i in 0 1 2 3; do
	"$python" "$generator" $i >args-$i.c
done
mkdir -p linux
echo '#define NULL ((void *)0)' >linux/types.h
cat >linux/compiler.h <<'C'
#define noinline __attribute__((noinline))
#define __always_inline inline __attribute__((always_inline))
#define __used __attribute__((used))
#define OPTIMIZER_HIDE_VAR(v) asm("" : "=r"(v) : "0"(v))
C
cat >args-main.c <<'C'
#include "args.h"
int args_sink;
long args_input[16];
void args_clobber(void)
{
	asm volatile("xor %%edi, %%edi" : : : "memory", "ax", "cx", "dx", "si", "di", "r8", "r9", "r10", "r11");
}
__used static void run(void)
{
	args_run_0();
	args_run_1();
	args_run_2();
	args_run_3();
	asm volatile("syscall" : : "a"(60), "D"(0));
}
asm(".globl start; start: xor %ebp, %ebp; and $-16, %rsp; call run; hlt");
C

# build NAME [FLAG...]: link the program at addresses where Linux can run it
build() {
	local name=$1 i

	shift
	for i in main 0 1 2 3; do
		# shellcheck disable=SC2086 # lists of flags
		$CC $common -mno-red-zone -mno-sse -funsigned-char -I. "$@" -c -o args-$i.o args-$i.c
	done
	link="${link/IMAGE_BASE=0xffffffff81000000/IMAGE_BASE=0x400000} -Wl,-e,start"
	link=${link/-Wl,--defsym=PERCPU_BASE=0/} machine='' image "$name" args-{main,0,1,2,3}.o
	"./$name"
}

# compares NAME NR...: fail if a value differs, or if fewer than NR functions, clones, results and
# inlined calls were compared
compares() {
	local name=$1 kind nr

	shift
	"$python" "$selftests/encoder/args_run.py" "./$name" "$ABTF_PROGRAM" >"$name.said"
	cat "$name.said"
	has_not "$name.said" 'instead of|not reached'
	for kind in functions clones results inlined; do
		nr=$(sed -n "s/^$kind: \([0-9]*\) compared$/\1/p" "$name.said")
		[ "${nr:-0}" -ge "$1" ] || { echo "$kind: ${nr:-0} compared instead of $1"; return 1; }
		shift
	done
}

begin 'gcc: every value that can be read is correct'
(build gcc; compares gcc 1597 300 98 2000)

begin 'gcc with frame pointers: every value that can be read is correct'
(build gcc-fp -fno-omit-frame-pointer -mpreferred-stack-boundary=3; compares gcc-fp 1597 300 98 1950)

begin 'clang: every value that can be read is correct'
(target clang; build clang; compares clang 1597 140 98 2200)
