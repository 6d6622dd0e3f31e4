#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make same: a program with the same output passes; any difference is found.
. "${0%/*}/../lib.sh"

export SAME_OUT=$PWD/same ONLY=example QUICK=1
unset FIXES

# earlier TEXT: write an earlier program, which runs abtf and then TEXT
earlier() {
	printf '#!/bin/bash\n"%s" "$@"\nstatus=$?\n%s\nexit $status\n' "$ABTF" "$1" >earlier
	chmod +x earlier
}

# compare STATUS: compare with the earlier program, and expect STATUS
compare() {
	expect "$1" env OLD=./earlier "$selftests/same.sh"
}

begin 'two programs with the same output: status 0'
earlier ''
compare 0
says '^same: [0-9]{2,} runs, 0 differ as expected$'

begin 'one different byte of BTF is found'
earlier '[ "$1" != strip ] || printf "\1" | dd of=plain.btf bs=1 seek=40 conv=notrunc status=none'
compare 1
says '^same: example/vmlinux/strip differs'
says '/old/plain.btf and .*/new/plain.btf differ'
[ -s same/old/plain.btf ] && [ -s same/new/plain.btf ] || fail 'the files that differ were not kept'

begin 'a different message, exit status, or additional file is found'
earlier '[ "$1" != check ] || echo more >&2'
compare 1
says '^-more$'
earlier '[ "$1" != check ] || status=1'
compare 1
says '^-1$'
earlier '[ "$1" != check ] || touch more'
compare 1
says 'Only in .*/old: more$'

begin 'an intended difference is counted, and one that never appears is an error'
earlier '[ "$1" != list ] || echo more'
printf 'example/*/list*\tan earlier list says more\nexample/*/probe\tthat is a list, too\n' >fixes
FIXES=fixes compare 1
says '^same: example/vmlinux/inlined differs'
printf 'example/*/inlined\tand this\n' >>fixes
FIXES=fixes compare 0
says '^  [1-9][0-9]* differ as expected: example/\*/list\*: an earlier list says more$'
earlier ''
FIXES=fixes compare 1
says '^same: example/\*/probe: no difference matches this pattern$'
printf 'example/*\n' >fixes
FIXES=fixes compare 1
says 'expected a tab and a reason'

begin 'a missing earlier program and an unknown group are errors'
expect 1 env -u OLD "$selftests/same.sh"
says 'OLD=PROGRAM is missing'
ONLY=nothing compare 1
says 'no group nothing'
