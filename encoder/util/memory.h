/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory.  The functions that allocate never fail: without memory, the program ends with a
 * message and status 1, after removing temporary files and returning make's tokens, as it does
 * after a signal.  Callers do not need error paths, which tests could not reach.  Output files
 * that are complete remain; the remaining modules of a batch are not encoded.
 *
 * They must not be called between cleanup__lock() and cleanup__unlock().
 */
#ifndef ABTF_UTIL_MEMORY_H
#define ABTF_UTIL_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * memory__init() - set malloc() up, before there are threads
 *
 * With a heap per thread, other threads could not reuse the free space in it.  Huge pages
 * for all arrays of 4 MB and more would save encode 5 to 11 % of the CPU time (the more of the
 * memory is free, the more), but need 8 MB more memory: the kernel fills their unused ends.
 */
void memory__init(void);

/**
 * memory__prefer_huge_pages() - let page faults in an array bring huge pages, if the kernel allows it
 *
 * For one that is written once from start to end, such as the bytes of a file: in a virtual machine,
 * the faults of small pages cost more time than reading the file.  The first and the last page may
 * be shared with other arrays, for which huge pages are as good.
 */
void memory__prefer_huge_pages(void *p, size_t size);

/** memory__on_lack() - Let @print, which allocates nothing and may return false, replace the message. */
void memory__on_lack(bool (*print)(void));

/** out_of_memory() - End the program. */
void out_of_memory(void) __attribute__((noreturn, cold));

/* Like the functions without the x.  The caller frees the result; a size may be 0. */
void *xmalloc(size_t size) __attribute__((malloc));
void *xcalloc(size_t nr, size_t size) __attribute__((malloc));
void *xrealloc(void *p, size_t nr, size_t size);
char *xstrdup(const char *s) __attribute__((malloc));
char *xstrndup(const char *s, size_t len) __attribute__((malloc));

/** xasprintf() - Return: the formatted string; the caller frees it. */
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list args) __attribute__((format(printf, 1, 0)));

/** xappend() - Append formatted text to a string from these functions, or to NULL. */
void xappend(char **s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif /* ABTF_UTIL_MEMORY_H */
