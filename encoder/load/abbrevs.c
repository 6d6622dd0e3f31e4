// SPDX-License-Identifier: GPL-2.0-only
#include "load/abbrevs.h"
#include "types/hash.h"
#include "util/dwarf.h"
#include "util/grow.h"

static enum die_slot slot_of(uint64_t attribute, uint32_t tag)
{
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
	/* of inlined calls (inlined/walk.c): where, and where they stand in the source */
	case DW_AT_call_file:
		return tag == DW_TAG_inlined_subroutine ? AT_DECL_FILE : AT_NONE;
	case DW_AT_call_line:
		return tag == DW_TAG_inlined_subroutine ? AT_DECL_LINE : AT_NONE;
	case DW_AT_entry_pc:
		return tag == DW_TAG_inlined_subroutine ? AT_ENTRY_PC : AT_NONE;
	/* others have these, too, and only a function's are of use */
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		return tag == DW_TAG_subprogram ? AT_LINKAGE_NAME : AT_NONE;
	case DW_AT_decl_file:
		return tag == DW_TAG_subprogram ? AT_DECL_FILE : AT_NONE;
	case DW_AT_high_pc:
		return tag == DW_TAG_subprogram ? AT_HIGH_PC : AT_NONE;
	case DW_AT_calling_convention:
		return tag == DW_TAG_subprogram ? AT_CALLING_CONVENTION : AT_NONE;
	case DW_AT_inline:
		return tag == DW_TAG_subprogram ? AT_INLINE : AT_NONE;
	case DW_AT_decl_line:
		return tag == DW_TAG_subprogram ? AT_DECL_LINE : AT_NONE;
	case DW_AT_sibling:
		return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_call_site ||
		       tag == DW_TAG_GNU_call_site ? AT_SIBLING : AT_NONE;
	default:			return AT_NONE;
	}
}

struct spec {
	struct form	form;
	enum die_slot	slot;
	int64_t		constant;
};

static struct step *new_step(struct abbrevs *t)
{
	if (grow(&t->steps, &t->cap_steps, (uint64_t)t->nr_steps + 1, sizeof(*t->steps)))
		return NULL;
	return &t->steps[t->nr_steps++];
}

/* Compile a list of attributes; with @take, wanted values go to their slots. */
static int compile_program(struct abbrevs *t, const struct spec *specs, uint32_t nr, bool take)
{
	uint32_t skip = 0, offset = 0, i;
	struct step *step;

	for (i = 0; i < nr; i++) {
		const struct spec *s = &specs[i];
		bool wanted = take && s->slot != AT_NONE;

		if (!wanted && (s->form.size || s->form.op == OP_CONSTANT)) {
			skip += s->form.size;
			offset += s->form.size;
			continue;
		}
		step = new_step(t);
		if (!step)
			return -ENOMEM;
		*step = (struct step){ .constant = s->constant, .skip = skip, .offset = offset,
				       .op = s->form.op, .slot = wanted ? s->slot : AT_NONE };
		offset += s->form.size;
		skip = 0;
	}
	step = new_step(t);
	if (!step)
		return -ENOMEM;
	*step = (struct step){ .skip = skip, .offset = offset, .op = OP_END, .slot = AT_NONE };
	return 0;
}

/* More attributes than any compiler writes; bounds what a DIE can cost. */
#define MAX_ATTRIBUTES	256

static int compile_one(struct abbrevs *t, struct cursor *c, struct abbrev *a,
		       const char **what)
{
	struct spec specs[MAX_ATTRIBUTES];
	struct declared d;
	uint32_t nr = 0, i;
	int32_t size = 0;
	int err;

	a->tag = cursor__uleb(c);
	a->children = cursor__u8(c) == DW_CHILDREN_yes;
	a->slots = 0;
	memset(a->class, VALUE_NONE, sizeof(a->class));
	while (abbrev__next_attribute(c, &d)) {
		struct spec *s = &specs[nr];

		if (nr++ == MAX_ATTRIBUTES) {
			*what = "an abbreviation of more than 256 attributes";
			return -EINVAL;
		}
		s->constant = d.constant;
		s->slot = slot_of(d.attribute, a->tag);
		if (!form__find(d.form, t->key.version, t->key.address_size, t->key.offset_size,
				&s->form)) {
			*what = "an attribute form that DWARF 5 does not know";
			return -EINVAL;
		}
		a->slots |= 1ULL << s->slot;
		a->class[s->slot] = s->form.class;
	}
	if (cursor__failed(c)) {
		*what = "an abbreviation without end";
		return -EINVAL;
	}
	for (i = 0; i < nr && size >= 0; i++) {
		if (specs[i].form.size || specs[i].form.op == OP_CONSTANT)
			size += specs[i].form.size;
		else
			size = -1;
	}
	a->slots &= ~(1ULL << AT_NONE);
	abbrev__classify(a);
	a->size = size;
	a->simple = size >= 0;
	for (i = 0; i < nr && a->simple; i++)
		a->simple = specs[i].slot == AT_NONE ||
			    (specs[i].form.op != OP_U24 && specs[i].form.op != OP_DATA16);
	a->skip = t->nr_steps;
	err = size < 0 ? compile_program(t, specs, nr, false) : 0;
	a->take = t->nr_steps;
	err = err ?: compile_program(t, specs, nr, true);
	if (!err && !c->swap)
		abbrev__find_brief(a, &t->steps[a->take]);
	return err;
}

