/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands: options, one call each way, messages. */
#ifndef ABTF_CMD_CMD_H
#define ABTF_CMD_CMD_H

#include "cmd/options.h"

/* What a command, and so the program, ends with. */
enum {
	EXIT_DONE	= 0,
	EXIT_BAD	= 1,	/* the input is bad, or the check failed, or both differ */
	EXIT_USAGE	= 2,
};

extern const struct command encode_command, list_command, check_command, diff_command;
extern const struct command strip_command, report_command, symbolize_command;

/* as called by a kernel build: pahole's arguments, argv[0] is the program */
int cmd_pahole(int argc, char **argv);

#endif /* ABTF_CMD_CMD_H */
