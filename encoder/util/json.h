/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON of text from untrusted files. */
#ifndef ABTF_UTIL_JSON_H
#define ABTF_UTIL_JSON_H

#include <jansson.h>

/* Flags of json_dumps(): JSON is in ASCII, of which a terminal interprets nothing. */
#define TEXT_JSON	JSON_ENSURE_ASCII

/** text_json() - Return: a JSON string, null for NULL; invalid UTF-8 bytes become '?'. */
json_t *text_json(const char *s);

#endif /* ABTF_UTIL_JSON_H */
