/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Units that are read together, because they refer to each other.
 *
 * Mostly that is one unit.  Link-time optimization writes several side by side, with
 * one table of abbreviations: these are *own* units, each in one group.  A reference
 * that leads out of the group (dwz's partial units, gcc's link-time optimization)
 * makes its unit a *guest*: it is read for its types and the names of its functions,
 * and what it says of code and variables counts where it is an own one.
 *
 * In a group a DIE goes by an offset that counts through all its units.
 */
#ifndef ABTF_LOAD_GROUP_H
#define ABTF_LOAD_GROUP_H

#include "load/unit.h"

/** struct group_member - @unit: its number; @base: its offset in the group */
struct group_member {
	uint32_t	unit;
	uint32_t	base;
};

/**
 * struct unit_group - the units
 * @members:	own ones first, @nr_own, in their order; then guests
 * @size:	bytes of all of them
 * @guest_at:	by number of the unit: a guest's place in @members, 0 for none
 * @guest_bytes: bytes of guests so far, of all groups
 */
struct unit_group {
	const struct dwarf	*dw;
	struct group_member	*members;
	uint32_t		nr, cap;
	uint32_t		nr_own;
	uint64_t		size;
	uint32_t		*guest_at;
	uint64_t		guest_bytes;
};

/** dwarf__find_groups() - fill all units' @group */
void dwarf__find_groups(struct dwarf *dw);

/** dwarf__group_size() - Return: how many own units the group has that begins with @first. */
uint32_t dwarf__group_size(const struct dwarf *dw, uint32_t first);

/** group__begin() - Forget the units, and take @nr from @first on. Return: 0 or -ENOMEM. */
int group__begin(struct unit_group *g, uint32_t first, uint32_t nr);

/**
 * group__offset() - what an offset in .debug_info is in the group
 *
 * Return: that, or 0 if its unit is not in the group.
 */
uint64_t group__offset(const struct unit_group *g, uint64_t offset);

/**
 * group__add() - the same; its unit becomes a guest
 *
 * Return: the offset; -EINVAL if no DIE can be there; -E2BIG for more guests than
 * could be; -ENOMEM.
 */
int64_t group__add(struct unit_group *g, uint64_t offset);

/** group__info_offset() - Return: the offset in .debug_info of a DIE; its unit goes to @u. */
uint64_t group__info_offset(const struct unit_group *g, uint32_t die, const struct unit **u);

void group__destroy(struct unit_group *g);

#endif /* ABTF_LOAD_GROUP_H */
