// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>

#include "load/load.h"

static bool is_among(const uint32_t *languages, uint32_t nr, uint32_t language)
{
	for (uint32_t i = 0; i < nr; i++)
		if (languages[i] == language)
			return true;
	return false;
}

static bool is_excluded(const struct load_options *opts, uint32_t language)
{
	return (opts->nr_only && !is_among(opts->only, opts->nr_only, language)) ||
	       is_among(opts->excluded, opts->nr_excluded, language);
}

static int read_own(struct loader *l, const struct group_member *member)
{
	struct unit *u = &l->dw->units[member->unit];
	int err = unit__read(l->dw, u, &l->abbrevs);

	if (err)
		return err;
	u->skip = is_excluded(l->opts, u->language);
	return u->skip ? 0 : loader__walk(l, u, member, false);
}

static int read_guest(struct loader *l, const struct group_member *member)
{
	struct unit copy = unit__unread(&l->dw->units[member->unit]);
	int err = unit__read(l->dw, &copy, &l->abbrevs);

	return err ?: loader__walk(l, &copy, member, true);
}

int loader__read(struct loader *l, uint32_t first, uint32_t nr)
{
	struct records *r = &l->records;
	int err;

	r->recs.nr = r->items.nr = r->named.nr = r->arrays.nr = 0;
	r->funcs.nr = r->entries.nr = r->calls.nr = r->vars.nr = r->tags.nr = 0;
	if (push(&r->recs, (struct rec){}) || push(&r->items, (struct item){}))
		return -ENOMEM;
	r->from_end = false;
	r->unknown_calls = 0;
	r->group.dw = l->dw;
	err = group__begin(&r->group, first, nr);
	if (r->group.size >= REF_INDEX)
		return unit__error(l->dw, &l->dw->units[first], l->dw->units[first].start,
				   "a unit, or units that refer to each other, of more than 2 GiB");
	err = err ?: records__make_room(r);
	/* guests may bring guests, and move the members */
	for (uint32_t i = 0; !err && i < r->group.nr; i++) {
		const struct group_member member = r->group.array[i];

		err = i < nr ? read_own(l, &member) : read_guest(l, &member);
	}
	return err;
}

int loader__init(struct loader *l, struct dwarf *dw, const struct names *names,
		 const struct names *assembler, const struct load_options *opts)
{
	*l = (struct loader){ .dw = dw, .names = names, .assembler = assembler, .opts = opts,
			      .by_offset = dw->img->type != ET_REL && !dw->empty_names };
	return store__init(&l->store);
}

int loader__expect(struct loader *l)
{
	int err = observed__expect(&l->observed, cursor__left(&l->dw->info));

	if (!err && l->by_offset)
		err = store__expect(&l->store, cursor__left(&l->dw->str));
	return err;
}

void loader__rest(struct loader *l)
{
	struct records *r = &l->records;
	uint64_t guest_bytes = r->group.guest_bytes;

	free(r->recs.array);
	free(r->items.array);
	free(r->named.array);
	free(r->arrays.array);
	free(r->funcs.array);
	free(r->entries.array);
	free(r->calls.array);
	free(r->vars.array);
	free(r->tags.array);
	free(r->at);
	group__destroy(&r->group);
	memset(r, 0, sizeof(*r));
	r->group.guest_bytes = guest_bytes;
}

void loader__destroy(struct loader *l)
{
	loader__rest(l);
	abbrevs__destroy(&l->abbrevs);
	abbrevs__destroy(&l->others);
	free(l->frames);
	store__destroy(&l->store);
	observed__destroy(&l->observed);
	memset(l, 0, sizeof(*l));
}
