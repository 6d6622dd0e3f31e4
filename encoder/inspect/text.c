// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/text.h"
#include "util/memory.h"

char *text_clean(char *s)
{
	for (char *p = s; *p; p++) {
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	}
	return s;
}

json_t *text_json(const char *s)
{
	json_t *json;
	char *copy;

	if (!s)
		return json_null();
	json = json_string(s);
	if (json)
		return json;
	copy = xstrdup(s);
	if (!copy)
		return NULL;
	for (char *p = copy; *p; p++) {
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	}
	json = json_string(copy);
	free(copy);
	return json;
}

int text_json_line(FILE *f, json_t *value, bool *first)
{
	int err = 0;

	if (!value)
		return -ENOMEM;
	fputs(*first ? "\n" : ",\n", f);
	*first = false;
	/* a stream that fails is noticed when it is closed */
	if (json_dumpf(value, f, 0) && !ferror(f))
		err = -ENOMEM;
	json_decref(value);
	return err;
}
