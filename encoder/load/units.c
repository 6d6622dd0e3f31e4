// SPDX-License-Identifier: GPL-2.0-only
#include "load/units.h"
#include "util/clock.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"

/* --- by several threads ---------------------------------------------------------- */

/**
 * struct unit_worker - one thread
 * @walk:	nanoseconds for reading DIEs
 * @hash:	nanoseconds for adding them to the store
 */
struct unit_worker {
	struct loader	loader;
	uint64_t	walk, hash;
};

struct unit_team {
	const struct units	*units;
	struct unit_worker	*workers;
};

static int read_group(struct unit_worker *w, uint32_t first)
{
	uint64_t start = clock__now(), walked;
	int err;

	err = loader__read(&w->loader, first, dwarf__group_size(w->loader.dw, first));
	walked = clock__now();
	w->walk += walked - start;
	err = err ?: loader__intern(&w->loader, NULL);
	w->hash += clock__now() - walked;
	return err;
}

static int do_unit(void *arg, unsigned int thread, uint32_t unit)
{
	struct unit_team *team = arg;
	const struct dwarf *dw = team->units->dw;
	int err = dw->units[unit].group == unit ? read_group(&team->workers[thread], unit) : 0;

	if (!(unit & 15) && team->units->progress)
		msg_progress("units", unit, dw->nr_units);
	return err;
}

static int run_team(const struct units *u, struct unit_worker *workers, unsigned int nr)
{
	struct unit_team team = { .units = u, .workers = workers };
	int err;

	for (unsigned int i = 0; i < nr; i++) {
		workers[i] = (struct unit_worker){};
		loader__init(&workers[i].loader, u->dw, u->stems, u->assembler, u->opts);
	}
	err = jobs__each(nr, u->dw->nr_units, do_unit, &team);
	if (u->progress)
		msg_progress("units", u->dw->nr_units, u->dw->nr_units);
	return err;
}

/* Merge the stores and lists of all workers into those of the first. */
static int merge_workers(struct units *u, struct unit_worker *workers, unsigned int nr)
{
	uint32_t *map, *strings;
	unsigned int i;
	int err = 0;

	for (i = 0; i < nr; i++) {
		u->walk += workers[i].walk;
		u->hash += workers[i].hash;
		store__add_uses(&workers[i].loader.store);
		loader__trim(&workers[i].loader);
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

int units__read(struct units *u)
{
	unsigned int nr = u->threads < u->dw->nr_units ? u->threads : u->dw->nr_units;
	struct unit_worker *workers = xcalloc(nr, sizeof(*workers));
	int err = run_team(u, workers, nr);
	uint64_t start;

	if (err == -EAGAIN) {
		for (unsigned int i = 0; i < nr; i++)
			loader__destroy(&workers[i].loader);
		u->dw->odd_names = true;
		err = run_team(u, workers, nr);
	}
	start = clock__now();
	err = err ?: merge_workers(u, workers, nr);
	u->merge = clock__now() - start;
	u->loader = workers[0].loader;
	abbrevs__moved(&u->loader.abbrevs);
	abbrevs__moved(&u->loader.others);
	while (--nr > 0)
		loader__destroy(&workers[nr].loader);
	free(workers);
	return err;
}

/* --- names with conflicting definitions --------------------------------------------- */

/* Return: by unit, for the first unit of each group: whether it must be read again. */
static bool *find_affected(const struct units *u, const struct conflicts *c)
{
	const struct observed *o = &u->loader.observed;
	bool *affected = xcalloc(u->dw->nr_units + 1, sizeof(*affected));

	for_each(unit, &o->units) {
		bool last = unit + 1 == o->units.array + o->units.nr;
		uint32_t i = unit->start, end = last ? o->named.nr : unit[1].start;

		while (i < end && !conflicts__has(c, o->named.array[i]))
			i++;
		affected[unit->unit] = i < end;
	}
	return affected;
}

/* Drop what a list has of units that are read again. */
#define forget(list, unit_of)								\
({											\
	uint32_t nr_ = 0;								\
											\
	for_each(one, list)								\
		if (!affected[u->dw->units[one->unit_of].group])				\
			(list)->array[nr_++] = *one;					\
	(list)->nr = nr_;								\
})

int units__resolve_conflicts(struct units *u)
{
	struct conflicts c __cleanup(conflicts__destroy) = {};
	bool *affected __cleanup(free_pointer) = NULL;
	struct loader *l = &u->loader;
	int err = conflicts__find(&c, &l->store);

	u->conflicts = c.nr;
	if (err || !c.nr)
		return err;
	affected = find_affected(u, &c);
	forget(&l->observed.bodies, facts.unit);
	forget(&l->observed.vars, unit);
	forget(&l->observed.tags, unit);
	for (uint32_t i = 0; !err && i < u->dw->nr_units; i++) {
		if (!affected[i])
			continue;
		u->reread += dwarf__group_size(u->dw, i);
		err = loader__read(l, i, dwarf__group_size(u->dw, i));
		err = err ?: loader__intern(l, &c);
	}
	return err;
}

/* --- the rest ------------------------------------------------------------------------ */

int units__find_assembler(struct units *u, struct hash_table *assembler)
{
	struct loader l = {};
	int err = 0;

	for (uint32_t i = 0; !err && i < u->dw->nr_units; i++) {
		if (!u->dw->units[i].assembler)
			continue;
		if (!l.dw)
			loader__init(&l, u->dw, u->stems, assembler, u->opts);
		err = loader__read(&l, i, 1);
		for_each(func, &l.recs.funcs) {
			uint32_t name = l.recs.array[func->rec].name;

			if (!err && func->body && name)
				name_set__add(assembler, l.store.strings.array[name].hash);
		}
	}
	if (l.dw)
		loader__destroy(&l);
	return err;
}

void units__take(struct units *u, struct store *store, struct observed *observed)
{
	*store = u->loader.store;
	*observed = u->loader.observed;
	memset(&u->loader.store, 0, sizeof(*store));
	memset(&u->loader.observed, 0, sizeof(*observed));
}

void units__destroy(struct units *u)
{
	if (u->loader.dw)
		loader__destroy(&u->loader);
}
