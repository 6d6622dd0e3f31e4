/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page of `abtf report`: one HTML file that needs no network.
 *
 * page.html, page.css and page.js are built into the program.  The page contains the
 * data as JSON with every '<' escaped, so that no name from an image can end the
 * element that contains it.
 */
#ifndef ABTF_REPORT_PAGE_H
#define ABTF_REPORT_PAGE_H

#include "encode.h"

/**
 * page__write() - write the page of an image
 * @e:		after encode__write()
 * @path:	the file, "-" for stdout
 *
 * Return: 0, or a negative errno after a message.
 */
int page__write(const struct encoding *e, const char *path);

#endif /* ABTF_REPORT_PAGE_H */
