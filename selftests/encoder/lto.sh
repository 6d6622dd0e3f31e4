#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Units that refer to each other, from link-time optimization and dwz.
. "${0%/*}/../lib.sh"
target clang
have ld.lld || { begin 'link-time optimization'; skip 'no ld.lld'; exit 77; }

# options of GNU ld only
link=${link/-Wl,--no-warn-rwx-segments/}

mkdir -p kernel
cat >shared.h <<'C'
struct shared { int a; struct shared *next; };
static inline int helper(struct shared *s, int k)
{
	return s->a * k + (s->next ? s->next->a : 0);
}
int in_a(struct shared *s);
int in_b(struct shared *s, long x);
C
unit kernel/a -flto -I. <<'C'
#include "shared.h"
static __attribute__((noinline, used)) int twin(struct shared *s) { return s->a; }
__attribute__((noinline)) int in_a(struct shared *s) { return helper(s, 3) + twin(s); }
C
unit kernel/b -flto -I. <<'C'
#include "shared.h"
static __attribute__((noinline, used)) long twin(struct shared *s, long x) { return s->a * x; }
__attribute__((noinline)) int in_b(struct shared *s, long x) { return helper(s, x) + twin(s, x); }
int start(struct shared *s) { return helper(s, 9) + in_a(s) + in_b(s, s->a); }
C
for jobs in 1 4; do
	begin "references across units, -j $jobs"
	image vmlinux -fuse-ld=lld -flto -Wl,-u,start kernel/a.o kernel/b.o
	readelf --debug-dump=abbrev vmlinux >vmlinux.abbrev 2>/dev/null
	grep -q DW_FORM_ref_addr vmlinux.abbrev ||
		{ echo 'precondition: no DW_FORM_ref_addr'; false; }
	encode vmlinux -j $jobs
	expect 0 "$ABTF" check vmlinux vmlinux.btf
	expect_eq "$(types vmlinux '^STRUCT shared' | wc -l)" 1 'struct shared'
	expect 0 "$compare" -a vmlinux.btf vmlinux.btf
	# the linker renames one of the twins; each keeps its own prototype
	need_symbol vmlinux 't twin'
	need_symbol vmlinux 't twin\.[0-9]+'
	expect 0 "$ABTF" list --all vmlinux.btf
	# clang before 17 does not record whether the result is used
	says ' twin .* (void|int) twin\(struct shared \*s\)$'
	says ' twin\.[0-9]+ .* long( int)? twin\.[0-9]+\(struct shared \*s, long( int)? x\)$'
	mv vmlinux.btf "$jobs.btf"
done

begin 'the output is the same for any number of threads'
cmp 1.btf 4.btf || fail 'the output of 1 and 4 threads differs'

begin 'the same types as pahole'
expect 0 pahole -J --btf_encode_detached=pahole.btf vmlinux
expect 0 "$ABTF_PAHOLE" -J --btf_encode_detached=ours.btf vmlinux
expect 0 "$compare" pahole.btf ours.btf

begin 'a name with 70 definitions in units that are read together: each function has its own'
mkdir many
for n in {1..70}; do
	unit many/$n -flto <<C
struct private { char p[$n]; };
struct outer { struct private *inner; };
__attribute__((noinline)) int in_$n(struct private *p) { return p->p[$n - 1]; }
__attribute__((noinline)) int via_$n(struct outer *o) { return o->inner->p[0] + in_$n(o->inner); }
C
done
# shellcheck disable=SC2046 # options
image definitions -fuse-ld=lld -flto $(printf -- '-Wl,-u,in_%d,-u,via_%d ' $(seq 1 70 | sed 's,.*,& &,')) many/*.o
encode definitions
"$ABTF" strip definitions.btf plain.btf
bpftool -j btf dump file plain.btf | "$python" -c '
import json, sys
types = {t["id"]: t for t in json.load(sys.stdin)["types"]}
def target(t): return types[t["type_id"]]
found = set()
for func in types.values():
    if func["kind"] != "FUNC":
        continue
    struct = target(target(target(func)["params"][0]))
    if struct["name"] == "outer":
        struct = target(target(struct["members"][0]))
    assert (struct["name"], struct["size"]) == ("private", int(func["name"].split("_")[1])), (func, struct)
    found.add(func["name"])
assert len(found) == 140, found
' || fail 'a function has the struct of another unit'

begin '-v prints the number of units'
expect 0 "$ABTF" encode -v -o verbose.btf vmlinux
says ' 2 units, '

begin 'ThinLTO: the same functions and types'
for n in a b; do
	cp "kernel/$n.c" "thin_$n.c"
	unit "thin_$n" -flto=thin -I. <"thin_$n.c"
done
image thin -fuse-ld=lld -flto=thin -Wl,-u,start thin_a.o thin_b.o
encode thin
verify thin thin.btf
expect_eq "$(types thin '^STRUCT shared' | wc -l)" 1 'struct shared'

begin 'a unit whose language is excluded: its functions are omitted, types that others use are not'
unit old -flto -std=gnu89 -I. <kernel/a.c
unit new -flto -std=gnu99 -I. <kernel/b.c
image mixed -fuse-ld=lld -flto -Wl,-u,start old.o new.o
readelf --debug-dump=abbrev mixed >mixed.abbrev 2>/dev/null
has mixed.abbrev DW_FORM_ref_addr
for left in 'c89 b' 'c99 a'; do
	expect 0 "$ABTF" encode -q --lang-exclude=${left% *} -o mixed.btf mixed
	"$dump" mixed.btf >mixed.dump
	expect_eq "$(types mixed '^STRUCT shared' | wc -l)" 1 "struct shared, without ${left% *}"
	expect_eq "$(sed -n "s/.*FUNC '\?\(in_[ab]\)\b.*/\1/p" mixed.dump)" "in_${left#* }" 'functions'
