#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make check-inlined: are the inlined calls of 100 functions of a real kernel where
# "perf probe" finds them?  perf reads DWARF with libdw, and asks nobody of ours.
#   VMLINUX=FILE    an image with DWARF (default: build/debian/vmlinux, which
#                   "make run KERNEL=debian" fetches)
#   SAMPLE=N        so many functions (100), evenly spread over all names
# perf names a place by symbol and offset.  Where several symbols have the name, any of
# them may be meant.  It finds bodies as well, which are no inlined calls; and some
# functions not at all, which are counted.
set -eu
set -o pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
abtf=$PWD/encoder/abtf
image=${VMLINUX:-$PWD/build/debian/vmlinux}
[ -r "$image" ] || { echo "no $image: make run KERNEL=debian fetches one" >&2; exit 1; }
image=$(realpath "$image")
mkdir -p build/inlined
cd build/inlined

nm "$image" | awk '$2 ~ /^[tTwW]$/ { print $3, $1 }' | sort >symbols
text=$(sed -n 's/^_text //p' symbols)
"$abtf" list --inlined --all -j "$image" >all.json
# perf gives up after 128 places, or what it is told
jq -r 'group_by(.name)[] | select((map(.inlined) | add) <= 200) | .[0].name' all.json |
	grep -xE '[a-zA-Z_][a-zA-Z0-9_]*' >names
step=$(($(wc -l <names) / ${SAMPLE:-100}))
awk -v step=$((step > 0 ? step : 1)) -v most="${SAMPLE:-100}" 'NR % step == 1 || step == 1' names |
	head -n "${SAMPLE:-100}" >sample

failed=0 places=0 functions=0 unknown=0
while read -r name; do
	"$abtf" list --inlined -j "$image" "$name" |
		jq -r '.[].offset' | sort -un >ours
	# without a place it says so, and there is nothing to compare
	perf probe -k "$image" --max-probes=1000 -D "$name" >perf.out 2>perf.err </dev/null || {
		grep -q "Probe point '$name' not found" perf.err || {
			echo "FAILED: $name: perf: $(head -n 1 perf.err)"
			failed=1
		}
		unknown=$((unknown + 1))
		continue
	}
	sed -nE 's/^p:[^ ]+ ([^+ ]+)\+([0-9]+).*/\1 \2/p' perf.out | sort >perf
	# every place of perf's: the offsets from _text that it may mean
	awk -v text="$text" -v name="$name" '
	function hex(s,	i, v) {
		for (i = length(s) - 8; i <= length(s); i++)
			v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return v
	}
	FILENAME == "symbols" { at[$1] = at[$1] " " $2; next }
	FILENAME == "ours" { ours[$1] = 1; nr++; next }
	{
		n = split(at[$1], a, " ")
		found = 0
		for (i = 1; i <= n; i++) {
			offset = hex(a[i]) - hex(text) + $2
			if (offset in ours) {
				seen[offset] = 1
				found = 1
			}
		}
		# a body: of the function itself, or a clone of it
		base = $1
		sub(/\..*/, "", base)
		if (!found && base != name)
			print "FAILED: " name ": perf alone has " $1 "+" $2
	}
	END {
		for (offset in ours)
			if (!(offset in seen))
				printf "FAILED: %s: perf has not 0x%x\n", name, offset
		print nr + 0 >"count"
	}' symbols ours perf >differ
	! [ -s differ ] || { cat differ; failed=1; }
	places=$((places + $(cat count)))
	functions=$((functions + 1))
done <sample
[ $((unknown * 5)) -le $functions ] || { echo "FAILED: perf finds too few to compare"; failed=1; }
echo "$functions functions, $places places of inlined calls: perf $([ $failed = 0 ] && echo agrees || echo differs); $unknown functions it does not find"
exit $failed
