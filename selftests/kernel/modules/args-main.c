// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls everything that args.py generates, once, when /proc/args_run is read: probes see what
 * their arguments are.
 */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

#include "args.h"

int args_sink;
long args_input[16];

/*
 * Changes registers that a call does not preserve, so that no argument is found in one after
 * the call by chance.
 */
noinline void args_clobber(void)
{
#if defined(CONFIG_X86_64)
	asm volatile("xor %%edi, %%edi; xor %%esi, %%esi; xor %%edx, %%edx; xor %%ecx, %%ecx"
		     : : : "memory", "ax", "cx", "dx", "si", "di", "r8", "r9", "r10", "r11");
#elif defined(CONFIG_ARM64)
	asm volatile("mov x0, xzr; mov x1, xzr; mov x2, xzr; mov x3, xzr"
		     : : : "memory", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7");
#else
	asm volatile("" : : : "memory");
#endif
}

static int args_run_show(struct seq_file *seq, void *v)
{
	args_run_0();
	args_run_1();
	args_run_2();
	args_run_3();
	seq_puts(seq, "done\n");
	return 0;
}

static int __init args_init(void)
{
	return proc_create_single("args_run", 0400, NULL, args_run_show) ? 0 : -ENOMEM;
}

static void __exit args_exit(void)
{
	remove_proc_entry("args_run", NULL);
}

module_init(args_init);
module_exit(args_exit);
MODULE_DESCRIPTION("functions with known arguments");
MODULE_LICENSE("GPL");
