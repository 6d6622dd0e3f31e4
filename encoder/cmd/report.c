// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/job.h"
#include "cmd/where.h"

#define DEFAULT_PAGE	"report.html"

static const struct opt options[] = {
	OPT_TEXT('o', "output", "FILE", COMPLETE_FILE, struct job, page,
		 "write the page to FILE, - for stdout (default: " DEFAULT_PAGE ")"),
	OPT_JOBS,
	OPT_QUIET,
	{}
};

static int cmd_report(int argc, char **argv)
{
	struct job job = { .page = DEFAULT_PAGE };
	struct where where = {};
	int status;

	encode_options__default(&job.encode);
	status = command__parse(&report_command, argc, argv, &job, &where);
	if (status >= 0)
		return status;
	if (where__find(&where, argv, false))
		return EXIT_BAD;
	if (argc - optind != 1)
		return command__usage_error(&report_command, "expected an image");
	return job__run_all(&job, argv + optind, 1, false) ? EXIT_BAD : EXIT_DONE;
}

const struct command report_command = {
	.name = "report", .full_name = "abtf report", .run = cmd_report,
	.summary = "write a page for a browser: names, prototypes, omitted functions",
	.usage = "abtf report [-q] [-j N] [-o FILE] IMAGE|--running\n",
	.about =
	"Write a page about the functions of a kernel image with DWARF, for a browser: names\n"
	"that several functions share, prototypes that differ, functions that are not in BTF\n"
	"and why, inlined calls, and the number of functions in each directory.  The page is\n"
	"one file and needs no network.  The image is only read.\n",
	.options = options, .finds_image = true,
};
