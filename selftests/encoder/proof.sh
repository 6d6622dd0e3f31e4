#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Locations prove the parameters of a clone.  Compilers rarely generate these cases, so this DWARF
# is written by hand.
. "${0%/*}/../lib.sh"

target gcc

# clone NAME PARAMETER...: add "NAME.constprop.0", 16 bytes long, whose source is
#	static long NAME(long a, ...)	with a parameter for each PARAMETER, which is
# LETTER=LOCATION; x is a parameter that the source does not have.  LOCATION is in its DIE:
#	none		no location
#	const		DW_AT_const_value
#	BYTES		one expression for the whole function, such as "0x55,0x9f"
#	F-T:BYTES/...	a list of expressions, each for the instructions from F to T
#	-		there is no DIE
# Variables in the environment:
#	SYMBOL=NAME	symbol
#	CONVENTION=N	DW_AT_calling_convention
#	FILL=BYTE	code, instead of nops
#	AGAIN=1		add a second body at the same address
#	RETURNS=LABEL	return type
clone() {
	local name=$1 param place entry count=0 n

	shift
	[ -n "${AGAIN:-}" ] || cat >>code.s <<-S
		.type ${SYMBOL:-$name.constprop.0}, @function
	${SYMBOL:-$name.constprop.0}:
	.Lat_$name:	.fill 15, 1, ${FILL:-0x90}
		ret
		.size ${SYMBOL:-$name.constprop.0}, 16
	S
	{
		echo "	.uleb128 3; .long .Labstract_$name - .Lunit; .quad .Lat_$name, 16"
		echo "	.byte ${CONVENTION:-1}"
	} >body.s
	{
		echo ".Labstract_$name:"
		echo "	.uleb128 4; .asciz \"$name\"; .long ${RETURNS:-.Llong} - .Lunit"
	} >abstract.s
	for param; do
		place=${param#*=} param=${param%%=*} count=$((count + 1))
		[ "$param" = x ] || {
			echo ".Lparam_${name}_$count:"
			echo "	.uleb128 5; .asciz \"$param\"; .long .Llong - .Lunit"
		} >>abstract.s
		case $place in
		-)	continue ;;
		none)	echo "	.uleb128 6" ;;
		const)	echo "	.uleb128 7; .sleb128 7" ;;
		*:*)	echo "	.uleb128 8; .long .Llist_${name}_$count"
			echo ".Llist_${name}_$count:" >>lists.s
			for entry in ${place//\// }; do
				echo "	.byte 7; .quad .Lat_$name + ${entry%%-*}"
				entry=${entry#*-}
				echo "	.quad .Lat_$name + ${entry%%:*}"
				echo "	.uleb128 2f - 1f; 1: .byte ${entry#*:}; 2:"
			done >>lists.s
			echo "	.byte 0" >>lists.s ;;
		*)	[ "$param" = x ] && n=10 || n=9
			echo "	.uleb128 $n; .uleb128 2f - 1f; 1: .byte $place; 2:" ;;
		esac >param.s
		cat param.s
		# the source does not have x
		if [ "$param" = x ]; then
			echo '	.asciz "x"; .long .Llong - .Lunit'
		else
			echo "	.long .Lparam_${name}_$count - .Lunit"
		fi
	done >>body.s
	[ -n "${AGAIN:-}" ] || cat abstract.s - >>info.s <<<"	.uleb128 0"
	cat body.s >>info.s
	echo "	.uleb128 0" >>info.s
}

# abbrev NUMBER TAG CHILDREN ATTRIBUTE FORM...
abbrev() {
	echo "	.uleb128 $1, $2; .byte $3; .uleb128 $(printf '%s, ' "${@:4}")0, 0"
}

