#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# binutils describe the functions of .S units, but not their parameters.
. "${0%/*}/../lib.sh"

cat >asm.S <<'S'
	.macro func name
	.type \name, @function
\name:	ret
	.size \name, . - \name
	.endm
	.text
	.globl agreed, differ, unknown, dots, unprototyped, arguments, folded, nothing
	.globl labelled, misnamed, foreign
	func agreed
	func differ
	func unknown
	func dots
	func unprototyped
	func arguments
	func folded
	func nothing
	func labelled
	func misnamed
	func foreign
	/* C units have functions with these names and their own code */
	func local
	func inlined
	.section .note.GNU-stack, "", @progbits
S
cat >a.c <<'C'
void agreed(char *p);
void differ(char *p);
int dots(const char *fmt, ...);
int unprototyped();
void nothing(void);
int by_label(char *p, int n) asm("labelled");
int misnamed(char *p) asm("elsewhere");
#ifdef __clang__
__attribute__((ms_abi))		/* gcc does not record it */
#endif
int foreign(char *p);
void *arguments(void *to, const void *from, unsigned long size);
static __attribute__((noinline, used)) int local(int *p) { return *p; }
static inline __attribute__((always_inline)) int inlined(int *p) { return *p + 1; }
int user_a(int *p)
{
	agreed("");
	differ("");
	arguments(p, p, 4);
	nothing();
	return local(p) + inlined(p) + dots("", 1) + unprototyped(1) + by_label("", 1) + misnamed("") +
	       foreign("");
}
C
cat >b.c <<'C'
void agreed(char *p);
long differ(char *p);
void *arguments(void *to, const void *from, unsigned long size);
long user_b(int *p)
{
	agreed("");
	arguments(p, p, 8);
	return differ("");
}
C
cat >c.c <<'C'
void agreed(long x);
void user_c(void) { agreed(1); }
C

# without DWARF
gcc -c -x assembler -o elsewhere.o - <<<'.globl elsewhere; elsewhere: ret; .section .note.GNU-stack, "", @progbits'

for compiler in gcc clang-19; do
	have $compiler || { begin $compiler; skip "no $compiler"; continue; }
	target gcc
	$CC -g -c -o asm.o asm.S
	[ $compiler = gcc ] || target clang
	# shellcheck disable=SC2034 # lib.sh's
	CC=$compiler
	for name in a b c; do
		unit $name <$name.c
	done
	target gcc
	image vmlinux asm.o a.o b.o elsewhere.o
	need_dwarf vmlinux 'DW_TAG_unspecified_type'
	encode vmlinux

	begin "$compiler: a function gets the declaration in C units if all agree"
	expect_funcs vmlinux agreed <<-'F'
	agreed = agreed: void agreed(char *arg1)
	F

	begin "$compiler: a function is skipped if declarations differ, have no prototype, or are missing"
	funcs vmlinux differ unknown dots unprototyped folded nothing | expect_none
	expect_text "$(skipped vmlinux | grep -E '^(differ|unknown|dots|unprototyped|folded|nothing):')" <<-'F'
	differ: no_prototype
	dots: no_prototype
	folded: no_prototype
	nothing: no_prototype
	unknown: no_prototype
	unprototyped: no_prototype
	F

	begin "$compiler: an asm label names the symbol that is declared"
	expect_funcs vmlinux labelled misnamed <<-'F'
	labelled = labelled: int labelled(char *arg1, int arg2)
	F
	expect_eq "$(skipped vmlinux | grep ^misnamed:)" 'misnamed: no_prototype'
	verify vmlinux vmlinux.btf

	if [ $compiler != gcc ]; then
		begin "$compiler: a function declared with another calling convention is skipped"
		need_dwarf vmlinux 'DW_AT_calling_convention: 193'
		expect_eq "$(skipped vmlinux | grep ^foreign:)" 'foreign: no_prototype'
	fi

	# Declarations do not name parameters, and the kernel rejects a FUNC with unnamed ones.
	begin "$compiler: a function with arguments never gets the prototype (void)"
	funcs vmlinux arguments >got
	has got '\(void \*arg1, '
	find_lines -F '(void)' got | expect_none

	begin "$compiler: a C function with the name of a local assembly function is a different function"
	expect_eq "$(nm vmlinux | grep -c ' t local$')" 2 'symbols called local'
	expect_funcs vmlinux local inlined <<-'F'
	local@a.c = local: int local(int *p)
	F
	expect_text "$(skipped vmlinux | grep -E '^(local|inlined):')" <<-'F'
	inlined: no_prototype
	local: no_prototype
	F

	begin "$compiler: a function is skipped if one unit has another declaration"
	image other asm.o a.o b.o c.o elsewhere.o
	encode other
	funcs other agreed | expect_none
	expect_eq "$(skipped other | grep ^agreed:)" 'agreed: no_prototype'

	begin "$compiler: a function is skipped if a unit defines a function with its name, even if it is renamed later"
	unit stub <<<'long agreed(int x) { return x; }'
	objcopy --redefine-sym agreed=stub_agreed stub.o
	image stubbed asm.o a.o b.o stub.o elsewhere.o
	encode stubbed
	funcs stubbed agreed | expect_none
	expect_eq "$(skipped stubbed | grep ^agreed:)" 'agreed: no_prototype'

	begin "$compiler: declarations in a unit that is read again are used once"
	echo '	.text
	.globl shaped
	.type shaped, @function
