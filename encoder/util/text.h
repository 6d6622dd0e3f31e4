/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text from untrusted files.  Names in ELF, DWARF and BTF may contain anything, so each destination
 * has one function that makes them harmless: text_clean() for a terminal, text_plain() for
 * everything that a user pastes, text_json() of util/json.h for JSON.
 */
#ifndef ABTF_UTIL_TEXT_H
#define ABTF_UTIL_TEXT_H

#include <stdbool.h>

/**
 * text__is_plain() - test for characters that no program interprets
 *
 * These are the characters of source paths that are not special in a shell's word, a quoted string,
 * a comment, a field of a table, or an event of the kernel's tracers.
 */
bool text__is_plain(char c);

/**
 * text_plain() - replace all characters with '?' that are neither plain nor in @others, in place
 *
 * Return: @s, which may be NULL.
 */
char *text_plain(char *s, const char *others);

/**
 * text_clean() - replace everything with '?' that a terminal interprets, in place
 *
 * That is, control characters, bytes that are not UTF-8, and characters that change the direction
 * of text.
 *
 * Return: @s, which may be NULL.
 */
char *text_clean(char *s);

#endif /* ABTF_UTIL_TEXT_H */
