#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Make's jobserver: no thread works beside the first without a token, and every
# token comes back.
. "${0%/*}/../lib.sh"

# watch STYLE TOKENS SIGNAL COMMAND...: is a jobserver for the command, with so many
# tokens, as a pipe or a fifo; STYLE make: the one that MAKEFLAGS names.  Says how
# many tokens were away at once at most, which ones are there at the end, and how
# many threads took two ticks of CPU time or more.  SIGNAL, unless 0, is sent as
# soon as a token is away.
cat >watch.c <<'C'
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

int main(int argc, char **argv)
{
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
		usleep(300);
	}
	left = waiting(fds[0]);
	if (strcmp(argv[1], "make") && left && read(fds[0], text, sizeof(text) - 1) != left)
		return 2;
	/* in the order of the alphabet, whoever came back first */
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
C
gcc -O2 -w -o watch watch.c

# An image that takes some time: one unit, over and over.
{
	for i in $(seq 2000); do
		echo "struct s$i { int a, b, c, d; struct s$i *next; struct s$((i / 2 + 1)) *other; long x[$i]; };"
		((i % 20)) || echo "static __attribute__((noinline, used)) int f$i(struct s$i *s, int n) { return s->a + n; }"
	done
} | unit big
objects=()
for ((i = 0; i < 600; i++)); do objects+=(big.o); done
ld -r -o big.ko "${objects[@]}"
"$ABTF" encode -q -j1 -o want.btf big.ko

run() {
	expect 0 ./watch "$@"
}

check_bytes() {
	cmp want.btf got.btf || fail 'another BTF'
}

# most MIN MAX: of the last run
most() {
	local n=${out#most }

	n=${n%% *}
	[ "$n" -ge "$1" ] && [ "$n" -le "$2" ] || fail "expected $1 to $2 tokens away at once: $out"
}

for style in pipe fifo; do
	begin "$style: no token, one thread"
	run $style 0 0 "$ABTF" encode -q -j8 -o got.btf big.ko
	says '^most 0 of 0, left 0 , busy 1, status 0$'
	check_bytes

	begin "$style: as many threads as there are tokens, and one"
	run $style 1 0 "$ABTF" encode -q -j8 -o got.btf big.ko
	says '^most 1 of 1, left 1 a, busy [12], status 0$'
	check_bytes
	run $style 5 0 "$ABTF" encode -q -j8 -o got.btf big.ko
	most 2 5
	says 'left 5 abcde, .*status 0$'
	check_bytes

	begin "$style: -j is an upper bound"
	run $style 9 0 "$ABTF" encode -q -j1 -o got.btf big.ko
	says '^most 0 of 9, left 9 abcdefghi, busy 1, status 0$'
	run $style 9 0 "$ABTF" encode -q -j3 -o got.btf big.ko
	most 1 2
	says 'left 9 abcdefghi, .*status 0$'

	begin "$style: as pahole"
	cp big.ko p.ko
	run $style 2 0 "$ABTF_PAHOLE" -J -j8 --btf_encode_detached=got.btf p.ko
	most 1 2
	says 'left 2 ab, .*status 0$'
	run $style 2 0 "$ABTF_PAHOLE" -J --btf_encode_detached=got.btf p.ko
	says '^most 0 of 2, left 2 ab, .*status 0$'

	begin "$style: many images, one thread and one token for each"
	rm -rf made
	cp big.ko p1.ko; cp big.ko p2.ko; head -c 5000 big.ko >bad.ko
	run $style 1 0 "$ABTF" encode -q -j8 -o made big.ko p1.ko p2.ko
	says '^most 1 of 1, left 1 a, .*status 0$'
	cmp made/p2.ko.btf want.btf || fail 'another BTF'
	run $style 0 0 "$ABTF" encode -q -j8 -o made big.ko p1.ko p2.ko
	says '^most 0 of 0, left 0 , busy 1, status 0$'

	begin "$style: errors give the tokens back"
	run $style 3 0 "$ABTF" encode -q -j8 -o made big.ko bad.ko p1.ko p2.ko
	says 'left 3 abc, .*status 1$'
	run $style 3 0 "$ABTF" encode -q -j8 -o nowhere/got.btf big.ko
	says 'left 3 abc, .*status 1$'

	begin "$style: signals give the tokens back"
	for sig in 1 2 15; do
		run $style 4 $sig "$ABTF" encode -q -j8 -o got.btf big.ko
		most 1 4
		says "left 4 abcd, .*signal $sig\$"
		run $style 4 $sig "$ABTF" encode -q -j8 -o made big.ko p1.ko p2.ko
		says "left 4 abcd, .*signal $sig\$"
	done
done

begin 'a signal that is ignored stays so'
run pipe 4 1 sh -c "trap '' HUP; exec '$ABTF' encode -q -j8 -o got.btf big.ko"
says 'left 4 abcd, .*status 0$'
check_bytes

begin 'a jobserver that is not there: one thread, and no harm'
for flags in '-j9 --jobserver-auth=98,99' '--jobserver-auth=-2,-2' '--jobserver-auth=' \
	'--jobserver-auth=0,1' '--jobserver-auth=3,4x' '--jobserver-auth=fifo:none' \
	'--jobserver-auth=fifo:big.ko' '--jobserver-fds=98,99' '--jobserver-auth=fifo:'; do
	cat >sub <<-S
	MAKEFLAGS='$flags' exec '$ABTF' encode -v -j8 -o got.btf big.ko
	S
	expect 0 sh sub
	says "make's jobserver cannot be used"
	check_bytes
done
# descriptors that are two ends of different pipes
: | { MAKEFLAGS=--jobserver-auth=0,1 "$ABTF" encode -v -j8 -o got.btf big.ko 2>&1 | cat; } >log
has log "make's jobserver cannot be used"

begin 'MAKEFLAGS without a jobserver, or with one behind the options: as if there were none'
for flags in '' 'k -j' ' -- A=--jobserver-auth=98,99' ' -- --jobserver-auth=98,99'; do
	cat >sub <<-S
	MAKEFLAGS='$flags' exec '$ABTF' encode -v -j2 -o got.btf big.ko
	S
	expect 0 sh sub
	! grep -q jobserver out || fail "'$flags': $out"
done

begin 'make itself: no more than its jobs, and it counts its tokens at the end'
cat >Makefile <<M
all: one two three
one two three: big.ko
	+./watch make 0 0 '$ABTF' encode -q -j8 -o \$@.btf big.ko >\$@.log
bare: big.ko
	'$ABTF' encode -v -j8 -o bare.btf big.ko
M
for jobs in 1 2 3 6; do
	rm -f ./*.log one.btf two.btf three.btf
	case $jobs in
	1)	# no jobserver, and nothing that watches it
		sed -i 's/+.*0 0/+/' Makefile ;;
	2)	sed -i "s|+ '|+./watch make 0 0 '|" Makefile ;;
	esac
	expect 0 make -j$jobs
	! grep -qE 'INTERNAL|warning' out || fail "$out"
	for btf in one two three; do cmp $btf.btf want.btf || fail 'another BTF'; done
done
# one job alone gets what the others leave
expect 0 make -j4 one
out=$(cat one.log)
most 1 3
says 'of 3, left 3 '

begin 'make closes its pipe for a rule without "+": one thread, and no harm'
expect 0 make -j4 bare
# 4.4 has a FIFO, which every command can open
case $(make --version) in
'GNU Make 4.'[0-3]*)	says "make's jobserver cannot be used" ;;
*)			! grep -q 'cannot be used' out || fail "$out" ;;
esac
cmp bare.btf want.btf || fail 'another BTF'
