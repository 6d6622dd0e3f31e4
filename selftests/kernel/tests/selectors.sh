#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The patched libbpf on any kernel, stock ones, too: a file with addresses, made of
# the debug image and given as btf_custom_path, is all that a kprobe needs to be
# attached to the c_start that its section name says, and to no other.
. /test/ktap.sh
case $KERNEL in
patched|debug) plan 37 ;;
*) plan 42 ;;
esac

# called ARGS...: which of the three files led to calls
called() {
	selector "$@" /proc/cpuinfo /proc/consoles /proc/crypto 2>/tmp/said
}

with_file() {
	called -f /files/vmlinux.elf "$@"
}

said() {
	grep -q -- "$1" /tmp/said
}

candidates='c_start@arch/x86/kernel/cpu/proc.c c_start@fs/proc/consoles.c c_start@crypto/proc.c '

# what libbpf listed for the user to choose from
listed() {
	sed -n 's/^libbpf:   \(c_start@[^ ]*\)$/\1/p' /tmp/said | tr '\n' ' '
}

selector -i -f /files/vmlinux.elf c_start >/tmp/instances
check_eq 'instances of c_start: ranks and selectors' "$(awk '{ print $2, $5 }' /tmp/instances | tr '\n' ' ')" \
	'1 c_start@arch/x86/kernel/cpu/proc.c 2 c_start@fs/proc/consoles.c 3 c_start@crypto/proc.c '
check_eq 'where they are' "$(awk '{ print $4 }' /tmp/instances | sort)" \
	"$(sed -n 's/ [Tt] c_start$//p' /proc/kallsyms | sort)"
check_eq 'their offsets are of _text' "$(while read -r _ _ offset address _; do
		printf '%x ' $((0x$address - offset))
	done </tmp/instances)" "$(text=$(sed -n 's/ [Tt] _text$//p' /proc/kallsyms); echo "$text $text $text ")"

check_eq 'kprobe: that of /proc/cpuinfo' "$(with_file kprobe/c_start@kernel/cpu/proc.c)" /proc/cpuinfo
check_eq 'that of /proc/consoles' "$(with_file kprobe/c_start@fs/proc/consoles.c)" /proc/consoles
check_eq 'that of /proc/crypto' "$(with_file kprobe/c_start@crypto/proc.c)" /proc/crypto
check_eq 'it is that of vmlinux' "$(with_file kprobe/vmlinux:c_start@crypto/proc.c)" /proc/crypto
check_eq 'the third of the name' "$(with_file kprobe/c_start@3)" /proc/crypto
check_eq 'its kretprobe' "$(with_file kretprobe/c_start@crypto/proc.c)" /proc/crypto
check_eq 'by tracefs' "$(with_file -l kprobe/c_start@crypto/proc.c)" /proc/crypto
check_eq 'its kretprobe by tracefs' "$(with_file -l kretprobe/c_start@crypto/proc.c)" /proc/crypto
check_eq 'nothing is left in tracefs' "$(cat /sys/kernel/tracing/kprobe_events)" ''
# endbr64 and the call of ftrace are nine bytes
check_eq 'its second instruction' "$(with_file kprobe/c_start@crypto/proc.c+9)" /proc/crypto
check_eq 'not between two' "$(with_file kprobe/c_start@crypto/proc.c+0x5)" 'attach: EILSEQ'
check_eq 'a name that is enough' "$(with_file kprobe/cpuinfo_open)" /proc/cpuinfo

check_eq 'kprobe.multi: one of them' "$(with_file kprobe.multi/c_start@crypto/proc.c)" /proc/crypto
check_eq 'its kretprobe.multi' "$(with_file kretprobe.multi/c_start@crypto/proc.c)" /proc/crypto
check_eq 'kprobe.session: one of them' "$(with_file kprobe.session/c_start@crypto/proc.c)" /proc/crypto
all='/proc/cpuinfo /proc/consoles /proc/crypto'
check_eq 'kprobe.multi: all of a name' "$(with_file kprobe.multi/c_start)" "$all"
check_eq 'kprobe.session: all of a name' "$(with_file kprobe.session/c_start)" "$all"

echo 2 >/proc/sys/kernel/kptr_restrict
check_eq 'addresses hidden from all: the kprobe' "$(with_file kprobe/c_start@crypto/proc.c)" /proc/crypto
check_eq 'kprobe.multi needs them' "$(with_file kprobe.multi/c_start@crypto/proc.c)" 'attach: EPERM'
check 'and says so' said '/proc/kallsyms: -1 (it shows no addresses, see kptr_restrict)'
echo 0 >/proc/sys/kernel/kptr_restrict

check_eq 'a name of several' "$(with_file kprobe/c_start)" 'attach: EADDRNOTAVAIL'
check_eq 'they are listed' "$(listed)" "$candidates"
check_eq 'the end of two files' "$(with_file kprobe/c_start@proc.c)" 'attach: EADDRNOTAVAIL'
check_eq 'these two are listed' "$(listed)" 'c_start@arch/x86/kernel/cpu/proc.c c_start@crypto/proc.c '
check_eq 'in kprobe.multi, too' "$(with_file kprobe.multi/c_start@proc.c)" 'attach: EADDRNOTAVAIL'
check_eq 'a file without c_start' "$(with_file kprobe/c_start@crypto/nowhere.c)" 'attach: EADDRNOTAVAIL'
check_eq 'those that have one are listed' "$(listed)" "$candidates"
check_eq 'a fourth' "$(with_file kprobe/c_start@4)" 'attach: EADDRNOTAVAIL'
check_eq 'init text' "$(with_file kprobe/start_kernel@1)" 'attach: ENXIO'
check_eq 'the file of another kernel' "$(called -f /files/other.elf kprobe/c_start@crypto/proc.c)" 'attach: ESTALE'
check 'and why' said 'addresses of functions of another kernel: its build ID is 00*, that of the running kernel is '
check_eq 'no file that there is' "$(called -f /files/none.elf kprobe/c_start@crypto/proc.c)" 'attach: ENOENT'

check_eq 'nobody with CAP_BPF and CAP_PERFMON: a kprobe' "$(with_file -u kprobe/c_start@crypto/proc.c)" /proc/crypto
case $KERNEL in
patched|debug)
	check_eq 'fentry takes nothing from the file' "$(called -f /files/other.elf fentry/c_start@crypto/proc.c)" /proc/crypto
	;;
*)
	check_eq 'fentry, of a name that BTF has once' "$(with_file fentry/c_start@crypto/proc.c)" 'load: EADDRNOTAVAIL'
	check 'what is missing' said 'does not say compile units .*: was it made with CONFIG_DEBUG_INFO_BTF_FUNC_ADDR?'
	check 'what does not help' said "type IDs .* running kernel, so BTF in '/files/vmlinux.elf' is not searched"
	check_eq 'the name alone is what it always was' "$(with_file fentry/c_start)" /proc/cpuinfo
	check_eq 'a kprobe without the file' "$(called kprobe/c_start@crypto/proc.c)" 'attach: ENODATA'
	check 'and what is missing' said 'built without CONFIG_DEBUG_INFO_BTF_FUNC_ADDR, and no BTF with addresses was given as btf_custom_path'
	;;
esac
