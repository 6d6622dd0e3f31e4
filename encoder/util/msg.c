// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/macros.h"
#include "util/msg.h"
#include "util/text.h"

enum msg_level msg_level = MSG_NORMAL;

/* recursive: there may be no memory to collect a message in */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static bool line_open;
static char **held;
static void (*collect_message)(enum msg_level level, const char *text);

bool is_terminal(FILE *f)
{
	const char *term = getenv("TERM");

	return isatty(fileno(f)) && term && *term && strcmp(term, "dumb");
}

static void clear_line(void)
{
	if (line_open)
		fputs("\r\033[K", stderr);
	line_open = false;
}

void msg_print(enum msg_level level, const char *kind, const char *fmt, ...)
{
	char *text __cleanup(free_pointer) = NULL;
	va_list ap;

	if (msg_level < level)
		return;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	text_clean(text);
	if (held && level == MSG_QUIET) {
		if (!*held)
			*held = no_free_ptr(text);
		return;
	}
	pthread_mutex_lock(&lock);
	clear_line();
	if (collect_message && level != MSG_VERBOSE)
		collect_message(level, text ?: fmt);
	else
		fprintf(stderr, "abtf: %s%s\n", kind, text ?: fmt);
	pthread_mutex_unlock(&lock);
}

void msg_hold(char **text)
{
	held = text;
	if (held)
		*held = NULL;
}

void msg_collect(void (*take)(enum msg_level level, const char *text))
{
	collect_message = take;
}

void msg_progress(const char *what, size_t done, size_t total)
{
	static int terminal = -1;
	static uint64_t last;
	uint64_t now;

	pthread_mutex_lock(&lock);
	if (terminal < 0)
		terminal = is_terminal(stderr);
	if (!terminal || msg_level < MSG_NORMAL)
		goto out;
	if (done >= total) {
		clear_line();
		goto out;
	}
	now = clock__now();
	/* ten times a second: faster updates cannot be read */
	if (now - last < 100000000)
		goto out;
	last = now;
	if (total != SIZE_MAX)
		fprintf(stderr, "\r%s %zu/%zu\033[K", what, done, total);
	else
		fprintf(stderr, "\r%s ...\033[K", what);
	line_open = true;
out:
	pthread_mutex_unlock(&lock);
}
