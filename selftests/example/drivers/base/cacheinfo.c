// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/device.h>

enum cache_type {
	CACHE_TYPE_INST = 1 << 0,
	CACHE_TYPE_DATA = 1 << 1,
};

struct cacheinfo {
	unsigned int	level;
	enum cache_type	type;
	struct cpumask	shared_cpu_map;
};

static ssize_t type_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct cacheinfo *this_leaf = dev->driver_data;

	return sysfs_emit(buf, "%s\n", this_leaf->type == CACHE_TYPE_DATA ? "Data" : "Instruction");
}

static ssize_t shared_cpu_count_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct cacheinfo *this_leaf = dev->driver_data;

	return sysfs_emit(buf, "%u\n", cpumask_weight(&this_leaf->shared_cpu_map));
}

struct device_attribute cache_attrs[] = {
	{ { "type", 0444 }, type_show },
	{ { "shared_cpu_count", 0444 }, shared_cpu_count_show },
};
