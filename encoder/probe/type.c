// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <string.h>
#include <sys/param.h>

#include "inspect/print.h"
#include "util/text.h"
#include "probe/type.h"
#include "util/memory.h"

/* Limits for chains of types, and for types in types; no source is nested as deeply. */
#define MAX_CHAIN	64
#define MAX_DEPTH	16
#define MAX_TYPES	4096

#define SKIPPED	(KIND_BIT(TYPEDEF) | KIND_BIT(CONST) | KIND_BIT(VOLATILE) | KIND_BIT(RESTRICT) | \
		 KIND_BIT(TYPE_TAG))

#define PLAIN	((SKIPPED & ~KIND_BIT(TYPEDEF)) | KIND_BIT(PTR))

/* Types that C only accepts, also in pointers, or as a parameter, where they are defined */
#define NEED_DEFINITION	(KIND_BIT(TYPEDEF) | KIND_BIT(ENUM) | KIND_BIT(ENUM64))

/* All machines whose arguments are known have 64 bits. */
#define POINTER_SIZE	8

/* Return: the BTF of a type as it is, NULL for a pointer that is counted. */
static const struct btf_type *type_of(const struct arg_type *type)
{
	return type->btf && !type->pointers ? btf_data__type(type->btf, type->id) : NULL;
}

/* Go from a typedef or qualified type to the type that it is of. Return: false if it is neither. */
static bool skip_type(struct arg_type *type)
{
	const struct btf_type *t = type_of(type);

	if (!t || !(SKIPPED >> BTF_INFO_KIND(t->info) & 1))
		return false;
	type->id = t->type;
	return true;
}

struct arg_type arg_type__resolve(struct arg_type type)
{
	for (int i = 0; i < MAX_CHAIN && skip_type(&type); i++)
		;
	return type;
}

const struct btf_type *arg_type__get(struct arg_type type)
{
	type = arg_type__resolve(type);
	return type_of(&type);
}

bool arg_type__has_other_order(struct arg_type type, bool big_endian)
{
	const char *prefix = big_endian ? "__le" : "__be";

	for (int i = 0; i < MAX_CHAIN; i++) {
		const struct btf_type *t = type_of(&type);
		const char *name = t && BTF_INFO_KIND(t->info) == BTF_KIND_TYPEDEF ?
				   btf_data__string(type.btf, t->name_off) : "";

		if (!strncmp(name, prefix, 4) && isdigit((unsigned char)name[4]))
			return true;
		if (!skip_type(&type))
			break;
	}
	return false;
}

unsigned int arg_type__kind(struct arg_type type)
{
	const struct btf_type *t = arg_type__get(type);

	return t ? BTF_INFO_KIND(t->info) : type.pointers ? BTF_KIND_PTR : BTF_KIND_UNKN;
}

struct arg_type arg_type__target(struct arg_type type)
{
	const struct btf_type *t = arg_type__get(type);

	if (!t)
		type.pointers--;
	else if (BTF_INFO_KIND(t->info) == BTF_KIND_ARRAY)
		type.id = ((const struct btf_array *)(t + 1))->type;
	else
		type.id = t->type;
	return type;
}

bool arg_type__points_to(struct arg_type type, const char *tag)
{
	const struct btf_type *t;

	type = arg_type__resolve(type);
	for (int i = 0; i < MAX_CHAIN; i++) {
		t = type_of(&type);
		if (!t || !((SKIPPED | KIND_BIT(PTR)) >> BTF_INFO_KIND(t->info) & 1) ||
		    (i && BTF_INFO_KIND(t->info) == BTF_KIND_PTR))
			break;
		if (BTF_INFO_KIND(t->info) == BTF_KIND_TYPE_TAG &&
		    !strcmp(btf_data__string(type.btf, t->name_off), tag))
			return true;
		type.id = t->type;
	}
	return false;
}

uint64_t arg_type__size(struct arg_type type)
{
	uint64_t nr = 1;

	for (int i = 0; i < MAX_CHAIN; i++) {
		const struct btf_type *t = arg_type__get(type);

		switch (arg_type__kind(type)) {
		case BTF_KIND_PTR:
			return nr * POINTER_SIZE;
		case BTF_KIND_ARRAY:
			if (__builtin_mul_overflow(nr, ((const struct btf_array *)(t + 1))->nelems, &nr) ||
			    nr > UINT32_MAX)
				return 0;
			type = arg_type__target(type);
			break;
		case BTF_KIND_INT:
		case BTF_KIND_FLOAT:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
			return nr * t->size;
		default:
			return 0;
		}
	}
	return 0;
}

/**
 * struct type_layout - properties of a type that calling conventions depend on
 * @left:	number of types that may still be read
 * @start, @end: of all parts, in bits; there may be padding before and after them
 * @misaligned:	a part is not aligned naturally: it is packed
 * @empty_array: a part is an array without elements
 * @has_wide:	a part is an integer of 16 bytes
 */
struct type_layout {
	unsigned int	left;
	uint64_t	start, end;
	bool		misaligned;
	bool		empty_array;
	bool		has_float;
	bool		has_wide;
};

static void add_bits(struct type_layout *l, uint64_t offset, uint64_t bits)
{
	l->start = MIN(l->start, offset);
	l->end = MAX(l->end, offset + bits);
}

