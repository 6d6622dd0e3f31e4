/* SPDX-License-Identifier: GPL-2.0-only */
/* How malloc() gets its memory: one heap, that grows by large pieces. */
#ifndef ABTF_UTIL_MEMORY_H
#define ABTF_UTIL_MEMORY_H

/**
 * memory__init() - set malloc() up, before there are threads
 *
 * Threads that had heaps of their own would each keep holes that no other can fill.  Huge
 * pages do not pay: where memory is full of files, as while a kernel is built, the kernel
 * moves pages about to make them.
 */
void memory__init(void);

#endif /* ABTF_UTIL_MEMORY_H */
