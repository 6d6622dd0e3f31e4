// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "inspect/verify.h"
#include "util/msg.h"

static const char usage[] =
	"Usage: abtf check [-q] IMAGE [BTF]\n"
	"\n"
	"Prove from outside that BTF with addresses fits its image: every address is the\n"
	"start of a function symbol NAME or NAME.suffix, init text is flagged, ids stand\n"
	"in the order of the format, and names that several symbols bear have unit: tags.\n"
	"One line for each violation, and one at the end that counts them.\n"
	"\n"
	"  BTF             the image's BTF if it is in a file of its own\n"
	"  -q, --quiet     print violations only\n"
	"  -h, --help      show this\n"
	"\n"
	"Plain BTF is well-formed or not; there is nothing else in it to check.\n";

static void print_counts(const char *path, const struct verify_counts *counts)
{
	printf("%s: %u functions, ", path, counts->funcs);
	if (counts->records)
		printf("%u with an address (%u init), ", counts->records, counts->init);
	else
		printf("no addresses (plain BTF), ");
	printf("%u with a unit: %" PRIu64 " violation%s\n", counts->tagged, counts->violations,
	       counts->violations == 1 ? "" : "s");
}

static int check(const char *image_path, const char *btf_path, bool quiet)
{
	struct instances *insts = NULL;
	struct verify_counts counts;
	struct btf_data *btf = NULL;
	struct image *img = NULL;
	int err;

	err = image__open(image_path, &img);
	if (!err && btf_path)
		err = btf_data__open(btf_path, NULL, &btf);
	else if (!err)
		err = btf_data__from_image(img, NULL, &btf);
	err = err ?: instances__new(btf, &insts);
	err = err ?: verify_image(insts, btf_path ?: image_path, img, stdout, &counts);
	if (!err && !quiet)
		print_counts(btf_path ?: image_path, &counts);

	instances__free(insts);
	btf_data__free(btf);
	image__close(img);
	return err || counts.violations ? EXIT_BAD : EXIT_DONE;
}

int cmd_check(int argc, char **argv)
{
	static const struct option options[] = {
		{ "quiet", no_argument, NULL, 'q' },
		{ "help",  no_argument, NULL, 'h' },
		{}
	};
	bool quiet = false;
	int c;

	while ((c = getopt_long(argc, argv, "qh", options, NULL)) != -1) {
		switch (c) {
		case 'q':
			quiet = true;
			break;
		case 'h':
			return usage_help(usage);
		default:
			return usage_error(usage, NULL);
		}
	}
	argc -= optind;
	argv += optind;
	if (argc < 1 || argc > 2)
		return usage_error(usage, "check: expected an image, and one file of BTF at most");
	return check(argv[0], argc > 1 ? argv[1] : NULL, quiet);
}
