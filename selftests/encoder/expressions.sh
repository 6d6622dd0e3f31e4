#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# All operations of an expression are evaluated, not only the first one.  If an operation is not
# supported, there is no result.
. "${0%/*}/../lib.sh"

cat >a.c <<'C'
#define percpu __attribute__((section(".data..percpu")))
percpu long first = 1;
percpu short second = 1;
percpu int merged[8] = { 1 };	/* last in DWARF: nothing that other DIEs refer to may follow */
C

# locate NAME EXPRESSION <FILE.S: change DW_AT_location of the variable NAME to EXPRESSION, in which
# ADDR is the directive for an address
locate() {
	NAME=$1 EXPRESSION=$2 perl -0pe '
		$changed += s{\.uleb128[ \t]0x[0-9a-f]+(\s+\#[ ]DW_AT_location\n)
			\s+\.byte[ \t]0x3\s+\#[ ]DW_OP_addr\n\s+(\.\w+)[ \t]$ENV{NAME}\n}{
			my $addr = $2;
			(my $bytes = $ENV{EXPRESSION}) =~ s/ADDR/$addr/g;
			".uleb128 889f - 888f$1\n888: " . join("\n\t", split(/; */, $bytes)) . "\n889:\n"
		}xeg;
		s/(\.\w+)[ \t]0x[0-9a-f]+(?=\s+\# Length of Compilation Unit)/$1 887f - 886f\n886:/;
		s/(?=\s+\.section\s+\.debug_abbrev)/\n887:/;
		END { exit !$changed }'
}

# try NAME EXPRESSION: write other.dump, with EXPRESSION as the location of "merged"
try() {
	locate merged "$2" <a.S >b.S
	# shellcheck disable=SC2086 # lists of flags
	$CC $common $machine -c -o b.o b.S
	"image_$1" "other-$1" b.o
	encode "other-$1" --features=+global_var
}

# image_linked NAME OBJECT, image_module NAME OBJECT: link it with main.o
image_linked() { image "$1" main.o "$2"; }
image_module() { module "$1" main.o "$2"; }

for where in gcc m32; do
	kind=$([ $where = gcc ] && echo module || echo linked)
	target $where
	unit main <<<'int main_function(void) { return 1; }'
	# shellcheck disable=SC2086 # lists of flags
	$CC $common $machine -dA -S -o a.S a.c
	# shellcheck disable=SC2086
	$CC $common $machine -c -o a.o a.S
	begin "$where, $kind: expressions with the same address"
	image_$kind usual a.o
	encode usual --features=+global_var
	expect_eq "$(types usual '^VAR ' | sort | tr '\n' ' ')" \
		'VAR first linkage 1: long int first VAR merged linkage 1: int merged[8] VAR second linkage 1: short int second '
	while read -r expression; do
		try $kind "$expression"
		diff usual.dump other-$kind.dump || fail "$expression: the BTF differs"
	done <<-'E'
	.byte 3; ADDR first; .byte 0x23; .uleb128 merged - first
	.byte 3; ADDR merged - 5; .byte 0x35, 0x22
	.byte 0x35, 3; ADDR merged - 5; .byte 0x22
	.byte 3; ADDR merged + 5; .byte 0x35, 0x1c
	.byte 3; ADDR merged + 5; .byte 0x11; .sleb128 -5; .byte 0x22
	.byte 3; ADDR merged + 1; .byte 0x09, 0xff, 0x22
	.byte 3; ADDR merged - 24; .byte 0x33, 0x38, 0x1e, 0x22
	.byte 3; ADDR merged - 2; .byte 0x3b, 0x32, 0x25, 0x22
	.byte 3; ADDR merged + 1; .byte 0x32, 0x1f, 0x31, 0x26, 0x22
	.byte 3; ADDR merged + 5; .byte 0x34, 0x20, 0x22
	.byte 3; ADDR merged - 6; .byte 0x33, 0x12, 0x22, 0x22
	E

	begin "$where, $kind: without an address in memory, a variable is omitted"
	while read -r expression; do
		try $kind "$expression"
		has_not other-$kind.dump ' merged'
		has other-$kind.dump ' first'
	done <<-'E'
	.byte 3; ADDR merged; .byte 6
	.byte 3; ADDR merged; .byte 0x9b
	.byte 3; ADDR merged; .byte 0xe0
	.byte 3; ADDR merged; .byte 0x9f
	.byte 3; ADDR merged; .byte 0x93, 4
	.byte 3; ADDR merged; .byte 3; ADDR first; .byte 0x22
	.byte 0x70, 0
	.byte 0x50
	.byte 0x91, 0
	.byte 0x9e, 4, 0, 0, 0, 0
	.byte 0x31, 0x9f
	E
done
