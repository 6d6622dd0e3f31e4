// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>

#include "types/content.h"

/* TYPE_VARIANT is not part of the content. */
#define CONTENT_FLAGS	(TYPE_BITFIELDS | TYPE_FORWARD | TYPE_SIGNED | TYPE_VARARGS | TYPE_ATTRIBUTE)

/* All but what it refers to, which has been looked at when it was looked up itself. */
static bool same_outside(const struct node *a, const struct node *b)
{
	return a->kind == b->kind && a->name == b->name && a->size == b->size &&
	       a->encoding == b->encoding && !((a->flags ^ b->flags) & CONTENT_FLAGS) &&
	       a->nr_children == b->nr_children;
}

static bool same_ref(const struct store *s, uint32_t a, uint32_t b)
{
	const struct node *na = &s->nodes[a], *nb = &s->nodes[b];

	if (a == b || !a || !b)
		return a == b;
	if (na->name && kind__is_tagged(na->kind))
		return kind__of_name(na->kind) == kind__of_name(nb->kind) && na->name == nb->name;
	return same_outside(na, nb);
}

static bool same_children(const struct store *s, const struct node *a, const struct node *b)
{
	const struct child *ca = s->children + a->child, *cb = s->children + b->child;
	uint32_t i;

	for (i = 0; i < a->nr_children; i++)
		if (ca[i].name != cb[i].name || ca[i].value != cb[i].value ||
		    ca[i].bits != cb[i].bits || !same_ref(s, ca[i].ref, cb[i].ref))
			return false;
	return true;
}

bool store__same_content(const struct store *s, const struct node *a, const struct node *b)
{
	return same_outside(a, b) && same_ref(s, a->ref, b->ref) && same_children(s, a, b);
}

void store__check_hit(const struct store *s, const struct node *type, const struct node *found)
{
	if (store__same_content(s, type, found))
		return;
	/* not by msg_error(), which may keep it until the image is done */
	fprintf(stderr, "two types share the hash %016" PRIx64 "%016" PRIx64 ": kind %u, \"%s\", and kind %u, \"%s\"\n",
		found->hash.lo, found->hash.hi, type->kind, store__name(s, type), found->kind,
		store__name(s, found));
	abort();
}
