// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "util/msg.h"

int usage_help(const char *usage)
{
	fputs(usage, stdout);
	return EXIT_DONE;
}

int usage_error(const char *usage, const char *what)
{
	const char *end = strstr(usage, "\n\n");

	if (what)
		msg_error("%s", what);
	fwrite(usage, 1, end ? (size_t)(end + 1 - usage) : strlen(usage), stderr);
	return EXIT_USAGE;
}