shaped:	ret
	.size shaped, . - shaped
	.section .note.GNU-stack, "", @progbits' >shaped.S
	gcc -g -c -o shaped.o shaped.S
	for name in x y; do
		unit $name <<<"struct shape { int x; }; int $name(struct shape *s) { return s->x; }"
	done
	unit z <<<'struct shape { long z; }; void shaped(struct shape *); void z(struct shape *s) { shaped(s); }'
	image again shaped.o x.o y.o z.o
	encode again
	expect_funcs again shaped <<-'F'
	shaped = shaped: void shaped(struct shape *arg1)
	F
	"$ABTF" strip again.btf plain.btf
	expect_eq "$(bpftool -j btf dump file plain.btf | jq -r '([null] + .types) as $t | $t[] |
		select(.kind? == "FUNC" and .name == "shaped") |
		$t[$t[$t[.type_id].params[0].type_id].type_id].members[0].name')" z

	# the name was looked up past the end of the table, which SANITIZE=1 detects
	begin "$compiler: a parameter with the name of a function does not declare it"
	cat >arg1.S <<-'S'
		.text
		.globl arg1
		.type arg1, @function
	arg1:	ret
		.size arg1, . - arg1
		.section .note.GNU-stack, "", @progbits
	S
	gcc -c -o arg1.o arg1.S
	image named asm.o a.o b.o arg1.o elsewhere.o
	encode named
	has named.dump 'FUNC arguments .*arguments\(void \*arg1, '
	expect_eq "$(skipped named | grep ^arg1:)" 'arg1: no_dwarf'

	begin "$compiler: a declaration is used although another unit inlines the function"
	unit declares <<<'int divide(char *p); int declares(char *p) { return divide(p); }'
	unit inlines <<<'int divide(char *p) { return *p; } int inlines(char *p) { return divide(p) + 1; }'
	image inlines asm.o declares.o inlines.o
	need_dwarf inlines DW_TAG_inlined_subroutine
	encode inlines
	expect_funcs inlines divide <<-'F'
	divide = divide: int divide(char *p)
	F

	begin "$compiler: a local function does not match C's declaration"
	cat >local.S <<-'S'
		.text
		.type both, @function
	both:	lea (%rdi, %rsi), %rax
		ret
		.size both, . - both
		.section .note.GNU-stack, "", @progbits
	S
	gcc -g -c -o local.o local.S
	unit both <<<'int both(char *p) { return p[1]; }'
	unit calls_both <<<'int both(char *p); int calls_both(char *p) { return both(p); }'
	image local local.o both.o calls_both.o
	need_symbol local 't both'
	encode local
	expect_funcs local both <<-'F'
	both@both.c = both: int both(char *p)
	F
	expect_eq "$(skipped local)" 'both: no_prototype'

	begin "$compiler: a symbol without debug information does not match an inlined C function, either"
	cp asm.o bare.o
	objcopy --strip-debug bare.o
	image bare bare.o a.o b.o elsewhere.o
	encode bare
	funcs bare inlined agreed | expect_none
	expect_eq "$(skipped bare | grep -c '^inlined: ')" 1
done

begin 'like pahole, abtf-pahole writes void prototypes for assembly functions'
target gcc
expect 0 "$ABTF_PAHOLE" -J --btf_features=default --btf_encode_detached=pahole.btf vmlinux
"$dump" pahole.btf >pahole.dump
has pahole.dump 'FUNC unknown .*void unknown\(void\)'
has pahole.dump 'FUNC arguments .*void arguments\(void\)'

begin "DWARF 6's language number for assembly has the same effect"
image six asm.o a.o b.o elsewhere.o
section six .debug_info info
perl -0777 -pi -e 's/\x01\x80/\x31\x00/ == 1 or die' info
tool objcopy --update-section .debug_info=info six
need_dwarf six 'DW_AT_language *: 49'
encode six
expect_funcs six agreed differ <<'F'
agreed = agreed: void agreed(char *arg1)
F
verify six six.btf

begin '--lang-exclude=asm excludes both language numbers of assembly'
for excluded in asm bliss,asm,rust; do
	encode six --lang-exclude=$excluded
	funcs six agreed | expect_none
	encode vmlinux --lang-exclude=$excluded
	funcs vmlinux agreed | expect_none
done
