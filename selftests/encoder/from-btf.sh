#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# encode --from-btf: amend BTF that exists, instead of reading DWARF.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/from-btf.sh"

lists="default $most,func_addr $most,func_addr,func_unit $most
	default,global_var func_addr,func_unit"

for where in gcc clang m32 aarch64 s390x; do
	target $where
	build_vmlinux
	for list in $lists; do
		begin "$where: the same features give the same bytes ($list)"
		cp vmlinux made
		expect 0 "$ABTF" encode --features="$list" made
		cp made again
		expect 0 "$ABTF" encode --from-btf --features="$list" again
		cmp made again || fail 'the file differs'
		section made .BTF made.btf
		amend made --features="$list"
		section again .BTF again.btf
		cmp made.btf again.btf || fail 'the BTF differs'
		check_sums made
	done

	begin "$where: disabled features are removed, as if never written"
	"$ABTF" encode -q --features=default,global_var made
	for list in $lists func_addr,type_tag,var float,decl_tag,func_addr; do
		encode vmlinux --features="$list"
		cp made amended
		amend amended --features="$list"
		expect 0 "$compare" vmlinux.btf amended.btf
		# BTF with addresses does not have the result of each() if clang before 17 compiled it
		expect_eq "$(funcs amended | sed 's/^each: void/each: int/')" \
			"$(funcs vmlinux | sed 's/^each: void/each: int/')" "$list"
		expect_eq "$(grep -c 'VAR\|DATASEC\|DECL_TAG\|FLOAT\|TYPE_TAG\|ENUM64' amended.dump || true)" \
			"$(grep -c 'VAR\|DATASEC\|DECL_TAG\|FLOAT\|TYPE_TAG\|ENUM64' vmlinux.dump || true)" "$list"
	done

	begin "$where: removed addresses come back, for shared names by their files"
	encode vmlinux
	"$ABTF" strip vmlinux.btf plain.btf
	cp vmlinux plain
	replace_btf plain plain.btf
	amend plain
	expect_eq "$(funcs plain)" "$(funcs vmlinux)"
	check_sums plain
	expect 0 "$ABTF" check plain plain.btf

	begin "$where: a unique name without a file gets its address back"
	encode vmlinux --features=$most,func_addr
	"$ABTF" strip vmlinux.btf plain.btf
	replace_btf plain plain.btf
	amend plain
	expect_text "$(funcs plain | sed 's/: .*//')" <<-'F'
	copy = copy
	each = each
	only = only
	print = print
	setup
	use = use
	F
	check_sums plain
	expect_eq "$(jq -c '[.funcs_read, .funcs.encoded, .funcs.ambiguous_address,
		.skipped.ambiguous_address]' plain.report)" '[8,6,2,2]'
	expect_eq "$(skipped plain)" "$(printf 'dup: %s\n' ambiguous_address ambiguous_address)"
	expect 0 "$ABTF" encode -v -o out.btf --from-btf plain
	says '^abtf: 8 FUNCs in 1 object of BTF'
	says ' 2 are omitted: several functions have the name'
	# without addresses, such a name is omitted, as if encoding DWARF
	expect 0 "$ABTF" encode -v --features=$most -o out.btf --report plain.report --from-btf plain
	says ' 2 are omitted: several functions have the name'
	check_sums plain
done

begin 'files in names are kept if needed, their prefix can be stripped, and they can be removed'
target gcc
build_in_directory
"$ABTF" encode -q vmlinux
amend vmlinux
expect_eq "$(grep -o 'FUNC dup[^ ]*' vmlinux.dump | tr '\n' ' ')" 'FUNC dup@drivers/net/a.c FUNC dup@drivers/net/b.c '
amend vmlinux --strip-prefix=drivers
expect_eq "$(grep -o 'FUNC dup[^ ]*' vmlinux.dump | tr '\n' ' ')" 'FUNC dup@net/a.c FUNC dup@net/b.c '
amend vmlinux --features=$most,func_addr
expect_eq "$(grep -o 'FUNC dup[^ ]* addr' vmlinux.dump | tr '\n' ' ')" 'FUNC dup addr FUNC dup addr '
cp vmlinux pure
replace_btf pure vmlinux.btf
amend pure
funcs pure dup | expect_none
expect_eq "$(skipped pure)" "$(printf 'dup: %s\n' unknown_file unknown_file)"

