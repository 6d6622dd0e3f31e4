#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# ftrace must not print arguments with the prototype of another function with the same name: it prints
# none for shared names and for functions of modules.
# kernels: patched debug
. /test/ktap.sh
plan 5
tracing=/sys/kernel/tracing
kmod=bpf_func_addr_test_kmod
test=/sys/kernel/debug/bpf_func_addr_test

if [ ! -e $tracing/options/func-args ]; then
	for i in 1 2 3 4 5; do
		skip "arguments $i" 'this kernel prints no arguments of traced functions'
	done
	exit
fi

# printed FILE FUNCTION: read FILE, and print the traced calls of FUNCTION
printed() {
	echo "$2" >$tracing/set_ftrace_filter
	echo >$tracing/trace
	echo 1 >$tracing/tracing_on
	cat "$1" >/dev/null
	# the reader of the trace must not be in it
	echo 0 >$tracing/tracing_on
	sed -n "s/.*: \($2(.*)\) <-.*/\1/p" $tracing/trace | sort -u
}

modprobe $kmod
# never trace all functions, even for a moment, because that takes long
echo seq_read_iter >$tracing/set_ftrace_filter
echo function >$tracing/current_tracer
echo 1 >$tracing/options/func-args
check 'arguments of a function with a unique name are printed' \
	sh -c 'echo "$1" | grep -q "^seq_read_iter(iocb=0x[0-9a-f]*, iter=0x[0-9a-f]*)$"' - \
	"$(printed /proc/version seq_read_iter | head -n 1)"
check_eq 'no arguments are printed for a name that is shared within vmlinux' "$(printed /proc/consoles c_start)" 'c_start()'
check 'arguments of a vmlinux function that shares its name with a module are printed' \
	sh -c 'echo "$1" | grep -q "^func_addr_shared(value="' - "$(printed $test/call_shared func_addr_shared)"
check_eq "no arguments are printed for the module's function" "$(printed ${test}_kmod/call_shared func_addr_shared)" 'func_addr_shared()'
echo nop >$tracing/current_tracer
check 'the module can be unloaded' rmmod $kmod
