// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "types/hash.h"
#include "types/strings.h"
#include "util/bytes.h"
#include "util/grow.h"
#include "util/msg.h"

#define FIRST_SLOTS	(1U << 14)

bool is_text(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	int more;

	for (; *p; p++) {
		if (*p < 0x20 || *p == 0x7f)
			return false;
		if (*p < 0x80)
			continue;
		/* the first byte of a UTF-8 sequence tells how many follow */
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

int strings__init(struct strings *t)
{
	memset(t, 0, sizeof(*t));
	t->nr_slots = t->nr_seen_slots = FIRST_SLOTS;
	t->slots = calloc(t->nr_slots, sizeof(*t->slots));
	t->seen_slots = calloc(t->nr_seen_slots, sizeof(*t->seen_slots));
	t->recent = calloc(RECENT_STRINGS, sizeof(*t->recent));
	t->brief = calloc(BRIEF_STRINGS, sizeof(*t->brief));
	if (!t->slots || !t->seen_slots || !t->recent || !t->brief ||
	    grow(&t->array, &t->cap, 1, sizeof(*t->array)) ||
	    grow(&t->seen, &t->cap_seen, 1, sizeof(*t->seen))) {
		strings__destroy(t);
		return -ENOMEM;
	}
	memset(&t->seen[0], 0, sizeof(t->seen[0]));
	t->nr_seen = 1;
	t->array[0] = (struct string){ .s = "", .hash = hash_bytes("", 0) };
	t->nr = 1;
	return 0;
}

void strings__destroy(struct strings *t)
{
	uint32_t i;

	for (i = 0; i < t->nr_owned; i++)
		free(t->owned[i]);
	free(t->owned);
	free(t->array);
	free(t->slots);
	free(t->seen);
	free(t->seen_slots);
	free(t->recent);
	free(t->brief);
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

/*
 * Steps that a look-up may take.  Strings by accident are found within a few
 * dozen; only those that were made to meet take more.
 */
#define MAX_STEPS	4096

/* The slot of a string, or the free one where it would go; -1 if it is too far away. */
static int64_t find_slot(const struct strings *t, uint64_t hash, const char *s, uint32_t len)
{
	uint32_t mask = t->nr_slots - 1, i, id, n = 0;

	for (i = hash & mask; (id = t->slots[i]); i = (i + 1) & mask) {
		if (t->array[id].hash == hash && t->array[id].len == len &&
		    !memcmp(t->array[id].s, s, len))
			break;
		if (unlikely(n++ > MAX_STEPS))
			return -1;
	}
	return i;
}

int64_t strings__add_owned(struct strings *t, char *s)
{
	if (grow(&t->owned, &t->cap_owned, (uint64_t)t->nr_owned + 1, sizeof(*t->owned))) {
		free(s);
		return -ENOMEM;
	}
	t->owned[t->nr_owned++] = s;
	return strings__add(t, s, strlen(s));
}

int strings__take_owned(struct strings *t, struct strings *from)
{
	if (grow(&t->owned, &t->cap_owned, (uint64_t)t->nr_owned + from->nr_owned,
		 sizeof(*t->owned)))
		return -ENOMEM;
	if (from->nr_owned)
		memcpy(t->owned + t->nr_owned, from->owned, from->nr_owned * sizeof(*t->owned));
	t->nr_owned += from->nr_owned;
	from->nr_owned = 0;
	return 0;
}

uint32_t strings__find(const struct strings *t, const char *s, uint32_t len)
{
	int64_t i = len ? find_slot(t, hash_bytes(s, len), s, len) : -1;

	return i < 0 ? 0 : t->slots[i];
}

int64_t strings__add(struct strings *t, const char *s, uint32_t len)
{
	uint64_t hash = hash_bytes(s, len);
	uint32_t id;
	int64_t i;

	if (!len)
		return 0;
	if (t->nr >= t->nr_slots / 4 * 3 && widen_slots(t))
		return -ENOMEM;
	i = find_slot(t, hash, s, len);
	if (unlikely(i < 0)) {
		msg_error("\"%.64s\": one of too many names that share a hash", s);
		return -EINVAL;
	}
	if (t->slots[i])
		return t->slots[i];
	if (grow(&t->array, &t->cap, (uint64_t)t->nr + 1, sizeof(*t->array)))
		return -ENOMEM;
	id = t->nr++;
	t->array[id] = (struct string){ .s = s, .hash = hash, .len = len };
	t->slots[i] = id;
	return id;
}

int64_t strings__add_brief(struct strings *t, const char *s, uint32_t len)
{
	struct string_brief *brief;
	uint32_t bytes = 0;
	int64_t id;

	memcpy(&bytes, s, len);
	brief = strings__brief(t, bytes);
	if (bytes && brief->bytes == bytes)
		return brief->id;
	id = strings__add(t, s, len);
	if (id > 0)
		*brief = (struct string_brief){ .bytes = bytes, .id = id };
	return id;
}

static uint32_t *seen_slot(const struct strings *t, uint32_t offset)
{
	uint32_t mask = t->nr_seen_slots - 1;
	uint32_t i = (uint32_t)((offset * 0x9e3779b97f4a7c15ULL) >> 32) & mask;

	while (t->seen_slots[i] && t->seen[t->seen_slots[i]].offset != offset)
		i = (i + 1) & mask;
	return &t->seen_slots[i];
}

int64_t strings__recall_slow(struct strings *t, uint32_t offset)
{
	struct string_recent *recent = &t->recent[offset * 0x9e3779b1U >> 19];
	uint32_t at = recent->at;

	_Static_assert(RECENT_STRINGS == 1 << (32 - 19), "the shift makes an index");
	if (!at || recent->offset != offset) {
		at = *seen_slot(t, offset);
		if (!at)
			return -1;
		*recent = (struct string_recent){ .offset = offset, .at = at };
	}
	t->seen[t->last].next = at;
	t->last = at;
	return t->seen[at].id;
}

static int widen_seen(struct strings *t)
{
	uint32_t *slots = calloc(t->nr_seen_slots * 2, sizeof(*slots)), i;

	if (!slots)
		return -ENOMEM;
	free(t->seen_slots);
	t->seen_slots = slots;
	t->nr_seen_slots *= 2;
	for (i = 1; i < t->nr_seen; i++)
		*seen_slot(t, t->seen[i].offset) = i;
	return 0;
}

void strings__forget(struct strings *t)
{
	memset(t->seen_slots, 0, t->nr_seen_slots * sizeof(*t->seen_slots));
	memset(t->recent, 0, RECENT_STRINGS * sizeof(*t->recent));
	t->seen[0].next = 0;
	t->nr_seen = 1;
	t->last = 0;
}

int strings__remember(struct strings *t, uint32_t offset, uint32_t id)
{
	if (t->nr_seen >= t->nr_seen_slots / 4 * 3 && widen_seen(t))
		return -ENOMEM;
	if (grow(&t->seen, &t->cap_seen, (uint64_t)t->nr_seen + 1, sizeof(*t->seen)))
		return -ENOMEM;
	t->seen[t->nr_seen] = (struct string_seen){ .offset = offset, .id = id };
	*seen_slot(t, offset) = t->nr_seen;
	t->seen[t->last].next = t->nr_seen;
	t->last = t->nr_seen++;
	return 0;
}
