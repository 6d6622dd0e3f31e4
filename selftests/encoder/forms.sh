#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# DWARF allows several forms for a value, of which compilers choose the shortest.  With any other
# form, the value and the BTF are the same.
. "${0%/*}/../lib.sh"

# numbers below 64, which take one byte in all forms
cat >a.c <<'C'
struct bits { unsigned int a:3, b:5; int c:7; struct { int x, y; } in; };
union both { char bytes[12]; struct bits bits; long words[2][3]; };
enum small { ONE = 1, FIVE = 5, SIXTY = 60 };
enum __attribute__((packed)) byte { NONE, ALL = 33 };
struct forward;
typedef int (*callback)(struct forward *f, enum small s, ...);
int declared(struct forward *f, union both *b) __attribute__((weak));
int declared_more(callback call, enum byte byte) __attribute__((weak));
static inline __attribute__((always_inline)) int inlined(union both *b, enum byte byte)
{
	return b->bytes[byte];
}
static __attribute__((noinline)) int local(union both *b, enum small s) { return b->bits.a + s; }
int global(struct forward *f, union both *b, callback call)
{
	return local(b, FIVE) + inlined(b, NONE) + declared(f, b) + declared_more(call, ALL) + call(f, SIXTY);
}
C

# rewrite ATTRIBUTES FORM: replace data1 by FORM for these attributes, in all abbreviations of stdin
rewrite() {
	ATTRIBUTES=$1 FORM=$2 perl -pe '
		$abbrev = /\.debug_abbrev/ if /^\s*\.section/;
		$changed += s/\b(0x)?[0-9a-f]+(?=\s+# \(?DW_FORM_data1\b)/$ENV{FORM}/ if $mine;
		$mine = $abbrev && /# \(?DW_AT_($ENV{ATTRIBUTES})\b/;
		END { exit !$changed }'
}
udata=0x0f sdata=0x0d
attributes='decl_line byte_size data_member_location data_bit_offset bit_size upper_bound count const_value'

# make_image NAME <FILE.S: link two copies of the unit, because known types are read differently
make_image() {
	tee first.S | sed 's/\<global\>/global_2/g; s/\<local\>/local_2/g' >second.S
	$CC -c -o first.o first.S
	$CC -c -o second.o second.S
	image "$1" first.o second.o
	encode "$1" -j1
}

for where in gcc clang; do
	target $where
	for version in 4 5; do
		# shellcheck disable=SC2086 # lists of flags
		$CC $common $machine -gdwarf-$version -dA -S -o a.S a.c 2>/dev/null ||
			$CC $common $machine -gdwarf-$version -S -o a.S a.c
		make_image usual <a.S
		for form in udata sdata; do
			begin "$where, DWARF $version: numbers as $form"
			rewrite "${attributes// /|}" ${!form} <a.S >b.S
			make_image other <b.S
			verify other other.btf
			diff usual.dump other.dump && continue
			fail 'the BTF differs; by attribute:'
			for attribute in $attributes; do
				rewrite $attribute ${!form} <a.S >b.S || continue
				make_image other <b.S
				cmp usual.dump other.dump || fail "$attribute: the BTF differs"
			done
		done
	done
done

begin 'names as indices: each unit has its own table of offsets'
target clang
unit strx_a -gdwarf-5 <<'C'
struct first { int alpha; int beta; };
int use_first(struct first *f) { return f->alpha; }
C
unit strx_b -gdwarf-5 <<'C'
struct second { int gamma; int delta; int epsilon; };
int use_second(struct second *s) { return s->delta; }
C
unit strx_c -gdwarf-5 <<C
struct many { $(printf 'int m%d; ' {0..299}) };
int use_many(struct many *m) { return m->m0; }
C
image strx strx_a.o strx_b.o strx_c.o
readelf --debug-dump=abbrev strx >abbrev.txt
has abbrev.txt 'DW_AT_name *DW_FORM_strx1'
has abbrev.txt 'DW_AT_name *DW_FORM_strx2'
encode strx
expect_text "$(types strx '^STRUCT')" <<T
STRUCT first size 8 { int alpha @0; int beta @32; }
STRUCT many size 1200 { $(for i in {0..299}; do printf 'int m%d @%d; ' $i $((i * 32)); done)}
STRUCT second size 12 { int gamma @0; int delta @32; int epsilon @64; }
T
module strx.ko strx_a.o strx_b.o strx_c.o
expect 0 "$ABTF" encode -q -o strx.ko.btf strx.ko
"$dump" strx.ko.btf | grep '^.[0-9]*. STRUCT' | sort >module.txt
grep '^.[0-9]*. STRUCT' strx.dump | sort | diff - module.txt || fail 'the types of the module differ'

begin 'DW_AT_sibling as DW_FORM_ref_addr, which libdw rejects'
target gcc
cat >siblings.c <<'C'
int f(int a) { return a; }
static inline int inlined(int a) { int b = f(a); return b * f(b); }
int user(int a) { struct s { int a; } s = { inlined(a) + 1 }; return inlined(s.a) + f(a); }
C
# shellcheck disable=SC2086 # lists of flags
$CC $common -fno-ipa-icf -fno-inline-small-functions -dA -S -o siblings.S siblings.c
# the unit is the first one, so offsets in it are offsets in .debug_info
perl -0pe 's/(\(DW_AT_sibling\)\n\s+\.uleb128 )0x13/${1}0x10/g' <siblings.S >ref_addr.S
for name in siblings ref_addr; do
	$CC -c -o $name.o $name.S
	image $name.elf $name.o
	encode $name.elf
	"$ABTF" list --inlined $name.elf inlined >$name.calls 2>&1 || true
done
readelf --debug-dump=abbrev ref_addr.elf >abbrev.txt
has abbrev.txt 'DW_AT_sibling *DW_FORM_ref_addr'
expect_eq "$(types ref_addr.elf '^STRUCT ')" 'STRUCT s size 4 { int a @0; }'
diff siblings.elf.dump ref_addr.elf.dump || fail 'the BTF differs'
diff siblings.calls ref_addr.calls || fail 'the calls differ'

begin 'the BTF describes the source'
expect_text "$(types usual '^(STRUCT|UNION|ENUM) .')" <<'E'
ENUM byte unsigned size 1 { NONE = 0; ALL = 33; }
ENUM small unsigned size 4 { ONE = 1; FIVE = 5; SIXTY = 60; }
STRUCT bits size 12 { unsigned int a:3 @0; unsigned int b:5 @3; int c:7 @8; struct {...} in @32; }
STRUCT size 8 { int x @0; int y @32; }
UNION both size 48 { char bytes[12] @0; struct bits bits @0; long words[2][3] @0; }
E
expect_funcs usual global <<'E'
global = global: int global(struct forward *f, union both *b, callback call)
E
