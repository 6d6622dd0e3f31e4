// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attach rules that use lists of ids or names: LSM hooks, functions named security_*, and
 * functions that reject all programs, fexit programs, or sleepable programs.
 *
 * Programs that deny an operation only deny it to this process, so that the guest keeps
 * working.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define DIR "/tmp/hooks"
#define OTHER_DIR DIR ".other"
#define LINK DIR ".link"

static int result(int ret)
{
	return ret ? -errno : 0;
}

static int make_dir(void)
{
	return result(mkdir(DIR, 0700));
}

static int remove_dir(void)
{
	return result(rmdir(DIR));
}

static int make_link(void)
{
	return result(symlink("nowhere", LINK));
}

static int remove_link(void)
{
	return result(unlink(LINK));
}

/* In this order, each operation succeeds, also when it is repeated. */
static const struct {
	const char *name;
	int (*act)(void);	/* calls only this hook */
} hooks[] = {
	{ "bpf_lsm_inode_mkdir", make_dir },
	{ "bpf_lsm_inode_rmdir", remove_dir },
	{ "bpf_lsm_inode_symlink", make_link },
	{ "bpf_lsm_inode_unlink", remove_link },
};

static void expect_verifier_said(const char *text)
{
	expect(strstr(prog_log, text), "the verifier printed:\n%s", prog_log);
}

/* --- LSM -------------------------------------------------------------------- */

static void each_hook(void)
{
	int links[ARRAY_SIZE(hooks)];
	size_t i, j;

	counters_reset();
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		struct target target = {
			.type = BPF_LSM_MAC, .id = func(vmlinux(), hooks[i].name),
			.key = i, .pid = getpid(),
		};

		links[i] = attach(&target);
	}
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		memset(counters, 0, sizeof(*counters) * ARRAY_SIZE(hooks));
		expect_eq(hooks[i].act(), 0, hooks[i].name);
		for (j = 0; j < ARRAY_SIZE(hooks); j++)
			expect_eq(counters[j].hits, i == j, hooks[j].name);
	}
	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		close(links[i]);
	counters_reset();
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		expect_eq(hooks[i].act(), 0, hooks[i].name);
		for (j = 0; j < ARRAY_SIZE(hooks); j++)
			expect_eq(counters[j].hits, 0, "calls seen, once detached");
	}
	expect_patched(NULL);
}

/*
 * LSM programs must not call bpf_get_func_ip(), but the fentry program for the same FUNC
 * may, and if both are attached, they share a trampoline.
 */
static void place(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		struct target lsm = {
			.type = BPF_LSM_MAC, .id = func(vmlinux(), hooks[i].name),
			.pid = getpid(),
		};
		struct target fentry = {
			.type = BPF_TRACE_FENTRY, .id = lsm.id, .key = 1, .pid = getpid(),
		};
		int links[2];

		counters_reset();
		links[0] = attach(&lsm);
		expect_patched(hooks[i].name);
		links[1] = attach(&fentry);
		expect_patched(hooks[i].name);
		expect_eq(hooks[i].act(), 0, hooks[i].name);
		expect_eq(counters[0].hits, 1, "calls that the LSM program saw");
		expect_eq(counters[1].hits, 1, "calls that the fentry program saw");
		expect(counters[1].ip == symbol(NULL, hooks[i].name),
		       "bpf_get_func_ip() is not the address of %s", hooks[i].name);
		close(links[1]);
		expect_patched(hooks[i].name);
		close(links[0]);
		expect_patched(NULL);
	}
}

static void other_process(const void *data)
{
	(void)data;
	expect_eq(result(mkdir(OTHER_DIR, 0700)), 0, "mkdir() of another process");
	expect_eq(result(rmdir(OTHER_DIR)), 0, "rmdir() of another process");
}

