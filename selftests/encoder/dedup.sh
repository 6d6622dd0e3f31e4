#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The distribution's btf__dedup() finds nothing to merge in stripped BTF except functions with the
# same name and prototype, and their tags.
. "${0%/*}/../lib.sh"
dedup=$top/build/compare/btf-dedup

# kinds FILE: count each kind of type that dedup must not merge
kinds() {
	bpftool -j btf dump file "$1" |
		jq -r '.types[].kind | select(. != "FUNC" and . != "DECL_TAG")' | sort | uniq -c
}

begin 'the example: types, prototypes and variables all stay'
"$ABTF" encode -q -o example.btf "$example"
"$ABTF" strip example.btf plain.btf
"$dedup" plain.btf dedup.btf
expect 0 "$compare" plain.btf dedup.btf
expect_eq "$(kinds dedup.btf)" "$(kinds plain.btf)" 'kinds'

# funcs FILE: print name and prototype of its FUNCs, sorted
funcs() {
	bpftool -j btf dump file "$1" | jq -c '.types[] | select(.kind == "FUNC") | [.name, .type_id]' | sort
}

begin 'functions whose names have files are kept, although 22 twins have the same prototype'
expect 0 "$compare" --funcs plain.btf dedup.btf
expect_eq "$(funcs dedup.btf)" "$(funcs plain.btf)"
expect_eq "$(funcs plain.btf | grep -c '"cpumask_weight@')" 22

begin 'twins with the same name and prototype are merged, other functions are kept'
"$ABTF" encode -q --features=func_addr -o bare.btf "$example"
"$ABTF" strip bare.btf bare-plain.btf
"$dedup" bare-plain.btf bare-dedup.btf
funcs bare-plain.btf | uniq >unique
expect_eq "$(($(funcs bare-plain.btf | wc -l) - $(wc -l <unique)))" 21 'functions to merge'
expect_eq "$(funcs bare-dedup.btf)" "$(cat unique)"

begin 'names with conflicting definitions: none is merged'
unit a <<'C'
struct s { int a; struct s *next; };
typedef struct s s_t;
int fa(s_t *s) { return s->a; }
C
unit b <<'C'
struct s { long b; struct s *next; };
typedef struct s s_t;
int fb(s_t *s) { return s->b; }
C
unit c <<'C'
struct s;
struct holder { struct s *s; };
int fc(struct holder *h) { return h->s != 0; }
C
image vmlinux a.o b.o c.o
encode vmlinux
"$ABTF" strip vmlinux.btf plain2.btf
"$dedup" plain2.btf dedup2.btf
expect 0 "$compare" -a plain2.btf dedup2.btf
expect_eq "$(kinds dedup2.btf)" "$(kinds plain2.btf)" 'kinds'

begin 'strings that the linker has not merged: the same BTF, although names have several offsets'
cp vmlinux.btf merged-strings.btf
for name in a b c; do
	objcopy --set-section-flags .debug_str=readonly,debug $name.o
done
image vmlinux a.o b.o c.o
twice=$(readelf -p .debug_str vmlinux | awk '/\[/ { print $3 }' | sort | uniq -d)
grep -q . <<<"$twice" || fail 'no string is duplicated'
encode vmlinux
expect 0 cmp vmlinux.btf merged-strings.btf

begin 'BTF that libbpf merges with itself does not change, except for variables'
"$dedup" plain.btf plain.btf merged.btf
expect_eq "$(kinds merged.btf | grep -v -e VAR -e DATASEC)" \
	"$(kinds dedup.btf | grep -v -e VAR -e DATASEC)" 'kinds'
expect_eq "$(kinds merged.btf | awk '$2 == "VAR" || $2 == "DATASEC" { print $1 / 2, $2 }')" \
	"$(kinds dedup.btf | awk '$2 == "VAR" || $2 == "DATASEC" { print $1, $2 }')" 'variables'
expect_eq "$(funcs merged.btf)" "$(funcs dedup.btf)" 'FUNCs'

begin 'merged with another image: no function of either is lost'
# names FILE: print the names of its FUNCs
names() {
	bpftool -j btf dump file "$1" | jq -r '.types[] | select(.kind == "FUNC").name' | sort -u
}
expect_eq "$(names plain2.btf | tr '\n' ' ')" 'fa fb fc '
"$dedup" plain.btf plain2.btf both.btf
expect_eq "$(names both.btf)" "$({ names plain.btf; names plain2.btf; } | sort -u)"
