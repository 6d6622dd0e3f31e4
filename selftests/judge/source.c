// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>

#include "source.h"

/* Entries that refer to each other, which may be a ring. */
#define MAX_CHAIN	8

/* The entry that a function or parameter was declared by: its abstract origin, if it has one. */
static Dwarf_Die origin_of(Dwarf_Die *die)
{
	Dwarf_Die at = *die, next;
	Dwarf_Attribute attr;

	for (int i = 0; i < MAX_CHAIN; i++) {
		if (!dwarf_formref_die(dwarf_attr(&at, DW_AT_abstract_origin, &attr), &next))
			break;
		at = next;
	}
	return at;
}

static Dwarf_Word convention_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	return dwarf_formudata(dwarf_attr(die, DW_AT_calling_convention, &attr), &word) ?
	       DW_CC_normal : word;
}

static bool is_nocall(Dwarf_Die *die)
{
	return convention_of(die) == DW_CC_nocall;
}

/*
 * Of the vendors' calling conventions (llvm/BinaryFormat/Dwarf.def), some pass arguments as
 * C does: those named after a psABI, 0xc2 to 0xc4, and those that only preserve more
 * registers.
 */
bool source__is_foreign(Dwarf_Die *die)
{
	Dwarf_Word word = convention_of(die);

	return word >= DW_CC_lo_user && !(word >= 0xc2 && word <= 0xc4) && word != 0xc9 &&
	       word != 0xca;
}

/* Limit for entries other than parameters: many bodies may have the same origin. */
#define MAX_OTHERS	256

/*
 * gcc puts parameters before all other declarations in the function, clang puts static
 * variables and scopes before them and before "...".
 *
 * Return: false if there are more than any function has.
 */
static bool add_params(struct source *src, Dwarf_Die *func)
{
	unsigned int nr_others = 0;
	Dwarf_Die child;
	int err;

	src->nr = 0;
	src->dots = false;
	for (err = dwarf_child(func, &child); !err; err = dwarf_siblingof(&child, &child)) {
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters) {
			src->dots = true;
			break;
		}
		if (dwarf_tag(&child) != DW_TAG_formal_parameter) {
			if (nr_others++ == MAX_OTHERS)
				break;
			continue;
		}
		if (src->nr == MAX_PARAMS)
			return false;
		src->params[src->nr++] = (struct param){
			.die = child, .name = dwarf_diename(&child) ?: "",
			.place.kind = PLACE_NONE,
		};
	}
	return true;
}

/*
 * gcc describes a parameter of a clone twice if it is still passed but always
 * the same: once in its register, and once as a constant.  Then nothing is known.
 */
static void add_place(struct param *param, struct place place)
{
	if (param->place.kind == PLACE_NONE)
		param->place = place;
	else if (place.kind != PLACE_NONE && place.kind != param->place.kind)
		param->place.kind = PLACE_UNKNOWN;
}

/* The body's entries have the locations of the parameters that the origin declares, and "...". */
static void add_places(struct source *src, Dwarf_Die *body, const struct abi *abi)
{
	Dwarf_Die child;
	int err;

	for (err = dwarf_child(body, &child); !err; err = dwarf_siblingof(&child, &child)) {
		Dwarf_Die origin;

		/* clang only marks the body */
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
			src->dots = true;
		if (dwarf_tag(&child) != DW_TAG_formal_parameter &&
		    dwarf_tag(&child) != DW_TAG_variable)
			continue;
		origin = origin_of(&child);
		for (unsigned int i = 0; i < src->nr; i++) {
			struct param *param = &src->params[i];

			if (param->die.addr == origin.addr)
				add_place(param, location_at(&child, &src->body, abi));
		}
	}
}

static bool frame_is_cfa(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	return dwarf_attr(die, DW_AT_frame_base, &attr) && !dwarf_getlocation(&attr, &ops, &nr) &&
	       nr == 1 && ops[0].atom == DW_OP_call_frame_cfa;
}

/*
 * libdw reads a list from its start each time, and thousands of bodies may share a long one: keep
 * the result of the last.
 */
static bool read_ranges(Dwarf_Die *die, Dwarf_Attribute *attr, struct body *body)
{
	static struct {
		void		*unit;
		Dwarf_Word	list;
		struct body	body;
		bool		found;
	} last;
	Dwarf_Word list;
	Dwarf_Addr base;

	if (dwarf_formudata(attr, &list))
		return false;
	if (last.unit != die->cu || last.list != list) {
		last.unit = die->cu;
		last.list = list;
		last.found = dwarf_ranges(die, 0, &base, &last.body.entry, &last.body.end) > 0;
	}
	*body = last.body;
	return last.found;
}

bool body__read(Dwarf_Die *die, struct body *body)
{
	Dwarf_Attribute attr;

	if (dwarf_hasattr(die, DW_AT_low_pc)) {
		if (dwarf_highpc(die, &body->end))
			body->end = 0;
		return !dwarf_lowpc(die, &body->entry);
	}
	return dwarf_attr(die, DW_AT_ranges, &attr) && read_ranges(die, &attr, body);
}

bool source__read(struct source *src, Dwarf_Die *die, const struct body *body,
		  const struct abi *abi)
{
	Dwarf_Die declared = origin_of(die), next;
	Dwarf_Attribute attr;

	src->body = *body;
	src->body.frame_is_cfa = frame_is_cfa(die);
	src->name = dwarf_diename(&declared) ?: "";
	src->is_clone = is_nocall(die) || is_nocall(&declared);
	src->may_drop_result = src->is_clone;
	src->is_foreign = source__is_foreign(die) || source__is_foreign(&declared);
	src->result = declared;
	if (!add_params(src, &declared))
		return false;
	/*
	 * if a function is declared in one place and defined in another, only one may have the
	 * attribute
	 */
	if (dwarf_formref_die(dwarf_attr(&declared, DW_AT_specification, &attr), &next)) {
		if (!dwarf_hasattr(&declared, DW_AT_type))
			src->result = next;
		if (!*src->name)
			src->name = dwarf_diename(&next) ?: "";
		if (!src->nr && !add_params(src, &next))
			return false;
	}
	add_places(src, die, abi);
	return true;
}
