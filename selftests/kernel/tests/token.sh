#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Selecting a function by BTF id only needs files that all users may read, so it works
# with a BPF token: for a process with privileges only in its own user namespace.
# kernels: patched debug
. /test/ktap.sh
plan 13

bpffs=/tmp/bpffs
kmod=bpf_func_addr_test_kmod
mkdir $bpffs

inside() {
	in-userns $bpffs "$@"
}

# called ARGS...: print the files whose reading called the program
called() {
	inside selector "$@" /proc/cpuinfo /proc/consoles /proc/crypto 2>/tmp/said
}

with_token() {
	called -b $bpffs "$@"
}

check_eq 'root in a user namespace' "$(inside id -u)" 0
# Do not read /proc/mounts: UBSAN reports seq_print_delegate_opts() of newer kernels, which shifts
# by the number of each command, including 1 << 16 (BPF_COMMON_ATTRS).
check_eq 'the namespace has a bpffs' "$(inside stat -f -c %t $bpffs)" cafe4a11
check 'root in the namespace can read BTF' inside sh -c 'cat /sys/kernel/btf/vmlinux >/dev/null'
check_not 'root in the namespace cannot read addresses' inside sh -c 'cat /sys/kernel/btf_addr/vmlinux >/dev/null'

# The same with a unique name.
check_eq 'a name, without the token' "$(called -t cpuinfo_open fentry)" 'load: EPERM'
needs_fentry
check_eq 'a name, with the token' "$(with_token -t cpuinfo_open fentry)" /proc/cpuinfo

check_eq 'one of several, without the token' "$(called fentry/c_start@crypto/proc.c)" 'load: EPERM'
check_eq 'one of several, with the token: that of /proc/crypto' "$(with_token fentry/c_start@crypto/proc.c)" /proc/crypto
check_eq 'set_attach_target(), with the token' "$(with_token -t c_start@fs/proc/consoles.c fentry)" /proc/consoles
check_eq 'fexit, which the token does not allow' "$(with_token fexit/c_start@fs/proc/consoles.c)" 'load: EPERM'

# A token does not allow listing the BTF of modules.
modprobe $kmod
check_none 'a module, as root' selector fentry/$kmod:func_addr_twin@lib/func_addr_test/twin_2.c
check_eq 'a module: a name' "$(with_token fentry/$kmod:func_addr_shared)" 'load: ESRCH'
check_eq 'a module: one of several' "$(with_token fentry/$kmod:func_addr_twin@lib/func_addr_test/twin_2.c)" 'load: ESRCH'
