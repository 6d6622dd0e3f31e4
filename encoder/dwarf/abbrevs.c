// SPDX-License-Identifier: GPL-2.0-only
#include "dwarf/abbrevs.h"
#include "util/hash.h"
#include "util/memory.h"

/* --- forms ------------------------------------------------------------------------- */

/* DWARF 5, 7.5.6 */
static const struct form forms[] = {
	[DW_FORM_addr]		= { OP_ADDRESS, VALUE_ADDR },
	[DW_FORM_block2]	= { OP_BLOCK16, VALUE_BLOCK },
	[DW_FORM_block4]	= { OP_BLOCK32, VALUE_BLOCK },
	[DW_FORM_data2]		= { OP_U16, VALUE_UINT },
	[DW_FORM_data4]		= { OP_U32, VALUE_UINT },
	[DW_FORM_data8]		= { OP_U64, VALUE_UINT },
	[DW_FORM_string]	= { OP_STRING, VALUE_STRING },
	[DW_FORM_block]		= { OP_BLOCK_ULEB, VALUE_BLOCK },
	[DW_FORM_block1]	= { OP_BLOCK8, VALUE_BLOCK },
	[DW_FORM_data1]		= { OP_U8, VALUE_UINT },
	[DW_FORM_flag]		= { OP_U8, VALUE_UINT },
	[DW_FORM_sdata]		= { OP_SLEB, VALUE_SINT },
	[DW_FORM_strp]		= { OP_OFFSET, VALUE_STRP },
	[DW_FORM_udata]		= { OP_ULEB, VALUE_UINT },
	[DW_FORM_ref_addr]	= { OP_OFFSET, VALUE_REF_ADDR },
	[DW_FORM_ref1]		= { OP_U8, VALUE_REF },
	[DW_FORM_ref2]		= { OP_U16, VALUE_REF },
	[DW_FORM_ref4]		= { OP_U32, VALUE_REF },
	[DW_FORM_ref8]		= { OP_U64, VALUE_REF },
	[DW_FORM_ref_udata]	= { OP_ULEB, VALUE_REF },
	[DW_FORM_indirect]	= { OP_INDIRECT, VALUE_NONE },
	[DW_FORM_sec_offset]	= { OP_OFFSET, VALUE_SEC_OFFSET },
	[DW_FORM_exprloc]	= { OP_BLOCK_ULEB, VALUE_BLOCK },
	[DW_FORM_flag_present]	= { OP_CONSTANT, VALUE_UINT },
	[DW_FORM_strx]		= { OP_ULEB, VALUE_STRX },
	[DW_FORM_addrx]		= { OP_ULEB, VALUE_ADDRX },
	[DW_FORM_ref_sup4]	= { OP_U32, VALUE_SUPPLEMENT },
	[DW_FORM_strp_sup]	= { OP_OFFSET, VALUE_SUPPLEMENT },
	[DW_FORM_data16]	= { OP_DATA16, VALUE_DATA16 },
	[DW_FORM_line_strp]	= { OP_OFFSET, VALUE_LINE_STRP },
	[DW_FORM_ref_sig8]	= { OP_U64, VALUE_SIGNATURE },
	[DW_FORM_implicit_const] = { OP_CONSTANT, VALUE_SINT },
	[DW_FORM_loclistx]	= { OP_ULEB, VALUE_LISTX },
	[DW_FORM_rnglistx]	= { OP_ULEB, VALUE_LISTX },
	[DW_FORM_ref_sup8]	= { OP_U64, VALUE_SUPPLEMENT },
	[DW_FORM_strx1]		= { OP_U8, VALUE_STRX },
	[DW_FORM_strx2]		= { OP_U16, VALUE_STRX },
	[DW_FORM_strx3]		= { OP_U24, VALUE_STRX },
	[DW_FORM_strx4]		= { OP_U32, VALUE_STRX },
	[DW_FORM_addrx1]	= { OP_U8, VALUE_ADDRX },
	[DW_FORM_addrx2]	= { OP_U16, VALUE_ADDRX },
	[DW_FORM_addrx3]	= { OP_U24, VALUE_ADDRX },
	[DW_FORM_addrx4]	= { OP_U32, VALUE_ADDRX },
};

static const uint8_t fixed_size[] = {
	[OP_U8] = 1, [OP_U16] = 2, [OP_U24] = 3, [OP_U32] = 4, [OP_U64] = 8, [OP_DATA16] = 16,
};

