#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# random-places.sh VMLINUX [MODULE]: prints random places inside functions of an image, or of a module, and
# whether abtf predicts that the kernel accepts kprobes there: lines of PLACE (_text+OFFSET or
# MODULE:NAME+OFFSET), VERDICT and the reason.  Places for which abtf has no answer are omitted, and counted
# on stderr.
#   ABTF=PROGRAM
#   NR=N	one place in each of N functions, and in addition up to 20, or N, for each reason (2000)
#   SEED=N	seed of the random numbers (1)
set -eu
set -o pipefail

image=${2:-$1}
what=(${2:+--base "$1"} "$image")
module=
[ $# = 1 ] || module=$(modinfo -F name "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

case $(readelf -h "$image" | sed -n 's/^ *Machine: *//p') in
AArch64*|PowerPC*)		step=4 ;;
*S/390*|RISC-V*)		step=2 ;;
*)				step=1 ;;
esac

# functions with unique names in which kprobes are accepted, and their sizes
"$ABTF" list --all --table "${what[@]}" 2>/dev/null | awk 'NR > 1 && NF == 2 && $1 !~ /[.@]/ { print $1 }' |
	sort -u >"$dir/accepted"
nm -S --defined-only "$image" | awk 'NF == 4 && $3 ~ /[tTwW]/ { print $4, $2 }' | sort |
	awk '{ nr[$1]++; size[$1] = $2 } END { for (name in nr) if (nr[name] == 1) print name, size[name] }' |
	sort | join "$dir/accepted" - >"$dir/sizes"
awk -v seed="${SEED:-1}" -v max="$((${NR:-2000} * 5))" -v step=$step '
	BEGIN { srand(seed) }
	{ line[NR] = $0 }
	function number(hex,   i, n) {
		for (i = 1; i <= length(hex); i++)
			n = n * 16 + index("123456789abcdef", substr(hex, i, 1))
		return n
	}
	END {
		for (i = 0; i < max; i++) {
			split(line[int(rand() * NR) + 1], f)
			steps = int(number(f[2]) / step)
			if (steps > 1)
				printf "%s+0x%x\n", f[1], (int(rand() * (steps - 1)) + 1) * step
		}
	}' "$dir/sizes" | awk '!seen[$0]++' >"$dir/places"

# xargs returns 123 if abtf rejects all places of one call.
xargs -r "$ABTF" list --probe=json "${what[@]}" <"$dir/places" >"$dir/probes" || [ $? = 123 ]
jq -r '.warnings[], (.error // "")' "$dir/probes" | sed -n 's/^    \([^ ]*+0x[0-9a-f]*\): \(.*\)/\1 \2/p' >"$dir/reasons"
# A place without a reason counts as accepted, so abtf must have printed its probe.
probes=$(jq -s 'map(.probes | length) | add + 0' "$dir/probes")
rejected=$(grep -vc 'may not be able\|may crash' "$dir/reasons" || :)
if [ $((probes + rejected)) != "$(wc -l <"$dir/places")" ]; then
	echo "$probes probes and $rejected rejections for $(wc -l <"$dir/places") random places" >&2
	exit 1
fi
unknown=$(grep -c 'may not be able\|may crash' "$dir/reasons" || :)
if [ -z "$module" ] || [ "$unknown" != 0 ]; then
	echo "${module:+$module: }no answer for $unknown of $(wc -l <"$dir/places") random places:" >&2
	sed -n 's/.*may not be able.*: //p' "$dir/reasons" | sort | uniq -c >&2
fi
nm --defined-only "$image" | awk '$3 == "_text" { print "_text", $1 } { print $3, $1 }' >"$dir/symbols"
awk -v max="${NR:-2000}" -v module="$module" '
	function number(hex,   i, n) {
		for (i = 1; i <= length(hex); i++)
			n = n * 16 + index("123456789abcdef", substr(hex, i, 1))
		return n
	}
	# numbers in awk have 53 bits
	FILENAME ~ /symbols$/ { address[$1] = substr($2, 5); next }
	FILENAME ~ /reasons$/ { place = $1; $1 = ""; why[place] = $0; next }
	why[$1] ~ /may not be able|may crash/ { next }
	++nr <= max || (why[$1] != "" && class[why[$1]]++ < (max < 20 ? max : 20)) {
		split($1, part, "+")
		offset = number(address[part[1]]) - number(address["_text"]) + number(substr(part[2], 3))
		place = module == "" ? sprintf("_text+0x%x", offset) : module ":" $1
		print place, (why[$1] == "" ? "accepted" : "rejected") why[$1]
	}' "$dir/symbols" "$dir/reasons" "$dir/places"
