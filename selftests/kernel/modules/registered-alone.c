// SPDX-License-Identifier: GPL-2.0-only
/* The same without registered-twin.c. */
#include "registered-main.c"
