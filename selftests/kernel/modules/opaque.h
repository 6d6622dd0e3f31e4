/* SPDX-License-Identifier: GPL-2.0-only */
/* Hide a function from the compiler, which then neither inlines nor changes it. */
#ifndef OPAQUE_H
#define OPAQUE_H

#include <linux/compiler.h>

#define opaque(fn) ({ __auto_type p = fn; OPTIMIZER_HIDE_VAR(p); p; })

#endif
