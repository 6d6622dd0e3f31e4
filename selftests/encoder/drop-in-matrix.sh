#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# abtf-pahole and pahole 1.32 with the same objects and options have the same exit status, write the
# same file or none, and encode the same functions, variables and types.  PAHOLE is the path of
# pahole 1.32; the default is the one that selftests/fetch-pahole.sh built.
. "${0%/*}/../lib.sh"
: "${PAHOLE:=$top/build/pahole-sid/pahole}"
begin 'pahole 1.32'
[ "$("$PAHOLE" --version 2>/dev/null || :)" = v1.32 ] || { skip 'no pahole 1.32: see selftests/fetch-pahole.sh'; exit 77; }

cat >c.c <<'C'
struct s { int a; float f; long b : 5; };
enum e { A = 1, B = 0x800000000 } e1;
int first(int a) { return a; }
int gvar;
static int svar = 3, *volatile p = &svar;
int arr[4] = { 1 };
int pc __attribute__((section(".data..percpu"))) = 1;
struct { int z; } anonymous = { 1 };
const char text[] = "x";
static __attribute__((noinline)) int dup(struct s *s, int unused) { return s->a; }
int f(struct s *s) { return dup(s, 1) + *p; }
int variadic(int a, ...) { return a; }
C
cat >clones.c <<'C'
struct s { int a; long b; };
int ext(int a) { asm volatile(""); return a; }
static __attribute__((noinline)) int value(struct s s) { return ext(s.a) + s.b; }
static __attribute__((noinline)) int ptr(struct s *s) { return ext(s->a); }
static __attribute__((noinline)) int second(struct s *s, int x) { return ext(s->a) + x; }
static __attribute__((noinline)) int unused(int x, int y) { return ext(x); }
static __attribute__((noinline)) int before(int y, int x) { return ext(x); }
int user(struct s *p, int x)
{
	return value(*p) + ptr(p) + second(p, x) + unused(x, 4) + unused(x + 1, 5) + before(1, x) + before(2, x);
}
C
printf '.globl x\n.type x, @function\nx:\n nop\n ret\n.size x, .-x\n' >asm.s
cat >lang.s <<'S'
	.section .debug_abbrev,"",@progbits
	.uleb128 1, 0x11
	.byte 1
	.uleb128 0x3, 0x8, 0x13, 0xb, 0, 0
	.uleb128 2, 0x24
	.byte 0
	.uleb128 0x3, 0x8, 0xb, 0xb, 0x3e, 0xb, 0, 0
	.byte 0
	.section .debug_info,"",@progbits
	.long 9f - 1f
1:	.short 4
	.long .debug_abbrev
	.byte 8
	.uleb128 1
	.asciz "r.rs"
	.byte 0x1c
	.uleb128 2
	.asciz "u32"
	.byte 4, 7
	.byte 0
9:
S
gcc -g -gdwarf-5 -O2 -c c.c -o c.o
gcc -g1 -O2 -c c.c -o terse.o
gcc -g -O2 -c clones.c -o clones.o
ld -r -o module.o c.o clones.o
gcc -nostdlib -static -Wl,-e0 -o clones.exe clones.o
clang-19 -g -O2 -c clones.c -o clang-clones.o
gcc -O2 -c c.c -o plain.o
gcc -g -c asm.s -o gas.o
clang -g -c asm.s -o clang-as.o
clang -g -O2 -c c.c -o clang.o
gcc -c lang.s -o rust.o
gcc -g -c -x c /dev/null -o empty.o
ld -r -o mixed.o c.o gas.o rust.o
for name in c terse plain gas clang-as rust; do
	gcc -nostdlib -static -Wl,-e0 -o $name.exe $name.o
done
gcc -g -O2 -gdwarf-2 -c c.c -o two.o
gcc -g -O2 -m32 -c c.c -o narrow.o
gcc -g -O2 -fPIC -shared -nostdlib c.c -o lib.so
for machine in aarch64 s390x; do
	$machine-linux-gnu-gcc -g -O2 -c c.c -o $machine.o
done
for compression in zlib zstd; do
	objcopy --compress-debug-sections=$compression c.o $compression.o
done
gcc -g -O2 -gsplit-dwarf -c c.c -o split.o
gcc -g -O2 -fdebug-types-section -c c.c -o units.o
gcc -g -O2 -flto -fno-fat-lto-objects -c c.c -o lto.o
clang -g -O2 -flto -c c.c -o bitcode.o
ar rc lib.a c.o
head -c 1000 c.o >cut.o
# no section headers, and no table of their names
{ head -c 40 c.exe; head -c 8 /dev/zero; head -c 58 c.exe | tail -c 10; head -c 6 /dev/zero; tail -c +65 c.exe; } >headless.exe
expect_eq "$(stat -c %s headless.exe)" "$(stat -c %s c.exe)"
echo garbage >junk.o
: >zero.o
# The base and the module have no function in common, because pahole merges equal FUNCs.
gcc -g -gdwarf-5 -O2 -Dfirst=first_of_base -Ddup=dup_of_base -Df=f_of_base -Dvariadic=variadic_of_base -c c.c -o base.o
"$PAHOLE" -J base.o

# contents FILE: print kinds and names, without ids; $base is bpftool's option for the base, if any
contents() {
	# bpftool of Debian 12 does not read .BTF.base
	if grep -q '\.BTF\.base' <<<"$(readelf -SW "$1" 2>/dev/null || true)"; then
		section "$1" .BTF.base distilled
		section "$1" .BTF split
		"$dump" split distilled | sed -E 's/^\[[0-9]+\] ([A-Z_0-9]+ [^ ]+).*/\1/' | sort
		return
	fi
	# shellcheck disable=SC2086 # none, or two words
	{ bpftool $base btf dump file "$1" 2>/dev/null || echo unreadable; } | sed -nE "s/^(unreadable)$/\1/p; s/^\[[0-9]+\] ([A-Z_0-9]+ '[^']*').*/\1/p" | sort
}

