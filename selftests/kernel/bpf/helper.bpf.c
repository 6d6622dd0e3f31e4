// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs for functions that share their names, as section names say which.  An
 * unmodified libbpf would take no notice of what stands behind the '@' of a
 * kprobe, and find no function for the others.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

long calls;

#define COUNT(name, section)				\
SEC(section)						\
int name(void *ctx)					\
{							\
	__sync_fetch_and_add(&calls, 1);		\
	return 0;					\
}

COUNT(kprobe_cpu, "kprobe/c_start@kernel/cpu/proc.c")
COUNT(kprobe_consoles, "kprobe/c_start@fs/proc/consoles.c")
COUNT(kprobe_crypto, "kprobe/c_start@crypto/proc.c")
COUNT(kretprobe_crypto, "kretprobe/vmlinux:c_start@crypto/proc.c")
COUNT(kprobe_rank, "kprobe/c_start@2")
COUNT(kprobe_bare, "kprobe/c_start")
COUNT(kprobe_unique, "kprobe/cpuinfo_open")
COUNT(kprobe_init, "kprobe/start_kernel@1")
COUNT(kprobe_nowhere, "kprobe/c_start@crypto/nowhere.c")
COUNT(kprobe_module, "kprobe/bpf_func_addr_test_kmod:func_addr_twin@twin_2.c")

COUNT(fentry_cpu, "fentry/c_start@kernel/cpu/proc.c")
COUNT(fentry_consoles, "fentry/c_start@fs/proc/consoles.c")
COUNT(fentry_crypto, "fentry/c_start@crypto/proc.c")
COUNT(fexit_crypto, "fexit/c_start@crypto/proc.c")
COUNT(fentry_rank, "fentry/c_start@2")
COUNT(fentry_bare, "fentry/c_start")
COUNT(fentry_unique, "fentry/cpuinfo_open")
COUNT(fentry_net, "fentry/type_show@net/core/net-sysfs.c")
COUNT(fentry_module, "fentry/bpf_func_addr_test_kmod:func_addr_twin@twin_2.c")
COUNT(fentry_any_module, "fentry/func_addr_twin@twin_3.c")

char _license[] SEC("license") = "GPL";
