/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data of the `abtf report` page, as one compact JSON object.
 *
 * Takes the outcome for every function from an encoded image, and prototypes from the
 * BTF that was written.  page.js is the only reader, and its first comment documents
 * the format.
 */
#ifndef ABTF_REPORT_DATA_H
#define ABTF_REPORT_DATA_H

#include <jansson.h>

#include "encode.h"

/**
 * report_data__new() - collect the data
 * @e:		after encode__write()
 *
 * Names and paths come from an image: control characters and invalid UTF-8 bytes
 * become '?'.
 *
 * Return: 0, or a negative errno after a message.
 */
int report_data__new(const struct encoding *e, json_t **ret);

#endif /* ABTF_REPORT_DATA_H */
