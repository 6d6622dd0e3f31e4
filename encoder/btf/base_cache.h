/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Indexes of bases, kept between calls.
 *
 * A folder with a file for each base, called by a hash of the base's BTF: what
 * else is in the image, its name and its time make no difference, and a file
 * can never be that of another BTF.  It is written beside its place and
 * renamed, so that any number of processes can read and write at once.
 *
 * A file that is not whole, or of another version, is as good as none and is
 * written again.  One that was made to mislead can at most hide types from us:
 * the look-ups stay within the tables (see btf/base_index.h), and what they find
 * is compared with the base itself (see btf/match.c).
 */
#ifndef ABTF_BTF_BASE_CACHE_H
#define ABTF_BTF_BASE_CACHE_H

#include "btf/base_index.h"
#include "btf/file.h"

/**
 * base_cache__read() - look for the index of some BTF
 * @folder:	where files are kept
 * @file:	the BTF; must outlive @btf
 * @btf:	the BTF, in place
 * @index:	mapped; base_cache__close() unmaps it
 *
 * Return: 0, or a negative errno without a message if there is no good one.
 */
int base_cache__read(const char *folder, const struct btf_file *file, struct btf_data **btf,
		     struct base_index *index);

void base_cache__close(struct base_index *index);

/**
 * base_cache__write() - keep an index
 * @index:	that of @file; its header is completed
 *
 * The folder is made if there is none.  What goes wrong is no error but told,
 * since all goes on without a cache.
 */
void base_cache__write(const char *folder, const struct btf_file *file,
		       const struct base_index *index);

#endif /* ABTF_BTF_BASE_CACHE_H */