# finish IMAGE: link an image from the functions of clone(); PRODUCER= in the environment
finish() {
	{
		cat <<-'S'
			.text
			.Ltext:
		S
		cat code.s
		cat <<-'S'
			.Ltext_end:
			.section .debug_abbrev, "", @progbits
		S
		# compile_unit: producer, language, low_pc, high_pc
		abbrev 1 0x11 1 0x25 0x08 0x13 0x0b 0x11 0x01 0x12 0x07
		# base_type: name, byte_size, encoding
		abbrev 2 0x24 0 0x03 0x08 0x0b 0x0b 0x3e 0x0b
		# subprogram, a body: abstract_origin, low_pc, high_pc, calling_convention
		abbrev 3 0x2e 1 0x31 0x13 0x11 0x01 0x12 0x07 0x36 0x0b
		# subprogram: name, type
		abbrev 4 0x2e 1 0x03 0x08 0x49 0x13
		# formal_parameter: name, type
		abbrev 5 0x05 0 0x03 0x08 0x49 0x13
		# formal_parameter: (const_value or location,) abstract_origin
		abbrev 6 0x05 0 0x31 0x13
		abbrev 7 0x05 0 0x1c 0x0d 0x31 0x13
		abbrev 8 0x05 0 0x02 0x17 0x31 0x13
		abbrev 9 0x05 0 0x02 0x18 0x31 0x13
		# formal_parameter: location, name, type
		abbrev 10 0x05 0 0x02 0x18 0x03 0x08 0x49 0x13
		# structure_type: name, byte_size
		abbrev 11 0x13 0 0x03 0x08 0x0b 0x0b
		cat <<-S
			.byte 0
			.section .debug_info, "", @progbits
		.Lunit:
			.long .Lunit_end - .Lversion
		.Lversion:
			.short 5
			.byte 1, 8
			.long .debug_abbrev
			.uleb128 1; .asciz "${PRODUCER:-by hand}"; .byte 0x1d; .quad .Ltext, .Ltext_end - .Ltext
		.Llong:
			.uleb128 2; .asciz "long int"; .byte 8, 5
		.Lpair:
			.uleb128 11; .asciz "pair"; .byte 16
		S
		cat info.s
		cat <<-'S'
			.uleb128 0
		.Lunit_end:
			.section .debug_loclists, "", @progbits
			.long .Llists_end - .Llists
		.Llists:
			.short 5
			.byte 8, 0
			.long 0
		S
		cat lists.s 2>/dev/null || true
		cat <<-'S'
		.Llists_end:
			.section .note.GNU-stack, "", @progbits
		S
	} >"$1.S"
	$CC -c -o "$1.o" "$1.S"
	image "$1" "$1.o"
	rm -f code.s info.s lists.s
	encode "$1"
}

# DW_OP_: reg0 + N is 0x50 + N, breg0 + N 0x70 + N; arguments are in 5, 4, 1, 2, 8, 9
rdi=0x55 rsi=0x54 rdx=0x51 rbx=0x53 xmm0=0x61
lit7=0x37 stack_value=0x9f
entry_rdi=0xa3,1,0x55,0x9f entry_rsi=0xa3,1,0x54,0x9f

begin 'a parameter in its register on entry is encoded, with each form of location'
clone plain a=$rdi b=$rsi
clone listed a=0-16:$rdi b=0-16:$rsi
clone moves a=0-4:$rdi/4-16:$rbx b=0-4:$rsi/4-16:$entry_rsi
clone moment a=0-0:$rdi/0-16:$lit7,$stack_value b=$rsi
clone by_regx a=0x90,5 b=0x90,4
finish in-place
expect_text "$(funcs in-place | sed -E 's/^[a-z_]+.constprop.0 = [a-z_]+.constprop.0: //')" <<'F'
long int by_regx.constprop.0(long int a, long int b)
long int listed.constprop.0(long int a, long int b)
long int moment.constprop.0(long int a, long int b)
long int moves.constprop.0(long int a, long int b)
long int plain.constprop.0(long int a, long int b)
F

begin 'a parameter that is constant on entry is not passed: the others move up'
clone const_first a=const b=$rdi c=$rsi
clone const_middle a=$rdi b=const c=$rsi
clone const_last a=$rdi b=$rsi c=const
clone literal a=0-16:$lit7,$stack_value b=$rdi
clone const1u a=0x08,7,$stack_value b=$rdi
clone constu a=0x10,7,$stack_value b=$rdi
clone implicit_value a=0x9e,1,7 b=$rdi
clone address a=0x03,0,0,0,0,0,0,0,0,$stack_value b=$rdi
clone all_const a=const b=const
# gcc lists remaining parameters first
clone kept_first b=$rdi c=$rsi a=const
finish constants
expect_text "$(funcs constants | sed 's/.*: //')" <<'F'
long int address.constprop.0(long int b)
long int all_const.constprop.0(void)
long int const1u.constprop.0(long int b)
long int const_first.constprop.0(long int b, long int c)
long int const_last.constprop.0(long int a, long int b)
long int const_middle.constprop.0(long int a, long int c)
long int constu.constprop.0(long int b)
long int implicit_value.constprop.0(long int b)
long int kept_first.constprop.0(long int b, long int c)
long int literal.constprop.0(long int b)
F

