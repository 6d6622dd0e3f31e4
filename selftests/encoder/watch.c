// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch STYLE TOKENS SIGNAL COMMAND...: a jobserver with TOKENS tokens for the command, as
 * a pipe or a fifo; STYLE make: the jobserver that MAKEFLAGS names. Prints the maximum
 * number of tokens that were taken at once, the tokens at the end, and the number of
 * threads that took two ticks of CPU time or more. SIGNAL, unless 0, is sent as soon as a
 * token is taken.
 *
 * A command that has not ended after a minute, on an idle machine, hangs: it is killed,
 * watch prints what its threads wait for, and the status is 3.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* microseconds between two looks at the command */
#define TICK	300

static int waiting(int fd)
{
	int n = 0;

	return ioctl(fd, FIONREAD, &n) ? -1 : n;
}

static int busy_threads(pid_t pid)
{
	char path[300], text[1000], *p;
	struct dirent *d;
	int busy = 0;
	DIR *dir;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (d = readdir(dir))) {
		unsigned long user = 0, system = 0;

		snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", pid, d->d_name);
		f = *d->d_name == '.' ? NULL : fopen(path, "r");
		if (!f)
			continue;
		p = fgets(text, sizeof(text), f) ? strrchr(text, ')') : NULL;
		if (p && sscanf(p, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
				&user, &system) == 2)
			busy += user + system >= 2;
		fclose(f);
	}
	if (dir)
		closedir(dir);
	return busy;
}

/* Print what each thread of a hanging process waits for, and kill the process. */
static void end_hung(pid_t pid)
{
	char command[200];

	snprintf(command, sizeof(command),
		 "cd /proc/%d/task && tail -n +1 */comm */wchan */syscall */status | grep -v Vm", pid);
	printf("hangs\n");
	fflush(stdout);
	if (system(command))
		printf("%s: fails\n", command);
	kill(pid, SIGKILL);
}

int main(int argc, char **argv)
{
	unsigned long ticks = 0, limit = 60 * atoi(getenv("SLOWNESS") ?: "1") * (1000000 / TICK);

	int fds[2] = { -1, -1 }, tokens = atoi(argv[2]), sig = atoi(argv[3]);
	int most = 0, busy = 0, status, left, n, k;
	char flags[100], text[200] = "";
	const char *auth;
	pid_t pid;

	if (!strcmp(argv[1], "pipe")) {
		if (pipe(fds))
			return 2;
		snprintf(flags, sizeof(flags), "k -j9 --jobserver-auth=%d,%d -- A=b", fds[0], fds[1]);
	} else if (!strcmp(argv[1], "fifo")) {
		unlink("fifo");
		if (mkfifo("fifo", 0600) || (fds[0] = fds[1] = open("fifo", O_RDWR | O_CLOEXEC)) < 0)
			return 2;
		/* the last one counts */
		snprintf(flags, sizeof(flags), " -j9 --jobserver-auth=98,99 --jobserver-auth=fifo:fifo");
	} else {
		auth = strstr(getenv("MAKEFLAGS") ?: "", "--jobserver-auth=");
		if (!auth || sscanf(auth, "--jobserver-auth=%d,%d", &fds[0], &fds[1]) != 2)
			return 2;
		tokens = waiting(fds[0]);
	}
	if (strcmp(argv[1], "make")) {
		setenv("MAKEFLAGS", flags, 1);
		for (n = 0; n < tokens; n++)
			if (write(fds[1], &"abcdefghijklmnopqrstuvwxyz"[n], 1) != 1)
				return 2;
	}
	pid = fork();
	if (!pid) {
		execvp(argv[4], argv + 4);
		_exit(127);
	}
	while (!waitpid(pid, &status, WNOHANG)) {
		n = tokens - waiting(fds[0]);
		if (n > most)
			most = n;
		if (n > 0 && sig) {
			kill(pid, sig);
			sig = 0;
		}
		k = busy_threads(pid);
		if (k > busy)
			busy = k;
		if (ticks++ == limit) {
			end_hung(pid);
			return 3;
		}
		usleep(TICK);
	}
	left = waiting(fds[0]);
	if (strcmp(argv[1], "make") && left && read(fds[0], text, sizeof(text) - 1) != left)
		return 2;
	/* sorted alphabetically, whichever token came back first */
	for (n = 0; text[n]; n++)
		for (k = n + 1; text[k]; k++)
			if (text[k] < text[n]) {
				char c = text[n];

				text[n] = text[k];
				text[k] = c;
			}
	printf("most %d of %d, left %d %s, busy %d, %s %d\n", most, tokens, left, text, busy,
	       WIFSIGNALED(status) ? "signal" : "status",
	       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return 0;
}
