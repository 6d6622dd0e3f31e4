/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The FUNCs of a BTF object as a reader sees them: instances of names, with
 * the unit that tells them apart.
 *
 * Given checked BTF; hands out one table ordered by (name, id), which is what
 * selectors, listings and comparisons work on.  Points into the BTF, which
 * must outlive it.
 */
#ifndef ABTF_INSPECT_INSTANCES_H
#define ABTF_INSPECT_INSTANCES_H

#include "btf/read.h"

/**
 * struct instance - one FUNC
 * @name:	its name
 * @unit:	path of its "unit:" tag (the first one), or NULL
 * @record:	its address, or NULL
 * @id:		BTF id
 * @rank:	1-based among the FUNCs of its name, in the order of ids
 * @nr_named:	FUNCs of its name
 * @unit_rank:	1-based among those of its name and unit
 * @nr_tags:	number of "unit:" tags
 * @linkage:	BTF_FUNC_STATIC, _GLOBAL or _EXTERN
 * @unit_picks:	NAME@UNIT picks this instance and no other
 */
struct instance {
	const char		*name;
	const char		*unit;
	const struct btf_func	*record;
	uint32_t		id;
	uint32_t		rank;
	uint32_t		nr_named;
	uint32_t		unit_rank;
	uint32_t		nr_tags;
	uint8_t			linkage;
	bool			unit_picks;
};

/**
 * struct instances - all of one object, without its base's
 * @all:	ordered by (name, id)
 * @nr:		their number
 */
struct instances {
	const struct btf_data	*btf;
	struct instance		*all;
	uint32_t		nr;
};

/** instances__new() - Return: 0, or -ENOMEM after a message. */
int instances__new(const struct btf_data *btf, struct instances **ret);

void instances__free(struct instances *insts);

/**
 * instances__named() - all instances of a name
 * @nr:		their number, 0 if there is none
 *
 * Return: the first of them in @insts->all, in the order of ids.
 */
const struct instance *instances__named(const struct instances *insts, const char *name,
					uint32_t *nr);

/**
 * instance__ambiguous() - does the bare name not choose it?
 *
 * Because several FUNCs bear it, or because a tag says that several functions
 * do, encoded or not.
 */
static inline bool instance__ambiguous(const struct instance *inst)
{
	return inst->nr_named > 1 || inst->unit;
}

/**
 * unit_matches() - does a unit's path end in @file, from a '/' on?
 *
 * "kernel/sched/core.c" ends in "sched/core.c" and "core.c", not in "ore.c".
 */
bool unit_matches(const char *unit, const char *file);

/** btf_linkage__name() - Return: "static", "global" or "extern". */
const char *btf_linkage__name(uint8_t linkage);

#endif /* ABTF_INSPECT_INSTANCES_H */
