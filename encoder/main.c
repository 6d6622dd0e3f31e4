// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "util/bytes.h"
#include "util/cleanup.h"
#include "util/document.h"
#include "util/memory.h"
#include "util/msg.h"
#include "version.h"

static int cmd_help(int argc, char **argv);

static const struct command help_command = {
	.name = "help", .full_name = "abtf help", .run = cmd_help,
	.summary = "show this, or the help of a command",
};

static const struct command *const commands[] = {
	&encode_command, &list_command, &check_command, &diff_command, &strip_command,
	&report_command, &symbolize_command, &help_command,
};

static void print_commands(FILE *f)
{
	fputs("Usage: abtf COMMAND [OPTIONS] ...\n"
	      "       abtf COMMAND --help | --help | --version\n"
	      "       abtf -J ...              as pahole -J (also when called as abtf-pahole)\n"
	      "\n"
	      "Probe one of several kernel functions with the same name, and write BTF in which\n"
	      "each function has a unique name and an address.\n"
	      "\n"
	      "Commands:\n", f);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(f, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\nExit status: 0 done, 1 bad input, 2 usage, 3 nothing found, 4 no probe possible;\n"
	      "check and diff: 1 violation or difference, 2 bad input or usage.\n", f);
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	}
	msg_error("'%s' is not a command; see `abtf help`", name);
	return NULL;
}

static int cmd_help(int argc, char **argv)
{
	const struct command *command;
	char *args[] = { NULL, "--help", NULL };

	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_commands(stdout);
		return EXIT_DONE;
	}
	command = find_command(argv[1]);
	if (!command)
		return EXIT_USAGE;
	args[0] = command->full_name;
	return command->run(2, args);
}

static int print_version(void)
{
	puts("abtf " ABTF_VERSION " (stands in for pahole " PAHOLE_VERSION ")");
	return EXIT_DONE;
}

/* pahole takes its -J anywhere among its options. */
static bool is_pahole_call(int argc, char **argv)
{
	if (argc < 2 || argv[1][0] != '-')
		return false;
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "-J") || !strcmp(argv[i], "--btf_encode"))
			return true;
	}
	return false;
}

static int run_command(int argc, char **argv)
{
	const char *slash = strrchr(argv[0] ?: "", '/');
	const char *program = slash ? slash + 1 : argv[0] ?: "";
	const struct command *command;

	if (!strcmp(program, "abtf-pahole") || is_pahole_call(argc, argv))
		return cmd_pahole(argc, argv);
	if (argc < 2) {
		print_commands(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return print_version();
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return cmd_help(1, argv);
	/* for bash-completion/abtf */
	if (!strcmp(argv[1], "--complete-options")) {
		for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
			puts(commands[i]->name);
		return EXIT_DONE;
	}
	if (argv[1][0] == '-') {
		msg_error("unknown option '%s'", argv[1]);
		print_commands(stderr);
		return EXIT_USAGE;
	}
	command = find_command(argv[1]);
	if (!command)
		return EXIT_USAGE;
	if (argc > 2 && !strcmp(argv[2], "--version"))
		return print_version();
	argv[1] = command->full_name;
	return command->run(argc - 1, argv + 1);
}

/* A file opened as stdout by accident would be written to. */
static void open_standard_fds(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static bool reader_exited(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	return poll(&out, 1, 0) == 1 && out.revents & POLLERR;
}

/*
 * A full disk is only detected now, or was before, and stdio does not keep the error number.
 * If the reader has exited, do not print a message.
 */
static int close_stdout(void)
{
	bool failed = ferror(stdout);
	int err = fflush(stdout) ? errno : 0;

	if (!err && !failed && fclose(stdout))
		err = errno;
	if (!err && !failed)
		return 0;
	if (err != EPIPE && !reader_exited())
		msg_error("stdout: %s", err ? strerror(err) : "cannot write");
	return -EIO;
}

int main(int argc, char **argv)
{
	int status;

	open_standard_fds();
	cleanup__init();
	memory__init();
	status = run_command(argc, argv);
	document__end();
	if (close_stdout() && status == EXIT_DONE)
		status = EXIT_BAD;
	return status;
}
