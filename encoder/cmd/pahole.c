// SPDX-License-Identifier: GPL-2.0-only
/*
 * The drop-in: what a kernel build, and anyone who scripts `pahole -J`, says
 * to pahole and hears from it.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/job.h"
#include "util/msg.h"
#include "version.h"

static const char usage[] =
"Usage: abtf-pahole -J [OPTIONS] IMAGE...\n"
"\n"
"Encode BTF as `pahole -J` does, from the same options.\n"
"\n"
"  -J, --btf_encode                  encode, into the .BTF section\n"
"      --btf_base=BASE               split BTF on top of BASE: an image or BTF\n"
"      --btf_encode_detached=FILE    write raw BTF to FILE instead\n"
"      --btf_features=LIST           what to encode; +LIST: beside the defaults;\n"
"                                    unknown names are ignored, repeats add up\n"
"      --btf_features_strict=LIST    the same, but unknown names are an error\n"
"      --supported_btf_features      list the names and exit\n"
"      --lang=LIST                   encode units of these languages only\n"
"      --lang_exclude=LIST           leave units of these languages out\n"
"      --strip_prefix=DIR            cut DIR off files in names; may be repeated\n"
"  -j, --jobs[=N]                    number of threads (default: all cores)\n"
"  -V, --verbose                     tell which functions are skipped, and why\n"
"  -q, --quiet                       errors only\n"
"  -F, --format_path=dwarf           what to encode; there is no other\n"
"      --hashbits=N                  ignored\n"
"      --version                     print the version of pahole that this is like;\n"
"                                    also --devel_version, --numeric_version\n"
"\n"
"Also the older --btf_attributes, --btf_encode_force, --btf_gen_all, --btf_gen_floats,\n"
"--btf_gen_optimized, --skip_encoding_btf_vars, _decl_tag, _type_tag, _enum64 and\n"
"_inconsistent_proto, --reproducible_build, --encode_btf_global_vars.\n"
"\n"
"Beside pahole's features there are func_addr and func_unit, which are off unless\n"
"asked for: --btf_features=+func_addr,func_unit.  See abtf(1).\n";

enum {
	OPT_DETACHED = 256, OPT_BASE, OPT_FEATURES, OPT_FEATURES_STRICT,
	OPT_SUPPORTED, OPT_LANG, OPT_LANG_EXCLUDE, OPT_STRIP_PREFIX,
	OPT_VERSION, OPT_NUMERIC_VERSION, OPT_FORCE, OPT_GEN_ALL, OPT_GEN_FLOATS,
	OPT_GEN_OPTIMIZED, OPT_SKIP_VARS, OPT_SKIP_DECL_TAG, OPT_SKIP_TYPE_TAG, OPT_SKIP_ENUM64,
	OPT_SKIP_INCONSISTENT, OPT_REPRODUCIBLE, OPT_GLOBAL_VARS, OPT_ATTRIBUTES,
	OPT_HASHBITS, OPT_HELP,
};

static const struct option options[] = {
	{ "btf_encode",			no_argument,	   NULL, 'J' },
	{ "btf_encode_detached",	required_argument, NULL, OPT_DETACHED },
	{ "btf_base",			required_argument, NULL, OPT_BASE },
	{ "btf_features",		required_argument, NULL, OPT_FEATURES },
	{ "btf_features_strict",	required_argument, NULL, OPT_FEATURES_STRICT },
	{ "supported_btf_features",	no_argument,	   NULL, OPT_SUPPORTED },
	{ "lang",			required_argument, NULL, OPT_LANG },
	{ "lang_exclude",		required_argument, NULL, OPT_LANG_EXCLUDE },
	{ "strip_prefix",		required_argument, NULL, OPT_STRIP_PREFIX },
	{ "jobs",			optional_argument, NULL, 'j' },
	{ "verbose",			no_argument,	   NULL, 'V' },
	{ "quiet",			no_argument,	   NULL, 'q' },
	{ "format_path",		required_argument, NULL, 'F' },
	{ "hashbits",			required_argument, NULL, OPT_HASHBITS },
	{ "version",			no_argument,	   NULL, OPT_VERSION },
	{ "devel_version",		no_argument,	   NULL, OPT_VERSION },
	{ "numeric_version",		no_argument,	   NULL, OPT_NUMERIC_VERSION },
	{ "btf_encode_force",		no_argument,	   NULL, OPT_FORCE },
	{ "btf_attributes",		no_argument,	   NULL, OPT_ATTRIBUTES },
	{ "btf_gen_all",		no_argument,	   NULL, OPT_GEN_ALL },
	{ "btf_gen_floats",		no_argument,	   NULL, OPT_GEN_FLOATS },
	{ "btf_gen_optimized",		no_argument,	   NULL, OPT_GEN_OPTIMIZED },
	{ "skip_encoding_btf_vars",	no_argument,	   NULL, OPT_SKIP_VARS },
	{ "skip_encoding_btf_decl_tag",	no_argument,	   NULL, OPT_SKIP_DECL_TAG },
	{ "skip_encoding_btf_type_tag",	no_argument,	   NULL, OPT_SKIP_TYPE_TAG },
	{ "skip_encoding_btf_enum64",	no_argument,	   NULL, OPT_SKIP_ENUM64 },
	{ "skip_encoding_btf_inconsistent_proto", no_argument, NULL, OPT_SKIP_INCONSISTENT },
	{ "reproducible_build",		no_argument,	   NULL, OPT_REPRODUCIBLE },
	{ "encode_btf_global_vars",	no_argument,	   NULL, OPT_GLOBAL_VARS },
	{ "help",			no_argument,	   NULL, OPT_HELP },
	{}
};

struct pahole_call {
	struct job	job;
	const char	*base;
	bool		encode;
	bool		by_feature;	/* --btf_features was given: it alone decides */
};

