#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# abtf-pahole as scripts/Makefile.btf, link-vmlinux.sh and pahole-version.sh of Linux 6.12 call
# $(PAHOLE).
. "${0%/*}/../lib.sh"
pahole=$ABTF_PAHOLE

# same_as DUMP [WHAT]: t.btf must have that dump; remove it, so that the next command must write it
same_as() {
	"$dump" t.btf >t.dump
	cmp t.dump "$1" || fail "${2:-the BTF differs}"
	rm t.btf
}

unit a <<'C'
enum wide { W = 0x8000000000ULL };
enum below { B = -0x8000000000LL };
struct s { int a; float f; int two[2][3]; enum wide w; enum below b; };
int f(struct s *s) { return s->a; }
static __attribute__((noinline, used)) int dup(int a) { return a; }
int counter __attribute__((section(".data..percpu")));
int plain_global = 3;
C
unit b <<'C'
static __attribute__((noinline, used)) int dup(int a) { return a + 1; }
static __attribute__((noinline, used)) int one(int a) { return a + 2; }
C
image vmlinux a.o b.o
kbuild='encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs'

begin '--version prints exactly v1.32, which kbuild turns into 132'
expect 0 "$pahole" --version
expect_eq "$out" v1.32
expect_eq "$(sed -E 's/v([0-9]+)\.([0-9]+)/\1\2/' out)" 132
expect 0 "$pahole" --numeric_version
expect_eq "$out" 132

begin 'kbuild on 6.12: -J in place, then objcopy'
cp vmlinux .tmp_vmlinux1
expect 0 "$pahole" -J -j --btf_features=$kbuild --lang_exclude=rust .tmp_vmlinux1
expect_none <<<"$out"
expect 0 objcopy --only-section=.BTF --set-section-flags .BTF=alloc,readonly --strip-all \
	.tmp_vmlinux1 .btf.vmlinux.bin.o
expect 0 bpftool btf dump file .btf.vmlinux.bin.o
"$dump" .btf.vmlinux.bin.o >kbuild.dump

begin 'addresses and files are off unless asked for'
has_not kbuild.dump ' addr |FUNC .*@'
"$pahole" -J --btf_features=$kbuild --btf_features=+func_addr --btf_encode_detached=t.btf vmlinux
"$dump" t.btf >t.dump
has t.dump 'FUNC f addr '
has_not t.dump 'FUNC .*@'
"$pahole" -J --btf_features=+func_addr,func_unit --btf_encode_detached=t.btf vmlinux
"$dump" t.btf >t.dump
has t.dump 'FUNC dup@a.c addr'
expect 0 "$ABTF" check vmlinux t.btf

begin 'ambiguous names are omitted, as with pahole 1.32'
has_not kbuild.dump 'FUNC dup '
has kbuild.dump 'FUNC one '
has kbuild.dump 'FUNC f '

begin 'a .part is not a second function, and a second symbol gets no FUNC, as with pahole 1.32'
unit parts <<'C'
asm(".text\n.type whole.part.0, @function\nwhole.part.0: ret\n.size whole.part.0, 1\n.p2align 4");
static __attribute__((noinline, used)) int whole(int a) { return a; }
static __attribute__((noinline, used)) int twice(int a) { return a + 1; }
C
tool objcopy --add-symbol "twice=.text:0x$(nm parts.o | sed -n 's/ t twice$//p'),function,local" parts.o
need_symbol parts.o 't whole\.part\.0'
expect_eq "$(nm parts.o | grep -c ' t twice$')" 2
image parts parts.o
expect 0 "$pahole" -J --btf_features=$kbuild --btf_encode_detached=parts.btf parts
expect_eq "$("$dump" parts.btf | grep -oE ' FUNC (whole|twice) ' | sort | tr -d '\n')" ' FUNC twice  FUNC whole '

begin 'arrays keep their dimensions, 64-bit enums their sign, as with pahole 1.32'
has kbuild.dump 'two\[2\]\[3\]'
has kbuild.dump 'ENUM64 wide unsigned'
has kbuild.dump 'ENUM64 below signed'

