#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# encode --from-btf: BTF of gcc -gbtf, of pahole, and of Debian's kernel.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/from-btf.sh"

# compile_btf NAME: compile NAME.c without DWARF, with BTF by the compiler
compile_btf() {
	# shellcheck disable=SC2086 # lists of flags
	$CC ${common/-g -gdwarf-5/} $machine -gbtf -c -o "$1.o" "$1.c"
}

for where in gcc aarch64 s390x m32; do
	target $where
	begin "$where: gcc -gbtf: the concatenated BTF of linked objects is merged"
	cat >x.c <<-'C'
	struct s { int a:3; unsigned b:5; char c; struct s *next; };
	struct s *outer(struct s *);
	static __attribute__((noinline, used)) int dup(struct s *s) { return s->a; }
	int fun(struct s *s, char *p) { return outer(s)->b + *p; }
	int here __attribute__((section(".data..percpu"))) = 1;
	int there __attribute__((section(".data..percpu"))) = 2;
	C
	cat >y.c <<-'C'
	struct s { int a:3; unsigned b:5; char c; struct s *next; };
	static __attribute__((noinline, used)) long dup(long l) { return l; }
	struct s *outer(struct s *s) { return s->next; }
	C
	compile_btf x
	compile_btf y
	image linked x.o y.o
	section linked .BTF raw.btf
	expect_eq "$(LC_ALL=C grep -aobP '\x9f\xeb|\xeb\x9f' raw.btf | wc -l)" 2 'headers in .BTF'
	encode linked --from-btf --features=+global_var
	check_sums linked
	expect_funcs linked <<-'F'
	fun = fun: int fun(struct s *s, char *p)
	outer = outer: struct s *outer(struct s *s)
	F
	expect_eq "$(grep -c 'STRUCT s size' linked.dump)" 1
	# gcc 12 sets "signed" together with "char", which the kernel would reject
	case $where in gcc|m32) char=0x1 ;; *) char=0x2 ;; esac
	expect_eq "$(types linked '^INT char')" "INT char size 1 bits 8 encoding $char"
	has linked.dump 'DATASEC .data..percpu size 8 \{ (here|there) @0 \+4; (here|there) @4 \+4; \}'
	expect_eq "$(jq -c .funcs linked.report)" \
		'{"encoded":2,"merged":1,"skipped":0,"ambiguous_address":2,"no_symbol":0,"kept":0,"unnamed_parameter":0,"extern":0}'
	expect 0 "$ABTF" encode --from-btf linked
	cp linked twice
	expect 0 "$ABTF" encode --from-btf twice
	cmp linked twice || fail 'amending the file again changes it'
done
target gcc

begin 'gcc -gbtf: a function that is only declared is omitted'
compile_btf x
encode x.o --from-btf
check_sums x.o
has_not x.o.dump outer
# gcc before 13 does not record that it is extern
expect_eq "$(jq '.funcs.unnamed_parameter + .funcs.extern' x.o.report)" 1

begin 'gcc -gbtf: the BTF of a module is split from a base'
compile_btf y
module gcc.ko x.o y.o
unit base <<<'struct s { int a:3; unsigned b:5; char c; struct s *next; }; int base_func(struct s *s) { return s->a; }'
image base base.o
"$ABTF" encode -q base
expect 0 "$ABTF" encode --from-btf --base base gcc.ko
"$dump" gcc.ko base >ko.dump
has_not ko.dump 'STRUCT|INT int |INT char'
has ko.dump 'FUNC fun addr'
expect_eq "$(readelf -rW gcc.ko | sed -n '/rela.BTF/,/^$/p' | grep -c R_X86_64_64)" 2
cp gcc.ko again.ko
expect 0 "$ABTF" encode --from-btf --base base again.ko
cmp gcc.ko again.ko || fail 'amending the file again changes it'

begin "BTF of Debian's vmlinux is amended"
debian=$top/build/debian/vmlinux
if [ -e "$debian" ] && [ "${SANITIZE:-}" != 1 ]; then
	"$ABTF" encode -q -o debian.btf "$debian"
	strip -d --keep-file-symbols -R .BTF -o debian "$debian"
	objcopy --add-section .BTF=debian.btf debian
	amend debian
	section debian .BTF in.btf
	cmp debian.btf in.btf || fail 'the BTF differs'
	check_sums debian
	# without addresses, files distinguish nearly all functions, and none is mixed up
	"$dump" in.btf | sed -n 's/^[^ ]* FUNC //p' | sort >want
	"$ABTF" strip in.btf plain.btf
	replace_btf debian plain.btf
	amend debian
	check_sums debian
	[ "$(jq .funcs.encoded debian.report)" -gt 50000 ] || fail 'few addresses'
	sed -n 's/^[^ ]* FUNC \(.* addr .*\)/\1/p' debian.dump | sort | comm -13 want - | head -n 3 | expect_none
	# the output of Debian's pahole, without addresses
	strip -d -o debian "$debian"
	amend debian
	check_sums debian
	[ "$(jq .funcs.encoded debian.report)" -gt 49000 ] || fail 'few addresses'
	rm -f debian
else
	skip 'no build/debian/vmlinux, or with sanitizers'
fi

begin "BTF of Debian's pahole is amended"
have pahole || { skip 'no pahole'; exit 77; }
build_in_directory
cp vmlinux paholed
objcopy -R .BTF paholed
pahole -J --btf_encode_force --btf_gen_floats paholed
amend paholed
check_sums paholed
encode vmlinux
expect_eq "$(funcs paholed | grep -v '^dup')" "$(funcs vmlinux | grep -v '^dup')"
expect_eq "$(jq -c '[.funcs.encoded, .funcs.ambiguous_address]' paholed.report)" '[6,1]'
# the types do not change
section paholed .BTF in.btf
pahole_types() { "$dump" "$1" | grep -v ' FUNC\| DATASEC\| VAR\|FUNC_PROTO' | sed -E 's/^\[[0-9]+\] //; s/(->|on|index) \[[0-9]+\]/\1/' | sort; }
expect_eq "$(pahole_types paholed.btf)" "$(pahole_types in.btf)"
