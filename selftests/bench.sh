#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make bench": compares abtf with pahole on one image: CPU seconds with one thread, wall-clock
# seconds with two, peak memory, and the ratios, as Markdown.
#   VMLINUX=FILE   the image (otherwise Debian's 6.12 in build/debian)
#   PAHOLE=FILE    this pahole instead of the installed one
#   ROUNDS=N       rounds (5); each round runs both, and the medians are compared
#   CALLGRIND=1    count instructions as well (takes some ten minutes)
set -eu -o pipefail
cd "$(dirname "$0")/.."
. selftests/measure.sh
abtf=$PWD/encoder/abtf
pahole=${PAHOLE:-$(command -v pahole || true)}
rounds=${ROUNDS:-5}
out=build/bench
mkdir -p $out

if [ -z "$pahole" ]; then
	echo "bench: no pahole; set PAHOLE=FILE" >&2
	exit 1
fi
if [ -n "${VMLINUX:-}" ]; then
	image=$VMLINUX
else
	selftests/fetch-debian.sh
	image=build/debian/vmlinux
fi
version=$("$pahole" --version)
number=$(sed -E 's/v([0-9]+)\.([0-9]+).*/\1\2/' <<<"$version")

# The options that scripts/Makefile.btf of 6.12 passes to this version of pahole, except -j.
if [ "$number" -ge 126 ]; then
	flags=("--btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs")
else
	flags=(--btf_gen_floats)
	[ "$number" -lt 125 ] || flags+=(--skip_encoding_btf_inconsistent_proto --btf_gen_optimized)
fi
[ "$number" -lt 124 ] || flags+=(--lang_exclude=rust)

# command_of TOOL THREADS: sets $cmd
command_of() {
	case $1 in
	pahole)	cmd=("$pahole" -J "-j$2" "${flags[@]}" "--btf_encode_detached=$out/pahole.btf" "$image") ;;
	abtf)	cmd=("$abtf" encode -q -j "$2" -o "$out/abtf.btf" "$image") ;;
	esac
}

rm -f $out/*.cpu $out/*.wall $out/*.anon $out/*.rss
# Read the image from disk before the first round.
cat "$image" >/dev/null
for round in $(seq "$rounds"); do
	echo "  round $round of $rounds"
	for tool in pahole abtf; do
		command_of $tool 1
		cpu $out/$tool.cpu "${cmd[@]}"
		command_of $tool 2
		wall=$(timed "${cmd[@]}")
		echo "${wall% *}" >>$out/$tool.wall
	done
done
for round in 1 2 3; do
	for tool in pahole abtf; do
		command_of $tool 2
		peaks=$(memory "${cmd[@]}")
		echo "${peaks% *}" >>$out/$tool.anon
		echo "${peaks#* }" >>$out/$tool.rss
	done
done

# row TITLE SUFFIX DIVISOR FORMAT
row() {
	awk -v title="$1" -v a="$(median <"$out/pahole.$2")" -v b="$(median <"$out/abtf.$2")" \
		-v d="$3" -v f="$4" 'BEGIN {
		printf "| %s | " f " | " f " | 1/%.1f |\n", title, a / d, b / d, a / b }'
}
{
	echo "$(basename "$image"): $(grep -a -o -m1 'Linux version [0-9][[:print:]]*' "$image" |
		head -n 1 | sed -E 's/ \(.*\) (#.*)/, \1/' || true)"
	echo "pahole $version: \`-J -jN ${flags[*]}\`; $("$abtf" --version): \`encode -jN\`, all features on"
	echo "$(nproc) x $(processor), median of $rounds rounds"
	echo
	echo "| | pahole | abtf | ratio |"
	echo "|---|---:|---:|---:|"
	row 'CPU seconds, -j1' cpu 1000 %.2f
	row 'wall seconds, -j2' wall 1000 %.2f
	row 'peak anonymous memory, MB' anon 1024 %.0f
	row 'peak resident memory (with the mapped file), MB' rss 1024 %.0f
	if [ "${CALLGRIND:-}" = 1 ]; then
		for tool in pahole abtf; do
			command_of $tool 1
			valgrind --tool=callgrind --callgrind-out-file=/dev/null "${cmd[@]}" 2>&1 |
				sed -nE 's/.*Collected : ([0-9]+).*/\1/p' >$out/$tool.instructions
		done
		row 'instructions, 10^9' instructions 1000000000 %.1f
	fi
	echo "| BTF written, bytes | $(stat -c %s $out/pahole.btf) | $(stat -c %s $out/abtf.btf) | |"
	echo
	echo 'Where the time goes (-j1):'
	echo
	"$abtf" encode -v -j 1 -o $out/abtf.btf "$image" 2>&1 | sed 's/^/    /'
} | tee $out/table.md
echo "  (also in $out/table.md)"