begin 'per-CPU variables are encoded, and global variables on request'
has kbuild.dump 'VAR counter '
has_not kbuild.dump 'VAR plain_global'
"$pahole" -J --btf_features=$kbuild,global_var --btf_encode_detached=t.btf vmlinux
"$dump" t.btf >t.dump
has t.dump 'VAR plain_global'
has t.dump 'VAR counter'

begin 'two per-CPU sections: a DATASEC for each, as with pahole 1.32'
unit twice <<'C'
#define __percpu(unique) __attribute__((section(".data..percpu,\"aw\",@progbits" unique "#")))
int first __percpu("") = 1;
int second __percpu(",unique,1") = 2;
int plain_global = 3;
C
expect_eq "$(readelf -SW twice.o | grep -c '[.]data[.][.]percpu ')" 2
"$pahole" -J --btf_features=$kbuild --btf_encode_detached=t.btf twice.o
"$dump" t.btf >t.dump
expect_text "$(grep -E 'VAR|DATASEC' t.dump | sed 's/^[^ ]* //' | sort)" <<'D'
DATASEC .data..percpu size 4 { first @0 +4; }
DATASEC .data..percpu size 4 { second @0 +4; }
VAR first linkage 1: int first
VAR second linkage 1: int second
D

begin '--btf_features may be repeated, and unknown names are ignored'
"$pahole" -J --btf_features=encode_force --btf_features=var,no_such_thing --btf_features=float \
	--btf_encode_detached=t.btf vmlinux
"$dump" t.btf >t.dump
has t.dump 'VAR counter'
has t.dump 'FLOAT float'
has_not t.dump 'ENUM64'
"$pahole" -J --btf_features=default --btf_encode_detached=t.btf vmlinux
same_as kbuild.dump "default is not kbuild's list"

begin 'an option that only pahole 1.32 has: force_cu_merging changes nothing'
expect 0 "$pahole" -J --btf_features_strict=default,force_cu_merging --btf_encode_detached=t.btf vmlinux
same_as kbuild.dump
expect 0 "$pahole" -J --btf_features_strict=default,true_signature,layout,attributes \
	--btf_encode_detached=t.btf vmlinux
same_as kbuild.dump

begin '--btf_features_strict: unknown names are an error'
rm -f t.btf
expect 1 "$pahole" -J --btf_features_strict=var,no_such_thing --btf_encode_detached=t.btf vmlinux
says no_such_thing
[ ! -e t.btf ] || fail 'wrote something'
expect 0 "$pahole" -J --btf_features_strict=var --btf_encode_detached=t.btf vmlinux
rm t.btf

begin '--supported_btf_features prints all features'
expect 0 "$pahole" --supported_btf_features
expect_eq "$(tr ',' '\n' <out | sort | tr '\n' ' ')" "$(printf '%s\n' encode_force var float decl_tag \
	type_tag enum64 optimized_func consistent_func decl_tag_kfuncs reproducible_build attributes \
	global_var true_signature layout force_cu_merging distilled_base func_addr func_unit | sort | tr '\n' ' ')"

begin '-j and --jobs are accepted with and without a number'
for j in -j -j1 -j8 --jobs --jobs=2; do
	expect 0 "$pahole" -J $j --btf_features=$kbuild --btf_encode_detached=t.btf vmlinux
	same_as kbuild.dump "$j: the BTF differs"
done

begin 'options that are older than --btf_features are accepted'
expect 0 "$pahole" -J --btf_gen_floats --lang_exclude=rust --skip_encoding_btf_inconsistent_proto \
	--btf_gen_optimized --btf_encode_detached=t.btf vmlinux
"$dump" t.btf >t.dump
rm t.btf
has t.dump 'FLOAT float'
has t.dump 'VAR counter'
has t.dump 'ENUM64 wide'
expect 0 "$pahole" -J --skip_encoding_btf_vars --skip_encoding_btf_enum64 --skip_encoding_btf_decl_tag \
	--skip_encoding_btf_type_tag --btf_encode_force --btf_encode_detached=t.btf vmlinux
"$dump" t.btf >t.dump
rm t.btf
has_not t.dump 'VAR|FLOAT|ENUM64'

