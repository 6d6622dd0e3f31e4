// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that a module registers, and no program names: destructors of kptrs, stubs of
 * struct_ops, a tracepoint. vmlinux has another function with the name of one of the
 * destructors.
 *
 * parameters/dtors counts the calls of both destructors; reading parameters/call calls the
 * struct_ops and the tracepoint.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/cfi.h>
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "registered.h"

struct registered_item {
	long value;
};

/*
 * --- kptrs: a type for either place in which a destructor has a namesake, and one
 * whose destructor is soon gone
 */

struct registered_twin {
	int value;
};

struct registered_vmlinux {
	int value;
};

struct registered_init {
	int value;
};

static struct registered_twin twin;
static struct registered_vmlinux vmlinux;
static int dtors[2];
module_param_array(dtors, int, NULL, 0400);
MODULE_PARM_DESC(dtors, "calls of either destructor");

__bpf_kfunc_start_defs();

__bpf_kfunc struct registered_twin *registered_get_twin(void)
{
	return &twin;
}

__bpf_kfunc void registered_put_twin(struct registered_twin *object)
{
}

__bpf_kfunc void registered_dtor(void *object)
{
	if (object == &twin)
		dtors[0]++;
}
CFI_NOSEAL(registered_dtor);

__bpf_kfunc struct registered_vmlinux *registered_get_vmlinux(void)
{
	return &vmlinux;
}

__bpf_kfunc void registered_put_vmlinux(struct registered_vmlinux *object)
{
}

/* There is one in lib/func_addr_test/main.c, with a number as its argument. */
__bpf_kfunc void func_addr_shared(void *object)
{
	if (object == &vmlinux)
		dtors[1]++;
}
CFI_NOSEAL(func_addr_shared);

__bpf_kfunc void __init registered_init_dtor(struct registered_init *object)
{
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(kfunc_ids)
BTF_ID_FLAGS(func, registered_get_twin, KF_ACQUIRE | KF_RET_NULL)
BTF_ID_FLAGS(func, registered_put_twin, KF_RELEASE)
BTF_ID_FLAGS(func, registered_get_vmlinux, KF_ACQUIRE | KF_RET_NULL)
BTF_ID_FLAGS(func, registered_put_vmlinux, KF_RELEASE)
BTF_KFUNCS_END(kfunc_ids)

static const struct btf_kfunc_id_set kfunc_set = {
	.owner = THIS_MODULE,
	.set = &kfunc_ids,
};

BTF_ID_LIST(dtor_ids)
BTF_ID(struct, registered_twin)
BTF_ID(func, registered_dtor)
BTF_ID(struct, registered_vmlinux)
BTF_ID(func, func_addr_shared)
BTF_ID(struct, registered_init)
BTF_ID(func, registered_init_dtor)

/* --- struct_ops ---------------------------------------------------------------- */

struct registered_ops {
	int (*may)(struct registered_item *item);
	int (*must)(struct registered_item *item);
};

static int registered_ops__may(struct registered_item *item__nullable)
{
	return 1;
}

static int registered_ops__must(struct registered_item *item)
{
	return 2;
}

static struct registered_ops stubs = {
	.may = registered_ops__may,
	.must = registered_ops__must,
};

static DEFINE_MUTEX(lock);
static struct registered_ops *registered;

static int ops_init(struct btf *btf)
{
	return 0;
}

static int ops_init_member(const struct btf_type *type, const struct btf_member *member,
			   void *kdata, const void *udata)
{
	return 0;
}

static int ops_reg(void *kdata, struct bpf_link *link)
{
	guard(mutex)(&lock);
	if (registered)
		return -EBUSY;
	registered = kdata;
	return 0;
}

static void ops_unreg(void *kdata, struct bpf_link *link)
{
	guard(mutex)(&lock);
	registered = NULL;
}

static bool ops_is_valid_access(int off, int size, enum bpf_access_type type,
				const struct bpf_prog *prog, struct bpf_insn_access_aux *info)
{
	return bpf_tracing_btf_ctx_access(off, size, type, prog, info);
}

static const struct bpf_verifier_ops ops_verifier = {
	.is_valid_access = ops_is_valid_access,
};

static struct bpf_struct_ops ops = {
	.verifier_ops = &ops_verifier,
	.init = ops_init,
	.init_member = ops_init_member,
	.reg = ops_reg,
	.unreg = ops_unreg,
	.cfi_stubs = &stubs,
	.name = "registered_ops",
	.owner = THIS_MODULE,
};

static int call(char *text, const struct kernel_param *param)
{
	struct registered_item item = { .value = 1 };

	guard(mutex)(&lock);
	if (registered && registered->may)
		registered->may(NULL);
	if (registered && registered->must)
		registered->must(&item);
	trace_registered_event_tp(&item);
	return sysfs_emit(text, "called\n");
}

static const struct kernel_param_ops call_ops = {
	.get = call,
};
module_param_cb(call, &call_ops, NULL, 0400);
MODULE_PARM_DESC(call, "calls the struct_ops and the tracepoint");

static int __init registered_init(void)
{
	const struct btf_id_dtor_kfunc kptrs[] = {
		{ .btf_id = dtor_ids[0], .kfunc_btf_id = dtor_ids[1] },
		{ .btf_id = dtor_ids[2], .kfunc_btf_id = dtor_ids[3] },
		{ .btf_id = dtor_ids[4], .kfunc_btf_id = dtor_ids[5] },
	};

	return register_btf_kfunc_id_set(BPF_PROG_TYPE_SYSCALL, &kfunc_set) ?:
	       register_btf_id_dtor_kfuncs(kptrs, ARRAY_SIZE(kptrs), THIS_MODULE) ?:
	       register_bpf_struct_ops(&ops, registered_ops);
}

static void __exit registered_exit(void)
{
}

module_init(registered_init);
module_exit(registered_exit);
MODULE_DESCRIPTION("Functions that share their names, registered with BPF");
MODULE_LICENSE("GPL");
