// SPDX-License-Identifier: GPL-2.0-only
/* The same as selector.c, with Debian's libbpf: what need not be patched for names. */
#define UNMODIFIED_LIBBPF
#include "selector.c"
