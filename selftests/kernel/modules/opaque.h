/* SPDX-License-Identifier: GPL-2.0-only */
/* What a compiler knows nothing about: it neither inlines a call nor changes what is called. */
#ifndef OPAQUE_H
#define OPAQUE_H

#include <linux/compiler.h>

#define opaque(fn) ({ __auto_type p = fn; OPTIMIZER_HIDE_VAR(p); p; })

#endif
