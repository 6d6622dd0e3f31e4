#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A probe event with BTF arguments uses the prototype of its own function.  Two modules have a
# target_call(): the kernel traces the function in the module loaded last, but its BTF search
# finds the function in the module loaded first, so the event must be rejected.
# kernels: patched debug
. /test/ktap.sh
plan 5
events=/sys/kernel/tracing/dynamic_events

if ! grep -qF 'f[:[<group>/][<event>]]' /sys/kernel/tracing/README; then
	for i in 1 2 3 4 5; do
		skip "arguments $i" 'this kernel has no fprobe events'
	done
	exit
fi

# probe EVENT FUNCTION ARGUMENT: define a function event
probe() {
	echo "f:$1 $2 $3" >>$events
}

check 'an event with arguments of a function with a unique name is accepted' probe alone seq_read_iter iocb
check 'an event with an unknown argument is rejected' sh -c "! echo 'f:wrong seq_read_iter value' >>$events"
insmod /test/target.ko
check 'an event with arguments of a function in one module is accepted' probe one target_call value
echo '-:one' >>$events
insmod /test/other.ko
check 'an event is rejected if two modules have a function with that name' \
	sh -c "! echo 'f:two target_call value' >>$events"
rmmod other
check 'the event is accepted again after the other module was unloaded' probe again target_call value
echo >$events
rmmod target
