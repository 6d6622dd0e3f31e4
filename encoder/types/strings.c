// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "types/hash.h"
#include "types/strings.h"
#include "util/grow.h"

#define FIRST_SLOTS	(1U << 14)

int strings__init(struct strings *t)
{
	memset(t, 0, sizeof(*t));
	t->nr_slots = t->seen_slots = FIRST_SLOTS;
	t->slots = calloc(t->nr_slots, sizeof(*t->slots));
	t->seen = calloc(t->seen_slots, sizeof(*t->seen));
	if (!t->slots || !t->seen || grow(&t->array, &t->cap, 1, sizeof(*t->array))) {
		strings__destroy(t);
		return -ENOMEM;
	}
	t->array[0] = (struct string){ .s = "", .hash = hash_bytes("", 0) };
	t->nr = 1;
	return 0;
}

void strings__destroy(struct strings *t)
{
	free(t->array);
	free(t->slots);
	free(t->seen);
	memset(t, 0, sizeof(*t));
}

static int widen_slots(struct strings *t)
{
	uint32_t nr_slots = t->nr_slots * 2, mask = nr_slots - 1, id, i;
	uint32_t *slots = calloc(nr_slots, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (id = 1; id < t->nr; id++) {
		for (i = t->array[id].hash & mask; slots[i]; i = (i + 1) & mask)
			;
		slots[i] = id;
	}
	free(t->slots);
	t->slots = slots;
	t->nr_slots = nr_slots;
	return 0;
}

/* The slot of a string, or the free one where it would go. */
static uint32_t find_slot(const struct strings *t, uint64_t hash, const char *s, uint32_t len)
{
	uint32_t mask = t->nr_slots - 1, i, id;

	for (i = hash & mask; (id = t->slots[i]); i = (i + 1) & mask)
		if (t->array[id].hash == hash && t->array[id].len == len &&
		    !memcmp(t->array[id].s, s, len))
			break;
	return i;
}

uint32_t strings__find(const struct strings *t, const char *s, uint32_t len)
{
	return len ? t->slots[find_slot(t, hash_bytes(s, len), s, len)] : 0;
}

int64_t strings__add(struct strings *t, const char *s, uint32_t len)
{
	uint64_t hash = hash_bytes(s, len);
	uint32_t i, id;

	if (!len)
		return 0;
	if (t->nr >= t->nr_slots / 2 && widen_slots(t))
		return -ENOMEM;
	i = find_slot(t, hash, s, len);
	if (t->slots[i])
		return t->slots[i];
	if (grow(&t->array, &t->cap, (uint64_t)t->nr + 1, sizeof(*t->array)))
		return -ENOMEM;
	id = t->nr++;
	t->array[id] = (struct string){ .s = s, .hash = hash, .len = len };
	t->slots[i] = id;
	return id;
}

static void place_seen(struct string_seen *seen, uint32_t mask, struct string_seen entry)
{
	uint64_t hash = (entry.offset - 1) * 0x9e3779b97f4a7c15ULL;
	uint32_t i = (uint32_t)(hash >> 32) & mask;

	while (seen[i].offset)
		i = (i + 1) & mask;
	seen[i] = entry;
}

int strings__remember(struct strings *t, uint32_t offset, uint32_t id)
{
	if (offset == UINT32_MAX)
		return 0;
	if (t->nr_seen >= t->seen_slots / 2) {
		uint32_t slots = t->seen_slots * 2, i;
		struct string_seen *seen = calloc(slots, sizeof(*seen));

		if (!seen)
			return -ENOMEM;
		for (i = 0; i < t->seen_slots; i++)
			if (t->seen[i].offset)
				place_seen(seen, slots - 1, t->seen[i]);
		free(t->seen);
		t->seen = seen;
		t->seen_slots = slots;
	}
	place_seen(t->seen, t->seen_slots - 1,
		   (struct string_seen){ .offset = offset + 1, .id = id });
	t->nr_seen++;
	return 0;
}
