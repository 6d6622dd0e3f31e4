#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make check-images": downloads Debian's debug images of several architectures and versions, encodes
# and checks each of them, and compares the result with pahole 1.32's; as Markdown. Each image is
# 1 GB, and is deleted before the next one is downloaded. The results are kept in build/images/NAME:
#
#	table.tsv	its row of the table
#	skipped		functions that are not encoded, by reason
#	types		types that differ from pahole's
#	funcs.theirs	pairs of name and prototype that only pahole has
#	funcs.ours	pairs that only abtf-pahole has
#	other		FUNCs with addresses at symbols with another name
#	lacking		FUNCs in pahole's BTF that have a symbol with exactly their name, but
#			no FUNC with exactly that name in ours; and the reason
#	check, judge	output of "abtf check" and of selftests/judge
#
#   ONLY="A B"   these images
#   ROUNDS=N     rounds (3); each round runs both programs, and the medians are compared
#   KEEP=1       do not delete images that were downloaded
#
# Fails if, for any image, a FUNC is at a symbol with another name or is missing although its
# prototype is proven, a type or a FUNC differs, or "abtf check" reports a violation.
set -eu -o pipefail
cd "$(dirname "$0")/.."
abtf=$PWD/encoder/abtf
tools=$PWD/build/compare
judge=$PWD/build/judge/btf-judge
. selftests/images.sh
. selftests/measure.sh
. selftests/promises.sh
pahole=$PWD/build/pahole-sid/pahole
rounds=${ROUNDS:-3}
export LC_ALL=C

# kbuild_flags VERSION: print the options that kbuild of this version passes to pahole 1.32, except -j, from
# scripts/pahole-flags.sh of 6.1, and scripts/Makefile.btf of 6.12 and newer kernels
kbuild_flags() {
	local features=encode_force,var,float,enum64,decl_tag,type_tag
	features=$features,optimized_func,consistent_func

	echo -n '--lang_exclude=rust '
	case $1 in
	5.10)	echo ;;
	6.1)	echo --btf_gen_floats --skip_encoding_btf_inconsistent_proto --btf_gen_optimized ;;
	6.12)	echo --btf_features=$features,decl_tag_kfuncs ;;
	*)	echo --btf_features=$features,layout ;;
	esac
}

# number_before TEXT FILE, number_after TEXT FILE: print the number next to TEXT in the last line of FILE
number_before() {
	tail -n 1 "$2" | grep -oE "[0-9]+$1" | grep -oE '^[0-9]+'
}
number_after() {
	tail -n 1 "$2" | grep -oE "$1[0-9]+" | grep -oE '[0-9]+$'
}

# by_count FILE: "REASON N, REASON N", from a column of reasons
by_count() {
	sort "$1" | uniq -c | sort -rn | awk '{ printf "%s%s %d", (NR > 1 ? ", " : ""), $2, $1 }'
}

