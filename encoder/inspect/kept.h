/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cache of `abtf list`, below $XDG_CACHE_HOME/abtf: finding and reading a debug
 * image takes seconds, and its build id shows that the image is unchanged.
 *
 * One block per kernel: the function map, with prototypes as BTF.  An earlier call wrote the
 * file and renamed it into place, but it may still be truncated or malformed.  A checksum
 * catches truncation, every value is checked against its bounds, and the BTF is
 * checked like any other BTF.  A bad file is regenerated.
 */
#ifndef ABTF_INSPECT_KEPT_H
#define ABTF_INSPECT_KEPT_H

#include "inspect/function_map.h"

/**
 * kept__read() - read the cache entry of a kernel
 * @map:	must be destroyed if it was read
 *
 * Return: false, without a message, if no entry is valid.
 */
bool kept__read(struct function_map *map, const struct build_id *id);

/**
 * kept__make() - cache a map by its build id if possible
 * @in:		the input of @map
 *
 * A linked image with DWARF can be cached, unless the kernel has tables that the image lacks:
 * another file may have them later.
 *
 * Return: 0, or a negative errno after a message.
 */
int kept__make(struct function_map *map, const struct input *in);

#endif /* ABTF_INSPECT_KEPT_H */
