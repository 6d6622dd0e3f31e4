/* SPDX-License-Identifier: GPL-2.0-only */
/* How malloc() gets its memory: one heap, that grows by large pieces, in huge pages. */
#ifndef ABTF_UTIL_MEMORY_H
#define ABTF_UTIL_MEMORY_H

/**
 * memory__init() - set malloc() up, before there are threads
 *
 * Tables and lists of many megabytes are filled page by page, and each page of 4 KiB is
 * a trap into the kernel.  Where it has huge pages to give (transparent_hugepage is
 * "madvise" or "always") there are a third as many.
 */
void memory__init(void);

#endif /* ABTF_UTIL_MEMORY_H */
