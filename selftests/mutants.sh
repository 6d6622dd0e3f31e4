#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Breaks a copy of the encoder in each of the ways in selftests/mutants/list, and runs the tests
# listed there. If none fails, no test covers that code. They have to pass with the unmodified
# copy first.
#   T=name   only mutants whose name contains it
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1
top=$PWD out=$PWD/build/mutants list=selftests/mutants/list
export ABTF=$out/encoder/abtf ABTF_PAHOLE=$out/encoder/abtf-pahole FAIL_FAST=1
export ENCODER_SOURCE=$out/encoder
SLOWNESS=$(selftests/slowness.sh)
export SLOWNESS
# Another run would delete the copy, and its mutants would count as killed.
. selftests/results.sh
lock_results build/mutants || exit 1

# die MESSAGE
die() {
	echo "mutants: $*" >&2
	exit 1
}

# Without LTO, linking after a change of one file is fast.
build() {
	make -s -C "$out/encoder" LTO= >"$out/build.log" 2>&1
}

copy() {
	mkdir -p "$out/whole/objects"
	cp -a encoder "$out/encoder"
	build || die "the copy does not build; see $out/build.log"
	# the objects of the unmodified copy
	cp -a encoder "$out/whole/encoder"
	cp -a "$out/build/encoder/." "$out/whole/objects"
}

# passes TEST: test whether all of its cases pass with the copy
passes() {
	local dir=$out/work status=0

	rm -rf "$dir"
	mkdir -p "$dir"
	(cd "$dir" && exec timeout -k 10 $((600 * SLOWNESS)) bash "$top/selftests/encoder/$1.sh") \
		>"$out/$1.log" 2>&1 3>"$out/results" </dev/null || status=$?
	[ $status = 0 ] && [ -s "$out/results" ] && ! grep -q '^fail' "$out/results"
}

# change FILE FROM TO: FROM must occur exactly once
change() {
	FROM=$2 TO=$3 perl -0pi -e '
		$n = () = /\Q$ENV{FROM}\E/g;
		$n == 1 or die "\"$ENV{FROM}\" is there $n times\n";
		s/\Q$ENV{FROM}\E/$ENV{TO}/' "$out/encoder/$1"
}

# Read the mutants: name and tests, file, and then the pieces, each on a line.
names=() tests=() files=() pieces=()
while IFS= read -r line; do
	case $line in
	'#'* | '') ;;
	'- '*) pieces[-1]+="${line#- }"$'\t' ;;
	'+ '*) pieces[-1]+="${line#+ }"$'\n' ;;
	*$'\t'*) names+=("${line%%$'\t'*}") tests+=("${line##*$'\t'}") files+=('') pieces+=('') ;;
	*) files[-1]=$line ;;
	esac
done <$list

copy
for i in "${!names[@]}"; do
	[[ ${names[i]} == *"${T:-}"* ]] && wanted+=" ${tests[i]}"
done
# it needs pahole 1.32
[[ ${wanted:-} != *drop-in-matrix* ]] || selftests/fetch-pahole.sh >/dev/null || exit 1
for test in $(printf '%s\n' ${wanted:-} | sort -u); do
	passes "$test" || die "$test fails without a mutant; see $out/$test.log"
done

# apply I: test whether the mutant can be applied and compiled
apply() {
	local from to

	while IFS=$'\t' read -r from to; do
		[ -n "$from" ] || continue
		change "${files[$1]}" "$from" "$to" || return 1
	done <<<"${pieces[$1]}"
	# make must see that it is newer than the object
	touch -d '+2 seconds' "$out/encoder/${files[$1]}"
	build || { tail -n 5 "$out/build.log"; return 1; }
}

alive=0 killed=0 errors=0
for i in "${!names[@]}"; do
	[[ ${names[i]} == *"${T:-}"* ]] || continue
	by=
	if apply "$i"; then
		for test in ${tests[i]}; do
			passes "$test" || { by=$test; break; }
		done
		if [ -n "$by" ]; then
			printf 'KILLED %-26s %s: %s\n' "${names[i]}" "$by" \
				"$(sed -n 's/^fail\t//p' "$out/results" | head -n 1)"
			killed=$((killed + 1))
		else
			printf 'ALIVE  %-26s after %s\n' "${names[i]}" "${tests[i]}"
			alive=$((alive + 1))
		fi
	else
		printf 'ERROR  %-26s does not apply to %s, or does not build\n' "${names[i]}" "${files[i]}"
		errors=$((errors + 1))
	fi
	cp -p "$out/whole/encoder/${files[i]}" "$out/encoder/${files[i]}"
	# for a header, rebuild all files that include it
	cp -a "$out/whole/objects/." "$out/build/encoder"
done
echo "$killed mutants killed, $alive alive, $errors errors"
[ $alive = 0 ] && [ $errors = 0 ] && [ $killed -gt 0 ]