/* Only mkdir() is denied, and only to this process. */
static void denies(const struct target *target)
{
	int link, status;
	pid_t pid;

	counters_reset();
	link = attach(target);
	expect_eq(make_dir(), target->ret, "mkdir()");
	expect(access(DIR, F_OK), "mkdir() was denied, but the directory exists");
	expect_eq(counters[0].hits, 1, "calls seen");
	pid = spawn(other_process, NULL);
	waitpid(pid, &status, 0);
	expect_eq(status, 0, "exit status of the other process");
	expect_eq(make_link(), 0, "symlink()");
	expect_eq(remove_link(), 0, "unlink()");
	expect_eq(counters[0].hits, 1, "calls seen by then");
	close(link);
	expect_eq(make_dir(), 0, "mkdir(), once detached");
	expect_eq(remove_dir(), 0, "rmdir()");
	expect_eq(counters[0].hits, 1, "calls seen, once detached");
	expect_patched(NULL);
}

static void lsm_denies(void)
{
	struct target target = {
		.type = BPF_LSM_MAC, .id = func(vmlinux(), "bpf_lsm_inode_mkdir"),
		.ret = -ENOSPC, .pid = getpid(),
	};

	denies(&target);
}

static void no_hook(void)
{
	static const struct {
		const char *name, *text;
	} wrong[] = {
		{ "vfs_mkdir", "points to wrong type name vfs_mkdir" },
		/* the caller of the hook */
		{ "security_inode_mkdir", "points to wrong type name security_inode_mkdir" },
		{ "bpf_lsm_ismaclabel", "points to disabled hook bpf_lsm_ismaclabel" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct target target = {
			.type = BPF_LSM_MAC, .id = func(vmlinux(), wrong[i].name), .pid = getpid(),
		};

		expect_eq(refused(&target), -EINVAL, wrong[i].name);
		expect_verifier_said(wrong[i].text);
		/* Other programs are accepted. */
		target.type = BPF_TRACE_FENTRY;
		expect_eq(refused(&target), 0, "fentry");
	}
	expect_patched(NULL);
}

/* A name is enough if only one function has it. */
static void own_security(void)
{
	struct target target = {
		.type = BPF_MODIFY_RETURN, .id = func(vmlinux(), "security_inode_mkdir"),
		.ret = -ENOSPC, .pid = getpid(),
	};

	denies(&target);
	/* Without the prefix, fmod_ret is rejected: vfs_mkdir() does not allow error injection. */
	target.id = func(vmlinux(), "vfs_mkdir");
	expect_eq(refused(&target), -EINVAL, "fmod_ret on vfs_mkdir");
	expect_verifier_said("vfs_mkdir() is not modifiable");
}

static const struct guest_case lsm_cases[] = {
	{ "each of 4 hooks sees its own calls, until it is detached", each_hook },
	{ "each of 4 hooks is attached at its symbol, and nothing else is patched", place },
	{ "an LSM program's return value is the result of mkdir() in one process", lsm_denies },
	{ "LSM programs for functions that are not hooks are rejected", no_hook },
	{ "fmod_ret attaches to the kernel's security_inode_mkdir()", own_security },
	{ },
};

const struct guest_test test_lsm = { "lsm", lsm_cases, NULL };

/* --- functions of a module with the names of hooks --------------------------- */

#define PARAMETERS "/sys/module/hooks/parameters/"

static struct object *hooks_ko;

static void setup(void)
{
	int err;

	if (hooks_ko)
		return;
	err = module_load("/test/hooks.ko");
	need(!err, "loading hooks.ko: %s", strerror(-err));
	hooks_ko = object_open("hooks");
}

static void single(void)
{
	struct target target = {
		.type = BPF_MODIFY_RETURN, .obj_fd = hooks_ko->fd,
		.id = func(hooks_ko, "security_guest_single"), .ret = -ENOSPC,
	};
	int link;

	counters_reset();
	link = attach(&target);
	expect_patched("security_guest_single");
	expect_eq(trigger(PARAMETERS "single"), -ENOSPC, "security_guest_single()");
	expect_eq(trigger(PARAMETERS "left"), 11, "security_guest_twin() in left.c");
	expect_eq(counters[0].hits, 1, "calls seen");
	expect(counters[0].ip == symbol("hooks", "security_guest_single"),
	       "bpf_get_func_ip() is not the address in kallsyms");
	close(link);
	expect_eq(trigger(PARAMETERS "single"), 31, "security_guest_single(), once detached");
	expect_patched(NULL);
}

/* The prefix does not make a function modifiable if it shares its name with another one. */
static void twins(void)
{
	int i, links[2];
	__u32 ids[2];

	need(funcs(hooks_ko, "security_guest_twin", ids, 2) == 2, "not 2 FUNCs");
	counters_reset();
	for (i = 0; i < 2; i++) {
		struct target target = {
			.type = BPF_MODIFY_RETURN, .obj_fd = hooks_ko->fd, .id = ids[i],
			.key = i, .ret = -ENOSPC,
		};

		expect_eq(refused(&target), -EINVAL, "fmod_ret");
		expect_verifier_said("is not modifiable");
		target.type = BPF_TRACE_FENTRY;
		target.ret = 0;
		links[i] = attach(&target);
	}
	expect_eq(trigger(PARAMETERS "left"), 11, "security_guest_twin() in left.c");
	expect_eq(counters[0].hits + counters[1].hits, 1, "calls seen by both");
	expect_eq(trigger(PARAMETERS "right"), 21, "security_guest_twin() in right.c");
	expect_eq(counters[0].hits, 1, "calls seen by the first");
	expect_eq(counters[1].hits, 1, "calls seen by the second");
	close(links[0]);
	close(links[1]);
}

/*
 * A function with the name and prototype of a hook is not a hook.  With the module's BTF,
 * the id of vmlinux's hook denotes the module's function.
 */
static void hook_of_module(void)
{
	struct target targets[] = {
		{ .type = BPF_LSM_MAC, .id = func(hooks_ko, "bpf_lsm_inode_mkdir") },
		{ .type = BPF_LSM_MAC, .id = func(vmlinux(), "bpf_lsm_inode_mkdir") },
	};
	int link, i;

	counters_reset();
	for (i = 0; i < 2; i++) {
		targets[i].obj_fd = hooks_ko->fd;
		expect_eq(refused(&targets[i]), -EINVAL, "LSM");
		expect_verifier_said("points to wrong type name bpf_lsm_inode_mkdir");
		targets[i].type = BPF_TRACE_FENTRY;
		targets[i].key = i;
		link = attach(&targets[i]);
		expect_eq(trigger(PARAMETERS "mkdir"), 41, "the module's bpf_lsm_inode_mkdir()");
		expect_eq(counters[i].hits, 1, "calls that fentry saw");
		close(link);
	}
	expect_patched(NULL);
}

/* The function in vmlinux is still a hook. */
static void hook_of_vmlinux(void)
{
	struct target target = {
		.type = BPF_LSM_MAC, .id = func(vmlinux(), "bpf_lsm_inode_mkdir"),
		.ret = -ENOSPC, .pid = getpid(),
	};
	int link;

	denies(&target);
	counters_reset();
	link = attach(&target);
	expect_eq(trigger(PARAMETERS "mkdir"), 41,
		  "the module's bpf_lsm_inode_mkdir(), with a hook");
	expect_eq(counters[0].hits, 0, "seen calls of the module's bpf_lsm_inode_mkdir()");
	close(link);
}

static const struct guest_case security_cases[] = {
	{ "fmod_ret attaches to a module's only function security_guest_single", single },
	{ "fmod_ret on either of two functions security_guest_twin is rejected", twins },
	{ "a module's function with the name of an LSM hook is not a hook", hook_of_module },
	{ "the LSM hook with that name in vmlinux still works", hook_of_vmlinux },
	{ },
};

const struct guest_test test_security = { "security", security_cases, setup };

/* --- lists of ids that deny -------------------------------------------------- */

/* Linux 6.12 prints no message for these functions, so there must be no other error, either. */
static void nothing(void)
{
	static const char *const names[] = {
		"migrate_disable", "migrate_enable", "rcu_read_unlock_strict",
	};
	static const enum bpf_attach_type types[] = { BPF_TRACE_FENTRY, BPF_TRACE_FEXIT };
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		for (j = 0; j < ARRAY_SIZE(types); j++) {
			struct target target = {
				.type = types[j], .id = func(vmlinux(), names[i]),
			};

			expect_eq(prog_load(&target), -EINVAL, names[i]);
			expect(!strncmp(prog_log, "processed 0 insns", 17) ||
			       strstr(prog_log, "Attaching tracing programs to function"),
			       "the verifier printed:\n%s", prog_log);
		}
	expect_patched(NULL);
}

static void exits(const void *data)
{
	(void)data;
}

static void refuse_fexit(const char *name)
{
	struct target target = { .type = BPF_TRACE_FEXIT, .id = func(vmlinux(), name) };

	expect_eq(refused(&target), -EINVAL, name);
	expect_verifier_said("fmod_ret to __noreturn function");
}

/* A function that does not return calls no fexit program. */
static void no_fexit(void)
{
	static const char *const names[] = {
		"do_exit", "do_group_exit", "kthread_exit", "kthread_complete_and_exit",
		"make_task_dead", "__module_put_and_kthread_exit",
	};
	struct target target = { .type = BPF_TRACE_FENTRY };
	const char *name;
	size_t i;
	int link;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(names[i], "kthread_exit") && !symbol(NULL, names[i]))
			note("Linux 7.2 has kthread_exit() inline");
		else
			refuse_fexit(names[i]);
	}
	expect_patched(NULL);

	/* fentry they do. */
	name = syscall_func("exit_group");
	target.id = func(vmlinux(), name);
	counters_reset();
	link = attach(&target);
	waitpid(spawn(exits, NULL), NULL, 0);
	expect(counters[0].hits, "fentry on %s sees nothing", name);
	close(link);
}

