#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# NAME@FILE with Debian's bpftrace.  It only accepts functions in available_filter_functions, where
# names have no file.  With a list of names from BTF instead, it attaches to one of the 22
# cpumask_weight(), or to all with a pattern.
# kernels: patched debug
# memory: 1024
. /test/ktap.sh

if [ -e /files/skip ]; then
	plan 1
	skip "Debian's bpftrace" "$(cat /files/skip)"
	exit
fi
plan 10

name=cpumask_weight@lib/func_addr_test
# read weight_NN NN times; each read calls the cpumask_weight() of weight_NN.c
{
	echo cat
	for i in $(seq 22); do
		for _ in $(seq "$i"); do
			printf '/sys/kernel/debug/bpf_func_addr_test/weight_%02d\n' "$i"
		done
	done
} | tr '\n' ' ' >/tmp/calls

# calls PROBE [KEY]: print where the program was called, and how often
calls() {
	LD_LIBRARY_PATH=/files/lib /files/bpftrace -c 'sh /tmp/calls' \
		-e "$1 { @[${2:-probe}] = count(); }" 2>&1 | grep -v '^[0-9]*$' | sort
}

# all TYPE: print the expected counts: each of the 22 is called once per read of its file
all() {
	echo 'Attaching 22 probes...'
	for i in $(seq 22); do
		printf '@[%s:vmlinux:%s/weight_%02d.c]: %d\n' "$1" $name "$i" "$i"
	done
}

probe=$name/weight_14.c
check_eq 'bpftrace finds none of the 22 without a list' "$(calls "kfunc:\"$probe\"")" 'No probes to attach'

bpftool btf dump file /sys/kernel/btf/vmlinux | sed -n "s/.* FUNC '\([^']*\)'.*/\1/p" >/tmp/functions
export BPFTRACE_AVAILABLE_FUNCTIONS_TEST=/tmp/functions

check_eq 'bpftrace lists the 22 with a list of their names' \
	"$(LD_LIBRARY_PATH=/files/lib /files/bpftrace -l 'kfunc:cpumask_weight*')" \
	"$(all kfunc | sed -n 's/^@\[\(.*\)\].*/\1/p')"
check_eq 'kfunc only sees calls of weight_14.c' "$(calls "kfunc:\"$probe\"")" \
	"@[kfunc:vmlinux:$probe]: 14
Attaching 1 probe..."
check_eq 'kretfunc only sees calls of weight_14.c' "$(calls "kretfunc:\"$probe\"")" \
	"@[kretfunc:vmlinux:$probe]: 14
Attaching 1 probe..."
check_eq 'kretfunc prints the return value of another function' \
	"$(calls "kretfunc:vmlinux:\"$name/weight_09.c\"" retval)" \
	"@[$(nproc)]: 9
Attaching 1 probe..."
check_eq 'kfunc attaches to all 22 by a pattern' "$(calls 'kfunc:"cpumask_weight@*"')" "$(all kfunc | sort)"
check_eq 'kretfunc attaches to all 22 by a pattern' "$(calls 'kretfunc:"cpumask_weight@*"')" "$(all kretfunc | sort)"
check_eq 'kfunc does not find the bare name' "$(calls kfunc:cpumask_weight)" 'No probes to attach'
check_eq 'kretfunc does not find the bare name' "$(calls kretfunc:cpumask_weight)" 'No probes to attach'
check_eq 'kfunc does not find a partial path' "$(calls 'kfunc:"cpumask_weight@weight_14.c"')" 'No probes to attach'
