// SPDX-License-Identifier: GPL-2.0-only
/* Functions that are called like the kfuncs in answer-kfunc.c, and are none. */
#include "opaque.h"

int answer_by_twin(int value);

static noinline int answer_same(int value)
{
	return value - 2;
}

/* Of another prototype. */
static noinline int answer_differ(const char *value)
{
	return *value;
}

int answer_by_twin(int value)
{
	return opaque(answer_same)(value) + opaque(answer_differ)("2");
}
