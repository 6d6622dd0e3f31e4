#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# .BTF.base: the distilled base of an external module.
. "${0%/*}/../lib.sh"

# headers FILE: names of the BTF sections, sorted by header
headers() {
	readelf -SW "$1" | grep -oE '\.(rela\.)?BTF(\.base)?' | tr '\n' ' '
}

# lines DUMP: without ids
lines() {
	sed -E 's/^\[[0-9]+\] //; s/ (->|index) \[[0-9]+\]/ \1/' "$1"
}

# build [FLAG...]: build a base, and a module outside of the tree
build() {
	cat >common.h <<-'C'
	typedef unsigned int u32;
	struct by_ref { int a; long b; };
	struct embedded { struct by_ref *r; u32 n; };
	union both { int i; char c[16]; };
	enum small { ONE = 1, TWO };
	enum huge { HUGE = 1ULL << 40 };
	struct only_fwd;
	struct with_anonymous { struct { int x, y; } at; enum { RED, GREEN } colour; };
	typedef struct { short s; } unnamed_t;
	typedef int (*callback)(struct by_ref *r, double d);
	struct unused { int never; };
	C
	unit base "$@" <<-'C'
	#include "common.h"
	int twin(int a) { return a; }
	__attribute__((used)) static long all(struct by_ref *a, struct embedded *b, union both *c, enum small d,
		enum huge e, struct only_fwd *f, struct with_anonymous *g, unnamed_t *h,
		callback i, struct unused *j, const volatile char *k, u32 l[3], _Bool m)
	{
		return 0;
	}
	C
	unit mod "$@" <<-'C'
	#include "common.h"
	struct mine {
		struct by_ref *ref;
		struct embedded in;
		union both u;
		enum small s;
		enum huge h;
		struct only_fwd *fwd;
		unnamed_t un;
		callback call;
		const volatile char *text;
		u32 array[3];
		_Bool flag;
		long own_type[7];
	};
	int twin(int a) { return a + 1; }
	int mod_func(struct mine *m) { return m->s; }
	__attribute__((section(".init.text"))) int start(struct with_anonymous *w) { return w->at.x; }
	C
	image vmlinux base.o
	"$ABTF" encode -q vmlinux
	module mod.ko mod.o
	cp mod.ko pristine.ko
}

