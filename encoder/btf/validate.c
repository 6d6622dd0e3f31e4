// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rules for types: the checks of kernel/bpf/btf.c in the kernel (the
 * *_check_meta() functions), additional ones for the record, and that following
 * references always ends.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/read.h"
#include "util/macros.h"
#include "util/memory.h"
#include "util/msg.h"

/* KSYM_NAME_LEN: the kernel rejects longer identifiers */
#define MAX_NAME	512

/* longer than any path; the kernel has no limit, but sorting tags needs one */
#define MAX_TAG		4096

/* valid bits of an INT's data (BTF_INT_MASK) */
#define INT_DATA_MASK	0x0fffffffU

/**
 * struct checker - the type being checked
 * @kinds:	by id - first_id; a separate array, because look-ups are in random order
 * @known:	a bit for each byte of our strings: an identifier starts here
 */
struct checker {
	const struct btf_data	*btf;
	const char		*subject;
	const struct btf_type	*t;
	uint32_t		id;
	uint8_t			*kinds;
	uint8_t			*known;
};

static bool is_printable(const char *s)
{
	for (size_t i = 0; s[i]; i++) {
		if (i == MAX_NAME || !isprint((unsigned char)s[i]))
			return false;
	}
	return true;
}

__attribute__((format(printf, 2, 3)))
static int type_error(const struct checker *c, const char *fmt, ...)
{
	size_t offset = (const uint8_t *)c->t - c->btf->types;
	const char *name = btf_data__string(c->btf, c->t->name_off);
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return msg_fail(-EINVAL, "%s: type %u at offset 0x%zx (%s%s%s): %s", c->subject, c->id,
			offset, btf_kind__name(BTF_INFO_KIND(c->t->info)), *name ? " " : "",
			is_printable(name) ? name : "?", what);
}

/* Check a name that is not known to be an identifier. */
static int look_at_name(const struct checker *c, uint32_t offset, enum btf_naming naming,
			const char *whose)
{
	uint32_t at = offset - c->btf->strs_start;
	size_t end = c->btf->strs_start + c->btf->strs_len, i = 0;
	const char *s;
	bool file;

	/* offset 0: split BTF without strings, or BTF whose types have no names */
	if (offset && offset >= end)
		return type_error(c, "%s is at string offset %u, expected less than %zu", whose,
				  offset, end);
	s = btf_data__string(c->btf, offset);
	/* the kernel does not check the names of INT and FLOAT ("long unsigned int") */
	if (naming == NAME_TEXT)
		return *s && is_printable(s) ? 0 : type_error(c, "name is empty or not printable");
	if (naming == NAME_VALUE) {
		size_t len = strnlen(s, MAX_TAG + 1);

		return len && len <= MAX_TAG ? 0 :
		       type_error(c, "value of %zu bytes, expected 1 to %d", len, MAX_TAG);
	}
	if (s[0] < '0' || s[0] > '9')
		while (btf_name_chars[(unsigned char)s[i]])
			i++;
	file = naming == NAME_FUNC && i && s[i] == '@' && s[i + 1];
	if (file)
		while (isgraph((unsigned char)s[i]))
			i++;
	if (i > MAX_NAME)
		return type_error(c, "%s is longer than %d bytes", whose, MAX_NAME);
	if (s[i])
		return type_error(c, "%s contains byte 0x%02x, expected an identifier", whose,
				  (unsigned char)s[i]);
	if (!i)
		return type_error(c, "%s is empty, expected an identifier", whose);
	/* only FUNCs are called NAME@FILE */
	if (!file && offset >= c->btf->strs_start)
		c->known[at / 8] |= 1 << at % 8;
	return 0;
}

static int check_name(const struct checker *c, uint32_t offset, enum btf_naming naming,
		      const char *whose)
{
	uint32_t at = offset - c->btf->strs_start;

	if (!offset && naming == NAME_OPTIONAL)
		return 0;
	/* A name is used five times on average: remember known identifiers. */
	if (at < c->btf->strs_len && c->known[at / 8] >> at % 8 & 1)
		return 0;
	return look_at_name(c, offset, naming, whose);
}

static unsigned int kind_of(const struct checker *c, uint32_t id)
{
	uint32_t at = id - c->btf->first_id;

	return at < c->btf->nr_types ? c->kinds[at] :
				       BTF_INFO_KIND(btf_data__type(c->btf, id)->info);
}

