// SPDX-License-Identifier: GPL-2.0-only
/* Cases, expectations, and their results as KTAP. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

static jmp_buf case_end;
static bool case_failed;
static char case_skipped[256];

void note(const char *fmt, ...)
{
	char text[4096], *line, *rest = text;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	while ((line = strsep(&rest, "\n")))
		if (*line)
			printf("# %s\n", line);
}

void fail_at(const char *file, int line, const char *fmt, ...)
{
	char text[2048];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	file = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	note("%s:%d: %s", file, line, text);
	case_failed = true;
}

void end_case(void)
{
	longjmp(case_end, 1);
}

void skip_case(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(case_skipped, sizeof(case_skipped), fmt, args);
	va_end(args);
	end_case();
}

pid_t spawn(void (*run)(const void *data), const void *data)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	need(pid >= 0, "fork: %s", strerror(errno));
	if (pid)
		return pid;
	case_failed = false;
	if (!setjmp(case_end))
		run(data);
	fflush(stdout);
	_exit(case_failed);
}

int run_test(const struct guest_test *test)
{
	volatile int failed = 0;
	volatile int i;

	/* Output before a crash must not be lost. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 0; test->cases[i].run; i++)
		;
	printf("KTAP version 1\n1..%d\n", i);
	for (i = 0; test->cases[i].run; i++) {
		case_failed = false;
		case_skipped[0] = '\0';
		if (!setjmp(case_end)) {
			if (test->setup)
				test->setup();
			test->cases[i].run();
		}
		failed |= case_failed;
		printf("%sok %d %s: %s%s%s\n", case_failed ? "not " : "", i + 1, test->name,
		       test->cases[i].title, *case_skipped ? " # SKIP " : "", case_skipped);
	}
	return failed;
}
