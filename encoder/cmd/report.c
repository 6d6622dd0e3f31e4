// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "btf/output.h"
#include "cmd/job.h"
#include "cmd/where.h"
#include "report/page.h"
#include "util/msg.h"

#define DEFAULT_PAGE	"report.html"

struct report_options {
	const char	*output;
	unsigned int	threads;
};

static int parse_jobs(void *data, const char *arg, bool value)
{
	return jobs__take(arg, &((struct report_options *)data)->threads);
}

static const struct opt options[] = {
	OPT_TEXT('o', "output", "FILE", COMPLETE_FILE, struct report_options, output,
		 "write the page to FILE, - for stdout (default: " DEFAULT_PAGE ")"),
	OPT_CALL('j', "jobs", "N", COMPLETE_JOBS, parse_jobs,
		 "number of threads (default: all cores)"),
	OPT_QUIET,
	{}
};

static int add_image(struct page *page, const struct report_options *opts, const char *path,
		     struct image *img)
{
	struct input in __cleanup(input__close) = {};
	struct function_map map __cleanup(function_map__destroy) = {};
	int err = input__open_image(&in, path, img);

	if (opts->threads)
		in.threads = opts->threads;
	if (!err && output__is_same(opts->output, path))
		err = msg_fail(-EINVAL, "%s: is the image itself, and would be overwritten",
			       opts->output);
	if (!err && !image__has_bytes(in.img, ".debug_info"))
		err = msg_fail(-EINVAL, "%s: %s", path, image__no_dwarf(in.img));
	err = err ?: function_map__read(&map, &in);
	return err ?: page__add(page, &map, &in);
}

static int write_page(const struct report_options *opts, char **paths, int nr, struct image *img)
{
	struct page page __cleanup(page__destroy) = {};

	for (int i = 0; i < nr; i++)
		if (add_image(&page, opts, paths[i], i ? NULL : img))
			return EXIT_BAD;
	return page__write(&page, opts->output) ? EXIT_BAD : EXIT_DONE;
}

static int cmd_report(int argc, char **argv)
{
	struct report_options opts = { .output = DEFAULT_PAGE };
	struct where where __cleanup(where__destroy) = {};
	struct image *img;
	int status = command__parse(&report_command, argc, argv, &opts, &where);

	if (status != GO_ON)
		return status;
	if (where__find(&where, argv, NULL, &img))
		return EXIT_BAD;
	if (argc > optind)
		return write_page(&opts, argv + optind, argc - optind, img);
	image__close(img);
	return command__usage_error(&report_command, "expected an image");
}

const struct command report_command = {
	.name = "report", .full_name = "abtf report", .run = cmd_report,
	.summary = "write a page for a browser: names, prototypes, functions not in BTF",
	.usage = "abtf report [-q] [-j N] [-o FILE] IMAGE|--running [MODULE...]\n",
	.about =
	"Write a page about the functions of a kernel image with DWARF, for a browser: names\n"
	"that several functions share, prototypes that differ, functions that are not in BTF\n"
	"and why, inlined calls, and the number of functions in each directory.  The page is\n"
	"one file and needs no network.  The image is only read.\n"
	"\n"
	"A page of several files, such as vmlinux and modules, shows one of them at a time.\n",
	.options = options, .finds_image = true,
};