/** struct targets - the kinds that a reference may lead to, and their name in messages */
struct targets {
	uint32_t	kinds;
	const char	*name;
};

static const struct targets types = { BTF_TYPE_KINDS, "a type" };
static const struct targets protos = { KIND_BIT(FUNC_PROTO), "a FUNC_PROTO" };
/* a BPF object's .ksyms also contains functions */
static const struct targets variables = { KIND_BIT(VAR) | KIND_BIT(FUNC), "a VAR" };
static const struct targets tagged = {
	KIND_BIT(STRUCT) | KIND_BIT(UNION) | KIND_BIT(TYPEDEF) | KIND_BIT(FUNC) | KIND_BIT(VAR),
	"a STRUCT, UNION, TYPEDEF, FUNC or VAR"
};

static int check_ref(const struct checker *c, uint32_t id, const char *whose, bool or_void,
		     const struct targets *targets)
{
	uint32_t end = btf_data__end_id(c->btf);

	if (id >= end || (!id && !or_void))
		return type_error(c, "%s is type %u, expected %d to %u%s", whose, id, !or_void, end - 1,
				  c->btf->base || !id ? "" : " (" NEEDS_BASE ")");
	/* void is among the types */
	if (!(targets->kinds >> kind_of(c, id) & 1))
		return type_error(c, "%s is type %u, a %s, expected %s", whose, id,
				  btf_kind__name(kind_of(c, id)), targets->name);
	return 0;
}

static int check_linkage(const struct checker *c, uint32_t linkage, uint32_t max)
{
	return linkage <= max ? 0 : type_error(c, "linkage is %u, expected 0 to %u", linkage, max);
}

static int check_int(const struct checker *c)
{
	uint32_t data = *(const uint32_t *)(c->t + 1);
	unsigned int bits = BTF_INT_BITS(data) + BTF_INT_OFFSET(data);
	unsigned int encoding = BTF_INT_ENCODING(data);

	if (data & ~INT_DATA_MASK)
		return type_error(c, "data is 0x%08x, expected no bit of 0x%08x", data, ~INT_DATA_MASK);
	if (bits > 128 || (bits + 7) / 8 > c->t->size)
		return type_error(c, "%u bits in %u bytes", bits, c->t->size);
	if (encoding & (encoding - 1) || encoding > BTF_INT_BOOL)
		return type_error(c, "encoding is 0x%x, expected one of signed, char and bool", encoding);
	return 0;
}

static int check_struct(const struct checker *c)
{
	const struct btf_member *m = (const void *)(c->t + 1);
	bool is_union = BTF_INFO_KIND(c->t->info) == BTF_KIND_UNION;
	bool bitfields = BTF_INFO_KFLAG(c->t->info);
	uint32_t last = 0;

	for (unsigned int i = 0; i < BTF_INFO_VLEN(c->t->info); i++, m++) {
		uint32_t bit = bitfields ? BTF_MEMBER_BIT_OFFSET(m->offset) : m->offset;

		if (check_name(c, m->name_off, NAME_OPTIONAL, "a member's name") ||
		    check_ref(c, m->type, "a member", false, &types))
			return -EINVAL;
		if (is_union && bit)
			return type_error(c, "member %u is at bit %u, expected 0 in a union",
					  i, bit);
		if (bit < last)
			return type_error(c, "member %u is at bit %u, the one before it at %u", i, bit, last);
		if (((uint64_t)bit + 7) / 8 > c->t->size)
			return type_error(c, "member %u is at bit %u, beyond %u bytes", i, bit, c->t->size);
		last = bit;
	}
	return 0;
}

static int check_proto(const struct checker *c)
{
	const struct btf_param *p = (const void *)(c->t + 1);
	unsigned int n = BTF_INFO_VLEN(c->t->info);

	if (check_ref(c, c->t->type, "return type", true, &types))
		return -EINVAL;
	for (unsigned int i = 0; i < n; i++, p++) {
		/* the last one without a type stands for "..." */
		bool dots = i == n - 1 && !p->type;

		if (dots && p->name_off)
			return type_error(c, "parameter %u has a name and no type", i);
		if (check_name(c, p->name_off, NAME_OPTIONAL, "a parameter's name") ||
		    check_ref(c, p->type, "a parameter", dots, &types))
			return -EINVAL;
	}
	return 0;
}

