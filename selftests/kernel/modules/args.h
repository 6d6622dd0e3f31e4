/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files share that args.py generates. */
#ifndef ARGS_H
#define ARGS_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "args-types.h"
#include "opaque.h"

extern int args_sink;
extern long args_input[16];

/* Uses all registers that a call does not preserve. */
void args_clobber(void);

void args_run_0(void);
void args_run_1(void);
void args_run_2(void);
void args_run_3(void);

#endif
