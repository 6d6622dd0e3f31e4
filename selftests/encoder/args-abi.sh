#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args prints the locations of arguments on entry: registers and stack slots follow the ABI.
. "${0%/*}/../lib.sh"

# The functions do nothing, so DWARF's locations hold on entry.
cat >abi.c <<'C'
typedef struct { unsigned val; } kuid_t;
struct two { long a; int b; short c; };
struct three { long a, b, c; };
struct pair { int x, y; };
struct odd { char c[5]; };
struct __attribute__((packed)) packed { char c; long l; };
struct quad { __int128 q; };
struct __attribute__((packed)) tight { __int128 q; };
struct __attribute__((packed)) open { char c; int some[]; };
struct ended { void *a; char some[]; };
struct none {};
union either { int i; char c; };
struct line { long a; } __attribute__((aligned(32)));
struct padded { struct { int a; } b[1] __attribute__((aligned(16))); };
enum color { RED, GREEN };
enum level { LOW = -1, HIGH };
#define F __attribute__((noinline, used)) static
F void scalars(_Bool b, char c, signed char sc, unsigned short us, short s, unsigned u) { asm(""); }
F void many(int a, long b, enum color c, enum level d, long long e, int f, int g, short h, char *i,
	    int j) { asm(""); }
F void structs(kuid_t uid, struct pair pair, struct two two, struct three three, struct odd odd,
	       union either either, int last) { asm(""); }
F void full(int a, int b, int c, int d, int e, struct two two, int f, struct pair g) { asm(""); }
F void misaligned(int a, struct packed p, int b) { asm(""); }
F void wide(int a, int b, __int128 c, int d, int e) { asm(""); }
F void odd_wide(int a, __int128 b, int c, __int128 d) { asm(""); }
F void quads(int a, struct quad q, int b) { asm(""); }
F void tights(int a, struct tight q, int b) { asm(""); }
F void flexible(int a, struct open o, int b) { asm(""); }
F void ended(int a, struct ended e, int b) { asm(""); }
F void split(int a, int b, int c, int d, int e, __int128 f, int g) { asm(""); }
F struct none empty(int a, int b) { asm(""); return (struct none){}; }
F struct three in_memory(int a, int b) { asm(""); return (struct three){}; }
F struct two in_registers(long a, int b) { asm(""); return (struct two){}; }
F void variable(int a, long b, ...) { asm(""); }
/* clang sets up a frame pointer for these; its locations are relative to it */
#ifndef __clang__
F void aligned(int a, int b, int c, int d, int e, int f, long g, long h, struct line l, int i) { asm(""); }
F void natural(int a, int b, int c, int d, int e, int f, long g, struct quad q, int h) { asm(""); }
F void packed(int a, int b, int c, int d, int e, int f, long g, struct tight q, int h) { asm(""); }
#endif
F void padded(struct padded p, int a, int b) { asm(""); }
C

# expect_abi MACHINE NR [FLAG...] <<'E': NR arguments are where DWARF has them; the here-document
# has the others
expect_abi() {
	unit abi "${@:3}" <abi.c
	image abi abi.o
	"$python" "$selftests/encoder/dwarf_args.py" abi "$1" "$ABTF" >said
	expect_text "$(sort said)" < <({
		cat
		echo 'variable ...: the call decides how many there are, and their types'
		echo "$2 equal"
	} | sort)
}

alignment='an alignment that BTF does not contain decides where it is'
members='BTF does not contain what decides where it, or an earlier one, is'

# undecided FUNCTION PARAMETER...: print the expected lines for these parameters
undecided() {
	printf "%s %s: $alignment\n" "$@"
}

# untracked FUNCTION PARAMETER...: likewise for parameters of which DWARF has one location in several registers
untracked() {
	printf '%s %s: it is in a register, but DWARF does not record from which instruction on\n' "$@"
}

# gcc and clang differ: about arrays without elements, and an integer that does not fit into registers
uncertain=$(for param in 'flexible o' 'flexible b' 'ended e' 'ended b' 'split f' 'split g'; do
	echo "$param: $members"
done)

begin 'x86-64, gcc: registers and stack slots of arguments follow the ABI'
(expect_abi x86 87 <<E
$(undecided aligned l aligned i natural q natural h packed q packed h)
$uncertain
padded p: DWARF has no location of it at this instruction
E
)

begin 'x86-64, clang: registers and stack slots of arguments follow the ABI'
(target clang; expect_abi clang 58 -fomit-frame-pointer <<E
$(grep -v ended <<<"$uncertain")
ended e: clang may not have stored it
padded p: it is in pieces
E
)

even=$(undecided full two full f full g natural q natural h packed q packed h tights q tights b)

begin 'x86-64: a struct in which an unnamed bit-field fills eight bytes, and arguments after it, have no location'
for members_of in 'long a; int : 32;' 'long : 64; long a;'; do
	unit unnamed <<-C
	struct unnamed { $members_of };
	__attribute__((noinline, used)) int take(int a, struct unnamed u, int b) { asm(""); return 0; }
	C
	image unnamed unnamed.o
	expect 0 "$ABTF" list --probe=tracefs --args=a,u.a,b unnamed take
	says ' a=%di:s32$'
	says "u.a is not printed: $members$"
	says "b is not printed: $members$"
done

begin 'arm64: registers and stack slots of arguments follow the ABI'
(target aarch64; expect_abi aarch64 81 <<E
$even
$(untracked odd_wide b odd_wide d quads q split f)
E
)

begin 's390x: registers and stack slots of arguments follow the ABI'
(target s390x; expect_abi s390x 92 <<E
$(grep -v split <<<"$uncertain")
E
)

begin 'ppc64le: registers and stack slots of arguments follow the ABI'
(target powerpc64le; expect_abi powerpc64le 83 <<E
$even
$(untracked quads q)
E
)

begin 'riscv64: registers and stack slots of arguments follow the ABI'
(target riscv64; expect_abi riscv64 88 <<'E'
natural q: it is partly in registers, and partly on the stack
packed q: it is partly in registers, and partly on the stack
E
)
