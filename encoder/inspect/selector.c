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

bool selection__has(const struct selection *sel, const struct instance *inst)
{
	if (!sel->file)
		return true;
	if (!inst->file)
		return false;
	return sel->whole ? !strcmp(inst->file, sel->file) : ends_in(inst->file, sel->file);
}

static void tell_candidates(const struct selection *sel)
{
	uint32_t i;

	for (i = 0; i < sel->nr && i < MAX_CANDIDATES; i++)
		msg_error("    %s", sel->first[i].full);
	if (i < sel->nr)
		msg_error("    and %u more", sel->nr - i);
}

int select_instances(const struct instances *insts, const char *text, const char *subject,
		     struct selection *ret)
{
	size_t len = strcspn(text, "@");
	uint32_t i;

	*ret = (struct selection){};
	if (text[len]) {
		ret->whole = text[len + 1] == '/';
		ret->file = text + len + 1 + ret->whole;
	}
	if (!len || (ret->file && !*ret->file)) {
		msg_error("selector '%s': expected NAME or NAME@FILE", text);
		return -EINVAL;
	}
	ret->first = instances__named(insts, text, len, &ret->nr);
	if (!ret->nr) {
		msg_error("%s: no function is called '%.*s'", subject, (int)len, text);
		return -ENOENT;
	}
	for (i = 0; ret->file && i < ret->nr; i++)
		ret->whole |= ret->first[i].file && !strcmp(ret->first[i].file, ret->file);
	for (i = 0; i < ret->nr; i++)
		if (selection__has(ret, &ret->first[i]))
			return 0;
	msg_error("%s: '%s' was not found; functions of that name are", subject, text);
	tell_candidates(ret);
	return -ENOENT;
}
