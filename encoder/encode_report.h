/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ABTF_ENCODE_REPORT_H
#define ABTF_ENCODE_REPORT_H

#include "encode.h"

/**
 * report__write() - write the decision about every function, as JSON
 * @path:	the file, "-" for stdout
 *
 * docs/schema/report.json describes it.  If BTF was read, it also has the outcome of each FUNC, and
 * functions without a symbol.  Addresses are hexadecimal strings, because numbers in JSON are limited to 2^53.
 *
 * Return: 0, or a negative errno after a message.
 */
int report__write(const struct encoding *e, const char *path);

#endif /* ABTF_ENCODE_REPORT_H */
