// SPDX-License-Identifier: GPL-2.0-only
#include <sys/stat.h>
#include <unistd.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/job.h"
#include "cmd/where.h"
#include "util/msg.h"

static const char usage[] =
"Usage: abtf encode [OPTIONS] IMAGE...|--running\n"
"\n"
"Encode the DWARF of a kernel image as BTF, one FUNC with its address for\n"
"every function whose prototype is proven; or amend the BTF that the image has, with --from-btf.\n"
"Without -o, into the image's .BTF section.  Of several images one that fails\n"
"is reported, and the others go on.\n"
"\n"
"  -o, --output=FILE         write raw BTF to FILE, - for stdout; if FILE ends\n"
"                            in .elf, an ELF file with .BTF and the build id;\n"
"                            if it is a folder (and for several images), write\n"
"                            FILE/PATH/OF/IMAGE.btf\n"
"  -b, --base=BASE           split BTF on top of BASE, for modules: an image or BTF\n"
"      --distilled-base      write what it needs of BASE to .BTF.base, for modules\n"
"                            built outside of the kernel's tree\n"
"  -j, --jobs=N              number of threads (default: all cores)\n"
"      --features=LIST       what to encode; +LIST: beside the defaults\n"
"      --from-btf            take the types from the image's .BTF, and join its\n"
"                            FUNCs with the symbols; a feature that is off is\n"
"                            removed\n"
"      --lang-exclude=LIST   leave units of these languages out (default: rust;\n"
"                            an empty LIST: none)\n"
"      --lang=LIST           encode units of these languages only\n"
"      --strip-prefix=DIR    cut DIR off files in names, instead of the source\n"
"                            tree's root, which is found by itself; may be repeated\n"
"      --report=FILE         write what became of every function, as JSON\n"
"  -q, --quiet               errors only\n"
"  -v, --verbose             tell figures and times\n"
WHERE_HELP
"  -h, --help                this text\n"
"\n"
"Features: encode_force var float decl_tag type_tag enum64 optimized_func\n"
"consistent_func decl_tag_kfuncs func_addr func_unit (the defaults),\n"
"reproducible_build distilled_base global_var attributes true_signature layout\n"
"force_cu_merging.\n";

enum {
	OPT_FEATURES = 256, OPT_FROM_BTF, OPT_LANG, OPT_LANG_EXCLUDE, OPT_STRIP_PREFIX, OPT_REPORT,
	OPT_DISTILLED_BASE,
};

static const struct option options[] = {
	{ "output",	  required_argument, NULL, 'o' },
	{ "base",	  required_argument, NULL, 'b' },
	{ "distilled-base", no_argument,     NULL, OPT_DISTILLED_BASE },
	{ "jobs",	  required_argument, NULL, 'j' },
	{ "features",	  required_argument, NULL, OPT_FEATURES },
	{ "from-btf",	  no_argument,	     NULL, OPT_FROM_BTF },
	{ "lang",	  required_argument, NULL, OPT_LANG },
	{ "lang-exclude", required_argument, NULL, OPT_LANG_EXCLUDE },
	{ "lang_exclude", required_argument, NULL, OPT_LANG_EXCLUDE },
	{ "strip-prefix", required_argument, NULL, OPT_STRIP_PREFIX },
	{ "report",	  required_argument, NULL, OPT_REPORT },
	{ "quiet",	  no_argument,	     NULL, 'q' },
	{ "verbose",	  no_argument,	     NULL, 'v' },
	{ "help",	  no_argument,	     NULL, 'h' },
	WHERE_OPTIONS,
	{}
};

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

struct encode_call {
	struct job	job;
	const char	*base;
	bool		features;	/* --features was given */
	bool		distilled_base;
	bool		languages;	/* --lang or --lang-exclude was given */
	struct where	where;
};

