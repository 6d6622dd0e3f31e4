// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/output.h"
#include "report/data.h"
#include "report/page.h"
#include "util/msg.h"

/* The Makefile says where the sources of the page are. */
#define EMBED(symbol, file)						\
	extern const char symbol[], symbol##_end[];			\
	asm(".pushsection .rodata." #symbol ", \"a\"\n"			\
	    ".globl " #symbol ", " #symbol "_end\n"			\
	    #symbol ": .incbin \"" PAGE_DIR "/" file "\"\n"		\
	    #symbol "_end: .byte 0\n"					\
	    ".popsection")

EMBED(page_html, "page.html");
EMBED(page_css, "page.css");
EMBED(page_js, "page.js");

/* A '<' could begin "</script>" or "<!--"; it only ever stands in a string. */
static int put_escaped(const char *buf, size_t size, void *arg)
{
	FILE *f = arg;
	size_t i;

	for (i = 0; i < size; i++) {
		if (buf[i] == '<')
			fputs("\\u003c", f);
		else
			fputc(buf[i], f);
	}
	return 0;
}

static int put_data(const json_t *data, FILE *f)
{
	return json_dump_callback(data, put_escaped, f, JSON_COMPACT) ? -ENOMEM : 0;
}

/* Copy the page up to a mark, and step over that. */
static const char *put_until(const char *at, const char *mark, FILE *f)
{
	const char *end = strstr(at, mark);

	fwrite(at, 1, end - at, f);
	return end + strlen(mark);
}

static int put_page(const json_t *data, FILE *f)
{
	const char *at = page_html;
	int err;

	at = put_until(at, "@STYLE@", f);
	fwrite(page_css, 1, page_css_end - page_css, f);
	at = put_until(at, "@DATA@", f);
	err = put_data(data, f);
	at = put_until(at, "@SCRIPT@", f);
	fwrite(page_js, 1, page_js_end - page_js, f);
	fwrite(at, 1, page_html_end - at, f);
	return err;
}

int page__write(const struct encoding *e, const char *path)
{
	char *text = NULL;
	size_t size = 0;
	json_t *data;
	FILE *f;
	int err;

	err = report_data__new(e, &data);
	if (err)
		return err;
	f = open_memstream(&text, &size);
	err = f ? put_page(data, f) : -ENOMEM;
	if (f && fclose(f))
		err = -ENOMEM;
	json_decref(data);
	if (err)
		msg_error("%s: out of memory", path);
	else
		err = output__file(path, text, size);
	free(text);
	return err;
}