begin 'abtf -J behaves like abtf-pahole -J'
expect 0 "$ABTF" -J -j --btf_features=$kbuild --lang_exclude=rust --btf_encode_detached=t.btf vmlinux
same_as kbuild.dump

expect 0 "$ABTF" -j --btf_features=$kbuild --lang_exclude=rust --btf_encode_detached=t.btf -J vmlinux
same_as kbuild.dump '-J after other options'

begin 'options of pahole that change nothing are accepted'
for option in -q --quiet '-F dwarf' --format_path=dwarf,btf --hashbits=12 -j0; do
	# shellcheck disable=SC2086 # one or two
	expect 0 "$pahole" -J $option --btf_features=$kbuild --lang_exclude=rust --btf_encode_detached=t.btf vmlinux
	same_as kbuild.dump "$option: the BTF differs"
done
expect 1 "$pahole" -J -F btf --btf_encode_detached=t.btf vmlinux
says 'only DWARF is encoded'
expect 0 "$pahole" -J --btf_features=default --btf_encode_detached=t.btf vmlinux
"$dump" t.btf >default.dump
rm t.btf

begin '--btf_features=all adds variables of all sections, true signatures, and attributes'
expect 0 "$pahole" -J --btf_features=default,global_var,true_signature,attributes --btf_encode_detached=t.btf vmlinux
"$dump" t.btf >all.dump
rm t.btf
has all.dump 'VAR plain_global'
for feature in --btf_features=all --btf_features_strict=all --btf_gen_all; do
	expect 0 "$pahole" -J $feature --btf_encode_detached=t.btf vmlinux
	same_as all.dump "$feature: the BTF differs"
done
expect 2 "$ABTF" encode --features=all -o t.btf vmlinux

begin 'without types, without DWARF, or without a wanted language: status 0, and nothing is written'
printf '.globl x\n.type x, @function\nx:\n nop\n.size x, .-x\n' >as.s
clang -g -c -o as.o as.s
gcc -c -o plain.o a.c
rm -f t.btf
# nothing OPTION...: expect that nothing is written; the messages are in $out
nothing() {
	local file

	for file in as.o plain.o; do
		cp $file copy.o
		expect 0 "$pahole" -J "$@" copy.o
		cmp copy.o $file || fail "$file: written to"
		expect 0 "$pahole" -J "$@" --btf_encode_detached=t.btf copy.o
		[ ! -e t.btf ] || fail "$file: something was written"
	done
}
nothing
nothing --btf_features=default,distilled_base
image plain plain.o
image as as.o
for file in plain as; do
	expect 0 "$pahole" -J --btf_encode_detached=t.btf $file
	says 'nothing to encode'
	expect 1 "$ABTF" encode -o t.btf $file
done
[ ! -e t.btf ] || fail 'an output file was written'
expect 1 "$pahole" -J --btf_features=default,distilled_base vmlinux
says 'distilled_base needs --btf_base'
expect 0 "$pahole" -J --btf_features=default,distilled_base --btf_encode_detached=t.btf vmlinux

begin 'PAHOLE_LANG_EXCLUDE is used unless an option selects languages'
rm -f t.btf
export PAHOLE_LANG_EXCLUDE=C11
expect 0 "$pahole" -J --btf_encode_detached=t.btf vmlinux
says 'vmlinux: nothing to encode: 2 of 2 compile units are in excluded languages'
[ ! -e t.btf ] || fail 'an output file was written'
for option in --lang=c11 --lang_exclude=rust; do
	expect 0 "$pahole" -J $option --btf_encode_detached=t.btf vmlinux
	[ -s t.btf ] || fail "$option"
	rm t.btf
done
for PAHOLE_LANG_EXCLUDE in nonsense rust,nonsense; do
	expect 1 "$pahole" -J --btf_encode_detached=t.btf vmlinux
	says "error: unknown language 'nonsense'"
done
unset PAHOLE_LANG_EXCLUDE
expect 1 "$pahole" -J --lang_exclude=nonsense --btf_encode_detached=t.btf vmlinux
expect 1 "$ABTF" encode --lang-exclude=c11 -o t.btf vmlinux
says 'error: vmlinux: nothing to encode: 2 of 2 compile units are in excluded languages'
[ ! -e t.btf ] || fail 'an output file was written'

