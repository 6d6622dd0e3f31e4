// SPDX-License-Identifier: GPL-2.0-only
#include <sys/stat.h>
#include <unistd.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/job.h"
#include "cmd/where.h"
#include "util/msg.h"

static int bad_usage(const char *what, const char *arg)
{
	msg_error("%s: %s; see abtf encode --help", what, arg);
	return EXIT_USAGE;
}

static bool ends_in(const char *s, const char *end)
{
	size_t len = strlen(s), n = strlen(end);

	return len > n && !strcmp(s + len - n, end);
}

/**
 * struct encode_call - data of the options
 * @features:	--features was given
 * @languages:	--lang or --lang-exclude was given
 */
struct encode_call {
	struct job	job;
	bool		distilled_base;
	bool		features;
	bool		languages;
};

static int parse_output(void *data, const char *arg, bool value)
{
	struct job *job = data;

	job->output = arg;
	job->elf = ends_in(arg, ".elf");
	return GO_ON;
}

static int parse_features(void *data, const char *arg, bool value)
{
	struct encode_call *call = data;
	const char *unknown;

	if (!call->features)
		features__clear(&call->job.encode);
	call->features = true;
	unknown = features__parse(&call->job.encode, arg, true);
	return unknown ? bad_usage("unknown feature", unknown) : GO_ON;
}

static int parse_languages(void *data, const char *arg, bool only)
{
	struct encode_call *call = data;
	struct load_options *load = &call->job.encode.load;
	const char *unknown;

	/* either option replaces the default */
	if (!call->languages)
		load->excluded.nr = 0;
	call->languages = true;
	unknown = languages__parse(only ? &load->only : &load->excluded, arg);
	return unknown ? bad_usage("unknown language", unknown) : GO_ON;
}

static const struct opt options[] = {
	OPT_CALL('o', "output", "FILE", COMPLETE_FILE, parse_output,
		 "write raw BTF to FILE, - for stdout; if FILE ends in .elf, an ELF file with .BTF and the build id; if FILE is a directory, or for several images, write FILE/PATH/OF/IMAGE.btf"),
	OPT_TEXT('b', "base", "BASE", COMPLETE_FILE, struct encode_call, job.base_path,
		 "split BTF on top of BASE, for modules: an image or BTF"),
	OPT_SET(0, "distilled-base", struct encode_call, distilled_base,
		"write the types of BASE that the module needs to .BTF.base, for out-of-tree modules"),
	OPT_JOBS,
	OPT_REPEATED(0, "features", "LIST", COMPLETE_FEATURES, parse_features, false,
		 "what to encode; +LIST: in addition to the defaults"),
	OPT_SET(0, "from-btf", struct encode_call, job.encode.from_btf,
		"read types from the image's .BTF instead of DWARF, and match its FUNCs with symbols; features that are off are removed"),
	OPT_REPEATED(0, "lang-exclude", "LIST", COMPLETE_LANGUAGES, parse_languages, false,
		 "skip compile units in these languages (default: rust; an empty LIST skips none)"),
	/* as pahole spells it */
	OPT_REPEATED(0, "lang_exclude", "LIST", COMPLETE_LANGUAGES, parse_languages, false, NULL),
	OPT_REPEATED(0, "lang", "LIST", COMPLETE_LANGUAGES, parse_languages, true,
		 "encode only compile units in these languages"),
	OPT_REPEATED(0, "strip-prefix", "DIR", COMPLETE_DIR, job__parse_prefix, false,
		 "strip DIR from the file paths in names, instead of the root of the source tree, which is found automatically; may be repeated"),
	OPT_SET(0, "strip-signature", struct encode_call, job.strip_signature,
		"remove the signature of a module that is written to: sign it again"),
	OPT_TEXT(0, "report", "FILE", COMPLETE_FILE, struct encode_call, job.report,
		 "write the outcome for every function, as JSON"),
	OPT_QUIET,
	OPT_CALL('v', "verbose", NULL, COMPLETE_NOTHING, parse_verbose, "print figures and times"),
	{}
};

static bool is_folder(const char *path)
{
	struct stat st;

	return ends_in(path, "/") || (!stat(path, &st) && S_ISDIR(st.st_mode));
}

/* Check for options that cannot be combined. Return: GO_ON, or an exit code. */
static int check_job(const struct encode_call *call, int nr_images, bool many)
{
	const struct job *job = &call->job;

	if (!nr_images)
		return bad_usage("no image given", "IMAGE");
	if (job->encode.from_btf && call->languages)
		return bad_usage("BTF does not record the language of a unit, so --from-btf cannot exclude any",
				 "--lang, --lang-exclude");
	if (many && job->report)
		return bad_usage("a report covers only one image", job->report);
	if (many && job->output && !is_folder(job->output) && access(job->output, F_OK) == 0)
		return bad_usage("-o must be a directory for several images", job->output);
	if (job->report && job->output && !strcmp(job->report, "-") && !strcmp(job->output, "-"))
		return bad_usage("-o and --report cannot both be stdout", "-");
	if (job->encode.distill && !job->base_path)
		return bad_usage("a distilled base needs --base",
				 "--distilled-base");
	if (job->encode.distill && job->output)
		return bad_usage("a distilled base is written into modules, not to a file",
				 job->output);
	return GO_ON;
}

static int cmd_encode(int argc, char **argv)
{
	struct encode_call call = {};
	struct where where __cleanup(where__destroy) = {};
	bool many;
	int ret;

	encode_options__default(&call.job.encode);
	ret = command__parse(&encode_command, argc, argv, &call, &where);
	if (ret == GO_ON && where__is_used(&where) && !call.job.output)
		ret = bad_usage("-o is required, because an image found by its build id is not written to",
				"--running");
	if (ret == GO_ON && where__find(&where, argv, NULL, &call.job.found))
		ret = EXIT_BAD;
	many = argc - optind > 1 || (call.job.output && is_folder(call.job.output));
	call.job.encode.distill |= call.distilled_base;
	if (ret == GO_ON)
		ret = check_job(&call, argc - optind, many);
	if (ret == GO_ON)
		ret = job__run_all(&call.job, argv + optind, argc - optind, many) ? EXIT_BAD :
										    EXIT_DONE;
	free(call.job.encode.prefixes.array);
	return ret;
}

const struct command encode_command = {
	.name = "encode", .full_name = "abtf encode", .run = cmd_encode,
	.summary = "make BTF with function addresses from DWARF",
	.usage = "abtf encode [OPTIONS] IMAGE...|--running\n",
	.about =
	"Encode the DWARF of a kernel image as BTF, with a FUNC and its address for every\n"
	"function whose prototype is proven; with --from-btf, amend the BTF of the image.\n"
	"Without -o, write to the image's .BTF section.  If one of several images fails,\n"
	"the error is reported and the others continue.\n",
	.print_notes = features__print_help,
	.options = options, .finds_image = true,
};
