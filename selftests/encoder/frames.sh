#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# list --args: arguments in the frame, whose address is computed from .debug_frame or .eh_frame.
# args-run.sh checks the values.
. "${0%/*}/../lib.sh"

cat >spilled.c <<'C'
struct object { int z; struct object *next; };
extern int sink(int);
static inline __attribute__((always_inline)) int inl(struct object *o, int k, long c)
{
	asm volatile("nop");
	return sink(o->z) + k + c;
}
#define CLOBBER asm volatile("" : : : "bx", "bp", "r12", "r13", "r14", "r15", "memory")
__attribute__((noinline, used)) static int spilled(struct object *o, int k, long c)
{
	int ret = sink(1);
	CLOBBER;
	ret += inl(o, k, c) + sink(k) + c;
	CLOBBER;
	return ret + k + c + (long)o;
}
/* a large variable, which is in the frame from the start, even before it is stored */
struct large { long a[5]; };
static inline __attribute__((always_inline)) int early(struct large l, int k)
{
	asm volatile("nop");
	asm volatile("" : : "r"(&l) : "memory");
	return sink(k);
}
__attribute__((noinline, used)) static int late(struct large *l, int k) { return early(*l, k); }
static const char name[] __attribute__((section(".modinfo"), used)) = "name=spilled";
C
sed '/DISCARD/s/^.*$/\t.eh_frame : { *(.eh_frame) } :data\n&/; s/ \.eh_frame \.comment/ .comment/' \
	"$selftests/example/vmlinux.lds" >eh.lds

# built FLAG IMAGE: build an image and a module
built() {
	unit sink "$1" <<<'int sink(int a) { asm volatile("" : "+r"(a)); return a; }'
	unit spilled "$1" -fomit-frame-pointer <spilled.c.orig
	# shellcheck disable=SC2086 # lists of flags
	$CC $common $machine $link -Wl,-T,eh.lds -o "$2" spilled.o sink.o
	module "$2.ko" spilled.o sink.o
}
mv spilled.c spilled.c.orig

# arguments FILE NAME [ARGS]: print the locations of the arguments
arguments() {
	{ "$ABTF" list --inlined --probe=json "--args${3:+=$3}" "$1" "$2" 2>/dev/null || [ $? = 4 ]; } |
		jq -r '.probes[].args[] | .name + "=" + (.reason // ((.registers + (.offsets | map(tostring))) | join(" ")))'
}

unknown='it is in the frame, whose address is not known here'
all_unknown="o=$unknown
k=$unknown
c=$unknown"

for compiler in gcc clang; do
	begin "$compiler: .debug_frame locates arguments in the frame"
	(
		target $compiler
		built -fno-asynchronous-unwind-tables debug-$compiler
		tool readelf -SW debug-$compiler | matches '\.debug_frame '
		arguments debug-$compiler inl >places
		cat places
		expect_eq "$(grep -cE '^(o|k|c)=sp [0-9]+$' places)" 3
		expect_eq "$(arguments debug-$compiler.ko inl)" "$(cat places)" 'in a module'
	)

	begin "$compiler: .eh_frame locates arguments in the frame"
	(
		target $compiler
		built -fasynchronous-unwind-tables eh-$compiler
		tool readelf -SW eh-$compiler | matches '\.eh_frame '
		tool readelf -SW eh-$compiler | find_lines debug_frame | expect_none
		expect_eq "$(arguments eh-$compiler inl)" "$(arguments debug-$compiler inl)"
	)

	begin "$compiler: memory that may be stored later has a reason"
	expect_eq "$(arguments debug-$compiler early 'l=l.a[1]' | grep ^l=)" \
		'l=it is in the frame, but DWARF does not record from which instruction on'
done

# edit FILE COMMAND...: copy FILE to "edited", and filter its .debug_frame through COMMAND
edit() {
	objcopy --dump-section .debug_frame=frame.in "$1"
	"${@:2}" <frame.in >frame.out
	cp "$1" edited
	objcopy --update-section .debug_frame=frame.out edited
}

begin 'unsupported or overlapping entries: the frame is unknown'
edit debug-gcc head -c 30
expect_eq "$(arguments edited inl)" "$all_unknown" 'cut off'
edit debug-gcc sh -c 'cat frame.in frame.in'
expect_eq "$(arguments edited inl)" "$all_unknown" 'twice'
# DW_CFA_def_cfa_offset N to DW_CFA_def_cfa_expression with N bytes
edit debug-gcc perl -0777 -pe 's/\x0e/\x0f/g'
expect_eq "$(arguments edited inl)" "$all_unknown" 'an expression'
edit debug-gcc perl -0777 -pe 's/\x0e/\x3f/g'
expect_eq "$(arguments edited inl)" "$all_unknown" 'an unknown instruction'
# the version of the CIE
edit debug-gcc perl -0777 -pe 's/^(.{8})./$1\x09/s'
expect_eq "$(arguments edited inl)" "$all_unknown" 'an unknown version'
objcopy --remove-section .debug_frame debug-gcc edited
expect_eq "$(arguments edited inl)" "$all_unknown" 'none'