begin 'clones have the same names as with DWARF, with and without addresses'
unit clones <<'C'
static __attribute__((noinline, used)) int one(int a, int unused) { return a + 1; }
static __attribute__((noinline, used)) int two(int a, int *b) { return a + *b; }
C
unit clones2 <<'C'
static __attribute__((noinline, used)) int two(int a, int *b) { return a - *b; }
C
# a clone without its original function, and a clone next to another function with that name
objcopy --redefine-sym one=one.isra.0 clones.o
objcopy --redefine-sym two=two.constprop.0 clones2.o
image cloned clones.o clones2.o
need_symbol cloned 't one.isra.0'
need_symbol cloned 't two'
need_symbol cloned 't two.constprop.0'
"$ABTF" encode -q cloned
section cloned .BTF cloned.btf
cp cloned.btf first.btf
amend cloned
cmp first.btf cloned.btf || fail 'the BTF differs'
expect_funcs cloned <<'F'
one.isra.0 = one.isra.0: void one.isra.0(int a, int unused)
two = two: int two(int a, int *b)
two.constprop.0 = two.constprop.0: int two.constprop.0(int a, int *b)
F
"$ABTF" strip first.btf plain.btf
replace_btf cloned plain.btf
amend cloned
cmp first.btf cloned.btf || fail 'the BTF differs'
amend cloned --features=func_addr
expect_eq "$(funcs cloned)" 'two = two: int two(int a, int *b)'
check_sums cloned
expect_eq "$(jq -c '[.skipped.optimized_clone, .funcs.skipped]' cloned.report)" '[2,2]'

begin 'clones: a FUNC with the name in the source does not describe a clone'
unit source <<<'static __attribute__((noinline, used)) int one(int a, int unused) { return a + 1; }'
image source source.o
"$ABTF" encode -q source
section source .BTF source.btf
"$ABTF" strip source.btf plain.btf
for btf in source.btf plain.btf; do
	cp source clone
	objcopy --redefine-sym one=one.isra.0 clone
	replace_btf clone $btf
	amend clone
	funcs clone | expect_none "$btf"
	expect_eq "$(skipped clone)" 'one.isra.0: unproven_signature' "$btf"
done

begin 'a FUNC without a symbol is omitted, unless there are no addresses'
cp vmlinux gone
objcopy -N print gone
amend gone
has_not gone.dump 'FUNC print'
check_sums gone
expect_eq "$(jq -c '[.funcs.no_symbol, .funcs_moved]' gone.report)" '[1,1]'
amend gone --features=$most
has gone.dump 'FUNC print linkage'
check_sums gone
expect_eq "$(jq -c '[.funcs.no_symbol, .funcs.kept]' gone.report)" '[0,1]'

begin 'two units with the same file name are not distinguished, and a message says so'
mkdir -p x y
unit x/core <<<'static __attribute__((noinline, used)) int dup(int x) { return x + 1; }'
unit y/core <<<'static __attribute__((noinline, used)) int dup(int y) { return y + 2; }'
unit z <<<'static __attribute__((noinline, used)) int dup(int z) { return z + 3; }'
image cores x/core.o y/core.o z.o
encode cores
"$ABTF" strip cores.btf plain.btf
replace_btf cores plain.btf
amend cores
check_sums cores
expect_funcs cores <<'F'
dup@z.c = dup: int dup(int z)
F
# the same if only one of them is left
image cores y/core.o z.o
replace_btf cores plain.btf
amend cores
expect_funcs cores <<'F'
dup@z.c = dup: int dup(int z)
F

begin 'kfuncs are tagged if the feature is on'
unit k -I"$selftests/example/include" <<'C'
#include <linux/btf_ids.h>
__attribute__((used)) int the_kfunc(int a) { return a; }
BTF_KFUNCS_START(set)
BTF_ID_FLAGS(func, the_kfunc, "0")
BTF_KFUNCS_END(set)
C
image kimage k.o drivers/net/a.o
"$ABTF" encode -q --features=$most,func_addr kimage
amend kimage
has kimage.dump 'DECL_TAG bpf_kfunc on \[[0-9]+\] the_kfunc'
cp kimage tagged
"$ABTF" encode -q tagged
amend tagged
expect_eq "$(grep -c 'DECL_TAG bpf_kfunc' tagged.dump)" 1
amend tagged --features=$most,func_addr
has_not tagged.dump bpf_kfunc

begin 'arena attributes are added once, and removed'
unit arena -I"$selftests/example/include" <<'C'
#include <linux/btf_ids.h>
__attribute__((used)) void *alloc(void *map, int *p) { return map; }
BTF_KFUNCS_START(set)
BTF_ID_FLAGS(func, alloc, "(1 << 13) | (1 << 15)")
BTF_KFUNCS_END(set)
C
image arena arena.o
encode arena --features=default,attributes
has arena.dump 'TYPE_TAG address_space\(1\)'
cp arena.btf want.btf
"$ABTF" encode -q arena
amend arena --features=default,attributes
expect 0 "$compare" want.btf arena.btf
replace_btf arena want.btf
amend arena --features=default,attributes
cmp want.btf arena.btf || fail 'amending the file again changes it'
amend arena
has_not arena.dump 'TYPE_TAG'
