// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "image/identity.h"
#include "image/compressed.h"
#include "util/bytes.h"
#include "util/json.h"
#include "util/memory.h"
#include "util/text.h"

/* MODULE_NAME_LEN of include/linux/module.h, including the NUL */
#define MAX_MODULE	56

bool is_plain_text(const char *s, size_t len, const char *others)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && !strchr(others, s[i]))
			return false;
	return len;
}

/* Test that a string ends in @what, and cut it there. */
static bool cut_end(char *s, const char *what)
{
	size_t len = strlen(s), what_len = strlen(what);

	if (len < what_len || strcmp(s + len - what_len, what))
		return false;
	s[len - what_len] = 0;
	return true;
}

/* kbuild may leave a '-' in the name of the file. */
char *module__name_of_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = xstrdup(slash ? slash + 1 : path);
	size_t len;

	while (*compressed_suffix(name) ? cut_end(name, compressed_suffix(name)) : cut_end(name, ".debug"))
		;
	len = cut_end(name, ".ko") ? strlen(name) : 0;
	if (len >= MAX_MODULE || !is_plain_text(name, len, "-_"))
		return free(name), NULL;
	for (char *c = name; *c; c++)
		*c = *c == '-' ? '_' : *c;
	return name;
}

/* .modinfo contains "key=value" strings; the kernel uses the same name. */
char *module__name(const struct image *img)
{
	struct section *sec = image__section(img, ".modinfo");
	struct cursor c;

	/* objcopy --only-keep-debug leaves .modinfo without contents */
	if (sec && sec->type == SHT_NOBITS)
		return module__name_of_file(img->path);
	if (!sec || image__load_section(img, sec))
		return NULL;
	c = image__cursor(img, sec);
	while (cursor__left(&c)) {
		const char *s = cursor__string(&c);

		if (!strncmp(s, "name=", 5))
			return s[5] && strlen(s + 5) < MAX_MODULE && is_plain_text(s + 5, strlen(s + 5), "_") ?
			       xstrdup(s + 5) : NULL;
	}
	return NULL;
}

json_t *image__head(const struct image *img)
{
	char *module __cleanup(free_pointer) = img->type == ET_REL ? module__name(img) : NULL;
	char *hex __cleanup(free_pointer) = NULL;
	const uint8_t *note;
	size_t size;

	if (image__build_id(img, &note, &size))
		for (size_t i = 0; i < note__id_size(size); i++)
			xappend(&hex, "%02x", note[NOTE_HEAD + i]);
	return json_pack("{s:o, s:o}", "build_id", text_json(hex), "module", text_json(module));
}
