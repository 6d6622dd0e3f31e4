// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/out_strings.h"
#include "util/msg.h"

/* Average length of a string; in Debian's 6.12, it is 18. */
#define BYTES_PER_STRING	20

void out_strings__init(struct out_strings *sp, const struct base *base, uint32_t nr)
{
	*sp = (struct out_strings){ .base = base };
	table__expect(&sp->by_content, nr);
	grow(&sp->text.array, &sp->text.cap, 1 + (uint64_t)nr * BYTES_PER_STRING, 1);
	/* strings of BTF without a base start with "" */
	if (!base)
		push(&sp->text, '\0');
}

void out_strings__destroy(struct out_strings *sp)
{
	free(sp->text.array);
	table__destroy(&sp->by_content);
}

uint32_t out_strings__add(struct out_strings *sp, const char *s)
{
	size_t len = strlen(s);

	return out_strings__add_hashed(sp, s, len, hash_bytes(s, len));
}

/* Find the slot of a string in @sp->text, or a free slot for it; NULL if it is too far away. */
static struct hash_slot *find_own(const struct out_strings *sp, const char *s, uint32_t hash)
{
	struct hash_slot *slot;

	table__for_each(slot, &sp->by_content, hash)
		if (!strcmp(sp->text.array + slot->id - 1, s))
			break;
	return slot;
}

/* Only the first error is printed; the caller finally checks @err. */
#define fail(sp, error, ...)	((sp)->err = (sp)->err ?: msg_fail(error, __VA_ARGS__))

uint32_t out_strings__add_hashed(struct out_strings *sp, const char *s, size_t len, uint32_t hash)
{
	uint64_t start = sp->base ? sp->base->btf->strs_len : 0;
	uint32_t offset = sp->base ? base__string(sp->base, s, len, hash) : 0;
	uint32_t at = sp->text.nr;
	struct hash_slot *slot;

	if (offset || !len)
		return offset;
	slot = find_own(sp, s, hash);
	if (slot && slot->id)
		return start + slot->id - 1;
	if (!slot)
		fail(sp, -EINVAL, "\"%.64s\": too many names share its hash", s);
	else if (start + at > BTF_MAX_NAME_OFFSET)
		fail(sp, -E2BIG, "strings of more than %u bytes, the kernel's limit",
		     BTF_MAX_NAME_OFFSET);
	if (sp->err)
		return 0;
	grow(&sp->text.array, &sp->text.cap, at + len + 1, 1);
	memcpy(sp->text.array + at, s, len + 1);
	sp->text.nr += len + 1;
	table__add(&sp->by_content, slot, hash, at + 1);
	return start + at;
}

bool out_strings__has(const struct out_strings *sp, const char *s)
{
	const struct hash_slot *slot = find_own(sp, s, hash_bytes(s, strlen(s)));

	return slot && slot->id;
}
