#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The runner and lib.sh: a command that hangs is stopped, results are counted, and it is said
# where the time went.
. "${0%/*}/../lib.sh"

begin 'slowness is a whole number from 1 to 20'
slowness=$("$selftests/slowness.sh")
[ "$slowness" -ge 1 ] && [ "$slowness" -le 20 ] || fail "slowness $slowness"

begin 'a command that hangs is stopped, and the message gives the reason'
hang_limit=1 expect 124 limited sleep 1000
says '^stopped after 1 s: .* slowness [0-9]+$'
expect 3 limited sh -c 'exit 3'
expect_eq "$out" ''

begin 'a test file that hangs is stopped, and fails'
mkdir -p tree/selftests/slow
cp "$selftests"/{run-tests,summary,slowness}.sh tree/selftests
sed -i 's/limit=.*/limit=1/' tree/selftests/run-tests.sh
echo 'printf "pass\tone\n" >&3; sleep 1000' >tree/selftests/slow/hangs.sh
echo 'printf "pass\ttwo\nskip\tthree (no reason)\n" >&3' >tree/selftests/slow/quick.sh
expect 1 env DIRS=slow NO_SUMMARY='' T='' OUT='' SLOWNESS=7 SANITIZE='' tree/selftests/run-tests.sh
says '^FAIL hangs: stopped after 1 s: .* slowness 7$'
says '^PASS hangs: one$'
says '^ +[1-9][0-9]*  hangs \(build/test\)$'
expect_eq "$(tail -n 1 out)" '2 passed, 1 failed, 1 skipped'

begin 'the ten longest, and the longest first'
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