/* Only x86-64's system calls are listed. They allow error injection, so fmod_ret would work. */
static void no_fexit_of_syscalls(void)
{
	static const char *const names[] = { "__x64_sys_exit", "__x64_sys_exit_group" };
	struct target target = { .type = BPF_MODIFY_RETURN };
	size_t i;

	if (!symbol(NULL, names[0]))
		skip_case("the kernel lists no system calls of this machine as noreturn");
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		refuse_fexit(names[i]);
		target.id = func(vmlinux(), names[i]);
		expect_eq(refused(&target), -EINVAL, names[i]);
		expect_verifier_said("fmod_ret to __noreturn function");
	}
	expect_patched(NULL);
}

static void no_sleep(void)
{
	struct target target = {
		.type = BPF_TRACE_FENTRY, .id = func(vmlinux(), "__filemap_add_folio"),
		.sleepable = true,
	};

	expect_eq(refused(&target), -EINVAL, "sleepable");
	expect_verifier_said("__filemap_add_folio is not sleepable");
	target.sleepable = false;
	expect_eq(refused(&target), 0, "not sleepable");
	expect_patched(NULL);
}

/* The function with the system call's arguments, unless that is inline. */
static __u32 syscall_body(const char *name)
{
	char text[64];

	snprintf(text, sizeof(text), "__do_sys_%s", name);
	return func(vmlinux(), symbol(NULL, text) ? text : syscall_func(name));
}

