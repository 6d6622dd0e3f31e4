// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/symbolize.h"
#include "util/msg.h"

/* What an address without 0x has at least, in digits: fewer may be any word or number. */
#define MIN_DIGITS	16

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '@';
}

/* Return: the length of a number in hex (0x...) or decimal at the start, 0 for none. */
static size_t read_offset(const char *s, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return 0;
	errno = 0;
	*ret = strtoull(s, &end, strncmp(s, "0x", 2) ? 10 : 16);
	return errno || is_word(*end) ? 0 : end - s;
}

/*
 * An address in the upper half, in decimal: bpftrace prints reg("ip") like this, as a signed
 * number (0.17) or an unsigned one.  Return: its length, 0 for none.
 */
static size_t read_decimal(const char *s, uint64_t *ret)
{
	size_t sign = *s == '-', digits = strspn(s + sign, "0123456789");

	if (!digits || is_word(s[sign + digits]))
		return 0;
	errno = 0;
	*ret = strtoull(s, NULL, 10);
	return errno || !(*ret >> 63) ? 0 : sign + digits;
}

/* Also without 0x, as in /proc/kallsyms and stacks.  Return: its length, 0 for none. */
static size_t read_address(const char *s, uint64_t *ret)
{
	size_t prefix = strncmp(s, "0x", 2) ? 0 : 2;
	size_t digits = strspn(s + prefix, "0123456789abcdefABCDEF");

	if ((!prefix && digits < MIN_DIGITS) || digits > 16 || !digits || is_word(s[prefix + digits]))
		return prefix ? 0 : read_decimal(s, ret);
	*ret = strtoull(s + prefix, NULL, 16);
	return prefix + digits;
}

static bool find_offset(const struct symbolizer *s, uint32_t section, uint64_t offset,
			struct place_in *ret)
{
	const struct extent *e = code_map__find(s->map, section, offset);

	if (e)
		*ret = (struct place_in){ e, offset, offset - e->start };
	return e;
}

static bool find_address(const struct symbolizer *s, uint64_t address, struct place_in *ret)
{
	for_each(part, &s->loaded)
		if (address >= part->address && address - part->address < part->size)
			return find_offset(s, part->section, address - part->address, ret);
	return !s->module && s->base && address >= s->base &&
	       find_offset(s, 0, address - s->base, ret);
}

/*
 * "_text+0x10", or in a module the same from a symbol that it has once.
 * Return: the length, 0 if it is something else.
 */
static size_t read_key(const struct symbolizer *s, const char *text, struct place_in *ret)
{
	size_t len = 0, digits;
	const struct extent *from;
	uint64_t offset;
	uint32_t nr;

	while (is_word(text[len]) && text[len] != '@')
		len++;
	if (!len || text[len] != '+')
		return 0;
	digits = read_offset(text + len + 1, &offset);
	if (!digits)
		return 0;
	if (!s->module)
		return len == 5 && !strncmp(text, "_text", 5) &&
		       find_offset(s, 0, offset, ret) ? len + 1 + digits : 0;
	from = code_map__named(s->map, text, len, &nr);
	return nr == 1 && find_offset(s, from->section, from->start + offset, ret) ?
	       len + 1 + digits : 0;
}

/* A function by its name, with an offset or without */
static int find_named(const struct symbolizer *s, const char *text, size_t len,
		      struct place_in *ret)
{
	size_t name_len = strcspn(text, "+ [");
	const struct extent *e;
	uint64_t into = 0;
	uint32_t nr;

	if (name_len < len && text[name_len] == '+' && !read_offset(text + name_len + 1, &into))
		return -EINVAL;
	e = code_map__named(s->map, text, name_len, &nr);
	if (nr > 1)
		msg_error("%s: '%s': %u functions are called %.*s", s->subject, text, nr,
			  (int)name_len, text);
	if (nr == 1 && find_offset(s, e->section, e->start + into, ret))
		return 0;
	return nr > 1 ? -EEXIST : -EINVAL;
}

int symbolizer__find(const struct symbolizer *s, const char *text, struct place_in *ret)
{
	const char *start = strrchr(text, ':') ? strrchr(text, ':') + 1 : text;
	size_t len = strlen(start), used;
	uint64_t number;
	int err;

	used = read_key(s, start, ret);
	if (used && strchr(" /", start[used]))
		return 0;
	used = read_address(start, &number);
	if (used == len && find_address(s, number, ret))
		return 0;
	if (used != len)
		used = read_offset(start, &number);
	if (used == len && !s->module && find_offset(s, 0, number, ret))
		return 0;
	if (used != len && isalpha((unsigned char)*start | (*start == '_' ? 'a' : 0))) {
		err = find_named(s, start, len, ret);
		if (!err || err == -EEXIST)
			return err ? -EINVAL : 0;
	}
	if (s->unknown && read_address(start, &number) == len)
		msg_error("%s: '%s': no function is at this offset; if it is an address: %s",
			  s->subject, text, s->unknown);
	else
		msg_error("%s: '%s': no function is there", s->subject, text);
	return -EINVAL;
}

void place_in__print(const struct place_in *p, FILE *f)
{
	fputs(p->extent->name, f);
	if (p->into)
		fprintf(f, "+0x%" PRIx64, p->into);
}

static void filter_line(const struct symbolizer *s, const char *line, size_t len, FILE *out)
{
	struct place_in place;
	uint64_t address;
	size_t used;

	for (size_t i = 0; i < len; i += used) {
		used = 0;
		if (!i || !is_word(line[i - 1])) {
			used = read_key(s, line + i, &place);
			if (!used && (used = read_address(line + i, &address)) &&
			    !find_address(s, address, &place))
				used = 0;
		}
		if (used) {
			place_in__print(&place, out);
			continue;
		}
		fputc(line[i], out);
		used = 1;
	}
}

int symbolizer__filter(const struct symbolizer *s, FILE *in, FILE *out)
{
	size_t size = 0;
	char *line = NULL;
	ssize_t len;
	int err;

	errno = 0;
	while ((len = getline(&line, &size, in)) >= 0 && !ferror(out)) {
		filter_line(s, line, len, out);
		fflush(out);
	}
	err = ferror(in) || !feof(in) ? errno : 0;
	free(line);
	if (!err || ferror(out))
		return 0;
	msg_error("stdin: %s", strerror(err));
	return -err;
}
