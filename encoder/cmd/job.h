/* SPDX-License-Identifier: GPL-2.0-only */
/* What `abtf encode` and its clothes as pahole have in common. */
#ifndef ABTF_CMD_JOB_H
#define ABTF_CMD_JOB_H

#include "cmd/features.h"

/**
 * struct job - one image to encode
 * @image:	its path
 * @output:	detached file, "-" for stdout; NULL: the image's .BTF section
 * @elf:	@output becomes a small ELF file
 * @report:	JSON report, "-" for stdout, or NULL
 * @page:	write this page instead of BTF, "-" for stdout; or NULL
 * @base:	the base of split BTF, or NULL
 * @base_path:	its path
 * @from_btf:	amend the image's BTF instead of reading DWARF
 * @one_of_many: no progress and figures of its own
 * @features:	what to encode
 * @only:	languages to encode, if @nr_only
 * @exclude:	languages not to encode
 * @prefixes:	source prefixes to cut off unit names
 * @pahole:	called as pahole: write what it would
 * @show_skipped: print every skipped function with its reason
 */
struct job {
	const char	*image;
	const char	*output;
	bool		elf;
	const char	*report;
	const char	*page;
	const struct base *base;
	const char	*base_path;
	bool		from_btf;
	bool		one_of_many;
	struct features	features;
	uint32_t	only[MAX_LANGUAGES];
	uint32_t	nr_only;
	uint32_t	exclude[MAX_LANGUAGES];
	uint32_t	nr_exclude;
	const char	**prefixes;
	uint32_t	nr_prefixes;
	uint32_t	cap_prefixes;
	unsigned int	threads;
	bool		pahole;
	bool		show_skipped;
};

/** job__add_prefix() - cut @dir off unit names. Return: 0, or -ENOMEM after a message. */
int job__add_prefix(struct job *job, const char *dir);

/** job__run() - Encode. Return: 0, or a negative errno after a message. */
int job__run(const struct job *job);

/**
 * job__run_all() - encode many images, shared out over threads
 * @job:	all but @image; @output is a folder for detached files, or NULL
 * @images:	their paths
 *
 * A detached file is called as its image is, with ".btf" behind it, in the same
 * folders below @output.  Images that fail are reported and the others go on.
 *
 * Return: 0; or a negative errno if one failed, or nothing was begun because two
 * would have one output.
 */
int job__run_all(const struct job *job, char **images, uint32_t nr);

/**
 * job__threads() - read the argument of -j
 *
 * Return: the number; all cores for NULL; 0 if it is no number from 1 to 1024.
 */
unsigned int job__threads(const char *arg);

#endif /* ABTF_CMD_JOB_H */
