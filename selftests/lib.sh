#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test files source this: . "${0%/*}/../lib.sh"
#
# A test file consists of cases. Each starts with
#
#	begin 'what holds'
#
# and fails if one of its expectations fails. If a command fails unexpectedly, the case fails and the
# file ends; the same applies to preconditions (need_*), because if a compiler no longer produces the
# situation, the test would pass without testing anything. Each file runs in a separate directory.
#
# shellcheck disable=SC2034 # tests use these variables
set -eu
# A failure in a pipe or in VARIABLE=$(...) ends the file. In an argument, as in expect_eq "$(...)", or in
# <(...), its status is lost; at_error() notes it, and the case fails. Before || or &&, it is not noted:
# write "diff <(f) a" or "f >b; cmp a b || fail", not "cmp <(f) a || fail". Where a command may fail, say
# so: "|| true", or find_lines() instead of grep.
set -E -o pipefail
shopt -s inherit_errexit
export LC_ALL=C

selftests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(dirname "$selftests")
: "${ABTF:=$top/encoder/abtf}" "${ABTF_PAHOLE:=$top/encoder/abtf-pahole}"
# Tests run the program through abtf.sh, which copies its JSON.
[ "$ABTF" = "$selftests/abtf.sh" ] || export ABTF_PROGRAM=$ABTF
export JSON_SEEN=$PWD/json-seen
ABTF=$selftests/abtf.sh
compare=$top/build/compare/btf-compare
dump=$top/build/compare/btf-dump
edit=$top/build/compare/btf-edit
shuffle=$top/build/compare/btf-shuffle
judge=$top/build/judge/btf-judge
example=$top/build/example/vmlinux
# Debian's python3, for which setup.sh installs modules; PATH may find another one.
python=/usr/bin/python3
# Set in "make test": loops over many similar cases take only some of them.
: "${QUICK:=}"

# --- cases ------------------------------------------------------------------

case_title='' case_failed='' case_skipped=''

# The runner reads results from file descriptor 3; without a runner, they go to stdout.
{ true >&3; } 2>/dev/null || exec 3>&1

# With CASE=N, only case N counts. The cases before it run, too, because it may use their files.
case_nr=0

# Failures in subshells whose status is lost, and the reason of a subshell to skip the case
lost_failures=$PWD/lost-failures lost_skip=$PWD/lost-skip

end_case() {
	[ -n "$case_title" ] || return 0
	if [ -s "$lost_failures" ]; then
		echo 'FAILED: in a subshell:'
		cat "$lost_failures"
		rm "$lost_failures"
		case_failed=1
	fi
	if [ -s "$lost_skip" ]; then
		case_skipped=$(cat "$lost_skip")
		rm "$lost_skip"
	fi
	if [ "${CASE:-$case_nr}" != $case_nr ]; then
		:
	elif [ -n "$case_failed" ]; then
		printf 'fail\t%s\n' "$case_title" >&3
	elif [ -n "$case_skipped" ]; then
		printf 'skip\t%s (%s)\n' "$case_title" "$case_skipped" >&3
	else
		printf 'pass\t%s\n' "$case_title" >&3
	fi
	case_title=
}

begin() {
	end_case
	[ "${CASE:-}" != $case_nr ] || exit 0
	case_nr=$((case_nr + 1))
	case_title=$1 case_failed='' case_skipped='' case_line=${BASH_LINENO[0]}
	echo "--- $1"
}

# fail MESSAGE: the current case fails, but continues
fail() {
	# not to standard output, which $(...) may capture
	echo "FAILED (line ${BASH_LINENO[1]:-?}): $*" >&2
	case_failed=1
	# begin() would forget a failure before the first case; with FAIL_FAST, stop at the first
	[ -n "$case_title" ] && [ -z "${FAIL_FAST:-}" ] || exit 1
	# a subshell cannot set variables of this shell
	[ "$BASHPID" = $$ ] || { echo "$*" >>"$lost_failures"; exit 1; }
}

# skip REASON: count the case as skipped.  Commands that do not apply must not run:
#	have clang || { skip 'no clang'; exit 77; }
skip() {
	case_skipped=$1
	[ "$BASHPID" = $$ ] || echo "$1" >"$lost_skip"
}

rm -rf "$JSON_SEEN" "$lost_failures" "$lost_skip"
mkdir "$JSON_SEEN"

