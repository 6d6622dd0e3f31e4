// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "btf/file.h"
#include "cmd/cmd.h"
#include "cmd/where.h"
#include "inspect/verify.h"
#include "util/msg.h"

static const char usage[] =
	"Usage: abtf check [-q] IMAGE|--running [BTF]\n"
	"       abtf check [-q] --base BASE MODULE...\n"
	"\n"
	"Prove from outside that BTF with addresses fits its image: every address is the\n"
	"start of a function symbol of that name outside init and exit text, FUNC names are\n"
	"unique, and a bare name is unique among the symbols.\n"
	"One line for each violation, and one at the end that counts them.\n"
	"\n"
	"  BTF             the image's BTF if it is in a file of its own\n"
	"  -b, --base=BASE what split BTF (of modules) stands on: an image or BTF\n"
	"  -q, --quiet     print violations only\n"
	WHERE_HELP
	"  -h, --help      show this\n"
	"\n"
	"Plain BTF is well-formed or not; there is nothing else in it to check.\n";

static void print_counts(const char *path, const struct verify_counts *counts)
{
	if (counts->records)
		printf("%s: of %u places where a function starts, %u have no FUNC\n", path,
		       counts->symbols, counts->unencoded);
	printf("%s: %u functions, ", path, counts->funcs);
	if (counts->records)
		printf("%u with an address, ", counts->records);
	else
		printf("no addresses (plain BTF), ");
	printf("%u with a file: %" PRIu64 " violation%s\n", counts->with_file, counts->violations,
	       counts->violations == 1 ? "" : "s");
}

static int check_btf(const struct btf_data *btf, const char *path, const struct image *img,
		     bool detached, bool quiet)
{
	struct verify_counts counts = {};
	struct funcs *insts = NULL;
	int err = funcs__new(btf, &insts);

	err = err ?: verify_image(insts, path, img, detached, stdout, &counts);
	if (!err && !quiet)
		print_counts(path, &counts);
	funcs__free(insts);
	return err || counts.violations ? EXIT_BAD : EXIT_DONE;
}

static int check_file(const char *image_path, const char *btf_path, const struct btf_data *base,
		      bool quiet)
{
	int err, status = EXIT_BAD;
	struct btf_data *btf = NULL;
	struct image *img = NULL;

	err = image__open(image_path, &img);
	if (!err && btf_path)
		err = btf_data__open(btf_path, base, &btf);
	else if (!err)
		err = btf_data__from_image(img, base, &btf);
	if (!err)
		status = check_btf(btf, btf_path ?: image_path, img, btf_path, quiet);

	btf_data__free(btf);
	image__close(img);
	return status;
}

/* Two files may be a module and its detached BTF. */
static int check_modules(const char *base_path, int nr, char **paths, bool quiet)
{
	struct btf_data *base;
	int i, status = EXIT_DONE;

	if (btf_data__open(base_path, NULL, &base))
		return EXIT_BAD;
	if (nr == 2 && !image__is_elf(paths[1])) {
		status = check_file(paths[0], paths[1], base, quiet);
		nr = 0;
	}
	for (i = 0; i < nr; i++)
		if (check_file(paths[i], NULL, base, quiet) != EXIT_DONE)
			status = EXIT_BAD;
	btf_data__free(base);
	return status;
}

int cmd_check(int argc, char **argv)
{
	static const struct option options[] = {
		{ "quiet", no_argument, NULL, 'q' },
		{ "base",  required_argument, NULL, 'b' },
		{ "help",  no_argument, NULL, 'h' },
		WHERE_OPTIONS,
		{}
	};
	const char *base = NULL;
	bool quiet = false;
	struct where where = {};
	int c;

	while ((c = getopt_long(argc, argv, "b:qh", options, NULL)) != -1) {
		switch (c) {
		case 'b':
			base = optarg;
			break;
		case 'q':
			quiet = true;
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
	argc -= optind;
	argv += optind;
	if (base && argc > 0)
		return check_modules(base, argc, argv, quiet);
	if (argc < 1 || argc > 2)
		return usage_error(usage, "check: expected an image, and one file of BTF at most");
	return check_file(argv[0], argc > 1 ? argv[1] : NULL, NULL, quiet);
}