begin 'clang omits a parameter that the function overwrites, although it may be passed'
CONVENTION=3 clone of_clang a=const b=$rdi
CONVENTION=3 clone all_there a=$rdi b=$rsi
PRODUCER='clang version 19.1.7' finish clang
expect_eq "$(funcs clang | cut -d' ' -f1)" all_there.constprop.0
expect_eq "$(skipped clang)" 'of_clang.constprop.0: unproven_signature'

begin 'two bodies at the same address with different parameters: not proven'
clone two a=$rdi b=$rsi
AGAIN=1 clone two a=$rdi b=const
clone twice a=$rdi b=const
AGAIN=1 clone twice a=$rdi b=const
finish bodies
expect_eq "$(funcs bodies | sed 's/.*: //')" 'long int twice.constprop.0(long int a)'
expect_eq "$(skipped bodies)" 'two.constprop.0: unproven_signature'

begin 'clang: a parameter of a called function that is described too late has a separate reason'
# late NAME PARAMETER...: like clone(), with the name as symbol, and code instead of nops
late() { FILL=0xf8 SYMBOL=$1 clone "$@"; }
late called a=$rdi b=$rsi
late late a=$rdi b=4-16:$rsi
late twice a=4-8:$rdi/8-16:$rbx b=$rsi
# with a second problem
late nowhere a=none b=4-16:$rsi
late nowhere_last a=4-16:$rdi b=none
late optimized_out a=$rdi b=4-4:$rsi
late early a=$rdi b=0-0:$rsi/0-4:0x31,0x9f
CONVENTION=3 late marked a=$rdi b=4-16:$rsi
late twins a=$rdi b=none
AGAIN=1 late twins a=$rdi b=4-16:$rsi
FILL=0xf8 clone copied a=$rdi b=4-16:$rsi
SYMBOL=after_nops clone after_nops a=$rdi b=4-16:$rsi
PRODUCER='clang version 19.1.7' finish called
expect_text "$(skipped called)" <<'F'
copied.constprop.0: unproven_signature
late: late_parameter
marked: unproven_signature
nowhere: unproven_signature
nowhere_last: unproven_signature
optimized_out: unproven_signature
twice: late_parameter
twins: unproven_signature
F
expect 0 "$ABTF" encode -o called.btf called
says '2 of 11 functions are omitted for the same reason: a parameter that debug information only describes after the entry'

begin 'the first register may hold the address of a returned struct'
RETURNS=.Lpair clone returned a=$rdi
SYMBOL=returned_next RETURNS=.Lpair clone returned_next a=$rsi
clone returned_not a=$rdi
finish returned
expect_eq "$(funcs returned | cut -d' ' -f1)" returned_not.constprop.0
skipped returned >reasons
expect_text "$(cat reasons)" <<'F'
returned.constprop.0: unproven_signature
returned_next: unexpected_register
F

begin 'functions with a struct by value have a FUNC, with the struct in registers or in memory'
unit structs <<'C'
struct two { long a, b; };
struct three { long a, b, c; };
long after_two(struct two s, long c) { return s.a + s.b * c; }
long after_three(struct three s, long c) { return s.a + s.b * c; }
C
image structs structs.o
encode structs
expect_funcs structs after_two after_three <<'F'
after_three = after_three: long int after_three(struct three s, long int c)
after_two = after_two: long int after_two(struct two s, long int c)
F

begin 'no location on entry, or another one: not proven'
clone none a=$rdi b=none
clone no_die a=$rdi b=-
clone no_die_first a=- b=$rdi
clone later a=$rdi b=4-16:$rsi
clone const_later a=$rdi b=4-16:$lit7,$stack_value
clone empty_later a=$rdi b=4-4:$rsi/4-16:$lit7,$stack_value
clone parameter_ref a=$rdi b=0xfa,1,0,0,0,$stack_value
clone implicit_pointer a=$rdi b=0xa0,1,0,0,0,0
clone gnu_implicit_pointer a=$rdi b=0xf2,1,0,0,0,0
clone variable_value a=$rdi b=0xfd,1,0,0,0,$stack_value
clone memory a=$rdi b=0x77,8
clone frame a=$rdi b=0x91,0
clone computed a=$rdi b=0x74,1,$stack_value
clone dereferenced a=$rdi b=0x74,0,0x06,$stack_value
clone addressed a=$rdi b=0x74,0
clone pieces a=$rdi b=$rsi,0x93,4,0x93,4
clone const_computed a=$rdi b=$lit7,0x1f,$stack_value
clone const_piece a=$rdi b=$lit7,$stack_value,0x93,4
clone entry_computed a=$rdi b=0xa3,3,0x74,0,0x06,$stack_value
clone value_of a=0x75,0,$stack_value b=$rsi
# gcc writes the register of the source for a parameter that a clone no longer receives
clone entry_only a=$rdi b=0-16:$entry_rsi
clone gnu_entry_only a=0-16:0xf3,1,$rdi,$stack_value b=$rsi
clone entry_later a=4-16:$entry_rdi b=$rsi
clone bare_entry a=0xa3,1,0x55 b=$rsi
clone entry_added a=$rdi b=0xa3,1,0x54,0x23,1,$stack_value
finish unknown
funcs unknown | expect_none
expect_eq "$(skipped unknown | sed 's/.*: //' | sort | uniq -c | tr -s ' ')" ' 25 unproven_signature'

