// SPDX-License-Identifier: GPL-2.0-only
#include "util/json.h"
#include "util/macros.h"
#include "util/memory.h"
#include "util/text.h"

json_t *text_json(const char *s)
{
	json_t *json = s ? json_string(s) : json_null();
	char *copy __cleanup(free_pointer) = NULL;

	if (json)
		return json;
	copy = text_clean(xstrdup(s));
	return json_string(copy);
}
