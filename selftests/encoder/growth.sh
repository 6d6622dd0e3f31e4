#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Time grows linearly: on the images of cost.sh, "abtf encode" and the judge execute about four
# times as many instructions for 4n items as for n.
#
# Instructions are counted by valgrind. Time depends on the machine and on its other jobs, and
# virtual machines and containers often have no counters for perf; valgrind's count is the same
# everywhere, except for a few thousand instructions.
# long: valgrind runs everything
. "${0%/*}/../lib.sh"

if [[ $ABTF_PROGRAM = *sanitize* ]]; then
	begin 'growth'
	skip 'valgrind cannot run programs that are built with sanitizers'
	exit 77
fi
gcc -O2 -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -o hostile "$selftests/hostile/hostile.c"

# count COMMAND...: set $count to its instructions, without the 600,000 that start a program
count() {
	limited valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null \
		--log-file=valgrind.log "$@" >out 2>&1 </dev/null || [ $? -le 3 ] ||
		fail "$*: $(tail -n 3 out)"
	count=$(sed -nE 's/,//g; s/.* I +refs: +([0-9]+)$/\1/p' valgrind.log)
	[ -n "$count" ] || { fail "valgrind counts nothing: $(tail -n 3 valgrind.log)"; count=0; }
	count=$((count - 600000))
}

# quadruples WHAT COUNT COUNT: check the counts for n and 4n. Sorting, n log n, takes 4.8 times as
# many for 4n; a quadratic algorithm takes sixteen times as many.
quadruples() {
	echo "$1: $2 $3"
	[ $(($3 * 10)) -le $(($2 * 53)) ] || [ "$3" -lt 1000000 ] ||
		fail "$1: $2 instructions become $3 for four times the work"
}

# grows CASE NUMBER [judge]: with "judge", also run the judge, which has little to do in most cases
grows() {
	local nr encode='' judged=''

	for nr in "$2" $((4 * $2)); do
		./hostile "$1" "$nr" image
		rm -f t.btf
		count "$ABTF_PROGRAM" encode -q -j1 -o t.btf image
		encode+=" $count"
		if [ -n "${3:-}" ]; then
			count "$judge" image t.btf
			judged+=" $count"
		fi
	done
	# shellcheck disable=SC2086 # two numbers
	quadruples "encode $1" $encode
	# shellcheck disable=SC2086
	[ -z "$judged" ] || quadruples "btf-judge $1" $judged
	rm -f image
}

begin 'quadratic growth is noticed'
cat >square.c <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
	long n = atol(argv[1]);
	for (volatile long i = 0; i < n * n; i++);
	return 0;
}
C
gcc -O2 -o square square.c
counts=
for nr in 500 2000; do
	count ./square $nr
	counts+=" $count"
done
# shellcheck disable=SC2086 # two numbers
expect_eq "$(FAIL_FAST='' quadruples square $counts 2>&1 | grep -c FAILED)" 1

begin 'abbreviation tables that overlap, and two that alternate between units'
grows tables_overlap 2500
grows tables_in_turn 2500

begin 'functions at the same address, and with the same name'
grows one_place 2500 judge
grows one_name 2500 judge
grows clones 2500 judge
grows clones_mentioned 2500
grows clones_of_many 2500 judge

begin 'parameters: one among many, reversed order, large structs by value'
grows last_parameter 2500
grows parameters_reversed 2500
grows structs_by_value 4000 judge

begin 'shared lists of ranges and locations'
# up to a limit, each function reads the list
grows ranges 4000 judge
grows ranges_shared 2500
grows locations 2500

begin 'overlapping sets of kfuncs'
grows kfuncs 2500

begin 'strings: tails of one long string, equal hashes, names of units and symbols'
grows strings_overlap 2500
grows tags_overlap 2500
# up to 4096 steps, one look-up compares with all earlier strings
grows strings_collide 5000
# beyond the limit, there is an error at once
grows unit_names 600
grows symbol_names 300

begin 'variables at the start of their section'
grows variables 2500

begin 'chains of const, of ignored DIEs, of structures'
grows const_chains 30 judge
grows alias_chain 2500
grows two_chains 1000
grows same_chains 5000

begin 'similar types: with the same name, without a name'
grows contents 2000
grows anonymous 2000

begin 'many DIEs of one byte, units that refer to each other'
grows one_byte 60000
grows across_units 2500