/* No list has these.  They use their arguments: clang does not describe the location of an unused one. */
static void not_denied(void)
{
	static const struct target targets[] = {
		{ .type = BPF_TRACE_FENTRY }, { .type = BPF_TRACE_FEXIT },
		{ .type = BPF_MODIFY_RETURN }, { .type = BPF_TRACE_FENTRY, .sleepable = true },
	};
	size_t i;
	int link;

	for (i = 0; i < ARRAY_SIZE(targets); i++) {
		struct target target = targets[i];

		target.id = syscall_body("mincore");
		expect_eq(refused(&target), 0, "mincore");
		target.id = syscall_body("munlock");
		counters_reset();
		link = attach(&target);
		munlock(NULL, 0);
		expect_eq(counters[0].hits, 1, "calls seen of munlock");
		close(link);
	}
	expect_patched(NULL);
}

static const struct guest_case deny_cases[] = {
	{ "no program is attached to functions in btf_id_deny", nothing },
	{ "fexit is rejected on functions that do not return", no_fexit },
	{ "fexit and fmod_ret are rejected on system calls that do not return",
	  no_fexit_of_syscalls },
	{ "a sleepable program is rejected on __filemap_add_folio", no_sleep },
	{ "all of these programs are accepted on functions in no list", not_denied },
	{ },
};

const struct guest_test test_deny = { "deny", deny_cases, NULL };
