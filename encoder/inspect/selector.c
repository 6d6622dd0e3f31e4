// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "inspect/selector.h"
#include "util/msg.h"

/* So many functions are told in a message; a kernel has 22 of one name. */
#define MAX_CANDIDATES	32

/* "kernel/sched/core.c" ends in "sched/core.c" and "core.c", not in "ore.c". */
static bool ends_in(const char *path, const char *file)
{
	size_t path_len = strlen(path), len = strlen(file);

	if (len > path_len || strcmp(path + path_len - len, file))
		return false;
	return len == path_len || path[path_len - len - 1] == '/';
}

bool selector__fits(const struct selector *sel, const char *file)
{
	if (!sel->file)
		return true;
	if (!file)
		return false;
	return sel->whole ? !strcmp(file, sel->file) : ends_in(file, sel->file);
}

bool selector__matches(const struct selector *sel, const struct func *inst)
{
	return selector__fits(sel, inst->file);
}

int selector__parse(const char *text, struct selector *ret)
{
	size_t len = strcspn(text, "@");

	*ret = (struct selector){ .text = text, .name_len = len };
	if (text[len]) {
		ret->whole = text[len + 1] == '/';
		ret->file = text + len + 1 + ret->whole;
	}
	if (len && (!ret->file || *ret->file))
		return 0;
	msg_error("selector '%s': expected NAME or NAME@FILE", text);
	return -EINVAL;
}

static void tell_candidates(const struct selector *sel)
{
	uint32_t i;

	for (i = 0; i < sel->nr && i < MAX_CANDIDATES; i++)
		msg_error("    %s", sel->first[i].full);
	if (i < sel->nr)
		msg_error("    and %u more", sel->nr - i);
}

int selector__find(struct selector *sel, const struct funcs *insts, const char *subject)
{
	uint32_t i;

	sel->first = funcs__named(insts, sel->text, sel->name_len, &sel->nr);
	if (!sel->nr) {
		msg_error("%s: no function is called '%.*s'", subject, (int)sel->name_len,
			  sel->text);
		msg_error("    if it was inlined everywhere, list --inlined shows where");
		return -ENOENT;
	}
	for (i = 0; sel->file && i < sel->nr; i++)
		sel->whole |= sel->first[i].file && !strcmp(sel->first[i].file, sel->file);
	for (i = 0; i < sel->nr; i++)
		if (selector__matches(sel, &sel->first[i]))
			return 0;
	msg_error("%s: '%s' was not found; functions of that name are", subject, sel->text);
	tell_candidates(sel);
	return -ENOENT;
}
