// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kptr whose destructor was in init text, see modules/registered.c. The kernel rejects
 * this BTF, but still loads the program without it.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/* Without a separate name, clang 14 would lose tags of pointers to it. */
typedef struct registered_init {
	int value;
} init_t;

struct objects {
	init_t __kptr *init;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, struct objects);
} objects SEC(".maps");

/* So that the type is whole in BTF. */
__noinline int value(struct registered_init *init)
{
	return init ? init->value : 0;
}

SEC("syscall")
int look_up(void *ctx)
{
	int key = 0;

	return bpf_map_lookup_elem(&objects, &key) ? value(0) : 0;
}

char _license[] SEC("license") = "GPL";