/**
 * struct known_abbrev - a declaration that was compiled before
 * @bytes, @len: it, without its code
 */
struct known_abbrev {
	const uint8_t	*bytes;
	uint32_t	len;
	struct abbrev	abbrev;
};

#define BLOCK_SIZE	512

static struct known_abbrev *known_number(const struct abbrevs *t, uint32_t i)
{
	return &t->known[i / BLOCK_SIZE][i % BLOCK_SIZE];
}

/* Declarations in a compiler's output are a few thousand different ones. */
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
			if (!both || both & 0x8080 || c.p[1] == DW_FORM_implicit_const)
				break;
		}
	} while (abbrev__next_attribute(&c, &d));
	return cursor__failed(&c) ? 0 : c.p - cursor->p;
}

/** struct declaration - @len: bytes without the code, 0 for no end; @hash: of these */
struct declaration {
	uint32_t	len;
	uint32_t	hash;
};

#define AHEAD	32

/* Measure the next declarations, and fetch what is known of them: it does not fit a cache. */
static void look_ahead(const struct abbrevs *t, struct cursor c, struct declaration *list)
{
	const struct hash_slot *slot;
	uint32_t nr, i, steps;

	for (nr = 0; nr < AHEAD && cursor__uleb(&c); nr++) {
		const char *bytes = (const char *)c.p;

		list[nr].len = abbrev__declared_size(&c);
		list[nr].hash = hash_bytes(bytes, list[nr].len);
		table__prefetch(&t->known_at, list[nr].hash);
		cursor__skip(&c, list[nr].len);
	}
	for (i = 0; i < nr; i++) {
		slot = table__find(&t->known_at, list[i].hash, &steps);
		if (!slot || !slot->id)
			continue;
		__builtin_prefetch(known_number(t, slot->id - 1));
	}
}

/* The slot of a declaration, or the free one where it would go; NULL if it is too far away. */
static struct hash_slot *known_slot(const struct abbrevs *t, const uint8_t *bytes, uint32_t len,
				    uint32_t hash)
{
	struct hash_slot *slot;
	uint32_t steps;

	for (slot = table__find(&t->known_at, hash, &steps); slot && slot->id;
	     slot = table__next(&t->known_at, slot, &steps)) {
		const struct known_abbrev *k = known_number(t, slot->id - 1);

		if (k->len == len && !memcmp(k->bytes, bytes, len))
			break;
	}
	return slot;
}

/* Begin a table: what is known stays, if it was compiled for the same sizes. */
static int begin_table(struct abbrevs *t, uint8_t version, uint8_t address_size,
		       uint8_t offset_size)
{
	if (t->known_at.slots && t->key.version == version &&
	    t->key.address_size == address_size && t->key.offset_size == offset_size &&
	    t->nr_known <= MAX_KNOWN)
		return 0;
	table__destroy(&t->known_at);
	if (table__expect(&t->known_at, 1))
		return -ENOMEM;
	t->nr_known = t->nr_steps = 0;
	t->key.version = version;
	t->key.address_size = address_size;
	t->key.offset_size = offset_size;
	return 0;
}

static struct known_abbrev *new_known(struct abbrevs *t)
{
	if (t->nr_known == t->nr_blocks * BLOCK_SIZE) {
		if (grow(&t->known, &t->cap_blocks, (uint64_t)t->nr_blocks + 1, sizeof(*t->known)))
			return NULL;
		t->known[t->nr_blocks] = calloc(BLOCK_SIZE, sizeof(**t->known));
		if (!t->known[t->nr_blocks])
			return NULL;
		t->nr_blocks++;
	}
	return known_number(t, t->nr_known++);
}

