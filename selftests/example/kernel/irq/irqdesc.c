// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/device.h>

/* A twin with another prototype: compare type_show in drivers/base/cacheinfo.c. */
static ssize_t type_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", kobj->state_in_sysfs ? "level" : "edge");
}

static ssize_t per_cpu_count_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", cpumask_weight(cpu_possible_mask));
}

struct kobj_attribute irq_attrs[] = {
	{ { "type", 0444 }, type_show },
	{ { "per_cpu_count", 0444 }, per_cpu_count_show },
};