begin '-V prints why a function is omitted'
expect 0 "$pahole" -J -V --btf_features=$kbuild --btf_encode_detached=t.btf vmlinux
says 'dup'
says 'ambiguous'

begin 'kfuncs are tagged'
"$pahole" -J --btf_features=$kbuild --btf_encode_detached=t.btf "$example"
"$dump" t.btf >t.dump
has t.dump 'DECL_TAG bpf_kfunc on \[[0-9]+\] bpf_cpumask_weight'
has t.dump 'DECL_TAG bpf_kfunc on \[[0-9]+\] bpf_cpumask_empty'
"$pahole" -J --btf_features=encode_force,var --btf_encode_detached=t.btf "$example"
"$dump" t.btf >t.dump
has_not t.dump bpf_kfunc

begin 'several modules in one call, and file names relative to the root that the build passes'
mkdir -p src/drivers obj
for m in one two; do
	echo "static __attribute__((noinline, used)) int dup(int a) { return a; }
	      int $m(int a) { return dup(a); }" >src/drivers/$m.c
	echo "static __attribute__((noinline, used)) int dup(char a) { return a; }" >src/drivers/$m-dup.c
	for c in $m $m-dup; do
		(cd obj && gcc -O2 -g -ffreestanding -c -o $c.o "$PWD/../src/drivers/$c.c")
	done
	ld -r -o $m.ko obj/$m.o obj/$m-dup.o
done
cp vmlinux base
"$pahole" -J --btf_features=$kbuild base
for j in '' -j; do
	expect 0 "$pahole" -J $j --btf_features=+func_addr,func_unit --btf_base base \
		--strip_prefix="$PWD/obj" --strip_prefix="$PWD/src" one.ko two.ko
	expect_none <<<"$out"
	for m in one two; do
		expect 0 "$ABTF" check --base base $m.ko
		says '2 with a file: 0 violations'
		expect 0 "$ABTF" list --base base $m.ko dup
		says " dup@drivers/$m.c "
		says " dup@drivers/$m-dup.c "
	done
done

# pahole 1.32 treats address 0 as unknown, and writes a FUNC
begin 'modules: a shared name is ambiguous, even if a function with it is at offset 0'
for unit in one two; do
	echo "static __attribute__((noinline, used)) int dup(int a) { return a; }
	      int $unit(int a) { return a; }" | unit $unit
done
module dup.ko one.o two.o
expect_eq "$(nm dup.ko | grep ' dup$' | sort | sed -n '1s/^0* /0 /p')" '0 t dup'
expect 0 "$pahole" -J --btf_features=$kbuild --btf_encode_detached=t.btf dup.ko
"$dump" t.btf >t.dump
has t.dump 'FUNC one '
has_not t.dump 'FUNC dup '

begin "a function that is equal to one of the base keeps its FUNC, which pahole 1.32 merges"
unit same <<<'int same(int a) { return a; }'
image same-base same.o
"$pahole" -J same-base
module same.ko same.o
expect 0 "$pahole" -J --btf_features=$kbuild --btf_base same-base --btf_encode_detached=same.btf same.ko
"$dump" same.btf same-base >same.dump
has same.dump '^\[[0-9]+\] FUNC same '

begin 'if one of two modules fails, that is an error, and the other one is encoded'
objcopy --remove-section .BTF --remove-section .rela.BTF two.ko
echo garbage >one.ko
expect 1 "$pahole" -J --btf_features=+func_addr,func_unit --btf_base base one.ko two.ko
says one.ko
expect 0 "$ABTF" check --base base two.ko
expect 64 "$pahole" -J --btf_encode_detached=t.btf vmlinux base

begin 'wrong usage: status and message'
expect 64 "$pahole" --no_such_option
says "^abtf: error: unknown or ambiguous option '--no_such_option'$"
expect 64 "$pahole" -J
expect 1 "$pahole" -J nowhere
expect 0 "$pahole" --help