/* Before features had names, most things were on unless switched off. */
static void older_defaults(struct features *f)
{
	*f = (struct features){ .var = true, .decl_tag = true, .type_tag = true, .enum64 = true };
}

static int take_features(struct pahole_call *c, bool strict)
{
	const char *unknown;

	if (!c->by_feature)
		memset(&c->job.features, 0, sizeof(c->job.features));
	c->by_feature = true;
	features__parse(&c->job.features, optarg, false, &unknown);
	if (!unknown)
		return -1;
	if (strict) {
		msg_error("feature '%.*s' in '%s' is not supported; supported are:",
			  (int)strcspn(unknown, ","), unknown, optarg);
		features__print(stderr);
		return EXIT_BAD;
	}
	msg_info("ignoring unsupported feature '%.*s'", (int)strcspn(unknown, ","), unknown);
	return -1;
}

static void take_older_option(struct features *f, int opt)
{
	switch (opt) {
	case OPT_FORCE:
		f->encode_force = true;
		break;
	case OPT_GEN_ALL:
		features__default(f, false);
		break;
	case OPT_GEN_FLOATS:
		f->float_ = true;
		break;
	case OPT_GEN_OPTIMIZED:
		f->optimized_func = true;
		break;
	case OPT_SKIP_VARS:
		f->var = false;
		break;
	case OPT_SKIP_DECL_TAG:
		f->decl_tag = false;
		break;
	case OPT_SKIP_TYPE_TAG:
		f->type_tag = false;
		break;
	case OPT_SKIP_ENUM64:
		f->enum64 = false;
		break;
	case OPT_SKIP_INCONSISTENT:
		f->consistent_func = true;
		break;
	case OPT_ATTRIBUTES:
		f->attributes = true;
		break;
	case OPT_GLOBAL_VARS:
		f->global_var = true;
		break;
	}
}

