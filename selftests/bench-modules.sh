#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# "make bench-modules": compare abtf with pahole on all modules of Debian's 6.12 debug
# package: time and memory, also of a single small module, sizes, equal types, the result of
# "abtf check", and functions that share a name; as Markdown. The base is BTF of its vmlinux by
# abtf, for pahole without addresses. On BTF by Debian's pahole 1.24, which only has arrays with
# one dimension, both would repeat most types in each module. The status is 1 if abtf fails, or a module
# has a violation.
#   PAHOLE=FILE      this pahole instead of the installed one
#   PAHOLE_ALL=1     run pahole on all modules, not on a sample
#   SAMPLE=N         modules in the sample (200)
#   ROUNDS=N         rounds of all modules by abtf (3); the small module gets five times as many
#   SMALL=PATH       the small module (drivers/net/veth.ko)
set -eu -o pipefail
cd "$(dirname "$0")/.."
. selftests/measure.sh
abtf=$PWD/encoder/abtf
pahole=${PAHOLE:-$(command -v pahole || true)}
rounds=${ROUNDS:-3}
sample=${SAMPLE:-200}
small=${SMALL:-drivers/net/veth.ko}
tools=$PWD/build/compare
out=$PWD/build/bench-modules
base=$out/base.btf plain_base=$out/base.plain.btf

if [ -z "$pahole" ]; then
	echo "bench-modules: no pahole; set PAHOLE=FILE" >&2
	exit 1
fi
pahole=$(realpath "$pahole")
selftests/fetch-debian.sh modules
vmlinux=$PWD/build/debian/vmlinux
root=build/debian/modules
rm -rf "$out"
mkdir -p "$out"
"$abtf" encode -q -o "$base" "$vmlinux"
"$abtf" strip "$base" "$plain_base"
cd "$root"

# Sort by size, so that evenly spaced modules are a fair sample.
find . -name '*.ko' -printf '%s %P\n' | sort -n | cut -d' ' -f2 >"$out/modules"
nr=$(wc -l <"$out/modules")
mapfile -t modules <"$out/modules"
awk -v nr="$nr" -v want="$sample" '
	NR == int((taken + 0.5) * nr / want) + 1 && taken < want { print; taken++ }' \
	"$out/modules" >"$out/sample"
[ "${PAHOLE_ALL:-}" != 1 ] || cp "$out/modules" "$out/sample"
mapfile -t sampled <"$out/sample"

version=$("$pahole" --version)
if [ "$(sed -E 's/v([0-9]+)\.([0-9]+).*/\1\2/' <<<"$version")" -ge 126 ]; then
	flags=(--btf_features=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs)
else
	flags=(--btf_gen_floats)
fi
plain=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs

# try COMMAND...: run it; print failures at the end
try() {
	"$@" 2>>"$out/messages" || echo "$1 ... ${*: -1}" >>"$out/failed"
}

# batch OPTION...: encode all modules in one call
batch() {
	try "$abtf" encode -q --base "$base" "$@" "${modules[@]}"
}

# bytes_of DIR: print the size of all BTF in it
bytes_of() {
	find "$1" -name '*.btf' -printf '%s\n' | awk '{ n += $1 } END { printf "%d\n", n }'
}

# --- time and memory ------------------------------------------------------------

: >"$out/failed"
: >"$out/messages"
echo "  reading $nr modules once, so that no round waits for the disk"
cat "${modules[@]}" >/dev/null
for round in $(seq "$rounds"); do
	echo "  all modules, round $round of $rounds"
	cpu "$out/all.cpu" batch -j1 -o "$out/split/"
	wall=$(timed batch -o "$out/split/")
	echo "${wall% *}" >>"$out/all.wall"
done
echo "  memory"
our_memory=$(memory "$abtf" encode -q --base "$base" -o "$out/split/" "${modules[@]}")

