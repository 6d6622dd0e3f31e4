// SPDX-License-Identifier: GPL-2.0-only
/* abtf-pahole: accepts the options of pahole that encode BTF, and prints its messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/job.h"
#include "util/jobserver.h"
#include "util/msg.h"
#include "version.h"

/* EX_USAGE, which pahole's parser uses */
enum { PAHOLE_USAGE	= 64 };

/**
 * struct pahole_call - data of the options
 * @by_feature:	--btf_features was given: it alone decides
 * @has_languages: so was --lang or --lang_exclude: the environment does not count
 */
struct pahole_call {
	struct job	job;
	bool		encode;
	bool		by_feature;
	bool		has_languages;
};

static int parse_output(void *data, const char *arg, bool value)
{
	struct pahole_call *c = data;

	c->encode = true;
	c->job.output = arg;
	return GO_ON;
}

static int parse_features(void *data, const char *list, bool strict)
{
	struct pahole_call *c = data;
	const char *unknown;

	if (!c->by_feature)
		features__clear(&c->job.encode);
	c->by_feature = true;
	unknown = features__parse(&c->job.encode, list, false);
	if (!unknown)
		return GO_ON;
	if (strict) {
		msg_error("feature '%.*s' in '%s' is not supported; supported are:",
			  (int)strcspn(unknown, ","), unknown, list);
		features__print(stderr);
		return EXIT_BAD;
	}
	msg_info("ignoring unsupported feature '%.*s'", (int)strcspn(unknown, ","), unknown);
	return GO_ON;
}

static int print_features(void *data, const char *arg, bool value)
{
	features__print(stdout);
	return EXIT_DONE;
}

static int parse_languages(void *data, const char *list, bool only)
{
	struct pahole_call *c = data;
	struct load_options *load = &c->job.encode.load;
	const char *unknown = languages__parse(only ? &load->only : &load->excluded, list);

	c->has_languages = true;
	if (!unknown)
		return GO_ON;
	msg_error("unknown language '%.*s'", (int)strcspn(unknown, ","), unknown);
	return EXIT_BAD;
}

static int parse_jobs(void *data, const char *arg, bool value)
{
	struct pahole_call *c = data;
	long nr = arg ? strtol(arg, NULL, 10) : 0;

	/*
	 * like in pahole, "-j 4" is -j without a number, and an argument 4, and anything can be a
	 * number; kbuild uses "-j"
	 */
	c->job.encode.threads = !arg ? nr_cores() : nr < 1 ? 1 : nr < MAX_THREADS ? nr : MAX_THREADS;
	return GO_ON;
}

static int show_skipped(void *data, const char *arg, bool value)
{
	struct pahole_call *c = data;

	c->job.show_skipped = true;
	return parse_verbose(data, arg, value);
}

static int parse_format(void *data, const char *arg, bool value)
{
	if (!strncmp(arg, "dwarf", 5) && (!arg[5] || arg[5] == ','))
		return GO_ON;
	msg_error("-F %s: only DWARF is encoded", arg);
	return EXIT_BAD;
}

static int ignore_option(void *data, const char *arg, bool value)
{
	return GO_ON;
}

static int print_version(void *data, const char *arg, bool numeric)
{
	/* scripts/pahole-version.sh of the kernel parses this */
	puts(numeric ? "132" : "v" PAHOLE_VERSION);
	return EXIT_DONE;
}

static int gen_all(void *data, const char *arg, bool value)
{
	struct pahole_call *c = data;

	features__all(&c->job.encode);
	return GO_ON;
}

#define PAHOLE_SET(name, field)		OPT_SET(0, name, struct pahole_call, field, "")
#define PAHOLE_CLEAR(name, field)	OPT_CLEAR(0, name, struct pahole_call, field, "")

