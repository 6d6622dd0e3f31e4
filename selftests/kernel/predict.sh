#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# predict.sh VMLINUX [MODULE...]: predict with abtf which kprobes the kernel will accept: at functions,
# clones and parts of functions of an image and of modules, and at random places inside their
# functions.  Writes files of lines with PLACE and VERDICT, which try-probes.sh reads in a guest:
#	vmlinux		_text+OFFSET
#	modules		MODULE:SYMBOL[+OFFSET], or MODULE|SECTION|OFFSET where several functions have that name
#	wrong		differences that the guest must report: lines "-PLACE VERDICT" and "+PLACE
#			VERDICT"; a verdict of each kind is reversed in the files above
#	table		abtf's table of all functions of the image
#	ambiguous	omitted places, because the verdict depends on other modules
#   ABTF=PROGRAM
#   EVERY=N	only try every Nth function of the image without a flag whose name has no suffix or file (8);
#		0: only random places
#   SKIP=REGEX	skip places in modules that match
#   RANDOM_PLACES=N	also try N places inside functions of the image (0)
#   MODULE_PLACES=N	also try N places inside functions of each module (0)
set -eu
set -o pipefail

image=$1
shift
"$ABTF" list --all --table "$image" >table
! grep -q ' unknown\(,\|$\)' table || { echo "$image: some verdicts are unknown" >&2; exit 1; }
awk -v every="${EVERY:-8}" 'NR > 1 && every && (NF > 2 || $1 ~ /[.@]/ || !(NR % every)) {
	print "_text+" $2, ($3 ~ /notrace|noprobe|init/ ? "rejected" : "accepted") }' table >vmlinux
if [ "${RANDOM_PLACES:-0}" != 0 ]; then
	NR=$RANDOM_PLACES "${BASH_SOURCE%/*}/random-places.sh" "$image" | cut -d ' ' -f 1,2 >>vmlinux
fi

# places MODULE: print lines of module, original ("-": not a clone or part), PLACE and VERDICT.
# The kernel finds a function by its name, unless several functions of the module have it: then it
# gets a section and an offset.  Init text has been freed.
places() {
	local name

	name=$(modinfo -F name "$1")
	nm --defined-only "$1" | awk -v ko="$name" '{ print $3, ko }' >>owners
	"$ABTF" list -aj --base "$image" "$1" |
		jq -r '.functions[] | [.name, .section, .offset, (.flags - ["clone"])[0] // "accepted"] | @tsv' |
		awk -v ko="$name" '
		$4 == "unknown" { next }
		{ verdict = $4 == "accepted" ? $4 : "rejected"
		  name = original = $1
		  sub(/@.*/, "", name)
		  original = index(name, ".") > 1 ? substr(name, 1, index(name, ".") - 1) : "-" }
		$1 !~ /@/ { print ko, original, ko ":" $1, verdict; next }
		$4 != "init" { print ko, original, ko "|" $2 "|" $3, verdict }'
}

nm --defined-only "$image" | awk '{ print $3, "vmlinux" }' >owners
for module; do
	[ "${EVERY:-8}" = 0 ] || places "$module"
done >places
# For a clone, the kernel looks for the original in vmlinux and in all modules, so that the verdict
# depends on the other modules.
awk -v skip="${SKIP:-^$}" '
	FILENAME == "owners" { nr[$1] += !(($1, $2) in owns); owns[$1, $2] = 1; next }
	nr[$2] > (($2, $1) in owns) { print $3 >"ambiguous"; next }
	$3 !~ skip { print $3, $4 }' owners places >modules
touch ambiguous
if [ "${MODULE_PLACES:-0}" != 0 ]; then
	for module; do
		NR=$MODULE_PLACES "${BASH_SOURCE%/*}/random-places.sh" "$image" "$module"
	done | cut -d ' ' -f 1,2 | { grep -Ev "${SKIP:-^$}" || :; } >>modules
fi
rm owners places

# Wrong predictions, which the guest must detect: the first of each kind, reversed.
for file in vmlinux modules; do
	awk 'function other(verdict) { return verdict == "accepted" ? "rejected" : "accepted" }
		!seen[$2]++ { print "-" $1, other($2); print "+" $1, $2 }' $file >wrong.$file
	sed -n 's/^-//p' wrong.$file >>$file
done
sort wrong.vmlinux wrong.modules >wrong
rm wrong.vmlinux wrong.modules
