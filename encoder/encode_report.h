/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ABTF_ENCODE_REPORT_H
#define ABTF_ENCODE_REPORT_H

#include "encode.h"

/**
 * report__write() - write the decision about every function, as JSON
 * @path:	the file, "-" for stdout
 *
 *	{ "instances": N, "encoded": N, "skipped": { REASON: N, ... },
 *	  "bodies_without_symbol": N,
 *	  "functions": [ { "name", "symbol", "address", "section", "unit",
 *			   "encoded": BOOL, "reason" (if skipped) }, ... ] }
 *
 * If BTF was read, also "funcs_read": N, "funcs_moved": N and "funcs": { OUTCOME: N,
 * ... }; and functions without a symbol, with the reason why they have no address.
 *
 * Addresses are hexadecimal strings, because numbers in JSON are limited to 2^53.
 *
 * Return: 0, or a negative errno after a message.
 */
int report__write(const struct encoding *e, const char *path);

#endif /* ABTF_ENCODE_REPORT_H */
