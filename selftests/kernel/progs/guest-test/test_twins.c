// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's own functions with a shared name, each called from user space by a
 * separate file; and two functions of the test object with other prototypes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "guest.h"

struct twin {
	const char *unit;
	const char *file;	/* reading it calls only this function; a pattern */
	struct field field;	/* of the struct its argument 0 points to */
	__u64 value;		/* value of that field; 0: not 0 */
};

#define MAX_TWINS 8

/* Keep twins whose file exists. Return: their number */
static int present(struct twin *twin, int nr)
{
	int i, left = 0;

	for (i = 0; i < nr; i++) {
		const char *file = file_like(twin[i].file);

		if (!file) {
			note("no file %s: nothing calls the function of %s", twin[i].file, twin[i].unit);
			continue;
		}
		twin[left] = twin[i];
		twin[left++].file = strdup(file);
	}
	/* two of several, to distinguish them */
	if (left < (nr > 1 ? 2 : 1))
		skip_case("only %d of %d functions can be called by reading a file", left, nr);
	return left;
}

/* Attach to all twins, read the files one by one, and check which program sees which call. */
static void twins(const char *name, struct twin *twin, int nr)
{
	__u32 ids[MAX_TWINS];
	__u64 addrs[64];
	int links[MAX_TWINS], i, j, found;

	nr = present(twin, nr);
	found = symbols(NULL, name, addrs, ARRAY_SIZE(addrs));
	for (i = 0; i < nr; i++) {
		struct target target = { .type = BPF_TRACE_FENTRY, .key = i };

		ids[i] = func_in(vmlinux(), name, twin[i].unit);
		target.id = ids[i];
		if (twin[i].field.type) {
			const char *type = arg_struct(vmlinux(), ids[i], 0);

			need(type && !strcmp(type, twin[i].field.type),
			     "%s of %s: its argument points to %s, expected %s", name,
			     twin[i].unit, type, twin[i].field.type);
			field_find(vmlinux(), &twin[i].field);
			target.read = true;
			target.off = twin[i].field.off;
			target.size = twin[i].field.size;
		}
		if (!i)
			counters_reset();
		links[i] = attach(&target);
	}
	for (i = 0; i < nr; i++) {
		memset(counters, 0, nr * sizeof(*counters));
		free(read_file(twin[i].file, NULL));
		for (j = 0; j < nr; j++)
			expect(!counters[j].hits == (i != j), "%s: %s of %s sees %llu calls",
			       twin[i].file, name, twin[j].unit, counters[j].hits);
		for (j = 0; j < found && addrs[j] != counters[i].ip; j++)
			;
		expect(j < found, "%s of %s: bpf_get_func_ip() is the address of no %s", name,
		       twin[i].unit, name);
		addrs[j] = 0; /* each function has another address */
		if (twin[i].field.type && twin[i].value)
			expect(counters[i].value == twin[i].value, "%s of %s: %s is %llu, not %llu",
			       name, twin[i].unit, twin[i].field.member, counters[i].value,
			       twin[i].value);
		else if (twin[i].field.type)
			expect(counters[i].value, "%s of %s: %s is 0", name, twin[i].unit,
			       twin[i].field.member);
	}
	for (i = 0; i < nr; i++)
		close(links[i]);
}

/* No program for one may read a field that only the other's argument has. */
static void other_types_refused(const char *name, struct twin *twin, int nr)
{
	int i, j, err, tried = 0;

	for (i = 0; i < nr; i++)
		for (j = 0; j < nr; j++) {
			struct target target = {
				.type = BPF_TRACE_FENTRY, .read = true,
				.id = func_in(vmlinux(), name, twin[i].unit),
			};

			if (!strcmp(twin[i].field.type, twin[j].field.type))
				continue;
			field_find(vmlinux(), &twin[j].field);
			target.off = twin[j].field.off;
			target.size = twin[j].field.size;
			err = refused(&target);
			expect(err == -EACCES, "%s of %s reads %s.%s: %s", name, twin[i].unit,
			       twin[j].field.type, twin[j].field.member,
			       err ? strerror(-err) : "the verifier accepts it");
			expect(strstr(prog_log, twin[i].field.type),
			       "the verifier's log does not name struct %s:\n%s",
			       twin[i].field.type, prog_log);
			tried++;
		}
	expect(tried, "%s: no two prototypes", name);
}

static void c_start(void)
{
	struct twin twin[] = {
		{ .unit = "arch/", .file = "/proc/cpuinfo" },
		{ .unit = "fs/proc/consoles.c", .file = "/proc/consoles" },
		{ .unit = "crypto/proc.c", .file = "/proc/crypto" },
	};

	twins("c_start", twin, ARRAY_SIZE(twin));
}

static void m_start(void)
{
	struct twin twin[] = {
		{ .unit = "kernel/module/procfs.c", .file = "/proc/modules" },
		{ .unit = "fs/namespace.c", .file = "/proc/self/mounts" },
		{ .unit = "fs/proc/task_mmu.c", .file = "/proc/self/maps" },
	};

	twins("m_start", twin, ARRAY_SIZE(twin));
}

