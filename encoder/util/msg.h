/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages: one line each on stderr, "abtf: subject: what, where, expected".
 */
#ifndef ABTF_UTIL_MSG_H
#define ABTF_UTIL_MSG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum msg_level {
	MSG_QUIET	= -1,	/* errors only */
	MSG_NORMAL	= 0,	/* and warnings */
	MSG_VERBOSE	= 1,	/* and what was done */
};

/* Which messages are shown; commands set it once, before any thread starts. */
extern enum msg_level msg_level;

/**
 * msg_print() - print a message that starts with @kind, unless @level is not shown
 *
 * Arguments may be names from images: everything that a terminal interprets is replaced.
 */
void msg_print(enum msg_level level, const char *kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#define msg_error(...)	msg_print(MSG_QUIET, "error: ", __VA_ARGS__)
#define msg_warn(...)	msg_print(MSG_NORMAL, "warning: ", __VA_ARGS__)
#define msg_note(...)	msg_print(MSG_NORMAL, "note: ", __VA_ARGS__)
#define msg_info(...)	msg_print(MSG_VERBOSE, "", __VA_ARGS__)

/**
 * msg_hold() - let errors not be printed
 * @text:	set to the next error, without "abtf: error: ", which the caller frees; later ones are
 *		dropped.  NULL: print errors again.
 *
 * Must not be called while other threads print messages.
 */
void msg_hold(char **text);

/**
 * msg_collect() - let errors and warnings not be printed
 * @take:	called with each of them, without "abtf: warning: ", one at a time; NULL: print them
 *		again
 */
void msg_collect(void (*take)(enum msg_level level, const char *text));

/** msg_fail() - Print an error, as msg_error() does. Return: @err. */
#define msg_fail(err, ...)							\
({										\
	const int err_ __attribute__((unused)) = (err);				\
										\
	msg_error(__VA_ARGS__);							\
	err_;									\
})

/** is_terminal() - Test for a terminal with control sequences, which TERM=dumb does not have. */
bool is_terminal(FILE *f);

/**
 * msg_progress() - show how far a long step is
 *
 * On a terminal, the line replaces the previous one.  Elsewhere, and if quiet, nothing is
 * printed.  @done == @total removes the line.  A @total of SIZE_MAX means unknown.  Safe to
 * call from any thread.
 */
void msg_progress(const char *what, size_t done, size_t total);

#endif /* ABTF_UTIL_MSG_H */
