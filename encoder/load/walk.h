/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the walk over a unit's DIEs shares between its files: the loop and the
 * types (walk.c), the short way (walk_brief.c), functions (walk_func.c), and what
 * these make records of (walk_rec.c).
 */
#ifndef ABTF_LOAD_WALK_H
#define ABTF_LOAD_WALK_H

#include "load/name.h"

/* What the children of an open DIE belong to. */
enum frame_kind {
	FRAME_NONE,
	FRAME_TYPE,		/* a type's members, enumerators, dimensions, parameters */
	FRAME_FUNC,		/* a function's parameters */
	FRAME_VAR,
	FRAME_ITEM,		/* a member or parameter, which may have annotations */
};

/**
 * struct frame - an open DIE
 * @takes:	bit per kind of parent for the items that may follow: its own
 *		kind's, or any for what takes annotations only
 * @body:	of a function that has one
 * @index:	its record or variable; of a FRAME_ITEM the owner's record
 * @component:	of a FRAME_ITEM, its number among the owner's items
 */
struct frame {
	uint8_t		kind;
	bool		body;
	uint32_t	takes;
	uint32_t	index;
	uint32_t	component;
};

/* No source nests so deep; bounds the stack of frames. */
#define MAX_DEPTH	4096

/**
 * struct walk - the state of one unit's walk
 * @base:	the unit's offset in its group
 * @len:	its bytes
 * @shift:	what makes an offset in .debug_info one in the group
 * @guest:	it is one, see load/group.h
 * @off:	the DIE's offset in .debug_info
 */
struct walk {
	struct loader		*l;
	struct records		*r;
	struct dwarf		*dw;
	struct unit		*u;
	uint32_t		unit;
	uint32_t		base;
	uint32_t		len;
	uint32_t		shift;
	uint32_t		depth;
	uint64_t		off;
	bool			guest;
};

/* Be at unit @u, whose offset in the group is @base. */
static inline void walk__enter(struct walk *w, struct unit *u, uint32_t base)
{
	w->u = u;
	w->base = base;
	w->len = u->end - u->start;
	w->shift = base - (uint32_t)u->start;
}

/* Return: what an offset in .debug_info, of the unit at hand, is in the group. */
static inline uint32_t walk__offset(const struct walk *w, uint64_t off)
{
	return (uint32_t)off + w->shift;
}

/** walk__error() - Say what is wrong with the DIE at hand. Return: -EINVAL. */
int walk__error(struct walk *w, const char *what);

/**
 * walk__new_strp() - a string of .debug_str that was not met before
 *
 * Return: its id; -EINVAL, without a message, if it is none; -ENOMEM.
 */
int64_t walk__new_strp(struct walk *w, uint32_t offset);

/* The form of walk__string() for a string that was not met before. */
int64_t walk__new_string(struct walk *w, const struct die *die, enum die_slot slot);

/** walk__string() - Return: the string id of an attribute, 0 without it; negative errno. */
static inline int64_t walk__string(struct walk *w, const struct die *die, enum die_slot slot)
{
	int64_t id;

	if (!die__has(die, slot))
		return 0;
	if (likely(die->class[slot] == VALUE_STRP && die->value[slot] <= UINT32_MAX)) {
		id = strings__recall(&w->l->store.strings, die->value[slot]);
		if (likely(id >= 0))
			return id;
	}
	return walk__new_string(w, die, slot);
}

/** walk__name() - Return: the DIE's name as a record says it; negative errno. */
int64_t walk__name(struct walk *w, const struct die *die);

/* The form of walk__ref() for what is no plain reference within the unit. */
int64_t walk__unusual_ref(struct walk *w, const struct die *die, enum die_slot slot);

/**
 * walk__ref() - a reference to another DIE
 *
 * Return: its offset in the group, REF_VOID without the attribute; -EINVAL or
 * -ENOMEM after a message.
 */
static inline int64_t walk__ref(struct walk *w, const struct die *die, enum die_slot slot)
{
	if (!die__has(die, slot))
		return REF_VOID;
	if (likely(die->class[slot] == VALUE_REF && die->value[slot] < w->len))
		return w->base + die->value[slot];
	return walk__unusual_ref(w, die, slot);
}

/** walk__new_rec() - Return: the index of a new, empty record, or -ENOMEM. */
int64_t walk__new_rec(struct walk *w, uint8_t kind);

/** walk__new_die_rec() - The same for the DIE at hand, with @name, if that is no error, and type. */
int64_t walk__new_die_rec(struct walk *w, uint8_t kind, const struct die *die, int64_t name);

/** walk__dimension() - Add one of @nr elements to an array. Return: 0 or -ENOMEM. */
int walk__dimension(struct walk *w, uint32_t array, uint32_t nr);

/**
 * walk__unit() - take what is of interest in a unit, whose are the loader's abbreviations
 *
 * Return: 0, or a negative errno after a message.
 */
int walk__unit(struct loader *l, struct unit *u, const struct group_member *member, bool guest);

/* Take a subprogram, a variable or an annotation; @frame is for its children. */
int walk__func(struct walk *w, const struct die *die, struct frame *frame);
int walk__var(struct walk *w, const struct die *die, struct frame *frame);
int walk__annotation(struct walk *w, const struct frame *parent, const struct die *die);

#endif /* ABTF_LOAD_WALK_H */
