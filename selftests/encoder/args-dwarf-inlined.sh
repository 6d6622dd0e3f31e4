#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args: arguments of inlined calls in handwritten DWARF.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/args-dwarf.sh"

# show_inlined_args NAME: print the arguments of the inlined calls of inl()
show_inlined_args() {
	show_args --inlined "${args:---args=x,y,s.a,w}" "$1" inl
}

begin 'clang: a parameter of an inlined call is not read from the register of a narrower variable'
upper="DWARF does not record whether its upper bits are in the register"
cat >params <<'S'
	param narrow int 0x55
	param wide long 0x54
	listed ended int .Lended
	inlined 5
	arg x 0x54
	arg y 0x55
	.byte 0
	inlined 5
	arg x 0x55
	.byte 0
	block
	variable inner int 0x51
	inlined 5
	arg x 0x51
	.byte 0, 0
	inlined 5
	arg x 0x51
	.byte 0
	variable part two 0x52, 0x93, 4, 0x53, 0x93, 8
	inlined 5
	arg x 0x52
	.byte 0
	inlined 5
	arg x 0x53
	.byte 0
	inlined 5
	arg x 0x58
	arg y 0x58
	.byte 0
	inlined 5
	arg x 0x59
	.byte 0
	inlined 5
	arg x 0x55
	inlined 5
	arg x 0x5a
	.byte 0, 0
S
set_lists <<'S'
.Lended: .byte 7
	.quad f, f + 5
	.byte 1, 0x59, 0
S
narrow=(si "$upper" "$upper" dx "$upper" bx "$upper" r9 "$upper" r10)
producer='clang version 19.1.7' image_from_dwarf narrow 0x57
expect_text "$(args=--args=x show_inlined_args narrow)" <<<"$(printf 'x: %s\n' "${narrow[@]}")"
image_from_dwarf narrow 0x57
expect_text "$(args=--args=x show_inlined_args narrow | sort -u)" <<<"x: $unset_register"

begin 'clang: JSON marks each value that may be another one; for tools, a note names the first of them'
cat >params <<'S'
	listed moved long .Lmoved
	listed kept long .Lkept
	inlined 5
	arg x 0x52
	arg_listed y .Lspilled
	arg_listed p .Lkept
	arg_listed s .Lconstant
	.byte 0
S
set_lists <<'S'
.Lmoved: .byte 7
	.quad f, f + 1
	.byte 1, 0x55
	.byte 7
	.quad f + 1, .Lf_end
	.byte 1, 0x53, 0
.Lkept: .byte 7
	.quad f, .Lf_end
	.byte 1, 0x54, 0
.Lspilled: .byte 7
	.quad f, .Lf_end
	.byte 2, 0x73, 8, 0
.Lconstant: .byte 7
	.quad f, .Lf_end
	.byte 3, 0x35, 0x9f, 0
S
# doubts OPTION...: print the expressions whose value may be another one
doubts() {
	{ quietly "$ABTF" list --probe=json "$@" || [ $? = 4 ]; } |
		jq -r '[.probes[].args[] | select(.doubt) | select(.doubt | test("^it may be another")).expression] |
			join(" ")'
}
producer='clang version 19.1.7' image_from_dwarf doubt 0x57
image_from_dwarf sure 0x57
inlined=(--inlined --args='x,y,p,p->x,s.a,nosuch')
doubts --args doubt f@w.c | expect_none
expect_eq "$(doubts --args doubt f@w.c+0x5)" moved
expect_eq "$(doubts "${inlined[@]}" doubt inl)" 'x y p p->x'
doubts --args sure f@w.c+0x5 | expect_none
doubts "${inlined[@]}" sure inl | expect_none
# notes OPTION...: print the notes
notes() {
	"$ABTF" list "$@" 2>&1 >out | sed -n 's/^abtf: note: \([^:]*: [^:]*\):.*/\1/p'
}
for tool in bpftrace tracefs libbpf; do
	expect_eq "$(notes --probe=$tool "${inlined[@]}" doubt inl)" 'x: it may be another value'
	expect_eq "$(notes --probe=$tool --args=kept,moved doubt f@w.c+0x5)" 'moved: it may be another value'
	notes --probe=$tool --args=kept doubt f@w.c+0x5 | expect_none
	notes --probe=$tool --args doubt f@w.c | expect_none
	notes --probe=$tool "${inlined[@]}" sure inl | expect_none
done
notes --probe=json "${inlined[@]}" doubt inl | expect_none

begin 'gcc: a constant argument of an inlined call is not used if it is in a register at a later instruction'
cat >params <<'S'
	inlined 5
	arg_listed x .Lmerged
	arg_listed y .Lconstant
	.byte 0
S
set_lists <<'S'
.Lmerged: .byte 7
	.quad f + 5, f + 6
	.byte 2, 0x33, 0x9f
	.byte 7
	.quad f + 6, .Lf_end
	.byte 1, 0x55, 0
.Lconstant: .byte 7
	.quad f + 5, f + 6
	.byte 2, 0x33, 0x9f
	.byte 7
	.quad f + 6, .Lf_end
	.byte 2, 0x34, 0x9f, 0
S
image_from_dwarf merged $cfa
expect_text "$(args=--args=x,y show_inlined_args merged)" <<T
x: $another
y: +3
T

begin 'an argument of an inlined call in two registers, or of which a part is in memory, has no location'
cat >params <<'S'
	inlined 5
	arg_listed s .Ltwo
	arg_listed w .Lmemory
	arg_listed x .Lmemory
	.byte 0
S
set_lists <<'S'
.Ltwo: .byte 7
	.quad f, .Lf_end
	.byte 6, 0x52, 0x93, 8, 0x53, 0x93, 8, 0
.Lmemory: .byte 7
	.quad f, .Lf_end
	.byte 2, 0x76, 8, 0
S
for producer in 'clang version 19.1.7' 'GNU C17 12 -O2'; do
	image_from_dwarf inlined-parts $cfa
	expect_text "$(args=--args=s.a,w,x show_inlined_args inlined-parts)" <<-T
	s.a: $another
	w: DWARF may describe a part of it
	x: bp 8
	T
done
