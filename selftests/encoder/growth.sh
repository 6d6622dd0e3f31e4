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

# count STATUS COMMAND...: set $count to its instructions, without the 600,000 that start a program
count() {
	local status=0

	limited valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null \
		--log-file=valgrind.log "${@:2}" >out 2>&1 </dev/null || status=$?
	[ $status = "$1" ] || fail "${*:2}: status $status, expected $1: $(tail -n 3 out)"
	count=$(sed -nE 's/,//g; s/.* I +refs: +([0-9]+)$/\1/p' valgrind.log)
	[ -n "$count" ] || { fail "valgrind counts nothing: $(tail -n 3 valgrind.log)"; count=0; }
	count=$((count - 600000))
}

# is_linear COUNT COUNT: test the counts for n and 4n. Sorting, n log n, takes 4.8 times as many for 4n; a
# quadratic algorithm takes sixteen times as many.
is_linear() {
	[ $(($2 * 10)) -le $(($1 * 53)) ]
}

# quadruples WHAT COUNT COUNT: check the counts for n and 4n
quadruples() {
	echo "$1: $2 $3"
	[ "$2" -ge 1000000 ] || fail "$1: too few instructions to compare"
	is_linear "$2" "$3" ||
		fail "$1: $2 instructions become $3 for four times the work"
}

# grows CASE NUMBER STATUS [judge]: with "judge", also run the judge, which has little to do in most cases
grows() {
	local nr encode='' judged=''

	for nr in "$2" $((4 * $2)); do
		./hostile "$1" "$nr" image
		rm -f t.btf
		count "$3" "$ABTF_PROGRAM" encode -q -j1 -o t.btf image
		encode+=" $count"
		if [ -n "${4:-}" ]; then
			count 0 "$judge" image t.btf
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
for nr in 1000 4000; do
	count 0 ./square $nr
	counts+=" $count"
done
# shellcheck disable=SC2086 # two numbers
! is_linear $counts || fail "$counts count as linear"

begin 'abbreviation tables that overlap, and two that alternate between units'
grows tables_overlap 2500 1
grows tables_in_turn 2500 1

begin 'functions at the same address, and with the same name'
grows one_place 2500 0 judge
grows one_name 2500 0 judge
grows clones 2500 0 judge
grows clones_mentioned 2500 0
grows clones_of_many 2500 0 judge

begin 'parameters: one among many, reversed order, large structs by value'
grows last_parameter 2500 0
grows parameters_reversed 2500 0
grows structs_by_value 4000 0 judge

begin 'shared lists of ranges and locations'
# up to a limit, each function reads the list
grows ranges 4000 0 judge
grows ranges_shared 2500 1
grows locations 2500 0

begin 'overlapping sets of kfuncs'
grows kfuncs 2500 1

begin 'strings: tails of one long string, equal hashes, names of units and symbols'
grows strings_overlap 2500 0
grows tags_overlap 2500 1
# up to 4096 steps, one look-up compares with all earlier strings
grows strings_collide 5000 1
# beyond the limit, there is an error at once
grows unit_names 600 0
grows symbol_names 300 0

begin 'variables at the start of their section'
grows variables 2500 0

begin 'chains of const, of ignored DIEs, of structures'
grows const_chains 30 0
grows alias_chain 2500 0
grows two_chains 1000 0
grows same_chains 5000 0

begin 'similar types: with the same name, without a name'
grows contents 2000 0
grows anonymous 2000 0

begin 'many DIEs of one byte, units that refer to each other'
grows one_byte 60000 0
grows across_units 2500 0
