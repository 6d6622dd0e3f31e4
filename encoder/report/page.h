/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page of `abtf report`: one HTML file that needs no network.
 *
 * page.html, page.css and page.js are built into the program.  The page contains the
 * data as compressed JSON in base64, so that no name from an image can end the element that
 * contains it.
 */
#ifndef ABTF_REPORT_PAGE_H
#define ABTF_REPORT_PAGE_H

#include "inspect/function_map.h"

/**
 * page__write() - write the page of an image
 * @map:	its functions; @in: the image
 * @path:	the file, "-" for stdout
 *
 * Return: 0, or a negative errno after a message.
 */
int page__write(const struct function_map *map, const struct input *in, const char *path);

#endif /* ABTF_REPORT_PAGE_H */
