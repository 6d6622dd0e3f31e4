// SPDX-License-Identifier: GPL-2.0-only
/* Encode many images in one call, such as thousands of modules. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/job.h"
#include "util/jobserver.h"
#include "util/memory.h"
#include "util/msg.h"

/**
 * struct batch - what the threads share
 * @outputs:	by image: its detached file, or NULL
 * @done:	images that are finished
 * @failed:	those that failed
 */
struct batch {
	const struct job	*job;
	char			**images;
	char			**outputs;
	uint32_t		nr;
	atomic_uint		done;
	atomic_uint		failed;
};

/*
 * DIR/PATH.btf.  Strip "/" from the start of PATH, and resolve "." and "..", so that
 * nothing is written outside of DIR.
 */
static char *make_output(const char *dir, const char *path)
{
	size_t dir_len = strlen(dir), len;
	char *out = xmalloc(dir_len + strlen(path) + sizeof("/.btf")), *p;

	memcpy(out, dir, dir_len);
	p = out + dir_len;
	for (; *path; path += len) {
		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (!len || (len == 1 && path[0] == '.'))
			continue;
		if (len == 2 && path[0] == '.' && path[1] == '.') {
			while (p > out + dir_len && *--p != '/')
				;
			continue;
		}
		*p++ = '/';
		memcpy(p, path, len);
		p += len;
	}
	strcpy(p, ".btf");
	return out;
}

static int compare_outputs(const void *x, const void *y, void *arg)
{
	char **outputs = arg;

	return strcmp(outputs[*(const uint32_t *)x], outputs[*(const uint32_t *)y]);
}

/* No two images may have the same output. */
static int check_outputs(const struct batch *b)
{
	uint32_t *order __cleanup(free_pointer) = xcalloc(b->nr, sizeof(*order));
	int err = 0;

	for (uint32_t i = 0; i < b->nr; i++)
		order[i] = i;
	qsort_r(order, b->nr, sizeof(*order), compare_outputs, b->outputs);
	for (uint32_t i = 1; i < b->nr && !err; i++)
		if (!strcmp(b->outputs[order[i - 1]], b->outputs[order[i]]))
			err = msg_fail(-EEXIST, "%s and %s would both be written to %s",
				       b->images[order[i - 1]], b->images[order[i]],
				       b->outputs[order[i]]);
	return err;
}

/* Create the parent directories of a file. */
static int make_directories(const char *path)
{
	char *copy __cleanup(free_pointer) = xstrdup(path);

	for (char *p = copy; (p = strchr(p + 1, '/')); *p = '/') {
		*p = '\0';
		if (mkdir(copy, 0777) && errno != EEXIST)
			return msg_fail(-errno, "%s: cannot make this folder: %s", copy,
					strerror(errno));
	}
	return 0;
}

/* If one image fails, the others are encoded. */
static int encode_one(void *arg, unsigned int thread, uint32_t i)
{
	struct batch *b = arg;
	struct job job = *b->job;

	job.encode.threads = 1;
	job.encode.progress = false;
	job.one_of_many = true;
	job.image = b->images[i];
	job.output = b->outputs[i];
	if ((job.output && make_directories(job.output)) || job__run(&job))
		atomic_fetch_add(&b->failed, 1);
	msg_progress("images", atomic_fetch_add(&b->done, 1) + 1, b->nr);
	return 0;
}

static int encode_many(const struct job *job, char **images, uint32_t nr)
{
	struct batch b = { .job = job, .images = images, .nr = nr };
	int err = 0;

	b.outputs = xcalloc(nr, sizeof(*b.outputs));
	for (uint32_t i = 0; i < nr && job->output; i++)
		b.outputs[i] = make_output(job->output, images[i]);
	if (job->output)
		err = check_outputs(&b);
	err = err ?: jobs__each(job->encode.threads, nr, encode_one, &b);
	if (!err && atomic_load(&b.failed))
		err = msg_fail(-EINVAL, "%u of %u images failed", atomic_load(&b.failed), nr);
	for (uint32_t i = 0; i < nr; i++)
		free(b.outputs[i]);
	free(b.outputs);
	return err;
}

int job__run_all(struct job *job, char **images, uint32_t nr, bool many)
{
	struct base *base = NULL;
	int err = job->base_path ? base__open(job->base_path, &base) : 0;

	job->encode.base = base;
	job->image = images[0];
	if (!err)
		err = many ? encode_many(job, images, nr) : job__run(job);
	base__free(base);
	return err;
}
