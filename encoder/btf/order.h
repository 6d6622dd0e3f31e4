/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ABTF_BTF_ORDER_H
#define ABTF_BTF_ORDER_H

#include "btf/read.h"
#include "btf/write.h"

/**
 * btf_bytes__order_strings() - give strings the order they have elsewhere
 * @btf:	BTF that was written; changed
 * @like:	an object that it was made from, on the same base
 *
 * The strings that @like has come first, in its order.  So BTF that is read and
 * written again is the same to the byte if nothing in it was changed.
 *
 * Return: 0 or -ENOMEM.
 */
int btf_bytes__order_strings(struct btf_bytes *btf, const struct btf_data *like);

#endif /* ABTF_BTF_ORDER_H */
