#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make bench-libraries": measures what libdw and libbpf would cost: the CPU seconds of a walk over
# all DIEs by libdw, and of btf__dedup() in pahole, compared with all of "abtf encode".
#   VMLINUX=FILE   the image (otherwise Debian's 6.12 in build/debian)
#   ROUNDS=N       rounds (3); the median counts
set -eu -o pipefail
cd "$(dirname "$0")/.."
. selftests/measure.sh
out=build/bench
mkdir -p $out
image=${VMLINUX:-build/debian/vmlinux}
[ -n "${VMLINUX:-}" ] || selftests/fetch-debian.sh

rm -f $out/walk $out/dedup $out/abtf
cat "$image" >/dev/null
for _ in $(seq "${ROUNDS:-3}"); do
	cpu $out/walk build/compare/dwarf-walk "$image"
	cpu $out/abtf encoder/abtf encode -q -j 1 -o $out/abtf.btf "$image"
	LD_PRELOAD=$PWD/build/compare/dedup-clock.so pahole -J -j1 --btf_gen_floats \
		--btf_encode_detached=$out/pahole.btf "$image" 2>$out/stderr
	sed -nE 's/^btf__dedup: ([0-9.]+) s.*/\1/p' $out/stderr | awk '{ print $1 * 1000 }' >>$out/dedup
	types=$(sed -nE 's/^btf__dedup: .* s, //p' $out/stderr)
done
walk=$(median <$out/walk) dedup=$(median <$out/dedup) abtf=$(median <$out/abtf)
dies=$(build/compare/dwarf-walk "$image")
echo '| | CPU seconds | next to `abtf encode` |'
echo '|---|---:|---:|'
echo "| \`abtf encode -j1\`: everything | $(seconds "$abtf") | 1 |"
echo "| libdw: walk over $dies | $(seconds "$walk") | $(ratio "$walk" "$abtf") |"
echo "| libbpf: \`btf__dedup()\` in pahole $(pahole --version), $types | $(seconds "$dedup") | $(ratio "$dedup" "$abtf") |"
