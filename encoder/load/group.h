/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Units that are read together, because they refer to each other.
 *
 * Most groups have one unit.  clang's link-time optimization writes adjacent units
 * with a common table of abbreviations; these are the *own* units of a group.  Each
 * unit is an own unit of one group.  If a reference leads out of the group (to dwz's
 * partial units, or with gcc's link-time optimization), its target's unit becomes a
 * *guest*.  A guest is read for its types and function names.  Its code and variables
 * are only recorded in the group that owns it.
 *
 * DIEs in a group are identified by their offset in the concatenation of its units.
 */
#ifndef ABTF_LOAD_GROUP_H
#define ABTF_LOAD_GROUP_H

#include "load/unit.h"

/** struct group_member - @unit: number; @base: offset in the group */
struct group_member {
	uint32_t	unit;
	uint32_t	base;
};

/**
 * struct unit_group - the units
 * @members:	@nr_own own units in their order, then guests
 * @size:	bytes of all members
 * @guest_at:	index of a guest in @members by number of the unit, 0 if not a guest
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

/** dwarf__group_size() - Return: number of own units of the group that starts with @first. */
uint32_t dwarf__group_size(const struct dwarf *dw, uint32_t first);

/** group__begin() - Replace the units by @nr units from @first. Return: 0 or -ENOMEM. */
int group__begin(struct unit_group *g, uint32_t first, uint32_t nr);

/**
 * group__offset() - convert an offset in .debug_info to one in the group
 *
 * Return: the offset, or 0 if its unit is not in the group.
 */
uint64_t group__offset(const struct unit_group *g, uint64_t offset);

/**
 * group__add() - like group__offset(), but make its unit a guest if needed
 *
 * Return: the offset; -EINVAL if there cannot be a DIE; -E2BIG for an implausible
 * number of guests; -ENOMEM.
 */
int64_t group__add(struct unit_group *g, uint64_t offset);

/** group__info_offset() - Return: a DIE's offset in .debug_info, and its unit in @u. */
uint64_t group__info_offset(const struct unit_group *g, uint32_t die, const struct unit **u);

void group__destroy(struct unit_group *g);

#endif /* ABTF_LOAD_GROUP_H */
