/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rules every type has to keep: those of the kernel's kernel/bpf/btf.c
 * (the *_check_meta() functions), what this project adds for the record, and
 * that whoever follows references arrives somewhere.
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
 * Return: 0, -EINVAL after a message about the first violation, or -ENOMEM.
 */
int btf_data__validate(const struct btf_data *btf, const char *subject);

#endif /* ABTF_BTF_VALIDATE_H */
