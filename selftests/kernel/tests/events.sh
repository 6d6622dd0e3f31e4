#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Probe events whose arguments BTF names: the function is that at the address, and
# where only a name is given, the only one that has it.
# kernels: patched debug
. /test/ktap.sh
tracing=/sys/kernel/tracing
dev=drivers/tty/serial/serial_core.c kobj=kernel/reboot.c

# event TEXT: it is accepted
event() {
	echo "$1" >>$tracing/dynamic_events
}

# type_show UNIT: its place
type_show() {
	awk -v unit="$1" '$1 == unit { printf "_text+%d", $2 }' /files/type_show
}

# refused WHAT MESSAGE TEXT: it is not, and the log of errors says why
refused() {
	: >$tracing/error_log
	if event "$3" 2>/dev/null; then
		fail "$1 is refused" "it was accepted"
	elif ! grep -qF "error: $2" $tracing/error_log; then
		fail "$1 is refused: $2" "the kernel said: $(cat $tracing/error_log)"
	else
		pass "$1 is refused: $2"
	fi
}

# seen GROUP/EVENT COMMAND...: what the event's arguments are when that is done
seen() {
	event=$1
	shift
	: >$tracing/trace
	echo 1 >$tracing/events/"$event"/enable
	"$@" >/dev/null
	echo 0 >$tracing/events/"$event"/enable
	sed -n "s@.* ${event#*/}: ([^)]*) @@p" $tracing/trace
}

plan 14

no_variable='This variable is not found at this probe point'
check 'a kprobe by address on the type_show of a struct device has its dev' \
	event "p:dev_type $(type_show $dev) devt=dev->devt attr=attr->attr.name:string"
check 'one on that of a struct kobject has its kobj' \
	event "p:kobj_type $(type_show $kobj) kobj=kobj->name:string attr=attr->attr.name:string"
refused 'the kobj on that of a struct device' "$no_variable" "p:wrong $(type_show $dev) kobj"
refused 'the dev on that of a struct kobject' "$no_variable" "p:wrong $(type_show $kobj) dev"
# 4 << 20 | 64
check_eq 'what the one is given is that device' \
	"$(seen kprobes/dev_type cat /sys/class/tty/ttyS0/type /sys/kernel/reboot/type)" \
	'devt=4194368 attr="type"'
check_eq 'what the other is given is that kobject' \
	"$(seen kprobes/kobj_type cat /sys/class/tty/ttyS0/type /sys/kernel/reboot/type)" \
	'kobj="reboot" attr="type"'

refused 'a kprobe on a name that several have' 'The symbol is not unique' 'p:wrong type_show dev'
# An fprobe is on all of them.
refused "an fprobe's argument on a name that several have" 'No BTF entry for this probe point' \
	'f:wrong type_show dev'
check 'without an argument it is accepted' event 'f:all_type type_show'
check 'and so is one with, on a name that one has' \
	event 'f:open vfs_open name=path->dentry->d_name.name:string'
check_eq 'which is what that one is given' \
	"$(seen fprobes/open cat /proc/version | grep -x 'name="version"')" 'name="version"'

check 'a tracepoint has its own argument' event 't:gone sched_process_exit comm=p->comm:string'
check_eq 'which is what it is given' "$(seen tracepoints/gone /bin/true | sort -u)" 'comm="true"'

for name in dev_type kobj_type all_type open gone; do
	echo "-:$name" >>$tracing/dynamic_events
done
check 'all of them end' [ ! -s $tracing/dynamic_events ]
