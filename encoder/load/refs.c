// SPDX-License-Identifier: GPL-2.0-only
#include <linux/btf.h>

#include "load/name.h"
#include "load/refs.h"

int loader__report_type(struct loader *l, uint32_t die, const char *what)
{
	const struct unit *u;
	uint64_t offset = group__info_offset(&l->records.group, die, &u);

	return unit__error(l->dw, u, offset, "%s", what);
}

int64_t loader__find_target(struct loader *l, uint32_t die, uint32_t ref)
{
	struct records *r = &l->records;
	unsigned int n;

	for (n = 0; ref != REF_VOID; n++) {
		uint32_t i = records__find(r, ref);

		if (unlikely(!i || r->recs.array[i].kind == BTF_KIND_FUNC))
			return loader__report_type(l, die, "a type reference to a DIE that is no type");
		if (likely(r->recs.array[i].kind != REC_ALIAS))
			return i;
		if (unlikely(n > MAX_CHAIN))
			return loader__report_type(l, die, "a type that refers to itself");
		die = r->recs.array[i].die;
		ref = r->recs.array[i].ref;
	}
	return 0;
}

uint64_t loader__size_of(struct loader *l, uint32_t ref)
{
	struct records *r = &l->records;
	unsigned int n;

	for (n = 0; n < MAX_CHAIN; n++) {
		uint32_t i = records__find(r, ref);

		switch (r->recs.array[i].kind) {
		case REC_ALIAS:
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
			ref = r->recs.array[i].ref;
			continue;
		case BTF_KIND_PTR:
			return l->dw->img->is_64 ? 8 : 4;
		case BTF_KIND_ARRAY:
			return 0;
		default:
			return r->recs.array[i].size;
		}
	}
	return 0;
}

uint32_t loader__target(struct loader *l, uint32_t ref)
{
	int64_t i = loader__find_target(l, 0, ref);

	return i > 0 ? i : 0;
}

struct rec *loader__resolve(struct loader *l, uint32_t ref)
{
	struct records *r = &l->records;
	unsigned int n;

	for (n = 0; n < MAX_CHAIN; n++) {
		struct rec *rec = &r->recs.array[records__find(r, ref)];

		switch (rec->kind) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case REC_ALIAS:
			ref = rec->ref;
			continue;
		default:
			return rec;
		}
	}
	return &r->recs.array[0];
}

int64_t loader__name_id(struct loader *l, uint32_t die, uint32_t name)
{
	uint32_t offset = name & ~NAME_OFFSET, len;
	const struct string *string;
	const char *s;
	int64_t id;

	if (name < NAME_BRIEF)
		return name;
	if (!(name & NAME_OFFSET)) {
		id = strings__add_brief(&l->store.strings, name & ~NAME_BRIEF);
		string = &l->store.strings.array[id < 0 ? 0 : id];
		return id < 0 || is_text(string->s, string->len) ? id :
		       loader__report_type(l, die, "a name with bytes that are no text");
	}
	id = strings__recall(&l->store.strings, offset);
	if (id >= 0)
		return id;
	s = dwarf__string(l->dw, offset, &len);
	if (!s)
		return loader__report_type(l, die, "a name that is no string, or longer than 8191 bytes");
	if (!is_text(s, len))
		return loader__report_type(l, die, "a name with bytes that are no text");
	/* The hash of its record has been made as if it had a name, so it is wrong. */
	if (!len)
		return -EAGAIN;
	id = strings__add(&l->store.strings, s, len);
	if (id >= 0)
		strings__remember(&l->store.strings, offset, id);
	return id;
}
