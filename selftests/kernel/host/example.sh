#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The example of "make run-vm" only counts calls of the chosen cpumask_weight().
# kernels: patched debug
. "${0%/*}/../../lib.sh"
run=$selftests/examples/run-vm.sh
export INSTANCE CALL=''

if ! grep -q ' register_ftrace_direct$' "$KERNEL_OUT/System.map"; then
	begin 'the example'
	skip "this kernel's ftrace has no direct calls"
	exit 77
fi

begin 'each of the 22 is called; calls of the chosen one are counted'
INSTANCE=cpumask_weight@lib/func_addr_test/weight_14.c
expect 0 "$run"
expect_eq "$(grep -cE '^ *[0-9]+  cpumask_weight@lib/func_addr_test/weight_[0-9]+\.c$' out)" 22
expect_eq "$(sed -n "s/^$(sed 's/[.]/\\./g; s,/,\\/,g' <<<$INSTANCE) at 0x[0-9a-f]*: calls counted: //p" out)" 1

begin 'calls of two others are not counted'
CALL='weight_13 weight_15'
expect 0 "$run"
says 'weight_14.c at 0x0: calls counted: 0$'

begin 'a bare name is not found'
INSTANCE=cpumask_weight CALL=''
expect 1 "$run"
says '^cpumask_weight: No such process$'
has_not out 'calls counted'
