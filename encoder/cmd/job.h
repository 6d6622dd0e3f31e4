/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by `abtf encode` and `abtf-pahole`. */
#ifndef ABTF_CMD_JOB_H
#define ABTF_CMD_JOB_H

#include "cmd/cmd.h"
#include "encode_features.h"

/**
 * struct job - an image, options and outputs
 * @image:	path of an image; set for each of a batch, like @output
 * @found:	the first image, if it is open already; job__run_all() closes it; otherwise NULL
 * @output:	detached file, "-" for stdout; NULL: the image's .BTF section
 * @elf:	@output becomes a small ELF file
 * @report:	JSON report, "-" for stdout, or NULL
 * @base_path:	path of the base in @encode
 * @one_of_many: print no figures
 * @strip_signature: without @output: remove the signature of a module
 * @show_skipped: print every skipped function with its reason
 * @encode:	what to encode; the command frees its prefixes
 */
struct job {
	const char	*image;
	struct image	*found;
	const char	*output;
	bool		elf;
	const char	*report;
	const char	*base_path;
	bool		one_of_many;
	bool		strip_signature;
	bool		show_skipped;
	struct encode_options encode;
};

/* For tables of options whose data starts with a struct job */
#define OPT_JOBS								\
	OPT_CALL('j', "jobs", "N", COMPLETE_JOBS, job__parse_jobs,		\
		 "number of threads (default: all cores)")

/* As @take of struct opt, with a struct job as data */
int job__parse_jobs(void *job, const char *arg, bool value);
int job__parse_prefix(void *job, const char *dir, bool value);

/**
 * job__run_all() - open the base, and encode one image, or many in parallel
 * @job:	all but @image and the base
 * @images:	their paths
 * @many:	@output of @job is a directory for detached files, or NULL
 *
 * Then, a detached file has its image's path with ".btf" appended, below @output.  Images
 * that fail are reported, and the others are still encoded.
 *
 * Return: 0; or a negative errno if an image failed, or if nothing was encoded because two
 * images would have the same output.
 */
int job__run_all(struct job *job, char **images, uint32_t nr, bool many);

/** jobs__take() - Parse the argument of -j. Return: -1, or an exit code after a message. */
int jobs__take(const char *arg, unsigned int *ret);

#define MAX_THREADS	1024U

#endif /* ABTF_CMD_JOB_H */
