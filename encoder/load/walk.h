/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files that walk over a unit's DIEs: the loop and the types (walk.c),
 * the fast path (walk_brief.c), functions (walk_func.c), and records (walk_rec.c).
 */
#ifndef ABTF_LOAD_WALK_H
#define ABTF_LOAD_WALK_H

#include "load/name.h"

/* The owner of the children of an open DIE. */
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
 *		kind's, or TAKES_ANNOTATIONS
 * @body:	a function with a body
 * @index:	its record or variable; for a FRAME_ITEM, the owner's record
 * @component:	for a FRAME_ITEM, its number among the owner's items; for a FRAME_FUNC, its
 *		number among the functions
 */
struct frame {
	uint8_t		kind;
	bool		body;
	uint32_t	takes;
	uint32_t	index;
	uint32_t	component;
};

/* Limits the stack of frames; real code is not nested as deeply. */
#define MAX_DEPTH	4096

/**
 * struct walk - the state of one unit's walk
 * @base:	the unit's offset in its group
 * @len:	its size in bytes
 * @shift:	difference between an offset in the group and in .debug_info
 * @guest:	it is a guest, see load/group.h
 * @begin:	of .debug_info
 * @limit:	four bytes before the end of the unit
 * @off:	the DIE's offset in .debug_info, unless it is brief
 * @by_offset:	NAME_OFFSET, or 0 if names of records are no offsets
 * @annotations: annotations that were read for their owners, several times if they are shared
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
	uint32_t		by_offset;
	const uint8_t		*begin;
	const uint8_t		*limit;
	uint64_t		off;
	uint32_t		annotations;
	bool			guest;
};

/* Start with unit @u, whose offset in the group is @base. */
static inline void walk__enter(struct walk *w, struct unit *u, uint32_t base)
{
	w->u = u;
	w->base = base;
	w->len = u->end - u->start;
	w->shift = base - (uint32_t)u->start;
}

/* Return: the offset in the group for an offset in .debug_info, in the current unit. */
static inline uint32_t walk__offset(const struct walk *w, uint64_t off)
{
	return (uint32_t)off + w->shift;
}

/* The same for the start of a DIE. */
static inline uint32_t walk__place(const struct walk *w, const uint8_t *die)
{
	return walk__offset(w, die - w->begin);
}

/** walk__error() - Print an error about the current DIE. Return: -EINVAL. */
int walk__error(struct walk *w, const char *what);

/**
 * walk__new_strp() - add a new string of .debug_str
 *
 * Return: its id; -EINVAL, without a message, if there is no string; -ENOMEM.
 */
int64_t walk__new_strp(struct walk *w, uint32_t offset);

/* walk__string() for a new string. */
int64_t walk__new_string(struct walk *w, const struct die *die, enum die_slot slot);

/** walk__string() - Return: the string id of an attribute, 0 if missing; negative errno. */
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

/** walk__name() - Return: the DIE's name for a record, see load/name.h; negative errno. */
int64_t walk__name(struct walk *w, const struct die *die);

/* walk__ref() for references out of the unit, and unusual forms. */
int64_t walk__unusual_ref(struct walk *w, const struct die *die, enum die_slot slot);

/**
 * walk__ref() - resolve a reference to another DIE
 *
 * Return: its offset in the group, REF_VOID if missing; -EINVAL or
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

/** walk__new_die_rec() - The same for the current DIE, with @name (or error) and type. */
int64_t walk__new_die_rec(struct walk *w, uint8_t kind, const struct die *die, int64_t name);

/** walk__dimension() - Add a dimension of @nr elements to an array. Return: 0 or -ENOMEM. */
int walk__dimension(struct walk *w, uint32_t array, uint32_t nr);

/**
 * walk__unit() - read a unit into records; the loader's abbreviations must be the unit's
 *
 * Return: 0, or a negative errno after a message.
 */
int walk__unit(struct loader *l, struct unit *u, const struct group_member *member, bool guest);

/* Read a subprogram or a variable; @frame is for its children. */
int walk__func(struct walk *w, const struct die *die, struct frame *frame);
int walk__var(struct walk *w, const struct die *die, struct frame *frame);

/** walk__annotation() - Take an LLVM annotation below @owner. Return: 0, or a negative errno. */
int walk__annotation(struct walk *w, const struct frame *owner, const struct die *die);

/** walk__annotations() - Take the chain of GNU annotations of @die, which has @frame. */
int walk__annotations(struct walk *w, const struct die *die, const struct frame *frame);

#endif /* ABTF_LOAD_WALK_H */