static uint8_t op_of_size(uint8_t size)
{
	return size == 8 ? OP_U64 : size == 4 ? OP_U32 : size == 2 ? OP_U16 : OP_U8;
}

bool form__find(uint64_t code, uint8_t version, uint8_t address_size, uint8_t offset_size,
		struct form *ret)
{
	if (code == DW_FORM_GNU_ref_alt || code == DW_FORM_GNU_strp_alt)
		code = DW_FORM_strp_sup;
	if (code >= ARRAY_SIZE(forms) || forms[code].op == OP_END)
		return false;
	*ret = forms[code];
	/* in DWARF 2, references across units have the size of an address */
	if (ret->op == OP_ADDRESS || (code == DW_FORM_ref_addr && version == 2))
		ret->op = op_of_size(address_size);
	else if (ret->op == OP_OFFSET)
		ret->op = op_of_size(offset_size);
	ret->size = ret->op < ARRAY_SIZE(fixed_size) ? fixed_size[ret->op] : 0;
	return true;
}

uint64_t form__read_wide(struct cursor *c, uint8_t *class)
{
	bool big = c->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	uint64_t first = cursor__u64(c), second = cursor__u64(c);
	uint64_t low = big ? second : first, high = big ? first : second;

	*class = !high ? VALUE_UINT : !~high && (int64_t)low < 0 ? VALUE_SINT : VALUE_DATA16;
	return low;
}

uint64_t form__read_indirect(struct cursor *c, uint8_t version, uint8_t address_size,
			     uint8_t offset_size, uint8_t *class, uint32_t *len)
{
	uint64_t code = cursor__uleb(c);
	struct form form;

	/* neither another indirect form, nor one whose value is in the declaration (7.5.3) */
	if (!form__find(code, version, address_size, offset_size, &form) ||
	    form.op == OP_INDIRECT || code == DW_FORM_implicit_const) {
		cursor__fail(c);
		return 0;
	}
	*class = form.class;
	return form.op == OP_CONSTANT ? 1 : form.op == OP_DATA16 ? form__read_wide(c, class) :
	       form__read(c, form.op, len);
}

/* --- attributes -------------------------------------------------------------------------- */

static enum die_slot slot_of(uint64_t attribute, enum dw_tag tag)
{
	const bool func = tag == DW_TAG_subprogram, inlined = tag == DW_TAG_inlined_subroutine;
	const bool call = tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
	const bool var = tag == DW_TAG_variable;
	const bool array = tag == DW_TAG_array_type || tag == DW_TAG_subrange_type;

	switch (attribute) {
	case DW_AT_name:		return AT_NAME;
	case DW_AT_type:		return AT_TYPE;
	case DW_AT_byte_size:		return AT_BYTE_SIZE;
	case DW_AT_encoding:		return AT_ENCODING;
	case DW_AT_bit_size:		return AT_BIT_SIZE;
	case DW_AT_bit_offset:		return AT_BIT_OFFSET;
	case DW_AT_data_bit_offset:	return AT_DATA_BIT_OFFSET;
	case DW_AT_data_member_location: return AT_MEMBER_LOCATION;
	case DW_AT_const_value:		return AT_CONST_VALUE;
	case DW_AT_upper_bound:		return AT_UPPER_BOUND;
	case DW_AT_lower_bound:		return AT_LOWER_BOUND;
	case DW_AT_count:		return AT_COUNT;
	case DW_AT_declaration:		return AT_DECLARATION;
	case DW_AT_external:		return AT_EXTERNAL;
	case DW_AT_artificial:		return AT_ARTIFICIAL;
	case DW_AT_abstract_origin:
	case DW_AT_call_origin:		return AT_ORIGIN;
	case DW_AT_specification:	return AT_SPECIFICATION;
	case DW_AT_low_pc:		return AT_LOW_PC;
	case DW_AT_producer:		return AT_PRODUCER;
	case DW_AT_ranges:		return AT_RANGES;
	case DW_AT_location:		return AT_LOCATION;
	case DW_AT_comp_dir:		return AT_COMP_DIR;
	case DW_AT_stmt_list:		return AT_STMT_LIST;
	case DW_AT_language:		return AT_LANGUAGE;
	case DW_AT_str_offsets_base:	return AT_STR_OFFSETS_BASE;
	case DW_AT_addr_base:		return AT_ADDR_BASE;
	case DW_AT_rnglists_base:	return AT_RNGLISTS_BASE;
	case DW_AT_loclists_base:	return AT_LOCLISTS_BASE;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name:	return AT_DWO_NAME;
	case DW_AT_call_all_calls:
	case DW_AT_GNU_all_call_sites:	return AT_ALL_CALLS;
	case DW_AT_static_link:		return AT_STATIC_LINK;
	case DW_AT_GNU_annotation:	return AT_ANNOTATION;
	/* of inlined calls (inlined/inlined.c): the source line */
	case DW_AT_call_file:		return inlined ? AT_DECL_FILE : AT_NONE;
	case DW_AT_call_line:		return inlined ? AT_DECL_LINE : AT_NONE;
	/* other DIEs also have these, but most are only used of functions */
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:	return func || var ? AT_LINKAGE_NAME : AT_NONE;
	case DW_AT_decl_file:		return func ? AT_DECL_FILE : AT_NONE;
	case DW_AT_decl_line:		return func ? AT_DECL_LINE : AT_NONE;
	case DW_AT_high_pc:
		return func || tag == DW_TAG_compile_unit ? AT_HIGH_PC : AT_NONE;
	case DW_AT_calling_convention:	return func ? AT_CALLING_CONVENTION : AT_NONE;
	case DW_AT_entry_pc:		return func || inlined ? AT_ENTRY_PC : AT_NONE;
	case DW_AT_inline:		return func ? AT_INLINE : AT_NONE;
	case DW_AT_frame_base:		return func ? AT_FRAME_BASE : AT_NONE;
	case DW_AT_byte_stride:		return array ? AT_BYTE_STRIDE : AT_NONE;
	case DW_AT_bit_stride:		return array ? AT_BIT_STRIDE : AT_NONE;
	case DW_AT_data_location:	return array ? AT_DATA_LOCATION : AT_NONE;
	case DW_AT_GNU_bias:		return AT_BIAS;
	case DW_AT_sibling:		return inlined || call ? AT_SIBLING : AT_NONE;
	default:			return AT_NONE;
	}
}