# otherwise everything would be equally unreadable
base=
expect_eq "$(contents base.o | grep -c "FUNC 'first_of_base'")" 1

# run PROGRAM OBJECT MODE OPTION...: print "STATUS WHAT", and the contents of the output
run() {
	local program=$1 object=$2 mode=$3 status=0

	shift 3
	cp "$object" out.o
	rm -f out.btf
	[ "$mode" = in-place ] || set -- "$@" --btf_encode_detached=out.btf
	"$program" -J "$@" out.o >messages 2>&1 </dev/null || status=$?
	echo "status $status"
	if [ "$mode" = in-place ]; then
		if cmp -s out.o "$object"; then echo 'the file is unchanged'; else contents out.o; fi
	elif [ -e out.btf ]; then
		contents out.btf
	else
		echo 'no file'
	fi
}

# Intended differences: see abtf(1).
declare -A on_purpose
for object in junk.o zero.o bitcode.o lto.o lib.a cut.o split.o units.o; do
	on_purpose[$object]=1
done

# matrix OBJECTS: run both for each line of stdin, which has environment variables, then options
matrix() {
	local object options words

	while read -r options; do
		read -ra words <<<"$options"
		base=
		[[ $options != *'--btf_base base.o'* ]] || base='-B base.o'
		for object in $1; do
			for mode in in-place detached; do
				(
					while [[ ${words[0]-} == *_*=* && ${words[0]} != -* ]]; do
						export "${words[0]}"
						words=("${words[@]:1}")
					done
					run "$ABTF_PAHOLE" "$object" $mode "${words[@]}" >got
					run "$PAHOLE" "$object" $mode "${words[@]}" >wanted
				)
				nr=$((nr + 1))
				if [ -n "${on_purpose[$object]-}" ]; then
					! cmp -s got wanted || fail "$object $options $mode: the expected difference is gone"
				elif ! cmp -s got wanted; then
					fail "$object $options $mode: (- pahole, + abtf-pahole)"
					diff -u wanted got | tail -n +3 || :
				fi
			done
		done
	done
}

nr=0
begin 'objects with and without types: the same result as pahole'
matrix 'c.o terse.o plain.o gas.o clang-as.o clang.o rust.o empty.o mixed.o junk.o zero.o
	c.exe terse.exe plain.exe gas.exe clang-as.exe rust.exe' <<O

--btf_features=default --lang_exclude=rust
O

begin 'other files: the same result as pahole'
matrix 'two.o narrow.o lib.so aarch64.o s390x.o zlib.o zstd.o headless.exe lib.a cut.o split.o units.o lto.o bitcode.o' <<O

O

begin 'numbers, unknown names and wrong options: the same result as pahole'
matrix c.o <<O
-j
-j4
-j0
-j-1
-jx
-j1100
--jobs
--jobs=4
--jobs=
--no_such
--skip_encoding_btf_no_such
--btf_enc
-o out.o
--btf_features=
--btf_features=,,
--btf_features=no_such
--btf_features_strict=
--btf_features_strict=no_such
--btf_features_strict=default
--btf_features=default --btf_features=all
--btf_base=
--btf_base=c.exe
--btf_base=junk.o
--btf_encode_detached=
--btf_encode_detached=nowhere/out.btf
--skip_encoding_btf_decl_tag --skip_encoding_btf_type_tag --skip_encoding_btf_enum64
--skip_encoding_btf_inconsistent_proto
--reproducible_build -j
-F dwarf
-V
O

begin 'languages, also in the environment: the same result as pahole'
matrix 'c.o rust.o mixed.o c.exe' <<O
PAHOLE_LANG_EXCLUDE=rust
PAHOLE_LANG_EXCLUDE=rust --lang=rust
PAHOLE_LANG_EXCLUDE=rust --lang_exclude=c11
PAHOLE_LANG_EXCLUDE=RUST,c11,asm
PAHOLE_LANG_EXCLUDE=nonsense
--lang=c11
--lang_exclude=nonsense
O

begin 'features: the same result as pahole'
matrix 'c.o clang.o c.exe rust.o plain.exe' <<O
--btf_features=all
--btf_features_strict=all
--btf_gen_all
--btf_gen_all --skip_encoding_btf_vars
--btf_features=all --btf_features=var
--btf_features=+global_var
--btf_features=global_var
--btf_features=default,true_signature
--btf_features=var,no_such_thing
--btf_features_strict=var,no_such_thing
--skip_encoding_btf_vars --btf_gen_floats
O

begin 'clones, which have other addresses than their symbols in relocatable files'
nm clones.o >symbols
has symbols ' t value\.isra'
has symbols ' t unused\.constprop'
matrix 'clones.o module.o clones.exe clang-clones.o' <<O

--btf_features=default
--btf_features=default,true_signature
--btf_gen_optimized
O

begin 'a base, and a distilled base: the same result as pahole'
matrix 'c.o rust.o gas.o clang-as.o plain.o plain.exe' <<O
--btf_features=default,distilled_base
--btf_base base.o
--btf_base base.o --btf_features=default,distilled_base
--btf_base nowhere
O
expect_eq $nr $((282 + 28 + 60 + 32)) 'combinations'
