// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

struct net_device {
	char			name[16];
	const struct net_device_ops {
		int (*ndo_open)(struct net_device *dev);
		int (*ndo_tx)(struct net_device *dev, ...);
	}			*netdev_ops;
	unsigned int		num_tx_queues;
};

static noinline void init_once(void *foo)
{
	((struct net_device *)foo)->num_tx_queues = 1;
}

int __netif_set_xps_queue(struct net_device *dev, const struct cpumask *mask,
			  void (**ctor)(void *foo))
{
	*ctor = init_once;
	dev->num_tx_queues = cpumask_weight(mask);
	return dev->netdev_ops->ndo_open(dev);
}
