#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make bench-libraries": measures what libdw and libbpf would cost: the CPU seconds of a walk over
# all DIEs by libdw, and of btf__dedup() in pahole, compared with all of "abtf encode".
#   VMLINUX=FILE   the image (otherwise Debian's 6.12 in build/debian)
#   ROUNDS=N       rounds (3); the median counts
set -eu
cd "$(dirname "$0")/.."
out=build/bench
mkdir -p $out
image=${VMLINUX:-build/debian/vmlinux}
[ -n "${VMLINUX:-}" ] || selftests/fetch-debian.sh

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# cpu COMMAND...: seconds
cpu() {
	local TIMEFORMAT='%3U %3S' times

	times=$({ time "$@" >$out/stdout 2>$out/stderr; } 2>&1)
	awk '{ print $1 + $2 }' <<<"$times"
}

rm -f $out/walk $out/dedup $out/abtf
cat "$image" >/dev/null
for _ in $(seq "${ROUNDS:-3}"); do
	cpu build/compare/dwarf-walk "$image" >>$out/walk
	dies=$(cat $out/stdout)
	cpu encoder/abtf encode -q -j 1 -o $out/abtf.btf "$image" >>$out/abtf
	LD_PRELOAD=$PWD/build/compare/dedup-clock.so pahole -J -j1 --btf_gen_floats \
		--btf_encode_detached=$out/pahole.btf "$image" 2>$out/stderr
	sed -nE 's/^btf__dedup: ([0-9.]+) s.*/\1/p' $out/stderr >>$out/dedup
	types=$(sed -nE 's/^btf__dedup: .* s, //p' $out/stderr)
done
walk=$(median <$out/walk) dedup=$(median <$out/dedup) abtf=$(median <$out/abtf)
ratio() { awk -v a="$1" -v b="$abtf" 'BEGIN { printf "%.1f", a / b }'; }
echo '| | CPU seconds | next to `abtf encode` |'
echo '|---|---:|---:|'
echo "| \`abtf encode -j1\`: everything | $abtf | 1 |"
echo "| libdw: walk over $dies | $walk | $(ratio "$walk") |"
echo "| libbpf: \`btf__dedup()\` in pahole $(pahole --version), $types | $dedup | $(ratio "$dedup") |"
