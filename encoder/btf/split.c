// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/split.h"
#include "util/grow.h"
#include "util/msg.h"

#define FIRST_SLOTS	1024U

int split__init(struct split *sp, const struct base *base)
{
	*sp = (struct split){ .base = base, .nr_slots = FIRST_SLOTS };
	sp->slots = calloc(sp->nr_slots, sizeof(*sp->slots));
	if (!sp->slots)
		return -ENOMEM;
	/* what stands on nothing begins with "" */
	if (!base) {
		if (grow(&sp->text, &sp->text_cap, 1, 1))
			return -ENOMEM;
		sp->text[sp->text_len++] = '\0';
	}
	return 0;
}

void split__destroy(struct split *sp)
{
	free(sp->text);
	free(sp->slots);
}

static uint32_t *find_string_slot(const struct split *sp, const char *s, size_t len)
{
	uint32_t mask = sp->nr_slots - 1, i;

	for (i = hash_bytes(s, len) & mask; sp->slots[i]; i = (i + 1) & mask)
		if (!strcmp(sp->text + sp->slots[i] - 1, s))
			break;
	return &sp->slots[i];
}

static int widen(struct split *sp)
{
	uint32_t *old = sp->slots, nr = sp->nr_slots, i;

	sp->slots = calloc(nr * 2UL, sizeof(*sp->slots));
	if (!sp->slots) {
		sp->slots = old;
		return -ENOMEM;
	}
	sp->nr_slots = nr * 2;
	for (i = 0; i < nr; i++) {
		const char *s = sp->text + old[i] - 1;

		if (old[i])
			*find_string_slot(sp, s, strlen(s)) = old[i];
	}
	free(old);
	return 0;
}

int64_t split__string(struct split *sp, const char *s)
{
	uint64_t start = sp->base ? sp->base->btf->strs_len : 0;
	size_t len = strlen(s);
	uint32_t offset = sp->base ? base__string(sp->base, s, len) : 0;
	uint32_t *slot;

	if (offset || !len)
		return offset;
	if (sp->nr_strings >= sp->nr_slots / 2 && widen(sp))
		return -ENOMEM;
	slot = find_string_slot(sp, s, len);
	if (!*slot) {
		if (start + sp->text_len > BTF_MAX_NAME_OFFSET) {
			msg_error("strings of more than %u bytes, which is all that the kernel takes",
				  BTF_MAX_NAME_OFFSET);
			return -E2BIG;
		}
		if (grow(&sp->text, &sp->text_cap, sp->text_len + len + 1, 1))
			return -ENOMEM;
		memcpy(sp->text + sp->text_len, s, len + 1);
		*slot = sp->text_len + 1;
		sp->text_len += len + 1;
		sp->nr_strings++;
	}
	return start + *slot - 1;
}
