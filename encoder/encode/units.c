// SPDX-License-Identifier: GPL-2.0-only
/* Read all units, by a team of threads, and resolve conflicting definitions. */
#include "encode/units.h"
#include "types/fit.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"

struct unit_worker {
	struct loader	loader;
	uint64_t	walk, hash;
};

struct unit_team {
	struct encoding		*e;
	struct unit_worker	*workers;
};

static int read_group(struct unit_worker *w, uint32_t first)
{
	uint64_t start = encoding__now(), walked;
	int err;

	err = loader__read(&w->loader, first, dwarf__group_size(w->loader.dw, first));
	walked = encoding__now();
	w->walk += walked - start;
	err = err ?: loader__intern(&w->loader, NULL);
	w->hash += encoding__now() - walked;
	return err;
}

/*
 * Unmapping .debug_info takes milliseconds.  Each thread unmaps a part, rather than the
 * main thread everything at exit.
 */
static void forget_share(const struct encoding *e, unsigned int number)
{
	const struct cursor *info = &e->dw->info;
	uint64_t size = info->end - info->begin, nr = e->opts.threads;

	if (nr > 1)
		image__forget(e->img, info->begin + size / nr * number,
			      info->begin + size / nr * (number + 1));
}

/* Read a unit; or, after all units, unmap a part of .debug_info. */
static int do_part(void *arg, unsigned int thread, uint32_t part)
{
	struct unit_team *team = arg;
	const struct dwarf *dw = team->e->dw;
	int err = 0;

	if (part >= dw->nr_units)
		forget_share(team->e, part - dw->nr_units);
	else if (dw->units[part].group == part)
		err = read_group(&team->workers[thread], part);
	if (!(part & 15) && team->e->opts.progress)
		msg_progress("units", part, dw->nr_units);
	return err;
}

/* Merge the stores and lists of all workers into those of the first. */
static int gather_workers(struct encoding *e, struct unit_worker *workers, unsigned int nr)
{
	uint32_t *map, *strings;
	unsigned int i;
	int err = 0;

	for (i = 0; i < nr; i++) {
		e->nanoseconds[STEP_WALK] += workers[i].walk;
		e->nanoseconds[STEP_HASH] += workers[i].hash;
		store__settle(&workers[i].loader.store);
		loader__rest(&workers[i].loader);
	}
	for (i = 1; !err && i < nr; i++) {
		err = store__merge(&workers[0].loader.store, &workers[i].loader.store,
				   &map, &strings);
		if (err)
			break;
		err = observed__merge(&workers[0].loader.observed, &workers[i].loader.observed,
				      map, strings);
		free(map);
		free(strings);
		loader__destroy(&workers[i].loader);
	}
	return err;
}

static int run_team(struct encoding *e, struct unit_worker *workers, unsigned int nr)
{
	struct unit_team team = { .e = e, .workers = workers };
	int err;

	for (unsigned int i = 0; i < nr; i++) {
		workers[i] = (struct unit_worker){};
		loader__init(&workers[i].loader, e->dw, &e->names, &e->assembler, &e->opts.load);
		loader__expect(&workers[i].loader);
	}
	err = jobs__each(nr, e->dw->nr_units + e->opts.threads, do_part, &team);
	if (e->opts.progress)
		msg_progress("units", e->dw->nr_units, e->dw->nr_units);
	return err;
}

/* --- names with conflicting definitions --------------------------------------------- */

/* Return: by unit, for the first unit of each group: whether it must be read again. */
static bool *find_affected(struct encoding *e, const struct loader *l, const struct conflicts *c)
{
	const struct observed *o = &l->observed;
	bool *affected = xcalloc(e->dw->nr_units + 1, sizeof(*affected));

	for_each(u, &o->units) {
		bool last = u + 1 == o->units.array + o->units.nr;
		uint32_t i = u->start, end = last ? o->named.nr : u[1].start;

		while (i < end && !conflicts__has(c, o->named.array[i]))
			i++;
		affected[u->unit] = i < end;
	}
	return affected;
}

/* Drop the entries of units that are read again. */
#define forget(list, unit_of)								\
({											\
	uint32_t nr_ = 0;								\
											\
	for_each(entry, list)								\
		if (!affected[dw->units[entry->unit_of].group])				\
			(list)->array[nr_++] = *entry;					\
	(list)->nr = nr_;								\
})

static void forget_units(struct observed *o, const struct dwarf *dw, const bool *affected)
{
	forget(&o->bodies, facts.unit);
	forget(&o->vars, unit);
	forget(&o->tags, unit);
}

static int settle_conflicts(struct encoding *e, struct loader *l)
{
	struct conflicts c __cleanup(conflicts__destroy) = {};
	bool *affected __cleanup(free_pointer) = NULL;
	int err = conflicts__find(&c, &l->store);

	e->conflicts = c.nr;
	if (err || !c.nr)
		return err;
	affected = find_affected(e, l, &c);
	forget_units(&l->observed, e->dw, affected);
	for (uint32_t i = 0; !err && i < e->dw->nr_units; i++) {
		if (!affected[i])
			continue;
		e->reread += dwarf__group_size(e->dw, i);
		err = loader__read(l, i, dwarf__group_size(e->dw, i));
		err = err ?: loader__intern(l, &c);
	}
	return err;
}

/* --- types that BTF cannot represent ------------------------------------------------------- */

/* Remove types that BTF cannot represent, with one warning for each reason. */
static void fit_types(struct encoding *e)
{
	struct fit fit __cleanup(fit__destroy) = {};

	store__fit(&e->store, &fit);
	observed__fit(&e->observed, &fit);
	for (enum misfit m = 0; m < NR_MISFITS; m++)
		if (fit.nr[m])
			msg_warn("%s: BTF cannot represent %u %s: they, and what needs them, are omitted or only declared",
				 e->img->path, fit.nr[m], misfit__text(m));
}

int encoding__read_units(struct encoding *e)
{
	unsigned int nr = e->opts.threads ?: 1;
	uint64_t start = encoding__now();
	struct unit_worker *workers;
	unsigned int i;
	int err;

	if (nr > e->dw->nr_units)
		nr = e->dw->nr_units ?: 1;
	workers = xcalloc(nr, sizeof(*workers));
	err = run_team(e, workers, nr);
	if (err == -EAGAIN) {
		for (i = 0; i < nr; i++)
			loader__destroy(&workers[i].loader);
		e->dw->empty_names = true;
		err = run_team(e, workers, nr);
	}
	start = encoding__now();
	err = err ?: gather_workers(e, workers, nr);
	encoding__note_time(e, STEP_MERGE, &start);
	err = err ?: settle_conflicts(e, &workers[0].loader);
	encoding__note_time(e, STEP_CONFLICTS, &start);
	if (!err) {
		/* the loader must not free these */
		e->store = workers[0].loader.store;
		e->observed = workers[0].loader.observed;
		observed__rest(&e->observed);
		memset(&workers[0].loader.store, 0, sizeof(e->store));
		memset(&workers[0].loader.observed, 0, sizeof(e->observed));
	}
	while (nr-- > 0)
		loader__destroy(&workers[nr].loader);
	free(workers);
	if (!err)
		fit_types(e);
	return err;
}
