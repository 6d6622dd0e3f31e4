// SPDX-License-Identifier: GPL-2.0-only
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/where.h"
#include "encode_features.h"
#include "probe/probe.h"
#include "util/document.h"
#include "util/macros.h"
#include "util/msg.h"

/* Descriptions in --help start and end at these columns. */
#define HELP_COLUMN	28
#define HELP_WIDTH	80

#define MAX_OPTIONS	64

/* All options of a command: its own, those of cmd/where.h, and the last two */
struct option_list {
	const struct opt	*opts[MAX_OPTIONS];
	unsigned int		nr, nr_own;
};

static const struct opt help_option = { .letter = 'h', .name = "help", .help = "show this" };
/* for bash-completion/abtf */
static const struct opt complete_option = { .name = "complete-options" };

static void add_options(struct option_list *list, const struct opt *opts)
{
	for (; opts->name; opts++) {
		assert(list->nr < MAX_OPTIONS - 2);
		list->opts[list->nr++] = opts;
	}
}

static void collect_options(const struct command *c, struct option_list *list)
{
	*list = (struct option_list){};
	add_options(list, c->options);
	list->nr_own = list->nr;
	if (c->finds_image)
		add_options(list, where_options);
	list->opts[list->nr++] = &help_option;
	list->opts[list->nr++] = &complete_option;
}

static int argument_kind(const struct opt *opt)
{
	return !opt->arg ? no_argument : *opt->arg == '[' ? optional_argument : required_argument;
}

/* Print a text in the second column of the help; @at characters are in the line. */
static void print_wrapped(const char *word, int at)
{
	while (*word) {
		int len = strcspn(word, " ");

		if (at + 1 + len > HELP_WIDTH)
			at = printf("\n%*s", HELP_COLUMN, "") - 1;
		else if (at < HELP_COLUMN)
			at += printf("%*s", HELP_COLUMN - at, "");
		else
			at += printf(" ");
		at += printf("%.*s", len, word);
		word += len + (word[len] == ' ');
	}
	putchar('\n');
}

static void print_help_of(const struct opt *opt)
{
	int at;

	if (!opt->help || !*opt->help)
		return;
	at = opt->letter ? printf("  -%c, --%s", opt->letter, opt->name) :
			   printf("      --%s", opt->name);
	if (opt->arg)
		at += printf("%s%s", argument_kind(opt) == required_argument ? "=" : "", opt->arg);
	if (at >= HELP_COLUMN)
		at = HELP_WIDTH;
	print_wrapped(opt->help, at);
}

static int print_help(const struct command *c, const struct option_list *list)
{
	printf("Usage: %s\n%s\n", c->usage, c->about);
	for (unsigned int i = 0; i < list->nr; i++)
		print_help_of(list->opts[i]);
	if (c->notes)
		printf("\n%s", c->notes);
	if (c->print_notes)
		c->print_notes();
	return EXIT_DONE;
}

/* How bash-completion/abtf completes an argument, and the possible words */
static const struct {
	const char	*text;
	void		(*print_words)(FILE *f);
} completions[] = {
	[COMPLETE_NOTHING] = {},
	[COMPLETE_FILE] = { .text = "file\n" },
	[COMPLETE_DIR] = { .text = "dir\n" },
	[COMPLETE_JOBS] = { .text = "jobs\n" },
	[COMPLETE_FEATURES] = { "list default,", features__print },
	[COMPLETE_LANGUAGES] = { "list ", languages__print },
	[COMPLETE_PROBE] = { "word ", probe_formats__print },
};

/* A line for each option: the option, its letter or "-", and how its argument is completed */
static int print_for_completion(const struct option_list *list)
{
	for (unsigned int i = 0; i < list->nr; i++) {
		const struct opt *opt = list->opts[i];

		if (!opt->help)
			continue;
		printf("--%s%s %s%c ", opt->name, argument_kind(opt) == required_argument ? "=" : "",
		       opt->letter ? "-" : "", opt->letter ?: '-');
		printf("%s", completions[opt->completion].text ?: opt->arg ? "text\n" : "none\n");
		if (completions[opt->completion].print_words)
			completions[opt->completion].print_words(stdout);
	}
	return EXIT_DONE;
}

/* Return: the index of the option with this value, or of the empty one at the end. */
static unsigned int find_option(const struct option *longs, int val)
{
	unsigned int i = 0;

	while (longs[i].name && longs[i].val != val)
		i++;
	return i;
}

