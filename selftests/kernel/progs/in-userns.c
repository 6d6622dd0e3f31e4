// SPDX-License-Identifier: GPL-2.0-only
/*
 * in-userns PATH COMMAND [ARGUMENT...]: runs COMMAND in a new user namespace, with a bpffs
 * at PATH that delegates the privileges to load an fentry program. COMMAND is root there
 * with all capabilities; to the rest of the system, it is user nobody without capabilities.
 *
 * A bpffs belongs to the namespace where it is opened, but only processes with privileges
 * in the initial namespace may make it delegate. So the child opens it, the parent
 * configures it, and the child mounts it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY	65534
/* where the child has the bpffs until it is mounted */
#define FS_FD	100

static const char *const delegated[][2] = {
	{ "delegate_cmds", "btf_load:map_create:prog_load" },
	{ "delegate_maps", "array" },
	{ "delegate_progs", "tracing" },
	{ "delegate_attachs", "trace_fentry" },
};

static void die(const char *what)
{
	fprintf(stderr, "in-userns: %s: %s\n", what, strerror(errno));
	exit(125);
}

static void run(const char *path, char **command)
{
	int fs, mount;

	/* Root of the new namespace is not to own root's files. */
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY) || prctl(PR_SET_PDEATHSIG, SIGKILL))
		die("becoming nobody");
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		die("unshare");
	fs = fsopen("bpf", FSOPEN_CLOEXEC);
	if (fs < 0 || dup3(fs, FS_FD, O_CLOEXEC) < 0)
		die("fsopen");
	raise(SIGSTOP);
	mount = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	if (mount < 0 || move_mount(mount, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH))
		die(path);
	execvp(*command, command);
	die(*command);
}

/* map WHAT: map the child's root to user nobody of the initial namespace */
static void map(pid_t child, const char *what)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", child, what);
	fd = open(path, O_WRONLY);
	if (fd < 0 || dprintf(fd, "0 %d 1", NOBODY) < 0)
		die(path);
	close(fd);
}

static void configure(pid_t child)
{
	int pidfd, fs;

	pidfd = pidfd_open(child, 0);
	fs = pidfd_getfd(pidfd, FS_FD, 0);
	if (fs < 0)
		die("pidfd_getfd");
	for (size_t i = 0; i < sizeof(delegated) / sizeof(*delegated); i++)
		if (fsconfig(fs, FSCONFIG_SET_STRING, delegated[i][0], delegated[i][1], 0))
			die(delegated[i][0]);
	if (fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		die("fsconfig");
}

int main(int argc, char **argv)
{
	pid_t child;
	int status;

	if (argc < 3) {
		fputs("Usage: in-userns PATH COMMAND [ARGUMENT...]\n", stderr);
		return 125;
	}
	child = fork();
	if (child < 0)
		die("fork");
	if (!child)
		run(argv[1], argv + 2);

	if (waitpid(child, &status, WUNTRACED) != child)
		die("waitpid");
	if (WIFSTOPPED(status)) {
		map(child, "uid_map");
		map(child, "gid_map");
		configure(child);
		if (kill(child, SIGCONT) || waitpid(child, &status, 0) != child)
			die("going on");
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