/* The tags of types that have children. */
static bool is_type(uint64_t tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type || tag == DW_TAG_array_type ||
	       tag == DW_TAG_subroutine_type;
}

/* The same for inlined/inlined.c, which also reads where calls are. */
static enum die_slot slot_for_calls(uint64_t attribute, enum dw_tag tag)
{
	const bool inlined = tag == DW_TAG_inlined_subroutine;
	const bool call = tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;

	switch (attribute) {
	case DW_AT_high_pc:		return inlined ? AT_HIGH_PC : slot_of(attribute, tag);
	case DW_AT_sibling:		return is_type(tag) ? AT_SIBLING : slot_of(attribute, tag);
	/* DW_TAG_GNU_call_site has DW_AT_low_pc instead */
	case DW_AT_low_pc:		return call ? AT_RETURN_PC : slot_of(attribute, tag);
	case DW_AT_call_return_pc:	return AT_RETURN_PC;
	case DW_AT_call_pc:		return AT_CALL_PC;
	case DW_AT_call_tail_call:
	case DW_AT_GNU_tail_call:	return AT_TAIL_CALL;
	case DW_AT_call_file:		return call ? AT_DECL_FILE : slot_of(attribute, tag);
	case DW_AT_call_line:		return call ? AT_DECL_LINE : slot_of(attribute, tag);
	default:			return slot_of(attribute, tag);
	}
}

/* The same for probe/dwarf_args.c, which also reads view numbers. */
static enum die_slot slot_for_views(uint64_t attribute, enum dw_tag tag)
{
	switch (attribute) {
	case DW_AT_GNU_locviews:	return AT_LOCATION_VIEWS;
	case DW_AT_GNU_entry_view:	return AT_ENTRY_VIEW;
	default:			return slot_of(attribute, tag);
	}
}

/* --- tables --------------------------------------------------------------------------- */

/* More attributes than any compiler writes; bounds the cost of a DIE. */
#define MAX_ATTRIBUTES	256

