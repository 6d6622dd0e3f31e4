// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/btf.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "btf/dedup.h"
#include "util/msg.h"

/*
 * Every level of the recursion is another type.  A level of libbpf 1.1 takes
 * less than 100 bytes; what is not used of a stack costs nothing.
 */
#define STACK_MIN	(1UL << 20)
#define STACK_PER_TYPE	256UL

/* The 113,000 types of a distribution's kernel take a microsecond each. */
#define SECONDS_MIN	5
#define TYPES_PER_SECOND 20000

struct dedup_job {
	struct btf	*btf;
	int		err;
};

static void *work(void *arg)
{
	struct dedup_job *job = arg;

	job->err = btf__dedup(job->btf, NULL);
	return NULL;
}

static int start(pthread_t *thread, struct dedup_job *job, uint32_t nr_types)
{
	pthread_attr_t attr;
	int err;

	err = pthread_attr_init(&attr);
	if (err)
		return err;
	err = pthread_attr_setstacksize(&attr, STACK_MIN + nr_types * STACK_PER_TYPE);
	if (!err)
		err = pthread_create(thread, &attr, work, job);
	pthread_attr_destroy(&attr);
	return err;
}

/* Wait for a thread, but for no more than so many seconds of its CPU time. */
static int finish(pthread_t thread, time_t seconds)
{
	struct timespec used, until;
	clockid_t clock;

	if (pthread_getcpuclockid(thread, &clock))
		return pthread_join(thread, NULL);
	for (;;) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec++;
		if (pthread_timedjoin_np(thread, NULL, &until) != ETIMEDOUT)
			return 0;
		if (!clock_gettime(clock, &used) && used.tv_sec > seconds)
			return ETIME;
	}
}

int btf_dedup(struct btf **btf, uint32_t nr_types)
{
	struct dedup_job *job = malloc(sizeof(*job));
	pthread_t thread;
	int err;

	if (!job)
		return -ENOMEM;
	*job = (struct dedup_job){ .btf = *btf };
	/* without a thread there is no bound, but what is sane needs none */
	if (start(&thread, job, nr_types)) {
		work(job);
	} else if (finish(thread, SECONDS_MIN + nr_types / TYPES_PER_SECOND)) {
		msg_error("btf__dedup() takes too long for %u types: they look too much alike, or nest too deep",
			  nr_types);
		/* it goes on with them until the program ends */
		*btf = NULL;
		return -ETIME;
	}
	err = job->err;
	free(job);
	if (err)
		msg_error("btf__dedup() failed: %s", strerror(-err));
	return err;
}
