// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/job.h"
#include "cmd/where.h"
#include "util/msg.h"

static const char usage[] =
	"Usage: abtf report [-q] [-o FILE] IMAGE | --running\n"
	"\n"
	"Write a page about the functions of a kernel image with DWARF, to be opened in a\n"
	"browser: names that several functions share, prototypes that differ, functions\n"
	"that are not in BTF and why, calls that were inlined, and how many functions each\n"
	"folder has.  One file, which needs no network.  The image is only read.\n"
	"\n"
	"  -o, --output=FILE     where to, - for stdout (default: report.html)\n"
	"  -j, --jobs=N          number of threads (default: all cores)\n"
	WHERE_HELP
	"  -q, --quiet           errors only\n"
	"  -h, --help            show this\n";

static const struct option options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "jobs",   required_argument, NULL, 'j' },
	{ "quiet",  no_argument,       NULL, 'q' },
	{ "help",   no_argument,       NULL, 'h' },
	WHERE_OPTIONS,
	{}
};

int cmd_report(int argc, char **argv)
{
	struct job job = { .threads = job__threads(NULL), .page = "report.html" };
	struct where where = {};
	const char *unknown;
	int c, err;

	while ((c = getopt_long(argc, argv, "o:j:qh", options, NULL)) != -1) {
		switch (c) {
		case 'o':
			job.page = optarg;
			break;
		case 'j':
			job.threads = job__threads(optarg);
			if (job.threads)
				break;
			return usage_error(usage, "report: -j wants a number from 1 to 1024");
		case 'q':
			msg_level = MSG_QUIET;
			break;
		case 'h':
			return usage_help(usage);
		default:
			if (!where__option(&where, c))
				return usage_error(usage, NULL);
		}
	}
	if (where__find(&where, argv))
		return EXIT_BAD;
	if (argc - optind != 1)
		return usage_error(usage, "report: expected an image");
	job.image = argv[optind];
	features__default(&job.features, true);
	job.nr_exclude = languages__parse("rust", job.exclude, &unknown);
	err = job__run(&job);
	return err ? EXIT_BAD : EXIT_DONE;
}
