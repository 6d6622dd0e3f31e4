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

#include <jansson.h>

#include "inspect/function_map.h"
#include "util/grow.h"

/**
 * struct page - a page of one or more images
 * @data:	of each, packed
 * @names:	an array, of their files
 */
struct page {
	struct text {
		VECTOR(char);
	} data;
	json_t	*names;
};

/**
 * page__add() - add an image
 * @map:	its functions; @in: the image
 *
 * Return: 0, or a negative errno after a message.
 */
int page__add(struct page *p, const struct function_map *map, const struct input *in);

/**
 * page__write() - write the page
 * @path:	the file, "-" for stdout
 *
 * Return: 0, or a negative errno after a message.
 */
int page__write(const struct page *p, const char *path);

/** page__destroy() - Free the data. */
void page__destroy(struct page *p);

#endif /* ABTF_REPORT_PAGE_H */
