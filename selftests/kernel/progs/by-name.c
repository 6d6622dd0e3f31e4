// SPDX-License-Identifier: GPL-2.0-only
/* The same as selector.c, with Debian's libbpf, as far as an unpatched libbpf supports names. */
#define UNMODIFIED_LIBBPF
#include "selector.c"
