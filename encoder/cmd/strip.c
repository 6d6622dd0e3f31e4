// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "btf/file.h"
#include "btf/output.h"
#include "cmd/cmd.h"
#include "inspect/plain.h"
#include "util/msg.h"

static int strip_file(const char *in, const char *base_path, bool loadable, const char *out)
{
	struct btf_data *base = NULL, *btf = NULL;
	void *bytes = NULL;
	uint32_t left_out;
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
	left_out = btf_data__plain(btf, loadable, &bytes, &size);
	err = output__file(out, bytes, size);
	if (!err)
		msg_info("%s: %u of %u types omitted, %u addresses removed", out,
			 left_out, btf->nr_types, btf->nr_records);
out:
	free(bytes);
	btf_data__free(btf);
	btf_data__free(base);
	return err ? EXIT_BAD : EXIT_DONE;
}

struct strip_options {
	const char	*base;
	bool		loadable;
};

static const struct opt options[] = {
	OPT_SET('l', "loadable", struct strip_options, loadable,
		"omit functions named NAME@FILE, and tags on them: kernels reject such names without addresses; ids change"),
	OPT_BASE(struct strip_options, base),
	{}
};

static int cmd_strip(int argc, char **argv)
{
	struct strip_options opts = {};
	int status = command__parse(&strip_command, argc, argv, &opts, NULL);

	if (status != GO_ON)
		return status;
	if (argc - optind != 2)
		return command__usage_error(&strip_command,
					    "expected an image or BTF, and where to write");
	return strip_file(argv[optind], opts.base, opts.loadable, argv[optind + 1]);
}

const struct command strip_command = {
	.name = "strip", .full_name = "abtf strip", .run = cmd_strip,
	.summary = "write plain BTF, for readers that do not support addresses",
	.usage = "abtf strip [--loadable] [--base BASE] IMAGE|BTF OUT\n",
	.about =
	"Write plain BTF, which every reader accepts: FUNCs without their addresses, with\n"
	"the same ids, names and tags.  OUT is a file for raw BTF in the byte order of the\n"
	"input; - is stdout.\n",
	.options = options,
};
