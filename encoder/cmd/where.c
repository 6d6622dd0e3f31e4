// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/where.h"
#include "image/image.h"
#include "locate/find.h"
#include "util/msg.h"

bool where__option(struct where *where, int opt)
{
	char *end;

	switch (opt) {
	case OPT_RUNNING:
		where->asked = true;
		return true;
	case OPT_BUILD_ID:
		where->asked = true;
		where->build_id = optarg;
		return true;
	case OPT_NOTES:
		where->asked = true;
		where->notes = optarg;
		return true;
	case OPT_SYSROOT:
		where->sysroot = optarg;
		return true;
	case OPT_MODULE:
		where->asked = true;
		where->module = optarg;
		return true;
	case OPT_MAX_UNCOMPRESSED:
		image_max_uncompressed = strtoull(optarg, &end, 10);
		if (*optarg >= '1' && *optarg <= '9' && !*end && image_max_uncompressed >> 43 == 0) {
			image_max_uncompressed <<= 20;
			return true;
		}
		msg_error("--max-uncompressed wants a number of megabytes: %s", optarg);
		return false;
	default:
		return false;
	}
}

int where__identify(struct where *where)
{
	char *notes = NULL;
	int err;

	if (!where->asked)
		return 0;
	if (where->build_id)
		return build_id__parse(where->build_id, &where->id);
	if (where->notes)
		return build_id__read_notes(where->notes, &where->id);
	if (asprintf(&notes, "%s/sys/kernel/notes", where->sysroot ?: "") < 0) {
		msg_error("out of memory");
		return -ENOMEM;
	}
	err = build_id__read_notes(notes, &where->id);
	free(notes);
	return err;
}

/* What stands in place of IMAGE; lives as long as the arguments do. */
static char *found;

int where__name(struct where *where, char **argv)
{
	char hex[BUILD_ID_HEX];

	if (asprintf(&found, "kernel %s", build_id__hex(&where->id, hex)) < 0) {
		msg_error("out of memory");
		return -ENOMEM;
	}
	argv[--optind] = found;
	return 0;
}

int where__find(struct where *where, char **argv)
{
	int err;

	if (!where->asked)
		return 0;
	if (where->module && (where->build_id || where->notes)) {
		msg_error("--module finds modules of the running kernel, and not with --build-id or --notes");
		return -EINVAL;
	}
	if (where->module) {
		err = find_module(where->module, where->sysroot ?: "", &found);
	} else {
		err = where__identify(where);
		err = err ?: find_image(&where->id, where->sysroot ?: "", &found);
	}
	if (err)
		return err;
	msg_info("%s: is the image", found);
	/* one of the options was there */
	argv[--optind] = found;
	return 0;
}
