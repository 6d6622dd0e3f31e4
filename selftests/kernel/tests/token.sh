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

# inside COMMAND...: run it in a user namespace that can use a BPF token
inside() {
	in-userns $bpffs "$@"
}

# called ARGS...: print the files whose reading called the program
called() {
	inside selector "$@" /proc/cpuinfo /proc/consoles /proc/crypto 2>/tmp/said
}

# with_token ARGS...: like called(), with a token
with_token() {
	called -b $bpffs "$@"
}

check_eq 'root in a user namespace' "$(inside id -u)" 0
# Do not read /proc/mounts: UBSAN reports seq_print_delegate_opts() of newer kernels, which shifts
# by the number of each command, including 1 << 16 (BPF_COMMON_ATTRS).
check_eq 'the namespace has a bpffs' "$(inside stat -f -c %t $bpffs)" cafe4a11
check 'root in the namespace can read BTF' inside sh -c 'cat /sys/kernel/btf/vmlinux >/dev/null'
check_not 'root in the namespace cannot read addresses' inside sh -c 'cat /sys/kernel/btf_addr/vmlinux >/dev/null'

# First, a function with a unique name.
check_eq 'a unique name, without the token: rejected' "$(called -t cpuinfo_open fentry)" 'load: EPERM'
needs_fentry
check_eq 'a unique name, with the token: attached' "$(with_token -t cpuinfo_open fentry)" /proc/cpuinfo

check_eq 'NAME@FILE, without the token: rejected' "$(called fentry/c_start@crypto/proc.c)" 'load: EPERM'
check_eq 'NAME@FILE, with the token: attached to the c_start of /proc/crypto' "$(with_token fentry/c_start@crypto/proc.c)" /proc/crypto
check_eq 'set_attach_target(), with the token: attached to the c_start of /proc/consoles' "$(with_token -t c_start@fs/proc/consoles.c fentry)" /proc/consoles
check_eq 'fexit is rejected, because the token does not allow it' "$(with_token fexit/c_start@fs/proc/consoles.c)" 'load: EPERM'

# A token does not allow listing the BTF of modules.
modprobe $kmod
check_none 'root can attach to a function of a module' selector fentry/$kmod:func_addr_twin@lib/func_addr_test/twin_2.c
check_eq 'a function of a module, unique name, with the token: not found' "$(with_token fentry/$kmod:func_addr_shared)" 'load: ESRCH'
check_eq 'a function of a module, NAME@FILE, with the token: not found' "$(with_token fentry/$kmod:func_addr_twin@lib/func_addr_test/twin_2.c)" 'load: ESRCH'
