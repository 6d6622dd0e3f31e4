// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/where.h"
#include "image/image.h"
#include "locate/find.h"
#include "util/msg.h"

static int take_limit(void *data, const char *arg)
{
	char *end;

	image_max_uncompressed = strtoull(arg, &end, 10);
	if (*arg >= '1' && *arg <= '9' && !*end && image_max_uncompressed >> 43 == 0) {
		image_max_uncompressed <<= 20;
		return -1;
	}
	msg_error("--max-uncompressed expects a number of megabytes: %s", arg);
	return EXIT_USAGE;
}

const struct opt where_options[] = {
	OPT_SET(0, "running", struct where, running,
		"instead of IMAGE: the image of the running kernel"),
	OPT_TEXT(0, "module", "NAME", COMPLETE_NOTHING, struct where, module,
		 "with --running: the file of module NAME"),
	OPT_TEXT(0, "build-id", "HEX", COMPLETE_NOTHING, struct where, build_id,
		 "instead of IMAGE: the image with this build id"),
	OPT_TEXT(0, "notes", "FILE", COMPLETE_FILE, struct where, notes,
		 "instead of IMAGE: the image with the build id in FILE, a copy of another machine's /sys/kernel/notes"),
	OPT_TEXT(0, "sysroot", "DIR", COMPLETE_DIR, struct where, sysroot,
		 "search for these files below DIR"),
	OPT_CALL(0, "max-uncompressed", "MB", COMPLETE_NOTHING, take_limit,
		 "limit for the size of compressed sections (default: 16 times the file's size, at least 256)"),
	{}
};

bool where__asked(const struct where *where)
{
	return where->running || where->build_id || where->notes || where->module;
}

int where__identify(struct where *where)
{
	char *notes = NULL;
	int err;

	if (!where__asked(where))
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

	if (!where__asked(where))
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
