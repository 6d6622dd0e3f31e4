// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "btf/output.h"
#include "report/data.h"
#include "report/page.h"
#include "util/memory.h"

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

static void put_base64(const uint8_t *bytes, size_t size, FILE *f)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < size; i += 3) {
		uint32_t left = size - i;
		uint32_t word = bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) |
				(left > 2 ? bytes[i + 2] : 0);

		fputc(digits[word >> 18], f);
		fputc(digits[word >> 12 & 63], f);
		fputc(left > 1 ? digits[word >> 6 & 63] : '=', f);
		fputc(left > 2 ? digits[word & 63] : '=', f);
	}
}

/*
 * As gzip in base64: a fifth of the JSON's size, and without a '<' that could begin
 * "</script>".
 */
static void put_data(const json_t *data, FILE *f)
{
	char *json __cleanup(free_pointer) = json_dumps(data, JSON_COMPACT);
	z_stream z = { .next_in = (void *)json, .avail_in = strlen(json) };
	uint8_t *packed __cleanup(free_pointer) = NULL;

	/* 15 bits of window, and 16 for the header of gzip */
	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		out_of_memory();
	z.avail_out = deflateBound(&z, z.avail_in);
	packed = xmalloc(z.avail_out);
	z.next_out = packed;
	deflate(&z, Z_FINISH);
	put_base64(packed, z.total_out, f);
	deflateEnd(&z);
}

/* Copy the page up to a mark, and step over that. */
static const char *put_until(const char *at, const char *mark, FILE *f)
{
	const char *end = strstr(at, mark);

	fwrite(at, 1, end - at, f);
	return end + strlen(mark);
}

int page__write(const struct encoding *e, const char *path)
{
	const char *at = page_html;
	char *text = NULL;
	size_t size = 0;
	json_t *data;
	FILE *f;
	int err = report_data__new(e, &data);

	if (err)
		return err;
	f = open_memstream(&text, &size);
	if (!f)
		out_of_memory();
	at = put_until(at, "@STYLE@", f);
	fwrite(page_css, 1, page_css_end - page_css, f);
	at = put_until(at, "@DATA@", f);
	put_data(data, f);
	at = put_until(at, "@SCRIPT@", f);
	fwrite(page_js, 1, page_js_end - page_js, f);
	fwrite(at, 1, page_html_end - at, f);
	if (fclose(f))
		out_of_memory();
	json_decref(data);
	err = output__file(path, text, size);
	free(text);
	return err;
}
