// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs for functions that share their names; progs/by-name.c picks one by its section.
 * CPUINFO is the file that /proc/cpuinfo is of.
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

COUNT("fentry")
COUNT("fexit")
COUNT("fmod_ret")
COUNT("fentry/cpumask_weight@lib/func_addr_test/weight_14.c")
COUNT("fexit/cpumask_weight@lib/func_addr_test/weight_09.c")
COUNT("fentry/cpumask_weight")
COUNT("fexit/cpumask_weight")
COUNT("fentry/c_start@crypto/proc.c")
COUNT("fentry/c_start@" CPUINFO)
COUNT("fexit/c_start@fs/proc/consoles.c")
COUNT("fmod_ret/func_addr_fail@lib/func_addr_test/left.c")
COUNT("fmod_ret/func_addr_fail@lib/func_addr_test/right.c")
COUNT("fentry.s/func_addr_fail@lib/func_addr_test/left.c")
COUNT("fentry.s/func_addr_fail@lib/func_addr_test/right.c")
COUNT("fentry/func_addr_twin@lib/func_addr_test/twin_2.c")
COUNT("fexit/func_addr_twin@lib/func_addr_test/twin_3.c")
COUNT("fentry/func_addr_shared")

char _license[] SEC("license") = "GPL";
