/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands, and a table of options for each, from which the parser, --help and bash
 * completion are generated.
 */
#ifndef ABTF_CMD_CMD_H
#define ABTF_CMD_CMD_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

/* Exit codes of commands.  check and diff use 1 and 2 as diff(1) does. */
enum {
	EXIT_DONE	= 0,
	EXIT_BAD	= 1,	/* bad input, or another failure */
	EXIT_DIFFERENT	= 1,	/* check, diff: a violation or a difference */
	EXIT_USAGE	= 2,
	EXIT_TROUBLE	= 2,	/* check, diff: bad input, too */
	EXIT_NOT_FOUND	= 3,	/* no function, or no call, is selected, or is at an address */
	EXIT_NO_PROBE	= 4,	/* functions were found, but a place cannot have a probe */
};

/**
 * exit_code() - Return: the exit code for a negative errno: -ESRCH if nothing was found,
 *	-EOPNOTSUPP if what was found cannot have a probe.
 */
int exit_code(int err);

/* How an argument is completed */
enum completion {
	COMPLETE_NOTHING,
	COMPLETE_FILE,
	COMPLETE_DIR,
	COMPLETE_JOBS,
	COMPLETE_FEATURES,
	COMPLETE_LANGUAGES,
	COMPLETE_PROBE,
};

/* What a function returns that handles an option, unless it returns an exit code; never an errno */
#define GO_ON	(-1)

/**
 * struct opt - one option
 * @letter:	its short form, or 0
 * @arg:	name of its argument, "[=N]" if that is optional, or NULL
 * @help:	description for --help, which is wrapped; "": only for completion; NULL:
 *		hidden
 * @take:	handle it; @arg is NULL without an argument.  Return: GO_ON, or an exit code.
 *		NULL: write to @field instead
 * @field:	offset in the command's data: of a const char * for the argument, or of a bool
 * @value:	of the bool; passed to @take
 * @repeats:	it may be given more than once; otherwise, only options without an argument may
 */
struct opt {
	char		letter;
	const char	*name;
	const char	*arg;
	enum completion	completion;
	const char	*help;
	int		(*take)(void *data, const char *arg, bool value);
	size_t		field;
	bool		value;
	bool		repeats;
};

#define OPT_SET(letter, name, type, field, help)				\
	{ letter, name, NULL, COMPLETE_NOTHING, help, NULL, offsetof(type, field), true, false }
#define OPT_CLEAR(letter, name, type, field, help)				\
	{ letter, name, NULL, COMPLETE_NOTHING, help, NULL, offsetof(type, field), false, false }
#define OPT_TEXT(letter, name, arg, completion, type, field, help)		\
	{ letter, name, arg, completion, help, NULL, offsetof(type, field), false, false }
#define OPT_CALL(letter, name, arg, completion, take, help)			\
	OPT_CALL_WITH(letter, name, arg, completion, take, false, help)
#define OPT_CALL_WITH(letter, name, arg, completion, take, value, help)		\
	{ letter, name, arg, completion, help, take, 0, value, false }
#define OPT_REPEATED(letter, name, arg, completion, take, value, help)		\
	{ letter, name, arg, completion, help, take, 0, value, true }

/* Options of several commands */
#define OPT_BASE(type, field)							\
	OPT_TEXT('b', "base", "BASE", COMPLETE_FILE, type, field,		\
		 "base of split BTF (of a module): an image or BTF")
#define OPT_QUIET								\
	OPT_CALL('q', "quiet", NULL, COMPLETE_NOTHING, parse_quiet, "print errors only")

/* Set the level of messages */
int parse_quiet(void *data, const char *arg, bool value);
int parse_verbose(void *data, const char *arg, bool value);

struct where;

/**
 * struct command - a command and its help
 * @full_name:	prefix of messages of getopt_long()
 * @summary:	one line
 * @usage:	lines after "Usage: "
 * @about:	paragraphs before the options
 * @notes:	paragraphs after them, or NULL; @print_notes: the same
 * @options:	ends with an empty one; --help is added
 * @finds_image: add the options of cmd/where.h
 * @run:	argv[0] is @full_name.  Return: an exit code.
 */
struct command {
	const char		*name;
	char			*full_name;
	const char		*summary;
	const char		*usage;
	const char		*about;
	const char		*notes;
	void			(*print_notes)(void);
	const struct opt	*options;
	bool			finds_image;
	int			(*run)(int argc, char **argv);
};

/**
 * command__parse() - handle the options of a command
 * @data:	the data that fields and take() of the table refer to
 * @where:	for the options of cmd/where.h, or NULL
 *
 * Return: GO_ON, with optind at the first other argument; or an exit code.
 */
int command__parse(const struct command *c, int argc, char **argv, void *data,
		   struct where *where);

/**
 * command__usage_error() - reject the arguments, and print how to use the command
 * @what:	for example "expected an image"
 *
 * Return: EXIT_USAGE.
 */
int command__usage_error(const struct command *c, const char *what);

extern const struct command encode_command, list_command, check_command, diff_command;
extern const struct command strip_command, report_command, symbolize_command;

/* called with pahole's arguments by a kernel build; argv[0] is the program */
int cmd_pahole(int argc, char **argv);

#endif /* ABTF_CMD_CMD_H */
