// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two functions with the same name in one module, for probes: /proc/probed_left calls the
 * first, /proc/probed_right the second.  Both inline a third.  In addition, functions in
 * which the kernel rejects probes, each for a different reason.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

#include "opaque.h"
#include "probed.h"

notrace int probed_notrace(int value)
{
	return opaque(probed_left)(value);
}

int probed_nokprobe(int value)
{
	return opaque(probed_left)(value);
}
NOKPROBE_SYMBOL(probed_nokprobe);

int __kprobes probed_kprobes(int value)
{
	return opaque(probed_left)(value);
}

static int probed_show_left(struct seq_file *file, void *data)
{
	seq_printf(file, "%d\n", probed_left(1));
	return 0;
}

static int probed_show_right(struct seq_file *file, void *data)
{
	seq_printf(file, "%d\n", probed_right(2));
	return 0;
}

static int __init probed_init(void)
{
	if (!proc_create_single("probed_left", 0444, NULL, probed_show_left))
		return -ENOMEM;
	if (!proc_create_single("probed_right", 0444, NULL, probed_show_right)) {
		remove_proc_entry("probed_left", NULL);
		return -ENOMEM;
	}
	return 0;
}

static void __exit probed_exit(void)
{
	remove_proc_entry("probed_left", NULL);
	remove_proc_entry("probed_right", NULL);
}

module_init(probed_init);
module_exit(probed_exit);
MODULE_DESCRIPTION("functions that share their name, for probes");
MODULE_LICENSE("GPL");
