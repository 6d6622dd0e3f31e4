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

# place NAME [MODULE [N]]: the same of a symbol, or of the N-th of its name
place() {
	awk -v name="$1" -v module="${2:+[$2]}" '
		$3 == "_text" || ($3 == name && $4 == module) { print $1 }' /proc/kallsyms |
		sort | sed -n "1p;$((${3:-1} + 1))p" | {
		read -r text && read -r addr && echo "_text+$((0x$addr - 0x$text))"
	}
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

# types GROUP/EVENT: of its arguments
types() {
	sed -n '1,/^$/d; s/.*field:\([^;]*\);.*/\1/p' $tracing/events/"$1"/format | grep -v __probe_ | tr '\n' ' '
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

plan 32

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

# A name that vmlinux has, too, with another prototype.
kmod=bpf_func_addr_test_kmod
debug=/sys/kernel/debug
refused 'a kprobe with arguments on a module that is not there' 'BTF is not available' \
	"p:wrong $kmod:func_addr_differ value"
check 'the module is loaded' modprobe $kmod
check "a kprobe on the module's function has its arguments" \
	event "p:kmod_differ $kmod:func_addr_differ \$arg*"
check_eq 'which are two numbers of 64 bits' "$(types kprobes/kmod_differ)" 'u64 value u64 more '
check "one on the kernel's has its own" \
	event "p:differ $(place func_addr_differ) \$arg*"
check_eq 'which is an int' "$(types kprobes/differ)" 's32 value '
refused "the module's second one on the kernel's" "$no_variable" \
	"p:wrong $(place func_addr_differ) more"
check_eq "what the module's is given" \
	"$(seen kprobes/kmod_differ cat $debug/${kmod%_kmod}/call_differ $debug/$kmod/call_differ)" \
	'value=1 more=2'
check_eq "what the kernel's is given" \
	"$(seen kprobes/differ cat $debug/${kmod%_kmod}/call_differ $debug/$kmod/call_differ)" 'value=1'
refused "an fprobe's argument on a name that a module has, too" 'No BTF entry for this probe point' \
	'f:wrong func_addr_differ value'

# Two in one module: the second one is a kfunc that a program calls.
insmod /test/answer.ko
refused 'a kprobe on a name that a module has twice' 'The symbol is not unique' \
	'p:wrong answer:answer_differ value'
check "an fprobe's argument on a name that one function of a module has is accepted" \
	event 'f:by_twin answer_by_twin value'
check 'one by address on the first has the arguments of that' \
	event "p:twin $(place answer_differ answer 1) \$arg*"
check 'one on the second has its own' event "p:kfunc $(place answer_differ answer 2) \$arg*"
check_eq 'they are a pointer, and an int' "$(types kprobes/twin)$(types kprobes/kfunc)" \
	'u64 value s32 value '
check_eq 'what the first is given' \
	"$(seen kprobes/twin selector -o /test/answer.bpf.o syscall)" ''
check_eq 'what the second is given' \
	"$(seen kprobes/kfunc selector -o /test/answer.bpf.o syscall)" 'value=0'

# No FUNC has this name: it is another one for __do_sys_getpid().
check 'a kprobe on another name of a function has its arguments' \
	event 'p:alias __x64_sys_getpid regs=__unused'

for name in kmod_differ differ by_twin twin kfunc alias dev_type kobj_type all_type open gone; do
	echo "-:$name" >>$tracing/dynamic_events
done
check_eq 'all of them end' "$(cat $tracing/dynamic_events)" ''