static const struct opt options[] = {
	OPT_SET('J', "btf_encode", struct pahole_call, encode, "encode, into the .BTF section"),
	OPT_TEXT(0, "btf_base", "BASE", COMPLETE_FILE, struct pahole_call, job.base_path,
		 "split BTF on top of BASE: an image or BTF"),
	OPT_CALL(0, "btf_encode_detached", "FILE", COMPLETE_FILE, parse_output,
		 "write raw BTF to FILE instead"),
	OPT_CALL(0, "btf_features", "LIST", COMPLETE_FEATURES, parse_features,
		 "what to encode; +LIST: in addition to the defaults; unknown names are ignored, lists are combined if repeated"),
	OPT_CALL_WITH(0, "btf_features_strict", "LIST", COMPLETE_FEATURES, parse_features, true,
		 "the same, but unknown names are an error"),
	OPT_CALL(0, "supported_btf_features", NULL, COMPLETE_NOTHING, print_features,
		 "list the names and exit"),
	OPT_CALL_WITH(0, "lang", "LIST", COMPLETE_LANGUAGES, parse_languages, true,
		 "encode only compile units in these languages"),
	OPT_CALL(0, "lang_exclude", "LIST", COMPLETE_LANGUAGES, parse_languages,
		 "skip compile units in these languages"),
	OPT_CALL(0, "strip_prefix", "DIR", COMPLETE_DIR, job__parse_prefix,
		 "strip DIR from the file paths in names; may be repeated"),
	OPT_CALL('j', "jobs", "[=N]", COMPLETE_JOBS, parse_jobs,
		 "number of threads; without N, all cores"),
	OPT_CALL('V', "verbose", NULL, COMPLETE_NOTHING, show_skipped,
		 "print skipped functions, and the reasons"),
	OPT_QUIET,
	OPT_CALL('F', "format_path", "FORMAT", COMPLETE_NOTHING, parse_format,
		 "the input format; must be dwarf"),
	OPT_CALL(0, "hashbits", "N", COMPLETE_NOTHING, ignore_option, "ignored"),
	OPT_CALL(0, "version", NULL, COMPLETE_NOTHING, print_version,
		 "print the version of pahole that this replaces; also --devel_version, --numeric_version"),
	OPT_CALL(0, "devel_version", NULL, COMPLETE_NOTHING, print_version, ""),
	OPT_CALL_WITH(0, "numeric_version", NULL, COMPLETE_NOTHING, print_version, true, ""),
	/* older than --btf_features */
	PAHOLE_SET("btf_encode_force", job.encode.force),
	PAHOLE_SET("btf_attributes", job.encode.load.attributes),
	OPT_CALL(0, "btf_gen_all", NULL, COMPLETE_NOTHING, gen_all, ""),
	PAHOLE_SET("btf_gen_floats", job.encode.load.floats),
	PAHOLE_SET("btf_gen_optimized", job.encode.func.optimized),
	PAHOLE_CLEAR("skip_encoding_btf_vars", job.encode.load.percpu),
	PAHOLE_CLEAR("skip_encoding_btf_decl_tag", job.encode.load.decl_tags),
	PAHOLE_CLEAR("skip_encoding_btf_type_tag", job.encode.load.type_tags),
	PAHOLE_CLEAR("skip_encoding_btf_enum64", job.encode.load.enum64),
	PAHOLE_SET("skip_encoding_btf_inconsistent_proto", job.encode.func.consistent),
	OPT_CALL(0, "reproducible_build", NULL, COMPLETE_NOTHING, ignore_option, ""),
	PAHOLE_SET("encode_btf_global_vars", job.encode.load.global_vars),
	{}
};

static const struct command pahole_command = {
	.usage = "abtf-pahole -J [OPTIONS] IMAGE...\n",
	.about = "Encode BTF as `pahole -J` does, from the same options.\n",
	.notes =
	"Also the older --btf_attributes, --btf_encode_force, --btf_gen_all, --btf_gen_floats,\n"
	"--btf_gen_optimized, --skip_encoding_btf_vars, _decl_tag, _type_tag, _enum64 and\n"
	"_inconsistent_proto, --reproducible_build, --encode_btf_global_vars.\n"
	"\n"
	"The features func_addr and func_unit, which pahole does not have, are off by\n"
	"default: --btf_features=+func_addr,func_unit.  See abtf(1).\n",
	.options = options,
};

int cmd_pahole(int argc, char **argv)
{
	/* before features had names, most of them were enabled by default */
	struct pahole_call c = { .job.encode = {
		.threads = 1, .progress = true, .func.pahole = true,
		.load = { .percpu = true, .decl_tags = true, .type_tags = true, .enum64 = true },
	} };
	const char *languages = getenv("PAHOLE_LANG_EXCLUDE");
	int err, ret = command__parse(&pahole_command, argc, argv, &c, NULL);

	if (ret == GO_ON && languages && !c.has_languages)
		ret = parse_languages(&c, languages, false);
	if (ret != GO_ON)
		return fflush(stdout) ? EXIT_BAD : ret == EXIT_USAGE ? PAHOLE_USAGE : ret;
	if (!c.encode || optind == argc) {
		msg_error("%s; see abtf-pahole --help",
			  c.encode ? "no image given" : "only encoding (-J) is done here");
		return PAHOLE_USAGE;
	}
	if (c.job.output && argc - optind > 1) {
		msg_error("--btf_encode_detached expects a single image");
		return PAHOLE_USAGE;
	}
	err = job__run_all(&c.job, argv + optind, argc - optind, argc - optind > 1);
	free(c.job.encode.prefixes.array);
	return err ? EXIT_BAD : EXIT_DONE;
}
