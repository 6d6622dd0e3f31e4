#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The runner and lib.sh stop commands that hang, count results, and print where the time went.
. "${0%/*}/../lib.sh"

begin 'slowness is a whole number from 1 to 20'
slowness=$("$selftests/slowness.sh")
[ "$slowness" -ge 1 ] && [ "$slowness" -le 20 ] || fail "slowness $slowness"

begin 'a command that hangs is stopped, and the message gives the reason'
hang_limit=1 expect 124 limited sleep 1000
says '^stopped after 1 s: .* slowness [0-9]+$'
expect 3 limited sh -c 'exit 3'
expect_none <<<"$out"

begin 'a test file that hangs is stopped, and fails'
mkdir -p tree/selftests/slow
cp "$selftests"/{run-tests,summary,slowness,results}.sh tree/selftests
sed -i 's/limit=.*/limit=1/' tree/selftests/run-tests.sh
echo 'printf "pass\tone\n" >&3; sleep 1000' >tree/selftests/slow/hangs.sh
echo 'printf "pass\ttwo\nskip\tthree (no reason)\n" >&3' >tree/selftests/slow/quick.sh
expect 1 env DIRS=slow NO_SUMMARY='' T='' OUT='' SLOWNESS=7 SANITIZE='' tree/selftests/run-tests.sh
says '^FAIL hangs: stopped after [0-9]+ s: .* slowness 7$'
says '^PASS hangs: one$'
says '^ +[1-9][0-9]*  hangs, [0-9]+ of CPU time \(build/test\)$'
expect_eq "$(tail -n 1 out)" '2 passed, 1 failed, 1 skipped'
# the limit of one second is too short for the cases below on a busy machine
cp "$selftests/run-tests.sh" tree/selftests

begin 'a check or a command that fails in a subshell fails its case'
mkdir subshell subshell/test
cp "$selftests/lib.sh" subshell
cat >subshell/test/sub.sh <<'T'
. "${0%/*}/../lib.sh"
fails_inside() { false; echo text; }
begin 'a check in an argument'
expect_eq "$(echo text; fail inside)" text
begin 'a command in an argument'
expect_eq "$(echo text; false)" text
begin 'the first command of a pipe in an argument'
expect_eq "$({ echo text; exit 3; } | sed '')" text
begin 'a command in a process substitution'
while read -r line; do expect_eq "$line" text; done < <(echo text; false)
begin 'commands whose status is used, and a reader that stops early'
expect_eq "$(echo text; false || true)" text
expect_eq "$(if [ "$(find_lines -c x /dev/null)" = 0 ]; then echo text; fi)" text
status=0
got=$(fails_inside) || status=$?
head -n 1 < <(yes) >/dev/null
begin 'a check in a subshell'
(fail inside)
T
(cd subshell/test && bash ./sub.sh >log 2>&1 3>results) || true
expect_text "$(cat subshell/test/results)" <<'T'
fail	a check in an argument
fail	a command in an argument
fail	the first command of a pipe in an argument
fail	a command in a process substitution
pass	commands whose status is used, and a reader that stops early
fail	a check in a subshell
T
has subshell/test/log '^sub\.sh, line [0-9]+: status 3: '

begin 'a case whose compiler is missing is skipped, with the reason, in a subshell, too'
# missing LINES: print the results of these lines of a test on a machine without the compiler for s390x
missing() {
	printf '. "%s/lib.sh"\nhave() { false; }\n%b' "$PWD/subshell" "$1" >subshell/test/missing.sh
	(cd subshell/test && bash ./missing.sh >log 2>&1 3>results) || [ $? = 77 ]
	cat subshell/test/results
}
expect_eq "$(missing 'begin needed\ntarget s390x\n')" 'skip	needed (no s390x-linux-gnu-gcc)'
expect_eq "$(missing 'begin inside\n(\n\ttarget s390x\n)\n')" 'skip	inside (no s390x-linux-gnu-gcc)'
expect_eq "$(missing 'begin inside\n(skip why)\n')" 'skip	inside (why)'
expect_text "$(missing 'begin one\ntrue\ntarget s390x\n')" <<'T'
pass	one
skip	target s390x (no s390x-linux-gnu-gcc)
T

begin 'a text that is missing from an empty file is not evidence'
printf '. "%s/lib.sh"\nbegin empty\n: >empty\nhas_not empty text\n' "$PWD/subshell" >subshell/test/empty.sh
(cd subshell/test && bash ./empty.sh >log 2>&1 3>results) || true
expect_eq "$(cat subshell/test/results)" 'fail	empty'

begin 'one case of a test file runs alone, after those before it'
mkdir tree/selftests/cases
cp "$selftests/lib.sh" tree/selftests
cat >tree/selftests/cases/three.sh <<'T'
. "${0%/*}/../lib.sh"
begin one
touch made
fail 'a case ran that was not requested'
begin two
[ -e made ]
begin three
touch "$top/too-far"
T
# one_case STATUS FILE/N: run this case, and expect STATUS
one_case() {
	expect "$1" env DIRS=cases NO_SUMMARY='' T="$2" OUT='' SANITIZE='' tree/selftests/run-tests.sh
}
one_case 0 three/2
says '^PASS three: two$'
expect_eq "$(tail -n 1 out)" '1 passed, 0 failed'
[ ! -e tree/too-far ] || fail 'the file did not end after the case'
one_case 1 three/4
says 'no case was run'
one_case 1 thre/2
expect_eq "$(tail -n 1 out)" '0 passed, 0 failed'

