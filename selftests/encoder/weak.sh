#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# An overridden __weak body is in DWARF and in .text, but no symbol names it.
. "${0%/*}/../lib.sh"

unit weak <<'C'
int __attribute__((weak)) arch_hook(int a) { return a; }
int user(void) { return arch_hook(1); }
C
unit strong <<'C'
int arch_hook(int a) { return a + 1; }
C
unit other <<'C'
long __attribute__((weak)) arch_hook(long a, long b) { return a - b; }
int __attribute__((weak)) arch_unset(int a) { return a; }
int other(void) { return arch_unset(1); }
C

for first in weak strong; do
	begin "only the body that won has a FUNC ($first linked first)"
	[ $first = weak ] && image vmlinux weak.o strong.o other.o ||
		image vmlinux strong.o weak.o other.o
	need_symbol vmlinux 'T arch_hook'
	need_symbol vmlinux 'W arch_unset'
	expect_eq "$(readelf --debug-dump=info vmlinux | grep -c 'DW_AT_name.*: arch_hook')" 3 bodies
	encode vmlinux
	expect_funcs vmlinux arch_hook arch_unset <<-'F'
	arch_hook = arch_hook: int arch_hook(int a)
	arch_unset = arch_unset: int arch_unset(int a)
	F

	begin "an overridden body is not a second instance, so no name gets a file ($first linked first)"
	has_not vmlinux.dump 'FUNC .*@'
	expect_eq "$(jq '[.functions[] | select(.name == "arch_hook")] | length' vmlinux.report)" 1
	expect_eq "$(jq .bodies_without_symbol vmlinux.report)" 2
	expect 0 "$ABTF" check vmlinux vmlinux.btf
done

# The prototype is taken from the body at the symbol, as in pahole since 1.32.
unit w1 <<'C'
int __attribute__((weak)) hook(int unused) { return 0; }
int w1(void) { return hook(1); }
C
unit s1 <<'C'
int hook(int value) { return value; }
C
begin 'parameters are named as in the body at the symbol, also with abtf-pahole'
image vmlinux w1.o s1.o
encode vmlinux
expect_funcs vmlinux hook <<'F'
hook = hook: int hook(int value)
F
"$ABTF_PAHOLE" -J --btf_encode_detached=pahole.btf vmlinux
"$dump" pahole.btf >pahole.dump
has pahole.dump 'FUNC hook.*int hook\(int value\)'

# pahole reads DW_AT_low_pc and no ranges: a body in pieces has no address there.
unit s2 <<'C'
void __attribute__((cold, noinline)) rare(int a) { asm volatile("" :: "r"(a)); }
int hook(int value, int by)
{
	if (value == by) {
		rare(value);
		rare(by);
		return 0;
	}
	return value * by;
}
C
unit w2 <<'C'
int __attribute__((weak)) hook(int unused, int neither) { return 0; }
int w2(void) { return hook(1, 2); }
C
begin 'a body in pieces: like pahole, abtf-pahole prefers an overridden body with DW_AT_low_pc'
for order in 's2.o w2.o' 'w2.o s2.o'; do
	# shellcheck disable=SC2086 # a list
	image vmlinux $order
	need_symbol vmlinux 't hook.cold'
	encode vmlinux
	expect_funcs vmlinux hook <<-'F'
	hook = hook: int hook(int value, int by)
	F
	"$ABTF_PAHOLE" -J --btf_encode_detached=pahole.btf vmlinux
	"$dump" pahole.btf >pahole.dump
	has pahole.dump 'FUNC hook.*int hook\(int unused, int neither\)'
done

begin 'discarded code has the address of the first function of an image that is linked at 0'
target gcc
link=${link/IMAGE_BASE=$(sed -n 's/.*IMAGE_BASE=//p' <<<"$link" | cut -d' ' -f1)/IMAGE_BASE=0}
link=${link/PERCPU_BASE=0/PERCPU_BASE=0x10000000} machine='-mno-red-zone'
sed 's/DISCARD\/ *: *{/& *(.text.dead)/; s/\*(\.text \.text\.\*)/*(.text)/' "$selftests/example/vmlinux.lds" >zero.lds
has zero.lds 'DISCARD.*text[.]dead'
# f of dead.c has another linkage, size or file than f of live.c
for dead in 'static int f(char *p, int b) { return b; }' \
	    'int f(char *p, int b) { return p[b] / b; }' \
	    'static int f(char *p, int b) { return b + 1; } // static'; do
	for flag in -g -g0; do
		if [[ $dead == *'// static' ]]; then
			live='static __attribute__((noinline)) int f(int a) { return a + 1; } void *p = f;'
		else
			live='int f(int a) { return a; }'
		fi
		unit live $flag -fno-toplevel-reorder <<<"$live"
		unit dead <<<"__attribute__((section(\".text.dead\"), used)) $dead"
		# shellcheck disable=SC2086 # lists of flags
		$CC $common $machine $link -Wl,-T,zero.lds -Wl,--noinhibit-exec -o zero live.o dead.o 2>zero.log
		need_symbol zero '[tT] f'
		need_dwarf zero 'DW_AT_low_pc *: (0x)?0$'
		encode zero
		if [ $flag = -g ]; then
			expect_eq "$(funcs zero)" 'f = f: int f(int a)' "$dead"
		else
			expect_eq "$(skipped zero)" 'f: no_dwarf' "$dead"
		fi
	done
done