static int check_func(const struct checker *c)
{
	const struct btf_func *func = (const void *)(c->t + 1);

	if (check_linkage(c, BTF_INFO_VLEN(c->t->info), BTF_FUNC_EXTERN) ||
	    check_ref(c, c->t->type, "prototype", false, &protos))
		return -EINVAL;
	if (!BTF_INFO_KFLAG(c->t->info) || btf_func__valid(func))
		return 0;
	return type_error(c, "addr_hi is 0x%08x, expected 0x%08x", func->addr_hi, BTF_FUNC_ADDR_HI);
}

static int check_decl_tag(const struct checker *c)
{
	int component = ((const struct btf_decl_tag *)(c->t + 1))->component_idx;
	const struct btf_type *target;
	unsigned int components = 0;

	if (check_ref(c, c->t->type, "target", false, &tagged))
		return -EINVAL;
	target = btf_data__type(c->btf, c->t->type);
	/* the FUNC may follow, and may be invalid */
	if (BTF_INFO_KIND(target->info) == BTF_KIND_FUNC)
		target = btf_data__type(c->btf, target->type);
	if (target && btf_type__kind(target)->names)
		components = BTF_INFO_VLEN(target->info);
	if (component < -1 || (component >= 0 && (unsigned int)component >= components))
		return type_error(c, "component is %d, expected -1 to %d", component, (int)components - 1);
	return 0;
}

static int check_one(const struct checker *c)
{
	const struct btf_type *t = c->t;
	const struct btf_var *var = (const void *)(t + 1);
	const struct btf_kind *kind = btf_type__kind(t);
	unsigned int vlen = BTF_INFO_VLEN(t->info);
	int err;

	if (vlen && !kind->vlen)
		return type_error(c, "vlen is %u, expected 0", vlen);
	if (BTF_INFO_KFLAG(t->info) && !kind->flag)
		return type_error(c, "kind_flag is set, expected it clear");
	if (kind->naming != NAME_NONE)
		err = check_name(c, t->name_off, kind->naming,
				 kind->naming == NAME_VALUE ? "value" : "name");
	else
		err = t->name_off ? type_error(c, "has a name, expected none") : 0;
	if (err)
		return err;
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
		return check_int(c);
	case BTF_KIND_FLOAT:
		if (t->size == 2 || t->size == 4 || t->size == 8 || t->size == 12 || t->size == 16)
			return 0;
		return type_error(c, "%u bytes, expected 2, 4, 8, 12 or 16", t->size);
	case BTF_KIND_FWD:
		return t->type ? type_error(c, "target is type %u, expected 0", t->type) : 0;
	case BTF_KIND_ARRAY:
		if (t->size)
			return type_error(c, "size is %u, expected 0", t->size);
		err = check_ref(c, *btf_type__id(t, 0), "element", false, &types);
		return err ?: check_ref(c, *btf_type__id(t, 1), "index", false, &types);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return check_struct(c);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		if (!t->size || t->size > 8 || t->size & (t->size - 1))
			return type_error(c, "%u bytes, expected 1, 2, 4 or 8", t->size);
		for (unsigned int i = 0; !err && i < vlen; i++)
			err = check_name(c, *btf_type__element(t, i), NAME_REQUIRED,
					 "an enumerator's name");
		return err;
	case BTF_KIND_FUNC_PROTO:
		return check_proto(c);
	case BTF_KIND_FUNC:
		return check_func(c);
	case BTF_KIND_VAR:
		err = check_ref(c, t->type, "type", false, &types);
		return err ?: check_linkage(c, var->linkage, BTF_VAR_GLOBAL_EXTERN);
	case BTF_KIND_DATASEC:
		for (unsigned int i = 0; !err && i < vlen; i++)
			err = check_ref(c, *btf_type__id(t, i), "a variable", false, &variables);
		return err;
	case BTF_KIND_DECL_TAG:
		return check_decl_tag(c);
	default: /* PTR, TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG */
		return check_ref(c, t->type, "target", true, &types);
	}
}

/* In @next of check_cycles(): no type below this one leads back to it. */
#define WALKED	UINT32_MAX

