// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>

#include "btf/file.h"
#include "cmd/cmd.h"
#include "cmd/where.h"
#include "inspect/compare.h"
#include "inspect/input.h"

static const char usage[] =
	"Usage: abtf diff [-jnq] [--base BASE] A|--running B\n"
	"\n"
	"Compare the functions of two images (or files of BTF), instance by instance; an\n"
	"image without BTF with addresses is read from its DWARF:\n"
	"\n"
	"  - foo: int foo(void)             only A has it\n"
	"  + foo: int foo(void)             only B has it\n"
	"  ! foo: prototype                 both have it, with two prototypes: these\n"
	"  ! foo: address 0x10 -> 0x20      both have it, at two offsets from _text\n"
	"\n"
	"Functions that share a name are matched by file; where one side does not say files,\n"
	"by equal prototypes first.  Prototypes are equal if they read\n"
	"the same in C, names of parameters included.  Addresses are compared where both\n"
	"sides have one.\n"
	"\n"
	"  -j, --json          print JSON: an object for each difference\n"
	"  -n, --no-addresses  do not compare addresses\n"
	"  -q, --quiet         print nothing, only exit with 0 or 1\n"
	"  -b, --base=BASE     what split BTF (of a module) stands on: an image or BTF\n"
	WHERE_HELP
	"  -h, --help          show this\n"
	"\n"
	"Exit status: 0 if they are the same, 1 if they differ or one is bad, 2 usage.\n";

static void print_counts(const struct compare_options *opts, const struct funcs *a,
			 const struct funcs *b, const struct compare_counts *counts)
{
	printf("%u functions, then %u: %u matched, %u removed, %u added, %u with another prototype, ",
	       a->nr, b->nr, counts->matched, counts->removed, counts->added, counts->prototypes);
	if (opts->addresses && counts->addressed)
		printf("%u of %u with another address\n", counts->addresses, counts->addressed);
	else
		printf("addresses not compared\n");
}

static int diff_files(const char *base_path, const char * const *paths,
		      const struct compare_options *opts)
{
	struct input a = {}, b = {};
	struct funcs *insts_a = NULL, *insts_b = NULL;
	struct compare_counts counts;
	int err;

	err = input__open(&a, paths[0], NULL, base_path);
	err = err ?: input__open(&b, paths[1], NULL, base_path);
	err = err ?: funcs__new(a.btf, &insts_a);
	err = err ?: funcs__new(b.btf, &insts_b);
	err = err ?: compare_instances(insts_a, insts_b, opts, stdout, &counts);
	if (!err && !opts->json && !opts->quiet)
		print_counts(opts, insts_a, insts_b, &counts);

	funcs__free(insts_a);
	funcs__free(insts_b);
	input__close(&a);
	input__close(&b);
	return err || compare_counts__differ(&counts) ? EXIT_BAD : EXIT_DONE;
}

int cmd_diff(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json",	  no_argument,	     NULL, 'j' },
		{ "no-addresses", no_argument,	     NULL, 'n' },
		{ "quiet",	  no_argument,	     NULL, 'q' },
		{ "base",	  required_argument, NULL, 'b' },
		{ "help",	  no_argument,	     NULL, 'h' },
		WHERE_OPTIONS,
		{}
	};
	struct compare_options opts = { .addresses = true };
	const char *base = NULL;
	struct where where = {};
	int c;

	while ((c = getopt_long(argc, argv, "jnqb:h", options, NULL)) != -1) {
		switch (c) {
		case 'j':
			opts.json = true;
			break;
		case 'n':
			opts.addresses = false;
			break;
		case 'q':
			opts.quiet = true;
			break;
		case 'b':
			base = optarg;
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
	if (argc - optind != 2)
		return usage_error(usage, "diff: expected two images or files of BTF");
	return diff_files(base, (const char * const *)argv + optind, &opts);
}
