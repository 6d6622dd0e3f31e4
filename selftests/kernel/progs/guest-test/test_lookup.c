// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpf_btf_find_by_name_kind(), with which programs of light skeletons find what
 * they attach to while they run: a name that several functions have is refused.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"
#include "insn.h"

/* Returns what the helper returns for FUNC @name: an id, or a negative errno. */
static int look_up(const char *name)
{
	struct bpf_insn insns[32];
	char text[64] = "";
	size_t nr = 0, size = strlen(name) + 1, i;
	int prog, ret, word;

	/* The name goes to the stack, four bytes at a time. */
	need(size <= sizeof(text), "%s: too long", name);
	memcpy(text, name, size);
	for (i = 0; i < size; i += sizeof(word)) {
		memcpy(&word, text + i, sizeof(word));
		insns[nr++] = INSN_STORE_IMM(BPF_W, BPF_REG_10, (int)i - 64, word);
	}
	insns[nr++] = INSN_MOV(BPF_REG_1, BPF_REG_10);
	insns[nr++] = INSN_ADD_IMM(BPF_REG_1, -64);
	insns[nr++] = INSN_MOV_IMM(BPF_REG_2, size);
	insns[nr++] = INSN_MOV_IMM(BPF_REG_3, BTF_KIND_FUNC);
	insns[nr++] = INSN_MOV_IMM(BPF_REG_4, 0);
	insns[nr++] = INSN_CALL(BPF_FUNC_btf_find_by_name_kind);
	insns[nr++] = INSN_EXIT();
	prog = prog_insns(BPF_PROG_TYPE_SYSCALL, insns, nr, BPF_F_SLEEPABLE, NULL);
	need(prog >= 0, "loading: %s; the verifier said:\n%s", strerror(-prog), prog_log);
	ret = prog_run(prog, NULL, 0);
	close(prog);
	return ret;
}

static void unique(void)
{
	expect_eq(look_up("func_addr_alone"), func(vmlinux(), "func_addr_alone"),
		  "the id of func_addr_alone");
	expect_eq(look_up("vfs_read"), func(vmlinux(), "vfs_read"), "the id of vfs_read");
}

static void ambiguous(void)
{
	expect_eq(look_up("cpumask_weight"), -EADDRNOTAVAIL, "cpumask_weight");
	expect_eq(look_up("func_addr_shape"), -EADDRNOTAVAIL, "func_addr_shape");
}

static void unknown(void)
{
	expect_eq(look_up("func_addr_nowhere"), -ENOENT, "func_addr_nowhere");
}

static const struct guest_case cases[] = {
	{ "a name that one function has is found", unique },
	{ "a name that several have is refused with -EADDRNOTAVAIL", ambiguous },
	{ "a name that none has is not found", unknown },
	{ },
};

const struct guest_test test_lookup = { "lookup", cases, NULL };
