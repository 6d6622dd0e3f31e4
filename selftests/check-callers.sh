#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make check-callers: checks that the calls and tail calls that "abtf list --callers" finds in DWARF
# are calls and jumps to the same functions in objdump's disassembly of an x86-64 image. Takes some
# minutes.
#   VMLINUX=FILE    this image (see real-image.sh)
# shellcheck source=real-image.sh
. "$(dirname "$0")/real-image.sh" callers

# "OFFSET NAME": where a call of the function ends
"$abtf" list --callers -j "$image" '*' |
	jq -r '.calls[] | select(.kind != "inlined" and .flags != ["init"]) | "\(.offset) \(.function)"' >dwarf
nm "$image" >symbols
objdump -d --no-show-raw-insn -j .text "$image" | perl -e '
	use strict;
	use warnings;
	no warnings "portable";
	my (%calls, %names, $text, $func, $target);
	my ($nr, $seen, $both, $wrong) = (0, 0, 0, 0);

	open my $symbols, "<", "symbols" or die;
	while (<$symbols>) {
		my ($address, $type, $name) = split;
		$text = hex $address if $name eq "_text";
		# without the suffixes of clones and parts
		$name =~ s/(?<=.)[.].*//;
		push @{$names{hex $address}}, $name if $type =~ /[tTwW]/;
	}
	open my $dwarf, "<", "dwarf" or die;
	while (<$dwarf>) {
		my ($offset, $name) = split;
		$calls{$text + $offset} = $name;
	}
	# calls and jumps from one function to the start of another end at the next instruction
	while (<>) {
		$func = $1 if /^[0-9a-f]+ <(.*)>:$/;
		next unless /^ *([0-9a-f]+):\s+(\S+)\s*([0-9a-f]*) ?(?:<([^>+]*)>$)?/;
		if (defined $target) {
			my $name = $calls{hex $1};
			$seen++;
			if (defined $name) {
				$both++;
				next if grep { $_ eq $name } @{$names{$target}};
				$wrong++;
				print "before $1: a call of $name in DWARF, of @{$names{$target}} by objdump\n";
			}
		}
	} continue {
		undef $target if /^ *[0-9a-f]+:/;
		$target = hex $3 if /^ *([0-9a-f]+):\s+(call|jmp)\s+([0-9a-f]+) <([^>+]*)>$/ && $4 ne $func;
	}
	$nr = keys %calls;
	print "$nr calls in DWARF; $seen calls and jumps by objdump, $both of them in DWARF, ",
		"$wrong to another function\n";
	exit($wrong || !$nr || $both < 0.9 * $nr);'
