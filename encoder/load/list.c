// SPDX-License-Identifier: GPL-2.0-only
#include "util/dwarf.h"

#include "load/list.h"

/* More than any function or parameter has. */
#define MAX_RANGES	4096
#define MAX_LOCATIONS	1024

bool list__begin(struct list *l, const struct dwarf *dw, const struct unit *u,
		 const struct die *die, enum die_slot slot)
{
	bool locations = slot == AT_LOCATION;
	uint64_t offset = die->value[slot], base = 0;
	struct cursor c;

	*l = (struct list){ .dw = dw, .u = u, .base = u->low_pc, .has_base = true,
			    .left = locations ? MAX_LOCATIONS : MAX_RANGES,
			    .locations = locations };
	if (u->version < 5)
		l->c = locations ? dw->loc : dw->ranges;
	else
		l->c = locations ? dw->loclists : dw->rnglists;
	switch (die->class[slot]) {
	case VALUE_LISTX:
		if (offset > UINT32_MAX)
			return false;
		c = l->c;
		base = locations ? u->loclists_base : u->rnglists_base;
		cursor__skip(&c, base);
		cursor__skip(&c, offset * u->offset_size);
		offset = base + cursor__uint(&c, u->offset_size);
		if (cursor__failed(&c))
			return false;
		break;
	case VALUE_SEC_OFFSET:
	case VALUE_UINT: /* DWARF 3 wrote offsets as data4 or data8 */
		break;
	default:
		return false;
	}
	cursor__skip(&l->c, offset);
	return true;
}

enum list_entry { ENTRY_END, ENTRY_BASE, ENTRY_RANGE };

/* .debug_ranges and .debug_loc (DWARF 4, 2.17.3 and 2.6.2) */
static enum list_entry read_pair(struct list *l, struct code_range *range)
{
	uint64_t max = l->u->address_size == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t low = cursor__uint(&l->c, l->u->address_size);
	uint64_t high = cursor__uint(&l->c, l->u->address_size);

	if (low == max) {
		l->base = high;
		return ENTRY_BASE;
	}
	*range = (struct code_range){ l->base + low, l->base + high };
	return low || high ? ENTRY_RANGE : ENTRY_END;
}

/* An index into .debug_addr, and its address */
static bool read_index(struct list *l, uint64_t *address)
{
	return unit__address_at(l->dw, l->u, cursor__uleb(&l->c), address);
}

/* .debug_rnglists and .debug_loclists (DWARF 5, 7.25 and 7.29) */
static enum list_entry read_kind(struct list *l, struct code_range *range)
{
	uint8_t kind = cursor__u8(&l->c), size = l->u->address_size;
	uint64_t start, end;
	bool known = true;

	/* only locations have DW_LLE_default_location, and only they have views */
	if (!l->locations && kind >= DW_RLE_base_address)
		kind = kind <= DW_RLE_start_length ? kind + 1 : DW_LLE_end_of_list;
	switch (kind) {
	case DW_LLE_base_addressx:
		l->has_base = read_index(l, &l->base);
		return ENTRY_BASE;
	case DW_LLE_base_address:
		l->base = cursor__uint(&l->c, size);
		l->has_base = true;
		return ENTRY_BASE;
	case DW_LLE_GNU_view_pair:
		cursor__uleb(&l->c);
		cursor__uleb(&l->c);
		return ENTRY_BASE;
	case DW_LLE_startx_endx:
		known = read_index(l, &start);
		known &= read_index(l, &end);
		break;
	case DW_LLE_startx_length:
		known = read_index(l, &start);
		end = start + cursor__uleb(&l->c);
		break;
	case DW_LLE_offset_pair:
		known = l->has_base;
		start = l->base + cursor__uleb(&l->c);
		end = l->base + cursor__uleb(&l->c);
		break;
	case DW_LLE_default_location:
		start = 0;
		end = UINT64_MAX;
		break;
	case DW_LLE_start_end:
		start = cursor__uint(&l->c, size);
		end = cursor__uint(&l->c, size);
		break;
	case DW_LLE_start_length:
		start = cursor__uint(&l->c, size);
		end = start + cursor__uleb(&l->c);
		break;
	default: /* DW_LLE_end_of_list, or a kind that does not exist */
		return ENTRY_END;
	}
	*range = known ? (struct code_range){ start, end } :
			 (struct code_range){ UINT64_MAX, UINT64_MAX };
	return ENTRY_RANGE;
}

bool list__next(struct list *l, struct code_range *range, struct cursor *expr)
{
	bool old = l->u->version < 5;
	enum list_entry entry;

	do {
		entry = !l->left-- ? ENTRY_END : old ? read_pair(l, range) : read_kind(l, range);
	} while (entry == ENTRY_BASE && !cursor__failed(&l->c));
	if (entry == ENTRY_END || cursor__failed(&l->c))
		return false;
	if (l->locations)
		*expr = cursor__sub(&l->c, old ? cursor__u16(&l->c) : cursor__uleb(&l->c));
	return true;
}

void unit__for_each_entry(const struct dwarf *dw, const struct unit *u, const struct die *die,
			  void (*fn)(uint64_t start, uint64_t end, void *arg), void *arg)
{
	struct code_range range;
	struct list list;

	if (die__has(die, AT_LOW_PC)) {
		if (!unit__address(dw, u, die, AT_LOW_PC, &range.start))
			return;
		/* DWARF 5, 2.17.2: an address, or a number of bytes */
		if (!unit__address(dw, u, die, AT_HIGH_PC, &range.end))
			range.end = die__has(die, AT_HIGH_PC) ?
				    range.start + die->value[AT_HIGH_PC] : 0;
		fn(range.start, range.end, arg);
	} else if (die__has(die, AT_RANGES) && list__begin(&list, dw, u, die, AT_RANGES)) {
		while (list__next(&list, &range, NULL))
			if (range.start != UINT64_MAX)
				fn(range.start, range.end, arg);
	}
}
