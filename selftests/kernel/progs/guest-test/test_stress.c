// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attach and detach on random instances, of the kernel and of a module that is
 * loaded and unloaded meanwhile, while everything is being called; for DURATION
 * seconds.  That the kernel did not complain, the harness sees.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

static time_t end;

static bool time_left(void)
{
	return time(NULL) < end;
}

/*
 * debugfs warns of a module that does not clean up if one of its files is opened when
 * unloading has found no user of the module, and not yet marked it as going: so no
 * file is opened meanwhile.  Each worker has its own open file description.
 */
static int unload_lock;

/* A worker returns the number of its successful operations. */
struct worker {
	const char *what;
	unsigned long (*run)(unsigned int *seed);
};

/* Functions that can be attached to, and the files that call them. */
static const struct {
	const char *name, *unit, *file;
} instances[] = {
	{ "c_start", "fs/proc/consoles.c", "/proc/consoles" },
	{ "c_start", "crypto/proc.c", "/proc/crypto" },
	{ "m_start", "kernel/module/procfs.c", "/proc/modules" },
	{ "m_start", "fs/namespace.c", "/proc/self/mounts" },
	{ "type_show", "kernel/irq/irqdesc.c", "/sys/kernel/irq/*/type" },
	{ "func_addr_shape", "lib/func_addr_test/left.c", TRIGGERS "left_shape" },
	{ "func_addr_shape", "lib/func_addr_test/right.c", TRIGGERS "right_shape" },
};

#define NR_WEIGHTS 22
#define NR_INSTANCES (NR_WEIGHTS + ARRAY_SIZE(instances))

static struct {
	__u32 id;
	char file[64];
} known[NR_INSTANCES];

static void find_instances(void)
{
	char unit[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(instances); i++) {
		known[i].id = func_in(vmlinux(), instances[i].name, instances[i].unit);
		snprintf(known[i].file, sizeof(known[i].file), "%s",
			 file_like(instances[i].file) ?: instances[i].file);
	}
	for (; i < NR_INSTANCES; i++) {
		int n = i - ARRAY_SIZE(instances) + 1;

		snprintf(unit, sizeof(unit), "lib/func_addr_test/weight_%02d.c", n);
		snprintf(known[i].file, sizeof(known[i].file), TRIGGERS "weight_%02d", n);
		known[i].id = func_in(vmlinux(), "cpumask_weight", unit);
	}
}

/* Attach to a function, call it, and check that the program saw the call. */
static unsigned long attach_vmlinux(unsigned int *seed)
{
	unsigned long rounds = 0;
	int link;

	while (time_left()) {
		size_t i = rand_r(seed) % NR_INSTANCES;
		struct target target = {
			.type = rand_r(seed) & 1 ? BPF_TRACE_FENTRY : BPF_TRACE_FEXIT,
			.id = known[i].id, .key = 1,
		};

		memset(&counters[1], 0, sizeof(counters[1]));
		link = attach(&target);
		free(read_file(known[i].file, NULL));
		expect(counters[1].hits, "FUNC %u: no call of %s seen", known[i].id,
		       known[i].file);
		close(link);
		rounds++;
	}
	return rounds;
}

static unsigned long attach_module(unsigned int *seed)
{
	static const char *const names[] = {
		"func_addr_twin", "func_addr_shared", "func_addr_kmod_prepare", "func_addr_answer",
	};
	unsigned long rounds = 0;
	struct object *kmod;
	__u32 ids[8];
	int link, nr;

	while (time_left()) {
		/* Each of these may find the module gone. */
		kmod = object_try(KMOD);
		if (!kmod)
			continue;
		nr = funcs(kmod, names[rand_r(seed) % ARRAY_SIZE(names)], ids, ARRAY_SIZE(ids));
		if (nr) {
			struct target target = {
				.type = BPF_TRACE_FENTRY, .obj_fd = kmod->fd,
				.id = ids[rand_r(seed) % nr], .key = 2,
			};
			int prog = prog_load(&target);

			link = prog < 0 ? prog : prog_attach(&target, prog);
			if (link >= 0) {
				rounds++;
				close(link);
			}
			if (prog >= 0)
				close(prog);
		}
		object_close(kmod);
	}
	return rounds;
}

static unsigned long load_module(unsigned int *seed)
{
	const char *path = module_path(KMOD);
	unsigned long rounds = 0;
	int err;

	/* On a busy machine, the module may be in use until the others stop. */
	while (time_left() || !rounds) {
		err = module_load(path);
		expect(!err || err == -EEXIST, "loading: %s", strerror(-err));
		usleep(rand_r(seed) % 20000);
		/* busy while a program is attached */
		flock(unload_lock, LOCK_EX);
		err = module_unload(KMOD);
		flock(unload_lock, LOCK_UN);
		expect(!err || err == -EAGAIN || err == -EBUSY, "unloading: %s", strerror(-err));
		rounds += !err;
	}
	return rounds;
}

static unsigned long call_all(unsigned int *seed)
{
	unsigned long rounds = 0;
	char path[64];
	FILE *file;

	while (time_left()) {
		free(read_file(known[rand_r(seed) % NR_INSTANCES].file, NULL));
		snprintf(path, sizeof(path), KMOD_TRIGGERS "call_twin_%d", rand_r(seed) % 3 + 1);
		flock(unload_lock, LOCK_SH);
		file = fopen(path, "re");
		flock(unload_lock, LOCK_UN);
		if (file) {
			if (fgets(path, sizeof(path), file))
				rounds++;
			fclose(file);
		}
		usleep(1000);
	}
	return rounds;
}

static void work(const void *data)
{
	const struct worker *worker = data;
	unsigned int seed = getpid();
	unsigned long rounds;

	unload_lock = open("/tmp/stress.lock", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	expect(unload_lock >= 0, "/tmp/stress.lock: %s", strerror(errno));
	rounds = worker->run(&seed);
	note("%s %lu times", worker->what, rounds);
	expect(rounds, "never %s", worker->what);
}

static void stress(void)
{
	static const struct worker workers[] = {
		{ "attached in the kernel", attach_vmlinux },
		{ "attached in the module", attach_module },
		{ "unloaded the module", load_module },
		{ "called the module", call_all },
	};
	const char *duration = getenv("DURATION");
	pid_t pids[ARRAY_SIZE(workers)];
	char *functions;
	size_t i;

	find_instances();
	counters_reset();
	end = time(NULL) + (duration ? atoi(duration) : 60);
	for (i = 0; i < ARRAY_SIZE(workers); i++)
		pids[i] = spawn(work, &workers[i]);
	for (i = 0; i < ARRAY_SIZE(workers); i++) {
		int status = -1;

		expect(waitpid(pids[i], &status, 0) == pids[i] && !status,
		       "the one that %s failed (status %#x)", workers[i].what, status);
	}
	module_unload(KMOD);
	expect(!module_loaded(KMOD), "%s is still loaded", KMOD);
	functions = read_file("/sys/kernel/tracing/enabled_functions", NULL);
	expect(!*functions, "functions that are still patched:\n%s", functions);
	free(functions);
}

static const struct guest_case cases[] = {
	{ "programs and modules work while processes attach, detach, load, unload and call",
	  stress },
	{ },
};

const struct guest_test test_stress = { "stress", cases, NULL };
