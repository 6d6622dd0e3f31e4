// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>

struct irq_affinity_notify {
	unsigned int	irq;
	unsigned long	mask[];		/* flexible */
};

struct irq_affinity {
	unsigned int	pre_vectors;
	unsigned int	post_vectors;
	unsigned int	set_size[4];
	struct irq_affinity_notify *notify;
};

unsigned int irq_calc_affinity_vectors(unsigned int maxvec, const struct irq_affinity *affd)
{
	unsigned int resv = affd->pre_vectors + affd->post_vectors;
	unsigned int cpus = cpumask_weight(cpu_possible_mask);

	return resv + (cpus < maxvec - resv ? cpus : maxvec - resv);
}
