// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "inspect/selector.h"
#include "util/msg.h"

/* NAME, NAME@FILE or NAME@N */
static int parse_name(const char *name, struct selector *ret)
{
	const char *at = strchr(name, '@'), *text = ret->text;
	size_t digits;

	if (at == name || !*name || (at && !at[1])) {
		msg_error("selector '%s': expected NAME, NAME@FILE or NAME@N, or MODULE: and one of these",
			  text);
		return -EINVAL;
	}
	if (at) {
		digits = strspn(at + 1, "0123456789");
		if (at[1 + digits]) {
			ret->file = at + 1;
		} else {
			unsigned long long n = strtoull(at + 1, NULL, 10);

			/* a number beyond all ranks is well-formed, and picks nothing */
			ret->rank = n > UINT32_MAX ? UINT32_MAX : n;
			if (!n) {
				msg_error("selector '%s': the first instance is %.*s@1", text,
					  (int)(at - text), text);
				return -EINVAL;
			}
		}
	}
	ret->name = strndup(name, at ? (size_t)(at - name) : strlen(name));
	return ret->name ? 0 : -ENOMEM;
}

int selector__parse(const char *text, struct selector *ret)
{
	size_t len = strcspn(text, ":@");
	int err;

	*ret = (struct selector){ .text = text };
	if (text[len] != ':')
		return parse_name(text, ret);
	if (!len) {
		msg_error("selector '%s': expected the name of a module before ':'", text);
		return -EINVAL;
	}
	ret->module = strndup(text, len);
	err = ret->module ? parse_name(text + len + 1, ret) : -ENOMEM;
	if (err)
		selector__release(ret);
	return err;
}

void selector__release(struct selector *sel)
{
	free(sel->module);
	free(sel->name);
	sel->module = NULL;
	sel->name = NULL;
}

/* The part of a path that a module is called by, and its length. */
static const char *module_part(const char *path, size_t *len)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	*len = strcspn(name, ".");
	return name;
}

char *module_of_file(const char *path)
{
	size_t len;
	const char *part = module_part(path, &len);
	char *name = strndup(part, len), *dash;

	if (!name)
		return NULL;
	while ((dash = strchr(name, '-')))
		*dash = '_';
	/* "vmlinux:" is not for modules, and ':' and '@' end a name */
	if (!strcmp(name, "vmlinux") || strpbrk(name, ":@"))
		*name = '\0';
	return name;
}

static bool same_module(const char *a, size_t len, const char *b)
{
	size_t i;

	for (i = 0; i < len && b[i]; i++)
		if ((a[i] == '-' ? '_' : a[i]) != (b[i] == '-' ? '_' : b[i]))
			return false;
	return i == len && !b[i];
}

bool selector__is_for(const struct selector *sel, const char *path, bool is_split)
{
	size_t len;
	const char *name = module_part(path, &len);

	if (!sel->module)
		return true;
	if (!is_split && !strcmp(sel->module, "vmlinux"))
		return true;
	if (strcmp(sel->module, "vmlinux") && same_module(name, len, sel->module))
		return true;
	msg_error("%s: '%s' was not found: by the name of the file, its functions are those of '%.*s'",
		  path, sel->text, (int)len, name);
	return false;
}

bool selector__matches(const struct selector *sel, const struct instance *inst)
{
	if (strcmp(sel->name, inst->name))
		return false;
	if (sel->file)
		return inst->unit && unit_matches(inst->unit, sel->file);
	return !sel->rank || sel->rank == inst->rank;
}

void selector__explain(const struct selector *sel, const struct instances *insts,
		       const char *subject)
{
	const struct instance *group;
	uint32_t nr, tagged = 0;

	group = instances__named(insts, sel->name, &nr);
	for (uint32_t i = 0; i < nr; i++)
		tagged += group[i].unit != NULL;

	if (!nr)
		msg_error("%s: no function is called '%s'", subject, sel->name);
	else if (sel->rank)
		msg_error("%s: '%s' was not found: %s has %u instance%s", subject, sel->text,
			  sel->name, nr, nr == 1 ? "" : "s");
	else if (tagged)
		msg_error("%s: '%s' was not found: no unit of the %u instances of %s ends in '%s'",
			  subject, sel->text, nr, sel->name, sel->file);
	else
		msg_error("%s: '%s' was not found: no instance of %s says which unit it is from",
			  subject, sel->text, sel->name);
}

char *instance__selector(const struct instance *inst, const char *module)
{
	const char *colon = module && *module ? ":" : "";
	char *text;
	int n;

	module = module ?: "";
	if (!instance__ambiguous(inst))
		n = asprintf(&text, "%s%s%s", module, colon, inst->name);
	/* a unit of digits only would be read as a rank */
	else if (inst->unit_picks && inst->unit[strspn(inst->unit, "0123456789")])
		n = asprintf(&text, "%s%s%s@%s", module, colon, inst->name, inst->unit);
	else
		n = asprintf(&text, "%s%s%s@%u", module, colon, inst->name, inst->rank);
	return n < 0 ? NULL : text;
}
