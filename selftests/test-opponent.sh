#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make test-opponent: encode random programs (opponent/generate.c) by several compilers with random
# flags, and call each FUNC with the arguments in its prototype (opponent/harness.c). x86-64 only.
#   ROUNDS=N         programs (100)
#   SEED=N           of the first one; the next one has the next seed (1)
#   COMPILERS="A B"  use these in turns (gcc and clang); one that is not installed is downloaded
#   KEEP=1           keep all programs
#   ABTF=FILE        another abtf
# A program that fails is kept in build/opponent/SEED, with its commands in the file "commands".
set -eu -o pipefail
cd "$(dirname "$0")/.."
[ "$(uname -m)" = x86_64 ] || { echo 'test-opponent: x86-64 only' >&2; exit 1; }
: "${ROUNDS:=100}" "${SEED:=1}" "${COMPILERS:=gcc clang}" "${ABTF:=$PWD/encoder/abtf}"
dir=$PWD/build/opponent sources=$PWD/selftests/opponent
: "${SLOWNESS:=$(selftests/slowness.sh)}"
dump=$PWD/build/compare/btf-dump judge=$PWD/build/judge/btf-judge

gcc_flags='-fno-ipa-sra -fno-ipa-cp -fipa-cp-clone -fno-ipa-ra -fno-var-tracking
	-fno-var-tracking-assignments -fno-inline -fno-inline-small-functions -fno-partial-inlining
	-fno-reorder-functions -fno-schedule-insns2 -fno-shrink-wrap -fno-ipa-icf -fira-region=all
	-fstack-check -gno-statement-frontiers -gno-variable-location-views -flto -fno-toplevel-reorder
	--param=ipa-cp-eval-threshold=1 -fno-optimize-sibling-calls -mno-red-zone -mstackrealign'
clang_flags='-flto -flto=thin -fno-inline -mno-red-zone -mretpoline -mspeculative-load-hardening
	-fno-optimize-sibling-calls -mllvm=-hot-cold-split -fsplit-machine-functions'
both_flags='-fcf-protection=full -fpatchable-function-entry=5 -ffunction-sections -gdwarf-4
	-fno-omit-frame-pointer -fstack-protector-all -fzero-call-used-regs=used-gpr -funroll-loops'

# pick N WORD...: print N of them, chosen by the seed
pick() {
	printf '%s\n' "${@:2}" | awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $0 }' |
		sort | sed "s/^[^ ]* //; $1q" | tr '\n' ' '
}

# known FLAG...: print those that the compiler accepts
known() {
	local flag

	for flag; do
		flag=${flag/#-mllvm=/-mllvm }
		# shellcheck disable=SC2086 # an option and its argument
		! $cc $flag -x c -c -o known.o - </dev/null 2>/dev/null || printf '%s ' "$flag"
	done
}

# write_commands FILE: write the commands that compile and link a program. clang's LTO needs its own
# linker.
# shellcheck disable=SC2046,SC2086 # lists
write_commands() {
	local flags

	case ${cc##*/} in
	gcc*)	flags=$(known $(pick 3 $gcc_flags $both_flags)) ;;
	*)	flags=$(known $(pick 3 $clang_flags $both_flags)) ;;
	esac
	flags="$(pick 1 -O1 -O2 -O2 -O3 -Os -Og -O0)$flags"
	case ${cc##*/}$flags in clang*-flto*) flags="$flags -fuse-ld=lld" ;; esac
	for unit in unit0 unit1 unit2; do
		echo "$cc -g -w -fno-pie -I$sources $flags -c -o $unit.o $unit.c"
	done
	echo "$cc -no-pie $flags -Wl,--defsym=_text=__executable_start -o program unit?.o $dir/harness.o"
} >"$1"

# list FILE: convert btf-dump's FUNCs to the harness's format
list() {
	awk '
	$2 == "FUNC" && $4 == "addr" && $3 !~ /^(main|_start)$/ {
		line = $0
		sub(/.*\(/, "", line)
		sub(/\)$/, "", line)
		nr = split(line, params, ", ")
		printf "%s %s %s", substr($5, 3), $3, $0 ~ /: void [^*(]*\(/ ? "void" : "value"
		for (i = 1; i <= nr && line != "void"; i++) {
			sub(/.*[ *]/, "", params[i])
			printf " %s", params[i]
		}
		print ""
	}' "$1"
}

# limited COMMAND...: stop it if it hangs
limited() {
	timeout -k 10 $((60 * SLOWNESS)) "$@"
}

# run: generate, encode and run one program
run() {
	local failed=0 status=0

	"$dir/generate" "$seed" .
	write_commands commands
	if ! limited bash -e commands >compiler.log 2>&1; then
		echo 'not compiled'
		return
	fi
	limited "$ABTF" encode -q -o program.btf program
	limited "$ABTF" check program program.btf || failed=1
	limited "$judge" program program.btf || failed=1
	"$dump" program.btf >program.dump
	list program.dump >functions
	limited ./program functions || failed=1
	# it must detect reversed parameters
	awk '{ printf "%s %s %s", $1, $2, $3; for (i = NF; i > 3; i--) printf " %s", $i; print "" }' \
		functions >reversed
	limited ./program reversed >reversed.log || status=$?
	[ $status = 1 ] || { echo "the harness did not detect reversed parameters: status $status"; failed=1; }
	return $failed
}

mkdir -p "$dir"
gcc -O2 -Wall -Wextra -o "$dir/generate" "$sources/generate.c"
gcc -O2 -fno-pie -Wall -Wextra -c -o "$dir/harness.o" "$sources/harness.c"
read -ra compilers <<<"$COMPILERS"
for name in "${compilers[@]}"; do
	command -v "$name" >/dev/null || selftests/fetch-compilers.sh "$name"
done
functions=0 clones=0 skipped=0 failed=0
for ((round = 0; round < ROUNDS; round++)); do
	seed=$((SEED + round)) name=${compilers[(SEED + round) % ${#compilers[@]}]}
	cc=$(command -v "$name" || echo "$PWD/build/compilers/$name")
	rm -rf "${dir:?}/$seed"
	mkdir "$dir/$seed"
	# set -e has no effect in a condition
	set +e
	(set -e; cd "$dir/$seed"; run) >"$dir/log" 2>&1
	status=$?
	set -e
	if [ $status = 0 ]; then
		[ ! -e "$dir/$seed/functions" ] || {
			functions=$((functions + $(wc -l <"$dir/$seed/functions")))
			clones=$((clones + $(cut -d' ' -f2 "$dir/$seed/functions" | grep -c '^[^@]*[.]' || true)))
		}
		[ -n "${KEEP:-}" ] || rm -rf "${dir:?}/$seed"
	else
		failed=$((failed + 1))
		echo "FAIL build/opponent/$seed: make test-opponent COMPILERS=$name SEED=$seed ROUNDS=1"
		sed 's/^/  /' "$dir/log" | head -n 20
	fi
	! grep -q '^not compiled' "$dir/log" || skipped=$((skipped + 1))
done
echo "$ROUNDS programs, $skipped not compiled, $failed failed; $functions FUNCs called, $clones of clones"
[ $failed = 0 ] && [ $functions != 0 ] && [ $((skipped * 10)) -le "$ROUNDS" ]