done

begin 'from a unit whose language is excluded, only types that other units refer to are encoded'
cat >guest.S <<'A'
	.text
	.globl of_c, of_rust
	.type of_c, @function
	.type of_rust, @function
of_c:	ret
	.size of_c, . - of_c
of_rust: ret
	.size of_rust, . - of_rust
	.section .debug_abbrev,"",@progbits
	/* unit: name, language, low_pc, high_pc */
	.byte 1, 0x11, 1, 0x03, 0x08, 0x13, 0x0b, 0x11, 0x01, 0x12, 0x06, 0, 0
	/* struct: name, size */
	.byte 2, 0x13, 1, 0x03, 0x08, 0x0b, 0x0b, 0, 0
	/* member: name, type, offset */
	.byte 3, 0x0d, 0, 0x03, 0x08, 0x49, 0x10, 0x38, 0x0b, 0, 0
	/* base type: name, size, encoding */
	.byte 4, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0
	/* pointer, typedef: name, array, its bound */
	.byte 5, 0x0f, 0, 0x49, 0x10, 0, 0
	.byte 6, 0x16, 0, 0x03, 0x08, 0x49, 0x10, 0, 0
	.byte 7, 0x01, 1, 0x49, 0x10, 0, 0
	.byte 8, 0x21, 0, 0x37, 0x0b, 0, 0
	/* function: name, low_pc, high_pc, type; parameter: name, type, location */
	.byte 9, 0x2e, 1, 0x03, 0x08, 0x3f, 0x19, 0x27, 0x19, 0x11, 0x01, 0x12, 0x06, 0x49, 0x10, 0, 0
	.byte 10, 0x05, 0, 0x03, 0x08, 0x49, 0x10, 0x02, 0x18, 0, 0
	.byte 0
	.macro name text
	.asciz "\text"
	.endm
	.macro ref die
	.long \die - info
	.endm
	.macro unit file, language, function
	.long 2f - 1f
1:	.short 4
	.long 0
	.byte 8, 1
	name "\file"
	.byte \language
	.quad \function
	.long 1
	.endm
	.macro function text, type, parameter
	.byte 9
	name "\text"
	.quad \text
	.long 1
	ref \type
	.byte 10
	name p
	ref \parameter
	.byte 1, 0x55
	.byte 0
	.endm
	.section .debug_info,"",@progbits
info:
	unit guest.rs, 0x1c, of_rust
i32:	.byte 4
	name i32
	.byte 4, 5
u8:	.byte 4
	name u8
	.byte 1, 7
reached: .byte 2
	name reached
	.byte 24
	.byte 3
	name value
	ref i32
	.byte 0, 3
	name next
	ref next
	.byte 8, 3
	name deep
	ref deep
	.byte 16, 0
next:	.byte 5
	ref reached
deep:	.byte 6
	name deep_t
	ref rows
rows:	.byte 7
	ref cell
	.byte 8, 2, 8, 1, 0
cell:	.byte 2
	name cell
	.byte 4, 3
	name c
	ref i32
	.byte 0, 0
own:	.byte 2
	name S
	.byte 16, 3
	name self
	ref pown
	.byte 0, 3
	name bytes
	ref bytes
	.byte 8, 0
pown:	.byte 5
	ref own
bytes:	.byte 7
	ref u8
	.byte 8, 2, 8, 3, 0
alone:	.byte 6
	name alone_t
	ref bytes
	function of_rust, i32, pown
	.byte 0
2:
	unit main.c, 0x0c, of_c
int:	.byte 4
	name int
	.byte 4, 5
s:	.byte 2
	name S
	.byte 12, 3
	name r
	ref reachedp
	.byte 0, 3
	name a
	ref int
	.byte 8, 0
sp:	.byte 5
	ref s
reachedp: .byte 5
	ref reached
	function of_c, int, sp
	.byte 0
