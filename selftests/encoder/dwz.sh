#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Compressed by dwz(1), or with type units, DWARF leads to the same BTF, or to an error that names
# the unsupported section.
. "${0%/*}/../lib.sh"

cat >common.h <<'H'
struct s { int a, b; struct s *next; union { long x; char c[8]; } u; };
typedef struct s s_t;
enum e { A, B, C };
struct deep { struct s one; s_t two; enum e three; struct deep *four; };
static __attribute__((noinline, used)) int g(s_t *s, enum e e) { return s->b + e; }
H
for name in a b c; do
	unit $name -I. <<-C
	#include "common.h"
	int f_$name(struct s *s, struct deep *d) { return s->a + d->two.b; }
	int h_$name(s_t *s, enum e e) { return g(s, e); }
	C
done
image plain a.o b.o c.o
encode plain

begin 'partial units that other units import: the same types and functions'
cp plain partial
dwz partial
need_dwarf partial DW_TAG_partial_unit
need_dwarf partial DW_TAG_imported_unit
encode partial
expect_eq "$(types partial .)" "$(types plain .)" types
expect_eq "$(funcs partial)" "$(funcs plain)" functions
expect 0 "$compare" plain.btf partial.btf

begin 'the file number of a declaration belongs to its own unit, which may be a partial unit'
# Inlined functions, whose bodies refer to an abstract instance, which is equal in all units
echo 'static inline __attribute__((used)) int both(s_t *s, enum e e) { return s->a * e; }' >inline.h
for i in 1 2 3 4; do
	for k in $(seq $i); do
		echo "static inline __attribute__((used)) int only_${i}_$k(int x) { return x + $k; }" >other_${i}_$k.h
	done
	{
		for k in $(seq $i); do
			echo "#include \"other_${i}_$k.h\""
		done
		echo '#include "common.h"'
		echo '#include "inline.h"'
		echo "int i_$i(s_t *s, enum e e) { return both(s, e) + $i; }"
	} | unit many_$i -I.
done
image many many_1.o many_2.o many_3.o many_4.o
cp many many-partial
dwz many-partial
need_dwarf many-partial DW_TAG_partial_unit
expect 0 "$ABTF" list -j many both
cp out plain.json
expect_eq "$(jq -r '.functions[] | .decl_file' plain.json | sort | uniq -c | xargs)" '4 inline.h'
expect 0 "$ABTF" list -j many-partial both
expect_eq "$(cat out)" "$(cat plain.json)"

begin 'a file shared by several images: rejected, with the name of the section'
for version in 4 5; do
	cp plain one
	cp plain two
	# --dwarf-5: forms and section of DWARF 5 instead of GNU's
	options=(-m)
	[ $version = 4 ] || options=(--dwarf-5 -m)
	dwz "${options[@]}" shared.debug one two 2>dwz.log
	readelf -SW one >sections.txt
	case $version in
	4)	has sections.txt ' \.gnu_debugaltlink ' ;;
	5)	has sections.txt ' \.debug_sup ' ;;
	esac
	rm -f one.btf
	expect 1 "$ABTF" encode -o one.btf one
	says '\] \.(gnu_debugaltlink|debug_sup): some DWARF is not read: another file'
	[ ! -e one.btf ] || fail 'an output file was written'

	# without the section that names the file
	objcopy -R .gnu_debugaltlink -R .debug_sup one bare
	expect 1 "$ABTF" encode -o bare.btf bare
	says 'DW_FORM_(GNU_ref_alt|GNU_strp_alt)'
done

begin 'type units: rejected by name'
for version in 4 5; do
	unit units -fdebug-types-section -gdwarf-$version <<-'C'
	struct unit { int a; } x;
	int f(struct unit *u) { return u->a; }
	C
	image units units.o
	need_dwarf units DW_TAG_type_unit
	expect 1 "$ABTF" encode -o units.btf units
	# the type units of DWARF 4 leave only a declaration in .debug_info
	case $version in
	4)	says '\] \.debug_types: some DWARF is not read: type units' ;;
	5)	says 'type units, build without -fdebug-types-section' ;;
	esac
done

begin 'split DWARF: rejected by name, the object and the file with its DWARF'
for version in 4 5; do
	unit split -gsplit-dwarf -gdwarf-$version <<<'int f(int a) { return a; }'
	for file in split.o split.dwo; do
		expect 1 "$ABTF" encode -o split.btf $file
		says '(split DWARF, build without -gsplit-dwarf|split DWARF \(-gsplit-dwarf\) is not supported)$'
	done
done

begin 'type units in a module: its own units come first'
unit other <<<'int other(int x) { return x; }'
ld -r -o units.ko other.o units.o
expect 1 "$ABTF" encode -o units.btf units.ko
says '\] \.debug_info: some DWARF is not read: type units, build without'