for where in gcc clang aarch64 s390x; do
	target $where
	flags=
	[ $where != aarch64 ] || flags=-mgeneral-regs-only
	# no floating point in a kernel; a parameter needs no registers
	case $where in gcc|clang) flags=-mno-sse ;; esac
	# shellcheck disable=SC2086
	build $flags

	begin "$where: the distilled base: names and sizes, and no types for FUNCs"
	expect 0 "$ABTF" encode --base vmlinux --distilled-base mod.ko
	section mod.ko .BTF.base base.btf
	section mod.ko .BTF mod.btf
	"$dump" base.btf >base.dump
	"$dump" mod.btf base.btf >mod.dump
	"$dump" vmlinux >vmlinux.dump
	# sorted like the base, whose order depends on the compiler
	expect_text "$(lines base.dump | sed -E 's/ size.*//; s/(long|short) int/\1/' | sort)" <<-'E'
	ENUM huge unsigned
	ENUM small unsigned
	FLOAT double
	FWD only_fwd struct
	INT _Bool
	INT char
	INT int
	INT long
	INT short
	INT unsigned int
	STRUCT by_ref
	STRUCT embedded
	STRUCT with_anonymous
	UNION both
	E
	has_not base.dump '@|=|FUNC|PTR|TYPEDEF|ARRAY|CONST'
	for t in 'STRUCT by_ref' 'STRUCT embedded' 'STRUCT with_anonymous' 'UNION both'; do
		size=$(sed -nE "s/^\[[0-9]+\] $t size ([0-9]+).*/\1/p" vmlinux.dump)
		[ -n "$size" ] || fail "no $t in the base"
		has base.dump "$t size $size"
	done
	strings -a base.btf | find_lines -x 'a\|never\|ONE\|unnamed_t\|twin' | expect_none 'strings of members'

	begin "$where: unnamed types are copied to the module's types"
	has mod.dump 'TYPEDEF u32'
	has mod.dump 'TYPEDEF unnamed_t'
	has mod.dump 'TYPEDEF callback'
	has base.dump '(STRUCT|UNION|ENUM) .* \{ \}'
	has mod.dump 'STRUCT size 2 \{ short'
	has_not mod.dump 'STRUCT unused|STRUCT by_ref|ENUM small|ENUM64'
	expect_eq "$(grep -c 'FUNC twin' mod.dump)" 1

	begin "$where: records at the places in the relocations, after all types"
	expect 0 "$ABTF" check mod.ko
	says '3 functions, 2 with an address, 0 with a file: 0 violations'
	expect_eq "$(readelf -rW mod.ko | sed -n '/^Relocation section .\.rela\.BTF/,/^$/p' |
		awk '$3 ~ /^R_/ { print $5 }' | tr '\n' ' ')" 'mod_func twin '
	expect 0 "$ABTF" list --all mod.ko
	says ' mod_func .* int mod_func\(struct mine \*m\)'
	expect 0 "$ABTF" list mod.ko mod_func
	expect 0 "$ABTF" check --base vmlinux mod.ko
	expect 0 "$ABTF" strip mod.ko plain.btf
	"$dump" plain.btf base.btf >plain.dump
	expect_eq "$(sed -E 's/ addr 0x[0-9a-f]+//' mod.dump | grep -c 'FUNC ')" \
		"$(grep -c 'FUNC ' plain.dump)"

	begin "$where: functions and prototypes are the same with and without a distilled base"
	cp pristine.ko whole.ko
	"$ABTF" encode -q --base vmlinux whole.ko
	expect 0 "$ABTF" list --all --json --base vmlinux whole.ko
	jq -c '.. | objects | select(has("prototype")) | [.name, .prototype]' out >whole.list
	expect 0 "$ABTF" list --all --json mod.ko
	jq -c '.. | objects | select(has("prototype")) | [.name, .prototype]' out >mod.list
	[ -s mod.list ] || fail 'no prototypes'
	cmp whole.list mod.list || fail 'the functions differ'

	begin "$where: encoded again, with and without a distilled base"
	cp mod.ko twice.ko
	expect 0 "$ABTF" encode --base vmlinux --distilled-base twice.ko
	cmp mod.ko twice.ko || fail 'the file differs'
	expect 0 "$ABTF" encode --base vmlinux twice.ko
	expect_eq "$(headers twice.ko)" '.BTF .rela.BTF '
	section twice.ko .BTF a.btf
	section whole.ko .BTF b.btf
	cmp a.btf b.btf || fail 'the BTF differs'
	expect 0 "$ABTF" check --base vmlinux twice.ko
	cp twice.ko third.ko
	expect 0 "$ABTF" encode --base vmlinux third.ko
	cmp twice.ko third.ko || fail 'encoding without a distilled base gives another file'
	expect 0 "$ABTF" encode --base vmlinux --distilled-base third.ko
	section third.ko .BTF.base c.btf
	cmp base.btf c.btf || fail 'the base differs when it is distilled again'
	expect 0 "$ABTF" check third.ko
done
target gcc
build -mno-sse

begin 'BTF sections before other sections: a base that is not written is removed'
"$ABTF" encode -q --base vmlinux --distilled-base mod.ko
ld -r -o linked.ko mod.ko
# followed by a symbol table, whose index other sections refer to
expect_eq "$(readelf -SW linked.ko | grep -c 'BTF\.base')" 1
expect 0 "$ABTF" encode --base vmlinux linked.ko
readelf -SW linked.ko | find_lines 'BTF\.base' | expect_none
expect 0 "$ABTF" check --base vmlinux linked.ko
says '3 functions, 2 with an address'
cp linked.ko again.ko
expect 0 "$ABTF" encode --base vmlinux again.ko
cmp linked.ko again.ko || fail 'the file differs'
nr=$(readelf -h again.ko | sed -n 's/.*Number of section headers: *//p')
for i in 1 2 3; do
	"$ABTF" encode -q --base vmlinux --distilled-base again.ko
	"$ABTF" encode -q --base vmlinux again.ko
