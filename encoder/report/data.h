/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the page of `abtf report` shows, as one compact JSON object.
 *
 * Given an image that was encoded; takes from it what became of every function, and
 * prototypes from the BTF that was written.  page.js is its only reader; the format
 * stands at its head.
 */
#ifndef ABTF_REPORT_DATA_H
#define ABTF_REPORT_DATA_H

#include <jansson.h>

#include "encode.h"

/**
 * report_data__new() - collect the data
 * @e:		after encode__write()
 *
 * Names and paths are an image's: control characters and bytes that are no UTF-8
 * become '?'.
 *
 * Return: 0, or a negative errno after a message.
 */
int report_data__new(const struct encoding *e, json_t **ret);

#endif /* ABTF_REPORT_DATA_H */