begin 'a register that does not match the order of the remaining parameters: not proven'
clone hole a=$rdi b=$rdx
clone shifted a=$rsi
clone swapped a=$rsi b=$rdi
clone same a=$rdi b=$rdi
clone callee_saved a=$rdi b=$rbx
clone floating a=$rdi b=$xmm0
clone not_packed a=const b=$rsi
clone entry_of_other a=$rdi b=0-16:$entry_rdi
# only the location on entry is used
clone then_right a=$rdi b=0-4:$rbx/4-16:$entry_rsi
clone then_const a=$rdi b=0-4:$rbx/4-16:$lit7,$stack_value
finish registers
funcs registers | expect_none
expect_eq "$(skipped registers | sed 's/.*: //' | sort | uniq -c | tr -s ' ')" ' 10 unproven_signature'

begin 'a parameter that is not in the source: not proven'
clone extra a=$rdi x=$rsi
finish extra
funcs extra | expect_none
expect_eq "$(skipped extra)" 'extra.constprop.0: unproven_signature'

begin 'a function without a suffix: only marked functions must be proven'
SYMBOL=unmarked clone unmarked a=$rdi b=none c=4-16:$rdx
SYMBOL=marked CONVENTION=3 clone marked a=$rdi b=none c=4-16:$rdx
SYMBOL=marked_right CONVENTION=3 clone marked_right a=$rdi b=$rsi
SYMBOL=hidden.llvm.123 clone hidden a=$rdi b=none
SYMBOL=hidden_marked.llvm.123 CONVENTION=3 clone hidden_marked a=$rdi b=none
SYMBOL=hidden_right.llvm.123 CONVENTION=3 clone hidden_right a=$rdi b=$rsi
# not a hash of LLVM: any other suffix is a clone
SYMBOL=letters.llvm.12a clone letters a=$rdi b=none
SYMBOL=letters_right.llvm.12a clone letters_right a=$rdi b=$rsi
SYMBOL=bare.llvm. clone bare a=$rdi b=none
SYMBOL=cold_start.lto_priv.0 clone cold_start a=$rdi b=none
finish marks
expect_funcs marks <<'F'
hidden = hidden.llvm.123: long int hidden(long int a, long int b)
hidden_right = hidden_right.llvm.123: void hidden_right(long int a, long int b)
letters_right.llvm.12a = letters_right.llvm.12a: long int letters_right.llvm.12a(long int a, long int b)
marked_right = marked_right: void marked_right(long int a, long int b)
unmarked = unmarked: long int unmarked(long int a, long int b, long int c)
F
expect_text "$(skipped marks)" <<'F'
bare.llvm.: unproven_signature
cold_start.lto_priv.0: unproven_signature
hidden_marked.llvm.123: unproven_signature
letters.llvm.12a: unproven_signature
marked: unproven_signature
F

begin 'without suffix or mark, an argument in the register of another: skipped'
SYMBOL=exchanged clone exchanged a=$rsi b=$rdi
SYMBOL=moved_up clone moved_up a=none b=$rdi
SYMBOL=moved_later clone moved_later a=$rbx b=$rsi
SYMBOL=beyond clone beyond a=$rdx
finish plain
expect_funcs plain <<'F'
moved_later = moved_later: long int moved_later(long int a, long int b)
F
expect_text "$(skipped plain)" <<'F'
beyond: unexpected_register
exchanged: unexpected_register
moved_up: unexpected_register
F

begin 'without suffix or mark, a value computed from another argument on entry: skipped'
SYMBOL=computed clone computed a=$rdi b=0x75,0,0x23,1,$stack_value
SYMBOL=of_own clone of_own a=$rdi b=0x74,0,0x11,0x7f,0x1a,$stack_value
SYMBOL=in_memory clone in_memory a=$rdi b=0x75,0
finish computed
# "b" of in_memory is where rdi points to, and not in rsi, as the prototype would imply
expect_eq "$(funcs computed | sed 's/ =.*//' | tr '\n' ' ')" 'of_own '
expect_text "$(skipped computed)" <<'F'
computed: unexpected_register
in_memory: unexpected_register
F