done
expect_eq "$(readelf -h again.ko | sed -n 's/.*Number of section headers: *//p')" "$nr" 'headers'
cmp linked.ko again.ko || fail 'the file grows'
expect 0 objcopy again.ko copied.ko
expect 0 "$ABTF" check --base vmlinux copied.ko

begin 'addresses stay correct after strip, objcopy and ld -r of a module'
for how in 'ld -r -o' 'strip -d -o' 'strip --strip-unneeded -o'; do
	# shellcheck disable=SC2086
	expect 0 $how done.ko mod.ko
	expect 0 "$ABTF" check done.ko
	says '3 functions, 2 with an address, 0 with a file: 0 violations'
done

begin 'a module without a type of its base: the kernel still requires a distilled base'
unit alone <<<'struct lonely { struct lonely *next; }; struct lonely *f(struct lonely *l) { return l; }'
module alone.ko alone.o
expect 0 "$ABTF" encode --base vmlinux --distilled-base alone.ko
section alone.ko .BTF.base base.btf
"$dump" base.btf >base.dump
expect_eq "$(grep -c . base.dump)" 1
has base.dump 'INT int'
expect 0 "$ABTF" check alone.ko

begin "types that only members of the base's structs refer to are not in the distilled base"
unit outer-base <<'C'
struct inner { long a; };
struct outer { struct inner *p; struct inner in; } o;
C
unit outer-mod <<'C'
struct inner { long a; };
struct outer { struct inner *p; struct inner in; };
int get(struct outer *o) { return o != 0; }
C
image outer-vmlinux outer-base.o
"$ABTF" encode -q outer-vmlinux
module outer.ko outer-mod.o
expect 0 "$ABTF" encode --base outer-vmlinux --distilled-base outer.ko
section outer.ko .BTF.base base.btf
"$dump" base.btf >base.dump
expect_text "$(lines base.dump)" <<'E'
STRUCT outer size 16 { }
E

begin 'abtf-pahole writes a distilled base, too'
flags=--btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func
cp pristine.ko p.ko
expect 0 "$ABTF_PAHOLE" -J $flags --btf_features=distilled_base --btf_base vmlinux p.ko
section p.ko .BTF.base base.btf
section mod.ko .BTF.base want.btf
cmp base.btf want.btf || fail 'the base differs'
expect_eq "$(headers p.ko)" '.BTF .BTF.base '
expect 1 "$ABTF_PAHOLE" -J $flags,distilled_base p.ko
says 'distilled_base needs --btf_base'

begin 'options that cannot be combined with --distilled-base are rejected'
expect 2 "$ABTF" encode --distilled-base mod.ko
expect 2 "$ABTF" encode --base vmlinux --distilled-base -o x.btf mod.ko
expect 1 "$ABTF" encode --base mod.ko -o x.btf pristine.ko
says 'is split BTF, which cannot be a base'

begin 'a malformed distilled base is rejected'
at=$((0x$(readelf -SW mod.ko | sed -nE 's/.* \.BTF\.base +PROGBITS +[0-9a-f]+ ([0-9a-f]+) .*/\1/p')))
size=$(stat -c %s want.btf)
for ((i = 0; i < size; i += 3)); do
	cp mod.ko broken.ko
	printf '\377' | dd of=broken.ko bs=1 seek=$((at + i)) conv=notrunc status=none
	status=0
	"$ABTF" check -q broken.ko >/dev/null 2>&1 || status=$?
	[ $status -le 2 ] || { fail "damaged at $i: status $status"; break; }
	"$ABTF" encode -q --base vmlinux --distilled-base broken.ko || { fail "at $i: not encoded again"; break; }
	cmp -s broken.ko mod.ko || { fail "at $i: the file differs"; break; }
done
cp mod.ko broken.ko
objcopy --update-section .BTF.base=mod.btf broken.ko
expect 2 "$ABTF" check broken.ko
