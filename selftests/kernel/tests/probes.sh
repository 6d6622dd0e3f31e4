#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Output of "abtf list --probe", given to the tools themselves, with KASLR and hidden
# addresses: a probe on one of several functions with the same name only sees calls of
# that function.  21 functions of vmlinux, two of a module.  And probes at inlined calls.
# kernels: stock patched
# memory: 1024
. /test/ktap.sh
plan 24

tracing=/sys/kernel/tracing
echo 2 >/proc/sys/kernel/kptr_restrict
check_eq 'addresses are hidden' "$(cut -d' ' -f1 /proc/kallsyms | sort -u)" 0000000000000000
check 'the module is loaded' insmod /test/probed.ko
cut -d' ' -f2 /files/funcs | sort -u >/tmp/paths
cp /files/expected /tmp/expected
# Other architectures lack some of these files, but have some whose functions share a name.
if [ -e /files/some ]; then
	for path in $(cat /tmp/paths); do
		[ ! -e "$path" ] || echo "$path"
	done >/tmp/there
	mv /tmp/there /tmp/paths
	awk 'FILENAME == "/tmp/paths" { there[$1] = 1; next } $1 in there' /tmp/paths /files/expected >/tmp/expected
fi
check 'enough of the functions can be called on this architecture' [ "$(wc -l </tmp/expected)" -ge "$([ -e /files/some ] && echo 10 || echo 23)" ]

# profile PATH: print how often each event was hit so far
profile() {
	awk '{ print $1, $2 }' $tracing/kprobe_profile | sort
}

# A debug image where bpftrace searches for one: "_text" has neither type nor size there.
mkdir -p /usr/lib/debug/boot
[ ! -e /files/installed ] || cp /files/installed "/usr/lib/debug/boot/vmlinux-$(uname -r)"