/* Compile the declaration at the cursor, unless it is known. */
static int take_declaration(struct abbrevs *t, struct cursor *c, uint64_t code,
			    const struct declaration *d, const char **what)
{
	struct hash_slot *slot = d->len ? known_slot(t, c->p, d->len, d->hash) : NULL;
	struct known_abbrev *k;
	int err;

	if (slot && slot->id) {
		k = known_number(t, slot->id - 1);
		cursor__skip(c, d->len);
	} else {
		k = new_known(t);
		if (!k)
			return -ENOMEM;
		*k = (struct known_abbrev){ .bytes = c->p, .len = d->len };
		err = compile_one(t, c, &k->abbrev, what);
		if (err)
			return err;
		if (slot && table__add(&t->known_at, slot, d->hash, t->nr_known))
			return -ENOMEM;
	}
	t->dense[t->nr] = &k->abbrev;
	t->sorted[t->nr++] = (struct abbrev_code){ code, &k->abbrev };
	return 0;
}

static int compare_codes(const void *x, const void *y)
{
	const struct abbrev_code *a = x, *b = y;

	return a->code < b->code ? -1 : a->code > b->code;
}

int abbrevs__compile(struct abbrevs *t, struct cursor *c, uint8_t version,
		     uint8_t address_size, uint8_t offset_size, const char **what)
{
	int err = begin_table(t, version, address_size, offset_size);
	struct declaration list[AHEAD];
	bool dense = true;

	if (err)
		return err;
	t->key.offset = cursor__offset(c);
	t->nr = t->nr_dense = 0;
	t->valid = false;
	for (;;) {
		uint64_t code;

		if (!(t->nr % AHEAD))
			look_ahead(t, *c, list);
		code = cursor__uleb(c);
		if (cursor__failed(c)) {
			*what = "an abbreviation table without end";
			return -EINVAL;
		}
		if (!code)
			break;
		if (grow(&t->dense, &t->cap_dense, (uint64_t)t->nr + 1, sizeof(*t->dense)) ||
		    grow(&t->sorted, &t->cap, (uint64_t)t->nr + 1, sizeof(*t->sorted)))
			return -ENOMEM;
		err = take_declaration(t, c, code, &list[t->nr % AHEAD], what);
		if (err)
			return err;
		dense &= code == t->nr;
	}
	if (dense)
		t->nr_dense = t->nr;
	else
		qsort(t->sorted, t->nr, sizeof(*t->sorted), compare_codes);
	t->valid = true;
	return 0;
}

void abbrevs__destroy(struct abbrevs *t)
{
	while (t->nr_blocks)
		free(t->known[--t->nr_blocks]);
	table__destroy(&t->known_at);
	free(t->dense);
	free(t->sorted);
	free(t->steps);
	free(t->known);
	memset(t, 0, sizeof(*t));
}

__attribute__((noinline))
const struct abbrev *abbrevs__find_slow(const struct abbrevs *t, uint64_t code)
{
	const struct abbrev_code key = { .code = code }, *found;

	if (!t->nr || t->nr_dense)
		return NULL;
	found = bsearch(&key, t->sorted, t->nr, sizeof(key), compare_codes);
	return found ? found->abbrev : NULL;
}

/* Run a program over attributes some of which have no fixed size. */
static void run_program(const struct step *step, struct cursor *cursor, struct die *die)
{
	/* a copy, so that it lives in registers */
	struct cursor c = { .p = cursor->p, .end = cursor->end, .begin = cursor->begin,
			    .swap = cursor->swap };

	for (;; step++) {
		cursor__skip(&c, step->skip);
		if (step->op == OP_END)
			break;
		die->value[step->slot] = step->op == OP_CONSTANT ? (uint64_t)step->constant :
					 form__read(&c, step->op, &die->len[step->slot]);
	}
	cursor->p = c.p;
	cursor->failed |= c.failed;
}

void abbrev__take(const struct abbrevs *t, const struct abbrev *a, struct cursor *c,
		  struct die *die)
{
	die->has = a->slots;
	die->class = a->class;
	run_program(&t->steps[a->take], c, die);
}

void abbrev__skip_slow(const struct abbrevs *t, const struct abbrev *a, struct cursor *c)
{
	struct die die;

	run_program(&t->steps[a->skip], c, &die);
}
