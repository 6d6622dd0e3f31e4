#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args: DWARF of compilers that lacks information, or is easily misread.
. "${0%/*}/../lib.sh"
. "${0%/*}/lib/args-dwarf.sh"

cat >changed.c <<'C'
int sink;
static inline __attribute__((always_inline)) void inl(int k, long l)
{
	k += 3;
	l *= 5;
	sink++;
	asm volatile("nop" : : "r"(k), "r"(l));
}
#define F __attribute__((noinline, used)) static
F void passes(int k, long l) { inl(k, l); }
F void passes_constants(void) { inl(7, 100); }
static __attribute__((noinline)) int clone(int unused, int k) { k += 3; sink++; asm volatile("nop" : : "r"(k)); return k; }
int calls(int k) { return clone(1, k) + clone(2, k + 1); }
C

begin 'gcc: on entry, the passed value is found, although DWARF has a changed one at the first instruction'
for flags in -gdwarf-5 -gdwarf-4; do
	# shellcheck disable=SC2086 # lists of flags
	unit changed $flags <changed.c
	image changed changed.o
	need_dwarf changed DW_AT_GNU_entry_view
	need_dwarf changed DW_AT_GNU_locviews
	need_symbol changed 't clone\.(constprop|isra)\.0'
	expect_text "$(show_args --inlined changed inl)" <<-'T'
	k: di
	l: si
	k: +7
	l: +100
	T
	expect_text "$(show_args --args=k changed clone)" <<<'k: di'
done

begin 'a register for the whole function is not used: DWARF does not record when it becomes valid'
cat >untracked.c <<'C'
int sink(int a);
static __attribute__((noinline)) int clone(int *p, int unused, int k) { return sink(1) + sink(2) + *p + k; }
int calls(int *p, int k) { return clone(p, 1, k) + clone(p + 1, 1, k + 2); }
C
unit sink <<<'int sink(int a) { asm volatile("" : : : "memory", "di", "si", "dx"); return a; }'
unit untracked -fno-var-tracking <untracked.c
image untracked untracked.o sink.o
need_symbol untracked 't clone\.constprop\.0'
expect_text "$(show_args --args=p,k untracked clone)" <<'T'
p: it is in a register, but DWARF does not record from which instruction on
k: it is in a register, but DWARF does not record from which instruction on
T

begin 'the cold part of a function is not its entry'
unit cold -freorder-blocks-and-partition <<'C'
struct big { long a[6]; };
__attribute__((cold, noinline)) void bad(struct big *o, int k) { asm volatile("" : : "r"(k), "r"(o) : "memory"); }
__attribute__((noinline)) int ext(int k) { asm volatile("" : "+r"(k) : : "memory"); return k; }
int f(int a, int b, int c, int d, int e, int g, long h, struct big s)
{
	struct big l = s;
	int r = ext(a);

	asm volatile("" : : "r"(&l) : "memory");
	if (__builtin_expect(r == 77, 0)) {
		bad(&l, h);
		bad(&s, r);
		return s.a[2] + h;
	}
	return r + l.a[3];
}
C
image cold cold.o
need_symbol cold 't f\.cold'
show_args -a --args=h cold f.cold >shown
has shown '^h: '
has_not shown 'h: sp 8$'
tool objcopy -R .debug_frame cold.o
image cold cold.o
expect_text "$(show_args -a --args=h cold f.cold)" <<<"h: $no_frame"

begin 'link-time optimization: parameters are described in later units'
types='struct object { int a; struct object *next; }; int sink(int);'
types+='static inline __attribute__((always_inline)) int inl'
unit lto_a -flto -fno-fat-lto-objects <<C
$types(struct object *o, int k) { return sink(o->a + k) + sink(o->next->a); }
int outer(struct object *o, int m) { return inl(o->next, 5) + m; }
C
unit lto_b -flto -fno-fat-lto-objects <<C
$types(struct object *o, int k) { return sink(o->a + k) + sink(o->next->a); }
__attribute__((noinline)) int sink(int a) { asm volatile("" : "+r"(a)); return a; }
int outer_b(struct object *o) { return inl(o, 3); }
C
# shellcheck disable=SC2086 # lists of flags
gcc $common $machine $link -flto -flto-partition=one -Wl,-T,"$selftests/example/vmlinux.lds" \
	-Wl,-u,outer -Wl,-u,outer_b -o lto lto_a.o lto_b.o
need_dwarf lto DW_TAG_inlined_subroutine
expect 0 quietly "$ABTF" list --inlined --probe=tracefs --args='o->next->a,k' lto inl
says ' a=\+0\(\+8\(%[a-z0-9]+\)\):s32 k=\\5:s32$'
says ' a=\+0\(\+8\(%[a-z0-9]+\)\):s32 k=\\3:s32$'

begin 'clang: a struct that the function copies to its frame later has no location on entry'
(
	target clang
	unit copied <<-'C'
	struct wide { unsigned n; char c; } __attribute__((aligned(64)));
	struct padded { unsigned n; } __attribute__((aligned(16)));
	struct pair { int x, y; };
	#define F __attribute__((noinline, used)) static
	F void f(struct pair p, struct padded q, struct wide w, int b)
	{
		asm volatile("" : : "m"(p));
		asm volatile("" : : "m"(q));
		asm volatile("" : : "m"(w), "r"(b));
	}
	C
	image copied copied.o
	need_dwarf copied 'DW_OP_breg7 \(rsp\)'
	expect_text "$(show_args --args=p.x,b copied f)" <<-T
	p.x: $no_frame
	b: dx
	T
)
