// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "image/image.h"
#include "util/memory.h"
#include "util/msg.h"

/* How much of a name is compared, because names in malformed files may be huge. */
#define NAME_LENGTH	64

/* How many sections may be missing in the other file: the search for each goes to the end. */
#define MAX_MISSING	64

#define SAME_FLAGS	(SHF_ALLOC | SHF_EXECINSTR)

/* arm64's modules may have a .plt without bytes, even if the rest is there. */
bool image__lacks_code(const struct image *img)
{
	bool lacks = false;

	for (size_t i = 1; i < img->nr_sections; i++) {
		const struct section *sec = &img->sections[i];

		if (!(sec->flags & SHF_ALLOC) || !(sec->flags & SHF_EXECINSTR) || !sec->size)
			continue;
		if (sec->type != SHT_NOBITS)
			return false;
		lacks = true;
	}
	return lacks;
}

bool image__has_only_data(const struct image *img)
{
	for (size_t i = 1; i < img->nr_sections; i++)
		if (img->sections[i].flags & SHF_EXECINSTR && img->sections[i].size)
			return false;
	return img->nr_sections;
}

static bool is_same(const struct section *a, const struct section *b)
{
	return a->size == b->size && a->address == b->address &&
	       !((a->flags ^ b->flags) & SAME_FLAGS) && !strncmp(a->name, b->name, NAME_LENGTH);
}

/*
 * Find the same section in another file, in which sections have the same order.
 * Return: its index, or the number of sections.
 */
static size_t find_same(const struct image *img, size_t start, const struct section *sec)
{
	while (start < img->nr_sections && !is_same(&img->sections[start], sec))
		start++;
	return start;
}

int image__same_build(const struct image *a, const struct image *b)
{
	const uint8_t *note_a, *note_b;
	size_t size_a, size_b;

	if (!image__build_id(a, &note_a, &size_a) || !image__build_id(b, &note_b, &size_b))
		return -ENOENT;
	return size_a == size_b && !memcmp(note_a, note_b, size_a);
}

int image__attach(struct image *img, struct image *other)
{
	size_t next = 1, missing = 0, nr = 0, i, at;
	uint32_t *same __cleanup(free_pointer) = xcalloc(img->nr_sections, sizeof(*same));
	int ids = image__same_build(img, other);

	if (!ids || img->type != other->type || img->machine != other->machine ||
	    img->is_64 != other->is_64 || img->swap != other->swap)
		return -ENOEXEC;
	img->code_sections = xcalloc(other->nr_sections, sizeof(*img->code_sections));
	for (i = 1; i < img->nr_sections && missing < MAX_MISSING; i++) {
		const struct section *sec = &img->sections[i];

		if (!(sec->flags & SHF_ALLOC) || !sec->size)
			continue;
		at = find_same(other, next, sec);
		if (at == other->nr_sections) {
			missing++;
			continue;
		}
		img->code_sections[at] = i;
		next = at + 1;
		if (sec->type == SHT_NOBITS && other->sections[at].data) {
			same[i] = at;
			nr++;
		}
	}
	/* without build ids, all of it has to match */
	if (!nr || (ids < 0 && missing)) {
		free(no_free_ptr(img->code_sections));
		return -ENOEXEC;
	}
	for (i = 1; i < img->nr_sections; i++) {
		if (!same[i])
			continue;
		img->sections[i].type = other->sections[same[i]].type;
		img->sections[i].data = other->sections[same[i]].data;
	}
	img->code = other;
	msg_info("%s: has the code of %s", other->path, img->path);
	return 0;
}