/* With an option for JSON, errors in options before it are JSON, too. Help is text. */
static void find_json(int argc, char **argv, const char *letters, const struct option *longs)
{
	bool json = false, help = false;
	int val;

	while (!help && (val = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		const char *name = longs[find_option(longs, val)].name ?: "";

		help = !strcmp(name, help_option.name);
		json |= !strcmp(name, "json") || (!strcmp(name, "probe") && !strcmp(optarg, "json"));
	}
	if (json && !help)
		document__use();
	/* start again */
	optind = 0;
}

static int parse_option(const struct opt *opt, void *data)
{
	if (opt->take)
		return opt->take(data, optarg, opt->value);
	if (opt->arg)
		*(const char **)((char *)data + opt->field) = optarg;
	else
		*(bool *)((char *)data + opt->field) = opt->value;
	return GO_ON;
}

/* Print an error: getopt's own message would have the argument as it is. */
static int option_error(const struct command *c, const struct option *longs, int val,
			const char *arg)
{
	char what[256];

	longs += find_option(longs, optopt);
	if (longs->name)
		snprintf(what, sizeof(what), "option '--%s' %s", longs->name,
			 val == ':' ? "requires an argument" : "doesn't allow an argument");
	else if (optopt)
		snprintf(what, sizeof(what), "unknown option '-%c'", optopt);
	else
		snprintf(what, sizeof(what), "unknown or ambiguous option '%.200s'", arg);
	return command__usage_error(c, what);
}

static int repeated_option(const struct command *c, const struct opt *opt)
{
	char what[256];

	snprintf(what, sizeof(what), "option '--%s' was given twice", opt->name);
	return command__usage_error(c, what);
}

int command__parse(const struct command *c, int argc, char **argv, void *data,
		   struct where *where)
{
	struct option longs[MAX_OPTIONS + 1] = {};
	/* with ':', getopt prints nothing, and a missing argument is another error */
	char letters[3 * MAX_OPTIONS + 2] = ":", *p = letters + 1;
	bool given[MAX_OPTIONS] = {};
	struct option_list list;
	int val, ret = GO_ON;

	collect_options(c, &list);
	for (unsigned int i = 0; i < list.nr; i++) {
		const struct opt *opt = list.opts[i];

		longs[i] = (struct option){ opt->name, argument_kind(opt), NULL,
					    opt->letter ?: 256 + (int)i };
		if (!opt->letter)
			continue;
		*p++ = opt->letter;
		for (int colons = argument_kind(opt); colons; colons--)
			*p++ = ':';
	}
	*p = '\0';
	find_json(argc, argv, letters, longs);
	while (ret == GO_ON && (val = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		unsigned int i = find_option(longs, val);

		if (i == list.nr)
			return option_error(c, longs, val, argv[optind - 1]);
		if (list.opts[i] == &help_option)
			return print_help(c, &list);
		if (list.opts[i] == &complete_option)
			return print_for_completion(&list);
		/* as in pahole, the last one applies */
		if (given[i] && list.opts[i]->arg && !list.opts[i]->repeats && c->name)
			return repeated_option(c, list.opts[i]);
		given[i] = true;
		ret = parse_option(list.opts[i], i < list.nr_own ? data : where);
	}
	if (ret == GO_ON && c->finds_image && where__is_ambiguous(where))
		return command__usage_error(c, "--running, --build-id and --notes: expected one of them, unless list --table writes to a directory (--output)");
	if (ret == GO_ON && c->finds_image && where->sysroot && !where__is_used(where))
		return command__usage_error(c, "--sysroot expects --running, --module, --build-id or --notes");
	if (where && !where->sysroot)
		where->sysroot = "";
	return ret;
}

int command__usage_error(const struct command *c, const char *what)
{
	/* abtf-pahole has no commands */
	msg_error("%s%s%s", c->name ?: "", c->name ? ": " : "", what);
	fprintf(stderr, "Usage: %s", c->usage);
	return EXIT_USAGE;
}

int exit_code(int err)
{
	switch (err) {
	case 0:
		return EXIT_DONE;
	case -ESRCH:
		return EXIT_NOT_FOUND;
	case -EOPNOTSUPP:
		return EXIT_NO_PROBE;
	default:
		return EXIT_BAD;
	}
}

int parse_quiet(void *data, const char *arg, bool value)
{
	msg_level = MSG_QUIET;
	return GO_ON;
}

int parse_verbose(void *data, const char *arg, bool value)
{
	msg_level = MSG_VERBOSE;
	return GO_ON;
}
