// SPDX-License-Identifier: GPL-2.0-only
/* The same as skeleton.c, with the light skeleton. */
#define LIGHT
#include "skeleton.c"
