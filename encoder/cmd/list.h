/* SPDX-License-Identifier: GPL-2.0-only */
/* What the two halves of `abtf list` share: functions, and calls that were inlined. */
#ifndef ABTF_CMD_LIST_H
#define ABTF_CMD_LIST_H

#include "inspect/kept.h"
#include "inspect/listing.h"
#include "inspect/selector.h"
#include "probe/place.h"

/**
 * struct list_options - what was asked for
 * @id:		the build id of the kernel, if that is what was
 * @kept:	what is kept of that kernel, or NULL
 */
struct list_options {
	const char		*base;
	const char		*image;
	const char		*path;
	enum probe_format	probe;		/* NR_PROBE_FORMATS: none */
	bool			inlined;
	bool			table;
	bool			all;
	bool			json;
	struct build_id		id;
	struct kept		*kept;
};

/** list_inlined() - List inlined calls; return an exit code. */
int list_inlined(const struct list_options *opts, struct selector *sel);

/**
 * list__warn_inlined() - say it if calls of what is shown are inlined
 * @kept:	what says so, or NULL
 * @img:	which otherwise is asked, or NULL
 *
 * Return: 0, or a negative errno after a message.
 */
int list__warn_inlined(const struct listing *list, const struct kept *kept,
		       const struct image *img);

#endif /* ABTF_CMD_LIST_H */
