/* SPDX-License-Identifier: GPL-2.0-only */
/* What sysfs shows: two kinds of attribute, whose functions differ in type. */
#ifndef EXAMPLE_DEVICE_H
#define EXAMPLE_DEVICE_H

#include <linux/kernel.h>

struct kobject {
	const char		*name;
	struct list_head	entry;
	struct kobject		*parent;
	atomic_t		refcount;
	unsigned int		state_initialized:1;
	unsigned int		state_in_sysfs:1;
};

struct attribute {
	const char	*name;
	u16		mode;
};

struct kobj_attribute {
	struct attribute attr;
	ssize_t (*show)(struct kobject *kobj, struct kobj_attribute *attr, char *buf);
};

struct device {
	struct kobject	kobj;
	struct device	*parent;
	void		*driver_data;
};

struct device_attribute {
	struct attribute attr;
	ssize_t (*show)(struct device *dev, struct device_attribute *attr, char *buf);
};

#endif /* EXAMPLE_DEVICE_H */
