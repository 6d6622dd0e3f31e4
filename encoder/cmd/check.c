// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "btf/file.h"
#include "cmd/where.h"
#include "image/identity.h"
#include "inspect/verify.h"
#include "util/document.h"
#include "util/json.h"
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

static void add_json(const char *path, const struct image *img, const struct funcs *funcs,
		     const struct verify_counts *counts, json_t *found)
{
	json_t *row = json_pack("{s:o}", "path", text_json(path));

	json_object_update_missing_new(row, image__head(img));
	json_object_update_missing_new(row, json_pack("{s:I, s:I, s:I, s:o, s:o, s:O}",
		"funcs_checked", (json_int_t)funcs->nr, "with_address", (json_int_t)counts->records,
		"with_file", (json_int_t)funcs->nr_with_file,
		"entries", counts->records ? json_integer(counts->symbols) : json_null(),
		"entries_without_func", counts->records ? json_integer(counts->unencoded) : json_null(),
		"violations", found));
	document__add(row);
}

struct check_options {
	const char	*base;
	bool		quiet;
	bool		json;
};

static int check_file(const struct check_options *opts, const char *image_path, struct image *img,
		      const char *btf_path, const struct btf_data *base)
{
	const char *path = btf_path ?: image_path;
	json_t *found = opts->json ? json_array() : NULL;
	struct verify_counts counts = {};
	struct btf_data *btf = NULL;
	struct funcs *funcs = NULL;
	int err = img ? 0 : image__open(image_path, &img);

	if (!err)
		err = btf_path ? btf_data__open(btf_path, base, &btf) :
				 btf_data__from_image(img, base, &btf);
	err = err ?: btf_data__check_values(btf, path);
	if (!err) {
		funcs = funcs__new(btf);
		err = verify_image(funcs, path, img, btf_path, stdout, found, &counts);
	}
	if (!err && opts->json)
		add_json(path, img, funcs, &counts, found);
	else if (!err && !opts->quiet)
		print_counts(path, funcs, &counts);
	json_decref(found);
	funcs__free(funcs);
	btf_data__free(btf);
	image__close(img);
	return err ? EXIT_TROUBLE : counts.violations ? EXIT_DIFFERENT : EXIT_DONE;
}

/* Two files may be a module and its detached BTF. */
static int check_modules(const struct check_options *opts, int nr, char **paths, struct image *img)
{
	struct btf_data *base;
	int i, status = EXIT_DONE;

	if (btf_data__open(opts->base, NULL, &base)) {
		image__close(img);
		return EXIT_TROUBLE;
	}
	if (nr == 2 && !image__is_elf(paths[1])) {
		status = check_file(opts, paths[0], img, paths[1], base);
		nr = 0;
	}
	for (i = 0; i < nr; i++) {
		int one = check_file(opts, paths[i], i ? NULL : img, NULL, base);

		status = one > status ? one : status;
	}
	btf_data__free(base);
	return status;
}

static const struct opt options[] = {
	OPT_BASE(struct check_options, base),
	OPT_SET('j', "json", struct check_options, json, "print JSON: an object for each image"),
	OPT_SET('q', "quiet", struct check_options, quiet, "print violations only"),
	{}
};

static int cmd_check(int argc, char **argv)
{
	struct check_options opts = {};
	struct where where __cleanup(where__destroy) = {};
	struct image *img;
	int status = command__parse(&check_command, argc, argv, &opts, &where);

	if (status != GO_ON)
		return status;
	if (where__find(&where, argv, NULL, &img))
		return EXIT_TROUBLE;
	argc -= optind;
	argv += optind;
	if (opts.json && argc > 0)
		document__begin("images", json_object());
	if (opts.base && argc > 0)
		return check_modules(&opts, argc, argv, img);
	if (argc == 1 || argc == 2)
		return check_file(&opts, argv[0], img, argc > 1 ? argv[1] : NULL, NULL);
	image__close(img);
	return command__usage_error(&check_command,
				    "expected an image, and one file of BTF at most");
}

const struct command check_command = {
	.name = "check", .full_name = "abtf check", .run = cmd_check,
	.summary = "check addresses and names against the image's symbols",
	.usage =
	"abtf check [-jq] IMAGE|--running [BTF]\n"
	"       abtf check [-jq] --base BASE MODULE...\n",
	.about =
	"Check BTF with addresses against its image: each address must be the start of a\n"
	"function symbol with the FUNC's name, outside init and exit text.  FUNC names must\n"
	"be unique, and bare names must be unique among the symbols.\n"
	"Print one line for each violation, and one with the total.\n"
	"\n"
	"BTF is the file with the image's BTF, if it is not in the image.\n",
	.notes =
	"In plain BTF, only the format is checked.\n"
	"\n"
	"Exit status: 0 without violations, 1 with violations, 2 for bad input or usage.\n",
	.options = options, .finds_image = true,
};