check_json() {
	[ -n "$(ls "$JSON_SEEN")" ] || return 0
	begin "abtf's JSON is as docs/schema describes it"
	if "$python" -c 'import jsonschema' 2>/dev/null; then
		cat "$JSON_SEEN"/* | "$python" "$selftests/valid.py" || fail 'invalid JSON'
	else
		skip 'no python3-jsonschema'
	fi
}

# A test file that has to undo something defines clean_up(). Its own trap would lose the status.
at_exit() {
	local status=$?

	! declare -F clean_up >/dev/null || clean_up || :
	[ $status != 0 ] || [ -n "${CASE:-}" ] || check_json
	if [ $status = 77 ]; then
		[ -s "$lost_skip" ] || : "${case_skipped:=exit 77}"
	elif [ $status != 0 ]; then
		echo "FAILED: a command ended with status $status"
		: "${case_title:=(before the first case)}"
		case_failed=1
	fi
	end_case
	[ $status = 0 ] || exit $status
}
trap at_exit EXIT

# at_error STATUS COMMAND: a command has failed, which ends this shell. A reader of <(...) may stop early, so
# SIGPIPE is not a failure there; in a pipe, pipefail applies.
at_error() {
	local message="${BASH_SOURCE[1]##*/}, line ${BASH_LINENO[0]}: status $1: $2"

	if [ "$BASHPID" = $$ ]; then
		echo "$message"
	elif [ "$1" != 141 ]; then
		echo "$message" >>"$lost_failures"
	fi
}
trap 'at_error $? "$BASH_COMMAND"' ERR

# --- expectations -----------------------------------------------------------

# expect_eq GOT WANTED [WHAT]: fail if two texts differ. Two empty texts are an error, because a command that
# does nothing also prints nothing.
expect_eq() {
	[ -n "$1$2" ] || fail "${3:+$3: }nothing to compare: use expect_none"
	[ "$1" = "$2" ] || fail "${3:+$3: }got '$1', expected '$2'"
}

# COMMAND | expect_none [WHAT]: the command, and all commands of a longer pipe, succeed and print
# nothing.  grep fails if it prints nothing: see find_lines
expect_none() {
	local got
	got=$(cat)
	[ -z "$got" ] || fail "${1:+$1: }got '$got', expected nothing"
}

# find_lines ARGUMENT...: grep, which also succeeds if no line matches
find_lines() {
	grep "$@" || [ $? = 1 ]
}

# expect_text "$(command)" <<'E': compare the output with the here-document
expect_text() {
	local want
	want=$(cat)
	[ -n "$1$want" ] || fail 'nothing to compare: use expect_none'
	[ "$1" = "$want" ] && return 0
	fail 'the text differs (- expected, + got):'
	diff -u <(printf '%s\n' "$want") <(printf '%s\n' "$1") | tail -n +3 || true
}

# expect STATUS COMMAND...: run a command; its output goes to $out (and to the file "out")
expect() {
	local want=$1 status=0
	shift
	out=$("$@" 2>&1 </dev/null) || status=$?
	printf '%s\n' "$out" >out
	[ $status = "$want" ] && return 0
	fail "'${*##*/}': exit status $status, expected $want; output:"
	printf '%s\n' "$out" | head -n 20
}

# verify [-b BASE] IMAGE [BTF]: check BTF against the image's symbols and DWARF; $out is the judge's output
verify() {
	expect 0 "$ABTF" check "$@"
	expect 0 "$judge" "$@"
}

# says REGEX: fail unless a line of the last expect's output matches
says() {
	grep -qE -- "$1" <<<"$out" || fail "no '$1' in: $out"
}

# has FILE REGEX, has_not FILE REGEX: fail unless a line (no line) of a file matches. Every REGEX is missing in
# a file without text, so that is an error.
has() {
	grep -qE -- "$2" "$1" || { fail "no line '$2' in $1:"; head -n 30 "$1"; }
}

has_not() {
	local status=0

	grep -q . "$1" || fail "$1 is empty, or missing: use expect_none"
	grep -E -- "$2" "$1" || status=$?
	[ $status = 1 ] || fail "lines of $1 match '$2'"
}

# leftovers: print temporary files of the encoder, which are called .NAME.xxxxxxxx
leftovers() {
	find . -regextype egrep -regex '.*/\.[^/]+\.[0-9a-f]{8}'
}

# --- limits against hanging ---------------------------------------------------

# Seconds that one command may run. No command in the tests takes a hundredth of this on an
# idle machine. It is not a test of speed: growth.sh is one.
: "${SLOWNESS:=$("$selftests/slowness.sh")}"
export SLOWNESS
hang_limit=$((120 * SLOWNESS))

# limited COMMAND...: run it, but stop it if it hangs. The status is then 124.
limited() {
	local status=0

	timeout -k 10 "$hang_limit" "$@" || status=$?
	[ $status != 124 ] || echo "stopped after $hang_limit s: 120 s, for a machine with slowness $SLOWNESS" >&2
	return $status
}

# damaged [OPTION...] FILE COPY CHANGE... -- COMMAND...: run a command with many damaged copies of a file,
# see damage.py. A single process starts all commands, five times as fast as a shell loop.
damaged() {
	"$python" "$selftests/damage.py" "$@" || fail "with a damaged ${*: -1}"
}

