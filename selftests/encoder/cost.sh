#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Images of a few megabytes with thousands of items that a quadratic algorithm would combine
# (selftests/hostile/hostile.c).  The encoder prints a message and exits with status 1, or writes
# BTF, within 1.5 GB of memory; growth.sh limits the time.
. "${0%/*}/../lib.sh"

gcc -O2 -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -o hostile "$selftests/hostile/hostile.c"

# Sanitizers map more than any limit.
[[ $ABTF_PROGRAM = *sanitize* ]] || ulimit -v 1500000

# costs CASE NUMBER STATUS [MESSAGE]
costs() {
	local status=0

	./hostile "$1" "$2" image
	rm -f t.btf
	limited "$ABTF" encode -q -o t.btf image >out 2>&1 </dev/null || status=$?
	if [ $status != "$3" ]; then
		fail "$1: status $status, expected $3: $(head -n 3 out)"
	elif [ $status = 0 ]; then
		expect 0 "$ABTF" check image t.btf
		status=0
		limited "$judge" image t.btf >out 2>&1 </dev/null || status=$?
		case $status in
		0)	;;
		2)	has out ': (no function symbols to check against|BTF without addresses: there is nothing to check)' ;;
		*)	fail "$1: btf-judge: status $status: $(tail -n 3 out)" ;;
		esac
	else
		has out "$4"
		[ ! -e t.btf ] || fail "$1: wrote something"
	fi
	rm -f image
}

begin 'abbreviation tables that overlap, and two that alternate between units'
costs tables_overlap 40000 1 'abbreviation tables that overlap'
costs tables_in_turn 40000 1 'abbreviation tables that overlap'

begin 'functions at the same address, and with the same name'
costs one_place 40000 0
costs one_name 40000 0
costs clones 40000 0
costs clones_mentioned 40000 0
costs clones_of_many 40000 0

begin 'parameters: one among many, reversed order, large structs by value'
costs last_parameter 40000 0
costs parameters_reversed 40000 0
costs structs_by_value 60000 0

begin 'shared lists of ranges and locations'
costs ranges 40000 0
costs ranges_shared 40000 1 'overlapping range lists'
costs locations 40000 0

begin 'overlapping sets of kfuncs'
costs kfuncs 40000 1 'the name is shared'

begin 'strings: tails of one long string, equal hashes, names of units and symbols'
costs strings_overlap 40000 0
costs tags_overlap 40000 1 "the kernel's limit"
costs strings_collide 40000 1 'share its hash'
costs unit_names 40000 1 'names of units'
costs symbol_names 20000 0

begin 'variables at the start of their section'
costs variables 40000 0

begin 'chains of const, of ignored DIEs, of structures'
costs const_chains 1000 0
costs alias_chain 40000 0
costs two_chains 5000 0
costs same_chains 150000 0

begin 'similar types: with the same name, without a name'
costs contents 5000 0
costs anonymous 5000 0

begin 'a million DIEs of one byte, units that refer to each other'
costs one_byte 1000000 0
costs across_units 40000 0
