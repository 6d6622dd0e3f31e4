// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the kernel complain, so that the tests' harness can show that it notices:
 * insmod splat.ko what=warn|oops|panic|hang|list
 */
#include <linux/delay.h>
#include <linux/list.h>
#include <linux/module.h>

static char *what = "nothing";
module_param(what, charp, 0);
MODULE_PARM_DESC(what, "warn, oops, panic, hang or list");

/* volatile, or the compiler would see a null pointer and do as it likes */
static int * volatile nowhere;

static void corrupt_list(void)
{
	LIST_HEAD(list);
	struct list_head entry;

	list_add(&entry, &list);
	list.next = &list;
	list_del(&entry);
}

static int __init splat_init(void)
{
	pr_info("splat: %s\n", what);
	if (!strcmp(what, "warn"))
		WARN(1, "as asked for\n");
	else if (!strcmp(what, "oops"))
		*nowhere = 1;
	else if (!strcmp(what, "panic"))
		panic("as asked for\n");
	else if (!strcmp(what, "list"))
		corrupt_list();
	else if (!strcmp(what, "hang"))
		for (;;)
			msleep(1000);
	else
		return -EINVAL;
	return 0;
}

static void __exit splat_exit(void)
{
}

module_init(splat_init);
module_exit(splat_exit);
MODULE_DESCRIPTION("Makes the kernel complain");
MODULE_LICENSE("GPL");