/* Compile a declaration to steps that read the used values, and those of variable size. */
static int compile_one(struct abbrevs *t, struct cursor *c, struct abbrev *a,
		       const char **what)
{
	uint32_t nr = 0, skip = 0, offset = 0;
	bool all_fixed = true;
	struct declared d;
	struct form form;

	a->tag = cursor__uleb(c);
	a->children = cursor__u8(c) == DW_CHILDREN_yes;
	a->first_step = t->steps.nr;
	a->table = t;
	while (abbrev__next_attribute(c, &d)) {
		enum die_slot slot = t->calls ? slot_for_calls(d.attribute, a->tag) :
				     t->views ? slot_for_views(d.attribute, a->tag) :
						slot_of(d.attribute, a->tag);
		bool fixed;

		if (nr++ == MAX_ATTRIBUTES) {
			*what = "an abbreviation of more than 256 attributes";
			return -EINVAL;
		}
		if (!form__find(d.form, t->key.version, t->key.address_size, t->key.offset_size,
				&form)) {
			*what = "an unknown attribute form";
			return -EINVAL;
		}
		fixed = form.size || form.op == OP_CONSTANT;
		if (form.op == OP_DATA16)
			form.op = OP_WIDE;
		if (fixed && slot == AT_NONE) {
			skip += form.size;
		} else {
			push(&t->steps, (struct step){ .constant = d.constant, .skip = skip,
						       .offset = offset, .op = form.op,
						       .slot = slot });
			skip = 0;
		}
		offset += form.size;
		all_fixed &= fixed;
		a->slots |= 1ULL << slot;
		a->class[slot] = form.class;
	}
	if (cursor__failed(c)) {
		*what = "an abbreviation that is not terminated";
		return -EINVAL;
	}
	push(&t->steps, (struct step){ .skip = skip, .offset = offset, .op = OP_END,
				       .slot = AT_NONE });
	a->slots &= ~(1ULL << AT_NONE);
	a->size = all_fixed ? (int32_t)offset : -1;
	if (t->classify)
		t->classify(a, &t->steps.array[a->first_step], c->swap);
	return 0;
}

/**
 * struct known_abbrev - a declaration that was compiled before
 * @bytes, @len: the declaration, without its code
 */
struct known_abbrev {
	const uint8_t	*bytes;
	uint32_t	len;
	struct abbrev	abbrev;
};

/* A compiler's output has at most a few thousand different declarations. */
#define MAX_KNOWN	4096

uint32_t abbrev__declared_size(const struct cursor *cursor)
{
	struct cursor c = { .p = cursor->p, .end = cursor->end };
	struct declared d;
	uint16_t both;

	cursor__uleb(&c);
	cursor__u8(&c);
	do {
		/* nearly all numbers take one byte */
		for (; cursor__left(&c) >= sizeof(both); c.p += sizeof(both)) {
			memcpy(&both, c.p, sizeof(both));
			if (!both)
				return c.p + sizeof(both) - cursor->p;
			if (both & 0x8080 || c.p[1] == DW_FORM_implicit_const)
				break;
		}
	} while (abbrev__next_attribute(&c, &d));
	return cursor__failed(&c) ? 0 : c.p - cursor->p;
}

/* Return: a declaration's slot, or the free slot for it; NULL if it is too far away. */
static struct hash_slot *known_slot(const struct abbrevs *t, const uint8_t *bytes, uint32_t len,
				    uint32_t hash)
{
	struct hash_slot *slot;

	table__for_each(slot, &t->known_at, hash) {
		const struct known_abbrev *k = t->known.array[slot->id - 1];

		if (k->len == len && !memcmp(k->bytes, bytes, len))
			break;
	}
	return slot;
}

/* Start a table: keep known declarations if they were compiled for the same sizes. */
static void begin_table(struct abbrevs *t, uint8_t version, uint8_t address_size,
		       uint8_t offset_size)
{
	if (t->known_at.slots && t->key.version == version &&
	    t->key.address_size == address_size && t->key.offset_size == offset_size &&
	    t->known.nr <= MAX_KNOWN)
		return;
	table__destroy(&t->known_at);
	table__expect(&t->known_at, 1);
	for_each(known, &t->known)
		free(*known);
	t->known.nr = t->steps.nr = 0;
	t->key.version = version;
	t->key.address_size = address_size;
	t->key.offset_size = offset_size;
}

/* Compile the declaration at the cursor, unless it is known. */
static int read_declaration(struct abbrevs *t, struct cursor *c, uint64_t code,
			    const char **what)
{
	/* without the code, 0 if cut off */
	uint32_t len = abbrev__declared_size(c), hash = hash_bytes((const char *)c->p, len);
	struct hash_slot *slot = len ? known_slot(t, c->p, len, hash) : NULL;
	struct known_abbrev *k;
	int err;

	if (slot && slot->id) {
		k = t->known.array[slot->id - 1];
		cursor__skip(c, len);
	} else {
		k = xcalloc(1, sizeof(*k));
		k->bytes = c->p;
		k->len = len;
		push(&t->known, k);
		err = compile_one(t, c, &k->abbrev, what);
		if (err)
			return err;
		if (slot)
			table__add(&t->known_at, slot, hash, t->known.nr);
	}
	push(&t->dense, &k->abbrev);
	push(&t->sorted, (struct abbrev_code){ code, &k->abbrev });
	return 0;
}

