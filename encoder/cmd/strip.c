// SPDX-License-Identifier: GPL-2.0-only
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "btf/file.h"
#include "btf/output.h"
#include "btf/plain.h"
#include "cmd/cmd.h"
#include "util/msg.h"

static const char usage[] =
	"Usage: abtf strip [--loadable] [--base BASE] IMAGE|BTF OUT\n"
	"\n"
	"Write plain BTF, which every reader takes: FUNCs without their addresses, and\n"
	"the same ids, names and tags, as a kernel shows it.\n"
	"\n"
	"  OUT             a file of raw BTF, in the byte order of the input; - is stdout\n"
	"  -l, --loadable  leave out functions called NAME@FILE, and tags on them: no kernel\n"
	"                  loads such names without addresses; ids change\n"
	"  -b, --base=BASE what split BTF (of a module) stands on: an image or BTF\n"
	"  -h, --help      show this\n";

static int strip_file(const char *in, const char *base_path, bool loadable, const char *out)
{
	struct btf_data *base = NULL, *btf = NULL;
	void *bytes = NULL;
	int64_t left_out;
	size_t size;
	int err = 0;

	if (output__is_same(in, out) || (base_path && output__is_same(base_path, out))) {
		msg_error("%s: is an input, and would be overwritten", out);
		return EXIT_BAD;
	}
	if (base_path)
		err = btf_data__open(base_path, NULL, &base);
	err = err ?: btf_data__open(in, base, &btf);
	if (err)
		goto out;
	left_out = btf_data__plain(btf, loadable, btf->big_endian, &bytes, &size);
	if (left_out < 0) {
		err = left_out;
		msg_error("%s: %s", in, strerror(-err));
		goto out;
	}
	err = output__file(out, bytes, size);
	if (!err)
		msg_info("%s: %u types left out of %u, %u addresses removed", out,
			 (uint32_t)left_out, btf->nr_types, btf->nr_records);
out:
	free(bytes);
	btf_data__free(btf);
	btf_data__free(base);
	return err ? EXIT_BAD : EXIT_DONE;
}

int cmd_strip(int argc, char **argv)
{
	static const struct option options[] = {
		{ "base", required_argument, NULL, 'b' },
		{ "loadable", no_argument,   NULL, 'l' },
		{ "help", no_argument,	     NULL, 'h' },
		{}
	};
	const char *base = NULL;
	bool loadable = false;
	int c;

	while ((c = getopt_long(argc, argv, "b:lh", options, NULL)) != -1) {
		switch (c) {
		case 'b':
			base = optarg;
			break;
		case 'l':
			loadable = true;
			break;
		case 'h':
			return usage_help(usage);
		default:
			return usage_error(usage, NULL);
		}
	}
	if (argc - optind != 2)
		return usage_error(usage, "strip: expected an image or BTF, and where to write");
	return strip_file(argv[optind], base, loadable, argv[optind + 1]);
}
