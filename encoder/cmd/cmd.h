/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands: options, one call each way, messages. */
#ifndef ABTF_CMD_CMD_H
#define ABTF_CMD_CMD_H

#include <stdbool.h>

/* What a command, and so the program, ends with. */
enum {
	EXIT_DONE	= 0,
	EXIT_BAD	= 1,	/* the input is bad, or the check failed, or both differ */
	EXIT_USAGE	= 2,
};

int cmd_encode(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_strip(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_symbolize(int argc, char **argv);

/* as called by a kernel build: pahole's arguments, argv[0] is the program */
int cmd_pahole(int argc, char **argv);

/** usage_help() - Answer --help: the text on stdout; return EXIT_DONE. */
int usage_help(const char *usage);

/**
 * usage_error() - refuse the arguments
 * @usage:	a command's help, of which the first paragraph is shown
 *
 * getopt_long() has said what is wrong, or @what does ("expected an image").
 *
 * Return: EXIT_USAGE.
 */
int usage_error(const char *usage, const char *what);

#endif /* ABTF_CMD_CMD_H */