static int compare_codes(const void *x, const void *y)
{
	const struct abbrev_code *a = x, *b = y;

	return cmp_int(a->code, b->code);
}

int abbrevs__compile(struct abbrevs *t, struct cursor *c, uint8_t version,
		     uint8_t address_size, uint8_t offset_size, const char **what)
{
	bool dense = true;
	uint64_t code;
	int err;

	begin_table(t, version, address_size, offset_size);
	t->key.offset = cursor__offset(c);
	t->dense.nr = t->sorted.nr = 0;
	t->valid = false;
	for (;;) {
		code = cursor__uleb(c);
		if (cursor__failed(c)) {
			*what = "an abbreviation table that is not terminated";
			return -EINVAL;
		}
		if (!code)
			break;
		err = read_declaration(t, c, code, what);
		if (err)
			return err;
		dense &= code == t->sorted.nr;
	}
	if (!dense) {
		vector__sort(&t->sorted, compare_codes);
		t->dense.nr = 0;
	}
	t->valid = true;
	return 0;
}

void abbrevs__moved(struct abbrevs *t)
{
	for_each(known, &t->known)
		(*known)->abbrev.table = t;
}

void abbrevs__destroy(struct abbrevs *t)
{
	for_each(known, &t->known)
		free(*known);
	table__destroy(&t->known_at);
	free(t->dense.array);
	free(t->sorted.array);
	free(t->steps.array);
	free(t->known.array);
	*t = (struct abbrevs){};
}

__attribute__((noinline))
const struct abbrev *abbrevs__find_slow(const struct abbrevs *t, uint64_t code)
{
	const struct abbrev_code key = { .code = code }, *found;

	if (!t->sorted.nr || t->dense.nr)
		return NULL;
	found = bsearch(&key, t->sorted.array, t->sorted.nr, sizeof(key), compare_codes);
	return found ? found->abbrev : NULL;
}

/*
 * Decode a DIE with values of DW_FORM_indirect or data16, which no compiler writes.  @die->class
 * leads to its abbreviation: as a parameter, abbrev__read() would have to keep it for each DIE.
 */
static __attribute__((noinline)) void read_indirect(struct cursor *c, struct die *die)
{
	const struct abbrev *a = (const void *)(die->class - offsetof(struct abbrev, class));
	const struct abbrevs *t = a->table;
	const struct step *step = &t->steps.array[a->first_step];

	memcpy(die->own, a->class, sizeof(die->own));
	die->class = die->own;
	for (;; step++) {
		cursor__skip(c, step->skip);
		if (step->op == OP_END)
			break;
		if (step->op == OP_INDIRECT)
			die->value[step->slot] =
				form__read_indirect(c, t->key.version, t->key.address_size,
						    t->key.offset_size, &die->own[step->slot],
						    &die->len[step->slot]);
		else if (step->op == OP_WIDE)
			die->value[step->slot] = form__read_wide(c, &die->own[step->slot]);
		else
			die->value[step->slot] = step->op == OP_CONSTANT ?
				(uint64_t)step->constant :
				form__read(c, step->op, &die->len[step->slot]);
	}
}

void abbrev__read(const struct abbrevs *t, const struct abbrev *a, struct cursor *cursor,
		  struct die *die)
{
	const struct step *step = &t->steps.array[a->first_step];
	/* a copy, so that it lives in registers */
	struct cursor c = { .p = cursor->p, .end = cursor->end, .begin = cursor->begin,
			    .swap = cursor->swap };

	die->has = a->slots;
	die->class = a->class;
	for (;; step++) {
		cursor__skip(&c, step->skip);
		if (step->op == OP_END)
			break;
		die->value[step->slot] = step->op == OP_CONSTANT ? (uint64_t)step->constant :
					 form__read(&c, step->op, &die->len[step->slot]);
	}
	/* these forms fail here, so that others need not be checked for them */
	if (unlikely(c.failed))
		return read_indirect(cursor, die);
	cursor->p = c.p;
}

void abbrev__skip_slow(const struct abbrevs *t, const struct abbrev *a, struct cursor *c)
{
	struct die die;

	abbrev__read(t, a, c, &die);
}
