/* SPDX-License-Identifier: GPL-2.0-only */
/* How malloc() gets its memory: one heap, that grows by large pieces. */
#ifndef ABTF_UTIL_MEMORY_H
#define ABTF_UTIL_MEMORY_H

/**
 * memory__init() - set malloc() up, before there are threads
 *
 * With a heap per thread, other threads could not reuse the free space in it.  Huge
 * pages do not pay off: when the page cache fills memory, as during a kernel build, the
 * kernel has to move pages to create them.
 */
void memory__init(void);

#endif /* ABTF_UTIL_MEMORY_H */