begin 'a test that takes long is left out with QUICK=1, and counted as skipped'
mkdir tree/selftests/sizes
printf '# long: a thousand images\nprintf "pass\\tall\\n" >&3\n' >tree/selftests/sizes/large.sh
printf 'printf "pass\\tall\\n" >&3\n' >tree/selftests/sizes/small.sh
expect 0 env DIRS=sizes NO_SUMMARY='' T='' OUT='' QUICK='' SANITIZE='' tree/selftests/run-tests.sh
expect_eq "$(tail -n 1 out)" '2 passed, 0 failed'
expect 0 env DIRS=sizes NO_SUMMARY='' T='' OUT='' QUICK=1 SANITIZE='' tree/selftests/run-tests.sh
says '^SKIP large: all cases \(a thousand images; run by "make test-all", or T=large\)$'
expect_eq "$(tail -n 1 out)" '1 passed, 0 failed, 1 skipped'

begin 'the ten longest test files are printed, the longest first'
rm -rf tree/build
mkdir -p tree/build/a/one tree/build/b/two
printf 'pass\tone\n' | tee tree/build/a/one/results >tree/build/b/two/results
for i in 3 1 2 11 12 5 6 7; do echo "$i a$i"; done >tree/build/a/seconds
for i in 4 100 8 9 10; do echo "$i b$i"; done >tree/build/b/seconds
expect 0 tree/selftests/summary.sh tree/build/a tree/build/b
expect_text "$out" <<'T'
These took longest, in seconds:
   100  b100 (tree/build/b)
    12  a12 (tree/build/a)
    11  a11 (tree/build/a)
    10  b10 (tree/build/b)
     9  b9 (tree/build/b)
     8  b8 (tree/build/b)
     7  a7 (tree/build/a)
     6  a6 (tree/build/a)
     5  a5 (tree/build/a)
     4  b4 (tree/build/b)
2 passed, 0 failed
T

begin 'a run that finds no test fails; without T=, it also counts one failure'
mkdir -p tree/selftests/empty
expect 1 env DIRS=empty NO_SUMMARY='' T='' OUT='' SLOWNESS=7 SANITIZE='' tree/selftests/run-tests.sh
expect_eq "$(tail -n 1 out)" '0 passed, 1 failed'
expect 1 env DIRS=empty NO_SUMMARY='' T=x OUT='' SLOWNESS=7 SANITIZE='' tree/selftests/run-tests.sh
expect_eq "$(tail -n 1 out)" '0 passed, 0 failed'
rm -rf tree/build/test

begin 'a test file without results fails'
printf 'one\nlost\n' >tree/build/a/tests.txt
expect 1 tree/selftests/summary.sh tree/build/a tree/build/b
says '^  tree/build/a/lost: no results$'
expect_eq "$(tail -n 1 out)" '2 passed, 1 failed'

begin 'a line that is not a result, and a title that a test has twice, count as failed'
rm -rf tree/build
mkdir -p tree/build/a/one
printf 'pass\tone\nPASSED two\npass\tthree\tand more\nskip\tfour (no reason)\npass\tone\nfai' >tree/build/a/one/results
expect 1 tree/selftests/summary.sh tree/build/a
says '^  tree/build/a/one: not a result: PASSED two$'
says '^  tree/build/a/one: not a result: pass.three.and more$'
says '^  tree/build/a/one: two cases with the title: one$'
says '^  tree/build/a/one: not a result: fai$'
expect_eq "$(tail -n 1 out)" '2 passed, 4 failed, 1 skipped'

begin 'a test file that is killed, and results that cannot be written, count as failed'
rm -rf tree/selftests/slow
mkdir tree/selftests/slow
# shellcheck disable=SC2016 # the inner shell expands it
echo 'printf "pass\tone\n" >&3; kill -9 $$' >tree/selftests/slow/killed.sh
# as on a full disk, nothing that is written is there
echo 'rm ../results; ln -s /dev/null ../results; printf "pass\tone\n" >&3' >tree/selftests/slow/full.sh
expect 1 env DIRS=slow NO_SUMMARY='' T='' OUT='' SLOWNESS=7 SANITIZE='' tree/selftests/run-tests.sh
says 'build/test/killed: killed by SIGKILL after [0-9]+ s$'
says 'build/test/full: no results$'
expect_eq "$(tail -n 1 out)" '1 passed, 2 failed'

begin 'a second run in the same tree does not touch the results of the first'
rm -rf tree/build tree/selftests/slow
mkdir tree/selftests/slow
# shellcheck disable=SC2016 # the inner shell expands it
echo 'printf "fail\tit fails\n" >&3; echo >../../started; until [ -e ../../go ]; do sleep 0.1; done' >tree/selftests/slow/first.sh
run() {
	limited env DIRS=slow NO_SUMMARY='' T='' OUT='' SLOWNESS=7 SANITIZE='' tree/selftests/run-tests.sh
}
{ run || exit; } >first 2>&1 &
wait_for tree/build/test/started
expect 1 run
says 'build/test: another run of tests writes its results there$'
: >tree/build/test/go
! wait $! || fail 'the first run passed'
expect_eq "$(tail -n 1 first)" '0 passed, 1 failed'

# The runner exports "out", and "make check" in a package's build runs in another runner's test.
begin 'makefiles of the test programs ignore variables that a runner exports'
for dir in compare judge example; do
	out=$PWD/elsewhere limit=1 make -s -n -B -C "$selftests/$dir" >made
	has made "$top/build/$dir/"
	has_not made elsewhere
done
