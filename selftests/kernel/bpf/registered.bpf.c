// SPDX-License-Identifier: GPL-2.0-only
/* Programs that use functions which modules/registered.c registers. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

long calls;

/* --- kptrs --------------------------------------------------------------------- */

/* Without separate names, clang 14 would lose tags of pointers to them. */
typedef struct registered_twin {
	int value;
} twin_t;

typedef struct registered_vmlinux {
	int value;
} vmlinux_t;

typedef struct bpf_cpumask {
	int usage;
} cpumask_t;

extern struct registered_twin *registered_get_twin(void) __ksym;
extern void registered_put_twin(struct registered_twin *object) __ksym;
extern struct registered_vmlinux *registered_get_vmlinux(void) __ksym;
extern void registered_put_vmlinux(struct registered_vmlinux *object) __ksym;
extern struct bpf_cpumask *bpf_cpumask_create(void) __ksym;
extern void bpf_cpumask_release(struct bpf_cpumask *object) __ksym;

/* The kernel releases them in this order. */
struct objects {
	cpumask_t __kptr *cpumask;
	twin_t __kptr *twin;
	vmlinux_t __kptr *vmlinux;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, struct objects);
} objects SEC(".maps");

/* Store an object in the map, which releases it later. */
#define KEEP(field, get, put)				\
do {							\
	void *object = get();				\
							\
	if (!object)					\
		return 0;				\
	object = bpf_kptr_xchg(&kept->field, object);	\
	if (object)					\
		put(object);				\
	else						\
		count++;				\
} while (0)

/* Returns the number of objects stored in the map. */
SEC("syscall")
int keep(void *ctx)
{
	struct objects *kept;
	int key = 0, count = 0;

	kept = bpf_map_lookup_elem(&objects, &key);
	if (!kept)
		return 0;
	KEEP(cpumask, bpf_cpumask_create, bpf_cpumask_release);
	KEEP(twin, registered_get_twin, registered_put_twin);
	KEEP(vmlinux, registered_get_vmlinux, registered_put_vmlinux);
	return count;
}

/* --- struct_ops, and a tracepoint ------------------------------------------------ */

struct registered_item {
	long value;
};

struct registered_ops {
	int (*may)(struct registered_item *item);
	int (*must)(struct registered_item *item);
};

#define CHECKED(name, section)				\
SEC(section)						\
int name(struct registered_item **args)			\
{							\
	struct registered_item *item = *args;		\
							\
	calls++;					\
	return item ? item->value : 0;			\
}

#define UNCHECKED(name, section)			\
SEC(section)						\
int name(struct registered_item **args)			\
{							\
	calls++;					\
	return (*args)->value;				\
}

#define OPS(name, member, program)			\
SEC(".struct_ops.link")					\
struct registered_ops name = {				\
	.member = (void *)program,			\
}

CHECKED(checked, "struct_ops/may_checked")
UNCHECKED(unchecked, "struct_ops/may_unchecked")
UNCHECKED(unchecked_must, "struct_ops/must_unchecked")

OPS(may_checked, may, checked);
OPS(may_unchecked, may, unchecked);
OPS(must_unchecked, must, unchecked_must);

CHECKED(event, "tp_btf/registered_event_tp")
/* selector -t selects the tracepoint */
UNCHECKED(event_unchecked, "tp_btf")

char _license[] SEC("license") = "GPL";
