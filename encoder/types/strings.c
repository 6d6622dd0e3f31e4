// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <sys/param.h>

#include "types/strings.h"
#include "util/bytes.h"
#include "util/hash.h"
#include "util/memory.h"
#include "util/msg.h"

/* the fuzz targets begin with fewer, which then have to grow */
#ifndef FIRST_SLOTS
#define FIRST_SLOTS	(1U << 14)
#endif

#define MAX_OFFSETS	(1U << 22)

/* Average length of strings in .debug_str, in kernels of several architectures and versions. */
#define BYTES_PER_NAME	28

#define BYTES(b)	(0x0101010101010101ULL * (b))

/* Test for eight bytes of ASCII without control characters. */
static bool is_plain(const char *s)
{
	uint64_t word, low, delete;

	memcpy(&word, s, sizeof(word));
	low = (word - BYTES(0x20)) & ~word;
	delete = word ^ BYTES(0x7f);
	delete = (delete - BYTES(1)) & ~delete;
	return !((low | delete | word) & BYTES(0x80));
}

bool is_text(const char *s, size_t len)
{
	const unsigned char *p;
	int more;

	if (len >= 8) {
		const char *last = s + len - 8;

		while (s < last && is_plain(s))
			s += 8;
		/* some of the last eight may have been there already */
		if (s >= last && is_plain(last))
			return true;
	}
	for (p = (const unsigned char *)s; *p; p++) {
		if (*p < 0x20 || *p == 0x7f)
			return false;
		if (*p < 0x80)
			continue;
		/* the first byte of a UTF-8 sequence determines its length */
		more = *p >= 0xc2 && *p < 0xe0 ? 1 : *p >= 0xe0 && *p < 0xf0 ? 2 :
		       *p >= 0xf0 && *p < 0xf5 ? 3 : 0;
		if (!more)
			return false;
		for (; more; more--)
			if ((*++p & 0xc0) != 0x80)
				return false;
	}
	return true;
}

void strings__init(struct strings *t, uint64_t size)
{
	static const struct string none = { .s = "", .offset = NO_OFFSET };
	uint32_t nr = FIRST_SLOTS;

	memset(t, 0, sizeof(*t));
	while (nr < size >> 3 && nr < MAX_OFFSETS)
		nr *= 2;
	t->by_offset = xcalloc(nr, sizeof(*t->by_offset));
	t->offset_mask = nr - 1;
	/* first, as it ends the program if there are too many for a table */
	grow(&t->array, &t->cap, size / BYTES_PER_NAME, sizeof(*t->array));
	table__expect(&t->by_content, MAX(FIRST_SLOTS / 2, size / BYTES_PER_NAME));
	push(t, none);
	t->array[0].hash = hash_bytes("", 0);
}

void strings__close(struct strings *t)
{
	table__destroy(&t->by_content);
	free(t->by_offset);
	t->by_offset = NULL;
}

void strings__destroy(struct strings *t)
{
	for_each(s, &t->owned)
		free(*s);
	free(t->owned.array);
	free(t->array);
	strings__close(t);
	memset(t, 0, sizeof(*t));
}

/* Return: the slot of a string, or the free slot for it; NULL if it is too far away. */
static struct hash_slot *find_slot(const struct strings *t, uint64_t hash, const char *s,
				    uint32_t len)
{
	struct hash_slot *slot;

	table__for_each(slot, &t->by_content, hash) {
		const struct string *string = &t->array[slot->id];

		if (string->hash == hash && string->len == len && !memcmp(string->s, s, len))
			break;
	}
	return slot;
}

int64_t strings__add_owned(struct strings *t, char *s)
{
	push(&t->owned, s);
	return strings__add(t, s, strlen(s));
}

void strings__move_owned(struct strings *t, struct strings *from)
{
	for_each(s, &from->owned)
		push(&t->owned, *s);
	from->owned.nr = 0;
}

uint32_t strings__find(const struct strings *t, const char *s, uint32_t len)
{
	const struct hash_slot *slot = len ? find_slot(t, hash_bytes(s, len), s, len) : NULL;

	return slot ? slot->id : 0;
}

int64_t strings__add(struct strings *t, const char *s, uint32_t len)
{
	uint64_t hash = hash_bytes(s, len);
	struct hash_slot *slot;
	uint32_t id;

	if (!len)
		return 0;
	slot = find_slot(t, hash, s, len);
	if (unlikely(!slot))
		return msg_fail(-EINVAL, "\"%.64s\": too many names share its hash", s);
	if (slot->id)
		return slot->id;
	id = t->nr;
	push(t, (struct string){ .s = s, .hash = hash, .len = len, .offset = NO_OFFSET });
	table__add(&t->by_content, slot, hash, id);
	return id;
}

int64_t strings__add_copy(struct strings *t, const char *s, uint32_t len)
{
	return strings__find(t, s, len) ?: strings__add_owned(t, xstrndup(s, len));
}

uint32_t strings__expected(const struct strings *t, const char *s, uint64_t size)
{
	uint32_t id = t->array[t->last].next;
	const struct string *expected = &t->array[id];

	return id && size > expected->len && !memcmp(s, expected->s, expected->len + 1UL) ? id : 0;
}

void strings__remember(struct strings *t, uint32_t offset, uint32_t id)
{
	if (!id || offset == NO_OFFSET)
		return;
	t->array[t->last].next = id;
	t->last = id;
	*strings__slot(t, offset) = id;
	t->array[id].offset = offset;
}
