// SPDX-License-Identifier: GPL-2.0-only
/* Another module with the same functions. */
#include "target.c"
