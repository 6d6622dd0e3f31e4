// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/layout.h"
#include "btf/order.h"
#include "types/strings.h"

/**
 * struct ordering - one btf_bytes__order_strings()
 * @swap:	the bytes are in the other byte order
 * @start:	offset of the first string that is not the base's
 * @strs:	the strings as they stand, @len bytes
 * @known:	they, by content; its marks say where each goes, + 1
 * @to:		the strings in their new order, @filled bytes so far
 */
struct ordering {
	bool		swap;
	uint32_t	start;
	char		*strs;
	uint32_t	len;
	struct strings	known;
	char		*to;
	uint32_t	filled;
};

static uint32_t read_word(const struct ordering *o, uint32_t w)
{
	return o->swap ? __builtin_bswap32(w) : w;
}

static void place_string(struct ordering *o, struct string *s)
{
	if (s->mark)
		return;
	memcpy(o->to + o->filled, s->s, s->len + 1);
	s->mark = o->filled + 1;
	o->filled += s->len + 1;
}

static int place_all(struct ordering *o, const struct btf_data *like)
{
	const char *s, *end = o->strs + o->len;
	int64_t id;

	for (s = o->strs; s < end; s += strlen(s) + 1) {
		id = strings__add(&o->known, s, strlen(s));
		if (id < 0)
			return id;
	}
	/* the empty one is always known; it is written only if it stands here */
	if (o->len && !*o->strs)
		place_string(o, &o->known.array[0]);
	for (s = like->strs, end = s + like->strs_len; s < end; s += strlen(s) + 1) {
		uint32_t found = strings__find(&o->known, s, strlen(s));

		if (found)
			place_string(o, &o->known.array[found]);
	}
	for (id = 1; id < o->known.nr; id++)
		place_string(o, &o->known.array[id]);
	return 0;
}

static void move_name(const struct ordering *o, uint32_t *name)
{
	uint32_t offset = read_word(o, *name);
	const char *s = o->strs + (offset - o->start);
	uint32_t id;

	if (!offset || offset < o->start)
		return;
	id = strings__find(&o->known, s, strlen(s));
	*name = read_word(o, o->start + o->known.array[id].mark - 1);
}

/* Words from one name to the next behind a type; its name is always the first word. */
static unsigned int name_step(uint32_t kind)
{
	switch (kind) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return sizeof(struct btf_member) / 4;
	case BTF_KIND_ENUM:
		return sizeof(struct btf_enum) / 4;
	case BTF_KIND_ENUM64:
		return sizeof(struct btf_enum64) / 4;
	case BTF_KIND_FUNC_PROTO:
		return sizeof(struct btf_param) / 4;
	default:
		return 0;
	}
}

static void move_names(const struct ordering *o, uint32_t *types, uint32_t len)
{
	uint32_t *end = types + len / 4;

	while (types < end) {
		struct btf_type t = { .info = read_word(o, types[1]) };
		unsigned int step = name_step(BTF_INFO_KIND(t.info)), i;

		move_name(o, types);
		for (i = 0; step && i < BTF_INFO_VLEN(t.info); i++)
			move_name(o, types + sizeof(t) / 4 + i * step);
		types += btf_data__type_size(&t) / 4;
	}
}

int btf_bytes__order_strings(struct btf_bytes *btf, const struct btf_data *like)
{
	struct layout_header *hdr = btf->bytes;
	struct ordering o = { .swap = hdr->magic != BTF_MAGIC, .start = like->strs_start };
	char *types = (char *)hdr + read_word(&o, hdr->hdr_len);
	int err;

	o.strs = types + read_word(&o, hdr->str_off);
	o.len = read_word(&o, hdr->str_len);
	if (o.len == like->strs_len && !memcmp(o.strs, like->strs, o.len))
		return 0;
	o.to = malloc(o.len + 1UL);
	err = strings__init(&o.known);
	if (!err && !o.to)
		err = -ENOMEM;
	err = err ?: place_all(&o, like);
	if (!err && o.filled == o.len) {
		move_names(&o, (uint32_t *)types, read_word(&o, hdr->type_len));
		memcpy(o.strs, o.to, o.len);
	}
	strings__destroy(&o.known);
	free(o.to);
	return err;
}