/* Add a type at an offset in bits. */
static void add_type(struct type_layout *l, struct arg_type type, uint64_t offset,
		     unsigned int depth)
{
	const struct btf_type *t = arg_type__get(type);
	unsigned int kind = arg_type__kind(type);

	if (!depth || !l->left)
		return;
	l->left--;
	if (kind == BTF_KIND_ARRAY) {
		struct arg_type element = arg_type__target(type);
		uint64_t size = arg_type__size(type), last = size - arg_type__size(element);

		if (!size) {
			l->empty_array = true;
			return;
		}
		/* all others are between the last element and the first one */
		add_type(l, element, offset + 8 * last, depth - 1);
		add_type(l, element, offset, depth - 1);
		return;
	}
	if (!kind__is_struct(kind)) {
		uint64_t size = arg_type__size(type);

		add_bits(l, offset, 8 * size);
		l->has_float |= kind == BTF_KIND_FLOAT;
		l->has_wide |= kind == BTF_KIND_INT && size == 16;
		if (size && size <= 16 && !(size & (size - 1)))
			l->misaligned |= offset % (8 * size) != 0;
		return;
	}
	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		struct child m = btf_type__child(t, i);

		if (m.bits)
			add_bits(l, offset + m.value, m.bits);
		else
			add_type(l, arg_type__of(type.btf, m.ref), offset + m.value, depth - 1);
	}
}

static struct type_layout layout_of(struct arg_type type)
{
	struct type_layout l = { .left = MAX_TYPES, .start = UINT64_MAX };

	add_type(&l, type, 0, MAX_DEPTH);
	return l;
}

bool arg_type__has_misaligned(struct arg_type type)
{
	return layout_of(type).misaligned;
}

bool arg_type__is_unclear(struct arg_type type)
{
	struct type_layout l = layout_of(type);

	return l.empty_array || l.start >= 64 || (arg_type__size(type) > 8 && l.end <= 64);
}

bool arg_type__has_float(struct arg_type type)
{
	return layout_of(type).has_float;
}

bool arg_type__has_wide(struct arg_type type)
{
	return layout_of(type).has_wide;
}

bool arg_type__is_signed(struct arg_type type)
{
	const struct btf_type *t = arg_type__get(type);

	switch (arg_type__kind(type)) {
	case BTF_KIND_INT:
		return BTF_INT_ENCODING(*(const uint32_t *)(t + 1)) & BTF_INT_SIGNED;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return BTF_INFO_KFLAG(t->info);
	default:
		return false;
	}
}

bool arg_type__is_scalar(struct arg_type type)
{
	switch (arg_type__kind(type)) {
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_PTR:
		return true;
	default:
		return false;
	}
}

#define TAGGED	(KIND_BIT(STRUCT) | KIND_BIT(UNION) | KIND_BIT(ENUM) | KIND_BIT(ENUM64))

static uint32_t count_tag(const struct btf_data *btf, const char *tag)
{
	uint32_t nr = btf->base ? count_tag(btf->base, tag) : 0;

	for (uint32_t i = 0; i < btf->nr_types; i++)
		nr += (TAGGED >> BTF_INFO_KIND(btf->index[i]->info) & 1) &&
		      !strcmp(btf_data__string(btf, btf->index[i]->name_off), tag);
	return nr;
}

bool arg_type__is_unique(struct arg_type type)
{
	const struct btf_type *t = arg_type__get(type);
	const char *name = t ? btf_data__string(type.btf, t->name_off) : "";

	return *name && count_tag(type.btf, name) == 1;
}

bool arg_type__is_bool(struct arg_type type)
{
	const struct btf_type *t = arg_type__get(type);

	return t && BTF_INFO_KIND(t->info) == BTF_KIND_INT &&
	       BTF_INT_ENCODING(*(const uint32_t *)(t + 1)) & BTF_INT_BOOL;
}

bool arg_type__is_packed(struct arg_type type)
{
	return arg_type__kind(type) == BTF_KIND_ENUM && arg_type__size(type) < 4;
}

char *arg_type__declare(struct arg_type type, const char *name)
{
	char *inner __cleanup(free_pointer) = NULL;
	char *text;
	size_t len;

	for (int i = 0; i < type.pointers; i++)
		xappend(&inner, "*");
	xappend(&inner, "%s", name);
	text = text_clean(type.btf ? btf_data__declaration(type.btf, type.id, inner) : xstrdup("?"));
	len = strlen(text);
	if (len && text[len - 1] == ' ')
		text[len - 1] = 0;
	return text;
}

char *arg_type__declare_plain(struct arg_type type, const char *name, bool is_module)
{
	const unsigned int defined = is_module ? NEED_DEFINITION : 0;
	const struct btf_type *t;

	if (!type.btf)
		return NULL;
	t = btf_data__type(type.btf, type.id);
	for (int i = 0; i < MAX_CHAIN && (PLAIN >> BTF_INFO_KIND(t->info) & 1); i++) {
		type.pointers += BTF_INFO_KIND(t->info) == BTF_KIND_PTR;
		type.id = t->type;
		t = btf_data__type(type.btf, type.id);
	}
	if ((!t->name_off && BTF_INFO_KIND(t->info) != BTF_KIND_UNKN) ||
	    (defined >> BTF_INFO_KIND(t->info) & 1) ||
	    ((TAGGED >> BTF_INFO_KIND(t->info) & 1) &&
	     count_tag(type.btf, btf_data__string(type.btf, t->name_off)) > 1))
		return type.pointers ? xasprintf("void *%s", name) : NULL;
	/* the name of an integer in malformed DWARF may be anything */
	return text_plain(arg_type__declare(type, name), " *");
}
