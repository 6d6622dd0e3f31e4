/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kfuncs: functions that BPF programs may call, as the image's .BTF_ids lists
 * them (include/linux/btf_ids.h, include/linux/btf.h of the kernel).
 */
#ifndef ABTF_FUNCTIONS_KFUNCS_H
#define ABTF_FUNCTIONS_KFUNCS_H

#include "functions/decide.h"

/* flags of a kfunc, include/linux/btf.h */
#define KF_FASTCALL	(1U << 12)
#define KF_ARENA_RET	(1U << 13)
#define KF_ARENA_ARG1	(1U << 14)
#define KF_ARENA_ARG2	(1U << 15)

/**
 * struct kfunc - one entry of a set of kfuncs
 * @sym:	the function; NULL if it does not exist or is ambiguous
 * @flags:	KF_*
 */
struct kfunc {
	const struct symbol	*sym;
	uint32_t		flags;
};

struct kfuncs {
	VECTOR(struct kfunc);
};

/**
 * kfuncs__read() - read the sets of kfuncs of an image
 * @syms:	its functions
 *
 * An entry means the local function with its name in the same STT_FILE group, or the
 * global or weak one, or the only local one.  An image without .BTF_ids has no kfuncs.
 *
 * Return: 0, or a negative errno after a message.
 */
int kfuncs__read(struct kfuncs *ret, const struct symbols *syms);

/**
 * kfuncs__check_names() - reject shared names in BTF_ID() and in sets of kfuncs
 * @in:		named instances
 *
 * resolve_btfids looks up the bare name, does not find NAME@FILE, and would store id 0.
 * It reports functions without any FUNC itself.
 *
 * Return: 0, or -EINVAL after a message.
 */
int kfuncs__check_names(const struct symbols *syms, const struct instances *in);

/** kfuncs__have_ids() - Test whether resolve_btfids has written ids of a .BTF to .BTF_ids. */
bool kfuncs__have_ids(const struct symbols *syms);

void kfuncs__destroy(struct kfuncs *k);

#endif /* ABTF_FUNCTIONS_KFUNCS_H */