# device NAME: create NAME, a device like /dev/NAME.  With the permissions of root, a program with
# an error can replace files in /dev.
device() {
	rm -f "$1"
	# shellcheck disable=SC2046 # two numbers
	mknod "$1" c $(stat -c '0x%t 0x%T' "/dev/$1") 2>/dev/null && : 2>/dev/null <"$1" && return
	ln -sf "/dev/$1" "$1"
}

# resident COMMAND...: print the maximum resident memory of a command, in KiB
resident() {
	limited "$python" -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

# wait_for FILE: wait until another process has written something to it
wait_for() {
	local tenths

	for ((tenths = hang_limit * 10; tenths > 0; tenths--)); do
		[ ! -s "$1" ] || return 0
		sleep 0.1
	done
	echo "no $1 after $hang_limit s"
	return 1
}

# --- images -----------------------------------------------------------------

# have PROGRAM: test whether it is installed
have() {
	command -v "$1" >/dev/null
}

common='-O2 -g -gdwarf-5 -std=gnu11 -ffreestanding -fno-pie -fno-stack-protector
	-fno-asynchronous-unwind-tables -fno-common -w'

# target gcc|clang|m32|aarch64|s390x|riscv64|powerpc64le: set the target of the following units and images
target() {
	local base
	case $1 in
	gcc)	 CC=gcc base=0xffffffff81000000 machine='-mcmodel=kernel -mno-red-zone' ;;
	clang)	 CC=clang base=0xffffffff81000000 machine='-mcmodel=kernel -mno-red-zone' ;;
	m32)	 CC=gcc base=0xc1000000 machine='-m32' ;;
	aarch64) CC=aarch64-linux-gnu-gcc base=0xffff800080000000 machine='' ;;
	s390x)	 CC=s390x-linux-gnu-gcc base=0x100000 machine='' ;;
	riscv64) CC=riscv64-linux-gnu-gcc base=0xffffffff80000000 machine='-mcmodel=medany' ;;
	powerpc64le) CC=powerpc64le-linux-gnu-gcc base=0xc000000000000000 machine='' ;;
	*)	 echo "target: unknown target $1"; return 1 ;;
	esac
	link="-nostdlib -static -Wl,--build-id=sha1 -Wl,-z,max-page-size=4096
		-Wl,-e,0 -Wl,--no-warn-rwx-segments -Wl,--defsym=IMAGE_BASE=$base"
	case $1 in gcc|clang) link="$link -Wl,--defsym=PERCPU_BASE=0" ;; esac
	have "$CC" && return
	# in a subshell, or directly after begin(), the current case needs this compiler
	[ "$BASHPID" != $$ ] || [ "${BASH_LINENO[0]}" = $((${case_line:-0} + 1)) ] || begin "target $1"
	skip "no $CC"
	exit 77
}
target gcc

# unit NAME [FLAG...] <<'C': compile NAME.c from stdin to NAME.o
unit() {
	local name=$1
	shift
	mkdir -p "$(dirname "$name")"
	cat >"$name.tmp"
	mv "$name.tmp" "$name.c"
	# shellcheck disable=SC2086 # lists of flags
	$CC $common $machine "$@" -c -o "$name.o" "$name.c"
}

# image NAME OBJECT...: link objects like a kernel image
image() {
	local name=$1
	shift
	# shellcheck disable=SC2086
	$CC $common $machine $link -Wl,-T,"$selftests/example/vmlinux.lds" -o "$name" "$@"
}

# module NAME OBJECT...: link objects with ld -r, like kbuild
module() {
	local name=$1
	shift
	# shellcheck disable=SC2086 # lists of flags
	$CC $machine -r -nostdlib -o "$name" "$@"
}

# tool objcopy|ld|strip... ARG...: run the target's tool
tool() {
	case $CC in
	*-gcc)	"${CC%gcc}$1" "${@:2}" ;;
	*)	"$@" ;;
	esac
}

# By default, nm loads the plugins of all LLVM versions, which takes twenty times as long as printing the
# symbols of an image.
nm() {
	command nm --plugin= "$@"
}

# quietly COMMAND...: run it without its messages
quietly() {
	"$@" 2>/dev/null
}

# build_id FILE: print the build id of an image
build_id() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

# offset_of FUNC: print the offset in the record of a FUNC of vmlinux.dump
offset_of() {
	sed -nE "s|^.* FUNC $1 addr (0x[0-9a-f]+) .*|\1|p" vmlinux.dump
}

# matches [OPTION...] REGEX: test whether a line of the input matches. Unlike grep -q, it reads the whole input:
# otherwise, the command that writes it may fail, and with it the pipe.
matches() {
	[ "$(grep -c "$@" || :)" -gt 0 ]
}