static void modalias_show(void)
{
	struct twin twin[] = {
		{ .unit = "drivers/pci/pci-sysfs.c",
		  .file = "/sys/bus/pci/devices/*/modalias" },
		{ .unit = "drivers/acpi/device_sysfs.c",
		  .file = "/sys/bus/acpi/devices/PNP0501:00/modalias" },
		{ .unit = "drivers/base/platform.c",
		  .file = "/sys/bus/platform/devices/*/modalias" },
		{ .unit = "drivers/virtio/virtio.c",
		  .file = "/sys/bus/virtio/devices/*/modalias" },
		{ .unit = "drivers/s390/cio/device.c", .file = "/sys/bus/ccw/devices/*/modalias" },
		{ .unit = "drivers/s390/cio/css.c", .file = "/sys/bus/css/devices/*/modalias" },
	};

	twins("modalias_show", twin, ARRAY_SIZE(twin));
}

/*
 * The first functions get a struct device, the others a struct kobject, which is smaller
 * than the offset of a device's devt.
 */
static const struct twin type_show[] = {
	{ .unit = "drivers/tty/serial/serial_core.c", .file = "/sys/class/tty/ttyS0/type",
	  .field = { .type = "device", .member = "devt" }, .value = 4 << 20 | 64 },
	{ .unit = "drivers/tty/serial/serial_core.c", .file = "/sys/class/tty/ttyAMA0/type",
	  .field = { .type = "device", .member = "devt" }, .value = 204 << 20 | 64 },
	{ .unit = "net/core/net-sysfs.c", .file = "/sys/class/net/lo/type",
	  .field = { .type = "device", .member = "kobj.kref.refcount.refs.counter" } },
	{ .unit = "kernel/events/core.c", .file = "/sys/bus/event_source/devices/software/type",
	  .field = { .type = "device", .member = "kobj.kref.refcount.refs.counter" } },
	{ .unit = "drivers/base/cacheinfo.c", .file = "/sys/devices/system/cpu/cpu0/cache/index0/type",
	  .field = { .type = "device", .member = "kobj.kref.refcount.refs.counter" } },
	{ .unit = "kernel/reboot.c", .file = "/sys/kernel/reboot/type",
	  .field = { .type = "kobject", .member = "kref.refcount.refs.counter" } },
	{ .unit = "kernel/irq/irqdesc.c", .file = "/sys/kernel/irq/*/type",
	  .field = { .type = "kobject", .member = "kref.refcount.refs.counter" } },
};

static void type_show_fields(void)
{
	struct twin twin[ARRAY_SIZE(type_show)];

	memcpy(twin, type_show, sizeof(twin));
	twins("type_show", twin, ARRAY_SIZE(twin));
}

static void type_show_refused(void)
{
	/*
	 * A struct device starts with a kobject, so it has the kobject's fields, too: only fields
	 * of a device are rejected for a kobject.
	 */
	static const char *const pair[] = { "net/core/net-sysfs.c", "kernel/irq/irqdesc.c" };
	struct target target = { .type = BPF_TRACE_FENTRY, .read = true };
	struct field devt = { .type = "device", .member = "devt" };
	int i, err;

	field_find(vmlinux(), &devt);
	target.off = devt.off;
	target.size = devt.size;
	for (i = 0; i < (int)ARRAY_SIZE(pair); i++) {
		target.id = func_in(vmlinux(), "type_show", pair[i]);
		err = refused(&target);
		expect_eq(err, i ? -EACCES : 0, pair[i]);
		if (i)
			expect(strstr(prog_log, "struct kobject"),
			       "the verifier printed:\n%s", prog_log);
	}
}

static struct twin shapes[] = {
	{ .unit = "lib/func_addr_test/left.c", .file = TRIGGERS "left_shape",
	  .field = { .type = "func_addr_left", .member = "width" }, .value = 11 },
	{ .unit = "lib/func_addr_test/right.c", .file = TRIGGERS "right_shape",
	  .field = { .type = "func_addr_right", .member = "volume" }, .value = 16 },
};

static void shape_fields(void)
{
	twins("func_addr_shape", shapes, ARRAY_SIZE(shapes));
}

/* A number in one struct is half a pointer in the other, or beyond its end. */
static void shape_refused(void)
{
	struct twin twin[2];

	memcpy(twin, shapes, sizeof(twin));
	other_types_refused("func_addr_shape", twin, ARRAY_SIZE(twin));
}

/*
 * A stock kernel uses the lowest address with that name, which is in a unit that is not
 * traced.
 */
static void t_start(void)
{
	struct twin twin[] = { { .unit = "fs/proc/proc_tty.c", .file = "/proc/tty/drivers" } };
	__u64 addrs[64];
	int nr;

	nr = symbols(NULL, "t_start", addrs, ARRAY_SIZE(addrs));
	need(nr > 1 && !traceable(addrs[0]), "the lowest of %d t_start is traceable", nr);
	twins("t_start", twin, ARRAY_SIZE(twin));
}

static const struct guest_case cases[] = {
	{ "c_start: each program only sees calls of its own function", c_start },
	{ "m_start: each program only sees calls of its own function", m_start },
	{ "modalias_show: each program only sees calls of its own bus", modalias_show },
	{ "type_show: each program reads a field of its own function's argument",
	  type_show_fields },
	{ "type_show: a field of another type is rejected", type_show_refused },
	{ "func_addr_shape: each program reads a field of its own function's argument",
	  shape_fields },
	{ "func_addr_shape: a field of the other function's argument is rejected", shape_refused },
	{ "t_start: a program is attached to the traceable function", t_start },
	{ },
};

const struct guest_test test_twins = { "twins", cases, NULL };
