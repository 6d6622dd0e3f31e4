// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/device.h>

struct pmu {
	struct device	*dev;
	int		type;
	struct cpumask	supported_cpus;
};

static DEFINE_PER_CPU(struct pmu *, perf_last_pmu) __used;

static ssize_t type_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct pmu *pmu = dev->driver_data;

	return sysfs_emit(page, "%d\n", pmu->type);
}

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct pmu *pmu = dev->driver_data;

	return sysfs_emit(page, "%u\n", cpumask_weight(&pmu->supported_cpus));
}

struct device_attribute pmu_dev_attrs[] = {
	{ { "type", 0444 }, type_show },
	{ { "cpumask", 0444 }, cpumask_show },
};
