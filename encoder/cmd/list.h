/* SPDX-License-Identifier: GPL-2.0-only */
/* What the two halves of `abtf list` share: functions, and calls that were inlined. */
#ifndef ABTF_CMD_LIST_H
#define ABTF_CMD_LIST_H

#include "inspect/input.h"
#include "inspect/selector.h"
#include "probe/place.h"

struct list_options {
	const char		*base;
	const char		*image;
	const char		*path;
	enum probe_format	probe;		/* NR_PROBE_FORMATS: none */
	bool			inlined;
	bool			all;
	bool			json;
};

/** list_inlined() - List inlined calls; return an exit code. */
int list_inlined(const struct list_options *opts, struct selector *sel);

/**
 * list__warn_inlined() - say it if calls of what was shown are inlined
 * @img:	the image, or NULL
 *
 * Return: 0, or a negative errno after a message.
 */
int list__warn_inlined(const struct image *img, const struct selector *sel);

#endif /* ABTF_CMD_LIST_H */
