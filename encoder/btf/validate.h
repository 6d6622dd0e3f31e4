/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rules for types: the checks of kernel/bpf/btf.c in the kernel (the
 * *_check_meta() functions), additional ones for the record, and that following
 * references always ends.
 */
#ifndef ABTF_BTF_VALIDATE_H
#define ABTF_BTF_VALIDATE_H

#include "btf/data.h"

/**
 * btf_data__validate() - check all types of an indexed object
 * @btf:	every record lies within @btf->types and has a known kind
 * @subject:	what messages call it
 *
 * Afterwards: ids and string offsets are in range and name what they may name,
 * and every cycle of references leads through a struct or union.  Takes time
 * linear in the size of the BTF, and no recursion.
 *
 * Return: 0, or -EINVAL after a message about the first violation.
 */
int btf_data__validate(const struct btf_data *btf, const char *subject);

#endif /* ABTF_BTF_VALIDATE_H */
