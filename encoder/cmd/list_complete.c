// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/list.h"

/* NAME@ and the part of the path, from any directory on, that starts as the text does */
static void print_files(const struct func *func, const char *file)
{
	for (const char *end = func->file; end; end = strchr(end, '/')) {
		end += end != func->file;
		if (!strncmp(end, file, strlen(file)))
			printf("%.*s@%s\n", (int)func->name_len, func->full, end);
		if (!*file)
			break;
	}
}

int list_complete(const struct kept *kept, const char *text)
{
	size_t len = strcspn(text, "@");
	struct funcs *funcs;

	if (!kept || funcs__new(kept->btf, &funcs))
		return EXIT_DONE;
	for (uint32_t i = 0; i < funcs->nr; i++) {
		const struct func *func = &funcs->all[i];

		if (text[len]) {
			if (func->file && func->name_len == len && !strncmp(func->full, text, len))
				print_files(func, text + len + 1);
		} else if (!strncmp(func->full, text, len) && len <= func->name_len &&
			   (!i || compare_names(func - 1, func))) {
			printf("%.*s\n", (int)func->name_len, func->full);
			/* so that the shell does not end the word there */
			if (func->file)
				printf("%.*s@\n", (int)func->name_len, func->full);
		}
	}
	funcs__free(funcs);
	return EXIT_DONE;
}
