// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "util/text.h"

bool text__is_plain(char c)
{
	return c && (isalnum((unsigned char)c) || strchr("_-./+,=@~", c));
}

char *text_plain(char *s, const char *others)
{
	for (char *p = s; p && *p; p++)
		if (!text__is_plain(*p) && !strchr(others, *p))
			*p = '?';
	return s;
}

/* Characters that are invisible, or that reorder or end lines (Unicode's categories Cf, Zl, Zp). */
static bool is_format(uint32_t c)
{
	return c == 0xad || c == 0x61c || c == 0xfeff || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f);
}

/* Return: the length of the character that a terminal may get; 0: this byte is not part of one. */
static size_t visible_len(const unsigned char *s)
{
	static const uint32_t first[] = { 0, 0, 0xa0, 0x800, 0x10000 };
	size_t len = *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : 2;
	uint32_t c = *s & (0xff >> (len + 1));

	if (*s < 0x80)
		return *s >= ' ' && *s != 0x7f;
	if (*s < 0xc0 || *s > 0xf4)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	return c < first[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) || is_format(c) ?
	       0 : len;
}

char *text_clean(char *s)
{
	size_t len;

	for (char *p = s; p && *p; p += len ?: 1) {
		len = visible_len((unsigned char *)p);
		if (!len)
			*p = '?';
	}
	return s;
}
