/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The JSON that a command prints: one object on stdout, also if the command fails.
 *
 *	{ "format": "functions", "version": 1, "build_id": ..., "functions": [ ... ],
 *	  "warnings": [ ... ], "error": null }
 *
 * docs/schema/ describes each format.  Array elements are written one by one: as one document, a
 * listing of all functions would take 100 MB.
 */
#ifndef ABTF_UTIL_DOCUMENT_H
#define ABTF_UTIL_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>

/* Changes if a key is removed, renamed, or gets another meaning. */
#define DOCUMENT_VERSION	1

/** document__use() - Print JSON, and from now on collect messages for it. */
void document__use(void);

/** document__is_used() - Test whether to print JSON. */
bool document__is_used(void);

/**
 * document__begin() - start the document
 * @format:	its format, and the key of its array
 * @head:	the members before the array; released
 */
void document__begin(const char *format, json_t *head);

/** document__identify() - Set the members of a document of format "error"; @head is released. */
void document__identify(json_t *head);

/** document__add() - Append an element to the array, and release it. */
void document__add(json_t *row);

/**
 * document__end() - end the document with all messages
 *
 * If it was not started, it only has messages, and the format is "error".  Does nothing without
 * document__use().
 */
void document__end(void);

#endif /* ABTF_UTIL_DOCUMENT_H */