2:
A
if [ "$(uname -m)" = x86_64 ]; then
	gcc -c guest.S
	image guest guest.o
	expect 0 "$ABTF" encode -q --lang-exclude= -o guest.btf guest
	"$dump" guest.btf >guest.dump
	expect_eq "$(sed -nE 's/.*(STRUCT|TYPEDEF|INT) ([a-zA-Z0-9_]+).*/\2/p' guest.dump | sort | tr '\n' ' ')" \
		'S S alone_t cell deep_t i32 int reached u8 ' 'all'
	expect 0 "$ABTF" encode -q --lang-exclude=rust -o guest.btf guest
	"$dump" guest.btf >guest.dump
	expect_eq "$(sed -nE 's/.*(STRUCT|TYPEDEF|INT) ([a-zA-Z0-9_]+).*/\2/p' guest.dump | sort | tr '\n' ' ')" \
		'S cell deep_t i32 int reached ' 'what C reaches'
	expect_eq "$(sed -n 's/.*FUNC \([^ ]*\) .*/\1/p' guest.dump)" of_c
	expect_eq "$(grep -c '\] ARRAY' guest.dump)" 2 'the rows, and each row'
else
	skip 'x86-64 only'
fi

# --- units that refer to any other ------------------------------------------------

target gcc
cat >all.h <<'C'
struct list_of_all { struct list_of_all *next_of_this, *prev_of_this; };
struct shared_by_all {
	int first_member;
	struct shared_by_all *next_member;
	struct list_of_all list_member;
	union { long a_member; char b_member[8]; } of_two;
};
typedef int (*callback_of_all)(struct shared_by_all *s, unsigned long value);
struct operations_of_all {
	callback_of_all open_it, close_it, read_it;
	const char *name_of_it;
	enum how_many { ONE_OF_THEM, TWO_OF_THEM, THREE_OF_THEM } how;
};
extern struct shared_by_all variable_of_all __attribute__((section(".data..percpu")));
static inline long helper(struct shared_by_all *s, int k)
{
	return s->first_member * k + (s->next_member ? s->next_member->first_member : 0) +
	       (long)&variable_of_all;
}
C
# conflicting definitions of a name, in shared and unshared types
for n in 1 2 3 4 5 6; do
	case $n in [123]) type=int ;; [45]) type=long ;; 6) type=short ;; esac
	cat >"own$n.c" <<-C
	#include "all.h"
	struct several_contents { $type what, which; struct operations_of_all *ops; };
	struct reaches_it { struct several_contents *it; struct shared_by_all s; };
	static __attribute__((noinline, used)) long twin(struct reaches_it *r, long x)
	{
		return r->it->what * x + helper(&r->s, $n);
	}
	int func$n(struct operations_of_all *ops, struct reaches_it *r)
	{
		return ops->open_it(&r->s, twin(r, 3));
	}
	C
	[ $n != 1 ] || echo 'struct shared_by_all variable_of_all;' >>own1.c
	unit "own$n" -I. <"own$n.c"
	objects="${objects:-} own$n.o"
done
# shellcheck disable=SC2086
image apart $objects
encode apart

expect_eq "$("$dump" apart.btf | grep -c ' VAR .*variable_of_all')" 1
begin "dwz: partial units that others import give the same types and functions"
have dwz || { skip 'no dwz'; exit 77; }
cp apart dwz
dwz dwz
readelf --debug-dump=info dwz >dwz.info
grep -q DW_TAG_partial_unit dwz.info || { echo 'precondition: no partial unit'; false; }
readelf --debug-dump=abbrev dwz >dwz.abbrev
grep -q DW_FORM_ref_addr dwz.abbrev ||
	{ echo 'precondition: no DW_FORM_ref_addr'; false; }
# its declaration is in a unit that other units import
grep -q DW_AT_specification dwz.info || { echo 'precondition: no DW_AT_specification'; false; }
for jobs in 1 4; do
	encode dwz -j $jobs
	mv dwz.btf "dwz$jobs.btf"
done
cmp dwz1.btf dwz4.btf || fail '-j 1 and -j 4 differ'
verify dwz dwz1.btf
expect 0 "$compare" -a apart.btf dwz1.btf
says '^only in A: 0, only in B: 0, repeats in A: 0, repeats in B: 0$'
expect 0 "$compare" --funcs apart.btf dwz1.btf
says 'missing in B: 0$'

begin "gcc's link-time optimization: bodies refer to units without code"
for n in 1 2 3 4 5 6; do
	unit "lto$n" -I. -flto -ffat-lto-objects <"own$n.c"
	lto="${lto:-} lto$n.o"
done
undefined=$(printf -- '-Wl,-u,func%s ' 1 2 3 4 5 6)
# shellcheck disable=SC2086
image gcc -flto -flto-partition=max $undefined $lto
readelf --debug-dump=abbrev gcc >gcc.abbrev
grep -q DW_FORM_ref_addr gcc.abbrev ||
	{ echo 'precondition: no DW_FORM_ref_addr'; false; }
for jobs in 1 4; do
	encode gcc -j $jobs
	mv gcc.btf "gcc$jobs.btf"
done
cmp gcc1.btf gcc4.btf || fail '-j 1 and -j 4 differ'
verify gcc gcc1.btf
for n in 1 2 3 4 5 6; do
	expect 0 "$ABTF" list --all gcc1.btf
	says "int func$n\(struct operations_of_all \*ops, struct reaches_it \*r\)$"
done
expect_eq "$("$dump" gcc1.btf | grep -c ' STRUCT several_contents ')" 3