# rule CODE [MORE]: print the location of o if CODE (in hex) is the call frame instructions of the
# function; the section is generated, and ends with MORE
rule() {
	local start size

	read -r start size <<<"$(nm -S debug-gcc | sed -n 's/ t spilled$//p')"
	"$python" - "$start" "$size" "$1" "${2:-}" >frame.out <<'P'
import struct, sys
start, size = int(sys.argv[1], 16), int(sys.argv[2], 16)
def entry(body):
    return struct.pack('<I', len(body)) + body
# code in units of one byte, data in units of -8 bytes; the CFA is r7 + 8 at first
cie = entry(struct.pack('<I', 0xffffffff) + b'\4\0\x08\0\1\x78\x10' + b'\x0c\7\x08')
fde = entry(struct.pack('<IQQ', 0, start, size) + bytes.fromhex(sys.argv[3]))
sys.stdout.buffer.write(cie + fde + bytes.fromhex(sys.argv[4]))
P
	cp debug-gcc edited
	objcopy --update-section .debug_frame=frame.out edited
	arguments edited inl | sed -n 's/^o=//p'
}

# moves CODE BYTES: after CODE, the canonical frame address is BYTES above the stack pointer
moves() {
	local at

	at=$(rule '')
	expect_eq "$(rule "$1")" "sp $((${at#sp } - 8 + $2))" "$1"
}

begin 'frame instructions up to the call give its rule'
expect_eq "$(rule '' | sed 's/[0-9]*$//')" 'sp -'
moves 0e20 32			# def_cfa_offset
moves 410e20410e30 48		# advance_loc
moves 02010e20 32		# advance_loc1, 2, 4
moves 0301000e20 32
moves 04010000000e20 32
moves 7f7f0e20 8		# after the call
moves 12077c 32			# def_cfa_sf
moves 137b 40			# def_cfa_offset_sf
moves 0a0e400b 8		# remember_state, restore_state
moves 0a0e400a0e500b 64
moves 8601c6050601060107010801090006000e20 32
moves 100302770016030277001106011406011506010e18 24
moves 2e102f06012d2c0e28 40
moves 000000 8
expect_eq "$(rule 0d06)" "$(rule '' | sed 's/^sp/bp/')" 'def_cfa_register'
expect_eq "$(rule 0f027708)" "$unknown" 'def_cfa_expression'
expect_eq "$(rule 0b)" "$unknown" 'a state that was not remembered'
expect_eq "$(rule "$(printf '0a%.0s' {1..17})")" "$unknown" 'too many states'
expect_eq "$(rule 3f)" "$unknown" 'an unknown instruction'
expect_eq "$(rule 410e)" "$unknown" 'an operand that is cut off'
expect_eq "$(rule 010000000000000000)" "$unknown" 'back to an earlier address'
expect_eq "$(rule '' 000000)" "$(rule '')" 'padding'

begin 'bytes of .debug_frame and .eh_frame changed: an error or an answer'
[ "$QUICK" ] && step=3 || step=1
for file in debug-gcc.ko debug-clang.ko eh-gcc; do
	limited "$python" - $file "$ABTF" $step <<'P'
import re, subprocess, sys
data = open(sys.argv[1], 'rb').read()
out = subprocess.run(['readelf', '-SW', sys.argv[1]], capture_output=True, text=True).stdout
name, off, size = re.search(r' (\.debug_frame|\.eh_frame) +\S+ +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)', out).groups()
statuses = []
for at in range(int(off, 16), int(off, 16) + int(size, 16), int(sys.argv[3])):
    copy = bytearray(data)
    copy[at] ^= 0xff if at % 2 else 0x81
    open('bad', 'wb').write(copy)
    r = subprocess.run([sys.argv[2], 'list', '--inlined', '--args', '--probe=json', 'bad', 'inl'], capture_output=True)
    statuses.append(r.returncode)
    if r.returncode not in (0, 1, 4) or r.returncode and b'error' not in r.stdout + r.stderr:
        sys.exit(f'{name}+{at}: exit status {r.returncode}: {(r.stdout + r.stderr)[-2000:].decode()}')
if set(statuses) - {1} != {0, 4}:
    sys.exit(f'{sys.argv[1]}: only the statuses {set(statuses)}')
P
done
