/* SPDX-License-Identifier: GPL-2.0-only */
/* Strings out of untrusted files, made fit for a terminal and for JSON. */
#ifndef ABTF_INSPECT_TEXT_H
#define ABTF_INSPECT_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/**
 * text_clean() - replace control characters by '?', in place
 *
 * Identifiers were checked by the reader; paths may hold anything.
 *
 * Return: @s.
 */
char *text_clean(char *s);

/** text_json() - Return: a JSON string, null for NULL; invalid UTF-8 bytes become '?'. */
json_t *text_json(const char *s);

/**
 * text_json_line() - write one element of an array on a separate line
 * @f:		a stream
 * @value:	the element, which is released; NULL counts as out of memory
 * @first:	true before the first element, cleared
 *
 * Elements are written one by one, for a listing of all functions would take
 * 100 MB as one document.  The caller writes "[" and "\n]\n" around them.
 *
 * Return: 0 or -ENOMEM.
 */
int text_json_line(FILE *f, json_t *value, bool *first);

#endif /* ABTF_INSPECT_TEXT_H */
