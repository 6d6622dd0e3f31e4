# SPDX-License-Identifier: GPL-2.0-only
# A guest test starts with:
#
#	. /test/ktap.sh
#	plan 2
#	check 'what holds' command...
#	check_eq 'what else holds' "$got" "$wanted"
#	check_none 'what prints nothing' command...
#
# check passes if the command succeeds; otherwise, its output is shown.  skip 'what' 'why' counts as
# skipped.  The number of results must be that of "plan".
# shellcheck shell=dash

ktap_count=0 ktap_failed=0 ktap_planned=0

# plan NR: start the output; NR results follow
plan() {
	ktap_planned=$1
	echo 'KTAP version 1'
	echo "1..$1"
}

# result ok|'not ok' WHAT: print a result, and count it
result() {
	ktap_count=$((ktap_count + 1))
	[ "$1" = ok ] || ktap_failed=$((ktap_failed + 1))
	echo "$1 $ktap_count - $2"
}

# pass WHAT
pass() {
	result ok "$1"
}

# fail WHAT [WHY]
fail() {
	result 'not ok' "$1"
	shift
	[ $# = 0 ] || printf '# %s\n' "$*"
}

# skip WHAT WHY
skip() {
	result ok "$1 # SKIP $2"
}

# The remaining cases need fentry: without it, they are skipped, and the test ends here.  Before
# "plan", that is the whole test.
needs_fentry() {
	! grep -q ' register_ftrace_direct$' /proc/kallsyms || return 0
	ktap_why="this kernel's ftrace has no direct calls"
	if [ $ktap_planned = 0 ]; then
		echo 'KTAP version 1'
		echo "1..0 # SKIP $ktap_why"
	fi
	while [ $ktap_count -lt $ktap_planned ]; do
		skip "case $((ktap_count + 1)), with fentry" "$ktap_why"
	done
	exit
}

# check WHAT COMMAND...: passes if the command succeeds
check() {
	ktap_what=$1
	shift
	if "$@" >/tmp/ktap.out 2>&1; then
		pass "$ktap_what"
	else
		fail "$ktap_what" "'$*' ended with status $?"
		sed 's/^/# /' /tmp/ktap.out
	fi
}

# check_not WHAT COMMAND...: passes if the command fails
check_not() {
	ktap_what=$1
	shift
	if "$@" >/tmp/ktap.out 2>&1; then
		fail "$ktap_what" "'$*' should have failed; it printed:"
		sed 's/^/# /' /tmp/ktap.out
	else
		pass "$ktap_what"
	fi
}

# check_eq WHAT GOT EXPECTED: passes if two texts are equal and not empty, because a command that
# fails also prints nothing
check_eq() {
	if [ -z "$2$3" ]; then
		fail "$1" 'nothing to compare: use check_none'
	elif [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "got '$2', expected '$3'"
	fi
}

# check_none WHAT COMMAND...: passes if the command succeeds and prints nothing to standard output
check_none() {
	ktap_what=$1 ktap_status=0
	shift
	"$@" >/tmp/ktap.out 2>/tmp/ktap.err || ktap_status=$?
	if [ $ktap_status = 0 ] && [ -z "$(cat /tmp/ktap.out)" ]; then
		pass "$ktap_what"
	else
		fail "$ktap_what" "'$*' ended with status $ktap_status, and printed:"
		cat /tmp/ktap.out /tmp/ktap.err | head -n 20 | sed 's/^/# /'
	fi
}

# patched FUNC: test whether it is listed as patched while a program is attached to it.  Otherwise,
# checks that no function is patched could not fail.
patched() {
	mkfifo /tmp/ktap.fifo
	# Nothing is written to the pipe, so the program stays attached.
	attach "$1" /tmp/ktap.fifo &
	ktap_pid=$! ktap_status=1 ktap_tries=100
	while [ $ktap_tries != 0 ] && kill -0 $ktap_pid; do
		if grep "^$1 " /sys/kernel/tracing/enabled_functions; then
			ktap_status=0
			break
		fi
		sleep 0.1
		ktap_tries=$((ktap_tries - 1))
	done
	kill $ktap_pid
	wait $ktap_pid
	rm /tmp/ktap.fifo
	return $ktap_status
}

# The exit status also shows failures.
trap '[ $ktap_failed = 0 ] || exit 1' EXIT