echo "  pahole, ${#sampled[@]} modules"
for module in "${sampled[@]}"; do
	mkdir -p "$out/pahole/$(dirname "$module")"
	cpu "$out/pahole.cpu" try "$pahole" -J "${flags[@]}" --btf_base "$plain_base" \
		"--btf_encode_detached=$out/pahole/$module.btf" "$module"
done
pahole_cpu=$(awk -v nr="$nr" '{ n += $1 } END { printf "%d\n", n * nr / NR }' "$out/pahole.cpu")
largest=${modules[-1]}
pahole_memory=$(memory "$pahole" -J "${flags[@]}" --btf_base "$plain_base" \
	"--btf_encode_detached=$out/largest.btf" "$largest")

echo "  $small alone"
for round in $(seq $((rounds * 5))); do
	cpu "$out/small.pahole.cpu" try "$pahole" -J "${flags[@]}" --btf_base "$plain_base" \
		"--btf_encode_detached=$out/small.pahole" "$small"
	cpu "$out/small.abtf.cpu" try "$abtf" encode -q -j1 --base "$base" -o "$out/small.btf" "$small"
done

# --- sizes ------------------------------------------------------------------------

echo "  all modules without a base, and without addresses"
try "$abtf" encode -q --features=$plain -o "$out/full/" "${modules[@]}"
batch --features=$plain -o "$out/plain/"

# --- in place, checked --------------------------------------------------------------

echo "  all modules in place, checked"
for ((i = 0; i < nr; i += 200)); do
	rm -rf "$out/copy"
	mkdir "$out/copy"
	cp --parents "${modules[@]:i:200}" "$out/copy"
	# abtf doesn't replace .BTF if .BTF_ids contains its ids
	find "$out/copy" -name '*.ko' -exec grep -qF .BTF_ids {} \; \
		-exec objcopy --rename-section .BTF_ids=.old_ids {} \;
	(cd "$out/copy" && "$abtf" encode -q --base "$base" "${modules[@]:i:200}" &&
		"$abtf" check --base "$base" "${modules[@]:i:200}") >>"$out/check" 2>&1 || true
done
rm -rf "$out/copy"

# --- types and functions ------------------------------------------------------------

echo "  types and functions compared with pahole"
for module in "${sampled[@]}"; do
	theirs=$out/pahole/$module.btf ours=$out/split/$module.btf
	[ -s "$theirs" ] || { echo "nothing $module" >>"$out/types"; continue; }
	if "$tools/btf-compare" --base "$plain_base" "$theirs" "$ours" >"$out/difference"; then
		echo "same $module" >>"$out/types"
	else
		# the types in one file only, and how many of them repeat one that the other has
		awk -F'[:,]' -v module="$module" '
			BEGIN { kind = "other" }
			/^only in A/ { kind = $2 == $6 && $4 == $8 ? "repeats" : "other" }
			END { print kind, module }' "$out/difference" >>"$out/types"
		{ echo "== $module"; cat "$out/difference"; } >>"$out/differences"
	fi
	if "$tools/btf-compare" --base "$plain_base" --funcs "$theirs" "$ours" \
		>"$out/difference"; then
		echo "same $module" >>"$out/superset"
	else
		echo "other $module" >>"$out/superset"
		{ echo "== $module"; cat "$out/difference"; } >>"$out/missing"
	fi
done
find "$out/split" -name '*.btf' -printf '%P\n' | (cd "$out/split" &&
	xargs "$tools/btf-funcs" "$plain_base") >"$out/funcs"

# --- results --------------------------------------------------------------------------

# kinds FILE KIND: count the lines of FILE that start with KIND
kinds() {
	awk -v kind="$2" '$1 == kind { n++ } END { printf "%d", n }' "$out/$1" 2>/dev/null || printf 0
}

