/* SPDX-License-Identifier: GPL-2.0-only */
/* BPF instructions by name; the kernel has these in no uapi header. */
#ifndef GUEST_INSN_H
#define GUEST_INSN_H

#include <linux/bpf.h>

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })

#define INSN_MOV(dst, src)	INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define INSN_MOV_IMM(dst, imm)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm)
#define INSN_ADD_IMM(dst, imm)	INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, imm)
#define INSN_LOAD(size, dst, src, off)	INSN(BPF_LDX | (size) | BPF_MEM, dst, src, off, 0)
#define INSN_STORE(size, dst, src, off)	INSN(BPF_STX | (size) | BPF_MEM, dst, src, off, 0)
#define INSN_STORE_IMM(size, dst, off, imm) INSN(BPF_ST | (size) | BPF_MEM, dst, 0, off, imm)
#define INSN_ATOMIC_ADD(size, dst, src, off) \
	INSN(BPF_STX | (size) | BPF_ATOMIC, dst, src, off, BPF_ADD)
#define INSN_JEQ_IMM(dst, imm, off)	INSN(BPF_JMP | BPF_JEQ | BPF_K, dst, 0, off, imm)
#define INSN_JEQ32_IMM(dst, imm, off)	INSN(BPF_JMP32 | BPF_JEQ | BPF_K, dst, 0, off, imm)
#define INSN_CALL(helper)	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
/* A kfunc: its id, and the index of its BTF object in fd_array (0: vmlinux). */
#define INSN_CALL_KFUNC(id, index) \
	INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, index, id)
/* 64-bit immediates are two instructions. */
#define INSN_LD_FD(dst, fd)	INSN(BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_FD, 0, fd)
#define INSN_LD_BTF_ID(dst, id)	INSN(BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_BTF_ID, 0, id)
#define INSN_LD_FD_HIGH()	INSN(0, 0, 0, 0, 0)
#define INSN_EXIT()		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

#endif /* GUEST_INSN_H */