/* kinds with references, and those of types whose values contain values of the types they refer to */
#define REFERS		(VALUE_OF | KIND_BIT(PTR) | KIND_BIT(FUNC_PROTO))
#define CONTAINS	(VALUE_OF | KIND_BIT(STRUCT) | KIND_BIT(UNION))

/* Follow the references of some kinds of types, depth first, without recursion. */
static int check_cycles(struct checker *c, uint32_t kinds, const char *what)
{
	const struct btf_data *btf = c->btf;
	/* types on the path from the start, as id - first_id */
	uint32_t *stack __cleanup(free_pointer) = xmalloc(btf->nr_types * sizeof(*stack));
	/* by type: number of references that were followed, 0 if it was never seen */
	uint32_t *next __cleanup(free_pointer) = xcalloc(btf->nr_types, sizeof(*next));
	uint32_t depth = 0;

	for (uint32_t i = 0; i < btf->nr_types; i++) {
		if (next[i] != WALKED && kinds >> c->kinds[i] & 1)
			stack[depth++] = i;
		while (depth) {
			uint32_t here = stack[depth - 1], k = next[here], to;
			const struct btf_type *t = btf->index[here];

			if (k == btf_type__nr_ids(t)) {
				next[here] = WALKED;
				depth--;
				continue;
			}
			to = *btf_type__id(t, k);
			next[here] = k + 1;
			/* the base cannot refer to split types, and is valid */
			if (to < btf->first_id)
				continue;
			to -= btf->first_id;
			if (next[to] == WALKED || !(kinds >> c->kinds[to] & 1))
				continue;
			if (next[to]) {
				c->id = btf->first_id + to;
				c->t = btf->index[to];
				return type_error(c, "%s", what);
			}
			stack[depth++] = to;
		}
	}
	return 0;
}

/*
 * btf_check_type_tags() of the kernel: TYPE_TAGs precede other modifiers, of which there are not too many
 * in a row.  The kernel ends at a type that it checked before.
 */
static int check_modifiers(struct checker *c)
{
	for (uint32_t i = 0; i < c->btf->nr_types; i++) {
		uint32_t id = c->btf->first_id + i, to = id;
		bool tags = true;

		c->id = id;
		c->t = c->btf->index[i];
		for (unsigned int n = 0; MODIFIERS >> kind_of(c, to) & 1; n++) {
			bool tag = kind_of(c, to) == BTF_KIND_TYPE_TAG;

			if (n == MAX_MODIFIERS)
				return type_error(c, "more than %d typedefs, qualifiers and tags in a row",
						  MAX_MODIFIERS);
			if (tag && !tags)
				return type_error(c, "leads to type %u, a TYPE_TAG, expected it before other modifiers",
						  to);
			tags = tag;
			if (to < id)
				break;
			to = btf_data__type(c->btf, to)->type;
		}
	}
	return 0;
}

static uint8_t *kinds_of(const struct btf_data *btf)
{
	uint8_t *kinds = xmalloc(btf->nr_types);

	for (uint32_t i = 0; i < btf->nr_types; i++)
		kinds[i] = BTF_INFO_KIND(btf->index[i]->info);
	return kinds;
}

int btf_data__validate(const struct btf_data *btf, const char *subject)
{
	uint8_t *kinds __cleanup(free_pointer) = kinds_of(btf);
	uint8_t *known __cleanup(free_pointer) = xcalloc(btf->strs_len / 8 + 1, 1);
	struct checker c = { .btf = btf, .subject = subject, .kinds = kinds,
			     .known = known };

	for (uint32_t i = 0; i < btf->nr_types; i++) {
		c.id = btf->first_id + i;
		c.t = btf->index[i];
		if (check_one(&c))
			return -EINVAL;
	}
	/* only structs may contain a pointer to themselves */
	return check_cycles(&c, REFERS, "refers to itself, but not through a struct or union");
}

int btf_data__check_values(const struct btf_data *btf, const char *subject)
{
	uint8_t *kinds __cleanup(free_pointer) = kinds_of(btf);
	struct checker c = { .btf = btf, .subject = subject, .kinds = kinds };
	int err = check_modifiers(&c);

	return err ?: check_cycles(&c, CONTAINS, "contains itself as a value");
}