{
	how="a sample of ${#sampled[@]}, evenly spaced by size, and extrapolated"
	[ "${#sampled[@]}" != "$nr" ] || how='all of them'
	cpu=$(median <"$out/all.cpu")
	grep -a -o -m1 'Linux version [0-9][[:print:]]*' "$vmlinux" | head -n 1 |
		sed -E 's/ \(.*\) (#.*)/, \1/'
	echo "$nr modules, $(du -sh --apparent-size . | cut -f1); base: its vmlinux, by abtf"
	echo "pahole $version: \`-J ${flags[*]} --btf_base BASE\`, one process for each module,"
	echo "measured on $how; $("$abtf" --version): all features on, one call"
	echo "$(nproc) x $(processor)"
	echo
	echo '| all modules | pahole | abtf | ratio |'
	echo '|---|---:|---:|---:|'
	echo "| CPU seconds (abtf: -j1, median of $rounds) | $(seconds "$pahole_cpu") | $(seconds "$cpu") | 1/$(ratio "$pahole_cpu" "$cpu") |"
	echo "| wall seconds, -j$(nproc) | | $(seconds "$(median <"$out/all.wall")") | |"
	echo "| peak anonymous memory, MB (pahole: ${largest##*/} alone) | $((${pahole_memory% *} / 1024)) | $((${our_memory% *} / 1024)) | |"
	echo "| peak resident memory, MB | $((${pahole_memory#* } / 1024)) | $((${our_memory#* } / 1024)) | |"
	echo
	echo "| ${small##*/} alone, median of $((rounds * 5)) | CPU milliseconds | ratio |"
	echo '|---|---:|---:|'
	theirs=$(median <"$out/small.pahole.cpu") ours=$(median <"$out/small.abtf.cpu")
	echo "| pahole | $theirs | |"
	echo "| abtf | $ours | 1/$(ratio "$theirs" "$ours") |"
	echo
	records=$(awk -F'[ ,]+' '/ with an address/ { n += $4 } END { printf "%d", n }' "$out/check")
	echo '| bytes of BTF | full | split | split, with addresses | .rela.BTF |'
	echo '|---|---:|---:|---:|---:|'
	echo "| all $nr | $(bytes_of "$out/full") | $(bytes_of "$out/plain") | $(bytes_of "$out/split") | $((records * 24)) |"
	find "$out/full" -name '*.btf' -printf '%s %P\n' | sort -rn | sed -n 1,10p |
		while read -r size module; do
			name=${module%.btf}
			n=$(awk -F'[ ,]+' -v m="$name:" '$1 == m && / with an address/ { print $4 }' "$out/check")
			echo "| ${name##*/} | $size | $(stat -c %s "$out/plain/$module") | $(stat -c %s "$out/split/$module") | $((n * 24)) |"
		done
	echo
	echo "\`abtf check --base\`: $(grep -c ': 0 violations$' "$out/check") of $nr modules without a violation, $records addresses"
	echo "types equal to pahole's as graphs: $(kinds types same) of ${#sampled[@]}; equal but for types that pahole repeats: $(kinds types repeats); pahole wrote none: $(kinds types nothing)"
	echo "modules that lack none of pahole's functions: $(kinds superset same)"
	awk -F'\t' '
		{ of[$3]++; base = $2; sub(/\..*/, "", base); n[$1 SUBSEP base]++ }
		END {
			for (k in n) {
				if (n[k] < 2)
					continue
				names++
				instances += n[k]
				split(k, part, SUBSEP)
				in_module[part[1]] = 1
			}
			for (m in in_module)
				nr++
			printf "functions: %d; names shared within a module: %d in %d modules, %d functions\n",
			       NR, names, nr, instances
			printf "with a name that vmlinux also has: %d; btf__dedup() would merge %d of them\n",
			       of["fold"] + of["name"], of["fold"]
		}' "$out/funcs"
	[ ! -s "$out/failed" ] || { echo; echo 'failed:'; sort "$out/failed" | uniq -c | sed -n 1,10p; }
} | tee "$out/table.md"
echo "  (also in build/bench-modules/table.md; differences of types in differences, of functions in missing)"
# Figures of an encoder that fails are useless. Modules that pahole cannot encode are only listed.
! grep "^$abtf " "$out/failed" >&2 && [ "$(grep -c ': 0 violations$' "$out/check")" = "$nr" ]
