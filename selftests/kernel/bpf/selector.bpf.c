// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs for functions that share their names; progs/selector.c picks one by its section.
 * CPUINFO is the file that /proc/cpuinfo is of, BETWEEN see ../Makefile.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

long calls;

#define NAME(line)	program_##line
#define COUNT_AT(section, line)				\
SEC(section)						\
int NAME(line)(void *ctx)				\
{							\
	__sync_fetch_and_add(&calls, 1);		\
	return 0;					\
}
#define COUNT_IN(section, line)	COUNT_AT(section, line)
#define COUNT(section)		COUNT_IN(section, __LINE__)

COUNT("kprobe")
COUNT("kprobe/c_start@" CPUINFO)
COUNT("kprobe/c_start@consoles.c")
COUNT("kprobe/c_start@crypto/proc.c")
/* the first instruction that ftrace does not write: s390x, arm64, x86-64, arm64 with BTI */
COUNT("kprobe/c_start@crypto/proc.c+6")
COUNT("kprobe/c_start@crypto/proc.c+8")
COUNT("kprobe/c_start@crypto/proc.c+9")
COUNT("kprobe/c_start@crypto/proc.c+12")
COUNT("kprobe/c_start@crypto/proc.c+" BETWEEN)
COUNT("kprobe/c_start@crypto/nowhere.c")
COUNT("kprobe/c_start")
COUNT("kprobe/cpuinfo_open")
COUNT("kretprobe/c_start@crypto/proc.c")
COUNT("kprobe.multi/c_start@crypto/proc.c")
COUNT("kprobe.multi/c_star?")
COUNT("kprobe.session/c_start@crypto/proc.c")

COUNT("fentry")
COUNT("fentry/c_start@crypto/proc.c")
COUNT("fentry/c_start")
COUNT("fexit/c_start@fs/proc/consoles.c")
COUNT("fmod_ret/func_addr_fail@lib/func_addr_test/left.c")
COUNT("fmod_ret/func_addr_fail@lib/func_addr_test/right.c")
COUNT("fentry.s/func_addr_fail@lib/func_addr_test/left.c")
COUNT("fexit.s/func_addr_fail@lib/func_addr_test/left.c")
COUNT("fmod_ret.s/func_addr_fail@lib/func_addr_test/left.c")
COUNT("fentry.s/func_addr_fail@lib/func_addr_test/right.c")

COUNT("fentry/bpf_func_addr_test_kmod:func_addr_twin@lib/func_addr_test/twin_2.c")
COUNT("fexit/func_addr_twin@lib/func_addr_test/twin_3.c")
COUNT("fentry/bpf_func_addr_test_kmod:func_addr_shared")

COUNT("fentry.multi/cpumask_weight*")
COUNT("fentry.multi/cpumask_weight@*weight_1?.c")
COUNT("fentry.multi/cpumask_weight@*weight_23.c")
COUNT("fentry.multi/bpf_wq_set_callback_impl")
COUNT("fexit.multi/cpumask_weight@*weight_1?.c")
COUNT("fsession.multi/cpumask_weight@*weight_1?.c")

char _license[] SEC("license") = "GPL";