begin 'ThinLTO: static functions share a name, each with its own address'
unit one <<<'static __attribute__((noinline, used)) int twin(int *p, int n) { return *p; }'
unit two <<<'static __attribute__((noinline, used)) long twin(long a) { return a + 1; }'
objcopy --redefine-sym twin=twin.llvm.1 --globalize-symbol twin one.o
objcopy --redefine-sym twin=twin.llvm.2 --globalize-symbol twin two.o
image twins one.o two.o
need_symbol twins '[tT] twin\.llvm\.1'
encode twins
expect_eq "$(funcs twins | sed -E 's/^twin(@[a-z.]*)? = (twin.llvm.[12]): (.*) twin.*\((.*)/\2 \3 \4/')" \
	"$(printf '%s\n' 'twin.llvm.1 int int *p, int n)' 'twin.llvm.2 long int long int a)')"
expect 0 "$ABTF" check twins twins.btf

begin 'a parameter after "..." belongs to the outer function, even after a nested function'
{
	cat <<-'S'
		.text
		.globl outer, inner
		.type outer, @function
		.type inner, @function
	outer:	ret
		.size outer, 1
	inner:	ret
		.size inner, 1
		.section .debug_abbrev, "", @progbits
	S
	# compile_unit: language
	abbrev 1 0x11 1 0x13 0x0b
	# base_type: name, byte_size, encoding
	abbrev 2 0x24 0 0x03 0x08 0x0b 0x0b 0x3e 0x0b
	# subprogram: external, name, type, low_pc, high_pc
	abbrev 3 0x2e 1 0x3f 0x19 0x03 0x08 0x49 0x13 0x11 0x01 0x12 0x0b
	# formal_parameter: name, type, (location)
	abbrev 4 0x05 0 0x03 0x08 0x49 0x13 0x02 0x18
	abbrev 5 0x05 0 0x03 0x08 0x49 0x13
	# unspecified_parameters
	abbrev 6 0x18 0
	cat <<-'S'
		.byte 0
		.section .debug_info, "", @progbits
	unit:	.long unit_end - unit - 4
		.short 4
		.long .debug_abbrev
		.byte 8
		.byte 1, 12
	long:	.byte 2
		.asciz "long int"
		.byte 8, 5
		.byte 3
		.asciz "outer"
		.long long - unit
		.quad outer
		.byte 1
		.byte 4
		.asciz "a"
		.long long - unit
		.byte 1, 0x55
		.byte 6
		.byte 3
		.asciz "inner"
		.long long - unit
		.quad inner
		.byte 1
		.byte 4
		.asciz "a"
		.long long - unit
		.byte 1, 0x55
		.byte 0
		.byte 5
		.asciz "late"
		.long long - unit
		.byte 0
		.byte 0
	unit_end:
		.section .note.GNU-stack, "", @progbits
	S
} >nested.S
$CC -c -o nested.o nested.S
image nested nested.o
encode nested
expect_funcs nested <<'F'
inner = inner: long int inner(long int a)
F
expect_eq "$(skipped nested)" 'outer: reordered_parameter'

begin 'an inline function has a symbol, but no unit has a body'
{
	cat <<-'S'
		.text
		.globl only
		.type only, @function
	only:	ret
		.size only, 1
		.section .debug_abbrev, "", @progbits
	S
	# compile_unit: language
	abbrev 1 0x11 1 0x13 0x0b
	# base_type: name, byte_size, encoding
	abbrev 2 0x24 0 0x03 0x08 0x0b 0x0b 0x3e 0x0b
	# subprogram: external, name, prototyped, type, inline
	abbrev 3 0x2e 0 0x3f 0x19 0x03 0x08 0x27 0x19 0x49 0x13 0x20 0x0b
	cat <<-'S'
		.byte 0
		.section .debug_info, "", @progbits
	unit:	.long unit_end - unit - 4
		.short 4
		.long .debug_abbrev
		.byte 8
		.byte 1, 12
	int:	.byte 2
		.asciz "int"
		.byte 4, 5
		.byte 3
		.asciz "only"
		.long int - unit
		.byte 1
		.byte 0
	unit_end:
		.section .note.GNU-stack, "", @progbits
	S
} >bodiless.S
$CC -c -o bodiless.o bodiless.S
image bodiless bodiless.o
encode bodiless
expect_funcs bodiless only <<<'only = only: int only(void)'
