// SPDX-License-Identifier: GPL-2.0-only
/* kfuncs whose names other functions of this module bear, which come before them. */
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/module.h>

int answer_by_twin(int value);

__bpf_kfunc_start_defs();

__bpf_kfunc int answer_same(int value)
{
	return value + 2;
}

__bpf_kfunc int answer_differ(int value)
{
	return value + 2;
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(answer_ids)
BTF_ID_FLAGS(func, answer_same)
BTF_ID_FLAGS(func, answer_differ)
BTF_KFUNCS_END(answer_ids)

static const struct btf_kfunc_id_set answer_set = {
	.owner = THIS_MODULE,
	.set = &answer_ids,
};

static int __init answer_init(void)
{
	pr_debug("answer: %d\n", answer_by_twin(1));
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_SYSCALL, &answer_set);
}

static void __exit answer_exit(void)
{
}

module_init(answer_init);
module_exit(answer_exit);
MODULE_DESCRIPTION("kfuncs that share their names");
MODULE_LICENSE("GPL");
