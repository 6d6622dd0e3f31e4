#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Modules: types, names and tags that the module and its base share, or do not share.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/modules.sh"

begin 'a forward with two definitions in the base: resolved within a struct'
unit c1 <<<'struct chan { int a; }; struct user { struct chan *c; }; int f(struct user *u) { return u->c->a; }'
unit c2 <<<'struct chan { long b[2]; }; long g(struct chan *c) { return c->b[1]; }'
unit c3 <<<'struct chan; struct user { struct chan *c; }; int h(struct user *u, struct chan *c) { return u->c == c; }'
unit c4 <<<'struct chan; int i(struct chan *c) { return !c; }'
image two c1.o c2.o
"$ABTF" encode -q two
module c3.ko c3.o
module c4.ko c4.o
"$ABTF" encode -q --base two c3.ko
"$dump" c3.ko two >c3.dump
has_not c3.dump 'FWD|STRUCT'
"$ABTF" encode -q --base two c4.ko
"$dump" c4.ko two >c4.dump
has c4.dump 'FWD chan'

begin 'a forward whose name has two definitions in the module is not shared with the base'
unit c5 <<<'struct chan { int a; }; int k(struct chan *c) { return c->a; }'
image one c1.o
"$ABTF" encode -q one
module c245.ko c5.o c2.o c4.o
"$ABTF" encode -q --base one c245.ko
"$dump" c245.ko one >c245.dump
has c245.dump 'FWD chan'
has c245.dump 'STRUCT chan size 16'
# the same if the forward comes first
module c452.ko c4.o c5.o c2.o
"$ABTF" encode -q -j1 --base one c452.ko
"$dump" c452.ko one >c452.dump
has c452.dump 'FWD chan'
has c452.dump 'STRUCT chan size 16'
has_not c452.dump 'STRUCT chan size 4'

for where in aarch64 s390x gcc; do
	target $where
	build_module
	begin "$where: kfuncs are tagged"
	build_kfuncs
	expect 0 "$ABTF" encode --base vmlinux k.ko
	verify -b vmlinux k.ko
	section k.ko .BTF k.btf
	"$dump" k.btf vmlinux >k.dump
	has k.dump 'DECL_TAG bpf_kfunc on \[[0-9]+\] the_kfunc'
	has_not k.dump 'DECL_TAG bpf_kfunc on \[[0-9]+\] no_kfunc'
	has k.dump 'FUNC no_kfunc addr'
done

begin 'names that are similar, and in the same order in each unit, are not confused'
target gcc
unit n1 <<-'C'
struct first { int alpha_member; int beta_member; int gamma_member; };
int first_func(struct first *p) { return p->beta_member; }
C
unit n2 <<-'C'
struct second { int alpha_member; int beta_member_longer; int gamma_membeR; };
int second_func(struct second *p) { return p->beta_member_longer; }
C
module names.ko n1.o n2.o
# one thread, which predicts that the second unit has the names of the first one
expect 0 "$ABTF" encode -j1 -o names.btf names.ko
"$dump" names.btf >names.dump
expect_text "$(types names '^STRUCT (first|second)')" <<'T'
STRUCT first size 12 { int alpha_member @0; int beta_member @32; int gamma_member @64; }
STRUCT second size 12 { int alpha_member @0; int beta_member_longer @32; int gamma_membeR @64; }
T
