// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions with a struct sk_buff parameter, for clients that trace packets: two share
 * their name, one does not.  Reading parameters/lengths calls all of them.
 */
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/sysfs.h>

#include "opaque.h"

int skbs_call_right(struct sk_buff *skb);

/* There is another one in skbs-right.c. */
static noinline int skbs_twin(struct sk_buff *skb)
{
	return skb->len + 1;
}

static noinline int skbs_single(struct sk_buff *skb)
{
	return skb->len + 3;
}

static int lengths_get(char *buf, const struct kernel_param *param)
{
	struct sk_buff *skb = alloc_skb(64, GFP_KERNEL);
	int size;

	if (!skb)
		return -ENOMEM;
	/* pwru ignores empty packets */
	skb_put_zero(skb, 32);
	size = sysfs_emit(buf, "%d %d %d\n", opaque(skbs_twin)(skb), skbs_call_right(skb),
			  opaque(skbs_single)(skb));
	kfree_skb(skb);
	return size;
}

static const struct kernel_param_ops lengths_ops = { .get = lengths_get };

module_param_cb(lengths, &lengths_ops, NULL, 0400);
MODULE_PARM_DESC(lengths, "calls both skbs_twin(), and skbs_single()");

static int __init skbs_init(void)
{
	return 0;
}

static void __exit skbs_exit(void)
{
}

module_init(skbs_init);
module_exit(skbs_exit);
MODULE_DESCRIPTION("Functions with a packet as parameter");
MODULE_LICENSE("GPL");