/* Return: -1 to go on, or an exit code. */
static int take_option(struct pahole_call *c, int opt, int argc, char **argv)
{
	const char *unknown;

	switch (opt) {
	case 'J':
		c->encode = true;
		return -1;
	case OPT_DETACHED:
		c->encode = true;
		c->job.output = optarg;
		return -1;
	case OPT_BASE:
		c->base = optarg;
		return -1;
	case OPT_FEATURES:
	case OPT_FEATURES_STRICT:
		return take_features(c, opt == OPT_FEATURES_STRICT);
	case OPT_SUPPORTED:
		features__print(stdout);
		return EXIT_DONE;
	case OPT_LANG:
	case OPT_LANG_EXCLUDE:
		if (opt == OPT_LANG)
			c->job.nr_only = languages__parse(optarg, c->job.only, &unknown);
		else
			c->job.nr_exclude = languages__parse(optarg, c->job.exclude, &unknown);
		if (unknown)
			msg_warn("unknown language '%.*s' is ignored",
				 (int)strcspn(unknown, ","), unknown);
		return -1;
	case OPT_STRIP_PREFIX:
		return job__add_prefix(&c->job, optarg) ? EXIT_BAD : -1;
	case 'j':
		/* "-j 4" is -j without a number and 4 for pahole, too; kbuild writes "-j" */
		c->job.threads = optarg && !strcmp(optarg, "0") ? 1 : job__threads(optarg);
		if (c->job.threads)
			return -1;
		msg_error("-j wants a number from 1 to 1024: %s", optarg);
		return EXIT_BAD;
	case 'V':
		msg_level = MSG_VERBOSE;
		c->job.show_skipped = true;
		return -1;
	case 'q':
		msg_level = MSG_QUIET;
		return -1;
	case 'F':
		if (!strncmp(optarg, "dwarf", 5) && (!optarg[5] || optarg[5] == ','))
			return -1;
		msg_error("-F %s: only DWARF is encoded", optarg);
		return EXIT_BAD;
	case OPT_HASHBITS:
		/* of pahole's own tables */
		return -1;
	case OPT_VERSION:
		/* scripts/pahole-version.sh of the kernel makes a number of exactly this */
		puts("v" PAHOLE_VERSION);
		return EXIT_DONE;
	case OPT_NUMERIC_VERSION:
		puts("132");
		return EXIT_DONE;
	case OPT_HELP:
		return fputs(usage, stdout) < 0 ? EXIT_BAD : EXIT_DONE;
	case '?':
		fputs("Try 'abtf-pahole --help'.\n", stderr);
		return EXIT_USAGE;
	default:
		take_older_option(&c->job.features, opt);
		return -1;
	}
}

int cmd_pahole(int argc, char **argv)
{
	struct pahole_call c = { .job = { .threads = 1, .pahole = true } };
	struct base *base = NULL;
	int opt, err, ret = -1;

	older_defaults(&c.job.features);
	while (ret < 0 && (opt = getopt_long(argc, argv, "Jj::VqF:", options, NULL)) != -1)
		ret = take_option(&c, opt, argc, argv);
	if (ret >= 0)
		return fflush(stdout) ? EXIT_BAD : ret;
	if (!c.encode || optind == argc) {
		msg_error("%s; see abtf-pahole --help",
			  c.encode ? "no image given" : "only encoding (-J) is done here");
		return EXIT_USAGE;
	}
	if (c.job.output && argc - optind > 1) {
		msg_error("--btf_encode_detached is about one image");
		return EXIT_USAGE;
	}
	if (c.job.features.distilled_base && !c.base) {
		msg_error("distilled_base: there is no base to distill, --btf_base says what it is");
		return EXIT_BAD;
	}
	if (c.base && base__open(c.base, &base))
		return EXIT_BAD;
	c.job.base = base;
	c.job.base_path = c.base;
	c.job.image = argv[optind];
	if (argc - optind > 1)
		err = job__run_all(&c.job, argv + optind, argc - optind);
	else
		err = job__run(&c.job);
	base__free(base);
	free(c.job.prefixes);
	return err ? EXIT_BAD : EXIT_DONE;
}