# examine NAME: encode $image in three ways, and compare the results, in the image's directory
examine() {
	local flags symbol reason lacking violations unexplained=0 named theirs ours only_a only_b repeats

	read -ra flags < <(kbuild_flags "${1#*-}")
	rm -f ./*.cpu
	cat "$image" >/dev/null
	for _ in $(seq "$rounds"); do
		cpu pahole.cpu "$pahole" -J -j1 "${flags[@]}" --btf_encode_detached=pahole.btf "$image"
		cpu abtf.cpu "$abtf" encode -q -j1 -o abtf.btf "$image"
	done
	"$abtf" encode -q -o abtf.btf --report=report.json "$image"
	"$abtf-pahole" -J "${flags[@]}" --btf_encode_detached=called.btf "$image"
	# shellcheck disable=SC2094 # "check" is a command and a file
	"$abtf" check "$image" abtf.btf >check 2>&1 || true
	"$judge" -v "$image" abtf.btf >judge 2>&1 || true

	"$tools/btf-compare" -n 1000 pahole.btf called.btf >types || true
	"$tools/btf-compare" -n 1000 --funcs pahole.btf called.btf >funcs.theirs || true
	"$tools/btf-compare" -n 1000 --funcs called.btf pahole.btf >funcs.ours || true
	only_a=$(number_after 'only in A: ' types)
	only_b=$(number_after 'only in B: ' types)
	repeats=$(number_after 'repeats in B: ' types)
	theirs=$(number_after 'missing in B: ' funcs.theirs)
	ours=$(number_after 'missing in B: ' funcs.ours)

	readelf -sW "$image" | "$tools/btf-symbols" abtf.btf pahole.btf >symbols
	grep '^other	' symbols | cut -f2- >other || true
	named=$("$tools/btf-dump" abtf.btf | grep -cE ' FUNC [^ ]+@[^ ]+ addr [^ ]+ linkage 1') || true
	jq -r '.functions[] | select(.encoded | not) | [.symbol, .reason] | @tsv' report.json |
		sort -u >reasons
	jq -r '.skipped | to_entries[] | select(.value > 0) | "\(.key) \(.value)"' report.json >skipped
	{ grep '^missing	' symbols || true; } | cut -f2 | sort -u |
		join -t '	' -a 1 -e unreported -o 0,2.2 - reasons >lacking
	cut -f2 lacking >lacking.reasons
	# Code without DWARF has no known prototype: pahole uses the prototype of an
	# inline function with the same name.  The judge must not find a prototype, either.
	while read -r symbol reason; do
		[[ ! $reason =~ ^($promises)$ ]] || continue
		[ "$reason" != no_dwarf ] || grep -q "missing: $symbol at " judge || continue
		unexplained=$((unexplained + 1))
	done <lacking

	lacking=$(by_count lacking.reasons)
	violations=$(number_before ' violations' check)/$(number_before ' violations' judge) || violations='?'
	{
		echo "$1"
		banner "$image" | cut -d' ' -f2
		jq .encoded report.json
		echo "$named"
		echo "$violations"
		wc -l <other
		echo "${lacking:-0}"
		echo "$only_a, $only_b$([ "$repeats" = 0 ] || echo " ($repeats repeats)")"
		echo "$theirs, $ours"
		awk -v a="$(median <pahole.cpu)" -v b="$(median <abtf.cpu)" 'BEGIN {
			printf "%.2f\n%.2f\n1/%.1f\n", a / 1000, b / 1000, a / b }'
	} | paste -s -d '\t' >table.tsv

	[ "$violations" = 0/0 ] && [ ! -s other ] && [ $unexplained = 0 ] &&
		[ "$only_a,$only_b,$repeats,$theirs,$ours" = 0,0,0,0,0 ]
}

print_tables() {
	local name

	echo "pahole $("$pahole" --version | tr -d v) and $("$abtf" --version), CPU seconds with one thread, median"
	echo "(of $rounds), on $(processor), $(date '+%B %Y'):"
	echo
	echo '| image | Debian | FUNCs | global, with a file | violations: check/judge | at another name | lacking | types | pairs | pahole | abtf | ratio |'
	echo '|---|---|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|'
	for name; do
		sed 's/\t/ | /g; s/^/| /; s/$/ |/' "$images/$name/table.tsv"
	done
	echo
	echo '| image | skipped |'
	echo '|---|---|'
	for name; do
		printf '| %s | ' "$name"
		paste -s -d, "$images/$name/skipped" | sed 's/,/, /g; s/$/ |/'
	done
}

selftests/fetch-pahole.sh
chosen=() failed=()
while read -r name suite arch package; do
	if [ -z "$name" ] || [[ -n ${ONLY:-} && " $ONLY " != *" $name "* ]]; then
		continue
	fi
	chosen+=("$name")
	echo "$name"
	dir=$images/$name
	mkdir -p "$dir"
	rm -f "$dir"/{fetched,types,funcs.theirs,funcs.ours,other,lacking,check}
	printf '%s\tfailed\n' "$name" >"$dir/table.tsv"
	echo '-' >"$dir/skipped"
	# set -e has no effect in a condition
	set +e
	(
		set -e
		fetch_image "$name" "$suite" "$arch" "$package"
		cd "$dir"
		examine "$name"
	)
	status=$?
	set -e
	[ $status = 0 ] || failed+=("$name")
	drop_image "$name"
	rm -f "$dir"/{symbols,reasons,lacking.reasons,stderr}
done <<<"$image_list"

if [ ${#chosen[@]} = 0 ]; then
	echo "check-images: no image is called $ONLY; the images are$(awk '{ printf " %s", $1 }' <<<"$image_list")" >&2
	exit 1
fi
echo
print_tables "${chosen[@]}" | tee "$images/table.md"
echo
echo "(also in build/images/table.md; details in build/images/NAME)"
if [ ${#failed[@]} != 0 ]; then
	echo "failed: ${failed[*]}"
	exit 1
fi
