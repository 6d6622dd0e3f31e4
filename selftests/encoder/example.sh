#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The example works as the README describes, with both compilers.
. "${0%/*}/../lib.sh"

for compiler in gcc clang; do
	have $compiler || { begin "$compiler: the example"; skip "no $compiler"; continue; }
	make --no-print-directory -s -C "$selftests/example" CC=$compiler out="$PWD/$compiler" \
		"$PWD/$compiler/vmlinux" check
	cp $compiler/vmlinux vmlinux-$compiler
	encode vmlinux-$compiler

	begin "$compiler: 22 instances of cpumask_weight, each with its file"
	expect_eq "$(funcs vmlinux-$compiler cpumask_weight | sed 's/@[^ ]*//' | sort | uniq -c | sed 's/^ *//')" \
		'22 cpumask_weight = cpumask_weight: unsigned int cpumask_weight(struct cpumask const *srcp)'
	"$ABTF" list -j vmlinux-$compiler.btf cpumask_weight >list.json
	expect_eq "$(jq '.functions | length' list.json)" 22
	expect_eq "$(jq -r '.functions[].file' list.json | sort)" \
		"$(cd "$selftests/example" && grep -rl --include='*.c' cpumask_weight . | sed 's|^\./||' | sort)"

	begin "$compiler: every name that list prints selects exactly one function"
	for name in $(jq -r '.functions[].name' list.json); do
		expect_eq "$("$ABTF" list -j vmlinux-$compiler.btf "$name" | jq -c '.functions | map(.name)')" "[\"$name\"]"
	done

	begin "$compiler: type_show and cpu_callback have two prototypes each"
	expect_eq "$(funcs vmlinux-$compiler type_show | wc -l)" 3
	expect_eq "$(funcs vmlinux-$compiler type_show | sed -E 's/.*: [^(]*//; s/[a-z]+([,)])/\1/g' | sort -u | wc -l)" 2
	u64='u64 ' int='int '
	# clang before 17 does not record whether a result was removed
	[ $compiler = gcc ] || [ "$($compiler -dumpversion | cut -d. -f1)" -ge 17 ] || u64='void ' int='void '
	expect_eq "$(funcs vmlinux-$compiler cpu_callback)" "$(printf '%s\n' \
		"cpu_callback@drivers/cpufreq/cpufreq.c = cpu_callback: ${u64}cpu_callback(struct cpufreq_policy *policy)" \
		"cpu_callback@kernel/workqueue.c = cpu_callback: ${int}cpu_callback(struct cpumask *attrs, int node)")"

	begin "$compiler: twins in init text are omitted, and so is the weak body"
	expect_eq "$(skipped vmlinux-$compiler | grep init_text)" "$(printf 'param_setup: init_text\n%.0s' 1 2)"
	expect_eq "$(funcs vmlinux-$compiler arch_update_cpu_topology | wc -l)" 1

	begin "$compiler: per-CPU variables and kfuncs are encoded"
	has vmlinux-$compiler.dump 'DATASEC \.data\.\.percpu .*runqueues'
	has vmlinux-$compiler.dump 'DECL_TAG bpf_kfunc .*bpf_cpumask_weight'

	begin "$compiler: check finds 0 violations"
	expect 0 "$ABTF" check vmlinux-$compiler vmlinux-$compiler.btf
	says '0 violations'
done

begin 'gcc: clones with a proven signature are encoded'
expect_eq "$(skipped vmlinux-gcc | grep -v init_text)" 'sched_domain_debug_one.isra.0: unproven_signature'
expect_funcs vmlinux-gcc fold_diff fold_diff.constprop.0 <<'F'
fold_diff.constprop.0 = fold_diff.constprop.0: long int fold_diff.constprop.0(struct zone *zone, int item)
F
