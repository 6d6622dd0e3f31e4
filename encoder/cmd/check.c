// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "btf/file.h"
#include "cmd/where.h"
#include "inspect/verify.h"
#include "util/msg.h"

static void print_counts(const char *path, const struct funcs *funcs,
			 const struct verify_counts *counts)
{
	if (counts->records)
		printf("%s: %u places where a function starts, %u of them without a FUNC\n", path,
		       counts->symbols, counts->unencoded);
	printf("%s: %u functions, ", path, funcs->nr);
	if (counts->records)
		printf("%u with an address, ", counts->records);
	else
		printf("no addresses (plain BTF), ");
	printf("%u with a file: %" PRIu64 " violation%s\n", funcs->nr_with_file, counts->violations,
	       counts->violations == 1 ? "" : "s");
}

static int check_file(const char *image_path, struct image *img, const char *btf_path,
		      const struct btf_data *base, bool quiet)
{
	const char *path = btf_path ?: image_path;
	struct verify_counts counts = {};
	struct btf_data *btf = NULL;
	struct funcs *funcs = NULL;
	int err = img ? 0 : image__open(image_path, &img);

	if (!err)
		err = btf_path ? btf_data__open(btf_path, base, &btf) :
				 btf_data__from_image(img, base, &btf);
	if (!err) {
		funcs = funcs__new(btf);
		err = verify_image(funcs, path, img, btf_path, stdout, &counts);
	}
	if (!err && !quiet)
		print_counts(path, funcs, &counts);
	funcs__free(funcs);
	btf_data__free(btf);
	image__close(img);
	return err || counts.violations ? EXIT_BAD : EXIT_DONE;
}

/* Two files may be a module and its detached BTF. */
static int check_modules(const char *base_path, int nr, char **paths, struct image *img,
			 bool quiet)
{
	struct btf_data *base;
	int i, status = EXIT_DONE;

	if (btf_data__open(base_path, NULL, &base)) {
		image__close(img);
		return EXIT_BAD;
	}
	if (nr == 2 && !image__is_elf(paths[1])) {
		status = check_file(paths[0], img, paths[1], base, quiet);
		nr = 0;
	}
	for (i = 0; i < nr; i++)
		if (check_file(paths[i], i ? NULL : img, NULL, base, quiet) != EXIT_DONE)
			status = EXIT_BAD;
	btf_data__free(base);
	return status;
}

struct check_options {
	const char	*base;
	bool		quiet;
};

static const struct opt options[] = {
	OPT_BASE(struct check_options, base),
	OPT_SET('q', "quiet", struct check_options, quiet, "print violations only"),
	{}
};

static int cmd_check(int argc, char **argv)
{
	struct check_options opts = {};
	struct where where = {};
	struct image *img;
	int status = command__parse(&check_command, argc, argv, &opts, &where);

	if (status >= 0)
		return status;
	if (where__find(&where, argv, NULL, &img))
		return EXIT_BAD;
	argc -= optind;
	argv += optind;
	if (opts.base && argc > 0)
		return check_modules(opts.base, argc, argv, img, opts.quiet);
	if (argc == 1 || argc == 2)
		return check_file(argv[0], img, argc > 1 ? argv[1] : NULL, NULL, opts.quiet);
	image__close(img);
	return command__usage_error(&check_command,
				    "expected an image, and one file of BTF at most");
}

const struct command check_command = {
	.name = "check", .full_name = "abtf check", .run = cmd_check,
	.summary = "check addresses and names against the image's symbols",
	.usage =
	"abtf check [-q] IMAGE|--running [BTF]\n"
	"       abtf check [-q] --base BASE MODULE...\n",
	.about =
	"Check BTF with addresses against its image: each address must be the start of a\n"
	"function symbol with the FUNC's name, outside init and exit text.  FUNC names must\n"
	"be unique, and bare names must be unique among the symbols.\n"
	"Print one line for each violation, and one with the total.\n"
	"\n"
	"BTF is the file with the image's BTF, if it is not in the image.\n",
	.notes =
	"In plain BTF, only the format is checked.\n",
	.options = options, .finds_image = true,
};