# need_symbol IMAGE REGEX: fail unless nm prints such a line ("t foo.isra.0"), without which the test
# would test nothing; need_no_symbol is the opposite
need_symbol() {
	nm "$1" | cut -d' ' -f2- | matches -xE -- "$2" ||
		{ echo "precondition: nm $1 shows no '$2'"; nm "$1"; return 1; }
}

need_no_symbol() {
	nm "$1" >symbols.tmp
	! cut -d' ' -f2- symbols.tmp | grep -xE -- "$2" ||
		{ echo "precondition: nm $1 should not show these"; return 1; }
	rm symbols.tmp
}

# need_dwarf IMAGE REGEX: fail unless readelf's dump of .debug_info has such a line
need_dwarf() {
	readelf --debug-dump=info "$1" 2>/dev/null >dwarf.txt
	grep -qE -- "$2" dwarf.txt || { echo "precondition: no '$2' in the DWARF of $1"; return 1; }
}

# need_no_dwarf IMAGE REGEX: fail if readelf's dump of .debug_info has such a line
need_no_dwarf() {
	readelf --debug-dump=info "$1" 2>/dev/null >dwarf.txt
	! grep -E -- "$2" dwarf.txt ||
		{ echo "precondition: the DWARF of $1 should not have these"; return 1; }
}

# section FILE NAME OUT: copy a section's contents to OUT
section() {
	tool objcopy --dump-section "$2=$3" "$1" section.tmp
	rm -f section.tmp
}

# addr_edit FILE FUNC COMMAND...: change an address in BTF, see compare/addr-edit.c
addr_edit() {
	[ -x addr-edit ] ||
		gcc -O2 -std=gnu11 -D_GNU_SOURCE -o addr-edit "$selftests"/compare/{addr-edit,raw}.c
	./addr-edit "$@"
}

# --- results of the encoder --------------------------------------------------

# encode IMAGE [OPTION...]: write IMAGE.btf, IMAGE.dump and IMAGE.report
encode() {
	local image=$1
	shift
	# an earlier output could hide that nothing is written
	rm -f "$image.btf" "$image.dump" "$image.report"
	"$ABTF" encode -q "$@" -o "$image.btf" --report "$image.report" "$image"
	"$dump" "$image.btf" >"$image.dump"
}

# funcs IMAGE [NAME...]: print the FUNCs of IMAGE.btf sorted by id, as
#	NAME[@FILE] = SYMBOL: PROTOTYPE, without an address NAME: PROTOTYPE
# SYMBOL is the symbol at this address according to nm; several are joined by "/".
funcs() {
	local image=$1
	shift
	"$dump" "$image.btf" | awk -v names=" $* " -v image="$image" '
	BEGIN {
		cmd = "nm --plugin= " image " | sort -k1,1 -k3,3"
		while ((cmd | getline line) > 0) {
			split(line, f, " ")
			if (f[3] == "_text")
				text = f[1]
			# names with $ are mapping symbols
			if (f[2] ~ /^[tTwW]$/ && f[3] !~ /^(\$|_s?text$|_sinittext$|_einittext$|image_end$)/)
				at[f[1]] = at[f[1]] (at[f[1]] == "" ? "" : "/") f[3]
		}
		digits = length(text)
	}
	# awk has no 64-bit integers. The low 7 digits are enough, because images are smaller than
	# 256 MB and start at a multiple of that.
	function add(offset,	low, sum) {
		low = substr(text, digits - 6)
		sum = hex(low) + hex(offset)
		return substr(text, 1, digits - 7) sprintf("%07x", sum)
	}
	function hex(s,	i, v) {
		v = 0
		for (i = 1; i <= length(s); i++)
			v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return v
	}
	$2 == "FUNC" {
		name = $3
		sub(/@.*/, "", name)
	}
	$2 == "FUNC" && (names == "  " || index(names, " " name " ")) {
		proto = $0
		sub(/^[^:]*: /, "", proto)
		sub(/@[^( ]*\(/, "(", proto)
		if ($4 == "addr") {
			symbol = at[add(substr($5, 3))]
			printf "%s = %s: %s\n", $3, symbol == "" ? "?" : symbol, proto
		} else {
			printf "%s: %s\n", $3, proto
		}
	}'
}

# expect_funcs IMAGE NAME... <<'E'
expect_funcs() {
	expect_text "$(funcs "$@")"
}

# skipped IMAGE: print "SYMBOL: REASON" for each function in the report that is not encoded
skipped() {
	jq -r '.functions[] | select(.encoded | not) | "\(.symbol): \(.reason)"' "$1.report" | sort
}

# types IMAGE REGEX: print matching lines of the dump, without ids
types() {
	sed -E 's/^\[[0-9]+\] //; s/ (->|on|index) \[[0-9]+\]/ \1/' "$1.dump" | find_lines -E -- "$2" | sort
}
