// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>

#include "cmd/where.h"
#include "inspect/compare.h"
#include "image/identity.h"
#include "inspect/input.h"
#include "util/document.h"

static void print_counts(const struct compare_options *opts, const struct funcs *a,
			 const struct funcs *b, const struct compare_counts *counts)
{
	printf("%u and %u functions: %u matched, %u removed, %u added, %u with another prototype, ",
	       a->nr, b->nr, counts->matched, counts->removed, counts->added, counts->prototypes);
	if (opts->addresses && counts->addressed)
		printf("%u of %u with another address\n", counts->addresses, counts->addressed);
	else
		printf("addresses not compared\n");
}

static json_t *input__head(const struct input *in)
{
	return in->img ? image__head(in->img) :
	       json_pack("{s:n, s:n}", "build_id", "module");
}

struct diff_options {
	struct compare_options	compare;
	const char		*base;
};

static const struct opt options[] = {
	OPT_SET('j', "json", struct diff_options, compare.json,
		"print JSON: an object for each difference"),
	OPT_CLEAR('n', "no-addresses", struct diff_options, compare.addresses,
		  "do not compare addresses"),
	OPT_SET('q', "quiet", struct diff_options, compare.quiet,
		"print nothing, only exit with 0 or 1"),
	OPT_BASE(struct diff_options, base),
	{}
};

static int cmd_diff(int argc, char **argv)
{
	struct diff_options opts = { .compare.addresses = true };
	struct input a __cleanup(input__close) = {}, b __cleanup(input__close) = {};
	struct funcs *of_a = NULL, *of_b = NULL;
	struct compare_counts counts = {};
	struct where where __cleanup(where__destroy) = {};
	struct image *img;
	int status = command__parse(&diff_command, argc, argv, &opts, &where);

	if (status != GO_ON)
		return status;
	if (opts.compare.json && opts.compare.quiet)
		return command__usage_error(&diff_command, "--quiet cannot be combined with --json");
	if (where__find(&where, argv, NULL, &img))
		return EXIT_TROUBLE;
	a.img = img;
	if (argc - optind != 2)
		return command__usage_error(&diff_command, "expected two images or BTF files");
	if (input__open(&a, argv[optind], img, NULL, opts.base) ||
	    input__open(&b, argv[optind + 1], NULL, NULL, opts.base) ||
	    input__read_funcs(&a, &of_a) || input__read_funcs(&b, &of_b)) {
		funcs__free(of_a);
		funcs__free(of_b);
		return EXIT_TROUBLE;
	}
	if (opts.compare.json)
		document__begin("changes", json_pack("{s:o, s:o}", "old_image", input__head(&a),
						     "new_image", input__head(&b)));
	counts = compare_instances(of_a, of_b, &opts.compare, stdout);
	if (!opts.compare.json && !opts.compare.quiet)
		print_counts(&opts.compare, of_a, of_b, &counts);
	funcs__free(of_a);
	funcs__free(of_b);
	return compare_counts__differ(&counts) ? EXIT_DIFFERENT : EXIT_DONE;
}

const struct command diff_command = {
	.name = "diff", .full_name = "abtf diff", .run = cmd_diff,
	.summary = "compare the functions of two images",
	.usage = "abtf diff [-n] [-j|-q] [--base BASE] A|--running B\n",
	.about =
	"Compare the functions of two images (or BTF files), instance by instance.  If an\n"
	"image has no BTF with addresses, its DWARF is read:\n"
	"\n"
	"  - foo: int foo(void)             only A has it\n"
	"  + foo: int foo(void)             only B has it\n"
	"  ! foo: prototype                 both have it, with different prototypes, as shown\n"
	"  ! foo: address 0x10 -> 0x20      both have it, at two offsets from _text\n"
	"\n"
	"Functions that share a name are matched by file; if one side does not record files,\n"
	"by equal prototypes first.  Prototypes are equal if they read the same in C,\n"
	"including the names of parameters.  Addresses are compared if both sides have one.\n",
	.notes =
	"Exit status: 0 if they are the same, 1 if they differ, 2 for bad input or usage.\n",
	.options = options, .finds_image = true,
};