/* Return: -1 to go on, or an exit code. */
static int take_option(struct encode_call *call, int opt)
{
	struct job *job = &call->job;
	const char *unknown = NULL;

	switch (opt) {
	case 'o':
		job->output = optarg;
		job->elf = ends_in(optarg, ".elf");
		return -1;
	case 'b':
		call->base = optarg;
		return -1;
	case OPT_DISTILLED_BASE:
		call->distilled_base = true;
		return -1;
	case 'j':
		job->threads = job__threads(optarg);
		return job->threads ? -1 : bad_usage("-j wants a number from 1 to 1024", optarg);
	case OPT_FEATURES:
		call->features = true;
		features__parse(&job->features, optarg, true, &unknown);
		return unknown ? bad_usage("unknown feature", unknown) : -1;
	case OPT_FROM_BTF:
		job->from_btf = true;
		return -1;
	case OPT_LANG:
		call->languages = true;
		job->nr_only = languages__parse(optarg, job->only, &unknown);
		return unknown ? bad_usage("unknown language", unknown) : -1;
	case OPT_LANG_EXCLUDE:
		call->languages = true;
		job->nr_exclude = languages__parse(optarg, job->exclude, &unknown);
		return unknown ? bad_usage("unknown language", unknown) : -1;
	case OPT_STRIP_PREFIX:
		return job__add_prefix(job, optarg) ? EXIT_BAD : -1;
	case OPT_REPORT:
		job->report = optarg;
		return -1;
	case 'q':
		msg_level = MSG_QUIET;
		return -1;
	case 'v':
		msg_level = MSG_VERBOSE;
		return -1;
	case 'h':
		return fputs(usage, stdout) < 0 ? EXIT_BAD : EXIT_DONE;
	default:
		if (where__option(&call->where, opt))
			return -1;
		fputs("Try 'abtf encode --help'.\n", stderr);
		return EXIT_USAGE;
	}
}

static bool is_folder(const char *path)
{
	struct stat st;

	return ends_in(path, "/") || (!stat(path, &st) && S_ISDIR(st.st_mode));
}

/* What cannot go together.  Return: -1 to go on, or an exit code. */
static int check_job(const struct encode_call *call, int nr_images, bool many)
{
	const struct job *job = &call->job;

	if (!nr_images)
		return bad_usage("no image given", "IMAGE");
	if (job->from_btf && call->languages)
		return bad_usage("BTF does not say the language of a unit, and --from-btf cannot exclude one",
				 "--lang, --lang-exclude");
	if (many && job->report)
		return bad_usage("a report is about one image", job->report);
	if (many && job->output && !is_folder(job->output) && access(job->output, F_OK) == 0)
		return bad_usage("-o wants a folder for several images", job->output);
	if (job->report && job->output && !strcmp(job->report, "-") && !strcmp(job->output, "-"))
		return bad_usage("-o and --report cannot both be stdout", "-");
	if (job->features.distilled_base && !call->base)
		return bad_usage("there is no base to distill, --base says what it is",
				 "--distilled-base");
	if (job->features.distilled_base && job->output)
		return bad_usage("a distilled base is written into modules, not to a file",
				 job->output);
	return -1;
}

static int run_call(struct encode_call *call, char **images, int nr, bool many)
{
	struct job *job = &call->job;
	struct base *base = NULL;
	int err = 0;

	if (call->base)
		err = base__open(call->base, &base);
	job->base = base;
	job->base_path = call->base;
	job->image = images[0];
	if (!err)
		err = many ? job__run_all(job, images, nr) : job__run(job);
	base__free(base);
	return err ? EXIT_BAD : EXIT_DONE;
}

int cmd_encode(int argc, char **argv)
{
	struct encode_call call = { .job = { .threads = job__threads(NULL) } };
	int opt, ret = -1;
	bool many;

	while (ret < 0 && (opt = getopt_long(argc, argv, "o:b:j:qvh", options, NULL)) != -1)
		ret = take_option(&call, opt);
	if (ret < 0 && call.where.asked && !call.job.output)
		ret = bad_usage("the image that is found is not written to, -o says where BTF goes",
				"--running");
	if (ret < 0 && where__find(&call.where, argv))
		ret = EXIT_BAD;
	many = argc - optind > 1 || (call.job.output && is_folder(call.job.output));
	if (!call.features)
		features__default(&call.job.features, true);
	call.job.features.distilled_base |= call.distilled_base;
	/* as kbuild has it: names of Rust are no identifiers, and no kernel looks for them */
	if (!call.languages)
		call.job.nr_exclude = languages__parse("rust", call.job.exclude,
						       &(const char *){ NULL });
	if (ret < 0)
		ret = check_job(&call, argc - optind, many);
	if (ret < 0)
		ret = run_call(&call, argv + optind, argc - optind, many);
	free(call.job.prefixes);
	return ret;
}
