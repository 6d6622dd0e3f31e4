#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# clang describes the parameters of a function only after the instructions that it inserts
# at the start: landing pads, and space for ftrace. If these change no register, a location
# that is valid after them is also valid on entry.
. "${0%/*}/../lib.sh"

source='static __attribute__((noinline)) int quiet(int v, int w);
	__attribute__((noinline)) void sink(int v) { __asm__ volatile("" : : "r"(v) : "memory"); }
	static __attribute__((noinline)) int quiet(int v, int w) { sink(0); return v + w; }
	int loud(int a) { return quiet(a, 3) + quiet(a + 1, a); }'

# at IMAGE SYMBOL: print its offset in the file
at() {
	local address

	address=$(nm "$1" | sed -n "s/ [tT] $2\$//p")
	readelf -SW "$1" | sed -n 's/^ *\[ *[0-9]*\] \.text *PROGBITS *\([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2/p' |
		{ read -r start offset; echo $((0x$address - 0x$start + 0x$offset)); }
}

# overwrite IMAGE FUNCTION BYTES OFFSET: overwrite code
overwrite() {
	printf '%b' "$3" | dd of="$1" bs=1 seek=$(($(at "$1" "$2") + $4)) conv=notrunc status=none
}

for machine_name in clang aarch64; do
	target $machine_name
	case $machine_name in
	clang)
		have clang || { skip 'no clang'; exit 77; }
		flags='-fcf-protection=branch -fpatchable-function-entry=5'
		moves='\x89\xfe' after=0
		;;
	aarch64)
		flags='-mbranch-protection=bti -fpatchable-function-entry=2'
		moves='\xe0\x03\x01\x2a' after=4
		;;
	esac
	linker=$CC
	[ $machine_name = clang ] || CC="clang --target=aarch64-linux-gnu"

	begin "$machine_name: locations after a landing pad and space for ftrace are proven"
	# shellcheck disable=SC2086 # lists of flags
	unit patchable $flags <<<"$source"
	CC=$linker
	image patchable patchable.o
	encode patchable
	expect_eq "$(funcs patchable quiet | sed 's/: void /: int /')" 'quiet = quiet: int quiet(int v, int w)'
	verify patchable patchable.btf

	begin "$machine_name: locations after an instruction that moves an argument are not proven"
	cp patchable moved
	overwrite moved quiet "$moves" "$after"
	! cmp -s moved patchable || fail 'no byte was changed'
	encode moved
	expect_eq "$(skipped moved)" 'quiet: late_parameter'

	begin "$machine_name: without the code, locations are not proven"
	tool objcopy --only-keep-debug patchable stripped
	encode stripped
	expect_eq "$(skipped stripped)" 'quiet: late_parameter'
done

# entry NAME FLAG...: compile an object with clang or CLANG whose functions start with additional code
entry() {
	"${CLANG:-clang}" "${@:2}" -O2 -g -ffreestanding -w -x c -c -o "$1.o" - <<-'C'
	struct s { int a; struct s *n; };
	void ext(struct s *);
	__attribute__((noinline)) int callee(struct s *p, int n)
	{
		int r = 0;

		while (p && n--) {
			r += p->a;
			p = p->n;
			ext(p);
		}
		return r;
	}
	__attribute__((noinline)) int simple(struct s *p, int n) { return p->a + n; }
	int user(struct s *p) { ext(p); return callee(p, 3) + simple(p, 5); }
	C
}

have clang || { skip 'no clang'; exit 77; }
begin 'clang: parameters are described after a call of __fentry__, or after the global entry'
entry x86 -target x86_64-linux-gnu -pg -mfentry
entry x86-cet -target x86_64-linux-gnu -pg -mfentry -fcf-protection=branch
entry s390 -target s390x-linux-gnu -pg -mfentry
entry riscv -target riscv64-linux-gnu -fpatchable-function-entry=4
names='x86 x86-cet s390 riscv'
# instructions of any length, and one with all prefixes
for space in 10 15 16,4 100; do
	entry x86-${space%,*} -target x86_64-linux-gnu -fpatchable-function-entry=$space
	names="$names x86-${space%,*}"
done
# older versions do not support it
if clang -target powerpc64le-linux-gnu -fpatchable-function-entry=2 -x c -c -o try.o /dev/null; then
	entry ppc64 -target powerpc64le-linux-gnu -fpatchable-function-entry=2
	entry ppc64-before -target powerpc64le-linux-gnu -fpatchable-function-entry=4,2
	names="$names ppc64 ppc64-before"
fi
if have clang-19; then
	CLANG=clang-19 entry ppc64be -target powerpc64-linux-gnu -mabi=elfv2 -fpatchable-function-entry=2
	names="$names ppc64be"
fi
for name in $names; do
	encode $name.o
	skipped $name.o | expect_none $name
done
target clang
echo 'void __fentry__(void) {} void ext(void *s) {}' | unit fentry
image fentry x86.o fentry.o
encode fentry
skipped fentry | expect_none

begin 'clang: a prefix of another instruction is not space for ftrace'
echo 'void ext(void *s) {}' | unit ext
image prefixed x86-10.o ext.o
encode prefixed
skipped prefixed | expect_none
for code in '\x66\x89\xfe\x90' '\x0f\x1f\x84\0\0\0\0\0\x90\x66'; do
	overwrite prefixed callee "$code" 0
	encode prefixed
	expect_eq "$(skipped prefixed)" 'callee: late_parameter' "$code"
done

begin 'clang: a call of another function may change registers'
for name in x86 x86-cet; do
	objcopy --redefine-sym __fentry__=__fentry $name.o other-$name.o
	encode other-$name.o
	expect_eq "$(skipped other-$name.o)" 'callee: late_parameter' $name
done
echo 'void __fentry(void) {} void __fentry__(void) {} void ext(void *s) {}' | unit other
image other other-x86.o other.o
encode other
expect_eq "$(skipped other)" 'callee: late_parameter'