# The functions below attach a set of probes ("funcs" or "inlined"; with tracefs also "returns",
# which changes p: to r:), and read files.  They print "PATH NR": reading PATH hits the probe in line
# NR.
with_tracefs() {
	local file=/files/$1.tracefs path

	if [ "$1" = returns ]; then
		file=/tmp/returns
		sed 's/^p:/r:/' /files/funcs.tracefs >$file
	fi
	shift
	cat "$file" >$tracing/kprobe_events || return 1
	echo 1 >$tracing/events/abtf/enable
	for path; do
		profile >/tmp/before
		dd if="$path" of=/dev/null 2>/dev/null
		profile >/tmp/after
		awk -v path="$path" 'FILENAME == "/tmp/before" { was[$1] = $2; next }
			FILENAME == "/tmp/after" { hit[$1] = $2 > was[$1]; next }
			{ sub(/^[pr]:abtf\//, "", $1) }
			hit[$1] { print path, FNR }' /tmp/before /tmp/after "$file"
	done
	echo 0 >$tracing/events/abtf/enable
	echo >$tracing/kprobe_events
}

# The name of the reading process identifies the path.
with_bpftrace() {
	local file=/files/$1.bpftrace path nr=0 probe
	shift
	for path; do
		nr=$((nr + 1))
		echo "(printf path$nr >/proc/self/comm; while read -r line; do :; done <$path)"
		echo "$path" >&3
	done >/tmp/calls 3>/tmp/called
	nr=0
	while read -r probe; do
		nr=$((nr + 1))
		echo "$probe { @[comm, $nr] = count(); }"
	done <"$file" >/tmp/program.bt
	LD_LIBRARY_PATH=/files/lib BPFTRACE_VMLINUX=none /files/bpftrace-program -c 'sh /tmp/calls' /tmp/program.bt >/tmp/said 2>&1 ||
		cat /tmp/said
	sed -n 's/^@\[path\([0-9]*\), \([0-9]*\)\]: .*/\1 \2/p' /tmp/said |
		awk 'FILENAME == "/tmp/called" { path[FNR] = $1; next } { print path[$1], $2 }' /tmp/called -
	# it warns that _text is "not traceable", but attaches
	grep -i error /tmp/said
}

# with_libbpf SET PATH...: see above
with_libbpf() {
	local set=$1
	shift
	/files/libbpf-"$set" "$@" 2>&1
}

# with_cilium SET PATH...: see above
with_cilium() {
	local set=$1
	shift
	/files/cilium-"$set" "$@" 2>&1
}

# perf ARGUMENT...: run the host's perf with its libraries
perf() {
	LD_LIBRARY_PATH=/files/lib /files/perf-program "$@"
}

# The printed commands create events, which perf counts.
with_perf() {
	local file=/files/$1.perf path try
	shift
	# root needs no sudo
	sed 's/^sudo //' "$file" >/tmp/commands
	sh -e /tmp/commands
	sed -n "s/.*perf record -e \([^;]*\);.*/\1/p" "$file" >/tmp/events
	for path; do
		# on a busy machine, events may only be counted after dd has ended
		for try in 1 2 3; do
			# shellcheck disable=SC2046 # several options
			perf stat -x, -o /tmp/stat $(sed 's/^/-e /' /tmp/events) \
				dd if="$path" of=/dev/null 2>/tmp/said || cat /tmp/said
			grep -q '^<not counted>' /tmp/stat || break
		done
		awk -F, -v path="$path" 'FILENAME == "/tmp/events" { nr[$1] = FNR; next }
			$1 + 0 || /^<not counted>/ { print path, nr[$3] }' /tmp/events /tmp/stat
	done
	echo >$tracing/kprobe_events
}

# In the module, each file reaches its own inlined calls; every read() reaches one in vmlinux.
nr_vmlinux=$(grep -c ' _text' /files/inlined.tracefs)
# inlined TOOL: print the PATHs that hit the module's inlined calls, and unexpected lines
inlined() {
	"with_$1" inlined /proc/probed_left /proc/probed_right /proc/version >/tmp/inlined
	awk -v nr="$nr_vmlinux" '$2 > nr { print $1 }' /tmp/inlined | sort -u
	awk -v nr="$nr_vmlinux" '$2 <= nr && $1 == "/proc/version" { print $1 }
				 $2 !~ /^[0-9]+$/' /tmp/inlined | sort -u
}

for tool in tracefs bpftrace libbpf cilium perf; do
	if [ -e "/files/$tool.skip" ]; then
		for what in 'calls of functions' 'inlined calls'; do
			skip "$tool: the probes count $what" "$(cat /files/$tool.skip)"
		done
		continue
	fi
	# shellcheck disable=SC2046 # several paths
	check_eq "$tool: the probes count calls of functions" "$(with_$tool funcs $(cat /tmp/paths) | sort)" \
		"$(cat /tmp/expected)"
	if [ -e /files/inlined.skip ]; then
		skip "$tool: the probes count inlined calls" "$(cat /files/inlined.skip)"
		continue
	fi
	check_eq "$tool: the probes count inlined calls" "$(inlined $tool)" \
		"/proc/probed_left
/proc/probed_right
/proc/version"
done
# shellcheck disable=SC2046 # several paths
check_eq 'tracefs: return probes count calls of functions' "$(with_tracefs returns $(cat /tmp/paths) | sort)" \
	"$(cat /tmp/expected)"
check_eq 'each function has several inlined calls' \
	"$((nr_vmlinux > 1)) $(($(grep -c . /files/inlined.tracefs) - nr_vmlinux > 1))" '1 1'
# The example with a table: it looks up names when it runs, and only works on this kernel.
counts() {
	/files/count_calls "$@" 2>&1
}
tty=$(ls /sys/class/tty/ttyS0/type /sys/class/tty/ttyAMA0/type 2>/dev/null | head -n 1)
# a file of another type_show(), if it exists
another=$(ls /sys/kernel/reboot/type 2>/dev/null)
types="cat /sys/class/net/lo/type $tty /sys/class/net/lo/type >/dev/null"
if [ -e /files/count_calls.skip ]; then
	for what in examples/count_calls 'examples/count_calls: an error names the function' \
		    'examples/count_calls, for returns' kprobe.multi 'kprobe.multi by cilium/ebpf' \
		    'the table of another kernel is rejected' examples/count_calls.go 'cilium/ebpf: an error' \
		    examples/print_names; do
		skip "$what" "$(cat /files/count_calls.skip)"
	done
	exit
fi
check_eq 'examples/count_calls' \
	"$(counts /files/table type_show@net/core/net-sysfs.c -- "$types")" 2
check_eq 'examples/count_calls: an error names the function' \
	"$(counts /files/table type_show@net/core/net-sysfs.c no@such.c -- "$types")" \
	'no@such.c: not in the table'
check_eq 'examples/count_calls, for returns' \
	"$(counts -r /files/table type_show@net/core/net-sysfs.c -- "$types")" 2
echo 1 >/proc/sys/kernel/kptr_restrict
if ! grep -q ' register_fprobe_ips$' /proc/kallsyms; then
	for what in kprobe.multi 'kprobe.multi by cilium/ebpf'; do
		skip "$what" 'this kernel has no fprobes'
	done
else
	check_eq 'examples/count_calls, kprobe.multi with visible addresses: two functions' \
		"$(counts -m /files/table type_show@net-sysfs.c type_show@serial_core.c -- "$types")" 3
	if [ -e /files/cilium.skip ]; then
		skip 'kprobe.multi by cilium/ebpf' "$(cat /files/cilium.skip)"
	else
		check_eq 'the probe for cilium/ebpf, kprobe.multi: two functions' \
			"$(/files/cilium-funcs -m /files/table \
				type_show@net/core/net-sysfs.c,type_show@drivers/tty/serial/serial_core.c \
				/sys/class/net/lo/type "$tty" ${another:+"$another"} 2>&1)" \
			"/sys/class/net/lo/type 1
$tty 1"
	fi
fi
sed '1s/ 1 ./ 1 x/' /files/table >/tmp/table
check_eq 'examples/count_calls rejects the table of another kernel' \
	"$(counts /tmp/table type_show@net-sysfs.c -- "$types")" \
	'type_show@net-sysfs.c: the table is from another kernel'
if [ -e /files/count_calls-go ]; then
	check_eq 'examples/count_calls.go' \
		"$(/files/count_calls-go /files/count_calls.bpf.o /files/table type_show@net-sysfs.c -- "$types" 2>&1)" 2
	check_eq 'examples/count_calls.go: an error names the function' \
		"$(/files/count_calls-go /files/count_calls.bpf.o /files/table no@such.c -- "$types" 2>&1)" \
		'no@such.c: not in the table'
else
	for what in examples/count_calls.go 'cilium/ebpf: an error'; do
		skip "$what" "$(cat /files/cilium.skip)"
	done
fi
# An argument: the name of the kobject in /sys/kernel/irq is the number; no other type_show() is
# seen.
if [ -e /files/print_names ]; then
	check_eq 'examples/print_names' \
		"$(/files/print_names /files/table type_show@irqdesc.c -- \
			"$types; cat /sys/kernel/irq/[45]/type >/dev/null" 2>&1)" \
		"4
5"
else
	skip examples/print_names 'only on the machine itself'
fi
