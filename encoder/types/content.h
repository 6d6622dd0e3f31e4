/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The content of nodes, compared word by word.
 *
 * What the hash stands for: whatever goes into it is here, and what is here must
 * go into it.  The encoder believes the hash; built with sanitizers (CHECK_HITS),
 * it compares here each time that two types share one.
 */
#ifndef ABTF_TYPES_CONTENT_H
#define ABTF_TYPES_CONTENT_H

#include "types/store.h"

/**
 * store__same_content() - are two nodes one type, if every name means one thing?
 *
 * Named structs, unions and enums that they refer to are the same if kind and name
 * are.  Of what has no name, no more than the outside is looked at: it has a hash of
 * its own, which is looked at in its turn.
 */
bool store__same_content(const struct store *s, const struct node *a, const struct node *b);

/** store__check_hit() - Abort, with a message, unless a type is what its hash led to. */
void store__check_hit(const struct store *s, const struct node *type, const struct node *found);

#endif /* ABTF_TYPES_CONTENT_H */
