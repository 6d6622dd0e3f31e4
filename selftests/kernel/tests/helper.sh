#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# libbpf-patch/helper with Debian's libbpf: a section name says which c_start is
# meant, and only that one is.  On a stock kernel for kprobes, by addresses from a
# file; on the patched one for fentry and fexit, too, and without a file.
. /test/ktap.sh

cpu='cat /proc/cpuinfo >/dev/null'
consoles='cat /proc/consoles >/dev/null'
crypto='cat /proc/crypto >/dev/null'

# called ARGS...: of the three readers, which one led to calls
called() {
	helper "$@" "$cpu" "$consoles" "$crypto" 2>/tmp/said |
		sed -n 's|^[1-9][0-9]* cat /proc/\([a-z]*\) .*|\1|p; /^load/p; /^attach/p' | tr '\n' ' '
}

said() {
	grep -q -- "$1" /tmp/said
}

file='-f /files/vmlinux.elf'
case $KERNEL in
patched|debug) plan 32 ;;
*) plan 18 ;;
esac

# shellcheck disable=SC2086 # option and argument
{
check_eq 'a file: the kprobe of /proc/cpuinfo' "$(called $file kprobe_cpu)" 'cpuinfo '
check_eq 'that of /proc/consoles' "$(called $file kprobe_consoles)" 'consoles '
check_eq 'that of /proc/crypto' "$(called $file kprobe_crypto)" 'crypto '
check_eq 'its kretprobe' "$(called $file kretprobe_crypto)" 'crypto '
check_eq 'one by number' "$(called $file kprobe_rank | wc -w)" 1
echo 2 >/proc/sys/kernel/kptr_restrict
check_eq 'addresses hidden from all: still that of /proc/crypto' "$(called $file kprobe_crypto)" 'crypto '
echo 0 >/proc/sys/kernel/kptr_restrict
check_eq 'a name that is enough' "$(called $file kprobe_unique)" 'cpuinfo '
check_eq 'a name of several' "$(called $file kprobe_bare)" 'attach: EADDRNOTAVAIL '
check 'they are listed' said '^  c_start@crypto/proc.c$'
check_eq 'a file that has no such function' "$(called $file kprobe_nowhere)" 'attach: ESRCH '
check 'those that are there are listed' said '^  c_start@fs/proc/consoles.c$'
check_eq 'init text' "$(called $file kprobe_init)" 'attach: ENXIO '
check_eq 'a file of another kernel' "$(called -f /files/other.elf kprobe_crypto)" 'attach: ESTALE '
check 'and why' said 'not of the running kernel: its build id is another'
check_eq 'no file that there is' "$(called -f /files/none.elf kprobe_crypto)" 'attach: ENOENT '
}
check_eq 'without a file, a name that is enough' "$(called kprobe_unique)" 'cpuinfo '

case $KERNEL in
patched|debug) ;;
*)
	check_eq 'without a file' "$(called kprobe_crypto)" 'attach: ENODATA '
	check_eq 'fentry, of which BTF does not know several' "$(called fentry_crypto)" 'load: ESRCH '
	exit ;;
esac

check_eq 'without a file, the kprobe of /proc/crypto' "$(called kprobe_crypto)" 'crypto '
check_eq 'and of /proc/consoles' "$(called kprobe_consoles)" 'consoles '
check_eq 'a name of several' "$(called kprobe_bare)" 'attach: EADDRNOTAVAIL '
check_eq 'fentry: that of /proc/cpuinfo' "$(called fentry_cpu)" 'cpuinfo '
check_eq 'that of /proc/consoles' "$(called fentry_consoles)" 'consoles '
check_eq 'that of /proc/crypto' "$(called fentry_crypto)" 'crypto '
check_eq 'its fexit' "$(called fexit_crypto)" 'crypto '
check_eq 'one by number' "$(called fentry_rank | wc -w)" 1
check_eq 'a name that is enough' "$(called fentry_unique)" 'cpuinfo '
check_eq 'a name of several' "$(called fentry_bare)" 'load: EADDRNOTAVAIL '
check 'they are listed' said '^  c_start@crypto/proc.c$'
check_eq 'type_show of network devices, and of no others' \
	"$(helper fentry_net 'cat /sys/class/net/lo/type >/dev/null' 'cat /sys/class/tty/ttyS0/type >/dev/null' |
		cut -d' ' -f1 | tr '\n' ' ')" '1 0 '

modprobe bpf_func_addr_test_kmod
twins=/sys/kernel/debug/bpf_func_addr_test_kmod/call_twin_
for program in kprobe_module fentry_module; do
	check_eq "a module's: $program" "$(helper $program "cat ${twins}1 >/dev/null" "cat ${twins}2 >/dev/null" \
		"cat ${twins}3 >/dev/null" | cut -d' ' -f1 | tr '\n' ' ')" '0 1 0 '
done
check_eq "a module's that was not named" "$(helper fentry_any_module "cat ${twins}1 >/dev/null" \
	"cat ${twins}2 >/dev/null" "cat ${twins}3 >/dev/null" | cut -d' ' -f1 | tr '\n' ' ')" '0 0 1 '
rmmod bpf_func_addr_test_kmod
check_eq 'a module that is gone' "$(called fentry_module)" 'load: ENOENT '
